//! From an endpoint to the client that speaks the protocol of its model.

use std::sync::Arc;

use oncue_agent::{Disclosure, Model};

use super::converse::Converse;
use super::invoke::Invoke;
use super::sign::Signer;
use crate::endpoint::{Endpoint, SetupError};
use crate::http::Client;

/// What the ids of Claude have in common.
const CLAUDE: &str = "anthropic.claude";

/// Returns the model behind an endpoint.
///
/// # Errors
///
/// A header is none, or the system has no certificates.
pub(crate) fn open(endpoint: Endpoint) -> Result<Arc<dyn Model>, SetupError> {
    let has_key = endpoint.key.is_some();
    let signer = Signer::new(endpoint.aws.clone(), endpoint.base_url.clone(), has_key);
    let signer = Box::new(signer);
    let shows_late = matches!(endpoint.disclosure, Disclosure::ByReference | Disclosure::ByValue);
    if shows_late && endpoint.model.contains(CLAUDE) {
        let wire = Invoke::new(endpoint.clone());
        return Ok(Arc::new(Client::signed(endpoint, wire, signer)?));
    }
    let wire = Converse::new(endpoint.clone());
    Ok(Arc::new(Client::signed(endpoint, wire, signer)?))
}
