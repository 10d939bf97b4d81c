//! The wire against bodies and answers written by hand.

mod decode;
mod encode;
mod prefix;
mod stream;

use oncue_agent::{Disclosure, Encode, EncodeError, Encoded};
use serde_json::Value;

use super::Responses;
use crate::samples::Asked;
use crate::{Endpoint, Names, Protocol};

/// An endpoint that shows found tools in this way.
fn endpoint(disclosure: Disclosure) -> Endpoint {
    Endpoint::new(Protocol::Responses, "http://a.example/v1", "m").with_disclosure(disclosure)
}

fn encoded(endpoint: Endpoint, asked: &Asked<'_>) -> Result<Encoded, EncodeError> {
    asked.with(|request| Responses::new(endpoint).encode(request))
}

/// Returns the body of a request.
fn body(endpoint: Endpoint, asked: &Asked<'_>) -> String {
    String::from_utf8(encoded(endpoint, asked).unwrap().body).unwrap()
}

/// Returns the `input` of a request whose search tool is `search`.
fn input(disclosure: Disclosure, asked: Asked<'_>) -> Value {
    let body = body(endpoint(disclosure), &Asked { search: Some("search"), ..asked });
    serde_json::from_str::<Value>(&body).unwrap()["input"].take()
}

/// The names of the sample tools, of which `search` is the search tool.
fn names() -> Names {
    let rules = endpoint(Disclosure::Append).name_rules;
    let asked = Asked { search: Some("search"), ..Asked::new(Vec::new()) };
    asked.with(|request| Names::of_request(rules, Disclosure::Mask, request).unwrap())
}
