//! The outermost fields of a body.

use serde_json::Value;

use super::held;
use crate::anthropic::Door;
use crate::anthropic::request::{Request, invalid};
use crate::limits::{MESSAGES_BODY_BYTES_MAX, MESSAGES_MAX, THINKING_BUDGET_TOKENS_MIN};
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;
use crate::{Refusal, read};

/// Fields that both doors know.
const BOTH: [Field; 15] = [
    need("max_tokens", Kind::Number),
    need("messages", Kind::List),
    may("cache_control", Kind::Object),
    may("container", Kind::Any),
    may("diagnostics", Kind::Object),
    may("inference_geo", Kind::Text),
    may("metadata", Kind::Object),
    may("output_config", Kind::Object),
    may("service_tier", Kind::Text),
    may("speed", Kind::Text),
    may("stop_sequences", Kind::List),
    may("system", Kind::TextOrList),
    may("thinking", Kind::Object),
    may("tool_choice", Kind::Object),
    may("tools", Kind::List),
];

/// Fields that only the first version knows.
const SAMPLING: [Field; 3] =
    [may("temperature", Kind::Number), may("top_k", Kind::Number), may("top_p", Kind::Number)];

const DIRECT: [Field; 2] = [need("model", Kind::Text), may("stream", Kind::Flag)];

const INVOKE: [Field; 2] =
    [need("anthropic_version", Kind::Text), may("anthropic_beta", Kind::List)];

/// The version that the body names behind the other door.
const INVOKE_VERSION: &str = "bedrock-2023-05-31";

pub(super) fn check(request: &Request<'_>) -> Checked {
    let of_door = match request.door {
        Door::Direct => DIRECT,
        Door::Invoke => INVOKE,
    };
    let of_version = SAMPLING.into_iter().filter(|_| !request.is_second_version);
    let fields: Vec<Field> = BOTH.into_iter().chain(of_door).chain(of_version).collect();
    held(request.body, &fields, "")?;
    let body = request.body;
    if request.door == Door::Invoke
        && body.get("anthropic_version").and_then(Value::as_str) != Some(INVOKE_VERSION)
    {
        return Err(invalid(format!("anthropic_version: Input should be '{INVOKE_VERSION}'")));
    }
    match body.get("max_tokens").and_then(Value::as_u64) {
        None => return Err(invalid("max_tokens: Input should be a valid integer")),
        Some(0) => {
            return Err(invalid("max_tokens: Input should be greater than or equal to 1"));
        }
        Some(_) => {}
    }
    sampling(request)?;
    thinking(request)?;
    diagnostics(request)?;
    match request.messages().len() {
        0 => return Err(invalid("messages: at least one message is required")),
        count if count > MESSAGES_MAX => {
            let message = format!("messages: List should have at most {MESSAGES_MAX} items");
            return Err(invalid(message));
        }
        _ => {}
    }
    let bytes = Value::Object(body.clone()).to_string().len();
    if bytes > MESSAGES_BODY_BYTES_MAX {
        let message = "Request exceeds the maximum size";
        return Err(Refusal::new(413, "request_too_large", message));
    }
    Ok(())
}

/// Newer models take no settings of how freely words are chosen.
fn sampling(request: &Request<'_>) -> Checked {
    let number = |name: &str| request.body.get(name).and_then(Value::as_f64);
    for name in ["temperature", "top_p"] {
        if number(name).is_some_and(|value| !(0.0..=1.0).contains(&value)) {
            return Err(invalid(format!("{name}: Input should be between 0 and 1")));
        }
    }
    if request.model.takes_budget {
        return Ok(());
    }
    let is_set = |name: &&str| match number(name) {
        Some(value) => **name != *"temperature" || value < 1.0,
        None => false,
    };
    match ["temperature", "top_p", "top_k"].iter().find(|name| is_set(name)) {
        Some(name) => Err(invalid(format!("`{name}` is deprecated for this model."))),
        None => Ok(()),
    }
}

fn thinking(request: &Request<'_>) -> Checked {
    let Some(thinking) = request.body.get("thinking").and_then(Value::as_object) else {
        return Ok(());
    };
    let kind = read::text(thinking.get("type"));
    let fields: &[Field] = match kind {
        "enabled" => &[
            need("type", Kind::Text),
            need("budget_tokens", Kind::Number),
            may("display", Kind::Text),
        ],
        "adaptive" => &[need("type", Kind::Text), may("display", Kind::Text)],
        "disabled" | "between_tools" => &[need("type", Kind::Text)],
        _ => {
            return Err(invalid(
                "thinking: Input tag found using 'type' does not match any of the expected tags: 'adaptive', 'between_tools', 'disabled', 'enabled'",
            ));
        }
    };
    held(thinking, fields, &format!("thinking.{kind}"))?;
    if kind != "enabled" {
        return Ok(());
    }
    if !request.model.takes_budget {
        return Err(invalid(
            "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.",
        ));
    }
    let budget = thinking.get("budget_tokens").and_then(Value::as_u64).unwrap_or_default();
    if budget < THINKING_BUDGET_TOKENS_MIN {
        let message = format!(
            "thinking.enabled.budget_tokens: Input should be greater than or equal to {THINKING_BUDGET_TOKENS_MIN}"
        );
        return Err(invalid(message));
    }
    match request.body.get("max_tokens").and_then(Value::as_u64) {
        Some(whole) if whole <= budget => {
            Err(invalid("`max_tokens` must be greater than `thinking.budget_tokens`."))
        }
        _ => Ok(()),
    }
}

fn diagnostics(request: &Request<'_>) -> Checked {
    match request.body.get("diagnostics").and_then(Value::as_object) {
        Some(asked) => held(asked, &[may("previous_message_id", Kind::Text)], "diagnostics"),
        None => Ok(()),
    }
}
