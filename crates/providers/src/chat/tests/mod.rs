//! The wire against bodies and answers written by hand.

mod decode;
mod encode;
mod errors;
mod prefix;
mod quirks;
mod stream;

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Disclosure, Encode, EncodeError, Encoded, Finish, Reply, Usage};
use serde_json::Value;

use super::Chat;
use crate::samples::Asked;
use crate::{Endpoint, Names, Protocol};

/// An endpoint that shows found tools in this way.
fn endpoint(disclosure: Disclosure) -> Endpoint {
    Endpoint::new(Protocol::Chat, "http://a.example/v1", "m").with_disclosure(disclosure)
}

fn encoded(endpoint: Endpoint, asked: &Asked<'_>) -> Result<Encoded, EncodeError> {
    asked.with(|request| Chat::new(endpoint).encode(request))
}

/// Returns the body of a request.
fn body(endpoint: Endpoint, asked: &Asked<'_>) -> String {
    String::from_utf8(encoded(endpoint, asked).unwrap().body).unwrap()
}

/// The names of the sample tools.
fn names() -> Names {
    let rules = endpoint(Disclosure::Append).name_rules;
    Asked::new(Vec::new())
        .with(|request| Names::of_request(rules, Disclosure::Mask, request).unwrap())
}

/// A reply of these parts that came as this message.
fn replied(message: Value, parts: Vec<Part>, finish: Finish, usage: Usage) -> Reply {
    let raw = Some(Raw { wire: "chat".to_owned(), value: message });
    Reply { parts, raw, finish, usage, ..Reply::default() }
}
