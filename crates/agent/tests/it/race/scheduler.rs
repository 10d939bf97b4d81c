//! An executor that polls in a drawn order, and gates that hold futures back for as long as it likes.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use crate::order::Drawn;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What futures of one run share. Clones are the same.
#[derive(Clone)]
pub(super) struct Gates(Arc<Mutex<Shared>>);

struct Shared {
    drawn: Drawn,
    /// Gates that somebody stands before.
    closed: Vec<Arc<Gate>>,
    /// Tasks that were begun and not taken up by the executor yet.
    begun: Vec<Task>,
}

#[derive(Default)]
struct Gate {
    is_open: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Gates {
    pub(super) fn new(seed: u64) -> Self {
        let shared = Shared { drawn: Drawn(seed), closed: Vec::new(), begun: Vec::new() };
        Self(Arc::new(Mutex::new(shared)))
    }

    /// Returns a number below `end`.
    pub(super) fn below(&self, end: usize) -> usize {
        self.0.lock().unwrap().drawn.below(end)
    }

    /// Says yes once in so many times.
    pub(super) fn one_in(&self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Stays pending until some gates, none or up to three, were opened one after the other.
    pub(super) async fn pass(&self) {
        for _ in 0..self.below(4) {
            let gate = Arc::new(Gate::default());
            self.0.lock().unwrap().closed.push(Arc::clone(&gate));
            std::future::poll_fn(|cx| {
                *gate.waker.lock().unwrap() = Some(cx.waker().clone());
                match gate.is_open.load(Ordering::Relaxed) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                }
            })
            .await;
        }
    }

    /// Begins a task that nobody waits for.
    pub(super) fn begin(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.lock().unwrap().begun.push(Box::pin(task));
    }

    /// Opens a gate, if one is closed; gates whose future was dropped open in vain.
    fn open_one(&self) {
        let gate = {
            let mut shared = self.0.lock().unwrap();
            let count = shared.closed.len();
            if count == 0 {
                return;
            }
            let at = shared.drawn.below(count);
            shared.closed.swap_remove(at)
        };
        gate.is_open.store(true, Ordering::Relaxed);
        if let Some(waker) = gate.waker.lock().unwrap().take() {
            waker.wake();
        }
    }

    /// Runs all tasks to their ends: again and again a drawn one of what can be done, polling a woken task or opening a gate.
    pub(super) fn run(&self) {
        let mut tasks: Vec<(Arc<Woken>, Task)> = Vec::new();
        loop {
            let begun = std::mem::take(&mut self.0.lock().unwrap().begun);
            tasks.extend(begun.into_iter().map(|task| (Arc::<Woken>::default(), task)));
            if tasks.is_empty() {
                return;
            }
            let woken: Vec<usize> = tasks
                .iter()
                .enumerate()
                .filter(|(_, (woken, _))| woken.0.load(Ordering::Relaxed))
                .map(|(at, _)| at)
                .collect();
            let closed = self.0.lock().unwrap().closed.len();
            assert!(woken.len() + closed > 0, "everything waits and nothing can be done");
            let next = self.below(woken.len() + closed);
            let Some(&at) = woken.get(next) else {
                self.open_one();
                continue;
            };
            let (woken, task) = &mut tasks[at];
            woken.0.store(false, Ordering::Relaxed);
            let waker = Waker::from(Arc::clone(woken));
            if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                drop(tasks.swap_remove(at));
            }
        }
    }
}

/// Whether a task wants to be polled.
struct Woken(AtomicBool);

impl Default for Woken {
    fn default() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}
