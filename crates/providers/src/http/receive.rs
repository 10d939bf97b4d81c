//! Receiving an answer, whole or in pieces, and never more of it than is bounded.

use std::time::{Duration, SystemTime};

use oncue_agent::{Delta, Listen, ModelError, ModelErrorKind, Reply};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::connection::{broken, within};
use super::failure::is_page;
use super::frames::Frames;
use super::header;
use super::wait::retry_after;
use crate::Names;
use crate::limits::{ANSWER_BYTES_MAX, ERROR_BYTES_MAX, LAST_BYTE_TIME_MAX};
use crate::wire::{Decode, Wire};

/// Headers in which vendors name a request.
const REQUEST_IDS: [&str; 4] =
    ["request-id", "x-request-id", "x-amzn-requestid", "x-goog-request-id"];

/// An answer that has begun.
pub(crate) struct Received {
    response: Response,
    headers: Vec<(String, String)>,
    silence: Duration,
}

/// Reads an answer that is no success: the status, the headers (names in lower case) and the body, JSON or not.
type Refuse<'r> = &'r (dyn Fn(u16, &[(String, String)], &[u8]) -> ModelError + Sync);

impl Received {
    /// The answer to a request; `silence` is the longest wait between two pieces.
    pub(super) fn new(response: Response, silence: Duration) -> Self {
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        Self { response, headers, silence }
    }

    /// Reads the answer as a whole; `refuse` reads it where it is no success.
    ///
    /// # Errors
    ///
    /// It is no success, broke off, or is not what is read here.
    pub(crate) async fn json<T: DeserializeOwned>(
        mut self,
        refuse: Refuse<'_>,
    ) -> Result<T, ModelError> {
        let answer = self.read_json(refuse).await;
        answer.map_err(|error| self.signed(error))
    }

    async fn read_json<T: DeserializeOwned>(
        &mut self,
        refuse: Refuse<'_>,
    ) -> Result<T, ModelError> {
        if !self.response.status().is_success() {
            return Err(self.refusal(refuse).await);
        }
        let body = self.body(ANSWER_BYTES_MAX).await?;
        if body.len() > ANSWER_BYTES_MAX {
            return Err(too_long());
        }
        serde_json::from_slice(&body).map_err(|error| {
            let text = String::from_utf8_lossy(&body);
            let what = match is_page(&text) {
                true => "a web page in the place of JSON; is the address right?".to_owned(),
                false if text.trim().is_empty() => "nothing in the place of JSON".to_owned(),
                false if error.is_data() => format!("JSON of another form: {error}"),
                false => "no JSON".to_owned(),
            };
            ModelError::new(ModelErrorKind::Malformed, what).with_source(error)
        })
    }

    async fn refusal(&mut self, refuse: Refuse<'_>) -> ModelError {
        let status = self.response.status().as_u16();
        match self.body(ERROR_BYTES_MAX).await {
            Ok(body) => refuse(status, &self.headers, &body),
            // What the status says is worth more than why the rest did not come.
            Err(error) => {
                let refusal = refuse(status, &self.headers, b"");
                refusal.with_source(error)
            }
        }
    }

    /// Reads the body, up to the piece that goes beyond `bytes_max`.
    async fn body(&mut self, bytes_max: usize) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await? {
            body.extend_from_slice(&piece);
            if body.len() > bytes_max {
                break;
            }
        }
        Ok(body)
    }

    async fn piece(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        let piece = within(self.silence, "the next piece of the answer", self.response.chunk());
        let piece = piece.await?.map_err(|error| broken(error, true))?;
        Ok(piece.map(Vec::from))
    }

    /// Returns the error with what the headers say of it.
    fn signed(&self, error: ModelError) -> ModelError {
        let status = self.response.status();
        let id =
            || REQUEST_IDS.iter().find_map(|name| header(&self.headers, name)).map(str::to_owned);
        ModelError {
            status: error.status.or(Some(status.as_u16())),
            request_id: error.request_id.or_else(id),
            retry_after: error
                .retry_after
                .or_else(|| retry_after(&self.headers, SystemTime::now())),
            ..error
        }
    }
}

/// An answer of a model, in the form of its wire.
pub(super) struct Answer<'w, W> {
    wire: &'w W,
    received: Received,
}

impl<'w, W: Wire> Answer<'w, W> {
    pub(super) fn new(wire: &'w W, received: Received) -> Self {
        Self { wire, received }
    }

    /// Reads the answer as a whole.
    pub(super) async fn whole(mut self, names: &Names) -> Result<Reply, ModelError> {
        let reply = self.read_whole(names).await;
        reply.map_err(|error| self.received.signed(error))
    }

    /// Reads the answer piece by piece.
    pub(super) async fn stream(
        mut self,
        names: Names,
        listener: &dyn Listen,
    ) -> Result<Reply, ModelError> {
        let kind = header(&self.received.headers, CONTENT_TYPE.as_str()).unwrap_or_default();
        let is_whole = ["/json", "/html"].iter().any(|whole| kind.contains(whole));
        let reply = if is_whole || !self.received.response.status().is_success() {
            // A server that does not stream answers as a whole, and so does one that refuses.
            self.read_whole(&names).await
        } else {
            let decoder = self.wire.decoder(names);
            self.read_stream(decoder, &mut |delta| listener.hear(delta)).await
        };
        reply.map_err(|error| self.received.signed(error))
    }

    async fn read_whole(&mut self, names: &Names) -> Result<Reply, ModelError> {
        let wire = self.wire;
        let refuse = |status: u16, headers: &[(String, String)], body: &[u8]| {
            wire.error(status, headers, body)
        };
        let answer: Value = self.received.read_json(&refuse).await?;
        wire.decode(answer, names)
    }

    async fn read_stream(
        &mut self,
        mut decoder: Box<dyn Decode>,
        hear: &mut (dyn FnMut(Delta) + Send),
    ) -> Result<Reply, ModelError> {
        let (mut frames, mut read) = (Frames::new(self.wire.framing()), 0);
        while let Some(piece) = self.received.piece().await? {
            read += piece.len();
            if read > ANSWER_BYTES_MAX {
                return Err(too_long());
            }
            let events = frames.feed(&piece)?;
            for event in &events {
                decoder.event(event, hear)?;
            }
            if decoder.is_complete() {
                // Reading to the end lets the connection be used again; a server that holds it open is not waited for.
                _ = tokio::time::timeout(LAST_BYTE_TIME_MAX, self.received.response.chunk()).await;
                return decoder.finish();
            }
        }
        if let Some(event) = frames.end() {
            decoder.event(&event, hear)?;
        }
        decoder.finish()
    }
}

fn too_long() -> ModelError {
    let message = format!("the answer is longer than {ANSWER_BYTES_MAX} bytes");
    ModelError::new(ModelErrorKind::Malformed, message)
}
