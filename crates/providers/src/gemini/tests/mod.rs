//! The wire against bodies and answers written by hand.

mod decode;
mod encode;
mod errors;
mod prefix;
mod stream;

use oncue_agent::{Disclosure, Encode, EncodeError, Encoded};
use serde_json::Value;

use super::Gemini;
use crate::samples::Asked;
use crate::{Endpoint, Names, Protocol};

/// An endpoint that shows found tools in this way.
fn endpoint(disclosure: Disclosure) -> Endpoint {
    Endpoint::new(Protocol::Gemini, "http://a.example/v1beta", "gemini-2.5-pro")
        .with_disclosure(disclosure)
}

/// An endpoint of a model that signs its calls.
fn signing() -> Endpoint {
    Endpoint::new(Protocol::Gemini, "http://a.example/v1beta", "gemini-3-pro")
}

fn encoded(endpoint: Endpoint, asked: &Asked<'_>) -> Result<Encoded, EncodeError> {
    asked.with(|request| Gemini::new(endpoint).encode(request))
}

/// Returns the body of a request.
fn body(endpoint: Endpoint, asked: &Asked<'_>) -> String {
    String::from_utf8(encoded(endpoint, asked).unwrap().body).unwrap()
}

/// Returns the `contents` of a request.
fn contents(endpoint: Endpoint, asked: &Asked<'_>) -> Value {
    serde_json::from_str::<Value>(&body(endpoint, asked)).unwrap()["contents"].take()
}

/// The names of the sample tools.
fn names() -> Names {
    let rules = endpoint(Disclosure::Append).name_rules;
    Asked::new(Vec::new())
        .with(|request| Names::of_request(rules, Disclosure::Mask, request).unwrap())
}
