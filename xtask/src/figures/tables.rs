//! Tables over the lines that `oncue eval retrieval --json` prints.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::RANKERS;
use super::published::{DENSE, FOUNDING, FOUNDING_READ_ANEW, LEXICAL, SETS};

/// What is read of one line.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    dataset: String,
    ranker: String,
    group: String,
    queries: usize,
    #[serde(rename = "recall@5")]
    recall_5: f64,
    #[serde(rename = "ci95_recall@5")]
    ci95_recall_5: [f64; 2],
    #[serde(rename = "complete@5")]
    complete_5: f64,
    mrr: f64,
}

pub(super) fn lines(json: &str) -> Result<Vec<Line>> {
    let line = |text: &str| serde_json::from_str(text).with_context(|| format!("no line: {text}"));
    json.lines().map(line).collect()
}

/// Ours beside the figures of others.
pub(super) fn rivals(lines: &[Line]) -> String {
    let mut table = heading("searcher");
    for (name, row) in LEXICAL {
        table.push_str(&published(name, &row));
    }
    for ranker in RANKERS {
        table.push_str(&ours(lines, ranker, &format!("**oncue `{ranker}`**")));
    }
    for (name, row) in DENSE {
        table.push_str(&published(name, &row));
    }
    table
}

/// The founding ranker by the two readings of its text.
pub(super) fn founding(lines: &[Line]) -> String {
    let other = FOUNDING_READ_ANEW.map(|tenths| percent(f64::from(tenths) / 1_000.0));
    let mut table = heading("reading");
    table.push_str(&published("published", &FOUNDING));
    table.push_str(&row("words of letters and digits, nested parameters", &other));
    table.push_str(&ours(
        lines,
        "keyword",
        "words between white space, top-level parameters (ours)",
    ));
    table
}

/// Short single needs and raw requests, apart from each other.
pub(super) fn questions(lines: &[Line]) -> String {
    const SHORT: [&str; 2] = ["kind:step", "kind:agentq"];
    const RAW: [&str; 2] = ["kind:task", "kind:new"];

    let mut text = String::new();
    for (title, groups) in [("Short single needs", SHORT), ("Raw requests", RAW)] {
        text.push_str(&format!(
            "### {title}\n\n| data set | kind | ranker | queries | R@5 | 95 % | C@5 | MRR |\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
        ));
        for line in lines.iter().filter(|line| groups.contains(&&*line.group)) {
            let kind = line.group.trim_start_matches("kind:");
            let [low, high] = line.ci95_recall_5.map(percent);
            let (recall, complete, mrr) =
                (percent(line.recall_5), percent(line.complete_5), percent(line.mrr));
            let Line { dataset, ranker, queries, .. } = line;
            text.push_str(&format!(
                "| {dataset} | {kind} | {ranker} | {queries} | {recall} | {low}–{high} | {complete} | {mrr} |\n"
            ));
        }
        text.push('\n');
    }
    text
}

fn heading(first: &str) -> String {
    let rules = " ---: |".repeat(SETS.len());
    format!("{}| --- |{rules}\n", row(first, &SETS.map(str::to_owned)))
}

fn published(name: &str, figures: &[Option<u8>; SETS.len()]) -> String {
    row(name, &figures.map(|figure| figure.map_or("–".to_owned(), |figure| figure.to_string())))
}

fn ours(lines: &[Line], ranker: &str, name: &str) -> String {
    let recall = |set: &str| {
        let is_it =
            |line: &&Line| line.dataset == set && line.ranker == ranker && line.group == "all";
        lines.iter().find(is_it).map_or("–".to_owned(), |line| percent(line.recall_5))
    };
    row(name, &SETS.map(recall))
}

fn row(name: &str, cells: &[String; SETS.len()]) -> String {
    format!("| {name} | {} |\n", cells.join(" | "))
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::{lines, questions, rivals};

    const LINES: &str = concat!(
        r#"{"dataset":"gtc","ranker":"bm25f","group":"all","queries":4,"recall@5":0.75,"ci95_recall@5":[0.5,1.0],"complete@5":0.5,"mrr":0.6}"#,
        "\n",
        r#"{"dataset":"livemcp","ranker":"bm25f","group":"kind:task","queries":2,"recall@5":0.5,"ci95_recall@5":[0.0,1.0],"complete@5":0.5,"mrr":0.25}"#,
    );

    #[test]
    fn our_row_stands_beside_the_published_ones() {
        let table = rivals(&lines(LINES).unwrap());
        assert!(table.contains("| **oncue `bm25f`** | – | – | – | 75.0 | – | – | – | – | – |\n"));
        assert!(
            table.contains("| bm25s defaults | 52 | 39 | 46 | 73 | 42 | 40 | 62 | 80 | 83 |\n")
        );
    }

    #[test]
    fn the_two_questions_stay_apart() {
        let text = questions(&lines(LINES).unwrap());
        let (short, raw) = text.split_once("### Raw requests").unwrap();
        let line = "| livemcp | task | bm25f | 2 | 50.0 | 0.0–100.0 | 50.0 | 25.0 |";
        assert!(raw.contains(line) && !short.contains(line), "{text}");
    }
}
