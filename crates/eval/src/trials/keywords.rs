//! What the keywords that [`suggest`](crate::lint::suggest) proposes are worth, when all of them are taken.

use std::sync::Arc;

use oncue_search::Document;
use serde::Serialize;

use crate::lint::Proposal;
use crate::retrieval::{Dataset, Run, difference, mean};

/// One ranker over one data set, without and with the proposed keywords.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The name of the data set.
    pub dataset: String,
    /// The name of the ranker.
    pub ranker: String,
    /// How many tools there are.
    pub tools: usize,
    /// How many of them are given keywords.
    pub tools_with: usize,
    /// How many keywords.
    pub keywords: usize,
    /// How many queries are asked.
    pub queries: usize,
    /// Recall within 5 hits.
    #[serde(rename = "recall@5")]
    pub recall_5: Compared,
    /// nDCG within 10 hits.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: Compared,
}

/// A measure without and with the keywords.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Without.
    pub without: f64,
    /// With.
    pub with: f64,
    /// What is gained, query by query.
    pub gained: f64,
    /// The 95 % interval of that, low and high.
    pub ci95: [f64; 2],
}

/// Returns the data set whose tools have the keywords that are proposed for each, in the order of the tools.
#[must_use]
pub fn taken(dataset: &Dataset, proposals: &[Vec<Proposal>]) -> Dataset {
    let mut taken = dataset.clone();
    for (tool, proposals) in taken.tools.iter_mut().zip(proposals) {
        if !proposals.is_empty() {
            let Document { row, schema } = &*tool.document;
            let known = row.keywords().iter().map(str::to_owned);
            let words = known.chain(proposals.iter().map(|proposal| proposal.keyword.clone()));
            let row = row.clone().with_keywords(words);
            tool.document = Arc::new(Document { row, schema: schema.clone() });
        }
    }
    taken
}

/// Returns what is gained from one run to the other, which are of one ranker over the same queries; `None` without queries.
#[must_use]
pub fn line(without: &Run<'_>, with: &Run<'_>, proposals: &[Vec<Proposal>]) -> Option<Line> {
    let ndcg = |run: &Run<'_>| -> Vec<f64> {
        run.outcomes.iter().map(|outcome| outcome.scores.ndcg_10).collect()
    };
    let means = [without, with].map(|run| mean(run.outcomes.iter().map(|outcome| &outcome.scores)));
    let [before, after] = &means;
    let recall = difference(&with.recalls_5(), &without.recalls_5())?;
    let gain = difference(&ndcg(with), &ndcg(without))?;
    Some(Line {
        dataset: without.dataset.name.clone(),
        ranker: without.ranker.clone(),
        tools: without.dataset.tools.len(),
        tools_with: proposals.iter().filter(|proposals| !proposals.is_empty()).count(),
        keywords: proposals.iter().map(Vec::len).sum(),
        queries: without.dataset.queries.len(),
        recall_5: Compared {
            without: before.recall_5(),
            with: after.recall_5(),
            gained: recall.mean,
            ci95: recall.ci95,
        },
        ndcg_10: Compared {
            without: before.ndcg_10,
            with: after.ndcg_10,
            gained: gain.mean,
            ci95: gain.ci95,
        },
    })
}

#[cfg(test)]
mod tests {
    use oncue_search::Settings;

    use super::{Compared, line, taken};
    use crate::lint::{Origin, Proposal};
    use crate::retrieval::{Bench, Dataset, ranker};

    #[test]
    fn a_keyword_that_is_taken_finds_its_tool() {
        let tools = r#"{"id": "1", "name": "getImage", "description": "Gets an image"}
{"id": "2", "name": "getInvoice", "description": "Gets an invoice"}"#;
        let queries = r#"{"id": "a", "query": "a photo", "relevant": ["1"], "lang": "en"}
{"id": "b", "query": "an invoice", "relevant": ["2"], "lang": "en"}"#;
        let dataset = Dataset::parse("tiny", "dev", tools, queries).expect("well formed");
        let proposal = Proposal {
            keyword: "photo".to_owned(),
            origin: Origin::List,
            stands_for: "image".to_owned(),
            in_name: true,
            parameter: None,
            closeness: None,
        };
        let proposals = [vec![proposal], Vec::new()];
        let richer = taken(&dataset, &proposals);
        let words: Vec<Vec<&str>> =
            richer.tools.iter().map(|tool| tool.document.row.keywords().iter().collect()).collect();
        assert_eq!(words, [vec!["photo"], vec![]]);
        let ranker = ranker("bm25f").expect("known");
        let (before, after) =
            (Bench::new(&dataset, Settings::default()), Bench::new(&richer, Settings::default()));
        let (before, after) = (before.run(&*ranker, &mut |_| {}), after.run(&*ranker, &mut |_| {}));
        let line = line(&before, &after, &proposals).expect("there are queries");
        assert_eq!((line.tools, line.tools_with, line.keywords, line.queries), (2, 1, 1, 2));
        // One of two requests was answered, and then both are; of two pairs the mean of a resample is 0, 0.5 or 1.
        let expected = Compared { without: 0.5, with: 1.0, gained: 0.5, ci95: [0.0, 1.0] };
        assert_eq!((line.recall_5, line.ndcg_10), (expected, expected));
    }
}
