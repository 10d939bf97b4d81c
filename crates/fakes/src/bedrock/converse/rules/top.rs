//! The outermost fields of a body.

use serde_json::{Map, Value};

use super::{cache_point, constraint, held, member, variant};
use crate::bedrock::converse::vendor_row;
use crate::bedrock::error::invalid;
use crate::bedrock::path::model_id;
use crate::limits::{CACHE_MARKS_MAX, RUNTIME_BODY_BYTES_MAX};
use crate::shape::{Field, Kind, may};
use crate::wire::Checked;
use crate::{Asked, read};

const BODY: [Field; 13] = [
    may("messages", Kind::List),
    may("system", Kind::List),
    may("inferenceConfig", Kind::Object),
    may("toolConfig", Kind::Object),
    may("guardrailConfig", Kind::Object),
    may("projectIdentifier", Kind::Text),
    may("additionalModelRequestFields", Kind::Object),
    may("promptVariables", Kind::Object),
    may("additionalModelResponseFieldPaths", Kind::List),
    may("requestMetadata", Kind::Object),
    may("performanceConfig", Kind::Object),
    may("serviceTier", Kind::Object),
    may("outputConfig", Kind::Object),
];

const INFERENCE: [Field; 4] = [
    may("maxTokens", Kind::Number),
    may("temperature", Kind::Number),
    may("topP", Kind::Number),
    may("stopSequences", Kind::List),
];

pub(super) fn check(asked: &Asked, body: &Map<String, Value>) -> Checked {
    let id = model_id(&asked.path);
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '/' | '_');
    if !id.chars().all(is_legal) || !(id.contains('.') || id.starts_with("arn:aws")) {
        return Err(invalid("The provided model identifier is invalid."));
    }
    held(body, &BODY, "")?;
    if asked.body.to_string().len() > RUNTIME_BODY_BYTES_MAX {
        return Err(invalid("Input is too long for requested model."));
    }
    inference(asked, body)?;
    system(body)?;
    match marks(&asked.body) {
        count if count > CACHE_MARKS_MAX => Err(invalid(format!(
            "A maximum of {CACHE_MARKS_MAX} cachePoint blocks may be provided. Found {count}."
        ))),
        _ => Ok(()),
    }
}

fn inference(asked: &Asked, body: &Map<String, Value>) -> Checked {
    let Some(config) = body.get("inferenceConfig").and_then(Value::as_object) else {
        return Ok(());
    };
    held(config, &INFERENCE, "inferenceConfig")?;
    if let Some(tokens) = config.get("maxTokens")
        && tokens.as_u64().is_none_or(|tokens| tokens == 0)
    {
        let rule = "Member must have value greater than or equal to 1";
        return Err(constraint("inferenceConfig.maxTokens", rule));
    }
    let number = |name: &str| config.get(name).and_then(Value::as_f64);
    for name in ["temperature", "topP"] {
        if number(name).is_some_and(|value| !(0.0..=1.0).contains(&value)) {
            let rule = "Member must have value between 0 and 1";
            return Err(constraint(&format!("inferenceConfig.{name}"), rule));
        }
    }
    let stops = read::list(config.get("stopSequences"));
    if stops.iter().any(|stop| stop.as_str().is_none_or(str::is_empty)) {
        let rule = "Member must have length greater than or equal to 1";
        return Err(constraint("inferenceConfig.stopSequences", rule));
    }
    let is_fixed = vendor_row(asked).is_some_and(|row| !row.takes_budget);
    let is_set = number("temperature").is_some_and(|value| value < 1.0) || number("topP").is_some();
    match is_fixed && is_set {
        true => Err(invalid(
            "The model returned the following errors: `temperature` is deprecated for this model.",
        )),
        false => Ok(()),
    }
}

fn system(body: &Map<String, Value>) -> Checked {
    for (at, block) in read::list(body.get("system")).iter().enumerate() {
        let path = member("system", at);
        let (kind, inner) = variant(block, &path)?;
        match (kind, inner) {
            ("text", Value::String(text)) if !text.is_empty() => {}
            ("text", _) => {
                let rule = "Member must have length greater than or equal to 1";
                return Err(constraint(&format!("{path}.text"), rule));
            }
            ("cachePoint", point) => cache_point(point, &format!("{path}.cachePoint"))?,
            ("guardContent", Value::Object(_)) => {}
            (kind, _) => return Err(unknown(&path, kind)),
        }
    }
    Ok(())
}

/// A member that a union does not have.
pub(super) fn unknown(path: &str, kind: &str) -> crate::Refusal {
    invalid(format!("Malformed input request: extraneous key [{path}.{kind}] is not permitted"))
}

/// Counts the marks for the cache, wherever they stand.
fn marks(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            usize::from(fields.contains_key("cachePoint"))
                + fields.values().map(marks).sum::<usize>()
        }
        Value::Array(entries) => entries.iter().map(marks).sum(),
        _ => 0,
    }
}
