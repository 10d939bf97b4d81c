//! The connection itself: where requests go, what they carry beside their body, and what a connection that fails means.

use std::net::IpAddr;
use std::time::Duration;

use oncue_agent::{ModelError, ModelErrorKind};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, Url};
use secrecy::ExposeSecret;

use super::receive::Received;
use super::tls;
use crate::Key;
use crate::endpoint::{Endpoint, SetupError};

/// What the program calls itself.
const USER_AGENT: &str = concat!("oncue/", env!("CARGO_PKG_VERSION"));

/// The way to an endpoint, whatever is said there. Lives as long as its users; connections are shared between them.
pub(crate) struct Connection {
    pub(super) endpoint: Endpoint,
    headers: HeaderMap,
    http: reqwest::Client,
}

/// What every request of a wire carries beside its body.
pub(crate) struct Carried {
    /// Headers beside the key, such as the version of the protocol.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// In which header the key travels, and what stands before it there.
    pub(crate) key: (&'static str, &'static str),
}

impl Default for Carried {
    fn default() -> Self {
        Self { headers: Vec::new(), key: ("authorization", "Bearer ") }
    }
}

impl Connection {
    /// The way to the address of the endpoint.
    ///
    /// # Errors
    ///
    /// The address or a header is none, or the system has no certificates.
    pub(crate) fn new(endpoint: Endpoint, carried: &Carried) -> Result<Self, SetupError> {
        let url = Url::parse(&endpoint.base_url)
            .map_err(|_| SetupError::BaseUrl { url: endpoint.base_url.clone() })?;
        Self::anywhere(endpoint, carried, is_loopback(&url))
    }

    /// The way to addresses that each request has of its own.
    ///
    /// # Errors
    ///
    /// A header is none, or the system has no certificates.
    #[cfg(feature = "bedrock")]
    pub(super) fn signed(endpoint: Endpoint, carried: &Carried) -> Result<Self, SetupError> {
        let is_local = Url::parse(&endpoint.base_url).is_ok_and(|url| is_loopback(&url));
        Self::anywhere(endpoint, carried, is_local)
    }

    fn anywhere(endpoint: Endpoint, carried: &Carried, is_local: bool) -> Result<Self, SetupError> {
        let not_prepared =
            |source| SetupError::Connections { url: endpoint.base_url.clone(), source };
        let tls = tls::config(&endpoint.base_url).map_err(not_prepared)?;
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .connect_timeout(endpoint.times.connect)
            .user_agent(USER_AGENT);
        if is_local {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| not_prepared(error.into()))?;
        let headers = headers(&endpoint, carried)?;
        Ok(Self { endpoint, headers, http })
    }

    /// Returns a request for `path` below the address of the endpoint.
    pub(crate) fn below(&self, path: &str) -> RequestBuilder {
        self.at(&url(&self.endpoint.base_url, path))
    }

    /// Returns a request for a whole address.
    pub(super) fn at(&self, url: &str) -> RequestBuilder {
        self.http.post(url)
    }

    /// Sends a request and waits until an answer begins.
    ///
    /// # Errors
    ///
    /// There is no connection, or no answer in time.
    pub(crate) async fn send(
        &self,
        request: RequestBuilder,
        accepted: &'static str,
        body: Vec<u8>,
    ) -> Result<Received, ModelError> {
        let sent = request
            .headers(self.headers.clone())
            .header(ACCEPT, accepted)
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .send();
        let response: Result<Response, _> =
            within(self.endpoint.times.first_byte, "the first byte", sent).await?;
        let response = response.map_err(|error| broken(error, false))?;
        Ok(Received::new(response, self.endpoint.times.silence))
    }

    /// Returns the error with the key made unreadable, should it stand there.
    pub(crate) fn hidden(&self, mut error: ModelError) -> ModelError {
        if let Some(key) = &self.endpoint.key {
            error.message = key.hidden_in(&error.message);
        }
        error
    }
}

/// Returns the headers of every request: those of the endpoint, those of the wire, which win, and the key.
fn headers(endpoint: &Endpoint, carried: &Carried) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    let mut put = |name: &str, value: &str, is_secret: bool| -> Result<(), SetupError> {
        let illegal = || SetupError::Header { name: name.to_owned() };
        let mut value = HeaderValue::from_str(value).map_err(|_| illegal())?;
        value.set_sensitive(is_secret);
        headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| illegal())?, value);
        Ok(())
    };
    for (name, value) in &endpoint.headers {
        put(name, value.expose_secret(), true)?;
    }
    for (name, value) in &carried.headers {
        put(name, value, false)?;
    }
    if let Some(key) = endpoint.key.as_ref().map(Key::expose) {
        let (name, prefix) = carried.key;
        put(name, &format!("{prefix}{key}"), true)?;
    }
    Ok(headers)
}

/// Returns the address of a request; a version that ends the base and begins the path stands there once.
fn url(base: &str, path: &str) -> String {
    let version = path.split('/').nth(1).filter(|part| part.starts_with('v'));
    let base =
        version.and_then(|version| base.strip_suffix(version)?.strip_suffix('/')).unwrap_or(base);
    format!("{base}{path}")
}

/// Says whether requests stay on this machine, where no proxy is to be asked.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Waits so long and no longer.
pub(super) async fn within<T>(
    time: Duration,
    what: &str,
    future: impl Future<Output = T>,
) -> Result<T, ModelError> {
    tokio::time::timeout(time, future).await.map_err(|_| {
        let message = format!("{what} did not come within {} s", time.as_secs_f32());
        ModelError::new(ModelErrorKind::TimedOut, message)
    })
}

/// Returns what a failed connection means; `has_begun` says whether an answer had.
pub(super) fn broken(error: reqwest::Error, has_begun: bool) -> ModelError {
    let error = error.without_url();
    let kind = match &error {
        error if error.is_timeout() => ModelErrorKind::TimedOut,
        error if error.is_builder() => ModelErrorKind::InvalidRequest,
        error if error.is_connect() => ModelErrorKind::Unavailable,
        _ if has_begun => ModelErrorKind::Interrupted,
        _ => ModelErrorKind::Unavailable,
    };
    ModelError::new(kind, chain(&error)).with_source(error)
}

/// Returns an error with all that lies behind it, since its own text names no cause.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        // Some errors repeat what lies behind them.
        if !text.ends_with(&cause_text) {
            text += ": ";
            text += &cause_text;
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{is_loopback, url};

    #[test]
    fn a_version_stands_once() {
        let cases = [
            ("https://a", "/v1/messages", "https://a/v1/messages"),
            ("https://a/v1", "/v1/messages", "https://a/v1/messages"),
            ("https://a/x/v1", "/chat/completions", "https://a/x/v1/chat/completions"),
            ("https://a/dev1", "/v1/messages", "https://a/dev1/v1/messages"),
            ("https://a/v1beta", "/models/x:y?alt=sse", "https://a/v1beta/models/x:y?alt=sse"),
        ];
        for (base, path, expected) in cases {
            assert_eq!(url(base, path), expected);
        }
    }

    #[test]
    fn no_proxy_is_asked_for_this_machine() {
        let cases = [
            ("http://localhost:1/v1", true),
            ("http://127.0.0.9/", true),
            ("http://[::1]:8080", true),
            ("http://10.0.0.1", false),
            ("https://localhost.example", false),
        ];
        for (url, expected) in cases {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
