//! Sending a request, and what may go wrong before an answer begins.

use std::net::IpAddr;
use std::time::Duration;

use oncue_agent::{Disclosure, Listen, Model, ModelError, ModelErrorKind, Reply, Request};
use oncue_tools::BoxFuture;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, Url};
use secrecy::ExposeSecret;

#[cfg(feature = "bedrock")]
use super::Sign;
use super::receive::Answer;
use super::tls;
use crate::endpoint::{Endpoint, SetupError};
use crate::wire::{Framing, Wire};
use crate::{Key, Names};

/// What the program calls itself.
const USER_AGENT: &str = concat!("oncue/", env!("CARGO_PKG_VERSION"));

/// A model behind an HTTP endpoint. Lives as long as its users; connections are shared between them.
pub(crate) struct Client<W> {
    endpoint: Endpoint,
    wire: W,
    headers: HeaderMap,
    http: reqwest::Client,
    /// Who says where each request goes, where the address of the endpoint does not.
    #[cfg(feature = "bedrock")]
    signer: Option<Box<dyn Sign>>,
}

impl<W: Wire> Client<W> {
    /// A model that speaks `wire`.
    ///
    /// # Errors
    ///
    /// The address or a header is none, or the system has no certificates.
    pub(crate) fn new(endpoint: Endpoint, wire: W) -> Result<Self, SetupError> {
        let url = Url::parse(&endpoint.base_url)
            .map_err(|_| SetupError::BaseUrl { url: endpoint.base_url.clone() })?;
        Self::connected(endpoint, wire, is_loopback(&url))
    }

    /// A model that speaks `wire`, whose requests go where `signer` says.
    ///
    /// # Errors
    ///
    /// A header is none, or the system has no certificates.
    #[cfg(feature = "bedrock")]
    pub(crate) fn signed(
        endpoint: Endpoint,
        wire: W,
        signer: Box<dyn Sign>,
    ) -> Result<Self, SetupError> {
        let is_local = Url::parse(&endpoint.base_url).is_ok_and(|url| is_loopback(&url));
        Ok(Self { signer: Some(signer), ..Self::connected(endpoint, wire, is_local)? })
    }

    fn connected(endpoint: Endpoint, wire: W, is_local: bool) -> Result<Self, SetupError> {
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
        let headers = headers(&endpoint, &wire)?;
        Ok(Self {
            endpoint,
            wire,
            headers,
            http,
            #[cfg(feature = "bedrock")]
            signer: None,
        })
    }

    async fn ask(
        &self,
        request: &Request<'_>,
        listener: Option<&dyn Listen>,
    ) -> Result<Reply, ModelError> {
        let encoded = self.wire.encode(request).map_err(|error| {
            ModelError::new(ModelErrorKind::InvalidRequest, error.to_string()).with_source(error)
        })?;
        let (rules, disclosure) = (self.endpoint.name_rules, self.endpoint.disclosure);
        let names = Names::of_request(rules, disclosure, request).map_err(|error| {
            ModelError::new(ModelErrorKind::InvalidRequest, error.to_string()).with_source(error)
        })?;
        let losses = encoded.losses;
        let streams = listener.is_some();
        let body = if streams { self.wire.streaming(encoded.body)? } else { encoded.body };
        let response = self.send(body, streams).await?;
        let answer = Answer::new(&self.wire, response, self.endpoint.times.silence);
        let reply = match listener {
            Some(listener) => answer.stream(names, listener).await?,
            None => answer.whole(&names).await?,
        };
        Ok(Reply { losses, ..reply })
    }

    async fn send(&self, body: Vec<u8>, streams: bool) -> Result<Response, ModelError> {
        let path = self.wire.path(streams);
        let accepted = match (streams, self.wire.framing()) {
            (false, _) => "application/json",
            (true, Framing::Lines) => "text/event-stream",
            #[cfg(feature = "bedrock")]
            (true, Framing::Aws) => "application/vnd.amazon.eventstream",
        };
        let request = self.request(&path, &body).await?;
        let sent = request
            .headers(self.headers.clone())
            .header(ACCEPT, accepted)
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .send();
        let response = within(self.endpoint.times.first_byte, "the first byte", sent).await?;
        response.map_err(|error| broken(error, false))
    }

    /// Returns a request that goes to the right place.
    #[cfg(feature = "bedrock")]
    async fn request(&self, path: &str, body: &[u8]) -> Result<RequestBuilder, ModelError> {
        let Some(signer) = &self.signer else {
            return Ok(self.http.post(url(&self.endpoint.base_url, path)));
        };
        let signed = signer.sign(path, body).await?;
        let request = self.http.post(signed.url);
        Ok(signed
            .headers
            .iter()
            .fold(request, |request, (name, value)| request.header(name, value)))
    }

    /// Returns a request that goes to the right place.
    #[cfg(not(feature = "bedrock"))]
    #[expect(clippy::unused_async, reason = "with all features it waits for credentials")]
    async fn request(&self, path: &str, _body: &[u8]) -> Result<RequestBuilder, ModelError> {
        Ok(self.http.post(url(&self.endpoint.base_url, path)))
    }
}

impl<W: Wire> Model for Client<W> {
    fn name(&self) -> &str {
        &self.endpoint.name
    }

    fn disclosure(&self) -> Disclosure {
        self.endpoint.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.endpoint.can_narrow
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let mut reply = self.ask(request, listener).await;
            if let (Err(error), Some(key)) = (&mut reply, &self.endpoint.key) {
                error.message = key.hidden_in(&error.message);
            }
            reply
        })
    }
}

/// Returns the headers of every request: those of the endpoint, those of the wire, which win, and the key.
fn headers(endpoint: &Endpoint, wire: &impl Wire) -> Result<HeaderMap, SetupError> {
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
    for (name, value) in wire.headers() {
        put(name, &value, false)?;
    }
    if let Some(key) = endpoint.key.as_ref().map(Key::expose) {
        let (name, prefix) = wire.key_header();
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
