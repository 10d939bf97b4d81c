//! A log of requests: what was asked, and which tools have served it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use oncue_search::Document;
use serde::Deserialize;

use crate::retrieval::{Dataset, LabelledQuery, LabelledTool};

/// A line of a log: `{"query": "my money back", "tools": ["shop/refund_payment"]}`.
#[derive(Deserialize)]
#[serde(expecting = "an object with query and tools")]
struct Line {
    query: String,
    #[serde(alias = "relevant")]
    tools: Vec<String>,
}

/// What a log says of the tools of a catalog.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The tools of the catalog, and the requests that some of them have served.
    pub dataset: Dataset,
    /// Names that mean no tool of the catalog, or several, with how often they were written; the requests that only such have served teach nothing.
    pub unknown: BTreeMap<String, usize>,
}

/// A line of a log that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a log, one JSON object a line, over `tools` with their sources.
///
/// A tool is named as `source/name`, or by its name where only one has it.
///
/// # Errors
///
/// A line is no such object, or says no query.
pub fn logged<'t>(
    name: &str,
    tools: impl IntoIterator<Item = (&'t str, &'t Arc<Document>)>,
    log: &str,
) -> Result<Logged, LogError> {
    let tools: Vec<LabelledTool> = tools
        .into_iter()
        .map(|(source, document)| LabelledTool {
            id: format!("{source}/{}", document.row.name()),
            source: source.to_owned(),
            document: Arc::clone(document),
        })
        .collect();
    let places = places(&tools);
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    let mut queries = Vec::new();
    for (text, line) in log.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty()) {
        let wrong = |reason: String| LogError { line, reason };
        let Line { query, tools } =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if query.trim().is_empty() {
            return Err(wrong("the query is empty".to_owned()));
        }
        let mut groups = Vec::new();
        for tool in tools {
            match places.get(tool.as_str()) {
                Some(Some(place)) => groups.push(vec![*place]),
                Some(None) | None => *unknown.entry(tool).or_default() += 1,
            }
        }
        if !groups.is_empty() {
            let (id, lang) = (line.to_string(), String::new());
            queries.push(LabelledQuery { id, text: query, groups, lang, kind: None, src: None });
        }
    }
    let dataset = Dataset {
        name: name.to_owned(),
        split: String::new(),
        tools,
        queries,
        unknown: Vec::new(),
    };
    Ok(Logged { dataset, unknown })
}

/// Returns the place of each tool by its names; none for a name that several have.
fn places(tools: &[LabelledTool]) -> HashMap<&str, Option<usize>> {
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (place, tool) in tools.iter().enumerate() {
        let names = places.entry(tool.document.row.name());
        names.and_modify(|known| *known = None).or_insert(Some(place));
    }
    // What is written whole means that tool, whatever another is called.
    places.extend(tools.iter().enumerate().map(|(place, tool)| (tool.id.as_str(), Some(place))));
    places
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row;
    use oncue_search::Document;

    use super::logged;

    #[test]
    fn tools_are_named_with_their_source_or_alone_where_that_says_enough() {
        let document = |name: &'static str| {
            Arc::new(Document { row: Row::discoverable(name, ""), schema: None })
        };
        let tools = [document("refund"), document("list"), document("list")];
        let tools = ["shop", "shop", "disk"].into_iter().zip(&tools);
        let log = r#"
{"query": "money back", "tools": ["refund"]}
{"query": "my files", "tools": ["disk/list", "list"], "at": "2026-12-01"}
{"query": "fly to Oslo", "relevant": ["book"]}"#;
        let found = logged("log", tools, log).unwrap();
        let asked: Vec<(&str, &[Vec<usize>])> =
            found.dataset.queries.iter().map(|it| (it.text.as_str(), &*it.groups)).collect();
        assert_eq!(asked, [("money back", &[vec![0]][..]), ("my files", &[vec![2]])]);
        let unknown: Vec<(&str, usize)> =
            found.unknown.iter().map(|(name, &count)| (name.as_str(), count)).collect();
        assert_eq!(unknown, [("book", 1), ("list", 1)]);
    }

    #[test]
    fn a_line_that_is_no_request_is_named() {
        for (log, line, reason) in [
            ("{\"query\": \"a\", \"tools\": []}\n\n{", 3, "EOF"),
            ("{\"tools\": []}", 1, "missing field `query`"),
            ("{\"query\": \" \", \"tools\": []}", 1, "the query is empty"),
            ("[]", 1, "an object with query and tools"),
        ] {
            let error = logged("log", [], log).unwrap_err();
            assert_eq!(error.line, line);
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
