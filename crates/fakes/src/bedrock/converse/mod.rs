//! Converse and ConverseStream.

mod glance;
mod prompt;
mod reply;
mod rules;
mod stream;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::Value;

use super::{auth, error, frame, path};
use crate::anthropic::{ModelRow, Sent};
use crate::{Asked, Glance, Refusal, Scripted, Wire};

/// `POST /model/{id}/converse` and `…/converse-stream`.
///
/// It knows the models of Anthropic by what they refuse; of other models it knows that they do not take results and texts in one message.
#[derive(Debug, Default)]
pub struct Bedrock {
    sent: Sent,
}

/// Returns what is known of the model, where its vendor is Anthropic.
fn vendor_row(asked: &Asked) -> Option<&'static ModelRow> {
    crate::anthropic::model(&path::vendor_model(&asked.path))
}

/// Returns the headers of every answer of the runtime.
pub(super) fn request_headers(_: &Asked, number: u64) -> Vec<(&'static str, String)> {
    vec![("x-amzn-requestid", format!("00000000-0000-4000-8000-{number:012}"))]
}

impl Wire for Bedrock {
    fn name(&self) -> &'static str {
        "bedrock"
    }

    fn serves(&self, path: &str) -> bool {
        path::does(path, &["converse", "converse-stream"])
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        auth::check(asked)?;
        rules::check(asked, &self.sent)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        prompt::prompt(asked)
    }

    fn cache_rules(&self, asked: &Asked) -> CacheRules {
        prompt::rules(vendor_row(asked))
    }

    fn cache_key(&self, asked: &Asked) -> String {
        auth::caller(asked)
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.path.ends_with("/converse-stream")
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        reply::reply(asked, &self.sent, scripted, used, number).value()
    }

    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>> {
        let reply = reply::reply(asked, &self.sent, scripted, used, number);
        if let Scripted::Error(failed) = scripted {
            let refusal = self.failure(failed);
            let ending = frame::exception(&error::in_stream(&refusal), &error::body(&refusal));
            let begun = stream::begun().into_iter().map(|(kind, event)| frame::event(kind, &event));
            return begun.chain([ending]).collect();
        }
        let events = stream::events(&reply);
        events.iter().map(|(kind, event)| frame::event(kind, event)).collect()
    }

    fn stream_type(&self) -> &'static str {
        frame::MEDIA_TYPE
    }

    fn headers(&self, asked: &Asked, number: u64) -> Vec<(&'static str, String)> {
        request_headers(asked, number)
    }

    fn error_kind(&self, status: u16) -> &'static str {
        error::exception(status)
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        error::body(refusal)
    }

    fn error_headers(&self, refusal: &Refusal) -> Vec<(&'static str, String)> {
        error::headers(refusal)
    }

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        Some(glance::glance(asked))
    }
}
