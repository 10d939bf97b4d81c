//! Where an embedding model is and how it is talked to. Data alone, no connection.

use std::time::Duration;

use super::EndpointEmbedder;
use super::options::Options;
use super::prefix;
use crate::endpoint::{Endpoint, Written, of_vendor, other};
use crate::limits::{EMBEDDING_QUERY_TIME_MAX, EMBEDDING_TIME_MAX};
use crate::models::{EmbeddingProtocol, Vendor};
use crate::{Key, Protocol, SetupError, Times};

/// What stands before the colon where the server belongs to no known vendor.
const OTHER: &str = "embeddings";

/// What may be typed.
const FORMS: &str = "VENDOR:MODEL, embeddings:MODEL@URL or URL#MODEL, such as ollama:nomic-embed-text or http://127.0.0.1:8080/v1#bge-m3";

/// Where an embedding model is and how it is talked to.
///
/// ```
/// use oncue_providers::EmbeddingEndpoint;
///
/// let nothing_is_set = |_: &str| None;
/// let endpoint = EmbeddingEndpoint::parse("ollama:nomic-embed-text", nothing_is_set)?;
/// assert_eq!(endpoint.name(), "ollama:nomic-embed-text");
/// assert_eq!(endpoint.query_prefix(), "search_query: ");
///
/// let error = EmbeddingEndpoint::parse("openai:text-embedding-3-small", nothing_is_set).err();
/// let expected = "there is no key: set the environment variable OPENAI_API_KEY";
/// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(expected));
/// # Ok::<(), oncue_providers::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EmbeddingEndpoint {
    /// The address, the key, what the vendor calls the model, and how long is waited.
    pub(super) endpoint: Endpoint,
    /// The form of requests and answers.
    pub(super) protocol: EmbeddingProtocol,
    /// Numbers of a vector, where the model is asked for so many.
    pub(super) dimensions: Option<usize>,
    /// What stands in front of a query.
    pub(super) query: String,
    /// What stands in front of a text that is searched.
    pub(super) passage: String,
    /// How long a query waits for its vectors.
    pub(super) query_time: Duration,
}

impl EmbeddingEndpoint {
    /// An endpoint of any server that speaks `protocol`; what the model wants in front of texts is known for some models.
    #[must_use]
    pub fn new(
        protocol: EmbeddingProtocol,
        base_url: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        let endpoint = Endpoint::new(Protocol::Chat, base_url, model);
        let name = format!("{}@{}", endpoint.model(), endpoint.base_url);
        Self::of(endpoint.with_name(name), protocol, Options::default())
    }

    /// Reads an endpoint by its name; `lookup` says what an environment variable holds.
    ///
    /// | form | means |
    /// |---|---|
    /// | `openai:text-embedding-3-small` | a vendor's model at the vendor's address |
    /// | `ollama:nomic-embed-text@http://10.0.0.2:11434` | a vendor's model at another address, with the vendor's key |
    /// | `embeddings:bge-m3@http://127.0.0.1:8080/v1` | any server that speaks `OpenAI`'s protocol |
    /// | `http://127.0.0.1:8080/v1#bge-m3` | the same |
    ///
    /// Behind `?` may stand `dimensions=256` for models that can give shorter vectors, and `query=` and `passage=` for what stands in front of texts, joined by `&`.
    /// Keys are those of [`Endpoint::parse`].
    ///
    /// # Errors
    ///
    /// The text is none of these forms, or what it needs is not set; the error names what to set.
    pub fn parse(text: &str, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let text = text.trim_start();
        let (name, options) = Options::split(text)?;
        let malformed = || SetupError::Malformed { text: text.to_owned(), forms: FORMS };
        let name = name.trim();
        let written = Written::read(name).ok_or_else(malformed)?;
        let (Written::Url { model, .. } | Written::Named { model, .. }) = written;
        if model.is_empty() {
            return Err(malformed());
        }
        let of_other = |base_url: &str| {
            let endpoint = other(name, Protocol::Chat, model, base_url, &lookup)?;
            Ok(Self::of(endpoint, EmbeddingProtocol::Embeddings, options.clone()))
        };
        match written {
            Written::Url { base_url, .. } => of_other(base_url),
            Written::Named { prefix: OTHER, base_url: Some(url), .. } => of_other(url),
            Written::Named { prefix: OTHER, base_url: None, .. } => Err(malformed()),
            Written::Named { prefix, base_url, .. } => {
                let vendor = Vendor::of(prefix);
                let Some((vendor, protocol)) =
                    vendor.and_then(|vendor| Some((vendor, vendor.embeddings?)))
                else {
                    return Err(no_embeddings(prefix));
                };
                let own = vendor.embeddings_base_url.as_deref();
                let endpoint = of_vendor(vendor, model, base_url.or(own), &lookup)?;
                let own = own.or(vendor.base_url.as_deref());
                let is_elsewhere = own != Some(endpoint.base_url.as_str());
                let name = match is_elsewhere {
                    true => format!("{}@{}", endpoint.name, endpoint.base_url),
                    false => endpoint.name.clone(),
                };
                Ok(Self::of(endpoint.with_name(name), protocol, options))
            }
        }
    }

    fn of(endpoint: Endpoint, protocol: EmbeddingProtocol, options: Options) -> Self {
        let (query, passage) = prefix::of_model(endpoint.model());
        let times = Times { first_byte: EMBEDDING_TIME_MAX, ..Times::default() };
        Self {
            protocol,
            dimensions: options.dimensions,
            query: options.query.unwrap_or_else(|| query.to_owned()),
            passage: options.passage.unwrap_or_else(|| passage.to_owned()),
            query_time: EMBEDDING_QUERY_TIME_MAX,
            endpoint: endpoint.with_times(times),
        }
    }

    /// Returns the endpoint with a key.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { endpoint: self.endpoint.with_key(key), ..self }
    }

    /// Returns the endpoint with one more header.
    #[must_use]
    pub fn with_header(self, name: impl AsRef<str>, value: impl Into<String>) -> Self {
        Self { endpoint: self.endpoint.with_header(name, value), ..self }
    }

    /// Returns the endpoint with vectors of so many numbers, for models that can give fewer than they have.
    #[must_use]
    pub fn with_dimensions(self, dimensions: usize) -> Self {
        Self { dimensions: Some(dimensions), ..self }
    }

    /// Returns the endpoint with what stands in front of queries and of texts that are searched.
    #[must_use]
    pub fn with_prefixes(self, query: impl Into<String>, passage: impl Into<String>) -> Self {
        Self { query: query.into(), passage: passage.into(), ..self }
    }

    /// Returns the endpoint with other times to wait.
    #[must_use]
    pub fn with_times(self, times: Times) -> Self {
        Self { endpoint: self.endpoint.with_times(times), ..self }
    }

    /// Returns the endpoint with another time that a query waits for its vectors.
    #[must_use]
    pub fn with_query_time(self, query_time: Duration) -> Self {
        Self { query_time, ..self }
    }

    /// Returns the name by which people know it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.endpoint.name()
    }

    /// Returns the form of requests and answers.
    #[must_use]
    pub const fn protocol(&self) -> EmbeddingProtocol {
        self.protocol
    }

    /// Returns what stands in front of a query.
    #[must_use]
    pub fn query_prefix(&self) -> &str {
        &self.query
    }

    /// Returns what stands in front of a text that is searched.
    #[must_use]
    pub fn passage_prefix(&self) -> &str {
        &self.passage
    }

    /// Returns what tells its vectors from those of others: its name with all that changes the vectors of texts that are searched.
    #[must_use]
    pub fn identity(&self) -> String {
        let mut identity = self.name().to_owned();
        let mut mark = '?';
        let mut put = |option: &str, value: &str| {
            identity.push(mark);
            identity.push_str(option);
            identity.push_str(value);
            mark = '&';
        };
        if let Some(dimensions) = self.dimensions {
            put("dimensions=", &dimensions.to_string());
        }
        if !self.passage.is_empty() {
            put("passage=", &self.passage);
        }
        identity
    }

    /// Returns the model behind the endpoint. Nothing is sent before it is asked.
    ///
    /// # Errors
    ///
    /// The address or a header is none, or the system has no certificates.
    pub fn open(self) -> Result<EndpointEmbedder, SetupError> {
        EndpointEmbedder::new(self)
    }
}

fn no_embeddings(vendor: &str) -> SetupError {
    let known = Vendor::all().iter().filter(|vendor| vendor.embeddings.is_some());
    let known = known.map(|vendor| vendor.id.clone()).collect();
    SetupError::NoEmbeddings { vendor: vendor.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use super::EmbeddingEndpoint;
    use crate::EmbeddingProtocol::{self, Embeddings, Ollama};

    fn parse(text: &str, set: &[(&str, &str)]) -> Result<EmbeddingEndpoint, String> {
        let lookup = |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        EmbeddingEndpoint::parse(text, lookup).map_err(|error| error.to_string())
    }

    const KEYS: [(&str, &str); 3] =
        [("OPENAI_API_KEY", "k"), ("GEMINI_API_KEY", "g"), ("ONCUE_API_KEY", "o")];

    /// What is typed, and then the protocol, the address, the model, the identity and the key.
    type Case<'c> = (&'c str, EmbeddingProtocol, &'c str, &'c str, &'c str, Option<&'c str>);

    #[test]
    fn names_are_read_as_those_of_other_models() {
        let cases: [Case<'_>; 7] = [
            (
                "openai:text-embedding-3-small?dimensions=512",
                Embeddings,
                "https://api.openai.com/v1",
                "text-embedding-3-small",
                "openai:text-embedding-3-small?dimensions=512",
                Some("k"),
            ),
            (
                "gemini:gemini-embedding-001",
                Embeddings,
                "https://generativelanguage.googleapis.com/v1beta/openai",
                "gemini-embedding-001",
                "gemini:gemini-embedding-001",
                Some("g"),
            ),
            (
                "ollama:nomic-embed-text:v1.5",
                Ollama,
                "http://127.0.0.1:11434",
                "nomic-embed-text:v1.5",
                "ollama:nomic-embed-text:v1.5?passage=search_document: ",
                None,
            ),
            (
                "ollama:all-minilm@http://10.0.0.2:11434/",
                Ollama,
                "http://10.0.0.2:11434",
                "all-minilm",
                "ollama:all-minilm@http://10.0.0.2:11434",
                None,
            ),
            (
                "embeddings:BAAI/bge-m3@http://h:8080/v1",
                Embeddings,
                "http://h:8080/v1",
                "BAAI/bge-m3",
                "BAAI/bge-m3@http://h:8080/v1",
                Some("o"),
            ),
            ("http://h/v1#m", Embeddings, "http://h/v1", "m", "m@http://h/v1", Some("o")),
            (
                "http://h/v1#e5-small?passage=&dimensions=3",
                Embeddings,
                "http://h/v1",
                "e5-small",
                "e5-small@http://h/v1?dimensions=3",
                Some("o"),
            ),
        ];
        for (text, protocol, base_url, model, identity, key) in cases {
            let read = parse(text, &KEYS).unwrap();
            assert_eq!(read.protocol, protocol, "{text}");
            assert_eq!(read.endpoint.base_url, base_url, "{text}");
            assert_eq!(read.endpoint.model(), model, "{text}");
            assert_eq!(read.identity(), identity, "{text}");
            assert_eq!(read.endpoint.key.as_ref().map(crate::Key::expose), key, "{text}");
        }
    }

    #[test]
    fn another_address_makes_another_model() {
        let set = [KEYS[0], ("OPENAI_BASE_URL", "http://proxy/v1")];
        let read = parse("openai:m", &set).unwrap();
        assert_eq!(read.identity(), "openai:m@http://proxy/v1");
        let built = EmbeddingEndpoint::new(Ollama, "http://h/", "m");
        assert_eq!(built.identity(), "m@http://h");
    }

    #[test]
    fn what_cannot_be_read_says_what_to_write() {
        let forms = "write VENDOR:MODEL, embeddings:MODEL@URL or URL#MODEL, such as ollama:nomic-embed-text or http://127.0.0.1:8080/v1#bge-m3";
        let cases = [
            ("word2vec", format!("`word2vec` names no model: {forms}")),
            ("ollama:", format!("`ollama:` names no model: {forms}")),
            ("embeddings:m", format!("`embeddings:m` names no model: {forms}")),
            ("http://h/v1", format!("`http://h/v1` names no model: {forms}")),
            (
                "anthropic:m",
                "`anthropic` has no embedding models: use one of openai, gemini, ollama, openrouter, or embeddings:MODEL@URL for any other server".to_owned(),
            ),
            (
                "openai:m",
                "there is no key: set the environment variable OPENAI_API_KEY".to_owned(),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text, &[]).unwrap_err(), expected, "{text}");
        }
    }
}
