//! A model behind an HTTP endpoint: its wire's requests and answers over a connection.

use oncue_agent::{Disclosure, Listen, Model, ModelError, ModelErrorKind, Reply, Request};
use oncue_tools::BoxFuture;
use reqwest::RequestBuilder;

#[cfg(feature = "bedrock")]
use super::Sign;
use super::connection::{Carried, Connection};
use super::receive::{Answer, Received};
use crate::Names;
use crate::endpoint::{Endpoint, SetupError};
use crate::wire::{Framing, Wire};

/// A model behind an HTTP endpoint. Lives as long as its users; connections are shared between them.
pub(crate) struct Client<W> {
    connection: Connection,
    wire: W,
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
        let connection = Connection::new(endpoint, &carried(&wire))?;
        Ok(Self {
            connection,
            wire,
            #[cfg(feature = "bedrock")]
            signer: None,
        })
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
        let connection = Connection::signed(endpoint, &carried(&wire))?;
        Ok(Self { connection, wire, signer: Some(signer) })
    }

    async fn ask(
        &self,
        request: &Request<'_>,
        listener: Option<&dyn Listen>,
    ) -> Result<Reply, ModelError> {
        let encoded = self.wire.encode(request).map_err(|error| {
            ModelError::new(ModelErrorKind::InvalidRequest, error.to_string()).with_source(error)
        })?;
        let endpoint = &self.connection.endpoint;
        let (rules, disclosure) = (endpoint.name_rules, endpoint.disclosure);
        let names = Names::of_request(rules, disclosure, request).map_err(|error| {
            ModelError::new(ModelErrorKind::InvalidRequest, error.to_string()).with_source(error)
        })?;
        let losses = encoded.losses;
        let streams = listener.is_some();
        let body = if streams { self.wire.streaming(encoded.body)? } else { encoded.body };
        let received = self.send(body, streams).await?;
        let answer = Answer::new(&self.wire, received);
        let reply = match listener {
            Some(listener) => answer.stream(names, listener).await?,
            None => answer.whole(&names).await?,
        };
        Ok(Reply { losses, ..reply })
    }

    async fn send(&self, body: Vec<u8>, streams: bool) -> Result<Received, ModelError> {
        let path = self.wire.path(streams);
        let accepted = match (streams, self.wire.framing()) {
            (false, _) => "application/json",
            (true, Framing::Lines) => "text/event-stream",
            #[cfg(feature = "bedrock")]
            (true, Framing::Aws) => "application/vnd.amazon.eventstream",
        };
        let request = self.request(&path, &body).await?;
        self.connection.send(request, accepted, body).await
    }

    /// Returns a request that goes to the right place.
    #[cfg(feature = "bedrock")]
    async fn request(&self, path: &str, body: &[u8]) -> Result<RequestBuilder, ModelError> {
        let Some(signer) = &self.signer else {
            return Ok(self.connection.below(path));
        };
        let signed = signer.sign(path, body).await?;
        let request = self.connection.at(&signed.url);
        Ok(signed
            .headers
            .iter()
            .fold(request, |request, (name, value)| request.header(name, value)))
    }

    /// Returns a request that goes to the right place.
    #[cfg(not(feature = "bedrock"))]
    #[expect(clippy::unused_async, reason = "with all features it waits for credentials")]
    async fn request(&self, path: &str, _body: &[u8]) -> Result<RequestBuilder, ModelError> {
        Ok(self.connection.below(path))
    }
}

impl<W: Wire> Model for Client<W> {
    fn name(&self) -> &str {
        &self.connection.endpoint.name
    }

    fn disclosure(&self) -> Disclosure {
        self.connection.endpoint.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.connection.endpoint.can_narrow
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let reply = self.ask(request, listener).await;
            reply.map_err(|error| self.connection.hidden(error))
        })
    }
}

/// Returns what every request of the wire carries.
fn carried(wire: &impl Wire) -> Carried {
    Carried { headers: wire.headers(), key: wire.key_header() }
}
