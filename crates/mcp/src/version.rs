//! The versions of the protocol and the two eras that they fall into.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A version of the protocol that is spoken here. Closed on purpose: each one changes what must be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Version {
    /// The first one; over HTTP it has two endpoints.
    #[serde(rename = "2024-11-05")]
    V2024_11_05,
    /// Streamable HTTP.
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    /// Structured results, elicitation.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// Tasks, URLs to visit; the last one with sessions.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// Every request says all that is needed to answer it.
    #[serde(rename = "2026-07-28")]
    V2026_07_28,
}

/// How a conversation is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// It begins with `initialize`, and both sides remember what was said there.
    Sessions,
    /// Each request carries version and capabilities; `server/discover` tells what a server can do.
    Stateless,
}

impl Version {
    /// All versions, the oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The newest version that begins with `initialize`.
    pub const LAST_WITH_SESSIONS: Self = Self::V2025_11_25;

    /// Returns the version that is called `text`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// Returns what it is called.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Returns the era that it belongs to.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => {
                Era::Sessions
            }
            Self::V2026_07_28 => Era::Stateless,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
