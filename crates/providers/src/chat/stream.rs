//! Streamed answers: events in, a message out, and from it the same reply as from a whole answer.

use oncue_agent::{Delta, Finish, ModelError, Reply, Usage};
use serde_json::{Map, Value, json};

use super::answer::{Heard, Reader, finish, usage};
use super::error;
use crate::Names;
use crate::lenient;
use crate::wire::{Decode, Event, broken_off, json};

/// The data of the event behind which nothing comes.
const DONE: &str = "[DONE]";

/// Fields of a message whose pieces are appended.
const APPENDED: [&str; 4] = ["content", "reasoning_content", "reasoning", "refusal"];

/// An answer that is being streamed. Lives as long as the stream.
pub(super) struct Stream {
    names: Names,
    is_lenient: bool,
    /// The message so far, but for its calls.
    message: Map<String, Value>,
    calls: Vec<Fragment>,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    is_done: bool,
    /// Text that may turn out to be a call and is not heard yet.
    held: String,
    /// Whether text was heard, after which it is heard as it comes.
    is_heard: bool,
}

/// A call that is being streamed.
struct Fragment {
    /// Its place in the message, where the server says so.
    index: Option<u64>,
    /// The call as a whole answer would have it, but for its arguments.
    call: Map<String, Value>,
    arguments: String,
}

impl Stream {
    pub(super) fn new(names: Names, is_lenient: bool) -> Self {
        Self {
            names,
            is_lenient,
            message: Map::new(),
            calls: Vec::new(),
            finish_reason: None,
            usage: None,
            is_done: false,
            held: String::new(),
            is_heard: false,
        }
    }

    fn reader(&self) -> Reader<'_> {
        Reader { names: &self.names, is_lenient: self.is_lenient }
    }

    fn add(&mut self, delta: &Map<String, Value>, hear: &mut dyn FnMut(Delta)) {
        for (field, piece) in delta {
            match (field.as_str(), piece) {
                (_, Value::Null) => {}
                ("tool_calls", Value::Array(calls)) => {
                    calls.iter().for_each(|call| self.add_call(call, hear));
                }
                ("content", Value::String(text)) => {
                    append(&mut self.message, field, piece);
                    self.hear_text(text, hear);
                }
                ("reasoning_content" | "reasoning", Value::String(text)) => {
                    // Some servers send the same thoughts under both names.
                    let is_twice = field == "reasoning" && delta.contains_key("reasoning_content");
                    if !is_twice && !text.is_empty() {
                        hear(Delta::Reasoning(text.clone()));
                    }
                    append(&mut self.message, field, piece);
                }
                _ => append(&mut self.message, field, piece),
            }
        }
    }

    fn add_call(&mut self, sent: &Value, hear: &mut dyn FnMut(Delta)) {
        let Some(sent) = sent.as_object() else { return };
        let index = sent.get("index").and_then(Value::as_u64);
        let id = sent.get("id").and_then(Value::as_str).unwrap_or_default();
        let function = sent.get("function").and_then(Value::as_object);
        let name = function.and_then(|f| f.get("name")).and_then(Value::as_str).unwrap_or_default();
        let at = match self.place(index, id, name) {
            Some(at) => at,
            None => {
                let call = Map::new();
                self.calls.push(Fragment { index, call, arguments: String::new() });
                self.calls.len() - 1
            }
        };
        let Some(fragment) = self.calls.get_mut(at) else { return };
        let was_named = !fragment.name().is_empty();
        fragment.add(sent, function);
        let (name, id) = (fragment.name().to_owned(), fragment.id().to_owned());
        if !was_named && !name.is_empty() {
            hear(Delta::Call(self.reader().name(&name, &id)));
        }
    }

    /// Returns the call that a fragment goes on with; `None` where it begins another.
    ///
    /// Some servers give no index, others the same one to every call; a new id with a name begins a call either way.
    fn place(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let last = self.calls.len().checked_sub(1);
        let known = match index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index)),
            None => last.filter(|_| name.is_empty()),
        }?;
        let open = self.calls.get(known)?;
        let is_other = !id.is_empty() && !open.id().is_empty() && open.id() != id;
        (!is_other || name.is_empty()).then_some(known)
    }

    /// Lets a text be heard, unless it may turn out to be a call.
    fn hear_text(&mut self, text: &str, hear: &mut dyn FnMut(Delta)) {
        if text.is_empty() {
            return;
        }
        self.held.push_str(text);
        if self.is_heard || !self.is_lenient || !lenient::may_be_calls(&self.held) {
            self.is_heard = true;
            hear(Delta::Text(std::mem::take(&mut self.held)));
        }
    }

    /// Lets the text be heard that was held back and is no call.
    fn hear_rest(&mut self, hear: &mut dyn FnMut(Delta)) {
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return;
        }
        let finish = finish(self.finish_reason.as_deref().unwrap_or_default());
        let reading = match self.calls.is_empty() {
            true => Some(self.reader().read(&held, finish.unwrap_or(Finish::Done))),
            false => None,
        };
        for call in reading.iter().flat_map(|reading| &reading.calls) {
            hear(Delta::Call(call.name.clone()));
        }
        let text = reading.map_or(held, |reading| reading.text);
        if !text.is_empty() {
            hear(Delta::Text(text));
        }
    }
}

impl Decode for Stream {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let data = event.data.trim();
        if data == DONE {
            self.is_done = true;
            self.hear_rest(hear);
            return Ok(());
        }
        if data.is_empty() {
            return Ok(());
        }
        let value = json(event)?;
        if let Some(error) = error::within(&value) {
            return Err(error);
        }
        self.usage = usage(&value).or(self.usage);
        let Some(choice) = value.pointer("/choices/0") else { return Ok(()) };
        // A server that does not stream may still answer in the form of a stream.
        let delta = choice.get("delta").or_else(|| choice.get("message"));
        if let Some(delta) = delta.and_then(Value::as_object) {
            self.add(delta, hear);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish_reason = Some(reason.to_owned());
            self.usage = choice.get("usage").and_then(|_| usage(choice)).or(self.usage);
            self.hear_rest(hear);
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.is_done
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        // Behind the reason only the cost comes, and behind the cost nothing.
        let has_ended = self.finish_reason.is_some() && self.usage.is_some();
        let says_something = !self.message.is_empty() || !self.calls.is_empty();
        if !has_ended && !(self.is_done && (self.finish_reason.is_some() || says_something)) {
            return Err(broken_off());
        }
        let Self { names, is_lenient, mut message, calls, finish_reason, usage, .. } = *self;
        if !calls.is_empty() {
            let calls: Vec<Value> = calls.into_iter().map(Fragment::close).collect();
            message.insert("tool_calls".to_owned(), Value::from(calls));
        }
        let heard = Heard {
            message: Value::Object(message),
            finish_reason: finish_reason.unwrap_or_default(),
            usage: usage.unwrap_or_default(),
        };
        Reader { names: &names, is_lenient }.reply(heard)
    }
}

impl Fragment {
    fn id(&self) -> &str {
        self.call.get("id").and_then(Value::as_str).unwrap_or_default()
    }

    fn name(&self) -> &str {
        let name = self.call.get("function").and_then(|function| function.get("name"));
        name.and_then(Value::as_str).unwrap_or_default()
    }

    fn add(&mut self, sent: &Map<String, Value>, function: Option<&Map<String, Value>>) {
        for (field, piece) in sent {
            let is_new = !self.call.get(field).is_some_and(is_something);
            match field.as_str() {
                "index" | "function" => {}
                _ if is_new && is_something(piece) => {
                    self.call.insert(field.clone(), piece.clone());
                }
                _ => {}
            }
        }
        let Some(function) = function else { return };
        match function.get("arguments") {
            Some(Value::String(text)) => self.arguments.push_str(text),
            None | Some(Value::Null) => {}
            Some(value) => self.arguments.push_str(&value.to_string()),
        }
        let known = self.call.entry("function").or_insert_with(|| Value::Object(Map::new()));
        let Some(known) = known.as_object_mut() else { return };
        for (field, piece) in function.iter().filter(|(field, _)| *field != "arguments") {
            if is_something(piece) && !known.get(field).is_some_and(is_something) {
                known.insert(field.clone(), piece.clone());
            }
        }
    }

    /// Returns the call as a whole answer would have it.
    fn close(mut self) -> Value {
        let function = self.call.entry("function").or_insert_with(|| Value::Object(Map::new()));
        if let Some(function) = function.as_object_mut() {
            function.insert("arguments".to_owned(), Value::from(self.arguments));
        }
        Value::Object(self.call)
    }
}

fn is_something(value: &Value) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

/// Adds a piece to a field: texts that come in pieces and lists are appended, anything else replaces.
fn append(message: &mut Map<String, Value>, field: &str, piece: &Value) {
    match (message.get_mut(field), piece) {
        (Some(Value::String(known)), Value::String(more)) if APPENDED.contains(&field) => {
            known.push_str(more);
        }
        (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.iter().cloned()),
        // A list of parts goes on with a text, where thoughts came first.
        (Some(Value::Array(known)), Value::String(text)) => {
            known.push(json!({"type": "text", "text": text}));
        }
        _ => {
            message.insert(field.to_owned(), piece.clone());
        }
    }
}
