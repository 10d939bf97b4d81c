//! A listing in the making: groups tools by server, keeps names unique, keeps the bounds.

use std::collections::HashMap;
use std::ops::Range;

use super::limits::RECORDS_MAX;
use super::tool::{self, Decoded};
use super::{Listed, Listing, Note, Oddity, Place, Reason, SetAside, Source};
use crate::limits::{TOOLS_MAX, TOOLS_PER_SOURCE_MAX};

/// A listing in the making; lives as long as one call of `read`.
pub(super) struct Gathering<'f> {
    file: &'f [u8],
    listing: Listing,
    /// Where each server is in `listing.sources`.
    sources: HashMap<String, usize>,
    /// The place of the first tool of each name, by server.
    names: HashMap<(usize, String), Place>,
    tools: usize,
}

impl<'f> Gathering<'f> {
    pub(super) fn new(file: &'f [u8]) -> Self {
        let listing = Listing::default();
        Self { file, listing, sources: HashMap::new(), names: HashMap::new(), tools: 0 }
    }

    pub(super) fn finish(self) -> Listing {
        self.listing
    }

    /// Says whether nothing was read that is a tool or could have been one.
    pub(super) fn has_only_noise(&self) -> bool {
        let is_noise = |reason: &Reason| {
            matches!(
                reason,
                Reason::NotJson { .. }
                    | Reason::NotUtf8 { .. }
                    | Reason::LineTooLong { .. }
                    | Reason::NotObject { .. }
            )
        };
        self.listing.is_empty()
            && !self.listing.set_aside.is_empty()
            && self.listing.set_aside.iter().all(|tool| is_noise(&tool.reason))
    }

    /// Returns the server `id`, made new if this is its first mention.
    pub(super) fn source(&mut self, id: &str) -> &mut Source {
        let at = self.source_at(id);
        // In bounds: `source_at` returns a place that it has looked up or filled, and no source is ever removed.
        &mut self.listing.sources[at]
    }

    fn source_at(&mut self, id: &str) -> usize {
        if let Some(&at) = self.sources.get(id) {
            return at;
        }
        let at = self.listing.sources.len();
        self.listing.sources.push(Source { id: id.to_owned(), ..Source::default() });
        self.sources.insert(id.to_owned(), at);
        at
    }

    /// Reads a tool that may name its server itself; `source` is its server otherwise.
    pub(super) fn tool_of_any(&mut self, span: Range<usize>, place: Place, source: &str) {
        self.tool(span, place, |named| named.unwrap_or_else(|| source.to_owned()), source);
    }

    /// Reads a tool of `source`, whatever the tool itself says.
    pub(super) fn tool_of(&mut self, span: Range<usize>, place: Place, source: &str) {
        self.tool(span, place, |_| source.to_owned(), source);
    }

    fn tool(
        &mut self,
        span: Range<usize>,
        place: Place,
        owner: impl FnOnce(Option<String>) -> String,
        fallback: &str,
    ) {
        let text = self.file.get(span.clone()).unwrap_or_default();
        if self.tools >= TOOLS_MAX {
            return self.set_aside(fallback, place, None, Reason::FileFull);
        }
        match tool::decode(text, span.start) {
            Ok(decoded) => self.keep(decoded, place, owner),
            Err(reason) => self.set_aside(fallback, place, tool::name_of(text), reason),
        }
    }

    fn keep(
        &mut self,
        decoded: Decoded,
        place: Place,
        owner: impl FnOnce(Option<String>) -> String,
    ) {
        let Decoded { id, server, definition, oddities } = decoded;
        let source = owner(server);
        let at = self.source_at(&source);
        let name = definition.name().to_owned();
        if self.source(&source).tools.len() >= TOOLS_PER_SOURCE_MAX {
            return self.set_aside(&source, place, Some(name), Reason::SourceFull);
        }
        let first = *self.names.entry((at, name.clone())).or_insert(place);
        if first != place {
            return self.set_aside(&source, place, Some(name), Reason::DuplicateName { first });
        }
        for oddity in oddities {
            self.note(&source, place, Some(name.clone()), oddity);
        }
        self.tools += 1;
        self.source(&source).tools.push(Listed { id, place, definition });
    }

    pub(super) fn set_aside(
        &mut self,
        source: &str,
        place: Place,
        name: Option<String>,
        reason: Reason,
    ) {
        if self.listing.set_aside.len() >= RECORDS_MAX {
            self.listing.unrecorded += 1;
            return;
        }
        self.listing.set_aside.push(SetAside { source: source.to_owned(), place, name, reason });
    }

    pub(super) fn note(
        &mut self,
        source: &str,
        place: Place,
        name: Option<String>,
        oddity: Oddity,
    ) {
        if self.listing.notes.len() >= RECORDS_MAX {
            self.listing.unrecorded += 1;
            return;
        }
        self.listing.notes.push(Note { source: source.to_owned(), place, name, oddity });
    }
}
