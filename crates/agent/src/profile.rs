//! What a model needs so that tools are found: measured per model, chosen by whoever puts the agent together.

use oncue_tools::ToolSearch;
use oncue_tools::limits::SEARCHES_PER_TURN_MAX;
use serde::{Deserialize, Serialize};

/// What the loop does for a model that would not find its tools alone.
///
/// [`Profile::DEFAULT`] does nothing but count searches: a strong model searches when it should.
/// A weak model does not search for what it cannot see, and repeats what it has said; [`Profile::WEAK`] has the settings that were measured to help it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// How many tools a search with the user's own words loads before the first step, in tools; 0 for no such search.
    pub preload: usize,
    /// How much of the names of hidden tools the description of the search tool lists, in characters; 0 for none.
    pub names_chars: usize,
    /// Whether the step after a search may call only what was found, and the step after calls of names that no tool has only what may have been meant, where the endpoint can be held to that.
    pub narrows: bool,
    /// Whether searches are replayed as one line that names what was loaded, in place of the call and its result.
    pub collapses: bool,
    /// Whether a call of a hidden tool by its exact name is taken for a search for it and then made.
    pub recovers: bool,
    /// Whether a reply that names a listed tool without calling it, before any tool was called in a turn for which a search found something, is answered with the demand to call it; where the endpoint can be held to that, the step may call only the tools that were named.
    pub insists: bool,
    /// Whether a search that was made before in the turn is answered by names alone.
    pub is_short_on_repeats: bool,
    /// How many searches a turn may make, its forks included.
    pub searches: u32,
}

impl Profile {
    /// For models that search when they should.
    pub const DEFAULT: Self = Self {
        preload: 0,
        names_chars: 0,
        narrows: false,
        collapses: false,
        recovers: false,
        insists: false,
        is_short_on_repeats: false,
        searches: SEARCHES_PER_TURN_MAX,
    };

    /// For models that do not.
    pub const WEAK: Self = Self {
        preload: 5,
        names_chars: 0,
        narrows: true,
        collapses: true,
        recovers: true,
        insists: true,
        is_short_on_repeats: true,
        searches: SEARCHES_PER_TURN_MAX,
    };

    /// Returns the search tool that goes with the profile, for the catalog.
    #[must_use]
    pub fn search_tool(&self) -> ToolSearch {
        let search = ToolSearch::new().with_budget(self.searches);
        if self.is_short_on_repeats { search.with_short_repeats() } else { search }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}
