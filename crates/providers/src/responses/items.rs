//! From a conversation to input items. The outputs of a reply's calls follow it in call order.

use oncue_agent::conversation::{Author, Call, CallResult, Part, Said};
use oncue_agent::{Disclosure, Loss, Request};
use oncue_tools::Content;
use serde_json::{Map, Value, json};

use super::tools::{Writer, search_of};
use super::{WIRE, replay};
use crate::blocks::Block;
use crate::compose::{
    Answered, NO_RESULT, Turn, is_text, legal_id, legal_name, object_or_empty, pictured, pictures,
    quoted, text, turns,
};
use crate::limits::RESPONSES_ID_CHARS_MAX;

/// Writes the input of one request.
pub(super) struct Items<'r, 'a> {
    pub(super) request: &'r Request<'a>,
    pub(super) tools: &'r Writer<'r>,
    pub(super) losses: &'r mut Vec<Loss>,
}

impl Items<'_, '_> {
    /// Returns the items of a request.
    pub(super) fn items(mut self) -> Vec<Block> {
        let mut items = Vec::new();
        // Where searches are not shown, what the loop found is in the list of tools.
        let leaves_out_loop = self.tools.endpoint.disclosure != Disclosure::ClientSearch;
        for turn in turns(self.request.items, self.losses) {
            match turn {
                Turn::User(content) => items.extend(self.user(content)),
                Turn::Note("") => {}
                Turn::Note(note) => items.push(message("user", note)),
                Turn::Reply { said, .. } if said.by == Author::Loop && leaves_out_loop => {}
                Turn::Reply { said, calls } => {
                    items.extend(self.reply(said));
                    self.outputs(&calls, &mut items);
                }
            }
        }
        items
    }

    fn user(&mut self, content: &[Content]) -> Option<Block> {
        let place = "a message of the user";
        if is_text(content) {
            let text = text(content, place, self.losses);
            return (!text.is_empty()).then(|| message("user", &text));
        }
        let (parts, shown) = self.parts(content, place);
        let message = json!({"type": "message", "role": "user", "content": parts});
        let message = Block::new(message.to_string());
        Some(pictured(message, &shown))
    }

    /// Returns content as parts, and the lengths of the pictures in it, in bytes.
    fn parts(&mut self, content: &[Content], place: &str) -> (Vec<Value>, Vec<usize>) {
        let (mut parts, mut shown) = (Vec::new(), Vec::new());
        for piece in content {
            let piece = std::slice::from_ref(piece);
            let text = text(piece, place, self.losses);
            if !text.is_empty() {
                parts.push(json!({"type": "input_text", "text": text}));
            }
            for picture in pictures(piece) {
                let url = picture.url();
                parts.push(json!({"type": "input_image", "detail": "auto", "image_url": url}));
                shown.push(picture.data.len());
            }
        }
        (parts, shown)
    }

    /// Returns the items of a reply: as they came where it was this wire, written anew where it was not.
    fn reply(&self, said: &Said) -> Vec<Block> {
        let raw = said.raw.as_ref().filter(|raw| raw.wire == WIRE);
        let calls = said
            .calls()
            .map(|call| replay::Known { id: self.id(call), is_search: self.is_search(call) });
        let items = raw.and_then(|raw| replay::items(&raw.value, calls));
        let items = items.unwrap_or_else(|| self.anew(said));
        items.iter().map(|item| Block::new(item.to_string())).collect()
    }

    /// Returns the reply in this wire's form. Thoughts are left out: they are of use to their own vendor alone.
    fn anew(&self, said: &Said) -> Vec<Value> {
        let items = said.parts.iter().filter_map(|part| match part {
            Part::Text { text } if text.is_empty() => None,
            Part::Text { text } => {
                Some(json!({"type": "message", "role": "assistant", "content": text}))
            }
            Part::Call(call) => Some(self.call(call)),
            _ => None,
        });
        items.collect()
    }

    fn call(&self, call: &Call) -> Value {
        let arguments = object_or_empty(&call.arguments);
        let id = self.id(call);
        if self.is_search(call) {
            let arguments: Map<String, Value> = serde_json::from_str(arguments).unwrap_or_default();
            return json!({
                "type": "tool_search_call",
                "call_id": id,
                "execution": "client",
                "status": "completed",
                "arguments": arguments,
            });
        }
        let name = legal_name(self.tools.names, self.tools.endpoint.name_rules, &call.name);
        json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments})
    }

    /// Adds the outputs of a reply's calls, and behind them what searches say that found nothing.
    fn outputs(&mut self, calls: &[Answered<'_>], items: &mut Vec<Block>) {
        let mut asides = Vec::new();
        for Answered { call, result } in calls {
            let item = if self.is_search(call) {
                self.search_output(call, *result, &mut asides)
            } else {
                self.output(call, *result, &mut asides)
            };
            items.push(item);
        }
        items.extend(asides);
    }

    fn output(
        &mut self,
        call: &Call,
        result: Option<&CallResult>,
        asides: &mut Vec<Block>,
    ) -> Block {
        let id = self.id(call);
        let Some(result) = result else { return output(&id, &Value::from(NO_RESULT)) };
        if self.shows_searches() && !result.loaded.is_empty() {
            // The definitions have no place in the output of a function.
            let tools = self.definitions(result);
            asides.push(Block::new(format!(
                r#"{{"type":"additional_tools","role":"developer","tools":{tools}}}"#
            )));
        }
        if is_text(&result.content) {
            let text = text(&result.content, &result.name, self.losses);
            return output(&id, &Value::from(text));
        }
        let (parts, shown) = self.parts(&result.content, &result.name);
        let output = output(&id, &Value::from(parts));
        pictured(output, &shown)
    }

    fn search_output(
        &mut self,
        call: &Call,
        result: Option<&CallResult>,
        asides: &mut Vec<Block>,
    ) -> Block {
        let tools = result.map_or_else(|| "[]".to_owned(), |result| self.definitions(result));
        // The output holds definitions alone; what else there is to say stands behind it.
        let said = match result {
            Some(result) if !result.loaded.is_empty() => String::new(),
            Some(result) => text(&result.content, &result.name, self.losses),
            None => NO_RESULT.to_owned(),
        };
        if !said.is_empty() {
            asides.push(message("developer", &said));
        }
        let id = quoted(&self.id(call));
        Block::new(format!(
            r#"{{"type":"tool_search_output","call_id":{id},"execution":"client","status":"completed","tools":{tools}}}"#
        ))
    }

    fn definitions(&mut self, result: &CallResult) -> String {
        let loaded = result.loaded.iter();
        let tools: Vec<String> =
            loaded.map(|loaded| self.tools.loaded(loaded, self.losses)).collect();
        format!("[{}]", tools.join(","))
    }

    fn id(&self, call: &Call) -> String {
        let rules = self.tools.endpoint.name_rules;
        legal_id(&call.id, rules, RESPONSES_ID_CHARS_MAX).into_owned()
    }

    fn shows_searches(&self) -> bool {
        search_of(self.request, self.tools.endpoint.disclosure).is_some()
    }

    fn is_search(&self, call: &Call) -> bool {
        self.shows_searches() && self.request.tools.is_search(&call.name)
    }
}

fn message(role: &str, text: &str) -> Block {
    Block::new(json!({"type": "message", "role": role, "content": text}).to_string())
}

fn output(id: &str, output: &Value) -> Block {
    let item = json!({"type": "function_call_output", "call_id": id, "output": output});
    Block::new(item.to_string())
}
