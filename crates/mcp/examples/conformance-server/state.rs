//! What a client carries from one round to the next, sealed so that it cannot make it up.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oncue_mcp::RpcError;
use ring::hmac;
use ring::rand::SystemRandom;

/// Seals states. Lives as long as the server.
pub(crate) struct Seal(hmac::Key);

impl Seal {
    pub(crate) fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new());
        Ok(Self(key.map_err(|_| "there is no randomness")?))
    }

    /// Returns `state` with its seal.
    pub(crate) fn sealed(&self, state: &str) -> String {
        let tag = hmac::sign(&self.0, state.as_bytes());
        format!("{state}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Returns the state behind a seal.
    ///
    /// # Errors
    ///
    /// The seal is not ours, or the state is another one.
    pub(crate) fn opened(&self, sealed: &str) -> Result<String, RpcError> {
        let opened = || {
            let (state, tag) = sealed.rsplit_once('.')?;
            let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
            hmac::verify(&self.0, state.as_bytes(), &tag).ok()?;
            Some(state.to_owned())
        };
        opened()
            .ok_or_else(|| RpcError::invalid_params("Invalid params: `requestState` is not ours"))
    }
}
