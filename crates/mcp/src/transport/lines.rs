//! A message a line, over any pair of streams: how a server on standard input and output is spoken to.

use std::sync::atomic::{AtomicU64, Ordering};

use oncue_tools::BoxFuture;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};
use tokio::task::AbortHandle;

use super::framing::{Framing, Line};
use super::{Received, Transport, TransportError, TransportErrorKind};
use crate::limits::{NOISE_LINES_TOLD_MAX, WRITES_WAITING_MAX};
use crate::{Malformed, Message, RequestId};

/// What to do with lines that are no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Skip and count them: servers print banners where only messages belong.
    Skip,
    /// Report them, so that a client is told.
    Report,
}

/// A message a line over a pair of streams. Lives as long as the streams.
///
/// Writing has a task of its own, so that a caller that goes away never leaves half a message behind.
pub struct Lines<R> {
    reading: Mutex<Option<Reading<R>>>,
    writing: std::sync::Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    writer: AbortHandle,
    bytes_max: usize,
    noise: Noise,
    skipped: AtomicU64,
}

struct Reading<R> {
    from: R,
    framing: Framing,
}

impl<R: AsyncRead + Unpin + Send + 'static> Lines<R> {
    /// Messages of at most `bytes_max` bytes over these streams; to be called within a runtime.
    pub fn new<W>(from: R, to: W, bytes_max: usize, noise: Noise) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (writing, messages) = mpsc::channel(WRITES_WAITING_MAX);
        let writer = tokio::spawn(write(to, messages)).abort_handle();
        let framing = Framing::new(bytes_max);
        Self {
            reading: Mutex::new(Some(Reading { from, framing })),
            writing: std::sync::Mutex::new(Some(writing)),
            writer,
            bytes_max,
            noise,
            skipped: AtomicU64::new(0),
        }
    }

    /// Returns how many lines were no messages.
    pub fn skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    async fn next(&self) -> Option<Received> {
        let mut reading = self.reading.lock().await;
        loop {
            // Nothing is awaited while a line is taken out, so a dropped future loses none.
            let it = reading.as_mut()?;
            if let Some(line) = it.framing.next_line() {
                match self.received(&line) {
                    Some(received) => return Some(received),
                    None => continue,
                }
            }
            match it.from.read_buf(it.framing.buffer()).await {
                Ok(0) => *reading = None,
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "reading failed");
                    *reading = None;
                }
            }
        }
    }

    fn received(&self, line: &Line) -> Option<Received> {
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::TooLong(beginning) => {
                let id = id_within(beginning);
                return Some(Received::TooLong { bytes_max: self.bytes_max, id });
            }
        };
        match Message::read(bytes) {
            Ok(message) => Some(Received::Message { message, along: None }),
            Err(malformed @ Malformed::NotJson { .. }) if self.noise == Noise::Skip => {
                let skipped = self.skipped.fetch_add(1, Ordering::Relaxed);
                if skipped < NOISE_LINES_TOLD_MAX {
                    tracing::debug!(%malformed, "a line that is no message is skipped");
                }
                None
            }
            Err(malformed) => Some(Received::Malformed(malformed)),
        }
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Transport for Lines<R> {
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>> {
        Box::pin(async move {
            let mut line = message.to_bytes();
            line.push(b'\n');
            let writing = match self.writing.lock() {
                Ok(writing) => writing.clone(),
                Err(_) => None,
            };
            let writing = writing.ok_or_else(TransportError::closed)?;
            writing.send(line).await.map_err(|_| {
                TransportError::new(TransportErrorKind::Io, "the other side does not read any more")
            })
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(self.next())
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // With the last sender gone the writer writes what waits and then ends the stream.
            if let Ok(mut writing) = self.writing.lock() {
                writing.take();
            }
        })
    }
}

impl<R> Drop for Lines<R> {
    fn drop(&mut self) {
        self.writer.abort();
    }
}

async fn write(mut to: impl AsyncWrite + Unpin, mut messages: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = messages.recv().await {
        let written = async {
            to.write_all(&line).await?;
            // Several that wait are flushed once.
            if messages.is_empty() { to.flush().await } else { Ok(()) }
        };
        if let Err(error) = written.await {
            tracing::debug!(%error, "writing failed");
            return;
        }
    }
    let _ = to.shutdown().await;
}

/// Returns the id in the beginning of a message that is too long to be read.
///
/// Servers write it before the result, and `jsonrpc` before it at most.
fn id_within(beginning: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(beginning);
    let mut rest = text.trim_start().strip_prefix('{')?;
    loop {
        let (key, value) = member(rest)?;
        let mut values =
            serde_json::Deserializer::from_str(value).into_iter::<&serde_json::value::RawValue>();
        let raw = values.next()?.ok()?;
        if key == "id" {
            return serde_json::from_str(raw.get()).ok();
        }
        rest = value.get(values.byte_offset()..)?.trim_start().strip_prefix(',')?;
    }
}

/// Returns the name of the first member and what stands behind its colon.
fn member(text: &str) -> Option<(&str, &str)> {
    let (key, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((key, rest.trim_start().strip_prefix(':')?))
}
