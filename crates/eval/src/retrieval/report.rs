//! A run as lines: one for all queries, one for each kind and one for each language.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use super::{LabelledQuery, Outcome, Run, Scores, interval, mean};

/// The measures of one group of queries. As JSON its keys are the names of the measures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The name of the data set.
    pub dataset: String,
    /// Which of its queries.
    pub split: String,
    /// The name of the ranker.
    pub ranker: String,
    /// `all`, `kind:…` or `lang:…`.
    pub group: String,
    /// How many tools were searched.
    pub tools: usize,
    /// How many queries are in the group.
    pub queries: usize,
    /// Mean share of groups served within 1 hit.
    #[serde(rename = "recall@1")]
    pub recall_1: f64,
    /// Mean share of groups served within 3 hits.
    #[serde(rename = "recall@3")]
    pub recall_3: f64,
    /// Mean share of groups served within 5 hits.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// Mean share of groups served within 10 hits.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Share of queries with every group served within 5 hits.
    #[serde(rename = "complete@5")]
    pub complete_5: f64,
    /// Mean nDCG within 10 hits.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Mean reciprocal rank of the first useful hit within 10.
    pub mrr: f64,
    /// 95 % interval of `recall@5`, low and high.
    #[serde(rename = "ci95_recall@5")]
    pub ci95_recall_5: [f64; 2],
    /// Median time of a query, in microseconds.
    pub p50_us: f64,
    /// 99th percentile of the time of a query, in microseconds.
    pub p99_us: f64,
}

/// Returns the lines of `run`: all queries, then the kinds, then the languages, each sorted by name. None without queries.
#[must_use]
pub fn lines(run: &Run<'_>) -> Vec<Line> {
    let queries = &run.dataset.queries;
    let kinds: BTreeSet<&str> = queries.iter().filter_map(|query| query.kind.as_deref()).collect();
    let langs: BTreeSet<&str> = queries.iter().map(|query| query.lang.as_str()).collect();
    let mut lines = Vec::new();
    lines.extend(line(run, "all".to_owned(), |_| true));
    for kind in kinds {
        lines
            .extend(line(run, format!("kind:{kind}"), |query| query.kind.as_deref() == Some(kind)));
    }
    for lang in langs {
        lines.extend(line(run, format!("lang:{lang}"), |query| query.lang == lang));
    }
    lines
}

fn line(run: &Run<'_>, group: String, member: impl Fn(&LabelledQuery) -> bool) -> Option<Line> {
    let members = || {
        let pairs = run.dataset.queries.iter().zip(&run.outcomes);
        pairs.filter(|(query, _)| member(query)).map(|(_, outcome)| outcome)
    };
    let recalls: Vec<f64> = members().map(|outcome: &Outcome| outcome.scores.recall_5()).collect();
    if recalls.is_empty() {
        return None;
    }
    let mut times: Vec<Duration> = members().map(|outcome| outcome.time).collect();
    times.sort();
    let Scores { recall: [recall_1, recall_3, recall_5, recall_10], complete_5, ndcg_10, mrr } =
        mean(members().map(|outcome| &outcome.scores));
    Some(Line {
        dataset: run.dataset.name.clone(),
        split: run.dataset.split.clone(),
        ranker: run.ranker.clone(),
        group,
        tools: run.dataset.tools.len(),
        queries: recalls.len(),
        recall_1,
        recall_3,
        recall_5,
        recall_10,
        complete_5,
        ndcg_10,
        mrr,
        ci95_recall_5: interval(&recalls),
        p50_us: percentile_us(&times, 50),
        p99_us: percentile_us(&times, 99),
    })
}

/// The smallest of the sorted times that at least `percent` of them do not exceed, in microseconds.
fn percentile_us(sorted: &[Duration], percent: usize) -> f64 {
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(place).map_or(0.0, |time| time.as_nanos() as f64 / 1_000.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{lines, percentile_us};
    use crate::retrieval::{Dataset, Outcome, Run, Scores};

    #[test]
    fn percentiles_are_values_that_occurred() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_micros).collect();
        assert_eq!(percentile_us(&times, 50), 100.0);
        assert_eq!(percentile_us(&times, 99), 198.0);
        assert_eq!(percentile_us(&times[..1], 99), 1.0);
        assert_eq!(percentile_us(&[], 50), 0.0);
    }

    #[test]
    fn a_line_has_exactly_the_published_keys() {
        let tools = r#"{"id": "t", "name": "t"}"#;
        let queries = r#"{"id": "1", "query": "q", "relevant": ["t"], "lang": "ko", "kind": "step"}
{"id": "2", "query": "q", "relevant": ["t"], "lang": "en"}"#;
        let dataset = Dataset::parse("set", "dev", tools, queries).expect("well formed");
        let outcome = |ranks: Vec<Option<usize>>, micros| Outcome {
            scores: Scores::of(&ranks),
            ranks,
            hits: Vec::new(),
            time: Duration::from_micros(micros),
        };
        let outcomes = vec![outcome(vec![Some(2)], 3), outcome(vec![None], 1)];
        let run = Run { dataset: &dataset, ranker: "r".into(), outcomes };
        let found = lines(&run);
        let groups: Vec<&str> = found.iter().map(|line| line.group.as_str()).collect();
        assert_eq!(groups, ["all", "kind:step", "lang:en", "lang:ko"]);
        // One query, first served at rank 2: discount 1 / log2(3).
        assert_eq!(
            serde_json::to_string(&found[1]).expect("plain data"),
            concat!(
                r#"{"dataset":"set","split":"dev","ranker":"r","group":"kind:step","tools":1,"#,
                r#""queries":1,"recall@1":0.0,"recall@3":1.0,"recall@5":1.0,"recall@10":1.0,"#,
                r#""complete@5":1.0,"ndcg@10":0.6309297535714575,"mrr":0.5,"#,
                r#""ci95_recall@5":[1.0,1.0],"p50_us":3.0,"p99_us":3.0}"#
            )
        );
        assert_eq!((found[0].queries, found[0].recall_5, found[0].p50_us), (2, 0.5, 1.0));
    }
}
