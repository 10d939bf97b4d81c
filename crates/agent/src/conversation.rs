//! What was said so far, in words that belong to no vendor. Lives as long as its session and can be stored.

use oncue_tools::{CallId, Content, ErrorKind, Identity};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The items of a session in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// The items.
    pub items: Vec<Item>,
}

/// One item of a conversation. Closed on purpose: every encoder must say what becomes of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "snake_case")]
pub enum Item {
    /// What a person said.
    User {
        /// The pieces.
        content: Vec<Content>,
    },
    /// What a model said, calls included.
    Reply(Said),
    /// What came of the calls of the reply before it: one result a call, in call order.
    Results {
        /// The results.
        results: Vec<CallResult>,
    },
    /// What the loop tells the model in a user's place, such as that it must answer.
    Note {
        /// The text.
        text: String,
    },
    /// What stands for items that the host took out.
    Summary {
        /// The text.
        text: String,
    },
}

/// What a model said in one reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// Who said it.
    pub by: Author,
    /// The pieces in order.
    pub parts: Vec<Part>,
    /// The reply as its vendor sent it, replayed verbatim to the same wire.
    pub raw: Option<Raw>,
}

/// Who made a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The model.
    Model,
    /// The loop, which searched in the model's place; a wire that shows found tools as a list leaves the pair out.
    Loop,
}

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
    },
    /// Thoughts that the vendor shows.
    Reasoning {
        /// The text.
        text: String,
    },
    /// A call of a tool.
    Call(Call),
}

/// A call as the model made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The id that pairs it with its result; unique within the conversation once the loop has taken the reply.
    pub id: CallId,
    /// The name by which the catalog exposes the tool, or what the model wrote where there is none.
    pub name: String,
    /// The text of the arguments.
    pub arguments: String,
}

/// A reply in its vendor's own form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raw {
    /// Which wire it came over, such as the name of a provider's module.
    pub wire: String,
    /// What came, whatever this program understood of it.
    pub value: Value,
}

/// What came of one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// Which call.
    pub id: CallId,
    /// The name that was called.
    pub name: String,
    /// What the model reads.
    pub content: Vec<Content>,
    /// Why it failed, where it did.
    pub error: Option<ErrorKind>,
    /// The tools that a search made callable, as they were shown; empty for every other tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loaded: Vec<Loaded>,
}

/// A tool as a search showed it: a wire that shows tools by value sends this, byte for byte, for as long as the search is in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// Which tool.
    pub tool: Identity,
    /// The name by which it is called.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// The JSON Schema of its arguments, as text; `None` where it takes none.
    pub parameters: Option<String>,
}

impl Conversation {
    /// Returns every tool that searches still in the conversation have loaded, in order, each once.
    #[must_use]
    pub fn loaded(&self) -> Vec<Identity> {
        let mut loaded: Vec<Identity> = Vec::new();
        for item in &self.items {
            let Item::Results { results } = item else { continue };
            for tool in results.iter().flat_map(|result| &result.loaded) {
                if !loaded.contains(&tool.tool) {
                    loaded.push(tool.tool.clone());
                }
            }
        }
        loaded
    }
}

impl Said {
    /// Iterates over the calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the text for the user, its pieces joined.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}
