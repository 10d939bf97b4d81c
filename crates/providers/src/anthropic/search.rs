//! Results of searches: how what was found becomes visible.

use std::collections::HashSet;

use oncue_agent::conversation::{CallResult, Loaded};
use oncue_agent::{Disclosure, Loss, Request};
use oncue_tools::Identity;

use super::tools::{are_deferred, of_entry, of_loaded};
use crate::Names;
use crate::blocks::Block;
use crate::compose::quoted;

/// Shows what searches found. Lives as long as one request is written.
pub(super) struct Searches<'r> {
    request: &'r Request<'r>,
    disclosure: Disclosure,
    names: &'r Names,
    /// The tools that the conversation has defined already; to define one again is an error.
    defined: HashSet<&'r Identity>,
    /// The tools that references have shown already; they are not shown again.
    shown: HashSet<&'r Identity>,
}

/// The result of a search, apart from its id.
pub(super) struct Shown {
    /// The JSON of its content.
    pub(super) content: String,
    /// What the vendor puts in its place.
    pub(super) expands_to: String,
    /// A text that stands behind the results, since nothing may stand beside references.
    pub(super) aside: Option<String>,
    /// Definitions that stand behind the message.
    pub(super) additions: Vec<Block>,
}

impl<'r> Searches<'r> {
    pub(super) fn new(request: &'r Request<'r>, disclosure: Disclosure, names: &'r Names) -> Self {
        let inline = request.tools.inline.iter();
        let defined: HashSet<&Identity> = inline.map(|tool| tool.identity()).collect();
        Self { request, disclosure, names, shown: defined.clone(), defined }
    }

    /// Returns how the result of a search is shown; `None` where its own text is.
    pub(super) fn show(&mut self, result: &'r CallResult, losses: &mut Vec<Loss>) -> Option<Shown> {
        if result.loaded.is_empty() || result.error.is_some() {
            return None;
        }
        match self.disclosure {
            Disclosure::ByReference => Some(self.refer(&result.loaded)),
            Disclosure::ByValue => Some(self.define(&result.loaded, losses)),
            Disclosure::ClientSearch | Disclosure::Mask | Disclosure::Append => None,
        }
    }

    /// Refers to the tools that are in the list, and names those that are not any more.
    ///
    /// A reference to a tool that is not in the list makes the vendor refuse the request, at any place in the conversation.
    fn refer(&mut self, loaded: &'r [Loaded]) -> Shown {
        let (mut references, mut expands_to, mut gone) = (Vec::new(), String::new(), Vec::new());
        for Loaded { tool, name, .. } in loaded {
            let inline = || self.request.tools.inline.iter().find(|entry| entry.identity() == tool);
            let hidden = are_deferred(self.request, self.disclosure)
                .then(|| self.request.tools.hidden.tool(tool))
                .flatten();
            let Some(entry) = hidden.or_else(inline) else {
                gone.push(self.names.wire(name));
                continue;
            };
            let wire = quoted(self.names.wire(entry.exposed()));
            references.push(format!(r#"{{"type":"tool_reference","tool_name":{wire}}}"#));
            if self.shown.insert(tool) {
                // What is left out of it was reported when it was listed.
                let unheard = &mut Vec::new();
                let description = entry.row().description();
                expands_to += &of_entry(entry, description, self.names, unheard).shown();
            }
        }
        let gone = (!gone.is_empty())
            .then(|| format!("No longer offered, though a search found it: {}", gone.join(", ")));
        if references.is_empty() {
            let content = quoted(&gone.unwrap_or_default());
            return Shown { content, expands_to, aside: None, additions: Vec::new() };
        }
        let content = format!("[{}]", references.join(","));
        Shown { content, expands_to, aside: gone, additions: Vec::new() }
    }

    /// Names the tools, and defines behind the message those that the conversation has not defined yet.
    fn define(&mut self, loaded: &'r [Loaded], losses: &mut Vec<Loss>) -> Shown {
        let names: Vec<&str> = loaded.iter().map(|tool| self.names.wire(&tool.name)).collect();
        let mut additions = Vec::new();
        for tool in loaded {
            if self.defined.insert(&tool.tool) {
                let definition = of_loaded(tool, self.names, losses).shown();
                additions.push(Block::new(format!(
                    r#"{{"type":"tool_addition","tool":{{"type":"tool_definition","definition":{definition}}}}}"#
                )));
            }
        }
        let content = quoted(&format!("Found, and callable from now on: {}", names.join(", ")));
        Shown { content, expands_to: String::new(), aside: None, additions }
    }
}
