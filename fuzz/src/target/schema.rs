//! The walk through a tool's input schema, and indexing what it says.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::limits::SCHEMA_VALUES_MAX;
use oncue_search::schema::{Part, each_part};
use oncue_search::{Document, Index, Settings};
use serde_json::value::RawValue;

use super::text;
use crate::time::bounded;

/// Any text is walked within the time of one tool, within its bounds, the same way twice; what is JSON can be indexed.
pub fn schema(input: &[u8]) {
    let text = text(input);
    let walk = || {
        let mut parts: Vec<(Part, String)> = Vec::new();
        each_part(&text, &mut |part, text| parts.push((part, text.to_owned())));
        parts
    };
    let parts = bounded(1, walk);
    assert!(parts.iter().filter(|(part, _)| *part == Part::Value).count() <= SCHEMA_VALUES_MAX);
    assert_eq!(parts, walk());
    if let Ok(schema) = RawValue::from_string(text.into_owned()) {
        let row = Row::discoverable("tool", "A tool with this schema");
        let document = Arc::new(Document { row, schema: Some(schema) });
        let empty = Index::new(Settings::default());
        let index = bounded(1, || empty.replaced("", vec![Arc::clone(&document)]));
        assert_eq!(index.len(), 1);
    }
}
