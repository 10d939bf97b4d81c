//! All pages of a list. Each entry stays as it was written and is read by whoever wants it, so that a bad one costs itself alone.

use std::collections::HashSet;

use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};

use super::{Connection, members};
use crate::limits::{LIST_TIME_MAX, PAGES_MAX};
use crate::{CallError, Members, Raw};

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// Tools.
    Tools,
    /// Resources.
    Resources,
    /// Templates of resources.
    ResourceTemplates,
    /// Prompts.
    Prompts,
}

/// A list as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The entries in the server's order, each as it was written.
    pub entries: Vec<Raw>,
    /// Why there may be more.
    pub incomplete: Option<Incomplete>,
    /// How many milliseconds the server calls the list fresh for.
    pub ttl_ms: Option<u64>,
}

/// Why a list was not read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Incomplete {
    /// The server leads in a circle.
    #[error("page {page} leads back to an earlier one")]
    Circle {
        /// Which page, from 1.
        page: usize,
    },
    /// There are more pages than are read.
    #[error("there are more than {pages_max} pages")]
    Pages {
        /// How many are read.
        pages_max: usize,
    },
    /// There are more entries than are taken.
    #[error("there are more than {entries_max} entries")]
    Entries {
        /// How many are taken.
        entries_max: usize,
    },
    /// The pages took too long.
    #[error("page {page} did not come within {seconds} s")]
    Time {
        /// Which page, from 1.
        page: usize,
        /// How long all pages may take.
        seconds: u64,
    },
}

impl List {
    /// Returns the method that lists.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::ResourceTemplates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// Returns the member of the result that holds the entries.
    #[must_use]
    pub const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

impl Connection {
    /// Reads all pages of a list, at most `entries_max` entries.
    ///
    /// # Errors
    ///
    /// A page cannot be had. A list that is only too long is not an error but [`Incomplete`].
    pub async fn list(&self, list: List, entries_max: usize) -> Result<Listed, CallError> {
        let end = Instant::now() + LIST_TIME_MAX;
        let mut listed = Listed::default();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        for page in 1.. {
            if page > PAGES_MAX {
                listed.incomplete = Some(Incomplete::Pages { pages_max: PAGES_MAX });
                break;
            }
            let mut params = Members::new();
            if let Some(cursor) = &cursor {
                let unwritable =
                    |error: serde_json::Error| CallError::Unwritable(error.to_string());
                params.set("cursor", cursor).map_err(unwritable)?;
            }
            let Ok(result) = timeout_at(end, self.request(list.method(), params)).await else {
                let seconds = LIST_TIME_MAX.as_secs();
                if page == 1 {
                    return Err(CallError::TimedOut { seconds });
                }
                listed.incomplete = Some(Incomplete::Time { page, seconds });
                break;
            };
            let result = members(&result?)?;
            listed.take(&result, list, entries_max)?;
            if listed.incomplete.is_some() {
                break;
            }
            // The empty text is a cursor like any other; only its absence is the end.
            match result.read::<Option<String>>("nextCursor").flatten() {
                None => break,
                Some(next) if !cursors.insert(next.clone()) => {
                    listed.incomplete = Some(Incomplete::Circle { page });
                    break;
                }
                next => cursor = next,
            }
        }
        Ok(listed)
    }
}

impl Listed {
    fn take(&mut self, page: &Members, list: List, entries_max: usize) -> Result<(), CallError> {
        let member = list.member();
        let entries = page.get(member).map(RawValue::get).unwrap_or_default();
        let entries: Vec<Raw> = serde_json::from_str(entries)
            .map_err(|_| CallError::Unreadable(format!("`{member}` is not a list")))?;
        self.ttl_ms = page.read("ttlMs").or(self.ttl_ms);
        let room = entries_max.saturating_sub(self.entries.len());
        if entries.len() > room {
            self.incomplete = Some(Incomplete::Entries { entries_max });
        }
        self.entries.extend(entries.into_iter().take(room));
        Ok(())
    }
}
