//! The body of a request, and the same as a row of blocks that a cache tells apart.
//!
//! Marks stand behind the last tool that every request of the session has, behind the system text, and behind the last message of the user in this request and in the one before: four in all, which is as many as the vendor takes.
//! So the place up to which the step before has written is read exactly, however much came in between; the vendor looks back no further than 20 blocks on its own.

use oncue_agent::cache::{self, Prompt, Tier};
use oncue_agent::conversation::{Author, Item};
use oncue_agent::{Disclosure, EncodeError, Encoded, Request};
use serde_json::{Value, json};

use super::messages::Messages;
use super::said::Replies;
use super::search::Searches;
use super::tools::{self, Tools};
use super::{Anthropic, Host, WIRE};
use crate::Names;
use crate::blocks::{Block, Message};
use crate::compose::Fields;
use crate::limits::ANTHROPIC_OUTPUT_TOKENS;

/// The version of the protocol at AWS Bedrock.
#[cfg(any(test, feature = "bedrock"))]
const BEDROCK_VERSION: &str = "bedrock-2023-05-31";

/// Returns the body of a request and what a cache sees of it.
pub(super) fn encode(wire: &Anthropic, request: &Request<'_>) -> Result<Encoded, EncodeError> {
    let (disclosure, rules) = (wire.endpoint.disclosure, wire.endpoint.name_rules);
    if matches!(disclosure, Disclosure::Mask | Disclosure::ClientSearch) {
        return Err(EncodeError::Unsupported(
            "the Messages protocol has no form for this disclosure: use by-reference, by-value or append"
                .to_owned(),
        ));
    }
    let mut losses = Vec::new();
    let names = Names::of_request(rules, disclosure, request)?;
    let tools = Tools::of(request, disclosure, &names, &mut losses)?;
    let replies = Replies { names: &names, model: &wire.endpoint.model, rules };
    let searches = Searches::new(request, disclosure, &names);
    let (messages, marked) =
        Messages::new(replies, searches, disclosure).of(request, &mut losses)?;
    let system = (!request.system.is_empty()).then(|| Block::text(request.system));
    let has_tools = !tools.shown.is_empty();
    let choice = tools::choice(&request.choice, &names).filter(|_| has_tools);
    let parts = Parts { wire, request, tools, system, messages, choice, marked };
    Ok(Encoded { body: parts.body().into_bytes(), prompt: parts.prompt(), losses })
}

/// What a request is put together from.
struct Parts<'r> {
    wire: &'r Anthropic,
    request: &'r Request<'r>,
    tools: Tools,
    system: Option<Block>,
    messages: Vec<Message>,
    choice: Option<String>,
    /// The messages behind which a mark stands.
    marked: [Option<usize>; 2],
}

impl Parts<'_> {
    /// Returns the JSON of the request; what changes from step to step stands behind what does not.
    fn body(&self) -> String {
        let mut fields = Fields::default();
        let endpoint = &self.wire.endpoint;
        match self.wire.host {
            Host::Anthropic => fields.put_text("model", &endpoint.model),
            #[cfg(any(test, feature = "bedrock"))]
            Host::Bedrock => {
                fields.put_text("anthropic_version", BEDROCK_VERSION);
                let betas = self.wire.betas();
                if !betas.is_empty() {
                    fields.put("anthropic_beta", json!(betas).to_string());
                }
            }
        }
        fields.put("max_tokens", self.output_tokens().to_string());
        if let Some(temperature) = self.request.temperature.or(endpoint.temperature) {
            fields.put_number("temperature", temperature);
        }
        if !self.tools.shown.is_empty() {
            fields.put("tools", self.tools_json());
        }
        if let Some(system) = &self.system {
            fields.put("system", format!("[{}]", marked(system)));
        }
        fields.put("messages", self.messages_json());
        if let Some(choice) = &self.choice {
            fields.put("tool_choice", choice.clone());
        }
        if endpoint.asks_why_missed {
            let last = json!({"previous_message_id": self.last_id()});
            fields.put("diagnostics", last.to_string());
        }
        fields.extend(&endpoint.facts.body);
        fields.extend(&endpoint.extra);
        fields.json()
    }

    /// Returns the longest reply, in tokens, which the vendor wants to be told.
    fn output_tokens(&self) -> u32 {
        let endpoint = &self.wire.endpoint;
        let most = endpoint.facts.output_tokens.unwrap_or(u32::MAX);
        endpoint
            .output_tokens(self.request.output_tokens_max)
            .unwrap_or(ANTHROPIC_OUTPUT_TOKENS)
            .min(most)
    }

    fn tools_json(&self) -> String {
        let shown = self.tools.shown.iter().enumerate().map(|(at, tool)| {
            if self.is_marked_tool(at) { marked(tool) } else { tool.json().to_owned() }
        });
        let all: Vec<String> = shown.chain(self.tools.deferred.iter().cloned()).collect();
        format!("[{}]", all.join(","))
    }

    fn messages_json(&self) -> String {
        let messages = self.messages.iter().enumerate().map(|(at, message)| {
            let last = message.blocks.len().saturating_sub(1);
            let blocks = message.blocks.iter().enumerate().map(|(place, block)| {
                match place == last && self.marked.contains(&Some(at)) {
                    true => marked(block),
                    false => block.json().to_owned(),
                }
            });
            let blocks: Vec<String> = blocks.collect();
            let role = message.role.as_str();
            format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(","))
        });
        format!("[{}]", messages.collect::<Vec<_>>().join(","))
    }

    /// Returns what the vendor's cache sees: tools that are not deferred, the system text, messages.
    ///
    /// What may be called and how much is thought decide how the conversation is read, so a change there loses what is kept of it, but nothing before it.
    fn prompt(&self) -> Prompt {
        let mut blocks = Vec::new();
        let mut push = |tier, role: &str, block: &Block, is_marked: bool| {
            let block = cache::Block::new(tier, &block.bytes(role), block.tokens);
            blocks.push(if is_marked { block.cut() } else { block });
        };
        for (at, tool) in self.tools.shown.iter().enumerate() {
            push(Tier::Tools, "", tool, self.is_marked_tool(at));
        }
        if let Some(system) = &self.system {
            push(Tier::System, "", system, true);
        }
        let thinking = self.setting("thinking").map(Value::to_string);
        let settings = [self.choice.as_deref(), thinking.as_deref()].map(Option::unwrap_or_default);
        push(Tier::Messages, "", &Block::new(settings.join("\n")).with_tokens(0), false);
        for (at, message) in self.messages.iter().enumerate() {
            let last = message.blocks.len().saturating_sub(1);
            for (place, block) in message.blocks.iter().enumerate() {
                let is_marked = place == last && self.marked.contains(&Some(at));
                push(Tier::Messages, message.role.as_str(), block, is_marked);
            }
        }
        Prompt::new(self.wire.endpoint.model.clone(), blocks)
    }

    /// Returns a field that the endpoint or its model adds to the body.
    fn setting(&self, name: &str) -> Option<&Value> {
        let endpoint = &self.wire.endpoint;
        endpoint.extra.get(name).or_else(|| endpoint.facts.body.get(name))
    }

    fn is_marked_tool(&self, at: usize) -> bool {
        at + 1 == self.tools.inline
    }

    /// Returns the id of the last reply that came over this wire.
    fn last_id(&self) -> Option<&str> {
        let mut replies = self.request.items.iter().rev().filter_map(|item| match item {
            Item::Reply(said) if said.by == Author::Model => said.raw.as_ref(),
            _ => None,
        });
        replies.find(|raw| raw.wire == WIRE)?.value.get("id")?.as_str()
    }
}

/// Returns a block with a mark behind which a cached prefix ends.
fn marked(block: &Block) -> String {
    block.with_field("cache_control", r#"{"type":"ephemeral"}"#)
}
