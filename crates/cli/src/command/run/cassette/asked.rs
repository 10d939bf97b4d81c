//! What a model was asked, in a form of no vendor: short enough for a line, and different where the requests differ.

use fnv::FnvHasher;
use oncue_agent::conversation::Item;
use oncue_agent::{Choice, Request, ToolList};
use oncue_tools::Entry;
use serde::{Deserialize, Serialize};

/// A request. Texts are there by their hashes alone.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Asked {
    /// What the model is told once.
    system: String,
    /// The tools that it sees, each with a hash of its definition.
    tools: Vec<String>,
    /// What it may call, where it may not call everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    among: Option<Vec<String>>,
    /// What was said, each item with what it is.
    items: Vec<String>,
}

impl Asked {
    pub(super) fn of(request: &Request<'_>) -> Self {
        let tools = request.tools.inline.iter().chain(&request.tools.found);
        Self {
            system: hash(request.system.as_bytes()),
            tools: tools.map(|entry| tool(request.tools, entry)).collect(),
            among: match &request.choice {
                Choice::Free => None,
                Choice::Nothing => Some(Vec::new()),
                Choice::Among(names) => Some(names.to_vec()),
            },
            items: request.items.iter().map(item).collect(),
        }
    }

    /// Returns what differs first from what was recorded.
    pub(super) fn difference(&self, recorded: &Self) -> Option<String> {
        if self.system != recorded.system {
            return Some("what the model is told once is another text".to_owned());
        }
        if let Some(difference) = differing("item", &self.items, &recorded.items) {
            return Some(difference);
        }
        if let Some(difference) = differing("tool", &self.tools, &recorded.tools) {
            return Some(difference);
        }
        (self.among != recorded.among)
            .then(|| "the model may call other tools than before".to_owned())
    }
}

/// Returns the first place in which two lists differ.
fn differing(what: &str, now: &[String], then: &[String]) -> Option<String> {
    let name = |text: &String| text.rsplit_once(':').map_or(text.clone(), |(name, _)| name.into());
    let at = (0..now.len().max(then.len())).find(|&at| now.get(at) != then.get(at))?;
    let place = at + 1;
    Some(match (now.get(at), then.get(at)) {
        (Some(now), Some(then)) if name(now) == name(then) => {
            format!("{what} {place} ({}) is not what it was", name(now))
        }
        (Some(now), Some(then)) => {
            format!("{what} {place} is {}, and was {}", name(now), name(then))
        }
        (Some(now), None) => format!("{what} {place} ({}) is new", name(now)),
        (None, Some(then)) => format!("{what} {place} ({}) is missing", name(then)),
        (None, None) => return None,
    })
}

fn tool(list: &ToolList<'_>, entry: &std::sync::Arc<Entry>) -> String {
    let description = list.description(entry);
    let parameters = entry.definition().parameters().map_or("", |schema| schema.get());
    let hash = hash(format!("{description}\n{parameters}").as_bytes());
    format!("{}:{hash}", entry.exposed())
}

fn item(item: &Item) -> String {
    let what = match item {
        Item::User { .. } => "what the user said",
        Item::Reply(_) => "a reply",
        Item::Results { .. } => "results of calls",
        Item::Note { .. } => "a note of the loop",
        Item::Summary { .. } => "a summary",
    };
    // A conversation can be stored, so an item has JSON.
    format!("{what}:{}", hash(&serde_json::to_vec(item).unwrap_or_default()))
}

fn hash(bytes: &[u8]) -> String {
    use std::hash::Hasher;
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::{Asked, hash};

    fn asked(tools: &[&str], items: &[&str]) -> Asked {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Asked { system: "s".to_owned(), tools: texts(tools), among: None, items: texts(items) }
    }

    #[test]
    fn the_first_difference_is_told() {
        let then = asked(&["a:1", "b:2"], &["a reply:1", "results of calls:2"]);
        let check = |now: Asked, expected: Option<&str>| {
            assert_eq!(now.difference(&then).as_deref(), expected);
        };
        let items = &["a reply:1", "results of calls:2"];
        check(then.clone(), None);
        check(
            asked(&["a:1", "b:3"], &["a reply:1", "results of calls:3"]),
            Some("item 2 (results of calls) is not what it was"),
        );
        check(asked(&["a:1", "b:2"], &["a reply:1"]), Some("item 2 (results of calls) is missing"));
        check(asked(&["a:1", "c:2"], items), Some("tool 2 is c, and was b"));
        check(asked(&["a:1", "b:2", "c:3"], items), Some("tool 3 (c) is new"));
        let system = Asked { system: "t".to_owned(), ..then.clone() };
        check(system, Some("what the model is told once is another text"));
        let among = Asked { among: Some(vec![]), ..then.clone() };
        check(among, Some("the model may call other tools than before"));
    }

    #[test]
    fn hashes_are_those_of_the_published_function() {
        // The test vectors of FNV-1a in 64 bits.
        assert_eq!(hash(b""), "cbf29ce484222325");
        assert_eq!(hash(b"a"), "af63dc4c8601ec8c");
        assert_eq!(hash(b"foobar"), "85944171f73967e8");
    }
}
