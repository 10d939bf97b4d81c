//! What a ranker may see. Candidates live as long as the borrow of their index, an admission as long as its holder likes.

mod admit;
mod ranges;

use std::ops::Range;
use std::sync::Arc;

use crate::index::{Segment, Slot, SourceVectors, TermId, term_id};
use crate::text::squashed;
use crate::{Hit, Settings, Vectors};
use admit::admitted;
use ranges::{count_within, is_within, joined, punched};

pub use admit::{Admit, Share};

/// The tools of one segment that may be seen.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) segment: &'a Arc<Segment>,
    /// What the tools of each source of the segment mean.
    pub(crate) vectors: &'a SourceVectors,
    /// Ascending, apart from each other, none empty.
    pub(crate) docs: Vec<Range<u32>>,
}

/// The tools that a ranker may see: an index, already filtered by visibility and grants.
///
/// They come from [`Index::candidates`](crate::Index::candidates) alone, so no ranker meets a tool that was not admitted.
/// They can be used for any number of searches over their version of the index, and be kept beyond a borrow of it as an [`Admission`].
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    settings: &'a Arc<Settings>,
    parts: Vec<Part<'a>>,
    len: usize,
}

/// Candidates without a borrow: which tools of one version of an index may be seen.
///
/// It is made by [`Candidates::admission`], so that what was asked of each tool need not be asked again for the next search.
/// It keeps its version of the index alive; another version needs an admission of its own.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index};
///
/// let tool = |name: &'static str| Arc::new(Document::new(Row::inline(name, "")));
/// let index = Index::default().replaced("files", vec![tool("read"), tool("delete")]);
/// let harmless = |_: &str, tool: &Document| tool.row.name() != "delete";
/// let admission = index.candidates(Admit::Documents(&harmless)).admission();
/// assert_eq!(admission.candidates().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Admission {
    settings: Arc<Settings>,
    parts: Vec<Owned>,
}

/// A `Part` without a borrow.
#[derive(Clone, Debug)]
struct Owned {
    segment: Arc<Segment>,
    vectors: SourceVectors,
    docs: Vec<Range<u32>>,
}

impl Admission {
    /// Returns the candidates; no tool is looked at.
    #[must_use]
    pub fn candidates(&self) -> Candidates<'_> {
        let parts = self.parts.iter().map(|Owned { segment, vectors, docs }| Part {
            segment,
            vectors,
            docs: docs.clone(),
        });
        Candidates::of(&self.settings, parts.collect())
    }
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(settings: &'a Arc<Settings>, slots: &'a [Slot], admit: Admit<'_>) -> Self {
        let parts: Vec<Part<'a>> = slots
            .iter()
            .map(|slot| Part {
                segment: &slot.segment,
                vectors: &slot.vectors,
                docs: admitted(slot, admit),
            })
            .filter(|part| !part.docs.is_empty())
            .collect();
        Self::of(settings, parts)
    }

    fn of(settings: &'a Arc<Settings>, parts: Vec<Part<'a>>) -> Self {
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
            Part { docs: joined(docs.map(|doc| doc..doc + 1)), ..*part }
        };
        let parts = self.parts.iter().map(narrowed).filter(|part| !part.docs.is_empty());
        Self::of(self.settings, parts.collect())
    }

    /// Returns the candidates but for these tools, given by source id and place in the source; the others are not looked at.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use oncue_decl::Row;
    /// use oncue_search::{Admit, Document, Index};
    ///
    /// let tool = |name: &'static str| Arc::new(Document::new(Row::inline(name, "")));
    /// let index = Index::default().replaced("files", vec![tool("read"), tool("write"), tool("list")]);
    /// let candidates = index.candidates(Admit::All).without([("files", 1)]);
    /// let names: Vec<_> = candidates.iter().map(|hit| hit.document.row.name()).collect();
    /// assert_eq!(names, ["read", "list"]);
    /// ```
    #[must_use]
    pub fn without<'t>(&self, tools: impl IntoIterator<Item = (&'t str, u32)>) -> Self {
        let mut parts: Vec<(&Part<'a>, Vec<u32>)> =
            self.parts.iter().map(|part| (part, Vec::new())).collect();
        for (source, position) in tools {
            for (part, holes) in &mut parts {
                // Where the tools of the source are dead, they are no candidates anyway.
                let docs = part.segment.docs_of(source).unwrap_or_default();
                holes.extend(docs.start.checked_add(position).filter(|doc| docs.contains(doc)));
            }
        }
        let punched = |(part, mut holes): (&Part<'a>, Vec<u32>)| {
            holes.sort_unstable();
            Part { docs: punched(&part.docs, &holes), ..*part }
        };
        let parts = parts.into_iter().map(punched).filter(|part| !part.docs.is_empty());
        Self::of(self.settings, parts.collect())
    }

    /// Returns the candidates in a form that borrows nothing.
    #[must_use]
    pub fn admission(&self) -> Admission {
        let owned = |part: &Part<'_>| Owned {
            segment: Arc::clone(part.segment),
            vectors: Arc::clone(part.vectors),
            docs: part.docs.clone(),
        };
        let parts = self.parts.iter().map(owned).collect();
        Admission { settings: Arc::clone(self.settings), parts }
    }

    /// Returns the part that a tool is in, and its place in the segment.
    pub(crate) fn place_of(&self, hit: &Hit<'_>) -> Option<(usize, u32)> {
        self.parts.iter().enumerate().find_map(|(at, part)| {
            let docs = part.segment.docs_of(hit.source)?;
            let doc = docs.start.checked_add(hit.position).filter(|doc| docs.contains(doc))?;
            part.admits(doc).then_some((at, doc))
        })
    }

    /// Returns the candidates but for every tool of these sources; no tool is looked at.
    pub(crate) fn without_sources(&self, sources: &[&str]) -> Self {
        let rest = |part: &Part<'a>| {
            let docs = sources.iter().filter_map(|source| part.segment.docs_of(source));
            let mut holes: Vec<u32> = docs.flatten().collect();
            holes.sort_unstable();
            Part { docs: punched(&part.docs, &holes), ..*part }
        };
        let parts = self.parts.iter().map(rest).filter(|part| !part.docs.is_empty());
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
            own: score,
            exact: false,
        }
    }

    /// Returns the vectors of the source that owns the tool at `doc`, and the tool's place among them.
    pub(crate) fn vectors_of(&self, doc: u32) -> Option<(&'a Arc<Vectors>, usize)> {
        let at = self.segment.sources.partition_point(|source| source.docs.end <= doc);
        let source = self.segment.sources.get(at)?;
        Some((self.vectors.get(at)?.as_ref()?, (doc - source.docs.start) as usize))
    }

    fn admits(&self, doc: u32) -> bool {
        is_within(doc, &self.docs)
    }

    /// Says whether every tool of the segment may be seen.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(&*self.docs, [all] if all.len() == self.segment.documents.len())
    }

    fn frequency(&self, term: TermId) -> usize {
        let Some(postings) = self.segment.postings(term) else { return 0 };
        if self.is_whole() {
            postings.docs.len()
        } else if postings.docs.len() < self.docs.len() {
            postings.docs.iter().filter(|&&doc| self.admits(doc)).count()
        } else {
            count_within(postings.docs, &self.docs)
        }
    }
}
