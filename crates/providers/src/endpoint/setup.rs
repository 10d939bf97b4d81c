//! From the text that names an endpoint to the endpoint: known vendors, and any server by its address.

use super::name::SetupError;
use super::{Endpoint, trimmed};
use crate::models::{Facts, Protocol, Vendor};
use crate::{Key, KeyError};

/// The environment variable that holds the key of a server that belongs to no known vendor.
const OTHER_KEY: &str = "ONCUE_API_KEY";

/// What may be typed.
const FORMS: &str = "VENDOR:MODEL, PROTOCOL:MODEL@URL or URL#MODEL, such as anthropic:claude-opus-5 or http://127.0.0.1:8080/v1#qwen";

impl Endpoint {
    /// Reads an endpoint by its name; `lookup` says what an environment variable holds.
    ///
    /// | form | means |
    /// |---|---|
    /// | `anthropic:claude-opus-5` | a vendor's model at the vendor's address |
    /// | `anthropic:claude-opus-5@https://…` | a vendor's model at another address, with the vendor's key |
    /// | `chat:qwen@http://127.0.0.1:8080/v1` | any server, by the protocol that it speaks (`messages`, `responses`, `chat`) |
    /// | `http://127.0.0.1:8080/v1#qwen` | the same, for `chat` |
    ///
    /// The key is that of the vendor's variable, or stands in the file that the same variable with `_FILE` behind it names.
    /// A server that belongs to no known vendor needs none; `ONCUE_API_KEY` is sent to it if it is set.
    ///
    /// # Errors
    ///
    /// The text is none of these forms, or what it needs is not set; the error names what to set.
    pub fn parse(text: &str, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let text = text.trim();
        match Written::read(text).ok_or_else(|| malformed(text))? {
            Written::Url { base_url, model } => {
                other(text, Protocol::Chat, model, base_url, &lookup)
            }
            Written::Named { prefix, model, base_url } => {
                match (Vendor::of(prefix), protocol(prefix), base_url) {
                    (Some(vendor), _, base_url) => of_vendor(vendor, model, base_url, &lookup),
                    (None, Some(protocol), Some(url)) => other(text, protocol, model, url, &lookup),
                    (None, Some(_), None) => Err(malformed(text)),
                    (None, None, _) => Err(SetupError::UnknownVendor {
                        vendor: prefix.to_owned(),
                        known: Vendor::all().iter().map(|vendor| vendor.id.clone()).collect(),
                    }),
                }
            }
        }
    }
}

/// The name of an endpoint as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written<'t> {
    /// `URL#MODEL`; the model is empty where it was left out.
    Url { base_url: &'t str, model: &'t str },
    /// `PREFIX:MODEL` or `PREFIX:MODEL@URL`.
    Named { prefix: &'t str, model: &'t str, base_url: Option<&'t str> },
}

impl<'t> Written<'t> {
    /// Returns the parts of a name; `None` where it has none.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        if is_url(text) {
            let (base_url, model) = text.split_once('#').unwrap_or((text, ""));
            return Some(Self::Url { base_url, model });
        }
        let (prefix, rest) = text.split_once(':')?;
        // A name may have an `@` of its own; an address follows the one that counts.
        let at = rest.match_indices('@').find(|&(at, _)| rest.get(at + 1..).is_some_and(is_url));
        let (model, base_url) = match at.and_then(|(at, _)| rest.split_at_checked(at)) {
            Some((model, url)) => (model, url.strip_prefix('@')),
            None => (rest, None),
        };
        Some(Self::Named { prefix, model, base_url })
    }
}

pub(crate) fn of_vendor(
    vendor: &Vendor,
    model: &str,
    base_url: Option<&str>,
    lookup: &impl Fn(&str) -> Option<String>,
) -> Result<Endpoint, SetupError> {
    let name = format!("{}:{model}", vendor.id);
    if model.is_empty() {
        return Err(malformed(&name));
    }
    let own = vendor.base_url.clone().unwrap_or_default();
    let set = vendor.base_url_variable.as_deref().and_then(lookup).filter(|url| !url.is_empty());
    let facts = vendor.facts(model);
    let endpoint = Endpoint {
        name,
        key: key_of(vendor, lookup)?,
        #[cfg(feature = "bedrock")]
        aws: aws(lookup),
        disclosure: facts.disclosure.unwrap_or_default(),
        can_narrow: facts.can_narrow.unwrap_or_default(),
        is_lenient: vendor.is_lenient,
        facts,
        ..Endpoint::new(vendor.protocol, own, model)
    };
    match base_url.map(str::to_owned).or(set) {
        Some(url) if !is_url(&url) => Err(SetupError::BaseUrl { url }),
        Some(url) => Ok(endpoint.with_base_url(url)),
        None => Ok(endpoint),
    }
}

pub(crate) fn other(
    text: &str,
    protocol: Protocol,
    model: &str,
    base_url: &str,
    lookup: &impl Fn(&str) -> Option<String>,
) -> Result<Endpoint, SetupError> {
    if model.is_empty() {
        return Err(malformed(text));
    }
    let key = match lookup(OTHER_KEY) {
        Some(_) => Some(Key::of_variable(OTHER_KEY, lookup)?),
        None => None,
    };
    let endpoint = Endpoint::new(protocol, base_url, model);
    let name = format!("{model}@{}", trimmed(base_url.to_owned()));
    Ok(Endpoint { name, key, is_lenient: true, facts: Facts::default(), ..endpoint })
}

/// Returns the key of a vendor that needs one, or has one.
fn key_of(
    vendor: &Vendor,
    lookup: &impl Fn(&str) -> Option<String>,
) -> Result<Option<Key>, SetupError> {
    let Some(variable) = vendor.key_variable.as_deref() else { return Ok(None) };
    match key(variable, lookup) {
        Err(SetupError::Key(KeyError::Missing { .. })) if vendor.key_is_optional => Ok(None),
        key => key.map(Some),
    }
}

/// Returns what the environment says of a region; everything else is found when it is needed.
#[cfg(feature = "bedrock")]
fn aws(lookup: &impl Fn(&str) -> Option<String>) -> crate::AwsAccess {
    let region = ["AWS_REGION", "AWS_DEFAULT_REGION"].iter().find_map(|name| lookup(name));
    match region.filter(|region| !region.is_empty()) {
        Some(region) => crate::AwsAccess::default().with_region(region),
        None => crate::AwsAccess::default(),
    }
}

/// Returns the key that `variable` holds, or else that of the file which the variable with `_FILE` behind it names.
fn key(variable: &str, lookup: &impl Fn(&str) -> Option<String>) -> Result<Key, SetupError> {
    match (lookup(variable), lookup(&format!("{variable}_FILE"))) {
        (None, Some(path)) => Ok(Key::of_file(path)?),
        _ => Ok(Key::of_variable(variable, lookup)?),
    }
}

fn protocol(prefix: &str) -> Option<Protocol> {
    Some(match prefix {
        "messages" => Protocol::Messages,
        "responses" => Protocol::Responses,
        "chat" => Protocol::Chat,
        _ => return None,
    })
}

fn is_url(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
}

fn malformed(text: &str) -> SetupError {
    SetupError::Malformed { text: text.to_owned(), forms: FORMS }
}
