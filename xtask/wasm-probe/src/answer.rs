//! The catalog, the queries, and what is found, as text that shows the last bit of every score.

use std::fmt::Write as _;
use std::sync::Arc;

use oncue_decl::{Row, check};
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{Admit, Document, Index, Query, Ranker, Settings, required, search};
use serde_json::value::RawValue;

static ROWS: &[Row] = &[
    Row::declare("ToolSearch", "Finds tools by what they do").part_of_loop().inline(),
    Row::declare("startExport", "Writes a table to a file")
        .keywords(&["csv", "download"])
        .discoverable(),
    Row::declare("describeIndex", "Tells how large an index is and how often it is read")
        .keywords(&["statistics"])
        .discoverable(),
    Row::declare("search_laws", "日本の法令を検索します。")
        .keywords(&["법령", "law"])
        .discoverable(),
    Row::declare("send_mail", "Sends a message to one or more people")
        .keywords(&["e-mail"])
        .discoverable(),
];

const SCHEMA: &str = r##"{"type":"object","properties":{"format":{"$ref":"#/$defs/format"},"table_name":{"type":"string","description":"Which table"}},"$defs":{"format":{"enum":["csv","json"]}}}"##;

const QUERIES: [&str; 6] = [
    "write a table to csv", "start-export", "法令", "how large is the index", "send mail",
    "+send message",
];

/// Returns what the queries find, one line for each hit.
#[must_use]
pub fn answer() -> String {
    let documents = ROWS
        .iter()
        .map(|row| Document {
            row: row.clone(),
            schema: RawValue::from_string(SCHEMA.to_owned()).ok(),
        })
        .map(Arc::new)
        .collect();
    let index = Index::new(Settings::default()).replaced("", documents);
    let candidates = index.candidates(Admit::All);
    let bm25f = Bm25f::default();
    let rankers: [&dyn Ranker; 2] = [&Keyword, &bm25f];
    let mut text = format!("{} faults, {} tools\n", check(ROWS, "ToolSearch").len(), index.len());
    for query in QUERIES {
        let _ = writeln!(text, "{:?}", Query::parse(query));
        for ranker in rankers {
            let hits = match Query::parse(query) {
                Query::Required { required: word, ranking } => {
                    required(&word, &ranking, &candidates, ranker, ROWS.len())
                }
                _ => search(query, &candidates, ranker, ROWS.len()),
            };
            for hit in hits {
                let name = hit.document.row.name();
                let _ = writeln!(text, "  {} {name} {:08x}", ranker.name(), hit.score.to_bits());
            }
        }
    }
    text
}
