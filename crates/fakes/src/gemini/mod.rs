//! Google Gemini: `generateContent` and `streamGenerateContent`.

mod answer;
mod check;
mod contents;
mod fault;
mod glance;
mod prompt;
mod said;
mod schema;
mod signature;
mod spelling;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{Breakpoints, CacheRules, CacheUse, Prompt};
use serde_json::Value;

use crate::limits::GEMINI_PREFIX_TOKENS_MIN;
use crate::{Asked, Failure, Glance, Refusal, Scripted, Wire};

/// The fake of `POST /v1beta/models/MODEL:generateContent` and its streaming twin.
///
/// Like the real server it takes each field in two spellings, `likeThis` and `like_this`.
/// It streams with `?alt=sse` alone.
///
/// ```
/// use oncue_fakes::{Gemini, Wire};
///
/// assert!(Gemini::new().serves("/v1beta/models/gemini-3-pro:generateContent"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Gemini {
    _private: (),
}

impl Gemini {
    /// Google's own server.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Returns a request whose fields are all spelled one way.
fn spelled(asked: &Asked) -> Asked {
    Asked { body: spelling::camel_fields(&asked.body), ..asked.clone() }
}

/// Returns the model that the path names.
fn model(asked: &Asked) -> &str {
    let last = asked.path.rsplit('/').next().unwrap_or_default();
    last.split(':').next().unwrap_or_default()
}

/// Says whether a model signs its calls and wants the signatures back.
fn signs(model: &str) -> bool {
    let digits: String = model
        .strip_prefix("gemini-")
        .unwrap_or_default()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse::<u32>().is_ok_and(|generation| generation >= 3)
}

impl Wire for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn serves(&self, path: &str) -> bool {
        path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent")
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        check::check(&spelled(asked), signs(model(asked)))
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        prompt::prompt(model(asked), &spelled(asked).body)
    }

    fn cache_rules(&self, _: &Asked) -> CacheRules {
        CacheRules {
            breakpoints: Breakpoints::Automatic,
            prefix_tokens_min: GEMINI_PREFIX_TOKENS_MIN,
            write_price: 1.0,
            read_price: 0.1,
        }
    }

    fn cache_key(&self, asked: &Asked) -> String {
        check::key(asked).unwrap_or_default().to_owned()
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.path.ends_with(":streamGenerateContent")
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        match scripted {
            Scripted::Error(failed) => self.error(&self.failure(failed), number),
            _ => {
                let said = said::Said::of(&spelled(asked), scripted, number);
                answer::answer(model(asked), &said, used, number)
            }
        }
    }

    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>> {
        match scripted {
            Scripted::Error(failed) => {
                let error = self.error(&self.failure(failed), number);
                stream::broken(model(asked), &error, used, number)
            }
            _ => {
                let said = said::Said::of(&spelled(asked), scripted, number);
                stream::stream(model(asked), &said, used, number)
            }
        }
    }

    fn error_kind(&self, status: u16) -> &'static str {
        fault::status(status)
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        fault::error(refusal)
    }

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        Some(glance::glance(&spelled(asked).body))
    }

    fn failure(&self, failed: &Failure) -> Refusal {
        fault::failure(failed)
    }
}
