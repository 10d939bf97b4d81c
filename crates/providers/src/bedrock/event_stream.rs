//! The binary frames of AWS: from bytes, cut anywhere, to events. Lives as long as one streamed answer.

use aws_smithy_eventstream::frame::{DecodedFrame, MessageFrameDecoder};
use aws_smithy_types::event_stream::Message;
use oncue_agent::ModelError;

use super::error;
use crate::limits::EVENT_BYTES_MAX;
use crate::wire::{Event, malformed};

/// Bytes at the beginning of a frame that say how long it is.
const LENGTH_BYTES: usize = 4;

/// Reads events out of bytes.
#[derive(Debug, Default)]
pub(crate) struct EventStream {
    /// Bytes of a frame that has no end yet.
    rest: Vec<u8>,
}

impl EventStream {
    /// Takes the next bytes and returns the events that end in them.
    ///
    /// # Errors
    ///
    /// The bytes are no frames, a frame is too long, or it is an exception.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, ModelError> {
        self.rest.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(length) = self.whole_frame()? {
            let frame: Vec<u8> = self.rest.drain(..length).collect();
            match MessageFrameDecoder::new().decode_frame(&mut frame.as_slice()) {
                Ok(DecodedFrame::Complete(message)) => events.push(event(&message)?),
                Ok(DecodedFrame::Incomplete) => return Err(malformed("a frame of a wrong length")),
                Err(error) => return Err(malformed("a broken frame").with_source(error)),
            }
        }
        Ok(events)
    }

    /// Returns the length of the first frame, once all of it is there.
    fn whole_frame(&self) -> Result<Option<usize>, ModelError> {
        let Some(&length) = self.rest.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        if length > EVENT_BYTES_MAX {
            return Err(malformed("a frame that is too long, or is none"));
        }
        // A frame holds its length at least, so that something is taken each time.
        Ok((self.rest.len() >= length.max(LENGTH_BYTES)).then_some(length.max(LENGTH_BYTES)))
    }
}

fn event(message: &Message) -> Result<Event, ModelError> {
    let header = |wanted: &str| {
        let mut found = message.headers().iter().filter(|header| header.name().as_str() == wanted);
        found.next().and_then(|header| header.value().as_string().ok()).map(|text| text.as_str())
    };
    let data = String::from_utf8_lossy(message.payload()).into_owned();
    match header(":message-type") {
        Some("event") => {
            Ok(Event { name: header(":event-type").unwrap_or_default().to_owned(), data })
        }
        Some("exception") => {
            Err(error::of_exception(header(":exception-type").unwrap_or_default(), &data))
        }
        Some("error") => {
            let code = header(":error-code").unwrap_or_default();
            Err(error::of_exception(code, header(":error-message").unwrap_or_default()))
        }
        _ => Err(malformed("a frame of an unknown kind")),
    }
}
