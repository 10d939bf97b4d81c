//! OpenAI Responses.

mod answer;
mod check;
mod choice;
mod glance;
mod items;
mod output;
mod pairs;
mod prompt;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Value, json};

use crate::openai::{failure, key, model};
use crate::{Asked, Failure, Glance, Refusal, Scripted, Wire};

/// What the server says to a request without a key.
const NO_KEY: &str = "Missing bearer or basic authentication in header";

/// The fake of `POST /v1/responses`. It keeps nothing between requests, whatever `store` says.
///
/// The search tool of a request has no name; a script calls it `tool_search`.
///
/// ```
/// use oncue_fakes::{Responses, Wire};
///
/// assert!(Responses::openai().serves("/v1/responses"));
/// ```
#[derive(Clone, Debug)]
pub struct Responses {
    has_deltas: bool,
}

impl Responses {
    /// OpenAI's own server.
    #[must_use]
    pub fn openai() -> Self {
        Self { has_deltas: true }
    }

    /// Returns the server that streams the arguments of a call whole, in the event that ends them.
    #[must_use]
    pub fn with_whole_arguments(self) -> Self {
        Self { has_deltas: false }
    }
}

impl Wire for Responses {
    fn name(&self) -> &'static str {
        "responses"
    }

    fn serves(&self, path: &str) -> bool {
        path.ends_with("/responses")
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        key::check(asked, NO_KEY)?;
        check::check(&asked.body)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        prompt::prompt(&asked.body)
    }

    fn cache_rules(&self, asked: &Asked) -> CacheRules {
        model::cache_rules(asked.body["model"].as_str().unwrap_or_default())
    }

    fn cache_key(&self, asked: &Asked) -> String {
        key::cache_key(asked)
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.body["stream"] == true
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        match scripted {
            Scripted::Error(failed) => self.error(&self.failure(failed), number),
            _ => {
                let output = output::Output::of(&asked.body, scripted, number);
                answer::answer(&asked.body, &output, used, number)
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
        let mut events = stream::Events::new(&asked.body, self.has_deltas, number);
        events.begin();
        match scripted {
            Scripted::Error(failed) => events.fail(&failure::fields(&self.failure(failed))),
            _ => events.say(&output::Output::of(&asked.body, scripted, number), used),
        }
        events.sent
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

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        Some(glance::glance(&asked.body))
    }

    fn failure(&self, failed: &Failure) -> Refusal {
        failure::refusal(failed)
    }
}
