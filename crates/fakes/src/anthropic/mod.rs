//! The Messages API of Anthropic, at its own door and behind that of a cloud.

mod betas;
mod glance;
mod models;
mod prompt;
mod reply;
mod request;
mod rules;
mod sent;
mod stream;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Map, Value, json};

use crate::wire::Checked;
use crate::{Asked, Glance, Refusal, Scripted, Wire, frame};

pub(crate) use models::{ModelRow, model};
pub(crate) use prompt::rules as cache_rules;
pub(crate) use sent::{Sent, signature};

use request::Request;

/// The Messages API, `POST /v1/messages`.
///
/// It is stricter than the vendor in two ways: a tool result may only stand in the message that follows its call, even where the vendor would join two messages of one role, and a reply of no tokens at all (`max_tokens: 0`) cannot be asked for.
/// What may stand in a system message besides texts and changes of tools (`clear_at`, `output_config`, servers of tools) is refused as unknown.
#[derive(Debug, Default)]
pub struct Anthropic {
    messages: Messages,
}

/// Which door a request came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Door {
    /// The vendor's own.
    #[default]
    Direct,
    /// That of a cloud, which names the model in the path and says the rest in the body.
    Invoke,
}

/// What both doors lead to.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    door: Door,
    sent: Sent,
}

impl Messages {
    /// The same behind another door.
    pub(crate) fn behind(door: Door) -> Self {
        Self { door, sent: Sent::default() }
    }

    pub(crate) fn check(&self, asked: &Asked) -> Checked {
        rules::check(asked, self.door, &self.sent)
    }

    pub(crate) fn prompt(&self, asked: &Asked) -> Prompt {
        match Request::of(asked, self.door) {
            Ok(request) => prompt::prompt(&request),
            Err(_) => Prompt::new("", []),
        }
    }

    pub(crate) fn cache_rules(&self, asked: &Asked) -> CacheRules {
        let row = Request::of(asked, self.door).map(|request| *request.model);
        prompt::rules(&row.unwrap_or(*models::UNKNOWN))
    }

    pub(crate) fn answer(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Value {
        match Request::of(asked, self.door) {
            Ok(request) => reply::message(&request, &self.sent, scripted, used, number).value,
            Err(refusal) => error(&refusal, number),
        }
    }

    /// Returns the events of a stream, without a frame.
    pub(crate) fn events(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
        failure: impl Fn(&crate::Failure) -> Refusal,
    ) -> Vec<Value> {
        let request = match Request::of(asked, self.door) {
            Ok(request) => request,
            Err(refusal) => return vec![error(&refusal, number)],
        };
        let message = reply::message(&request, &self.sent, scripted, used, number);
        match scripted {
            Scripted::Error(failed) => {
                stream::failing_events(&message, error(&failure(failed), number))
            }
            _ => stream::events(&message),
        }
    }

    pub(crate) fn glance(&self, asked: &Asked) -> Option<Glance> {
        Request::of(asked, self.door).ok().map(|request| glance::glance(&request))
    }
}

impl Wire for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn serves(&self, path: &str) -> bool {
        path == "/v1/messages"
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        self.messages.check(asked)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        self.messages.prompt(asked)
    }

    fn cache_rules(&self, asked: &Asked) -> CacheRules {
        self.messages.cache_rules(asked)
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.body.get("stream") == Some(&Value::Bool(true))
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        self.messages.answer(asked, scripted, used, number)
    }

    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>> {
        let failure = |failed: &crate::Failure| self.failure(failed);
        let events = self.messages.events(asked, scripted, used, number, failure);
        events.iter().map(frame::event).collect()
    }

    fn headers(&self, _: &Asked, number: u64) -> Vec<(&'static str, String)> {
        vec![("request-id", request_id(number))]
    }

    fn error_kind(&self, status: u16) -> &'static str {
        error_kind(status)
    }

    fn error(&self, refusal: &Refusal, number: u64) -> Value {
        error(refusal, number)
    }

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        self.messages.glance(asked)
    }
}

fn request_id(number: u64) -> String {
    format!("req_{number:012}")
}

/// Returns the vendor's word for an error of this status.
const fn error_kind(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        400..500 => "invalid_request_error",
        _ => "api_error",
    }
}

/// Returns the body of an error, which is also the event that stands for it in a stream.
fn error(refusal: &Refusal, number: u64) -> Value {
    let kind = match refusal.kind.as_str() {
        "" => error_kind(refusal.status),
        kind => kind,
    };
    let mut error = json!({ "type": kind, "message": refusal.message });
    if !refusal.details.is_empty() {
        let details: Map<String, Value> =
            refusal.details.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        if let Some(fields) = error.as_object_mut() {
            fields.insert("details".to_owned(), Value::Object(details));
        }
    }
    json!({ "type": "error", "error": error, "request_id": request_id(number) })
}
