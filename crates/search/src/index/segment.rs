//! One immutable piece of an index: the tools of some sources and their postings.
//!
//! A segment never changes after it is built. It is shared by every version of the index that holds it and dies with the last.

use std::ops::Range;
use std::sync::Arc;

use super::terms::TermId;
use crate::Document;

/// Terms that share one entry of the look-up table, on average.
const TERMS_A_BUCKET: usize = 4;

/// The tools of one source within a segment.
#[derive(Clone, Debug)]
pub(crate) struct SourceRange {
    /// The id of the source.
    pub(crate) id: Arc<str>,
    /// Its tools, as places in the segment.
    pub(crate) docs: Range<u32>,
}

/// Tools and postings.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// The tools, grouped by source, in the order of their source.
    pub(crate) documents: Vec<Arc<Document>>,
    /// The sources, ordered by place; together they cover every tool.
    pub(crate) sources: Vec<SourceRange>,
    /// Places of the sources, ordered by id.
    by_id: Vec<u32>,
    /// The distinct terms, ascending.
    pub(crate) terms: Vec<TermId>,
    /// Where the postings of each term begin; one entry more than terms.
    pub(crate) starts: Vec<u32>,
    /// The tools of all postings; ascending within a term.
    pub(crate) docs: Vec<u32>,
    /// What each posting is worth, as a share of 65,535.
    pub(crate) impacts: Vec<u16>,
    /// Spellings of names: key and tool, ascending.
    pub(crate) names: Vec<(TermId, u32)>,
    /// The largest impact of each term.
    ceilings: Vec<u16>,
    /// Where the terms of each equal share of the hash range begin; one entry more than shares.
    buckets: Vec<u32>,
    bucket_shift: u32,
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
}

impl Segment {
    /// Completes a segment whose documents, sources, terms, postings and names are filled in.
    pub(crate) fn finish(mut self) -> Self {
        self.names.sort_unstable();
        self.by_id = (0..self.sources.len() as u32).collect();
        let sources = &self.sources;
        self.by_id.sort_unstable_by_key(|&at| &*sources[at as usize].id);
        self.ceilings.reserve_exact(self.terms.len());
        for range in self.starts.windows(2) {
            let impacts = &self.impacts[range[0] as usize..range[1] as usize];
            self.ceilings.push(impacts.iter().copied().max().unwrap_or(0));
        }
        self.fill_buckets();
        self.shrink();
        self
    }

    fn fill_buckets(&mut self) {
        let bits = (self.terms.len() / TERMS_A_BUCKET).next_power_of_two().trailing_zeros().max(1);
        self.bucket_shift = 64 - bits;
        let mut at = 0;
        for bucket in 0..(1u64 << bits) {
            while self.terms.get(at).is_some_and(|term| term >> self.bucket_shift < bucket) {
                at += 1;
            }
            self.buckets.push(at as u32);
        }
        self.buckets.push(self.terms.len() as u32);
    }

    fn shrink(&mut self) {
        self.documents.shrink_to_fit();
        self.sources.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.docs.shrink_to_fit();
        self.impacts.shrink_to_fit();
        self.names.shrink_to_fit();
        self.buckets.shrink_to_fit();
    }

    /// Returns the postings of `term`; `None` where no tool has it.
    pub(crate) fn postings(&self, term: TermId) -> Option<Postings<'_>> {
        let bucket = (term >> self.bucket_shift) as usize;
        let from = *self.buckets.get(bucket)? as usize;
        let to = *self.buckets.get(bucket + 1)? as usize;
        let at = from + self.terms.get(from..to)?.iter().position(|&known| known == term)?;
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        Some(Postings {
            docs: &self.docs[range.clone()],
            impacts: &self.impacts[range],
            ceiling: self.ceilings[at],
        })
    }

    /// Returns the source that owns the tool at `doc`.
    pub(crate) fn source_of(&self, doc: u32) -> &SourceRange {
        let at = self.sources.partition_point(|source| source.docs.end <= doc);
        // A segment's sources cover all of its tools, and `doc` is one of them.
        &self.sources[at]
    }

    /// Returns the tools of the source `id`, alive or dead.
    pub(crate) fn sources_of(&self, id: &str) -> Option<Range<u32>> {
        let at = self.by_id.binary_search_by(|&at| (*self.sources[at as usize].id).cmp(id)).ok()?;
        Some(self.sources[self.by_id[at] as usize].docs.clone())
    }

    /// Returns the tools that are spelled by `key`.
    pub(crate) fn spelled(&self, key: TermId) -> impl Iterator<Item = u32> {
        let from = self.names.partition_point(|&(known, _)| known < key);
        self.names[from..].iter().take_while(move |&&(known, _)| known == key).map(|&(_, doc)| doc)
    }

    /// Returns the size of the segment in bytes, without the tools' own definitions.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.documents)
            + size_of_val(&*self.sources)
            + self.sources.iter().map(|source| source.id.len()).sum::<usize>()
            + size_of_val(&*self.terms)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.docs)
            + size_of_val(&*self.impacts)
            + size_of_val(&*self.names)
            + size_of_val(&*self.ceilings)
            + size_of_val(&*self.buckets)
    }
}
