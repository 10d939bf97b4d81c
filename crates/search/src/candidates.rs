//! What a ranker may see.

use std::ops::Range;

use crate::index::{Segment, Slot, TermId, term_id};
use crate::text::squashed;
use crate::{Document, Hit, Settings};

/// Which tools of an index may be seen.
#[derive(Clone, Copy)]
pub enum Admit<'p> {
    /// Every tool.
    All,
    /// Every tool of these sources. Unknown ids admit nothing.
    Sources(&'p [&'p str]),
    /// The tools for which the function, given source id and tool, says yes.
    Documents(&'p dyn Fn(&str, &Document) -> bool),
}

/// The tools of one segment that may be seen.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) segment: &'a Segment,
    /// Ascending, apart from each other, none empty.
    pub(crate) docs: Vec<Range<u32>>,
}

/// The tools that a ranker may see: an index, already filtered by visibility and grants.
///
/// The one constructor is [`Index::candidates`](crate::Index::candidates), so no ranker meets a tool that was not admitted.
/// Candidates can be kept and used for any number of searches over their version of the index.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    settings: &'a Settings,
    parts: Vec<Part<'a>>,
    len: usize,
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(settings: &'a Settings, slots: &'a [Slot], admit: Admit<'_>) -> Self {
        let parts: Vec<Part<'a>> = slots
            .iter()
            .map(|slot| Part { segment: &slot.segment, docs: admitted(slot, admit) })
            .filter(|part| !part.docs.is_empty())
            .collect();
        Self::of(settings, parts)
    }

    fn of(settings: &'a Settings, parts: Vec<Part<'a>>) -> Self {
        let len = parts.iter().flat_map(|part| &part.docs).map(ExactSizeIterator::len).sum();
        Self { settings, parts, len }
    }

    /// Returns how many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Iterates over the tools, ordered by source id and place in the source, each as a hit of score 0.
    pub fn iter(&self) -> impl Iterator<Item = Hit<'a>> {
        let mut hits: Vec<Hit<'a>> = self
            .parts
            .iter()
            .flat_map(|part| part.docs.iter().cloned().flatten().map(|doc| part.hit(doc, 0.0)))
            .collect();
        hits.sort_unstable_by_key(|hit| (hit.source, hit.position));
        hits.into_iter()
    }

    /// Returns the tools whose name `text` spells, whatever its case and separators, with or without their source's id in front.
    ///
    /// The closest spelling comes first: the very name, then the name in another case, then any other spelling, then a name that needs its source's id.
    #[must_use]
    pub fn spelled(&self, text: &str) -> Vec<Hit<'a>> {
        let key = squashed(text);
        if key.is_empty() {
            return Vec::new();
        }
        let id = term_id(&key);
        let mut hits: Vec<Hit<'a>> = Vec::new();
        for part in &self.parts {
            let found = part.segment.spelled(id).filter(|&doc| part.admits(doc));
            let hits_found = found.map(|doc| Hit { exact: true, ..part.hit(doc, 1.0) });
            // Keys are short hashes, so the text decides.
            hits.extend(hits_found.filter(|hit| hit.is_spelled(&key)));
        }
        let closeness = |hit: &Hit<'a>| {
            let name = hit.document.row.name();
            if name == text {
                0
            } else if name.to_lowercase() == text.to_lowercase() {
                1
            } else if squashed(name) == key {
                2
            } else {
                3
            }
        };
        hits.sort_by(|left, right| {
            let order = closeness(left).cmp(&closeness(right));
            order.then_with(|| left.tie_break(right))
        });
        hits.dedup_by_key(|hit| (hit.source, hit.position));
        hits
    }

    /// Returns those of the tools that `keep` says yes to; it can take away, never add.
    #[must_use]
    pub fn narrowed(&self, keep: &dyn Fn(&Hit<'a>) -> bool) -> Self {
        let narrowed = |part: &Part<'a>| {
            let kept = |&doc: &u32| keep(&part.hit(doc, 0.0));
            let docs = part.docs.iter().cloned().flatten().filter(kept);
            Part { segment: part.segment, docs: joined(docs.map(|doc| doc..doc + 1)) }
        };
        let parts = self.parts.iter().map(narrowed).filter(|part| !part.docs.is_empty());
        Self::of(self.settings, parts.collect())
    }

    pub(crate) fn settings(&self) -> &'a Settings {
        self.settings
    }

    pub(crate) fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// Returns in how many of the tools `term` occurs.
    pub(crate) fn frequency(&self, term: TermId) -> usize {
        self.parts.iter().map(|part| part.frequency(term)).sum()
    }
}

impl<'a> Part<'a> {
    pub(crate) fn hit(&self, doc: u32, score: f32) -> Hit<'a> {
        let source = self.segment.source_of(doc);
        Hit {
            source: &source.id,
            position: doc - source.docs.start,
            document: &self.segment.documents[doc as usize],
            score,
            exact: false,
        }
    }

    fn admits(&self, doc: u32) -> bool {
        let at = self.docs.partition_point(|range| range.end <= doc);
        self.docs.get(at).is_some_and(|range| range.contains(&doc))
    }

    /// Says whether every tool of the segment may be seen.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(&*self.docs, [all] if all.len() == self.segment.documents.len())
    }

    fn frequency(&self, term: TermId) -> usize {
        let Some(postings) = self.segment.postings(term) else { return 0 };
        if self.is_whole() {
            return postings.docs.len();
        }
        self.docs.iter().map(|range| postings.count(range)).sum()
    }
}

fn admitted(slot: &Slot, admit: Admit<'_>) -> Vec<Range<u32>> {
    let Slot { segment, live } = slot;
    match admit {
        Admit::All => live.to_vec(),
        Admit::Sources(ids) => {
            let mut docs: Vec<Range<u32>> = ids.iter().filter_map(|id| slot.docs_of(id)).collect();
            docs.sort_unstable_by_key(|range| range.start);
            docs.dedup();
            joined(docs.into_iter())
        }
        Admit::Documents(says) => joined(live.iter().cloned().flatten().filter_map(|doc| {
            let source = segment.source_of(doc);
            says(&source.id, &segment.documents[doc as usize]).then_some(doc..doc + 1)
        })),
    }
}

/// Joins ascending ranges that touch.
fn joined(ranges: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut joined: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}
