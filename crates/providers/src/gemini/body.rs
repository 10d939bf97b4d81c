//! The body of a request, and the same as a row of blocks that a cache tells apart.

use oncue_agent::{EncodeError, Encoded, Request};
use serde_json::{Map, Value, json};

use super::{contents, signs, tools};
use crate::Names;
use crate::blocks::Block;
use crate::compose::{self, Fields};
use crate::endpoint::Endpoint;

/// The field that holds settings of the reply, one of which is ours and others may be the endpoint's.
const SETTINGS: &str = "generationConfig";

/// Returns the body of a request and what a cache sees of it.
pub(super) fn encode(endpoint: &Endpoint, request: &Request<'_>) -> Result<Encoded, EncodeError> {
    let mut losses = Vec::new();
    let names = Names::of_request(endpoint.name_rules, endpoint.disclosure, request)?;
    let tools = tools::tools(endpoint, request, &names, &mut losses)?;
    let choice = match tools.is_empty() {
        true => None,
        false => tools::choice(endpoint, request, &names),
    };
    let writer = contents::Writer {
        names: &names,
        rules: endpoint.name_rules,
        signs: signs(&endpoint.model),
        losses: &mut losses,
    };
    let contents = writer.contents(request.items);
    if contents.is_empty() {
        return Err(EncodeError::Unsupported(
            "the conversation is empty: put what the user says into it".to_owned(),
        ));
    }
    let system = (!request.system.is_empty())
        .then(|| Block::of(&json!({"parts": [{"text": request.system}]})));
    let mut fields = Fields::default();
    if !tools.is_empty() {
        let tools = compose::list(&tools);
        fields.put("tools", format!(r#"[{{"functionDeclarations":{tools}}}]"#));
    }
    if let Some(choice) = choice {
        fields.put("toolConfig", choice);
    }
    if let Some(system) = &system {
        fields.put("systemInstruction", system.json());
    }
    fields.put("contents", compose::list(&contents));
    let settings = settings(endpoint, request);
    if !settings.is_empty() {
        fields.put(SETTINGS, Value::Object(settings).to_string());
    }
    let extra = endpoint.facts.body.iter().chain(&endpoint.extra);
    fields.extend(extra.filter(|(name, _)| *name != SETTINGS));
    let prompt = compose::prompt(&endpoint.model, &tools, system.as_ref(), &contents);
    Ok(Encoded { body: fields.json().into_bytes(), prompt, losses })
}

/// Returns the settings of the reply, those of the endpoint among them.
fn settings(endpoint: &Endpoint, request: &Request<'_>) -> Map<String, Value> {
    let mut settings = Map::new();
    if let Some(tokens) = endpoint.output_tokens(request.output_tokens_max) {
        settings.insert("maxOutputTokens".to_owned(), Value::from(tokens));
    }
    if let Some(temperature) = request.temperature.or(endpoint.temperature) {
        // By its text, which the way over a wider type would lengthen.
        let temperature = serde_json::to_string(&temperature).unwrap_or_default();
        let temperature = serde_json::from_str::<Value>(&temperature).unwrap_or_default();
        settings.insert("temperature".to_owned(), temperature);
    }
    for body in [&endpoint.facts.body, &endpoint.extra] {
        let own = body.get(SETTINGS).and_then(Value::as_object).into_iter().flatten();
        settings.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    }
    settings.retain(|_, value| !value.is_null());
    settings
}
