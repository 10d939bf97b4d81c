//! Ollama's own protocol.

mod answer;
mod check;
mod glance;
mod said;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{Block, Breakpoints, CacheRules, CacheUse, Prompt, Tier};
use serde_json::{Value, json};

use crate::{Asked, Failure, Glance, Refusal, Scripted, Wire, read, tokens};

/// The fake of `POST /api/chat`.
///
/// The real server reads over what it does not know and lets results stand anywhere.
/// The fake refuses both, in words of its own, since nobody sends either on purpose.
///
/// ```
/// use oncue_fakes::{Ollama, Wire};
///
/// assert!(Ollama::new().serves("/api/chat"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ollama {
    knows_tools: bool,
}

impl Default for Ollama {
    fn default() -> Self {
        Self::new()
    }
}

impl Ollama {
    /// A server whose models call tools.
    #[must_use]
    pub fn new() -> Self {
        Self { knows_tools: true }
    }

    /// Returns the server with models that call none.
    #[must_use]
    pub fn without_tools(self) -> Self {
        Self { knows_tools: false }
    }
}

impl Wire for Ollama {
    fn name(&self) -> &'static str {
        "ollama"
    }

    fn serves(&self, path: &str) -> bool {
        path.ends_with("/api/chat")
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        check::check(&asked.body, self.knows_tools)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        let block = |tier: Tier, value: &Value| {
            Block::new(tier, value.to_string().as_bytes(), tokens::of_value(value))
        };
        let items = |name: &str| read::list(&asked.body[name]);
        let tools = items("tools").iter().map(|tool| block(Tier::Tools, tool));
        let messages = items("messages").iter().map(|message| block(Tier::Messages, message));
        Prompt::new(asked.body["model"].as_str().unwrap_or_default(), tools.chain(messages))
    }

    /// No prefix is ever kept: what the program itself keeps is neither billed nor told.
    fn cache_rules(&self, _: &Asked) -> CacheRules {
        CacheRules {
            breakpoints: Breakpoints::Explicit { count_max: 0, look_back_blocks: 0 },
            prefix_tokens_min: 0,
            write_price: 1.0,
            read_price: 1.0,
        }
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.body["stream"] != false
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        match scripted {
            Scripted::Error(failed) => self.error(&self.failure(failed), number),
            _ => answer::answer(&asked.body, &said::Said::of(&asked.body, scripted), used),
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
                answer::broken(&asked.body, &error)
            }
            _ => answer::stream(&asked.body, &said::Said::of(&asked.body, scripted), used),
        }
    }

    fn stream_type(&self) -> &'static str {
        "application/x-ndjson"
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        json!({ "error": refusal.message })
    }

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        Some(glance::glance(&asked.body))
    }

    fn failure(&self, failed: &Failure) -> Refusal {
        let message = match failed.status {
            404 => "model \"none\" not found, try pulling it first",
            503 => "server busy, please try again.  maximum pending requests exceeded",
            500.. => "llama runner process has terminated: exit status 2",
            _ => "the request failed",
        };
        Refusal::new(failed.status, "", failed.message.as_deref().unwrap_or(message))
    }
}
