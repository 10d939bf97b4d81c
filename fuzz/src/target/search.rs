//! Searching: any text over a small fixed catalog.

use std::sync::{Arc, OnceLock};

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{
    Admit, Document, Index, Ranker, Settings, needs, required, search as search_in,
};

use super::text;
use crate::time::bounded;

/// How many hits are asked for; fewer than there are tools, so that the bound matters.
const HITS: usize = 5;

/// Names in several spellings and scripts, with descriptions.
const TOOLS: [(&str, &str); 12] = [
    ("read_file", "Reads a file from disk"),
    ("readTable", "Reads rows of a table"),
    ("write-file", "Writes a file to disk"),
    ("HTTPServer2Start", "Starts the web server"),
    ("calendar.respondToEvent", "Answers an invitation"),
    ("a/b", "A name with a slash"),
    ("with space", ""),
    ("search_laws", "日本の法令を検索します。"),
    ("find_file_ko", "파일을 찾습니다"),
    ("weather_zh", "查询天气"),
    ("café", "Bestellt einen Kaffee für dich"),
    ("x", "x x x x"),
];

/// Every answer is bounded, without repeats, ordered, the same twice, and fast; a spelled name comes first.
pub fn search(input: &[u8]) {
    let text = text(input);
    let candidates = catalog().candidates(Admit::All);
    let bm25f = Bm25f::default();
    let rankers: [&dyn Ranker; 2] = [&Keyword, &bm25f];
    for ranker in rankers {
        let ask = || search_in(&*text, &candidates, ranker, HITS);
        let hits = bounded(TOOLS.len(), ask);
        let places: Vec<(&str, u32)> = hits.iter().map(|hit| (hit.source, hit.position)).collect();
        assert!(hits.len() <= HITS);
        assert!(hits.iter().all(|hit| hit.score.is_finite()));
        assert!((1..places.len()).all(|at| !places[..at].contains(&places[at])));
        // In a list each need has its own spelled names.
        let is_list = needs(&text).len() > 1;
        assert!(is_list || hits.iter().skip_while(|hit| hit.exact).all(|hit| !hit.exact));
        let again: Vec<(&str, u32)> = ask().iter().map(|hit| (hit.source, hit.position)).collect();
        assert_eq!(places, again);
        for hit in &hits {
            let explanation = ranker.explain((&*text).into(), &candidates, hit);
            assert!(explanation.score.is_finite());
        }
        let (head, tail) = text.split_once(' ').unwrap_or((&text, ""));
        let filtered = bounded(TOOLS.len(), || required(head, tail, &candidates, ranker, HITS));
        assert!(filtered.len() <= HITS);
    }
}

fn catalog() -> &'static Index {
    static CATALOG: OnceLock<Index> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let (own, upstream) = TOOLS.split_at(TOOLS.len() / 2);
        let documents = |tools: &[(&'static str, &'static str)]| {
            let rows = tools.iter().map(|&(name, text)| Row::discoverable(name, text));
            rows.map(|row| Arc::new(Document::new(row))).collect()
        };
        Index::new(Settings::default())
            .replaced("", documents(own))
            .replaced("up-stream", documents(upstream))
    })
}
