//! The body of a request, and the same as a row of blocks that a cache tells apart.

use oncue_agent::cache::{self, Breakpoints, Prompt, Tier};
use oncue_agent::{Disclosure, EncodeError, Encoded, Request};
use serde_json::{Map, Value, json};

use super::choice;
use super::messages::Messages;
use super::said::Replies;
use crate::Names;
use crate::blocks::{Block, Message};
use crate::compose::{Fields, turns};
use crate::endpoint::Endpoint;

/// A mark behind which a cached prefix ends. It is a block of its own.
const MARK: &str = r#"{"cachePoint":{"type":"default"}}"#;

/// What the ids of models have in common that take text behind results in one message.
const MIXES: &str = "anthropic.claude";

/// Returns the body of a request and what a cache sees of it.
pub(super) fn encode(endpoint: &Endpoint, request: &Request<'_>) -> Result<Encoded, EncodeError> {
    if endpoint.disclosure != Disclosure::Append {
        return Err(EncodeError::Unsupported(
            "Converse has no form for this disclosure: use append, or by-reference with Claude"
                .to_owned(),
        ));
    }
    let mut losses = Vec::new();
    let rules = endpoint.name_rules;
    let names = Names::of_request(rules, endpoint.disclosure, request)?;
    let (inline, found) = choice::tools(request, &names, rules, &mut losses);
    let choice = choice::choice(&request.choice, &names, &mut losses);
    let replies = Replies { names: &names, model: &endpoint.model, rules };
    let turns = turns(request.items, &mut losses);
    let mixes = endpoint.model.contains(MIXES);
    let (messages, marked) = Messages::new(replies, mixes).of(&turns, &mut losses)?;
    let system = (!request.system.is_empty()).then(|| Block::of(&json!({"text": request.system})));
    let parts = Parts { endpoint, request, inline, found, choice, system, messages, marked };
    Ok(Encoded { body: parts.body().into_bytes(), prompt: parts.prompt(), losses })
}

/// What a request is put together from.
struct Parts<'r> {
    endpoint: &'r Endpoint,
    request: &'r Request<'r>,
    /// Tools that every request of the session has.
    inline: Vec<Block>,
    found: Vec<Block>,
    choice: Option<String>,
    system: Option<Block>,
    messages: Vec<Message>,
    /// The messages behind which a mark stands.
    marked: [Option<usize>; 2],
}

impl Parts<'_> {
    fn body(&self) -> String {
        let mut fields = Fields::default();
        let settings = self.settings();
        if !settings.is_empty() {
            fields.put("inferenceConfig", settings);
        }
        if let Some(tools) = self.tools() {
            fields.put("toolConfig", tools);
        }
        if let Some(system) = &self.system {
            let mark = self.mark();
            fields.put("system", format!("[{}{mark}]", system.json()));
        }
        fields.put("messages", self.messages_json());
        let more = self.more();
        if !more.is_empty() {
            fields.put("additionalModelRequestFields", Value::Object(more).to_string());
        }
        fields.extend(&self.endpoint.extra);
        fields.json()
    }

    /// Returns how long and how freely the model writes; empty where neither is said.
    fn settings(&self) -> String {
        let mut fields = Fields::default();
        if let Some(tokens) = self.endpoint.output_tokens(self.request.output_tokens_max) {
            fields.put("maxTokens", tokens.to_string());
        }
        if let Some(temperature) = self.request.temperature.or(self.endpoint.temperature) {
            fields.put_number("temperature", temperature);
        }
        match fields.json().as_str() {
            "{}" => String::new(),
            json => json.to_owned(),
        }
    }

    /// Returns what the model's own protocol is told beside this one.
    fn more(&self) -> Map<String, Value> {
        let facts = &self.endpoint.facts;
        let mut more = facts.body.clone();
        if !facts.betas.is_empty() {
            more.insert("anthropic_beta".to_owned(), json!(facts.betas));
        }
        more
    }

    fn tools(&self) -> Option<String> {
        if self.inline.is_empty() && self.found.is_empty() {
            return None;
        }
        let mut tools: Vec<&str> = self.inline.iter().map(Block::json).collect();
        if self.has_marks() && !tools.is_empty() {
            tools.push(MARK);
        }
        tools.extend(self.found.iter().map(Block::json));
        let choice = match &self.choice {
            Some(choice) => format!(r#","toolChoice":{choice}"#),
            None => String::new(),
        };
        Some(format!(r#"{{"tools":[{}]{choice}}}"#, tools.join(",")))
    }

    fn messages_json(&self) -> String {
        let messages = self.messages.iter().enumerate().map(|(at, message)| {
            let blocks: Vec<&str> = message.blocks.iter().map(Block::json).collect();
            let mark = if self.marked.contains(&Some(at)) { self.mark() } else { "" };
            let role = message.role.as_str();
            format!(r#"{{"role":"{role}","content":[{}{mark}]}}"#, blocks.join(","))
        });
        format!("[{}]", messages.collect::<Vec<_>>().join(","))
    }

    /// Returns a mark with the comma before it, where the model knows marks; others refuse them.
    fn mark(&self) -> &'static str {
        const BEHIND: &str = r#",{"cachePoint":{"type":"default"}}"#;
        if self.has_marks() { BEHIND } else { "" }
    }

    fn has_marks(&self) -> bool {
        let rules = self.endpoint.facts.cache;
        rules.is_some_and(|rules| matches!(rules.breakpoints, Breakpoints::Explicit { .. }))
    }

    /// Returns what the vendor's cache sees: tools, the system text, messages.
    fn prompt(&self) -> Prompt {
        let has_marks = self.has_marks();
        let mut blocks = Vec::new();
        let mut push = |tier, role: &str, block: &Block, is_marked: bool| {
            let block = cache::Block::new(tier, &block.bytes(role), block.tokens);
            blocks.push(if is_marked && has_marks { block.cut() } else { block });
        };
        for (at, tool) in self.inline.iter().enumerate() {
            push(Tier::Tools, "", tool, at + 1 == self.inline.len());
        }
        for tool in &self.found {
            push(Tier::Tools, "", tool, false);
        }
        if let Some(system) = &self.system {
            push(Tier::System, "", system, true);
        }
        let choice = Block::new(self.choice.clone().unwrap_or_default()).with_tokens(0);
        push(Tier::Messages, "", &choice, false);
        for (at, message) in self.messages.iter().enumerate() {
            let last = message.blocks.len().saturating_sub(1);
            for (place, block) in message.blocks.iter().enumerate() {
                let is_marked = place == last && self.marked.contains(&Some(at));
                push(Tier::Messages, message.role.as_str(), block, is_marked);
            }
        }
        Prompt::new(self.endpoint.model.clone(), blocks)
    }
}
