//! What the fake says, as items.

use serde_json::{Value, json};

use crate::{Piece, Scripted, frame, read, tokens};

/// The name by which a script calls the search tool, which has none.
pub(super) const SEARCH: &str = "tool_search";

/// One reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Output {
    /// The items.
    pub items: Vec<Value>,
    /// Whether it was cut off at its longest allowed length.
    pub is_cut: bool,
    /// Tokens of thoughts and of everything.
    pub tokens: (u64, u64),
}

/// Says where a reply is: the request it answers, and the thought that the last items came of.
struct Place<'a> {
    body: &'a Value,
    number: u64,
    thought: Option<usize>,
}

impl Output {
    /// What is scripted, as request `number` has it said.
    pub(super) fn of(body: &Value, scripted: &Scripted, number: u64) -> Self {
        match scripted {
            Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => {
                Self::whole(body, pieces, number)
            }
            Scripted::CutOff(pieces) => Self::cut(body, pieces, number),
            Scripted::Refusal(text) => {
                let content = json!({ "type": "refusal", "refusal": text });
                let tokens = (0, tokens::tokens(text.len()));
                let items = vec![message(&format!("msg_{number}_0"), content)];
                Self { items, tokens, is_cut: false }
            }
            Scripted::Error(_) => Self::default(),
        }
    }

    fn whole(body: &Value, pieces: &[Piece], number: u64) -> Self {
        let mut place = Place { body, number, thought: None };
        let items = pieces.iter().enumerate().map(|(at, piece)| {
            if matches!(piece, Piece::Reasoning(_)) {
                place.thought = Some(at);
            }
            place.item(at, piece)
        });
        Self { items: items.collect(), is_cut: false, tokens: tokens::of_pieces(pieces) }
    }

    fn cut(body: &Value, pieces: &[Piece], number: u64) -> Self {
        let mut output = Self { is_cut: true, ..Self::whole(body, pieces, number) };
        if let Some(last) = output.items.last_mut() {
            last["status"] = json!("incomplete");
            for text in ["/arguments", "/content/0/text", "/summary/0/text"] {
                if let Some(Value::String(text)) = last.pointer_mut(text) {
                    *text = frame::first_half(text).to_owned();
                }
            }
        }
        output
    }
}

impl Place<'_> {
    fn item(&self, at: usize, piece: &Piece) -> Value {
        match piece {
            Piece::Text(text) => {
                let content = json!({ "type": "output_text", "annotations": [], "logprobs": [], "text": text });
                message(&self.id("msg", at), content)
            }
            Piece::Reasoning(text) => self.reasoning(at, text),
            Piece::Call { name, arguments } => self.call(at, name, arguments.to_string()),
            Piece::RawCall { name, arguments } => self.call(at, name, arguments.clone()),
            Piece::Opaque(value) => value.clone(),
        }
    }

    fn reasoning(&self, at: usize, text: &str) -> Value {
        let id = format!("rs_{}_{at}", self.number);
        let summary = match &self.body["reasoning"]["summary"] {
            Value::Null => json!([]),
            _ => json!([{ "type": "summary_text", "text": text }]),
        };
        json!({ "id": id, "type": "reasoning", "summary": summary, "encrypted_content": sealed(&id) })
    }

    fn call(&self, at: usize, name: &str, arguments: String) -> Value {
        let call_id = format!("call_{}_{at}", self.number);
        let tools = read::list(&self.body["tools"]);
        let search = tools.iter().find(|tool| tool["type"] == SEARCH);
        if let (SEARCH, Some(search)) = (name, search) {
            let is_client = search["execution"] == "client";
            // The wire has an object here; a text that is none stays a text.
            let arguments = serde_json::from_str(&arguments).unwrap_or(Value::String(arguments));
            return json!({
                "id": self.id("tsc", at),
                "type": "tool_search_call",
                "status": "completed",
                "arguments": arguments,
                "call_id": is_client.then_some(call_id),
                "execution": if is_client { "client" } else { "server" },
            });
        }
        let mut call = json!({
            "id": self.id("fc", at),
            "type": "function_call",
            "status": "completed",
            "arguments": arguments,
            "call_id": call_id,
            "name": name,
        });
        if let Some(namespace) = namespace(self.body, name) {
            call["namespace"] = json!(namespace);
        }
        call
    }

    /// An id that tells which thought the item came of.
    fn id(&self, prefix: &str, at: usize) -> String {
        match self.thought {
            Some(thought) => format!("{prefix}_{}_{at}_of_{thought}", self.number),
            None => format!("{prefix}_{}_{at}", self.number),
        }
    }
}

fn message(id: &str, content: Value) -> Value {
    json!({
        "id": id,
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": Value::Array(vec![content]),
    })
}

/// Returns what stands for the thoughts of an item, which only the server reads.
pub(super) fn sealed(id: &str) -> String {
    format!("gAAAAA-{id}")
}

/// Returns the id of the thought that the item with this id came of.
pub(super) fn thought_of(id: &str) -> Option<String> {
    let (before, thought) = id.split_once("_of_")?;
    let number = before.split('_').nth(1)?;
    Some(format!("rs_{number}_{thought}"))
}

/// Returns every list of tools in the request: its own, then those of its items.
pub(super) fn lists(body: &Value) -> impl Iterator<Item = &Vec<Value>> {
    let items = read::list(&body["input"]);
    let added = items
        .iter()
        .filter(|item| item["type"] == "tool_search_output" || item["type"] == "additional_tools");
    std::iter::once(body).chain(added).filter_map(|holder| holder["tools"].as_array())
}

/// Returns the namespace of a function that stands in one.
fn namespace<'a>(body: &'a Value, name: &str) -> Option<&'a str> {
    let named = |tool: &&Value| tool["type"] == "function" && tool["name"] == name;
    if lists(body).flatten().any(|tool| named(&tool)) {
        return None;
    }
    let mut spaces = lists(body).flatten().filter(|tool| tool["type"] == "namespace");
    let space = spaces.find(|space| read::list(&space["tools"]).iter().any(|tool| named(&tool)));
    space.and_then(|space| space["name"].as_str())
}
