//! What a model is asked: borrowed from the turn, made anew for each step.

use std::borrow::Cow;
use std::sync::Arc;

use oncue_tools::{Entry, Identity, Registry};

use crate::conversation::Item;

/// One request to a model.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What the model is told once, before everything else; may be empty.
    pub system: &'a str,
    /// The conversation as this model should see it.
    pub items: &'a [Item],
    /// The tools.
    pub tools: &'a ToolList<'a>,
    /// What the model may call in this reply.
    pub choice: Choice<'a>,
    /// Longest reply, in tokens; `None` leaves it to the provider.
    pub output_tokens_max: Option<u32>,
    /// How freely the model chooses its words, from 0; `None` leaves it to the endpoint.
    pub temperature: Option<f32>,
    /// What requests of one session have in common, for caches that are told apart by a key.
    pub session: Option<&'a str>,
}

/// The tools of a request.
///
/// What the model sees of it is up to the [`Disclosure`](super::Disclosure) of its endpoint:
///
/// | disclosure | listed | hidden |
/// |---|---|---|
/// | append | inline, then found in the order in which they were found | – |
/// | by reference | inline, then all hidden ones, marked as such | referred to by search results |
/// | by value | inline | stand in search results |
/// | client search | inline, without the search tool, which is a kind of its own | stand in search results |
/// | mask | inline, then all hidden ones | masked until found |
#[derive(Clone, Debug, Default)]
pub struct ToolList<'a> {
    /// Tools that every step sees, in declared order, the search tool included.
    pub inline: Vec<Arc<Entry>>,
    /// Tools that are active now, in the order in which they were found.
    pub found: Vec<Arc<Entry>>,
    /// The search tool, one of `inline`.
    pub search: Option<Arc<Entry>>,
    /// What is added to the description of the search tool, such as names of hidden tools; the same text for the whole turn.
    pub search_hint: Option<Arc<str>>,
    /// The tools that may be found.
    pub hidden: Hidden<'a>,
}

/// The tools that the caller may find, active or not: a view that costs nothing until it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hidden<'a> {
    registry: Option<&'a Registry<'a>>,
}

/// What a model may call in one reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Anything or nothing.
    #[default]
    Free,
    /// Nothing.
    Nothing,
    /// It must call one of these, by exposed name; the list of tools stays as it is.
    Among(Cow<'a, [String]>),
}

impl ToolList<'_> {
    /// Returns what the model reads about a tool: its row's description and, for the search tool, the hint of the turn.
    #[must_use]
    pub fn description<'e>(&'e self, entry: &'e Arc<Entry>) -> Cow<'e, str> {
        let description = entry.row().description();
        let is_search = self.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, entry));
        match &self.search_hint {
            Some(hint) if is_search => Cow::Owned(format!("{description}\n{hint}")),
            _ => Cow::Borrowed(description),
        }
    }

    /// Says whether `name` is the search tool's.
    #[must_use]
    pub fn is_search(&self, name: &str) -> bool {
        self.search.as_ref().is_some_and(|search| search.exposed() == name)
    }
}

impl<'a> Hidden<'a> {
    /// The hidden tools of a registry.
    #[must_use]
    pub const fn of(registry: &'a Registry<'a>) -> Self {
        Self { registry: Some(registry) }
    }

    /// Iterates over them in the order of the catalog, whatever is active.
    pub fn iter(&self) -> impl Iterator<Item = &'a Arc<Entry>> {
        self.registry.into_iter().flat_map(Registry::discoverable)
    }

    /// Returns the tool, if it is among them.
    #[must_use]
    pub fn tool(&self, tool: &Identity) -> Option<&'a Arc<Entry>> {
        self.registry?.discoverable_tool(tool)
    }
}
