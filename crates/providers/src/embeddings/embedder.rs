//! A model behind an endpoint, as a catalog asks it.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_agent::{ModelError, ModelErrorKind};
use oncue_tools::{BoxFuture, EmbedError, Embedder};
use tokio::time::{Instant, sleep, timeout};

use super::EmbeddingEndpoint;
use super::batch::{batches, prepared};
use super::recent::Recent;
use super::rest::Rest;
use super::vectors::checked;
use super::wire::{self, Answer, Wrong};
use crate::SetupError;
use crate::http::{Carried, Connection};

/// An embedding model behind an endpoint.
///
/// - Texts of tools go in batches; what the server may answer a little later is asked again, after the pause that it asks for.
/// - A query waits a few seconds and no longer; what comes later is remembered for the next search.
/// - After a failure queries are refused for a while without a request, so that not every search waits for a server that is away.
///
/// Cheap to clone; clones share what they know. It works within a Tokio runtime.
#[derive(Clone)]
pub struct EndpointEmbedder {
    shared: Arc<Shared>,
}

/// What clones share. Lives as long as the last of them.
struct Shared {
    endpoint: EmbeddingEndpoint,
    /// What tells its vectors from those of others.
    identity: String,
    connection: Connection,
    /// Numbers of a vector; 0 where nobody has said so yet.
    width: AtomicUsize,
    rest: Mutex<Rest>,
    recent: Mutex<Recent>,
}

/// Why there are no vectors.
enum Failed {
    /// The server did not answer, or with an error.
    Asked(ModelError),
    /// It answered something else.
    Answered(String),
}

impl EndpointEmbedder {
    pub(super) fn new(mut endpoint: EmbeddingEndpoint) -> Result<Self, SetupError> {
        let base = endpoint.protocol.base(&endpoint.endpoint.base_url).to_owned();
        endpoint.endpoint.base_url = base;
        let connection = Connection::new(endpoint.endpoint.clone(), &Carried::default())?;
        let identity = endpoint.identity();
        let width = AtomicUsize::new(endpoint.dimensions.unwrap_or_default());
        let (rest, recent) = Default::default();
        let shared = Shared { endpoint, identity, connection, width, rest, recent };
        Ok(Self { shared: Arc::new(shared) })
    }
}

impl Embedder for EndpointEmbedder {
    fn model(&self) -> &str {
        &self.shared.identity
    }

    fn width(&self) -> usize {
        self.shared.width()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            let shared = &self.shared;
            let prefix = &shared.endpoint.passage;
            let texts: Vec<String> = texts.iter().map(|text| prepared(prefix, text)).collect();
            let mut vectors = Vec::with_capacity(texts.len());
            for batch in batches(&texts) {
                let told = shared.persistent(batch).await;
                vectors.extend(told.map_err(|failed| shared.away(&failed))?);
            }
            shared.rest().answered();
            Ok(vectors)
        })
    }

    fn embed_query<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            let shared = &self.shared;
            if let Some(vectors) = shared.recent().all(texts) {
                return Ok(vectors);
            }
            if let Some((why, left)) = shared.rest().at(Instant::now()) {
                let left = left.as_secs_f32().ceil();
                return Err(shared.error(format!("{why}; it is asked again in {left} s")));
            }
            let own = Arc::clone(shared);
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            // What comes too late is waited for all the same: a server that loads its model would begin again otherwise.
            let asked = tokio::spawn(async move { own.query(&texts).await });
            match timeout(shared.endpoint.query_time, asked).await {
                Ok(Ok(told)) => told,
                Ok(Err(broken)) => Err(shared.error(broken.to_string())),
                Err(_) => Err(shared.late()),
            }
        })
    }
}

impl Shared {
    /// Asks once for the vectors of a query and remembers them.
    async fn query(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = &self.endpoint.query;
        let sent: Vec<String> = texts.iter().map(|text| prepared(prefix, text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&sent) {
            vectors.extend(self.once(batch).await.map_err(|failed| self.away(&failed))?);
        }
        self.rest().answered();
        let mut recent = self.recent();
        texts.iter().zip(&vectors).for_each(|(text, vector)| recent.put(text, vector.clone()));
        Ok(vectors)
    }

    /// Asks until there is an answer, or none to be hoped for soon.
    async fn persistent(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Failed> {
        let mut attempts = 0;
        loop {
            let failed = match self.once(texts).await {
                Ok(vectors) => return Ok(vectors),
                Err(failed) => failed,
            };
            attempts += 1;
            let pause = match &failed {
                // What is no answer of such a model will be none again.
                Failed::Asked(ModelError { kind: ModelErrorKind::Malformed, .. })
                | Failed::Answered(_) => None,
                Failed::Asked(error) if error.status.is_some() => error.pause(attempts),
                // Where nobody has answered at all, nobody will within seconds.
                Failed::Asked(_) => None,
            };
            let Some(pause) = pause else { return Err(failed) };
            sleep(pause).await;
        }
    }

    /// Asks once, for one batch.
    async fn once(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Failed> {
        let EmbeddingEndpoint { endpoint, protocol, dimensions, .. } = &self.endpoint;
        let asked = async {
            let body = protocol.body(endpoint.model(), texts, *dimensions).map_err(|error| {
                ModelError::new(ModelErrorKind::InvalidRequest, error.to_string())
            })?;
            let request = self.connection.below(protocol.path());
            let received = self.connection.send(request, "application/json", body).await?;
            received.json::<Answer>(&wire::refusal).await
        };
        let answer = asked.await.map_err(|error| Failed::Asked(self.connection.hidden(error)))?;
        let vectors = wire::vectors(answer).map_err(|wrong| match wrong {
            Wrong::Error(error) => Failed::Asked(self.connection.hidden(error)),
            Wrong::Form(what) => Failed::Answered(what),
        })?;
        let width = Some(self.width()).filter(|&width| width > 0);
        let vectors = checked(vectors, texts.len(), width).map_err(Failed::Answered)?;
        let told = vectors.first().map_or(0, Vec::len);
        match self.width.compare_exchange(0, told, Ordering::Relaxed, Ordering::Relaxed) {
            // Another request may have learnt of another width meanwhile.
            Err(known) if known != told => {
                Err(Failed::Answered(format!("vectors of {told} numbers and of {known}")))
            }
            Ok(_) | Err(_) => Ok(vectors),
        }
    }

    /// Returns the numbers of a vector; 0 where nobody has said so yet.
    fn width(&self) -> usize {
        self.width.load(Ordering::Relaxed)
    }

    /// Notes a failure and returns it as those see it who asked.
    fn away(&self, failed: &Failed) -> EmbedError {
        let (why, wanted, may_pass) = match failed {
            Failed::Asked(error) => {
                (error.to_string(), error.retry_after, error.kind.is_retryable())
            }
            Failed::Answered(what) => (format!("the server answered {what}"), None, false),
        };
        self.rest().failed(Instant::now(), &why, wanted, may_pass);
        self.error(why)
    }

    /// Notes that a query was not answered in time.
    fn late(&self) -> EmbedError {
        let time = self.endpoint.query_time.as_secs_f32();
        let why = format!("no answer within {time} s");
        self.rest().failed(Instant::now(), &why, None, true);
        self.error(why)
    }

    fn error(&self, reason: String) -> EmbedError {
        EmbedError { model: self.endpoint.name().to_owned(), reason }
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        // Both are changed whole, so what a panic has left behind is whole too.
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for EndpointEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointEmbedder").field("model", &self.shared.identity).finish()
    }
}
