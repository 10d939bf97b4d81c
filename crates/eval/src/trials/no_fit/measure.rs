//! How often a search answers what it cannot, and what that costs elsewhere.

use std::collections::BTreeMap;

use oncue_search::Ranker;
use serde::Serialize;

use super::Impossible;
use crate::limits::FOUND_RANK_MAX;
use crate::retrieval::{Bench, Run, interval};

/// Why no tool serves a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The catalog is about other things.
    Foreign,
    /// The tools that serve it were taken out.
    Removed,
}

/// What came of the impossible requests of one kind, data set and language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Why no tool serves them.
    pub kind: Kind,
    /// The data set whose catalog was searched.
    pub dataset: String,
    /// The data set that they come from; `all` for the line over all of the kind.
    pub asked: String,
    /// Their language.
    pub lang: String,
    /// The name of the ranker.
    pub ranker: String,
    /// How many there are.
    pub queries: usize,
    /// The share that got any hit.
    pub answered: f64,
    /// Its 95 % interval, low and high.
    pub ci95: [f64; 2],
    /// Hits within 5, a request.
    pub hits: f64,
}

/// What ordinary requests of a data set find.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Price {
    /// The data set.
    pub dataset: String,
    /// The name of the ranker.
    pub ranker: String,
    /// How many requests there are.
    pub queries: usize,
    /// Mean share of needs served within 5 hits.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// The share that got no hit at all.
    pub empty: f64,
}

/// An impossible request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answered<'d> {
    /// Its id.
    pub id: &'d str,
    /// What was asked.
    pub query: &'d str,
    /// The ids of the hits, best first.
    pub hits: Vec<&'d str>,
}

/// Asks `ranker` each of `requests` over the catalog of `bench`.
///
/// Returns a line a data set and language, where there are foreign ones also one a language over all, and what was answered.
#[must_use]
pub fn measure<'d>(
    bench: &Bench<'d>,
    kind: Kind,
    requests: &[Impossible<'d>],
    ranker: &dyn Ranker,
    progress: &mut dyn FnMut(),
) -> (Vec<Line>, Vec<Answered<'d>>) {
    let mut answers = Vec::new();
    let mut hits: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    let all = bench.candidates();
    for request in requests {
        let rest = all.without(request.without.iter().filter_map(|&place| bench.address(place)));
        let found = bench.ask(request.text, &rest, ranker, FOUND_RANK_MAX);
        if !found.is_empty() {
            let hits = found.iter().filter_map(|&place| bench.id(place)).collect();
            answers.push(Answered { id: request.id, query: request.text, hits });
        }
        let found = found.len();
        hits.entry((request.asked, request.lang)).or_default().push(found);
        if kind == Kind::Foreign {
            hits.entry((ALL, request.lang)).or_default().push(found);
        }
        progress();
    }
    let line = |((asked, lang), hits): ((&str, &str), Vec<usize>)| {
        let answered: Vec<f64> = hits.iter().map(|&hits| f64::from(u8::from(hits > 0))).collect();
        let over = hits.len().max(1) as f64;
        Line {
            kind,
            dataset: bench.name().to_owned(),
            asked: asked.to_owned(),
            lang: lang.to_owned(),
            ranker: ranker.name().to_owned(),
            queries: hits.len(),
            answered: answered.iter().sum::<f64>() / over,
            ci95: interval(&answered),
            hits: hits.iter().sum::<usize>() as f64 / over,
        }
    };
    (hits.into_iter().map(line).collect(), answers)
}

/// What stands for every data set.
const ALL: &str = "all";

/// Returns a line a ranker and language over all catalogs, from the lines over each.
#[must_use]
pub fn totals(lines: &[Line]) -> Vec<Line> {
    let mut sums: BTreeMap<(&str, &str), Vec<&Line>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.kind == Kind::Removed || line.asked == ALL) {
        sums.entry((&line.ranker, &line.lang)).or_default().push(line);
    }
    let total = |((ranker, lang), lines): ((&str, &str), Vec<&Line>)| {
        let queries: usize = lines.iter().map(|line| line.queries).sum();
        let over = queries.max(1) as f64;
        let sum = |of: fn(&Line) -> f64| -> f64 {
            lines.iter().map(|line| of(line) * line.queries as f64).sum()
        };
        let answered = sum(|line| line.answered).round() as usize;
        let each: Vec<f64> = (0..queries).map(|at| f64::from(u8::from(at < answered))).collect();
        Line {
            kind: lines.first().map_or(Kind::Foreign, |line| line.kind),
            dataset: ALL.to_owned(),
            asked: ALL.to_owned(),
            lang: lang.to_owned(),
            ranker: ranker.to_owned(),
            queries,
            answered: answered as f64 / over,
            ci95: interval(&each),
            hits: sum(|line| line.hits) / over,
        }
    };
    sums.into_iter().map(total).collect()
}

/// Returns what the ordinary requests of `run` found.
#[must_use]
pub fn price(run: &Run<'_>) -> Price {
    let recalls = run.recalls_5();
    let over = recalls.len().max(1) as f64;
    let empty = run.outcomes.iter().filter(|outcome| outcome.hits.is_empty()).count();
    Price {
        dataset: run.dataset.name.clone(),
        ranker: run.ranker.clone(),
        queries: recalls.len(),
        recall_5: recalls.iter().sum::<f64>() / over,
        empty: empty as f64 / over,
    }
}

#[cfg(test)]
mod tests {
    use oncue_search::Settings;

    use super::{Kind, Line, measure, price, totals};
    use crate::retrieval::{Bench, Dataset, ranker};
    use crate::trials::no_fit::removed;

    const TOOLS: &str = r#"{"id": "1", "name": "send_mail", "description": "Sends"}
{"id": "2", "name": "mail_box", "description": "Lists"}
{"id": "3", "name": "read_file", "description": "Reads"}"#;

    const QUERIES: &str = r#"{"id": "a", "query": "mail", "relevant": ["1"], "lang": "en"}
{"id": "b", "query": "file", "relevant": ["3"], "lang": "en"}
{"id": "c", "query": "zzz", "relevant": ["3"], "lang": "ko"}"#;

    #[test]
    fn a_request_whose_tools_are_gone_is_answered_by_what_shares_a_word() {
        let dataset = Dataset::parse("d", "dev", TOOLS, QUERIES).expect("well formed");
        let bench = Bench::new(&dataset, Settings::default());
        let ranker = ranker("keyword").expect("known");
        let mut done = 0;
        let (lines, answers) =
            measure(&bench, Kind::Removed, &removed(&dataset), &*ranker, &mut || done += 1);
        assert_eq!(done, 3);
        // `mail` still finds mail_box; without read_file nothing has `file`.
        let seen: Vec<_> = lines
            .iter()
            .map(|line| (&*line.lang, line.queries, line.answered, line.hits))
            .collect();
        assert_eq!(answers.len(), 1);
        assert_eq!((answers[0].id, &*answers[0].hits), ("a", &["2"][..]));
        assert_eq!(seen, [("en", 2, 0.5, 0.5), ("ko", 1, 0.0, 0.0)]);
        let price = price(&bench.run(&*ranker, &mut |_| {}));
        assert_eq!((price.queries, price.recall_5, price.empty), (3, 2.0 / 3.0, 1.0 / 3.0));
    }
    #[test]
    fn a_total_weighs_each_request_alike() {
        let line = |asked: &str, queries, answered, hits| Line {
            kind: Kind::Foreign,
            dataset: "d".into(),
            asked: asked.into(),
            lang: "en".into(),
            ranker: "r".into(),
            queries,
            answered,
            ci95: [0.0; 2],
            hits,
        };
        // 6 of 30 and 9 of 10 are answered: 15 of 40; hits 30 · 0.5 + 10 · 2.
        let lines = [line("all", 30, 0.2, 0.5), line("x", 30, 0.2, 0.5), line("all", 10, 0.9, 2.0)];
        let found = totals(&lines);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].queries, found[0].answered, found[0].hits), (40, 0.375, 0.875));
        assert!(found[0].ci95[0] < 0.375 && found[0].ci95[1] > 0.375);
    }
}
