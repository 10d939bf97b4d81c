//! The wire against bodies and answers written by hand.

mod decode;
mod encode;
mod prefix;
mod replay;
mod stream;

use oncue_agent::{Disclosure, Encode, Encoded};

use super::{Anthropic, Host};
use crate::samples::Asked;
use crate::{Endpoint, Protocol};

/// An endpoint that shows found tools in this way.
fn endpoint(disclosure: Disclosure) -> Endpoint {
    Endpoint::new(Protocol::Messages, "https://a.example", "m").with_disclosure(disclosure)
}

fn encoded_by(endpoint: Endpoint, asked: &Asked<'_>) -> Encoded {
    asked.with(|request| Anthropic::new(endpoint, Host::Anthropic).encode(request).unwrap())
}

/// Returns the body of a request.
fn body_by(endpoint: Endpoint, asked: &Asked<'_>) -> String {
    String::from_utf8(encoded_by(endpoint, asked).body).unwrap()
}

fn body(disclosure: Disclosure, asked: &Asked<'_>) -> String {
    body_by(endpoint(disclosure), asked)
}

/// Returns the `messages` of a request, without marks.
fn messages(disclosure: Disclosure, asked: &Asked<'_>) -> String {
    let body = without_marks(&body(disclosure, asked));
    let (_, messages) = body.split_once(r#""messages":"#).unwrap();
    messages.strip_suffix('}').unwrap().to_owned()
}

fn without_marks(body: &str) -> String {
    body.replace(r#","cache_control":{"type":"ephemeral"}"#, "")
}
