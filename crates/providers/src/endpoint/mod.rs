//! Where a model is and how it is talked to. Lives as long as the model; data alone, no connection.

mod name;
mod open;
mod setup;
mod times;

use oncue_agent::Disclosure;
use oncue_agent::cache::CacheRules;
use oncue_tools::NameRules;
use secrecy::SecretString;
use serde_json::{Map, Value};

pub use name::{Provider, SetupError};
pub(crate) use setup::{Written, of_vendor, other};
pub use times::Times;

#[cfg(feature = "bedrock")]
use crate::AwsAccess;
use crate::Key;
use crate::models::{Facts, Prices, Protocol};

/// Hosts of OpenAI's own, which has rules of its own.
const OPENAI_HOSTS: [&str; 2] = ["api.openai.com", "openai.azure.com"];

/// Where a model is and how it is talked to.
///
/// [`Endpoint::parse`] knows the address, the key and the facts of known vendors; what it does not know can be said with the methods below.
///
/// ```
/// use oncue_agent::Disclosure;
/// use oncue_providers::Endpoint;
///
/// let environment = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "sk-1".to_owned());
/// let endpoint = Endpoint::parse("anthropic:claude-opus-5", environment)?;
/// assert_eq!(endpoint.disclosure(), Disclosure::ByReference);
///
/// // Others speak the same protocol and ignore the part of it that shows tools late.
/// let elsewhere = endpoint.with_base_url("https://models.example/anthropic");
/// assert_eq!(elsewhere.disclosure(), Disclosure::Append);
/// # Ok::<(), oncue_providers::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The name by which people know it, such as `vendor:model`.
    pub(crate) name: String,
    /// The form of requests and answers.
    pub(crate) protocol: Protocol,
    /// Where requests go, without a slash at the end; empty where the vendor's own library knows.
    pub(crate) base_url: String,
    /// What opens it.
    pub(crate) key: Option<Key>,
    /// Headers that are sent beside those of the protocol, names in lower case; a value may be as secret as a key.
    pub(crate) headers: Vec<(String, SecretString)>,
    /// What the vendor calls the model.
    pub(crate) model: String,
    /// How a tool that was found becomes visible.
    pub(crate) disclosure: Disclosure,
    /// Whether a reply can be held to some of the listed tools.
    pub(crate) can_narrow: bool,
    /// Longest reply, in tokens; a request may ask for less.
    pub(crate) output_tokens_max: Option<u32>,
    /// How freely the model chooses its words, where a request does not say.
    pub(crate) temperature: Option<f32>,
    /// Fields that join the body of each request as they are, and replace those of the same name.
    pub(crate) extra: Map<String, Value>,
    /// Whether the text of an answer may hold calls.
    pub(crate) is_lenient: bool,
    /// Whether the vendor is asked to hold arguments to their schemas while it writes them.
    pub(crate) has_strict_tools: bool,
    /// What names of tools may look like.
    pub(crate) name_rules: NameRules,
    /// How long is waited.
    pub(crate) times: Times,
    /// Whether the vendor is asked why its cache was missed.
    pub(crate) asks_why_missed: bool,
    /// What else is known of the model.
    pub(crate) facts: Facts,
    /// Who asks AWS, and where.
    #[cfg(feature = "bedrock")]
    pub(crate) aws: AwsAccess,
}

impl Endpoint {
    /// An endpoint of any server that speaks `protocol`, about which nothing is known.
    ///
    /// Tools that are found join the list (see [`Disclosure::Append`]), and a reply cannot be held to some of them.
    #[must_use]
    pub fn new(protocol: Protocol, base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            name: model.clone(),
            protocol,
            base_url: trimmed(base_url.into()),
            key: None,
            headers: Vec::new(),
            model,
            disclosure: Disclosure::default(),
            can_narrow: false,
            output_tokens_max: None,
            temperature: None,
            extra: Map::new(),
            is_lenient: false,
            has_strict_tools: false,
            name_rules: protocol.name_rules(),
            times: Times::default(),
            asks_why_missed: false,
            facts: Facts::default(),
            #[cfg(feature = "bedrock")]
            aws: AwsAccess::default(),
        }
    }

    /// Returns the endpoint under another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Returns the endpoint at another address.
    ///
    /// Whoever answers there may not be the vendor, so what is known of the vendor is forgotten: tools that are found join the list, until [`Endpoint::with_disclosure`] says otherwise.
    #[must_use]
    pub fn with_base_url(self, base_url: impl Into<String>) -> Self {
        let base_url = trimmed(base_url.into());
        if base_url == self.base_url {
            return self;
        }
        Self {
            base_url,
            disclosure: Disclosure::default(),
            can_narrow: false,
            facts: Facts::default(),
            ..self
        }
    }

    /// Returns the endpoint with a key.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Returns the endpoint with one more header.
    #[must_use]
    pub fn with_header(mut self, name: impl AsRef<str>, value: impl Into<String>) -> Self {
        let value = SecretString::from(value.into());
        self.headers.push((name.as_ref().to_ascii_lowercase(), value));
        self
    }

    /// Returns the endpoint with another way in which found tools become visible.
    #[must_use]
    pub fn with_disclosure(self, disclosure: Disclosure) -> Self {
        Self { disclosure, ..self }
    }

    /// Returns the endpoint with word on whether a reply can be held to some of the listed tools.
    #[must_use]
    pub fn with_narrowing(self, can_narrow: bool) -> Self {
        Self { can_narrow, ..self }
    }

    /// Returns the endpoint with a longest reply, in tokens; a request may ask for less.
    #[must_use]
    pub fn with_output_tokens_max(self, tokens: u32) -> Self {
        Self { output_tokens_max: Some(tokens), ..self }
    }

    /// Returns the endpoint with a temperature for requests that name none; many models of today refuse any.
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { temperature: Some(temperature), ..self }
    }

    /// Returns the endpoint with one more field of each request's body; it replaces a field of the same name, and null takes one out.
    #[must_use]
    pub fn with_extra(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    /// Returns the endpoint with word on whether the text of an answer may hold calls, as that of small models does.
    #[must_use]
    pub fn with_lenient_calls(self, is_lenient: bool) -> Self {
        Self { is_lenient, ..self }
    }

    /// Returns the endpoint with word on whether the vendor holds arguments to their schemas while it writes them, where it can.
    #[must_use]
    pub fn with_strict_tools(self, has_strict_tools: bool) -> Self {
        Self { has_strict_tools, ..self }
    }

    /// Returns the endpoint with word on whether the vendor is asked why its cache was missed, where it can be.
    ///
    /// Anthropic answers that, to keys for which the diagnosis of caches is open.
    #[must_use]
    pub fn with_cache_diagnostics(self, asks_why_missed: bool) -> Self {
        Self { asks_why_missed, ..self }
    }

    /// Returns the endpoint with word on who asks AWS, and in which region.
    #[cfg(feature = "bedrock")]
    #[must_use]
    pub fn with_aws(self, aws: AwsAccess) -> Self {
        Self { aws, ..self }
    }

    /// Returns the endpoint with what tokens cost.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Self {
        self.facts.prices = Some(prices);
        self
    }

    /// Returns the endpoint with what its cache of prompts does.
    #[must_use]
    pub fn with_cache_rules(mut self, rules: CacheRules) -> Self {
        self.facts.cache = Some(rules);
        self
    }

    /// Returns the endpoint with other rules for the names of tools.
    #[must_use]
    pub fn with_name_rules(self, name_rules: NameRules) -> Self {
        Self { name_rules, ..self }
    }

    /// Returns the endpoint with other times to wait.
    #[must_use]
    pub fn with_times(self, times: Times) -> Self {
        Self { times, ..self }
    }

    /// Returns the name by which people know it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what the vendor calls the model.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns the form of requests and answers.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns how a tool that was found becomes visible.
    #[must_use]
    pub const fn disclosure(&self) -> Disclosure {
        self.disclosure
    }

    /// Says whether the text of an answer may hold calls.
    #[must_use]
    pub const fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Says whether the vendor holds arguments to their schemas while it writes them, where it can.
    #[must_use]
    pub const fn has_strict_tools(&self) -> bool {
        self.has_strict_tools
    }

    /// Returns what is known of the model, its prices and the cache of its vendor.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Says whether OpenAI itself answers, which refuses what others take and the other way round.
    pub(crate) fn is_openai(&self) -> bool {
        let rest = self.base_url.split_once("://").map(|(_, rest)| rest);
        let host = rest.and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
        OPENAI_HOSTS.iter().any(|own| host == *own || host.ends_with(&format!(".{own}")))
    }

    /// Returns the longest reply of a request that asks for `asked`, in tokens.
    pub(crate) fn output_tokens(&self, asked: Option<u32>) -> Option<u32> {
        match (asked, self.output_tokens_max) {
            (Some(asked), Some(most)) => Some(asked.min(most)),
            (asked, most) => asked.or(most),
        }
    }
}

fn trimmed(mut base_url: String) -> String {
    base_url.truncate(base_url.trim_end_matches('/').len());
    base_url
}

#[cfg(test)]
mod tests;
