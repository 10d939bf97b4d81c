//! From the name of an endpoint to a model that answers.

use std::sync::Arc;

use oncue_agent::Model;

use super::Endpoint;
use crate::KeyError;
use crate::models::Vendor;

/// A vendor of models that is known by name.
///
/// ```
/// use oncue_providers::Provider;
///
/// let nothing_is_set = |_: &str| None;
/// let error = Provider::parse("anthropic:claude-opus-5", nothing_is_set).err().unwrap();
/// assert_eq!(error.to_string(), "there is no key: set the environment variable ANTHROPIC_API_KEY");
/// assert!(Provider::parse("ollama:qwen3", nothing_is_set).is_ok());
/// assert!(Provider::all().any(|provider| provider.id() == "openrouter"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Provider(&'static Vendor);

/// Why there is no model. Each error says what to set or to type.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Nobody is known by this name.
    #[error(
        "no vendor is called `{vendor}`: use one of {}, or PROTOCOL:MODEL@URL for any other server",
        known.join(", ")
    )]
    UnknownVendor {
        /// The name.
        vendor: String,
        /// The names that are known.
        known: Vec<String>,
    },
    /// The text names no endpoint.
    #[error("`{text}` names no model: write {forms}")]
    Malformed {
        /// The text.
        text: String,
        /// What may be written.
        forms: &'static str,
    },
    /// There are no embedding models of this name's vendor, or nobody is known by it.
    #[error(
        "`{vendor}` has no embedding models: use one of {}, or embeddings:MODEL@URL for any other server",
        known.join(", ")
    )]
    NoEmbeddings {
        /// What stands before the colon.
        vendor: String,
        /// The vendors that have some.
        known: Vec<String>,
    },
    /// What stands behind the question mark in the name of an embedding model is nothing that can be set.
    #[error(
        "`{option}` cannot be set: behind `?` stand dimensions=NUMBER, query=TEXT and passage=TEXT, joined by `&`"
    )]
    Option {
        /// The text.
        option: String,
    },
    /// The address is none.
    #[error("`{url}` is no address: it begins with http:// or https://")]
    BaseUrl {
        /// The text.
        url: String,
    },
    /// There is no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A header that was asked for is none.
    #[error("the header `{name}` cannot be sent: its name or its value has illegal characters")]
    Header {
        /// Its name.
        name: String,
    },
    /// Connections cannot be made, such as without certificates of authorities.
    #[error(
        "failed to prepare connections to {url}: install the system's certificates of authorities"
    )]
    Connections {
        /// Where they would go.
        url: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The protocol was left out when the program was built.
    #[error("this program was built without {protocol}: build it with the feature `{feature}`")]
    LeftOut {
        /// What is missing.
        protocol: &'static str,
        /// The feature that has it.
        feature: &'static str,
    },
}

impl Provider {
    /// Iterates over the vendors that are known by name.
    pub fn all() -> impl Iterator<Item = Self> {
        Vendor::all().iter().map(Self)
    }

    /// Returns what stands before the colon in the name of its endpoints.
    #[must_use]
    pub fn id(&self) -> &'static str {
        &self.0.id
    }

    /// Returns the environment variable that holds its key; `None` where it needs none.
    #[must_use]
    pub fn key_variable(&self) -> Option<&'static str> {
        self.0.key_variable.as_deref()
    }

    /// Returns the model of this name; `lookup` says what an environment variable holds.
    ///
    /// The forms of names are those of [`Endpoint::parse`].
    ///
    /// # Errors
    ///
    /// The text names no endpoint, or what it needs is not set; the error names what to set.
    pub fn parse(
        text: &str,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<Arc<dyn Model>, SetupError> {
        Endpoint::parse(text, lookup)?.open()
    }
}
