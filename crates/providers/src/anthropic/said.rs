//! Replies of earlier steps: as the vendor sent them where it was this one, written anew where it was not.

use oncue_agent::conversation::{Call, Part, Said};
use oncue_tools::{Identity, NameRules};
use serde_json::{Value, json};

use super::WIRE;
use crate::Names;
use crate::blocks::Block;
use crate::compose::{legal_name, object_or_empty, quoted};

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

    /// Returns the reply as it came.
    ///
    /// Three things are mended, each of which the vendor would refuse: blank texts, ids that the loop has changed and inputs that are no objects.
    /// Thoughts go back to the model that thought them; others cannot read them, and some refuse them.
    /// `None` where the calls are not those of the reply any more.
    fn replayed(&self, said: &Said, raw: &Value) -> Option<Vec<Block>> {
        let content = raw.get("content")?.as_array()?;
        let is_own = raw.get("model").and_then(Value::as_str) == Some(self.model);
        let mut calls = said.calls();
        let mut blocks = Vec::new();
        for block in content {
            match block.get("type").and_then(Value::as_str)? {
                "thinking" | "redacted_thinking" if !is_own => {}
                "text" if is_blank(block) => {}
                "tool_use" => {
                    let mut block = block.as_object()?.clone();
                    block.insert("id".to_owned(), json!(self.id(calls.next()?)));
                    if !block.get("input").is_some_and(Value::is_object) {
                        block.insert("input".to_owned(), json!({}));
                    }
                    blocks.push(Block::of(&block));
                }
                _ => blocks.push(Block::of(block)),
            }
        }
        calls.next().is_none().then_some(blocks)
    }

    /// Returns the reply in the vendor's form. Thoughts are left out: they are of use to their own vendor alone.
    fn anew(&self, said: &Said) -> Vec<Block> {
        let blocks = said.parts.iter().filter_map(|part| match part {
            Part::Text { text } if text.trim().is_empty() => None,
            Part::Text { text } => Some(Block::text(text)),
            Part::Call(call) => Some(self.call(call)),
            _ => None,
        });
        blocks.collect()
    }

    fn call(&self, call: &Call) -> Block {
        let id = quoted(&self.id(call));
        let name = quoted(&legal_name(self.names, self.rules, &call.name));
        let input = object_or_empty(&call.arguments);
        Block::new(format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#))
    }

    /// Returns the id of a call as the vendor takes it; other vendors' ids may have other characters.
    pub(super) fn id(&self, call: &Call) -> String {
        match call.id.as_str() {
            id if self.rules.admits(id) => id.to_owned(),
            id => self.rules.name_of(&Identity::own(id)),
        }
    }
}

fn is_blank(block: &Value) -> bool {
    block.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty())
}
