//! From a request to the bytes that a vendor reads. The trait is here, its implementations are with the vendors.

use serde::{Deserialize, Serialize};

use crate::Request;
use crate::cache::Prompt;

/// Writes requests in one vendor's form. Pure: the same request gives the same bytes.
pub trait Encode {
    /// Returns the body of the HTTP request and what a cache sees of it.
    ///
    /// # Errors
    ///
    /// The vendor has no form for the request, and leaving something out would change its meaning.
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError>;
}

/// A request in a vendor's form.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// The JSON body.
    pub body: Vec<u8>,
    /// The same as a row of blocks, for the [model of a cache](crate::cache); tokens are estimates.
    pub prompt: Prompt,
    /// What the vendor cannot be told, and was left out.
    pub losses: Vec<Loss>,
}

/// Something that the vendor cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Where, such as the name of a tool and the place in its schema.
    pub place: String,
    /// What was left out or changed.
    pub what: String,
}

/// Why a request has no form for a vendor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// There are more tools than the vendor takes in one request.
    #[error(
        "{tools} tools, and the endpoint takes at most {tools_max}: make more of them discoverable, or choose another disclosure"
    )]
    TooManyTools {
        /// How many there are.
        tools: usize,
        /// How many may be.
        tools_max: usize,
    },
    /// Two tools would have one name there.
    #[error("`{left}` and `{right}` would both be called `{name}`: rename one of them")]
    NameCollision {
        /// The name.
        name: String,
        /// One of the two, by exposed name.
        left: String,
        /// The other one.
        right: String,
    },
    /// Something else that would change the meaning.
    #[error("{0}")]
    Unsupported(String),
}
