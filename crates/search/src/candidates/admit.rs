//! Who may be a candidate, as whoever searches says it.

use std::ops::Range;

use super::ranges::{is_within, joined};
use crate::Document;
use crate::index::Slot;

/// Which tools of an index may be seen.
#[derive(Clone, Copy)]
pub enum Admit<'p> {
    /// Every tool.
    All,
    /// Every tool of these sources. Unknown ids admit nothing.
    Sources(&'p [&'p str]),
    /// The tools for which the function, given source id and tool, says yes.
    Documents(&'p dyn Fn(&str, &Document) -> bool),
    /// What `share` says of each source, given its id; where that is [`Share::Some`], the tools for which `says`, given source id and tool, says yes.
    Shares {
        /// How much of a source may be seen; asked once for each.
        share: &'p dyn Fn(&str) -> Share,
        /// Whether a tool may be seen.
        says: &'p dyn Fn(&str, &Document) -> bool,
    },
}

/// How much of a source may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None of its tools.
    Nothing,
    /// Some of its tools: each has to be looked at.
    Some,
    /// All of its tools.
    All,
}

/// Returns the tools of a segment that may be seen, as ascending ranges of which none is empty.
pub(super) fn admitted(slot: &Slot, admit: Admit<'_>) -> Vec<Range<u32>> {
    let Slot { segment, live, .. } = slot;
    match admit {
        Admit::All => live.to_vec(),
        Admit::Sources(ids) => {
            let mut docs: Vec<Range<u32>> = ids.iter().filter_map(|id| slot.docs_of(id)).collect();
            docs.sort_unstable_by_key(|range| range.start);
            docs.dedup();
            joined(docs.into_iter())
        }
        Admit::Documents(says) => admitted(slot, Admit::Shares { share: &|_| Share::Some, says }),
        Admit::Shares { share, says } => {
            let alive = segment.sources.iter().filter(|source| is_within(source.docs.start, live));
            joined(alive.flat_map(|source| match share(&source.id) {
                Share::Nothing => Vec::new(),
                Share::All => vec![source.docs.clone()],
                Share::Some => joined(source.docs.clone().filter_map(|doc| {
                    let document = &segment.documents[doc as usize];
                    says(&source.id, document).then_some(doc..doc + 1)
                })),
            }))
        }
    }
}
