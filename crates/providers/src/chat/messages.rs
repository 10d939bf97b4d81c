//! From a conversation to messages. Each result follows the reply that called, in call order, as a message of its own.

use oncue_agent::conversation::{Author, Call, Said};
use oncue_agent::{Loss, Request};
use oncue_tools::{Content, NameRules};
use serde_json::{Map, Value, json};

use super::WIRE;
use crate::Names;
use crate::blocks::Block;
use crate::compose::{
    Answered, NO_RESULT, Picture, Turn, is_text, legal_id, legal_name, object_or_empty, pictured,
    pictures, text, turns,
};
use crate::limits::CHAT_ID_CHARS_MAX;

/// Writes the messages of one request.
pub(super) struct Writer<'r> {
    pub(super) names: &'r Names,
    pub(super) rules: NameRules,
    pub(super) losses: &'r mut Vec<Loss>,
}

impl Writer<'_> {
    /// Returns the messages of a request but for what the model is told once.
    pub(super) fn messages(&mut self, request: &Request<'_>) -> Vec<Block> {
        let mut messages = Vec::new();
        for turn in turns(request.items, self.losses) {
            match turn {
                Turn::User(content) => messages.extend(user(content, self.losses)),
                Turn::Note("") => {}
                Turn::Note(note) => messages.push(of_user(note)),
                // What the loop found is in the list of tools.
                Turn::Reply { said, .. } if said.by == Author::Loop => {}
                Turn::Reply { said, calls } => {
                    let Some(reply) = self.reply(said) else { continue };
                    messages.push(Block::new(reply.to_string()));
                    self.results(&calls, &mut messages);
                }
            }
        }
        messages
    }

    /// Adds the results of a reply's calls, and behind them the pictures among them, which a result cannot hold.
    fn results(&mut self, calls: &[Answered<'_>], messages: &mut Vec<Block>) {
        let mut parts = Vec::new();
        let mut shown = Vec::new();
        for Answered { call, result } in calls {
            let content = match result {
                Some(result) => text(&result.content, &result.name, self.losses),
                None => NO_RESULT.to_owned(),
            };
            let id = self.id(call);
            let message = json!({"role": "tool", "tool_call_id": id, "content": content});
            messages.push(Block::new(message.to_string()));
            let pictures = result.map(|result| pictures(&result.content)).unwrap_or_default();
            if !pictures.is_empty() {
                parts.push(json!({"type": "text", "text": format!("The pictures of {id}:")}));
            }
            for picture in pictures {
                parts.push(image(&picture));
                shown.push(picture.data.len());
            }
        }
        if !parts.is_empty() {
            let message = Block::new(json!({"role": "user", "content": parts}).to_string());
            messages.push(pictured(message, &shown));
        }
    }

    /// Returns a reply: as its server sent it where it was this wire, written anew where it was not; `None` where nothing of it can be told.
    fn reply(&self, said: &Said) -> Option<Value> {
        let raw = said.raw.as_ref().filter(|raw| raw.wire == WIRE);
        raw.and_then(|raw| self.replayed(said, &raw.value)).or_else(|| self.anew(said))
    }

    /// Returns the reply as it came, with what servers refuse mended: fields without a value, ids that the loop has changed, arguments that are no object.
    ///
    /// `None` where the calls are not those of the reply any more.
    fn replayed(&self, said: &Said, message: &Value) -> Option<Value> {
        let mut message = message.as_object()?.clone();
        message.retain(|field, value| {
            let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            field == "content" || !is_empty
        });
        message.insert("role".to_owned(), Value::from("assistant"));
        let mut calls = said.calls();
        if let Some(of_message) = message.get_mut("tool_calls").and_then(Value::as_array_mut) {
            for sent in of_message {
                self.mend(sent.as_object_mut()?, calls.next()?)?;
            }
        }
        calls.next().is_none().then_some(Value::Object(message))
    }

    fn mend(&self, sent: &mut Map<String, Value>, call: &Call) -> Option<()> {
        sent.insert("id".to_owned(), Value::from(self.id(call)));
        sent.entry("type").or_insert_with(|| Value::from("function"));
        let function = sent.get_mut("function")?.as_object_mut()?;
        let is_legal = |name: &Value| name.as_str().is_some_and(|name| self.rules.admits(name));
        if !function.get("name").is_some_and(is_legal) {
            function.insert("name".to_owned(), Value::from(self.name(call)));
        }
        let arguments = object_or_empty(&call.arguments);
        function.insert("arguments".to_owned(), Value::from(arguments));
        Some(())
    }

    /// Returns the reply in this wire's form. Thoughts are left out: they are of use to their own server alone.
    fn anew(&self, said: &Said) -> Option<Value> {
        let text = said.text();
        let calls: Vec<Value> = said.calls().map(|call| self.call(call)).collect();
        if text.is_empty() && calls.is_empty() {
            return None;
        }
        let mut message = json!({"role": "assistant", "content": text});
        if let Some(fields) = message.as_object_mut().filter(|_| !calls.is_empty()) {
            fields.insert("tool_calls".to_owned(), Value::from(calls));
        }
        Some(message)
    }

    fn call(&self, call: &Call) -> Value {
        let arguments = object_or_empty(&call.arguments);
        json!({
            "id": self.id(call),
            "type": "function",
            "function": {"name": self.name(call), "arguments": arguments},
        })
    }

    fn id(&self, call: &Call) -> String {
        legal_id(&call.id, self.rules, CHAT_ID_CHARS_MAX).into_owned()
    }

    fn name(&self, call: &Call) -> String {
        legal_name(self.names, self.rules, &call.name)
    }
}

fn of_user(text: &str) -> Block {
    Block::new(json!({"role": "user", "content": text}).to_string())
}

/// Returns what a user said: a text where it is one, which every server reads, else a list of parts.
fn user(content: &[Content], losses: &mut Vec<Loss>) -> Option<Block> {
    if is_text(content) {
        let text = text(content, "a message of the user", losses);
        return (!text.is_empty()).then(|| of_user(&text));
    }
    let mut parts = Vec::new();
    let mut shown = Vec::new();
    for piece in content {
        let piece = std::slice::from_ref(piece);
        let text = text(piece, "a message of the user", losses);
        if !text.is_empty() {
            parts.push(json!({"type": "text", "text": text}));
        }
        for picture in pictures(piece) {
            parts.push(image(&picture));
            shown.push(picture.data.len());
        }
    }
    let message = Block::new(json!({"role": "user", "content": parts}).to_string());
    Some(pictured(message, &shown))
}

fn image(picture: &Picture) -> Value {
    json!({"type": "image_url", "image_url": {"url": picture.url()}})
}
