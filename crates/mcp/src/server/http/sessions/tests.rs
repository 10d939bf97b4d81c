//! Sessions at their bounds, and what becomes of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use oncue_tools::BoxFuture;

use super::*;
use crate::server::{About, Caller, ClientSaid, Context, Service};
use crate::{Raw, Request, Version, empty};

/// A service that counts the sessions that are over.
struct Counts {
    ended: AtomicUsize,
    changes: broadcast::Sender<Change>,
}

impl Service for Counts {
    fn about(&self, _: &Caller) -> About {
        About { info: empty(), capabilities: empty(), instructions: None, ttl_ms: 0 }
    }

    fn answer(&self, _: Request, _: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(std::future::ready(Ok(empty())))
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    fn ended(&self, _: &SessionHandle) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }
}

fn sessions() -> (Arc<Counts>, Sessions) {
    let counts = Arc::new(Counts { ended: AtomicUsize::new(0), changes: broadcast::channel(4).0 });
    let service: Shared = Arc::<Counts>::clone(&counts);
    (counts, Sessions::new(service))
}

fn id(number: usize) -> RequestId {
    RequestId::number(number as u64)
}

#[tokio::test]
async fn there_are_as_many_sessions_as_may_be_and_no_more() {
    let (counts, sessions) = sessions();
    let mut first = None;
    for _ in 0..SESSIONS_MAX {
        let session = sessions.begin(Principal::Local).expect("there is room");
        first.get_or_insert(session);
    }
    let refused = sessions.begin(Principal::Local).err().expect("there is none");
    assert_eq!(refused.code, code::BUSY);
    assert!(sessions.end(first.expect("a session").id(), &Principal::Local));
    sessions.begin(Principal::Local).expect("there is room again");
    sessions.end_all();
    assert_eq!(sessions.count(), 0);
    assert_eq!(counts.ended.load(Ordering::Relaxed), SESSIONS_MAX + 1, "each end is told once");
}

#[tokio::test]
async fn a_session_has_as_many_requests_in_flight_as_may_be_and_no_more() {
    let (_, sessions) = sessions();
    let session = sessions.begin(Principal::Local).expect("there is room");
    let mut cancels = Vec::new();
    for number in 0..REQUESTS_IN_FLIGHT_MAX {
        cancels.push(session.begin(&id(number)).expect("there is room"));
    }
    let refused = session.begin(&id(REQUESTS_IN_FLIGHT_MAX)).expect_err("there is none");
    assert_eq!(refused.code, code::BUSY);
    assert_eq!(session.begin(&id(0)).expect_err("it is in use").code, code::INVALID_REQUEST);
    assert!(session.finish(&id(0), &cancels[0]));
    session.begin(&id(REQUESTS_IN_FLIGHT_MAX)).expect("there is room again");
}

// case: C40
#[tokio::test]
async fn an_id_is_free_again_once_it_was_taken_back_and_its_old_answer_goes_nowhere() {
    let (_, sessions) = sessions();
    let session = sessions.begin(Principal::Local).expect("there is room");
    let old = session.begin(&id(7)).expect("it is free");
    session.take_back(&id(7));
    let new = session.begin(&id(7)).expect("it is free again");
    assert!(!session.finish(&id(7), &old), "the old answer goes nowhere");
    assert!(session.finish(&id(7), &new));
}

#[tokio::test]
async fn of_what_nobody_listens_to_the_newest_is_kept() {
    for (told, oldest) in
        [(BACKLOG_MESSAGES_MAX - 1, 0), (BACKLOG_MESSAGES_MAX, 0), (BACKLOG_MESSAGES_MAX + 1, 1)]
    {
        let (_, sessions) = sessions();
        let session = sessions.begin(Principal::Local).expect("there is room");
        for number in 0..told {
            let told = Notification::new(number.to_string(), None);
            session.handle().tell(told);
        }
        let mut messages = session.listen();
        let mut methods = Vec::new();
        while let Ok(Message::Notification(told)) = messages.try_recv() {
            methods.push(told.method.to_string());
        }
        let expected: Vec<String> = (oldest..told).map(|number| number.to_string()).collect();
        assert_eq!(methods, expected);
    }
}

// case: C14
#[tokio::test]
async fn a_session_hears_of_changes_until_it_is_over() {
    let (counts, sessions) = sessions();
    let session = sessions.begin(Principal::Local).expect("there is room");
    let client = ClientSaid::default();
    let version = Version::LAST_WITH_SESSIONS;
    session.known.learn(Caller { principal: Principal::Local, version, client });
    sessions.begun(&session);
    let mut messages = session.listen();
    counts.changes.send(Change::Tools).expect("somebody listens");
    let told = messages.recv().await;
    assert!(
        matches!(told, Some(Message::Notification(it)) if &*it.method == "notifications/tools/list_changed")
    );
    let id = session.id().to_owned();
    drop(session);
    assert!(sessions.end(&id, &Principal::Local));
    assert!(messages.recv().await.is_none(), "its stream ends with it");
    while counts.changes.receiver_count() > 0 {
        tokio::task::yield_now().await;
    }
}
