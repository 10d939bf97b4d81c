//! One immutable piece of an index: the tools of some sources and their postings.
//!
//! A segment never changes after it is built. It is shared by every version of the index that holds it and dies with the last.
//! Its arrays are cut to fit each other when it is built, or checked when it is read from bytes, and indexing relies on that.

use std::ops::Range;
use std::sync::Arc;

use super::terms::{TERM_BITS, TermId};
use crate::Document;

/// The impact of a term that is all there is.
pub(crate) const IMPACT_WHOLE: u16 = 4_095;

/// The impact that is remembered besides the largest: so many tools have at least it.
pub(crate) const KEPT_IMPACT: usize = 10;

/// Lists whose impacts are looked through rather than remembered, in postings.
const SHORT_LIST: usize = 64;

/// Terms that share one bucket, on average.
const TERMS_A_BUCKET: usize = 4;

/// The fewest bits of a term that choose its bucket: those that [`Segment::terms`] leaves out.
const BUCKET_BITS_MIN: u32 = TERM_BITS - 32;

/// The tools of one source within a segment.
#[derive(Clone, Debug)]
pub(crate) struct SourceRange {
    /// The id of the source.
    pub(crate) id: Arc<str>,
    /// Its tools, as places in the segment.
    pub(crate) docs: Range<u32>,
}

/// A segment in the making.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The tools, grouped by source, in the order of their source.
    pub(crate) documents: Vec<Arc<Document>>,
    /// The sources, ordered by place; together they cover every tool.
    pub(crate) sources: Vec<SourceRange>,
    /// Spellings of names, key and tool.
    pub(crate) names: Vec<(u32, u32)>,
    /// The distinct terms, ascending.
    pub(crate) terms: Vec<TermId>,
    /// Where the postings of each term begin; one entry more than terms once the draft is complete.
    pub(crate) starts: Vec<u32>,
    /// The tools of all postings; ascending within a term.
    pub(crate) docs: Vec<u32>,
    /// What each posting is worth, as a share of [`IMPACT_WHOLE`].
    pub(crate) impacts: Vec<u16>,
}

/// Tools and postings.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) documents: Vec<Arc<Document>>,
    pub(crate) sources: Vec<SourceRange>,
    /// Places of the sources, ordered by id.
    by_id: Vec<u32>,
    /// Ascending.
    pub(crate) names: Vec<(u32, u32)>,
    /// The low 32 bits of the terms, in the order of the whole terms; the bucket knows the rest.
    terms: Vec<u32>,
    /// Where the terms of each bucket begin; one entry more than buckets.
    buckets: Vec<u32>,
    /// The bits of a term below those that choose its bucket.
    bucket_shift: u32,
    starts: Vec<u32>,
    docs: Vec<u32>,
    impacts: Vec<u16>,
    /// Of each term with more postings than [`SHORT_LIST`], ascending: its place, its largest impact and its [`KEPT_IMPACT`]th largest.
    long: Vec<(u32, u16, u16)>,
}

/// The postings of one term in one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Postings<'s> {
    /// The tools, ascending.
    pub(crate) docs: &'s [u32],
    /// What each is worth.
    pub(crate) impacts: &'s [u16],
    /// The largest impact.
    pub(crate) ceiling: u16,
    /// The [`KEPT_IMPACT`]th largest impact; 0 where there are fewer.
    pub(crate) kept: u16,
}

impl Draft {
    /// Adds a term with its postings, unless there are none; terms come in ascending order.
    pub(crate) fn push_term(&mut self, term: TermId, postings: impl Iterator<Item = (u32, u16)>) {
        let before = self.docs.len();
        for (doc, impact) in postings {
            self.docs.push(doc);
            self.impacts.push(impact);
        }
        if self.docs.len() > before {
            self.terms.push(term);
            self.starts.push(before as u32);
        }
    }

    /// Says that the last term was added.
    pub(crate) fn complete(mut self) -> Self {
        self.starts.push(self.docs.len() as u32);
        self.names.sort_unstable();
        self
    }

    /// Returns the segment of a complete draft.
    pub(crate) fn finish(self) -> Segment {
        let Self {
            mut documents,
            mut sources,
            mut names,
            terms,
            mut starts,
            mut docs,
            mut impacts,
        } = self;
        documents.shrink_to_fit();
        sources.shrink_to_fit();
        names.shrink_to_fit();
        starts.shrink_to_fit();
        docs.shrink_to_fit();
        impacts.shrink_to_fit();
        let mut by_id: Vec<u32> = (0..sources.len() as u32).collect();
        by_id.sort_unstable_by_key(|&at| &*sources[at as usize].id);
        let long = (0u32..)
            .zip(starts.windows(2))
            .map(|(at, range)| (at, &impacts[range[0] as usize..range[1] as usize]))
            .filter(|(_, impacts)| impacts.len() > SHORT_LIST)
            .map(|(at, impacts)| {
                let (ceiling, kept) = summits(impacts);
                (at, ceiling, kept)
            })
            .collect();
        let (buckets, bucket_shift) = buckets(&terms);
        let terms = terms.iter().map(|&term| term as u32).collect();
        Segment {
            documents,
            sources,
            by_id,
            names,
            terms,
            buckets,
            bucket_shift,
            starts,
            docs,
            impacts,
            long,
        }
    }
}

/// Returns the largest and the [`KEPT_IMPACT`]th largest impact.
fn summits(impacts: &[u16]) -> (u16, u16) {
    let ceiling = impacts.iter().copied().max().unwrap_or(0);
    if impacts.len() < KEPT_IMPACT {
        return (ceiling, 0);
    }
    let mut impacts = impacts.to_vec();
    let (_, kept, _) =
        impacts.select_nth_unstable_by(KEPT_IMPACT - 1, |left, right| right.cmp(left));
    (ceiling, *kept)
}

/// Returns where the terms of each equal share of the range of terms begin, and how far a term is shifted to find its share.
fn buckets(terms: &[TermId]) -> (Vec<u32>, u32) {
    let wanted = (terms.len() / TERMS_A_BUCKET).next_power_of_two().trailing_zeros();
    let bits = wanted.max(BUCKET_BITS_MIN);
    let shift = TERM_BITS - bits;
    let mut at = 0;
    let mut buckets = Vec::with_capacity((1 << bits) + 1);
    for bucket in 0..=(1u64 << bits) {
        while terms.get(at).is_some_and(|term| term >> shift < bucket) {
            at += 1;
        }
        buckets.push(at as u32);
    }
    (buckets, shift)
}

impl Segment {
    /// Returns the postings of `term`; `None` where no tool has it.
    pub(crate) fn postings(&self, term: TermId) -> Option<Postings<'_>> {
        let bucket = (term >> self.bucket_shift) as usize;
        let from = *self.buckets.get(bucket)? as usize;
        let to = *self.buckets.get(bucket + 1)? as usize;
        let low = term as u32;
        let at = from + self.terms.get(from..to)?.iter().position(|&known| known == low)?;
        Some(self.postings_at(at))
    }

    fn postings_at(&self, at: usize) -> Postings<'_> {
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        let impacts = &self.impacts[range.clone()];
        let (ceiling, kept) = if impacts.len() <= SHORT_LIST {
            summits(impacts)
        } else {
            let known = self.long.binary_search_by_key(&(at as u32), |&(place, ..)| place);
            known.map_or((u16::MAX, 0), |known| (self.long[known].1, self.long[known].2))
        };
        Postings { docs: &self.docs[range], impacts, ceiling, kept }
    }

    /// Returns the terms with their postings, ascending.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (TermId, Postings<'_>)> {
        (0u64..).zip(self.buckets.windows(2)).flat_map(move |(bucket, range)| {
            let high = (bucket << self.bucket_shift) & !u64::from(u32::MAX);
            (range[0] as usize..range[1] as usize)
                .map(move |at| (high | u64::from(self.terms[at]), self.postings_at(at)))
        })
    }

    /// Returns the source that owns the tool at `doc`.
    pub(crate) fn source_of(&self, doc: u32) -> &SourceRange {
        let at = self.sources.partition_point(|source| source.docs.end <= doc);
        // A segment's sources cover all of its tools, and `doc` is one of them.
        &self.sources[at]
    }

    /// Returns the place of the source `id` among the sources.
    pub(crate) fn place_of(&self, id: &str) -> Option<usize> {
        let at = self.by_id.binary_search_by(|&at| (*self.sources[at as usize].id).cmp(id)).ok()?;
        Some(self.by_id[at] as usize)
    }

    /// Returns the tools of the source `id`, alive or dead.
    pub(crate) fn docs_of(&self, id: &str) -> Option<Range<u32>> {
        Some(self.sources[self.place_of(id)?].docs.clone())
    }

    /// Returns the tools that may be spelled by `key`; whoever asks must look at the name.
    pub(crate) fn spelled(&self, key: TermId) -> impl Iterator<Item = u32> {
        let key = key as u32;
        let from = self.names.partition_point(|&(known, _)| known < key);
        self.names[from..].iter().take_while(move |&&(known, _)| known == key).map(|&(_, doc)| doc)
    }

    /// Returns the size of the segment in bytes, without the tools' own definitions.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.documents)
            + size_of_val(&*self.sources)
            + self.sources.iter().map(|source| source.id.len()).sum::<usize>()
            + size_of_val(&*self.by_id)
            + size_of_val(&*self.names)
            + size_of_val(&*self.terms)
            + size_of_val(&*self.buckets)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.docs)
            + size_of_val(&*self.impacts)
            + size_of_val(&*self.long)
    }
}
