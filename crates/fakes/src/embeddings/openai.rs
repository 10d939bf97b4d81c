//! OpenAI's protocol for embeddings, which most servers speak.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Map, Value, json};

use super::{Known, meaning, no_cache, scripted};
use crate::limits::{EMBEDDINGS_INPUTS_MAX, EMBEDDINGS_REQUEST_TOKENS_MAX, EMBEDDINGS_TOKENS_MAX};
use crate::openai::fields::{self, Kind};
use crate::openai::{failure, fault, key};
use crate::wire::Checked;
use crate::{Asked, Failure, Refusal, Scripted, Wire, read, tokens};

/// What the server says to a request without a key.
const NO_KEY: &str = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";

/// What the server says to a text or a list that is empty.
const INVALID_INPUT: &str = "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.";

const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("input", Kind::Any),
    ("encoding_format", Kind::Word(&["float", "base64"])),
    ("dimensions", Kind::Whole(1)),
    ("user", Kind::Text),
];

/// The fake of `POST /v1/embeddings`.
///
/// It answers every [`Scripted::Reply`] with the vectors of the texts, in which each word has its place; a piece that is opaque stands in the place of `data`.
/// The entries of `data` come in the reverse of the order of the texts, since their indexes are what counts.
///
/// ```
/// use oncue_fakes::{Embeddings, Wire};
///
/// assert!(Embeddings::openai().serves("/v1/embeddings"));
/// ```
#[derive(Clone, Debug)]
pub struct Embeddings {
    is_local: bool,
    models: Vec<Known>,
}

impl Embeddings {
    /// OpenAI's own server.
    #[must_use]
    pub fn openai() -> Self {
        let models = [
            ("text-embedding-3-small", 1_536),
            ("text-embedding-3-large", 3_072),
            ("text-embedding-ada-002", 1_536),
        ];
        let models = models.map(|(model, width)| (model.to_owned(), width)).to_vec();
        Self { is_local: false, models }
    }

    /// A local server of one model: it asks for no key.
    #[must_use]
    pub fn local(model: impl Into<String>, width: usize) -> Self {
        Self { is_local: true, models: vec![(model.into(), width)] }
    }

    /// Returns the numbers of a vector that the request asks for.
    fn width(&self, body: &Value) -> Option<usize> {
        let model = read::text(body.get("model"));
        let (_, width) = self.models.iter().find(|(known, _)| known == model)?;
        let asked = body["dimensions"].as_u64().and_then(|asked| usize::try_from(asked).ok());
        Some(asked.unwrap_or(*width))
    }

    fn check_model(&self, body: &Map<String, Value>) -> Checked {
        let model = fields::required_text(body, "", "model")?;
        let Some((_, width)) = self.models.iter().find(|(known, _)| known == model) else {
            let message =
                format!("The model `{model}` does not exist or you do not have access to it.");
            let refusal = fault::fault(None, Some("model_not_found"), message);
            return Err(Refusal { status: 404, ..refusal });
        };
        let Some(asked) = body.get("dimensions").and_then(Value::as_u64) else { return Ok(()) };
        if !self.is_local && !model.starts_with("text-embedding-3") {
            let message = "This model does not support specifying dimensions.".to_owned();
            return Err(fault::fault(None, None, message));
        }
        if asked > *width as u64 {
            let message = format!(
                "Invalid value for 'dimensions' = {asked}. Must be less than or equal to {width}."
            );
            return Err(fault::fault(None, None, message));
        }
        Ok(())
    }
}

/// Returns the texts of a request, which has one or a list of them.
fn texts(body: &Value) -> Vec<&str> {
    match &body["input"] {
        Value::String(text) => vec![text],
        input => read::list(input).iter().filter_map(Value::as_str).collect(),
    }
}

fn check_input(body: &Map<String, Value>) -> Checked {
    let invalid = || fault::fault(None, None, INVALID_INPUT.to_owned());
    let texts = match body.get("input") {
        None => return Err(fault::missing("input")),
        Some(Value::String(text)) => vec![text.as_str()],
        Some(Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            texts.ok_or_else(invalid)?
        }
        Some(_) => return Err(invalid()),
    };
    if texts.is_empty() || texts.iter().any(|text| text.is_empty()) {
        return Err(invalid());
    }
    if texts.len() > EMBEDDINGS_INPUTS_MAX {
        return Err(fault::array_too_long("input", EMBEDDINGS_INPUTS_MAX, texts.len()));
    }
    let lengths: Vec<u64> = texts.iter().map(|text| tokens::tokens(text.len())).collect();
    if let Some(long) = lengths.iter().find(|&&length| length > EMBEDDINGS_TOKENS_MAX) {
        let message = format!(
            "This model's maximum context length is {EMBEDDINGS_TOKENS_MAX} tokens, however you requested {long} tokens ({long} in your prompt; 0 for the completion). Please reduce your prompt; or completion length."
        );
        return Err(fault::fault(None, None, message));
    }
    let all: u64 = lengths.iter().sum();
    if all > EMBEDDINGS_REQUEST_TOKENS_MAX {
        let message = format!(
            "Requested {all} tokens, max {EMBEDDINGS_REQUEST_TOKENS_MAX} tokens per request"
        );
        return Err(fault::fault(None, Some("max_tokens_per_request"), message));
    }
    Ok(())
}

impl Wire for Embeddings {
    fn name(&self) -> &'static str {
        "embeddings"
    }

    fn serves(&self, path: &str) -> bool {
        path.ends_with("/embeddings")
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        if !self.is_local {
            key::check(asked, NO_KEY)?;
        }
        let body = fields::as_object(&asked.body, "")?;
        fields::check(body, "", FIELDS)?;
        self.check_model(body)?;
        check_input(body)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        Prompt::new(read::text(asked.body.get("model")), [])
    }

    fn cache_rules(&self, _: &Asked) -> CacheRules {
        no_cache()
    }

    fn streams(&self, _: &Asked) -> bool {
        false
    }

    fn answer(&self, asked: &Asked, script: &Scripted, _: &CacheUse, number: u64) -> Value {
        if let Scripted::Error(failed) = script {
            return self.error(&failure::refusal(failed), number);
        }
        let texts = texts(&asked.body);
        let width = self.width(&asked.body).unwrap_or_default();
        let is_packed = asked.body["encoding_format"] == "base64";
        let data: Vec<Value> = texts
            .iter()
            .enumerate()
            .rev()
            .map(|(index, text)| {
                let vector = meaning::vector(text, width);
                let embedding = match is_packed {
                    true => json!(STANDARD.encode(
                        vector.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()
                    )),
                    false => json!(vector),
                };
                json!({ "object": "embedding", "index": index, "embedding": embedding })
            })
            .collect();
        let used: u64 = texts.iter().map(|text| tokens::tokens(text.len())).sum();
        json!({
            "object": "list",
            "data": scripted(script).cloned().unwrap_or(Value::Array(data)),
            "model": asked.body["model"],
            "usage": { "prompt_tokens": used, "total_tokens": used },
        })
    }

    fn stream(&self, _: &Asked, _: &Scripted, _: &CacheUse, _: u64) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn headers(&self, _: &Asked, number: u64) -> Vec<(&'static str, String)> {
        key::headers(number)
    }

    fn error_kind(&self, status: u16) -> &'static str {
        failure::kind(status)
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        json!({ "error": failure::fields(refusal) })
    }

    fn failure(&self, failed: &Failure) -> Refusal {
        failure::refusal(failed)
    }
}
