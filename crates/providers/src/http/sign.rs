//! Requests whose address and headers depend on the request itself, such as those that are signed.

use oncue_agent::ModelError;
use oncue_tools::BoxFuture;

/// Says where a request goes and who sends it.
pub(crate) trait Sign: Send + Sync {
    /// Returns the address and the headers of a request for `path` with this body.
    fn sign<'a>(
        &'a self,
        path: &'a str,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<Signed, ModelError>>;
}

/// Where a request goes and who sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signed {
    /// The whole address.
    pub(crate) url: String,
    /// Headers beside those that every request has.
    pub(crate) headers: Vec<(String, String)>,
}
