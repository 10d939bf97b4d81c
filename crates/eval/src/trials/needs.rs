//! A request of several needs, asked in several ways: as it stands, as a list of its steps, and as the same steps in one sentence.
//!
//! A task of a data set is a request whose steps are requests of their own (`src` of a step is the id of the task).
//! Since data sets have few of those, requests of one need are also drawn in threes.
//! What is counted are the needs of the steps, so all ways are measured against the same tools.

use std::collections::BTreeMap;

use oncue_search::Ranker;
use serde::Serialize;

use crate::limits::{DRAWN_STEPS, DRAWN_TASKS_MAX};
use crate::random::lot;
use crate::retrieval::{Bench, Dataset, LabelledQuery, interval};

/// A request with its steps.
#[derive(Clone, Debug)]
pub struct Task<'d> {
    /// The request as a person asks it; none where the steps were drawn.
    pub text: Option<&'d str>,
    /// Its steps, in the order of the file.
    pub steps: Vec<&'d LabelledQuery>,
}

/// How the needs of a task are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The request as it stands.
    Task,
    /// Its steps in one sentence.
    Sentence,
    /// Its steps as a list, with semicolons between them.
    List,
}

impl Form {
    /// Every form, in the order in which they are reported.
    pub const ALL: [Self; 3] = [Self::Task, Self::Sentence, Self::List];

    fn text(self, task: &Task<'_>) -> Option<String> {
        let steps: Vec<&str> = task.steps.iter().map(|step| step.text.as_str()).collect();
        match self {
            Self::Task => task.text.map(str::to_owned),
            Self::Sentence => Some(steps.join(", ")),
            Self::List => Some(steps.join("; ")),
        }
    }
}

/// What one form found of the needs of all tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The data set.
    pub dataset: String,
    /// The name of the ranker.
    pub ranker: String,
    /// How the needs were asked.
    pub form: Form,
    /// Hits asked for.
    pub hits: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// How many needs they have together.
    pub needs: usize,
    /// Mean share of a task's needs served.
    pub served: f64,
    /// Its 95 % interval, low and high.
    pub ci95: [f64; 2],
    /// The share of tasks with every need served.
    pub complete: f64,
    /// Hits shown, a task.
    pub shown: f64,
}

/// Returns the tasks of `dataset` that have at least two steps, by their ids.
#[must_use]
pub fn tasks(dataset: &Dataset) -> Vec<Task<'_>> {
    let texts: BTreeMap<&str, &str> =
        dataset.queries.iter().map(|query| (query.id.as_str(), query.text.as_str())).collect();
    let mut steps: BTreeMap<&str, Vec<&LabelledQuery>> = BTreeMap::new();
    for query in dataset.queries.iter().filter(|query| query.kind.as_deref() == Some("step")) {
        if let Some(src) = query.src.as_deref().filter(|src| texts.contains_key(src)) {
            steps.entry(src).or_default().push(query);
        }
    }
    let several = steps.into_iter().filter(|(_, steps)| steps.len() > 1);
    several.map(|(src, steps)| Task { text: texts.get(src).copied(), steps }).collect()
}

/// Returns requests of one need in threes, at most 100 of those, drawn by lot; no request is in two of them.
#[must_use]
pub fn drawn(dataset: &Dataset) -> Vec<Task<'_>> {
    let is_single =
        |query: &&LabelledQuery| query.groups.len() == 1 && !query.text.contains([';', '\n']);
    let mut single: Vec<&LabelledQuery> = dataset.queries.iter().filter(is_single).collect();
    single.sort_by_key(|query| lot(SEED, &query.id));
    let threes = single.chunks_exact(DRAWN_STEPS).take(DRAWN_TASKS_MAX);
    threes.map(|steps| Task { text: None, steps: steps.to_vec() }).collect()
}

/// Where the draw starts.
const SEED: u64 = 0x6e65_6564_7300;

/// Asks `ranker` for the needs of each task in every form that all of them have, for `hits` hits each time.
#[must_use]
pub fn measure(
    bench: &Bench<'_>,
    tasks: &[Task<'_>],
    ranker: &dyn Ranker,
    hits: usize,
    progress: &mut dyn FnMut(),
) -> Vec<Line> {
    let candidates = bench.candidates();
    let mut line = |form: Form| {
        let mut shares = Vec::new();
        let mut shown = 0;
        for task in tasks {
            let found = bench.ask(&form.text(task)?, &candidates, ranker, hits);
            let needs = task.steps.iter().flat_map(|step| &step.groups);
            let served: Vec<bool> =
                needs.map(|group| group.iter().any(|tool| found.contains(tool))).collect();
            let count = served.iter().filter(|served| **served).count();
            shares.push(count as f64 / served.len().max(1) as f64);
            shown += found.len();
            progress();
        }
        let over = tasks.len().max(1) as f64;
        let complete = shares.iter().filter(|share| **share >= 1.0).count();
        Some(Line {
            dataset: bench.name().to_owned(),
            ranker: ranker.name().to_owned(),
            form,
            hits,
            tasks: tasks.len(),
            needs: tasks.iter().flat_map(|task| &task.steps).map(|step| step.groups.len()).sum(),
            served: shares.iter().sum::<f64>() / over,
            ci95: interval(&shares),
            complete: complete as f64 / over,
            shown: shown as f64 / over,
        })
    };
    Form::ALL.into_iter().filter_map(&mut line).collect()
}

#[cfg(test)]
mod tests {
    use oncue_search::Settings;

    use super::{Form, drawn, measure, tasks};
    use crate::retrieval::{Bench, Dataset, ranker};

    #[test]
    fn a_list_gives_each_step_its_share() {
        let tools = r#"{"id": "1", "name": "cast_list"}
{"id": "2", "name": "cast_of_show"}
{"id": "3", "name": "mail"}
{"id": "4", "name": "cast_show_list"}"#;
        let queries = r#"{"id": "t", "query": "the cast by mail", "relevant": ["2", "3"], "lang": "en", "kind": "task"}
{"id": "s1", "query": "cast list show", "relevant": ["4"], "lang": "en", "kind": "step", "src": "t"}
{"id": "s2", "query": "mail it", "relevant": ["3"], "lang": "en", "kind": "step", "src": "t"}
{"id": "s3", "query": "alone", "relevant": ["3"], "lang": "en", "kind": "step", "src": "u"}"#;
        let set = Dataset::parse("d", "dev", tools, queries).expect("well formed");
        let tasks = tasks(&set);
        assert_eq!(tasks.len(), 1, "a step whose task is not there is none");
        let bench = Bench::new(&set, Settings::default());
        let ranker = ranker("keyword").expect("known");
        let mut asked = 0;
        let lines = measure(&bench, &tasks, &*ranker, 2, &mut || asked += 1);
        assert_eq!(asked, 3);
        let found: Vec<_> = lines.iter().map(|line| (line.form, line.served)).collect();
        // Task: each tool has one of four words, and the first two of the catalog are not needed.
        // Sentence: of five words (`show,` with its comma is none of a name) two tools have two, and one of them is needed.
        assert_eq!(found, [(Form::Task, 0.0), (Form::Sentence, 0.5), (Form::List, 1.0)]);
        assert_eq!((lines[2].needs, lines[2].complete, lines[2].shown), (2, 1.0, 2.0));
    }

    #[test]
    fn threes_are_of_requests_with_one_need_and_share_none() {
        let tools = r#"{"id": "1", "name": "a"}
{"id": "2", "name": "b"}"#;
        let query = |n: usize, relevant: &str| {
            format!(r#"{{"id": "q{n}", "query": "q{n}", "relevant": [{relevant}], "lang": "en"}}"#)
        };
        let mut queries: Vec<String> = (0..8).map(|n| query(n, "\"1\"")).collect();
        queries.push(query(8, "\"1\", \"2\""));
        let set = Dataset::parse("d", "dev", tools, &queries.join("\n")).expect("well formed");
        let drawn = drawn(&set);
        let mut ids: Vec<&str> =
            drawn.iter().flat_map(|task| &task.steps).map(|step| step.id.as_str()).collect();
        assert_eq!((drawn.len(), ids.len()), (2, 6));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 6);
        assert!(!ids.contains(&"q8"));
        let bench = Bench::new(&set, Settings::default());
        let lines = measure(&bench, &drawn, &*ranker("keyword").expect("known"), 5, &mut || {});
        let forms: Vec<Form> = lines.iter().map(|line| line.form).collect();
        assert_eq!(forms, [Form::Sentence, Form::List], "nobody asked for them as one task");
    }
}
