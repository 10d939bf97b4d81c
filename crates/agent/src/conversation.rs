//! What was said so far, in words that belong to no vendor. Lives as long as its session and can be stored.

use oncue_tools::{CallId, Content, Entry, ErrorKind, Identity};
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
    /// Returns what searches still in the conversation have loaded, each tool once, as it was shown last.
    #[must_use]
    pub fn loaded(&self) -> Vec<&Loaded> {
        let results = self.items.iter().filter_map(|item| match item {
            Item::Results { results } => Some(results),
            _ => None,
        });
        let mut loaded: Vec<&Loaded> = Vec::new();
        for tool in results.flatten().flat_map(|result| &result.loaded) {
            match loaded.iter_mut().find(|known| known.tool == tool.tool) {
                Some(known) => *known = tool,
                None => loaded.push(tool),
            }
        }
        loaded
    }

    /// Iterates over all calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let replies = self.items.iter().filter_map(|item| match item {
            Item::Reply(said) => Some(said),
            _ => None,
        });
        replies.flat_map(Said::calls)
    }

    /// Returns an id that no call has.
    pub(crate) fn fresh_id(&self) -> CallId {
        let number = self.items.len();
        let mut free = (number..).map(|number| CallId::new(format!("search_{number}")));
        free.find(|id| self.calls().all(|call| call.id != *id)).unwrap_or_default()
    }

    /// Leaves out calls without results and results without calls, as a host that takes items out may leave behind.
    pub(crate) fn mend(&mut self) {
        let mut mended: Vec<Item> = Vec::with_capacity(self.items.len());
        for item in std::mem::take(&mut self.items) {
            let fits = match (mended.last(), &item) {
                (Some(Item::Reply(said)), Item::Results { results }) => {
                    said.calls().map(|call| &call.id).eq(results.iter().map(|result| &result.id))
                }
                (_, Item::Results { .. }) => false,
                _ => true,
            };
            if !matches!(item, Item::Results { .. }) || !fits {
                drop_open_calls(&mut mended);
            }
            if fits {
                mended.push(item);
            }
        }
        drop_open_calls(&mut mended);
        self.items = mended;
    }
}

impl Loaded {
    /// Returns a tool as a search shows it.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        Self {
            tool: entry.identity().clone(),
            name: entry.exposed().to_owned(),
            description: entry.row().description().to_owned(),
            parameters: entry.definition().parameters().map(|schema| schema.get().to_owned()),
        }
    }

    /// Says whether the tool is still what was shown.
    #[must_use]
    pub fn is_of(&self, entry: &Entry) -> bool {
        self.name == entry.exposed()
            && self.description == entry.row().description()
            && self.parameters.as_deref()
                == entry.definition().parameters().map(|schema| schema.get())
    }
}

/// Takes the last reply out where its calls will have no results.
fn drop_open_calls(items: &mut Vec<Item>) {
    if let Some(Item::Reply(said)) = items.last()
        && said.calls().next().is_some()
    {
        items.pop();
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
