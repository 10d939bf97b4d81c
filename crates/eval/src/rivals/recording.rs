//! Answers that were written down, a line a query: those of a searcher that cannot be rebuilt, or ours for others to compare.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::retrieval::{Dataset, Run};

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object with dataset, searcher, query and hits")]
pub struct Answer {
    /// The name of the data set.
    pub dataset: String,
    /// Who answered.
    pub searcher: String,
    /// The id of the query.
    pub query: String,
    /// The ids of the tools, best first. One that the data set does not have takes its rank and serves nothing.
    pub hits: Vec<String>,
}

/// What one searcher answered to the queries of one data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The name of the data set.
    pub dataset: String,
    /// Who answered.
    pub searcher: String,
    /// The hits by the id of the query.
    hits: HashMap<String, Vec<String>>,
}

/// Why answers cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A query of the data set has no answer.
    #[error(
        "`{searcher}` has no answer to {missing} of the queries of `{dataset}`, such as `{first}`"
    )]
    Missing {
        /// Who answered.
        searcher: String,
        /// The name of the data set.
        dataset: String,
        /// How many queries have no answer.
        missing: usize,
        /// The id of the first of them.
        first: String,
    },
}

impl Recording {
    /// Reads answers, a JSON object a line, and puts together those of one searcher to one data set, in the order of their first lines.
    ///
    /// # Errors
    ///
    /// [`RecordingError::Line`] for a line that is none, or a second answer to a query.
    pub fn parse(text: &str) -> Result<Vec<Self>, RecordingError> {
        let mut all: Vec<Self> = Vec::new();
        for (text, line) in text.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty()) {
            let wrong = |reason| RecordingError::Line { line, reason };
            let answer: Answer =
                serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let Answer { dataset, searcher, query, hits } = answer;
            let of_both = |it: &Self| it.dataset == dataset && it.searcher == searcher;
            let place = all.iter().position(of_both).unwrap_or_else(|| {
                all.push(Self { dataset, searcher, hits: HashMap::new() });
                all.len() - 1
            });
            let known = all.get_mut(place).and_then(|it| it.hits.insert(query.clone(), hits));
            if known.is_some() {
                return Err(wrong(format!("a second answer to `{query}`")));
            }
        }
        Ok(all)
    }

    /// Returns the answers as if they were given now.
    ///
    /// # Errors
    ///
    /// [`RecordingError::Missing`] where a query has none.
    pub fn run<'d>(&self, dataset: &'d Dataset) -> Result<Run<'d>, RecordingError> {
        let missing = || dataset.queries.iter().filter(|it| !self.hits.contains_key(&it.id));
        if let Some(first) = missing().next() {
            return Err(RecordingError::Missing {
                searcher: self.searcher.clone(),
                dataset: self.dataset.clone(),
                missing: missing().count(),
                first: first.id.clone(),
            });
        }
        let tools = dataset.tools.iter().enumerate();
        let places: HashMap<&str, usize> = tools.map(|(at, tool)| (tool.id.as_str(), at)).collect();
        let place = |id: &String| places.get(id.as_str()).copied().unwrap_or(dataset.tools.len());
        let hits = |id: &str| self.hits.get(id).into_iter().flatten().map(place).collect();
        Ok(Run::asked(dataset, &self.searcher, &mut |query| hits(&query.id), &mut |_| {}))
    }
}

/// Returns the answers of a run, to be written down.
pub fn answers<'r>(run: &'r Run<'_>) -> impl Iterator<Item = Answer> + 'r {
    run.dataset.queries.iter().zip(&run.outcomes).map(|(query, outcome)| Answer {
        dataset: run.dataset.name.clone(),
        searcher: run.ranker.clone(),
        query: query.id.clone(),
        hits: outcome
            .hits
            .iter()
            .filter_map(|&place| run.dataset.tools.get(place))
            .map(|tool| tool.id.clone())
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Recording, answers};
    use crate::retrieval::Dataset;

    const TOOLS: &str = r#"{"id": "a", "name": "a"}
{"id": "b", "name": "b"}"#;
    const QUERIES: &str = r#"{"id": "1", "query": "q", "relevant": ["a"], "lang": "en"}
{"id": "2", "query": "q", "relevant": ["a", "b"], "lang": "en"}"#;
    const ANSWERS: &str = r#"{"dataset": "set", "searcher": "x", "query": "1", "hits": ["gone", "a"]}

{"dataset": "set", "searcher": "y", "query": "1", "hits": []}
{"dataset": "set", "searcher": "x", "query": "2", "hits": ["b"]}
{"dataset": "set", "searcher": "x", "query": "other part", "hits": ["b"]}"#;

    #[test]
    fn answers_are_scored_as_if_given_now() {
        let dataset = Dataset::parse("set", "dev", TOOLS, QUERIES).expect("well formed");
        let recordings = Recording::parse(ANSWERS).expect("well formed");
        let run = recordings[0].run(&dataset).expect("complete");
        let ranks: Vec<_> = run.outcomes.iter().map(|outcome| outcome.ranks.clone()).collect();
        assert_eq!((run.ranker.as_str(), ranks), ("x", vec![vec![Some(2)], vec![None, Some(1)]]));
        let back: Vec<String> = answers(&run).map(|answer| answer.hits.join(" ")).collect();
        assert_eq!(back, ["a", "b"]);
        let missing = recordings[1].run(&dataset).err().expect("one is missing");
        assert_eq!(
            missing.to_string(),
            "`y` has no answer to 1 of the queries of `set`, such as `2`"
        );
    }

    #[test]
    fn a_wrong_line_and_a_second_answer_are_told() {
        let first = ANSWERS.lines().next().expect("a line");
        let twice = Recording::parse(&format!("{first}\n{first}")).expect_err("twice");
        assert_eq!(twice.to_string(), "line 2: a second answer to `1`");
        let wrong = Recording::parse("\n7").expect_err("no object").to_string();
        assert!(wrong.starts_with("line 2: "), "{wrong}");
    }
}
