//! What configurations reach on data sets; each is measured once.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use oncue_search::{Ranker, Settings};
use oncue_tools::{Embedder, NoStore};

use super::weights::{Choice, Part, Weights};
use crate::retrieval::{Bench, Dataset, Outcome, Run};

/// Results by configuration and data set; lives as long as one call of `fit`.
pub(super) struct Measured<'d> {
    datasets: &'d [Dataset],
    part: Part,
    /// What tells what texts mean, where that is part of what is fitted.
    embedder: Option<&'d dyn Embedder>,
    /// For each data set the last index that was made for it, with its settings.
    benches: Vec<Mutex<Option<(Settings, Bench<'d>)>>>,
    /// What each configuration reaches on each set, between 0 and 1.
    known: HashMap<(Choice, usize), f64>,
    /// Configurations that were measured on at least one data set.
    configurations: usize,
}

impl<'d> Measured<'d> {
    pub(super) fn new(
        datasets: &'d [Dataset],
        part: Part,
        embedder: Option<&'d dyn Embedder>,
    ) -> Self {
        let benches = datasets.iter().map(|_| Mutex::new(None)).collect();
        Self { datasets, part, embedder, benches, known: HashMap::new(), configurations: 0 }
    }

    /// Returns how many configurations were measured.
    pub(super) fn configurations(&self) -> usize {
        self.configurations
    }

    /// Returns the mean over `sets` of what `choice` reaches on each.
    pub(super) fn mean(&mut self, choice: Choice, sets: &[usize]) -> f64 {
        let mut open: Vec<usize> =
            sets.iter().copied().filter(|&set| !self.known.contains_key(&(choice, set))).collect();
        if !open.is_empty() {
            self.configurations += 1;
            // The largest first, so that no worker is left alone with it at the end.
            open.sort_by_key(|&set| std::cmp::Reverse(self.effort(set)));
            let weights = choice.weights(self.part);
            for (set, reached) in self.at_once(&weights, &open) {
                self.known.insert((choice, set), reached);
            }
        }
        let reached: Vec<f64> =
            sets.iter().filter_map(|&set| self.known.get(&(choice, set)).copied()).collect();
        mean(&reached)
    }

    /// Returns recall within 5 hits of each query of the data set `set`.
    pub(super) fn recalls(&self, weights: &Weights, set: usize) -> Vec<f64> {
        self.run(weights, set).map_or_else(Vec::new, |run| run.recalls_5())
    }

    /// Returns the mean over queries of recall within 5 hits and of nDCG within 10, halved.
    ///
    /// The first is what matters; it moves in steps of a whole query, so on small sets it leaves much to chance, and the second, which sees every change of rank, decides among what the first cannot tell apart.
    fn reached(&self, weights: &Weights, set: usize) -> f64 {
        self.run(weights, set).map_or(0.0, |run| {
            let halves = |outcome: &Outcome| {
                f64::midpoint(outcome.scores.recall_5(), outcome.scores.ndcg_10)
            };
            mean(&run.outcomes.iter().map(halves).collect::<Vec<f64>>())
        })
    }

    fn run(&self, weights: &Weights, set: usize) -> Option<Run<'d>> {
        let (dataset, bench) = (self.datasets.get(set)?, self.benches.get(set)?);
        // A worker that died left an index that is whole or none: it is only ever put there complete.
        let mut bench = bench.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if bench.as_ref().is_none_or(|(settings, _)| *settings != weights.settings) {
            let settings = weights.settings.clone();
            let made = Bench::new(dataset, settings.clone());
            let made = match self.embedder {
                Some(embedder) => made.with_meaning(embedder, &NoStore, &mut |_| {}),
                None => made,
            };
            *bench = Some((settings, made));
        }
        let ranker: &dyn Ranker = match self.part {
            Part::Words => &weights.ranker.lexical,
            Part::Blend => &weights.ranker,
        };
        bench.as_ref().map(|(_, bench)| bench.run(ranker, &mut |_| {}))
    }

    /// Measures `sets` on as many threads as there are cores; which does what has no say in the results.
    fn at_once(&self, weights: &Weights, sets: &[usize]) -> Vec<(usize, f64)> {
        let cores = thread::available_parallelism().map_or(1, usize::from).min(sets.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(&set) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((set, self.reached(weights, set)));
            }
            done
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                match other.join() {
                    Ok(results) => done.extend(results),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        })
    }

    /// About how long a data set takes.
    fn effort(&self, set: usize) -> usize {
        self.datasets.get(set).map_or(0, |dataset| dataset.tools.len() + dataset.queries.len())
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}
