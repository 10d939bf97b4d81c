//! The bytes of a stream cut into lines. Pure: whoever reads them feeds them in.

use tokio_util::bytes::{Buf, Bytes, BytesMut};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, Decoder};

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// It, without its end, and without a byte order mark and white space around it; never empty.
    Whole(Bytes),
    /// It is longer than lines may be; this is its beginning, and the rest is dropped.
    TooLong(Bytes),
}

/// Cuts a stream into lines, however its bytes arrive. Lives as long as the stream.
///
/// Empty lines and lines of white space are skipped.
#[derive(Debug)]
pub struct Framing {
    codec: AnyDelimiterCodec,
    buffer: BytesMut,
    /// Longest line, in bytes.
    bytes_max: usize,
    /// Whether the rest of a line that is too long is being dropped.
    is_dropping: bool,
}

/// How much of a line that is too long is kept, in bytes, so that its id can be looked for.
const SHOWN_BYTES: usize = 1 << 10;

/// How much is read at once, in bytes.
const READ_BYTES: usize = 8 << 10;

/// Marks the beginning of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Framing {
    /// Lines of at most `bytes_max` bytes.
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        Self { codec: codec(bytes_max), buffer: BytesMut::new(), bytes_max, is_dropping: false }
    }

    /// Returns where the bytes that arrive next are put.
    pub fn buffer(&mut self) -> &mut BytesMut {
        self.buffer.reserve(READ_BYTES);
        &mut self.buffer
    }

    /// Returns the next line that is there.
    pub fn next_line(&mut self) -> Option<Line> {
        loop {
            if self.is_dropping {
                let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') else {
                    self.buffer.clear();
                    return None;
                };
                self.buffer.advance(end + 1);
                self.is_dropping = false;
            }
            let is_long = self.buffer.len() > self.bytes_max;
            let beginning = self.buffer.get(..SHOWN_BYTES.min(self.bytes_max));
            let beginning = beginning.filter(|_| is_long).map(Bytes::copy_from_slice);
            match self.codec.decode(&mut self.buffer) {
                Ok(None) => return None,
                Ok(Some(line)) => {
                    if let Some(line) = trimmed(&line) {
                        return Some(Line::Whole(line));
                    }
                }
                Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => {
                    // The codec would go on to the next line at once, and what that begins with would be unknown.
                    self.is_dropping = true;
                    self.codec = codec(self.bytes_max);
                    return Some(Line::TooLong(beginning.unwrap_or_default()));
                }
                // Only a codec that reads for itself fails otherwise.
                Err(AnyDelimiterCodecError::Io(_)) => return None,
            }
        }
    }
}

fn codec(bytes_max: usize) -> AnyDelimiterCodec {
    AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), bytes_max)
}

fn trimmed(line: &Bytes) -> Option<Bytes> {
    let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    (!text.is_empty()).then(|| line.slice_ref(text))
}
