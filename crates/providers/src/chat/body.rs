//! The body of a request, and the same as a row of blocks that a cache tells apart.

use oncue_agent::{EncodeError, Encoded, Request};
use serde_json::json;

use super::{Chat, STREAM_OPTIONS, messages, tools};
use crate::Names;
use crate::blocks::Block;
use crate::compose::{self, Fields, quoted};

/// Returns the body of a request and what a cache sees of it.
pub(super) fn encode(chat: &Chat, request: &Request<'_>) -> Result<Encoded, EncodeError> {
    let endpoint = &chat.endpoint;
    let mut losses = Vec::new();
    let names = Names::of_request(endpoint.name_rules, endpoint.disclosure, request)?;
    let tools = tools::tools(chat, request, &names, &mut losses)?;
    let choice = match tools.is_empty() {
        true => None,
        false => tools::choice(chat, request, &names)?,
    };
    let system = (!request.system.is_empty())
        .then(|| Block::new(json!({"role": "system", "content": request.system}).to_string()));
    let mut writer =
        messages::Writer { names: &names, rules: endpoint.name_rules, losses: &mut losses };
    let messages = writer.messages(request);
    if messages.is_empty() {
        return Err(EncodeError::Unsupported(
            "the conversation is empty: put what the user says into it".to_owned(),
        ));
    }
    let mut fields = Fields::default();
    fields.put_text("model", &endpoint.model);
    if let Some(tokens) = endpoint.output_tokens(request.output_tokens_max) {
        // OpenAI's newer models refuse the old name, and others know no other.
        let name = if chat.endpoint.is_openai() { "max_completion_tokens" } else { "max_tokens" };
        fields.put(name, tokens.to_string());
    }
    if let Some(temperature) = request.temperature.or(endpoint.temperature) {
        fields.put_number("temperature", temperature);
    }
    if let Some(session) = request.session.filter(|_| chat.endpoint.is_openai()) {
        fields.put("prompt_cache_key", quoted(session));
    }
    if !tools.is_empty() {
        fields.put("tools", compose::list(&tools));
    }
    let all: Vec<Block> = system.iter().chain(&messages).cloned().collect();
    fields.put("messages", compose::list(&all));
    if let Some(choice) = choice {
        fields.put("tool_choice", choice);
    }
    fields.extend(&endpoint.facts.body);
    fields.extend(endpoint.extra.iter().filter(|(name, _)| *name != STREAM_OPTIONS));
    let prompt = compose::prompt(&endpoint.model, &tools, system.as_ref(), &messages);
    Ok(Encoded { body: fields.json().into_bytes(), prompt, losses })
}
