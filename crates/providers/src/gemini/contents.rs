//! From a conversation to contents. The results of a reply's calls follow it as one content, in call order.

use oncue_agent::Loss;
use oncue_agent::conversation::{Author, Call, CallResult, Item, Part, Said};
use oncue_tools::{Content, NameRules};
use serde_json::{Map, Value, json};

use super::WIRE;
use crate::Names;
use crate::blocks::Block;
use crate::compose::{
    Answered, NO_BEGINNING, NO_RESULT, Picture, Turn, legal_name, object_or_empty, pictured,
    pictures, text, turns,
};

/// What goes with a call that no model has signed; the vendor's own word for it.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// What stands between two replies where nobody said anything.
const GO_ON: &str = "(Go on.)";

/// Writes the contents of one request.
pub(super) struct Writer<'r> {
    pub(super) names: &'r Names,
    pub(super) rules: NameRules,
    /// Whether the model wants signatures.
    pub(super) signs: bool,
    pub(super) losses: &'r mut Vec<Loss>,
}

/// Who spoke last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Nobody,
    User,
    Model,
}

impl Writer<'_> {
    /// Returns the contents of a conversation.
    pub(super) fn contents(mut self, items: &[Item]) -> Vec<Block> {
        let mut contents = Vec::new();
        let mut last = Role::Nobody;
        for turn in turns(items, self.losses) {
            match turn {
                Turn::User(content) => {
                    let (parts, shown) = self.parts(content, "a message of the user");
                    if !parts.is_empty() {
                        contents.push(pictured(of_user(&parts), &shown));
                        last = Role::User;
                    }
                }
                Turn::Note("") => {}
                Turn::Note(text) => {
                    contents.push(of_user(&[json!({"text": text})]));
                    last = Role::User;
                }
                // What the loop found is in the list of tools.
                Turn::Reply { said, .. } if said.by == Author::Loop => {}
                Turn::Reply { said, calls } => {
                    let Some(reply) = self.reply(said) else { continue };
                    // The vendor takes a reply behind a user alone.
                    let filler = match last {
                        Role::User => None,
                        Role::Nobody => Some(NO_BEGINNING),
                        Role::Model => Some(GO_ON),
                    };
                    contents.extend(filler.map(|text| of_user(&[json!({"text": text})])));
                    let ids = ids(&reply);
                    contents.push(Block::of(&reply));
                    last = Role::Model;
                    if !calls.is_empty() {
                        self.responses(&calls, &ids, &mut contents);
                        last = Role::User;
                    }
                }
            }
        }
        contents
    }

    /// Returns content as parts, and the lengths of the pictures in it, in bytes.
    fn parts(&mut self, content: &[Content], place: &str) -> (Vec<Value>, Vec<usize>) {
        let (mut parts, mut shown) = (Vec::new(), Vec::new());
        for piece in content {
            let piece = std::slice::from_ref(piece);
            let text = text(piece, place, self.losses);
            if !text.is_empty() {
                parts.push(json!({"text": text}));
            }
            for picture in pictures(piece) {
                parts.push(inline(&picture));
                shown.push(picture.data.len());
            }
        }
        (parts, shown)
    }

    /// Returns a reply: as it came where it was this wire, written anew where it was not; `None` where nothing of it can be told.
    fn reply(&self, said: &Said) -> Option<Value> {
        let raw = said.raw.as_ref().filter(|raw| raw.wire == WIRE);
        let mut parts =
            raw.and_then(|raw| self.replayed(said, &raw.value)).unwrap_or_else(|| self.anew(said));
        if parts.is_empty() {
            return None;
        }
        if self.signs {
            sign(&mut parts);
        }
        Some(json!({"role": "model", "parts": parts}))
    }

    /// Returns the reply as it came, with what the vendor refuses mended: ids that the loop has changed, names and arguments of no form.
    ///
    /// `None` where the calls are not those of the reply any more.
    fn replayed(&self, said: &Said, content: &Value) -> Option<Vec<Value>> {
        let mut parts = content.get("parts")?.as_array()?.clone();
        let mut calls = said.calls();
        for part in &mut parts {
            let Some(sent) = part.get_mut("functionCall").and_then(Value::as_object_mut) else {
                continue;
            };
            let call = calls.next()?;
            if sent.get("id").is_some_and(Value::is_string) {
                sent.insert("id".to_owned(), Value::from(call.id.as_str()));
            }
            let is_legal = |name: &Value| name.as_str().is_some_and(|name| self.rules.admits(name));
            if !sent.get("name").is_some_and(is_legal) {
                sent.insert("name".to_owned(), Value::from(self.name(call)));
            }
            if !sent.get("args").is_none_or(Value::is_object) {
                sent.insert("args".to_owned(), Value::Object(Map::new()));
            }
        }
        calls.next().is_none().then_some(parts)
    }

    /// Returns the reply in this wire's form. Thoughts are left out: they are of use to their own vendor alone.
    fn anew(&self, said: &Said) -> Vec<Value> {
        let parts = said.parts.iter().filter_map(|part| match part {
            Part::Text { text } if text.is_empty() => None,
            Part::Text { text } => Some(json!({"text": text})),
            Part::Call(call) => {
                let args = object_or_empty(&call.arguments);
                let args: Map<String, Value> = serde_json::from_str(args).unwrap_or_default();
                Some(json!({"functionCall": {"name": self.name(call), "args": args}}))
            }
            _ => None,
        });
        parts.collect()
    }

    /// Adds the results of a reply's calls as one content, and behind it the pictures among them.
    fn responses(
        &mut self,
        calls: &[Answered<'_>],
        ids: &[Option<String>],
        contents: &mut Vec<Block>,
    ) {
        let (mut parts, mut seen, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        for (at, Answered { call, result }) in calls.iter().enumerate() {
            let mut response = Map::new();
            if let Some(Some(id)) = ids.get(at) {
                response.insert("id".to_owned(), Value::from(id.as_str()));
            }
            let name = self.name(call);
            response.insert("name".to_owned(), Value::from(name.as_str()));
            response.insert("response".to_owned(), self.response(*result));
            parts.push(json!({"functionResponse": response}));
            let pictures = result.map(|result| pictures(&result.content)).unwrap_or_default();
            if !pictures.is_empty() {
                seen.push(json!({"text": format!("The pictures of {name}:")}));
            }
            for picture in pictures {
                seen.push(inline(&picture));
                shown.push(picture.data.len());
            }
        }
        contents.push(of_user(&parts));
        if !seen.is_empty() {
            contents.push(pictured(of_user(&seen), &shown));
        }
    }

    /// Returns what came of a call, which must be an object.
    fn response(&mut self, result: Option<&CallResult>) -> Value {
        let Some(result) = result else { return json!({"error": NO_RESULT}) };
        let output = match result.content.as_slice() {
            [Content::Json(value)] => value.clone(),
            content => Value::from(text(content, &result.name, self.losses)),
        };
        match result.error {
            Some(_) => json!({"error": output}),
            None => json!({"output": output}),
        }
    }

    fn name(&self, call: &Call) -> String {
        legal_name(self.names, self.rules, &call.name)
    }
}

/// Returns the ids of the calls of a reply, which have none where the model gave none.
fn ids(reply: &Value) -> Vec<Option<String>> {
    let parts = reply.get("parts").and_then(Value::as_array).into_iter().flatten();
    let calls = parts.filter_map(|part| part.get("functionCall"));
    calls.map(|call| call.get("id").and_then(Value::as_str).map(str::to_owned)).collect()
}

/// Lets the first call go with a signature.
fn sign(parts: &mut [Value]) {
    let mut calls = parts.iter_mut().filter(|part| part.get("functionCall").is_some());
    let first = calls.next().and_then(Value::as_object_mut);
    if let Some(part) = first {
        part.entry("thoughtSignature").or_insert_with(|| Value::from(UNSIGNED));
    }
}

fn of_user(parts: &[Value]) -> Block {
    Block::of(&json!({"role": "user", "parts": parts}))
}

fn inline(picture: &Picture) -> Value {
    json!({"inlineData": {"mimeType": picture.media_type, "data": picture.data}})
}
