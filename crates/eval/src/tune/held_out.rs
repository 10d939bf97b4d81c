//! Each part of the requests asked of what the others teach.

use oncue_search::Ranker;
use oncue_tools::Embedder;
use serde::Serialize;

use super::folds::{FOLDS, folds};
use super::taught;
use crate::limits::{FOUND_RANK_MAX, HITS_PER_QUERY, TUNE_REQUESTS_MIN};
use crate::retrieval::{Bench, Dataset, Scores, difference, ranks_of};

/// What requests gain by what other requests teach.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// The data set.
    pub dataset: String,
    /// The name of the ranker.
    pub ranker: String,
    /// Requests that were asked.
    pub requests: usize,
    /// Their mean recall within 5 hits without what was learnt, from 0 to 1.
    pub before: f64,
    /// The same with it.
    pub after: f64,
    /// The 95 % interval of the difference, low and high.
    pub gain_ci95: [f64; 2],
    /// Needs that a tool serves which other requests have taught something of.
    pub taught: Needs,
    /// Needs of other tools; what the taught ones gain they can lose.
    pub untaught: Needs,
}

/// Needs, and how many of them a tool within 5 hits served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Needs {
    /// How many there are.
    pub all: usize,
    /// Served without what was learnt.
    pub before: usize,
    /// Served with it.
    pub after: usize,
}

impl HeldOut {
    /// Says whether requests are served better by what others teach, beyond chance.
    #[must_use]
    pub fn is_gain(&self) -> bool {
        let [low, _] = self.gain_ci95;
        self.requests >= TUNE_REQUESTS_MIN && low > 0.0
    }
}

/// Returns what each request gains by what those of the other parts teach.
///
/// `meanings` has what each request means, in the order of the data set. `progress` is told of each request that was asked.
pub fn held_out(
    dataset: &Dataset,
    bench: &Bench<'_>,
    meanings: &[Vec<f32>],
    embedder: &dyn Embedder,
    ranker: &dyn Ranker,
    progress: &mut dyn FnMut(),
) -> HeldOut {
    let folds = folds(&dataset.queries);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let (mut known, mut unknown) = (Needs::default(), Needs::default());
    for fold in 0..FOLDS {
        let is_asked = |at: usize| folds.get(at) == Some(&fold);
        let tuning = taught(dataset, meanings, embedder, &|at| !is_asked(at));
        let tuned = bench.leaning(&tuning);
        let (plain, leaning) = (bench.candidates(), tuned.candidates());
        let has_lesson = |&place: &usize| {
            let tool = dataset.tools.get(place);
            tool.is_some_and(|tool| tuning.lesson(&tool.source, tool.document.row.name()).is_some())
        };
        for (_, query) in dataset.queries.iter().enumerate().filter(|(at, _)| is_asked(*at)) {
            let left = ranks_of(query, &bench.ask(&query.text, &plain, ranker, HITS_PER_QUERY));
            let right = ranks_of(query, &tuned.ask(&query.text, &leaning, ranker, HITS_PER_QUERY));
            before.push(Scores::of(&left).recall_5());
            after.push(Scores::of(&right).recall_5());
            for (group, (left, right)) in query.groups.iter().zip(left.into_iter().zip(right)) {
                let needs = if group.iter().any(has_lesson) { &mut known } else { &mut unknown };
                needs.count(left, right);
            }
            progress();
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    HeldOut {
        dataset: dataset.name.clone(),
        ranker: ranker.name().to_owned(),
        requests: before.len(),
        gain_ci95: difference(&after, &before).map_or([0.0, 0.0], |difference| difference.ci95),
        before: mean(&before),
        after: mean(&after),
        taught: known,
        untaught: unknown,
    }
}

impl Needs {
    fn count(&mut self, before: Option<usize>, after: Option<usize>) {
        let is_served = |rank: Option<usize>| rank.is_some_and(|rank| rank <= FOUND_RANK_MAX);
        self.all += 1;
        self.before += usize::from(is_served(before));
        self.after += usize::from(is_served(after));
    }
}
