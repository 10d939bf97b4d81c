//! How requests to servers behind HTTP are made.

use std::sync::Arc;
use std::time::Duration;

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::limits::CONNECT_TIME_MAX;

/// What the program calls itself.
const USER_AGENT: &str = concat!("oncue/", env!("CARGO_PKG_VERSION"));

/// Returns a client that trusts what the system trusts and follows no redirect: a credential goes where it was meant to go.
///
/// # Errors
///
/// It cannot be made: the system's proxy settings cannot be read.
pub fn client() -> Result<reqwest::Client, reqwest::Error> {
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIME_MAX)
        .pool_idle_timeout(Duration::from_secs(90))
        .user_agent(USER_AGENT);
    match tls() {
        Ok(config) => builder.tls_backend_preconfigured(config).build(),
        Err(error) => {
            // Servers on this machine need none, and others fail with a text that says so.
            tracing::warn!(%error, "the system has no certificates of authorities");
            builder.tls_backend_preconfigured(without_roots()?).build()
        }
    }
}

fn tls() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(offering(builder.with_platform_verifier()?.with_no_client_auth()))
}

fn without_roots() -> Result<ClientConfig, reqwest::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_protocol_versions(rustls::DEFAULT_VERSIONS);
    let builder = builder.unwrap_or_else(|_| ClientConfig::builder());
    Ok(offering(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()))
}

/// Returns the configuration that offers both versions of HTTP.
fn offering(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}
