//! Searchers beside ours, data set by data set.

use serde::Serialize;

use super::Made;
use crate::retrieval::{Difference, Run, difference, interval, mean};

/// How much of what the requests of one data set need a searcher finds, and how much more ours does. As JSON its keys are the names of the measures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The name of the data set.
    pub dataset: String,
    /// Which of its queries.
    pub split: String,
    /// The name of the searcher.
    pub searcher: String,
    /// Where its ranking comes from, by [`Made::name`].
    pub made: &'static str,
    /// How many tools were searched.
    pub tools: usize,
    /// How many queries were asked.
    pub queries: usize,
    /// Mean share of groups served within 5 hits.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// 95 % interval of `recall@5`, low and high.
    #[serde(rename = "ci95_recall@5")]
    pub ci95_recall_5: [f64; 2],
    /// The ranker of ours that it is compared with.
    pub against: String,
    /// Mean of our `recall@5` minus that of the searcher, query by query; `None` without queries and for our ranker itself.
    pub difference: Option<f64>,
    /// 95 % interval of that difference, low and high.
    pub ci95_difference: Option<[f64; 2]>,
}

/// Compares a run of a searcher with one of ours over the same queries.
#[must_use]
pub fn compared(run: &Run<'_>, made: Made, ours: &Run<'_>) -> Compared {
    let recalls = run.recalls_5();
    let found: Option<Difference> = match run.ranker == ours.ranker {
        true => None,
        false => difference(&ours.recalls_5(), &recalls),
    };
    Compared {
        dataset: run.dataset.name.clone(),
        split: run.dataset.split.clone(),
        searcher: run.ranker.clone(),
        made: made.name(),
        tools: run.dataset.tools.len(),
        queries: recalls.len(),
        recall_5: mean(run.outcomes.iter().map(|outcome| &outcome.scores)).recall_5(),
        ci95_recall_5: interval(&recalls),
        against: ours.ranker.clone(),
        difference: found.map(|found| found.mean),
        ci95_difference: found.map(|found| found.ci95),
    }
}

#[cfg(test)]
mod tests {
    use super::compared;
    use crate::retrieval::{Dataset, Run};
    use crate::rivals::Made;

    const TOOLS: &str = r#"{"id": "a", "name": "a"}
{"id": "b", "name": "b"}"#;
    const QUERIES: &str = r#"{"id": "1", "query": "q", "relevant": ["a"], "lang": "en"}
{"id": "2", "query": "q", "relevant": ["a", "b"], "lang": "en"}"#;

    #[test]
    fn ours_minus_theirs_in_pairs() {
        let dataset = Dataset::parse("set", "dev", TOOLS, QUERIES).expect("well formed");
        let run = |name: &str, hits: &[usize]| {
            Run::asked(&dataset, name, &mut |_| hits.to_vec(), &mut |_| {})
        };
        // Ours serves 1 and 1 of 2; theirs 0 and 1 of 2.
        let (ours, theirs) = (run("ours", &[0]), run("theirs", &[1]));
        let found = compared(&theirs, Made::Library, &ours);
        assert_eq!((found.recall_5, found.difference), (0.25, Some(0.5)));
        assert_eq!((found.queries, found.tools, found.made), (2, 2, "its library"));
        assert_eq!(found.ci95_difference, Some([0.0, 1.0]));
        let found = compared(&ours, Made::Ours, &ours);
        assert_eq!((found.recall_5, found.difference, found.ci95_difference), (0.75, None, None));
    }
}
