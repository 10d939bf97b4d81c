//! What is known of vendors and their models: data that is compiled in and read once.
//!
//! The rows are in `models.toml` beside this crate's manifest, each figure with its source.

mod pattern;

use std::sync::LazyLock;

use oncue_agent::Disclosure;
use oncue_agent::cache::CacheRules;
use oncue_tools::NameRules;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(crate) use pattern::matches;

/// The rows, as they were compiled in.
const ROWS: &str = include_str!("../../models.toml");

/// The form in which an endpoint is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Protocol {
    /// Anthropic's Messages.
    Messages,
    /// `OpenAI`'s Responses.
    Responses,
    /// `OpenAI`'s Chat Completions, which most servers speak.
    Chat,
    /// Google's `generateContent`.
    Gemini,
    /// AWS Bedrock.
    Bedrock,
}

impl Protocol {
    /// Returns the rules for names of tools that hold wherever the protocol is spoken.
    pub(crate) fn name_rules(self) -> NameRules {
        let reader = match self {
            Self::Messages => "anthropic",
            Self::Responses | Self::Chat => "openai",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
        };
        NameRules::of(reader).unwrap_or(NameRules::DEFAULT)
    }
}

/// The form in which an embedding model is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EmbeddingProtocol {
    /// `OpenAI`'s `POST /embeddings`, which most servers speak.
    Embeddings,
    /// Ollama's `POST /api/embed`.
    Ollama,
}

/// Prices in US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Of the prompt, where no cache takes part; what caches cost is told by [`CacheRules`].
    pub input: f64,
    /// Of what the model writes.
    pub output: f64,
}

/// What is known of a model. What is not known is absent, never guessed.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// How a tool that was found becomes visible.
    pub disclosure: Option<Disclosure>,
    /// Whether a reply can be held to some of the listed tools.
    pub can_narrow: Option<bool>,
    /// Longest prompt and output together, in tokens.
    pub context_tokens: Option<u64>,
    /// Longest output, in tokens.
    pub output_tokens: Option<u32>,
    /// What the vendor's cache of prompts does.
    pub cache: Option<CacheRules>,
    /// What tokens cost.
    pub prices: Option<Prices>,
    /// Parts of the protocol that must be asked for.
    pub(crate) betas: Vec<String>,
    /// Fields that join the body of each request.
    pub(crate) body: Map<String, Value>,
}

/// A vendor of models.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Vendor {
    /// What stands before the colon in the name of an endpoint.
    pub(crate) id: String,
    /// The form in which its endpoint is talked to.
    pub(crate) protocol: Protocol,
    /// Where requests go; absent where the vendor's own library knows.
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the key; absent where none is needed.
    pub(crate) key_variable: Option<String>,
    /// Whether there are other ways to say who asks than by a key.
    #[serde(default)]
    pub(crate) key_is_optional: bool,
    /// The environment variable that may hold another address.
    pub(crate) base_url_variable: Option<String>,
    /// The form in which its embedding models are talked to; absent where it has none.
    pub(crate) embeddings: Option<EmbeddingProtocol>,
    /// Where requests to them go, if not to the address above.
    pub(crate) embeddings_base_url: Option<String>,
    /// Whether the text of an answer may hold calls.
    #[serde(default)]
    pub(crate) is_lenient: bool,
    /// The models.
    #[serde(default, rename = "model")]
    models: Vec<Row>,
}

/// What is known of the models whose names match a pattern.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Row {
    /// A name in which `*` stands for anything.
    pattern: String,
    disclosure: Option<Disclosure>,
    can_narrow: Option<bool>,
    context_tokens: Option<u64>,
    output_tokens: Option<u32>,
    cache: Option<CacheRules>,
    prices: Option<Prices>,
    #[serde(default)]
    betas: Vec<String>,
    #[serde(default)]
    body: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    vendor: Vec<Vendor>,
}

#[expect(clippy::expect_used, reason = "the rows are compiled in, and a test reads them")]
static VENDORS: LazyLock<Vec<Vendor>> =
    LazyLock::new(|| toml::from_str::<Rows>(ROWS).expect("rows of models").vendor);

impl Vendor {
    /// Returns every vendor, in the order of the rows.
    pub(crate) fn all() -> &'static [Self] {
        &VENDORS
    }

    /// Returns the vendor of this id.
    pub(crate) fn of(id: &str) -> Option<&'static Self> {
        VENDORS.iter().find(|vendor| vendor.id == id)
    }

    /// Returns what is known of a model: each fact from the first row that matches and states it.
    pub(crate) fn facts(&self, model: &str) -> Facts {
        let mut known = Facts::default();
        for row in self.models.iter().filter(|row| matches(&row.pattern, model)) {
            known.disclosure = known.disclosure.or(row.disclosure);
            known.can_narrow = known.can_narrow.or(row.can_narrow);
            known.context_tokens = known.context_tokens.or(row.context_tokens);
            known.output_tokens = known.output_tokens.or(row.output_tokens);
            known.cache = known.cache.or(row.cache);
            known.prices = known.prices.or(row.prices);
            if known.betas.is_empty() {
                known.betas.clone_from(&row.betas);
            }
            if known.body.is_empty() {
                known.body.clone_from(&row.body);
            }
        }
        known
    }
}

#[cfg(test)]
mod tests;
