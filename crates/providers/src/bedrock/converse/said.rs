//! Replies of earlier steps: as the vendor sent them where it was this wire, written anew where it was not.

use oncue_agent::conversation::{Call, Part, Said};
use oncue_tools::{Identity, NameRules};
use serde_json::{Value, json};

use super::WIRE;
use crate::Names;
use crate::blocks::Block;
use crate::compose::{legal_name, object_or_empty, quoted};

/// Longest id of a call, in characters; the same as that of a name.
const PUNCTUATION: &str = "_.:-";

/// How replies are written.
#[derive(Clone, Copy)]
pub(super) struct Replies<'r> {
    pub(super) names: &'r Names,
    /// The model that is asked.
    pub(super) model: &'r str,
    pub(super) rules: NameRules,
}

impl Replies<'_> {
    /// Returns the blocks of a reply; there may be none.
    pub(super) fn blocks(&self, said: &Said) -> Vec<Block> {
        let raw = said.raw.as_ref().filter(|raw| raw.wire == WIRE);
        raw.and_then(|raw| self.replayed(said, &raw.value)).unwrap_or_else(|| self.anew(said))
    }

    /// Returns the reply as it came, with the ids that the loop knows its calls by.
    ///
    /// Thoughts go back to the model that thought them, and blank texts, which the vendor refuses, to nobody.
    /// `None` where the calls are not those of the reply any more.
    fn replayed(&self, said: &Said, raw: &Value) -> Option<Vec<Block>> {
        let content = raw.get("content")?.as_array()?;
        let is_own = raw.get("model").and_then(Value::as_str) == Some(self.model);
        let mut calls = said.calls();
        let mut blocks = Vec::new();
        for block in content {
            if let Some(call) = block.get("toolUse") {
                let mut call = call.as_object()?.clone();
                call.insert("toolUseId".to_owned(), json!(self.id(calls.next()?)));
                blocks.push(Block::of(&json!({"toolUse": call})));
                continue;
            }
            let text = block.get("text").and_then(Value::as_str);
            let is_blank = text.is_some_and(|text| text.trim().is_empty());
            let is_foreign = !is_own && block.get("reasoningContent").is_some();
            if !is_blank && !is_foreign {
                blocks.push(Block::of(block.as_object()?));
            }
        }
        calls.next().is_none().then_some(blocks)
    }

    fn anew(&self, said: &Said) -> Vec<Block> {
        let blocks = said.parts.iter().filter_map(|part| match part {
            Part::Text { text } if text.trim().is_empty() => None,
            Part::Text { text } => Some(Block::of(&json!({"text": text}))),
            Part::Call(call) => Some(self.call(call)),
            _ => None,
        });
        blocks.collect()
    }

    fn call(&self, call: &Call) -> Block {
        let id = quoted(&self.id(call));
        let name = quoted(&legal_name(self.names, self.rules, &call.name));
        let input = object_or_empty(&call.arguments);
        Block::new(format!(r#"{{"toolUse":{{"toolUseId":{id},"name":{name},"input":{input}}}}}"#))
    }

    /// Returns the id of a call as the vendor takes it; other vendors' ids may be longer or have other characters.
    pub(super) fn id(&self, call: &Call) -> String {
        let id = call.id.as_str();
        let is_legal = |c: char| c.is_ascii_alphanumeric() || PUNCTUATION.contains(c);
        match !id.is_empty() && id.len() <= self.rules.chars_max() && id.chars().all(is_legal) {
            true => id.to_owned(),
            false => self.rules.name_of(&Identity::own(id)),
        }
    }
}
