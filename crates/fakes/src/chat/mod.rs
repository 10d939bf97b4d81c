//! OpenAI Chat Completions, and the servers that speak it less well.

mod answer;
mod check;
mod choice;
mod glance;
mod messages;
mod prompt;
mod quirk;
mod said;
mod stream;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Value, json};

use crate::openai::{failure, key, model};
use crate::{Asked, Failure, Glance, Refusal, Scripted, Wire};

pub use quirk::Quirk;

/// What the server says to a request without a key.
const NO_KEY: &str = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.";

/// The fake of `POST /v1/chat/completions`. It answers one choice and keeps nothing between requests.
///
/// ```
/// use oncue_fakes::{Chat, Quirk, Wire};
///
/// assert!(Chat::openai().serves("/v1/chat/completions"));
/// let sloppy = Chat::local().with(Quirk::IdMissing);
/// assert_eq!(sloppy.name(), "chat");
/// ```
#[derive(Clone, Debug)]
pub struct Chat {
    is_local: bool,
    quirks: BTreeSet<Quirk>,
}

impl Chat {
    /// OpenAI's own server.
    #[must_use]
    pub fn openai() -> Self {
        Self { is_local: false, quirks: BTreeSet::new() }
    }

    /// A local server that speaks the protocol: it asks for no key and shows thoughts as `reasoning_content`.
    #[must_use]
    pub fn local() -> Self {
        Self { is_local: true, ..Self::openai() }
    }

    /// Returns the server with one more quirk; each changes every answer that it can be seen in.
    #[must_use]
    pub fn with(mut self, quirk: Quirk) -> Self {
        self.quirks.insert(quirk);
        self
    }

    fn said(&self, asked: &Asked, scripted: &Scripted, number: u64) -> said::Said {
        let mut said = said::Said::of(scripted, number);
        if !self.is_local {
            said.reasoning = None;
        }
        for quirk in &self.quirks {
            quirk.bend(&mut said, asked, number);
        }
        said
    }
}

impl Wire for Chat {
    fn name(&self) -> &'static str {
        "chat"
    }

    fn serves(&self, path: &str) -> bool {
        path.ends_with("/chat/completions")
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        if !self.is_local {
            key::check(asked, NO_KEY)?;
        }
        check::check(&asked.body, self.quirks.contains(&Quirk::DotsReplaced))
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
            Scripted::Error(failed) => self.error(&failure::refusal(failed), number),
            _ => answer::answer(asked, &self.said(asked, scripted, number), used, number),
        }
    }

    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>> {
        let error = match scripted {
            Scripted::Error(failed) => Some(self.error(&failure::refusal(failed), number)),
            _ => None,
        };
        let said = self.said(asked, scripted, number);
        stream::stream(asked, &said, error.as_ref(), used, number)
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
