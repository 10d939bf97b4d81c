//! The searchable form of a catalog: immutable segments, replaced as sources change.
//!
//! A new source becomes a segment of its own; the tools that it replaces are dead where they were.
//! Small segments of like size are merged now and then, so that a search meets few of them however many sources there are.
//! A score never depends on how tools are spread over segments.

mod build;
mod bytes;
mod segment;
mod terms;

use std::ops::Range;
use std::sync::Arc;

use crate::{Admit, Candidates, Document, Settings, Vectors};
use build::{Builder, merged};

pub use bytes::BytesError;
pub(crate) use segment::{IMPACT_WHOLE, KEPT_IMPACT, Postings, Segment};
pub(crate) use terms::{TermCounts, TermId, term_id};

/// Segments of like size that are merged into one.
const MERGE_SEGMENTS: usize = 8;
/// Segments up to this many tools count as being of like size.
const SMALL_SEGMENT_TOOLS: u32 = 64;

/// A segment and the tools of it that are alive.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) segment: Arc<Segment>,
    /// Ascending, apart from each other, none empty.
    pub(crate) live: Arc<[Range<u32>]>,
    /// For each source of the segment what its tools mean, where a model has told.
    pub(crate) vectors: SourceVectors,
}

/// One entry for each source of a segment.
pub(crate) type SourceVectors = Arc<[Option<Arc<Vectors>>]>;

impl Slot {
    fn whole(segment: Segment) -> Self {
        let tools = segment.documents.len() as u32;
        let vectors = segment.sources.iter().map(|_| None).collect();
        Self { segment: Arc::new(segment), live: std::iter::once(0..tools).collect(), vectors }
    }

    /// The living tools of `slots` in one segment.
    fn merged(slots: &[Self]) -> Self {
        let parts: Vec<_> = slots.iter().map(|slot| (&*slot.segment, &*slot.live)).collect();
        let whole = Self::whole(merged(&parts).finish());
        let known = |source: &segment::SourceRange| {
            slots.iter().find_map(|slot| slot.docs_of(&source.id).and(slot.vectors_of(&source.id)))
        };
        let vectors = whole.segment.sources.iter().map(|source| known(source).cloned()).collect();
        Self { vectors, ..whole }
    }

    fn vectors_of(&self, source: &str) -> Option<&Arc<Vectors>> {
        self.vectors.get(self.segment.place_of(source)?)?.as_ref()
    }

    /// Returns the slot in which `vectors` tell what the tools of `source` mean, if it has them and they are as many.
    fn with_vectors(&self, source: &str, vectors: &Arc<Vectors>) -> Option<Self> {
        let docs = self.docs_of(source).filter(|docs| docs.len() == vectors.len())?;
        debug_assert!(!docs.is_empty());
        let at = self.segment.place_of(source)?;
        let mut all = self.vectors.to_vec();
        *all.get_mut(at)? = Some(Arc::clone(vectors));
        Some(Self { vectors: all.into(), ..self.clone() })
    }

    fn tools(&self) -> u32 {
        self.live.iter().map(|range| range.end - range.start).sum()
    }

    /// Returns the living tools of `source`.
    pub(crate) fn docs_of(&self, source: &str) -> Option<Range<u32>> {
        let owned = |docs: &Range<u32>| {
            self.live.iter().any(|live| live.start <= docs.start && docs.end <= live.end)
        };
        let found = self.segment.docs_of(source)?;
        owned(&found).then_some(found)
    }
}

/// One immutable version of everything searchable, grouped by source.
///
/// A source is an upstream, or the program itself.
/// [`replaced`](Self::replaced) makes the next version and leaves the work done for other sources untouched; readers of an older version see nothing move.
/// Cloning is cheap.
///
/// Replacing a source of n tools costs the analysis of those tools, and now and then a merge of small segments whose cost, spread over the replacements, grows with the logarithm of the catalog.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, rank::Bm25f, search};
///
/// let tool = |name: &'static str, does: &'static str| Arc::new(Document::new(Row::inline(name, does)));
/// let index = Index::default()
///     .replaced("mail", vec![tool("send", "Sends a message"), tool("list", "Lists messages")])
///     .replaced("files", vec![tool("read", "Reads a file")]);
///
/// let hits = search("send a message", &index.candidates(Admit::All), &Bm25f::default(), 5);
/// assert_eq!(hits[0].document.row.name(), "send");
/// assert_eq!(index.replaced("mail", vec![]).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Index {
    settings: Arc<Settings>,
    slots: Vec<Slot>,
}

impl Index {
    /// An empty index whose texts will be weighed by `settings`.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), slots: Vec::new() }
    }

    /// Returns an index of many sources at once, which is quicker than replacing one after another.
    ///
    /// Of two sources with one id the later counts.
    #[must_use]
    pub fn build<S>(settings: Settings, sources: S) -> Self
    where
        S: IntoIterator<Item = (Arc<str>, Vec<Arc<Document>>)>,
    {
        let mut latest = std::collections::BTreeMap::new();
        latest.extend(sources);
        let mut builder = Builder::new(&settings);
        for (source, documents) in latest.iter_mut().filter(|(_, documents)| !documents.is_empty())
        {
            builder.add(source, std::mem::take(documents));
        }
        let segment = builder.finish();
        let slots =
            if segment.documents.is_empty() { Vec::new() } else { vec![Slot::whole(segment)] };
        Self { settings: Arc::new(settings), slots }
    }

    /// Returns the next version, in which `source` holds `documents` and nothing else; with no documents the source is gone.
    #[must_use]
    pub fn replaced(&self, source: &str, documents: Vec<Arc<Document>>) -> Self {
        let mut slots: Vec<Slot> = Vec::with_capacity(self.slots.len() + 1);
        for slot in &self.slots {
            match slot.docs_of(source) {
                None => slots.push(slot.clone()),
                Some(dead) => {
                    let live = without(&slot.live, &dead);
                    if !live.is_empty() {
                        slots.push(Slot { live: live.into(), ..slot.clone() });
                    }
                }
            }
        }
        if !documents.is_empty() {
            let mut builder = Builder::new(&self.settings);
            builder.add(&Arc::from(source), documents);
            slots.push(Slot::whole(builder.finish()));
        }
        tidy(&mut slots);
        Self { settings: Arc::clone(&self.settings), slots }
    }

    /// Returns the next version, in which `vectors` tell what the tools of `source` mean, in their order.
    ///
    /// Where the source has another number of tools, they are of another version of it and nothing changes.
    /// They stay until the source is replaced.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use oncue_decl::Row as Tool;
    /// use oncue_search::{Admit, Asked, Document, Index, Meaning, Row, Vectors, rank::Hybrid, search};
    ///
    /// let tool = |name: &'static str, does: &'static str| Arc::new(Document::new(Tool::inline(name, does)));
    /// let index = Index::default().replaced("shop", vec![tool("refund", "Returns a payment"), tool("ship", "Sends goods")]);
    /// // What a model would say of the two tools, and of the request.
    /// let rows = [Row::of(&[1.0, 0.1]), Row::of(&[0.0, 1.0])];
    /// let index = index.with_vectors("shop", &Arc::new(Vectors::new("tiny", &rows)));
    /// let meaning = Meaning::new("tiny", &["money back"], &[vec![0.9, 0.1]]);
    ///
    /// let asked = Asked::from("money back").meaning(Some(&meaning));
    /// let hits = search(asked, &index.candidates(Admit::All), &Hybrid::default(), 1);
    /// assert_eq!(hits[0].document.row.name(), "refund");
    /// ```
    #[must_use]
    pub fn with_vectors(&self, source: &str, vectors: &Arc<Vectors>) -> Self {
        let told = |slot: &Slot| slot.with_vectors(source, vectors).unwrap_or_else(|| slot.clone());
        Self { settings: Arc::clone(&self.settings), slots: self.slots.iter().map(told).collect() }
    }

    /// Returns what the tools of `source` mean, where a model has told.
    #[must_use]
    pub fn vectors(&self, source: &str) -> Option<&Arc<Vectors>> {
        self.slots.iter().find_map(|slot| slot.docs_of(source).and(slot.vectors_of(source)))
    }

    /// Returns how many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.iter().map(|slot| slot.tools() as usize).sum()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns in how many segments the tools are; a search asks each once for every term.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.slots.len()
    }

    /// Returns the size of the index in bytes, without the tools' own definitions and without vectors.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.iter().map(|slot| slot.segment.bytes()).sum()
    }

    /// Returns how the fields weigh.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the sources with their tools, in the order of their ids.
    #[must_use]
    pub fn sources(&self) -> Vec<(&str, &[Arc<Document>])> {
        let mut sources: Vec<_> = self
            .slots
            .iter()
            .flat_map(|slot| {
                let alive = |source: &&segment::SourceRange| {
                    slot.live.iter().any(|live| live.contains(&source.docs.start))
                };
                slot.segment.sources.iter().filter(alive).map(|source| {
                    let docs = source.docs.start as usize..source.docs.end as usize;
                    (&*source.id, &slot.segment.documents[docs])
                })
            })
            .collect();
        sources.sort_unstable_by_key(|&(id, _)| id);
        sources
    }

    /// Returns the tools of `source`; none where it is unknown.
    #[must_use]
    pub fn documents(&self, source: &str) -> &[Arc<Document>] {
        self.slots
            .iter()
            .find_map(|slot| {
                let docs = slot.docs_of(source)?;
                slot.segment.documents.get(docs.start as usize..docs.end as usize)
            })
            .unwrap_or_default()
    }

    /// Returns the tools that a ranker may see.
    ///
    /// This is the one place where candidates come from. [`Admit::All`] and [`Admit::Sources`] cost no look at any tool; [`Admit::Documents`] asks for each.
    #[must_use]
    pub fn candidates(&self, admit: Admit<'_>) -> Candidates<'_> {
        Candidates::new(&self.settings, &self.slots, admit)
    }
}

/// Returns the living ranges without `dead`, which lies within one of them.
fn without(live: &[Range<u32>], dead: &Range<u32>) -> Vec<Range<u32>> {
    live.iter()
        .flat_map(|range| {
            if range.end <= dead.start || dead.end <= range.start {
                [range.clone(), 0..0]
            } else {
                [range.start..dead.start, dead.end..range.end]
            }
        })
        .filter(|range| !range.is_empty())
        .collect()
}

/// Merges segments of like size where there are many, and rewrites segments that are mostly dead.
fn tidy(slots: &mut Vec<Slot>) {
    let class = |tools: u32| tools.max(SMALL_SEGMENT_TOOLS).ilog2() / 3;
    for slot in slots.iter_mut() {
        if (slot.tools() as usize) * 2 < slot.segment.documents.len() {
            *slot = Slot::merged(std::slice::from_ref(slot));
        }
    }
    while let Some(size) = slots.iter().map(|slot| class(slot.tools())).find(|size| {
        slots.iter().filter(|slot| class(slot.tools()) == *size).count() >= MERGE_SEGMENTS
    }) {
        let (alike, other): (Vec<Slot>, Vec<Slot>) =
            slots.drain(..).partition(|slot| class(slot.tools()) == size);
        *slots = other;
        slots.push(Slot::merged(&alike));
    }
}
