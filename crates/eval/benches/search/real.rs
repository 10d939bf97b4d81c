//! The pooled real catalog and the long requests of a data set, where `ONCUE_DATA` names the folder of the full data.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Load;
use crate::synthetic::Random;

#[derive(Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    input_schema: Option<Box<RawValue>>,
    #[serde(default)]
    server: Option<String>,
}

#[derive(Deserialize)]
struct Query {
    query: String,
}

pub(crate) fn loads() -> Vec<Load> {
    let Some(folder) = std::env::var_os("ONCUE_DATA").map(PathBuf::from) else {
        println!("\nONCUE_DATA is not set: real catalogs are left out");
        return Vec::new();
    };
    let sets = folder.join("retrieval");
    let pooled = sources(&sets.join("pooled"));
    let drawn = drawn_queries(&pooled, 2_000);
    let long = lines::<Query>(&sets.join("sealtools/queries.dev.jsonl"));
    let long = long.into_iter().map(|query| query.query).collect();
    vec![
        Load { name: "pooled, 4 to 8 words of a tool".into(), sources: pooled, queries: drawn },
        Load {
            name: "sealtools, its long requests".into(),
            sources: sources(&sets.join("sealtools")),
            queries: long,
        },
    ]
}

/// 4 to 8 neighbouring words of the description of a tool.
fn drawn_queries(sources: &[(Arc<str>, Vec<Arc<Document>>)], count: usize) -> Vec<String> {
    let tools: Vec<&Arc<Document>> = sources.iter().flat_map(|(_, tools)| tools).collect();
    let mut random = Random(3);
    let mut queries = Vec::with_capacity(count);
    while queries.len() < count {
        let description = tools[random.below(tools.len())].row.description();
        let words: Vec<&str> = description.split_whitespace().collect();
        let wanted = 4 + random.below(5);
        if words.len() >= wanted {
            let start = random.below(words.len() - wanted + 1);
            queries.push(words[start..start + wanted].join(" "));
        }
    }
    queries
}

fn sources(set: &Path) -> Vec<(Arc<str>, Vec<Arc<Document>>)> {
    let mut sources: BTreeMap<String, Vec<Arc<Document>>> = BTreeMap::new();
    for tool in lines::<Tool>(&set.join("tools.jsonl")) {
        let row = Row::discoverable(tool.name, tool.description.unwrap_or_default());
        let document = Document { row, schema: tool.input_schema };
        sources.entry(tool.server.unwrap_or_default()).or_default().push(Arc::new(document));
    }
    sources.into_iter().map(|(id, tools)| (id.into(), tools)).collect()
}

fn lines<T: for<'de> Deserialize<'de>>(file: &Path) -> Vec<T> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("the data sets are JSON lines"))
        .collect()
}
