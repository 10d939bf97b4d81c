//! From the bytes of a stream to its events, whatever tells them apart. Lives as long as one streamed answer.

use oncue_agent::{ModelError, ModelErrorKind};
use oncue_sse::Sse;

#[cfg(feature = "bedrock")]
use crate::bedrock::EventStream;
use crate::limits::EVENT_BYTES_MAX;
use crate::wire::{Event, Framing};

/// Reads events out of bytes.
pub(super) enum Frames {
    Lines(Sse),
    #[cfg(feature = "bedrock")]
    Aws(EventStream),
}

impl Frames {
    pub(super) fn new(framing: Framing) -> Self {
        match framing {
            Framing::Lines => Self::Lines(Sse::new(EVENT_BYTES_MAX)),
            #[cfg(feature = "bedrock")]
            Framing::Aws => Self::Aws(EventStream::default()),
        }
    }

    /// Takes the next bytes and returns the events that end in them.
    ///
    /// # Errors
    ///
    /// The bytes are no frames, a frame is too long, or it is an error of the vendor.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, ModelError> {
        match self {
            Self::Lines(sse) => sse.feed(bytes).map_err(|error| {
                ModelError::new(ModelErrorKind::Malformed, error.to_string()).with_source(error)
            }),
            #[cfg(feature = "bedrock")]
            Self::Aws(frames) => frames.feed(bytes),
        }
    }

    /// Returns the event that the end of the stream completes.
    pub(super) fn end(self) -> Option<Event> {
        match self {
            Self::Lines(sse) => sse.end(),
            #[cfg(feature = "bedrock")]
            Self::Aws(_) => None,
        }
    }
}
