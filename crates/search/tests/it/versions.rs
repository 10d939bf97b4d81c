//! Versions of an index: replacing sources, merging, bytes.

use std::sync::Arc;

use oncue_search::rank::Bm25f;
use oncue_search::{Admit, BytesError, Document, FieldWeight, Index, Ranker, Settings};
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

use crate::catalog::{Sources, answer, index, query, sources, tool};

/// A ranker that says where a small difference in the order of sums would show.
fn ranker() -> impl Ranker {
    Bm25f::default()
}

proptest! {
    // Also when segments merge (eight of like size) and when most of a segment is dead.
    #[test]
    fn the_way_to_a_version_does_not_show(
        changes in prop::collection::vec((0..12usize, prop::collection::vec(tool(), 0..4)), 1..40),
        query in query(),
    ) {
        let mut grown = Index::default();
        let mut latest = Sources::new();
        for (source, tools) in changes {
            let id = format!("server{source}");
            grown = grown.replaced(&id, tools.clone());
            latest.retain(|(known, _)| *known != id);
            if !tools.is_empty() {
                latest.push((id, tools));
            }
        }
        let fresh = index(&latest);
        prop_assert_eq!(grown.len(), fresh.len());
        prop_assert_eq!(answer(&grown, &ranker(), &query), answer(&fresh, &ranker(), &query));
        let listed: Vec<_> = grown.sources().iter().map(|&(id, tools)| (id, tools.len())).collect();
        let expected: Vec<_> = fresh.sources().iter().map(|&(id, tools)| (id, tools.len())).collect();
        prop_assert_eq!(listed, expected);
        for (id, tools) in &latest {
            prop_assert!(Arc::ptr_eq(&grown.documents(id)[0], &tools[0]));
        }
    }

    #[test]
    fn an_older_version_stays_as_it_was(sources in sources(), query in query()) {
        let old = index(&sources);
        let before = answer(&old, &ranker(), &query);
        let mut next = old.clone();
        for (id, _) in &sources {
            next = next.replaced(id, Vec::new());
        }
        prop_assert!(next.is_empty());
        prop_assert_eq!(answer(&old, &ranker(), &query), before);
    }

    #[test]
    fn bytes_bring_back_the_same_index(sources in sources(), query in query()) {
        let mut before = index(&sources);
        before = before.replaced("server0", sources[0].1.iter().rev().cloned().collect());
        let tools = |id: &str| Some(before.documents(id).to_vec());
        let after = Index::from_bytes(&before.to_bytes(), Settings::default(), tools).unwrap();
        prop_assert_eq!(answer(&after, &ranker(), &query), answer(&before, &ranker(), &query));
    }

    #[test]
    fn damaged_bytes_are_refused(sources in sources(), at in any::<prop::sample::Index>(), flip in 1..=255u8) {
        let before = index(&sources);
        let tools = |id: &str| Some(before.documents(id).to_vec());
        let whole = before.to_bytes();
        let at = at.index(whole.len());
        let mut changed = whole.clone();
        changed[at] ^= flip;
        prop_assert!(Index::from_bytes(&changed, Settings::default(), tools).is_err());
        prop_assert!(Index::from_bytes(&whole[..at], Settings::default(), tools).is_err());
    }
}

#[test]
fn bytes_of_other_tools_settings_or_formats_are_refused() {
    let tool =
        |does: &'static str| vec![Arc::new(Document::new(oncue_decl::Row::inline("read", does)))];
    let index = Index::default().replaced("files", tool("Reads"));
    let bytes = index.to_bytes();
    let read = |bytes: &[u8], settings, does| {
        Index::from_bytes(bytes, settings, |_| Some(tool(does))).err()
    };
    let stale = BytesError::Stale { source_id: "files".into() };
    assert_eq!(read(&bytes, Settings::default(), "Reads"), None);
    assert_eq!(read(&bytes, Settings::default(), "Writes"), Some(stale));
    let mut other = Settings::default();
    other.fields[0] = FieldWeight { weight: 9.0, ..other.fields[0] };
    assert_eq!(read(&bytes, other, "Reads"), Some(BytesError::Settings));
    let mut newer = bytes;
    newer[8] = 200;
    assert_eq!(
        read(&newer, Settings::default(), "Reads"),
        Some(BytesError::Version { found: 200 })
    );
    assert!(matches!(read(b"{}", Settings::default(), "Reads"), Some(BytesError::Damaged(_))));
}

#[test]
fn many_small_sources_do_not_make_many_segments() {
    let mut index = Index::default();
    for n in 0..500 {
        let row = oncue_decl::Row::inline(format!("tool_{n}"), "Does one thing");
        index = index.replaced(&format!("server{n}"), vec![Arc::new(Document::new(row))]);
    }
    assert_eq!(index.len(), 500);
    // 64 tools or fewer are one size, 65 to 511 the next: at most seven of each.
    assert!(index.segments() <= 14, "{}", index.segments());
    let hits = Bm25f::default().rank("tool 499".into(), &index.candidates(Admit::All), 1);
    assert_eq!(hits[0].document.row.name(), "tool_499");
}
