//! Reading a catalog file of any form, and indexing the tools in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use oncue_search::{Index, Settings};
use oncue_tools::ingest;

use crate::time::bounded;

/// Any bytes are a listing or an error; what is listed stands in the file byte for byte, under names that differ.
pub fn ingest(input: &[u8]) {
    let Ok(listing) = bounded(things(input), || ingest::read(input, "origin")) else { return };
    let mut identities = BTreeSet::new();
    for (source, tool) in listing.tools() {
        assert!(identities.insert((source.to_owned(), tool.definition.name().to_owned())));
        for raw in tool.definition.raw().iter().map(|raw| raw.get()).chain(schema(tool)) {
            let is_verbatim = std::str::from_utf8(input).map_or(true, |text| text.contains(raw));
            assert!(is_verbatim, "not in the file: {raw}");
        }
    }
    for line in listing.set_aside.iter().map(ToString::to_string) {
        assert!(!line.contains('\n'), "a reason of several lines: {line}");
    }
    let mut index = Index::new(Settings::default());
    for source in &listing.sources {
        let documents: Vec<_> =
            source.tools.iter().map(|tool| Arc::clone(tool.definition.document())).collect();
        index = bounded(documents.len(), || index.replaced(&source.id, documents.clone()));
    }
    assert_eq!(index.len(), identities.len());
}

fn schema(tool: &ingest::Listed) -> Option<&str> {
    tool.definition.parameters().map(serde_json::value::RawValue::get)
}

/// How many tools a file could hold: each needs a brace, whether it is taken in or set aside.
fn things(input: &[u8]) -> usize {
    input.iter().filter(|&&byte| byte == b'{').count()
}
