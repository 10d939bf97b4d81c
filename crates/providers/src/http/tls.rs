//! Encrypted connections, with the certificates of the system. The defaults of the process stay untouched.

use std::error::Error;
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// Protocols that are offered, the preferred one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Returns how connections to `base_url` are encrypted.
///
/// Where they are not, no certificates are read, so that a machine without any reaches its own servers.
///
/// # Errors
///
/// The system has no certificates of authorities.
pub(super) fn config(base_url: &str) -> Result<ClientConfig, Box<dyn Error + Send + Sync>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = if base_url.starts_with("http://") {
        builder.with_root_certificates(RootCertStore::empty())
    } else {
        builder.with_platform_verifier()?
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = PROTOCOLS.map(Vec::from).to_vec();
    Ok(config)
}
