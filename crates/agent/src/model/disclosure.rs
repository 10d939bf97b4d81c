//! How a tool that was found becomes visible to a model.

use serde::{Deserialize, Serialize};

/// How a tool that was found becomes visible to a model.
///
/// It is declared for each endpoint: many endpoints speak a vendor's protocol and ignore the part of it that shows tools late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disclosure {
    /// Every definition is in each request, marked as hidden, and the result of a search refers to some by name.
    ByReference,
    /// The definition stands in the conversation, behind the search that found it.
    ByValue,
    /// The vendor knows searches that the client answers, and the answer carries the definitions.
    ClientSearch,
    /// Every definition is in each request and a mask says which may be called: the cache stays good, the context is not spared.
    Mask,
    /// The definition joins the end of the list of tools, at the price of one cache miss.
    #[default]
    Append,
}

impl Disclosure {
    /// Says whether what was found stays visible for as long as the search that found it is in the conversation.
    #[must_use]
    pub const fn keeps_found(self) -> bool {
        match self {
            Self::ByReference | Self::ByValue | Self::ClientSearch => true,
            Self::Mask | Self::Append => false,
        }
    }
}
