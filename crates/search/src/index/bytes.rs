//! An index as bytes, so that a start does not read every text again.
//!
//! The bytes hold the postings, not the tools: whoever reads them brings the tools, and each source is held against a fingerprint of the texts it was built from.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::build::merged;
use super::segment::{Segment, SourceRange};
use super::{Index, Slot, TermId};
use crate::{Document, Settings};

/// Changes whenever text analysis or the form of the bytes changes.
const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"oncueidx";

/// Why bytes were not read as an index. The index can always be built anew from the tools.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BytesError {
    /// These are no bytes of an index, or some were lost or changed.
    #[error("not an index, or damaged: {0}; build it anew from the tools")]
    Damaged(&'static str),
    /// They were written by another version of the program.
    #[error("index of format {found}, where {VERSION} is read; build it anew from the tools")]
    Version {
        /// The format that was found.
        found: u32,
    },
    /// They were built with other weights.
    #[error("index built with other settings; build it anew from the tools")]
    Settings,
    /// The tools of a source are not those that were indexed.
    #[error("source `{source_id}` has changed since it was indexed; build the index anew")]
    Stale {
        /// The id of the source.
        source_id: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Wire {
    settings: u64,
    sources: Vec<WireSource>,
    terms: Vec<TermId>,
    starts: Vec<u32>,
    docs: Vec<u32>,
    impacts: Vec<u16>,
    names: Vec<(TermId, u32)>,
}

#[derive(Serialize, Deserialize)]
struct WireSource {
    id: String,
    tools: u32,
    fingerprint: u64,
}

impl Index {
    /// Returns the index as bytes, without the tools.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use oncue_decl::Row;
    /// use oncue_search::{Document, Index, Settings};
    ///
    /// let tools = vec![Arc::new(Document::new(Row::inline("read", "Reads a file")))];
    /// let index = Index::default().replaced("files", tools.clone());
    /// let again = Index::from_bytes(&index.to_bytes(), Settings::default(), |source| {
    ///     (source == "files").then(|| tools.clone())
    /// })?;
    /// assert_eq!(again.len(), 1);
    /// # Ok::<(), oncue_search::BytesError>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts: Vec<_> = self.slots.iter().map(|slot| (&*slot.segment, &*slot.live)).collect();
        let segment = merged(&parts);
        let wire = Wire {
            settings: fingerprint_of_settings(&self.settings),
            sources: segment.sources.iter().map(|source| wire_source(&segment, source)).collect(),
            terms: segment.terms,
            starts: segment.starts,
            docs: segment.docs,
            impacts: segment.impacts,
            names: segment.names,
        };
        // Writing plain data to memory has no way to fail; an empty body would be refused on reading.
        let body = postcard::to_allocvec(&wire).unwrap_or_default();
        let mut bytes = Vec::with_capacity(body.len() + 20);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&checksum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Returns the index that `bytes` hold; `documents_of` brings the tools of each source, in the order in which they were indexed.
    ///
    /// # Errors
    ///
    /// Whatever is not exactly an index of these tools with these settings is refused, never partly read.
    pub fn from_bytes(
        bytes: &[u8],
        settings: Settings,
        mut documents_of: impl FnMut(&str) -> Option<Vec<Arc<Document>>>,
    ) -> Result<Self, BytesError> {
        let wire = read(bytes)?;
        if wire.settings != fingerprint_of_settings(&settings) {
            return Err(BytesError::Settings);
        }
        let mut segment = Segment::default();
        for source in wire.sources {
            let documents = documents_of(&source.id).unwrap_or_default();
            let start = segment.documents.len() as u32;
            if documents.len() != source.tools as usize
                || fingerprint_of_tools(&documents) != source.fingerprint
            {
                return Err(BytesError::Stale { source_id: source.id });
            }
            segment.documents.extend(documents);
            let docs = start..start + source.tools;
            segment.sources.push(SourceRange { id: source.id.into(), docs });
        }
        segment.terms = wire.terms;
        segment.starts = wire.starts;
        segment.docs = wire.docs;
        segment.impacts = wire.impacts;
        segment.names = wire.names;
        check(&segment)?;
        let slots = if segment.documents.is_empty() {
            Vec::new()
        } else {
            vec![Slot::whole(segment.finish())]
        };
        Ok(Self { settings: Arc::new(settings), slots })
    }
}

fn read(bytes: &[u8]) -> Result<Wire, BytesError> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or(BytesError::Damaged("wrong first bytes"))?;
    let cut = BytesError::Damaged("cut short");
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(|| cut.clone())?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(BytesError::Version { found });
    }
    let (sum, body) = rest.split_first_chunk::<8>().ok_or(cut)?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(BytesError::Damaged("wrong checksum"));
    }
    postcard::from_bytes(body).map_err(|_| BytesError::Damaged("unreadable body"))
}

/// Everything that searching relies on; a checksum says only that the bytes are as they were written.
fn check(segment: &Segment) -> Result<(), BytesError> {
    let rule = |holds: bool, what| if holds { Ok(()) } else { Err(BytesError::Damaged(what)) };
    let tools = segment.documents.len() as u32;
    rule(segment.terms.is_sorted_by(|left, right| left < right), "terms out of order")?;
    rule(segment.starts.len() == segment.terms.len() + 1, "postings without terms")?;
    rule(segment.starts.first() == Some(&0), "postings before the first term")?;
    rule(segment.starts.is_sorted(), "postings out of order")?;
    rule(segment.starts.last() == Some(&(segment.docs.len() as u32)), "postings left over")?;
    rule(segment.docs.len() == segment.impacts.len(), "postings without impacts")?;
    let lists =
        segment.starts.windows(2).map(|at| segment.docs.get(at[0] as usize..at[1] as usize));
    for list in lists {
        let list = list.unwrap_or_default();
        rule(list.is_sorted_by(|left, right| left < right), "tools of a term out of order")?;
        rule(list.last().is_none_or(|&last| last < tools), "unknown tool")?;
    }
    rule(segment.names.iter().all(|&(_, doc)| doc < tools), "name of an unknown tool")
}

fn wire_source(segment: &Segment, source: &SourceRange) -> WireSource {
    let docs = source.docs.start as usize..source.docs.end as usize;
    WireSource {
        id: source.id.to_string(),
        tools: source.docs.end - source.docs.start,
        fingerprint: fingerprint_of_tools(segment.documents.get(docs).unwrap_or_default()),
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// A hash of every text that is indexed, with its length, so that no two texts run together.
fn fingerprint_of_tools(documents: &[Arc<Document>]) -> u64 {
    let mut hasher = FnvHasher::default();
    let mut add = |text: &str| {
        hasher.write(&(text.len() as u64).to_le_bytes());
        hasher.write(text.as_bytes());
    };
    for document in documents {
        let row = &document.row;
        [row.name(), row.title(), row.description()].into_iter().for_each(&mut add);
        add(&row.keywords().iter().count().to_string());
        row.keywords().iter().for_each(&mut add);
        add(document.schema.as_ref().map_or("", |schema| schema.get()));
    }
    hasher.finish()
}

fn fingerprint_of_settings(settings: &Settings) -> u64 {
    let mut hasher = FnvHasher::default();
    let mut add = |number: f32| hasher.write(&number.to_bits().to_le_bytes());
    for field in &settings.fields {
        [field.weight, field.length_discount, field.reference_terms].into_iter().for_each(&mut add);
    }
    add(settings.saturation);
    hasher.finish()
}
