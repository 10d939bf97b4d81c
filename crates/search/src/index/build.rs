//! From tools to a segment, and from several segments to one.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use fnv::FnvBuildHasher;

use super::segment::{Draft, IMPACT_WHOLE, Postings, Segment, SourceRange};
use super::terms::{TermCounts, TermId, term_id};
use crate::text::{Stems, squashed};
use crate::{Document, Settings};

/// Collects sources into one segment.
pub(crate) struct Builder<'b> {
    settings: &'b Settings,
    stems: Stems,
    counts: TermCounts,
    draft: Draft,
    postings: HashMap<TermId, Vec<(u32, u16)>, FnvBuildHasher>,
}

impl<'b> Builder<'b> {
    /// A builder of an empty segment.
    pub(crate) fn new(settings: &'b Settings) -> Self {
        Self {
            settings,
            stems: Stems::default(),
            counts: TermCounts::default(),
            draft: Draft::default(),
            postings: HashMap::default(),
        }
    }

    /// Adds a source with its tools, in the order in which they will be counted.
    pub(crate) fn add(&mut self, source: &Arc<str>, documents: Vec<Arc<Document>>) {
        let start = self.draft.documents.len() as u32;
        for document in documents {
            let doc = self.draft.documents.len() as u32;
            self.counts.recount(source, &document, &mut self.stems);
            for (&term, counts) in &self.counts.counts {
                let share = self.settings.impact(counts, &self.counts.lengths);
                let impact = (share * f32::from(IMPACT_WHOLE)).round() as u16;
                if impact > 0 {
                    self.postings.entry(term).or_default().push((doc, impact));
                }
            }
            for key in name_keys(source, &document) {
                self.draft.names.push((key as u32, doc));
            }
            self.draft.documents.push(document);
        }
        let end = self.draft.documents.len() as u32;
        self.draft.sources.push(SourceRange { id: Arc::clone(source), docs: start..end });
    }

    /// Returns the segment.
    pub(crate) fn finish(mut self) -> Segment {
        let mut terms: Vec<(TermId, Vec<(u32, u16)>)> = self.postings.into_iter().collect();
        terms.sort_unstable_by_key(|&(term, _)| term);
        for (term, postings) in terms {
            self.draft.push_term(term, postings.into_iter());
        }
        self.draft.complete().finish()
    }
}

/// The keys under which a tool's name is found: its name alone, and with the source in front.
fn name_keys(source: &str, document: &Document) -> impl Iterator<Item = TermId> {
    let name = squashed(document.row.name());
    let long = (!source.is_empty() && !name.is_empty()).then(|| squashed(source) + &name);
    [(!name.is_empty()).then_some(name), long].into_iter().flatten().map(|key| term_id(&key))
}

/// Returns the draft of one segment of the living tools of several, in the order given. No text is read again.
pub(crate) fn merged(parts: &[(&Segment, &[Range<u32>])]) -> Draft {
    let mut draft = Draft::default();
    // For each part, the new place of each of its living ranges.
    let mut moves: Vec<Vec<(Range<u32>, u32)>> = Vec::with_capacity(parts.len());
    for (part, live) in parts {
        let mut moved = Vec::with_capacity(live.len());
        for range in *live {
            moved.push((range.clone(), draft.documents.len() as u32));
            let docs = range.start as usize..range.end as usize;
            draft.documents.extend(part.documents[docs].iter().cloned());
        }
        for source in &part.sources {
            if let Some(start) = place(&moved, source.docs.start) {
                let docs = start..start + (source.docs.end - source.docs.start);
                draft.sources.push(SourceRange { id: Arc::clone(&source.id), docs });
            }
        }
        let names = part.names.iter().filter_map(|&(key, doc)| Some((key, place(&moved, doc)?)));
        draft.names.extend(names);
        moves.push(moved);
    }
    merge_postings(&mut draft, parts, &moves);
    draft.complete()
}

fn merge_postings(
    draft: &mut Draft,
    parts: &[(&Segment, &[Range<u32>])],
    moves: &[Vec<(Range<u32>, u32)>],
) {
    let mut entries: Vec<(TermId, usize, Postings<'_>)> = Vec::new();
    for (at, (part, _)) in parts.iter().enumerate() {
        entries.extend(part.terms().map(|(term, postings)| (term, at, postings)));
    }
    entries.sort_unstable_by_key(|&(term, at, _)| (term, at));
    for same in entries.chunk_by(|left, right| left.0 == right.0) {
        let postings = same.iter().flat_map(|&(_, at, postings)| {
            let docs = postings.docs.iter().map(move |&doc| place(&moves[at], doc));
            let moved = docs.zip(postings.impacts.iter().copied());
            moved.filter_map(|(doc, impact)| Some((doc?, impact)))
        });
        draft.push_term(same[0].0, postings);
    }
}

fn place(moved: &[(Range<u32>, u32)], doc: u32) -> Option<u32> {
    let at = moved.partition_point(|(range, _)| range.end <= doc);
    let (range, start) = moved.get(at)?;
    (range.start <= doc).then(|| start + (doc - range.start))
}
