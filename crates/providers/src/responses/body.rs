//! The body of a request, and the same as a row of blocks that a cache tells apart.

use oncue_agent::conversation::{Author, Item};
use oncue_agent::{EncodeError, Encoded, Request};
use serde_json::json;

use super::{WIRE, items, tools};
use crate::Names;
use crate::blocks::Block;
use crate::compose::{self, Fields, quoted};
use crate::endpoint::Endpoint;

/// Returns the body of a request and what a cache sees of it.
pub(super) fn encode(endpoint: &Endpoint, request: &Request<'_>) -> Result<Encoded, EncodeError> {
    let mut losses = Vec::new();
    let names = Names::of_request(endpoint.name_rules, endpoint.disclosure, request)?;
    let writer = tools::Writer { endpoint, names: &names };
    let tools = writer.tools(request, &mut losses)?;
    let choice = match tools.is_empty() {
        true => None,
        false => writer.choice(request)?,
    };
    let items = items::Items { request, tools: &writer, losses: &mut losses }.items();
    if items.is_empty() {
        return Err(EncodeError::Unsupported(
            "the conversation is empty: put what the user says into it".to_owned(),
        ));
    }
    let instructions = (!request.system.is_empty()).then(|| Block::new(quoted(request.system)));
    let mut fields = Fields::default();
    fields.put_text("model", &endpoint.model);
    if let Some(tokens) = endpoint.output_tokens(request.output_tokens_max) {
        fields.put("max_output_tokens", tokens.to_string());
    }
    if let Some(temperature) = request.temperature.or(endpoint.temperature) {
        fields.put_number("temperature", temperature);
    }
    fields.put("store", "false");
    if reasons(endpoint) {
        // Without them the vendor refuses its own thoughts, since it has kept none.
        fields.put("include", r#"["reasoning.encrypted_content"]"#);
    }
    if let Some(session) = request.session {
        fields.put_text("prompt_cache_key", session);
    }
    if let Some(id) = last_id(request).filter(|_| endpoint.asks_why_missed) {
        fields.put("prompt_cache_options", json!({"comparison_response_id": id}).to_string());
    }
    if !tools.is_empty() {
        fields.put("tools", compose::list(&tools));
    }
    if let Some(instructions) = &instructions {
        fields.put("instructions", instructions.json());
    }
    fields.put("input", compose::list(&items));
    if let Some(choice) = choice {
        fields.put("tool_choice", choice);
    }
    fields.extend(&endpoint.facts.body);
    fields.extend(&endpoint.extra);
    let prompt = compose::prompt(&endpoint.model, &tools, instructions.as_ref(), &items);
    Ok(Encoded { body: fields.json().into_bytes(), prompt, losses })
}

/// Says whether the model has thoughts that it wants back: by the names that the vendor gives such models, or because the endpoint asks for them.
fn reasons(endpoint: &Endpoint) -> bool {
    if endpoint.extra.contains_key("reasoning") {
        return true;
    }
    let model = endpoint.model.as_str();
    let digit = |prefix: &str| {
        model.strip_prefix(prefix).and_then(|rest| rest.chars().next()).and_then(|c| c.to_digit(10))
    };
    let is_chat_only = model.contains("-chat");
    let is_recent = digit("gpt-").is_some_and(|generation| generation >= 5);
    endpoint.is_openai() && !is_chat_only && (is_recent || digit("o").is_some())
}

/// Returns the id of the last reply that came over this wire.
fn last_id<'r>(request: &'r Request<'_>) -> Option<&'r str> {
    let mut replies = request.items.iter().rev().filter_map(|item| match item {
        Item::Reply(said) if said.by == Author::Model => said.raw.as_ref(),
        _ => None,
    });
    replies.find(|raw| raw.wire == WIRE)?.value.get("id")?.as_str()
}
