//! Ollama's protocol for embeddings.

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Value, json};

use super::{Known, meaning, no_cache, scripted};
use crate::{Asked, Failure, Ollama, Refusal, Scripted, Wire, read, tokens};

const FIELDS: [&str; 6] = ["model", "input", "truncate", "dimensions", "options", "keep_alive"];

/// The fake of `POST /api/embed`.
///
/// It answers every [`Scripted::Reply`] with the vectors of the texts, in which each word has its place; a piece that is opaque stands in the place of `embeddings`.
/// The real server reads over what it does not know and answers an empty list with none; the fake refuses both, in words of its own.
///
/// ```
/// use oncue_fakes::{OllamaEmbed, Wire};
///
/// assert!(OllamaEmbed::new().serves("/api/embed"));
/// ```
#[derive(Clone, Debug)]
pub struct OllamaEmbed {
    models: Vec<Known>,
}

impl Default for OllamaEmbed {
    fn default() -> Self {
        Self::new()
    }
}

impl OllamaEmbed {
    /// A server that has two models.
    #[must_use]
    pub fn new() -> Self {
        let models = [("nomic-embed-text", 768), ("all-minilm", 384)];
        Self { models: models.map(|(model, width)| (model.to_owned(), width)).to_vec() }
    }

    fn width(&self, model: &str) -> Option<usize> {
        let bare = model.split(':').next().unwrap_or_default();
        self.models.iter().find(|(known, _)| known == bare).map(|(_, width)| *width)
    }
}

/// Returns the texts of a request, which has one or a list of them; `None` where it has something else.
fn texts(body: &Value) -> Option<Vec<&str>> {
    match &body["input"] {
        Value::String(text) => Some(vec![text]),
        Value::Array(list) => list.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

impl Wire for OllamaEmbed {
    fn name(&self) -> &'static str {
        "ollama-embed"
    }

    fn serves(&self, path: &str) -> bool {
        path == "/api/embed"
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        let bad = |message: String| Refusal::new(400, "", message);
        let body = asked.body.as_object().ok_or_else(|| bad("missing request body".to_owned()))?;
        if let Some(name) = body.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(bad(format!(
                "strict fake: the server knows no `{name}` and would read over it"
            )));
        }
        let model = read::text(body.get("model"));
        if model.is_empty() {
            return Err(bad("model is required".to_owned()));
        }
        let Some(width) = self.width(model) else {
            let message = format!("model {model:?} not found, try pulling it first");
            return Err(Refusal::new(404, "", message));
        };
        let Some(texts) = texts(&asked.body) else {
            return Err(bad("invalid input type".to_owned()));
        };
        if texts.is_empty() || texts.iter().any(|text| text.is_empty()) {
            return Err(bad("strict fake: `input` has nothing in it".to_owned()));
        }
        match body.get("dimensions") {
            None | Some(Value::Null) => Ok(()),
            Some(asked)
                if asked.as_u64().is_some_and(|asked| (1..=width as u64).contains(&asked)) =>
            {
                Ok(())
            }
            Some(asked) => Err(bad(format!(
                "strict fake: `dimensions` of {asked} are not between 1 and {width}"
            ))),
        }
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
            return self.error(&self.failure(failed), number);
        }
        let model = read::text(asked.body.get("model"));
        let own = self.width(model).unwrap_or_default();
        let asked_for =
            asked.body["dimensions"].as_u64().and_then(|asked| usize::try_from(asked).ok());
        let width = asked_for.unwrap_or(own);
        let texts = texts(&asked.body).unwrap_or_default();
        let used: u64 = texts.iter().map(|text| tokens::tokens(text.len())).sum();
        let vectors: Vec<Vec<f32>> =
            texts.iter().map(|text| meaning::vector(text, width)).collect();
        json!({
            "model": model,
            "embeddings": scripted(script).cloned().unwrap_or(json!(vectors)),
            "total_duration": 14_143_917,
            "load_duration": 1_019_500,
            "prompt_eval_count": used,
        })
    }

    fn stream(&self, _: &Asked, _: &Scripted, _: &CacheUse, _: u64) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        json!({ "error": refusal.message })
    }

    fn failure(&self, failed: &Failure) -> Refusal {
        Ollama::new().failure(failed)
    }
}
