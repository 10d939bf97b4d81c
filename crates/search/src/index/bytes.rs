//! An index as bytes, so that a start does not read every text again.
//!
//! The bytes hold the postings, not the tools: whoever reads them brings the tools, and each source is held against a fingerprint of the texts it was built from.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::build::merged;
use super::segment::{Draft, IMPACT_WHOLE, SourceRange};
use super::terms::TERM_BITS;
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
    names: Vec<(u32, u32)>,
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
        let draft = merged(&parts);
        let wire = Wire {
            settings: fingerprint_of_settings(&self.settings),
            sources: draft.sources.iter().map(|source| wire_source(&draft, source)).collect(),
            terms: draft.terms,
            starts: draft.starts,
            docs: draft.docs,
            impacts: draft.impacts,
            names: draft.names,
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
        let mut draft = Draft::default();
        for source in wire.sources {
            let documents = documents_of(&source.id).unwrap_or_default();
            let start = draft.documents.len() as u32;
            if documents.len() != source.tools as usize
                || fingerprint_of_tools(&documents) != source.fingerprint
            {
                return Err(BytesError::Stale { source_id: source.id });
            }
            draft.documents.extend(documents);
            let docs = start..start + source.tools;
            draft.sources.push(SourceRange { id: source.id.into(), docs });
        }
        draft.terms = wire.terms;
        draft.starts = wire.starts;
        draft.docs = wire.docs;
        draft.impacts = wire.impacts;
        draft.names = wire.names;
        check(&draft)?;
        let slots =
            if draft.documents.is_empty() { Vec::new() } else { vec![Slot::whole(draft.finish())] };
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
fn check(draft: &Draft) -> Result<(), BytesError> {
    let rule = |holds: bool, what| if holds { Ok(()) } else { Err(BytesError::Damaged(what)) };
    let tools = draft.documents.len() as u32;
    rule(draft.terms.is_sorted_by(|left, right| left < right), "terms out of order")?;
    rule(draft.starts.len() == draft.terms.len() + 1, "postings without terms")?;
    rule(draft.starts.first() == Some(&0), "postings before the first term")?;
    rule(draft.starts.is_sorted(), "postings out of order")?;
    rule(draft.starts.last() == Some(&(draft.docs.len() as u32)), "postings left over")?;
    rule(draft.docs.len() == draft.impacts.len(), "postings without impacts")?;
    let lists = draft.starts.windows(2).map(|at| draft.docs.get(at[0] as usize..at[1] as usize));
    for list in lists {
        let list = list.unwrap_or_default();
        rule(list.is_sorted_by(|left, right| left < right), "tools of a term out of order")?;
        rule(list.last().is_none_or(|&last| last < tools), "unknown tool")?;
    }
    rule(draft.terms.last().is_none_or(|&last| last >> TERM_BITS == 0), "unknown term")?;
    rule(draft.impacts.iter().all(|&impact| impact <= IMPACT_WHOLE), "impact too large")?;
    rule(draft.names.is_sorted(), "names out of order")?;
    rule(draft.names.iter().all(|&(_, doc)| doc < tools), "name of an unknown tool")
}

fn wire_source(draft: &Draft, source: &SourceRange) -> WireSource {
    let docs = source.docs.start as usize..source.docs.end as usize;
    WireSource {
        id: source.id.to_string(),
        tools: source.docs.end - source.docs.start,
        fingerprint: fingerprint_of_tools(draft.documents.get(docs).unwrap_or_default()),
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
