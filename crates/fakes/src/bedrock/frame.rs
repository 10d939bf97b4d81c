//! Frames of the binary event stream of AWS.
//!
//! A frame is its whole length, the length of its headers, a checksum of both, the headers, the payload, and a checksum of everything before; numbers are big-endian, checksums are CRC-32.

use serde_json::Value;

/// The media type of a stream of frames.
pub(super) const MEDIA_TYPE: &str = "application/vnd.amazon.eventstream";

/// The lengths and their checksum.
const PRELUDE_BYTES: usize = 12;

/// The type of a header's value that is a text.
const TEXT: u8 = 7;

/// Returns the frame of an event.
pub(super) fn event(kind: &str, payload: &Value) -> Vec<u8> {
    let headers =
        [(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")];
    frame(&headers, payload.to_string().as_bytes())
}

/// Returns the frame of an exception.
pub(super) fn exception(kind: &str, payload: &Value) -> Vec<u8> {
    let headers = [
        (":exception-type", kind),
        (":content-type", "application/json"),
        (":message-type", "exception"),
    ];
    frame(&headers, payload.to_string().as_bytes())
}

fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(short(name.len()));
        head.extend_from_slice(name.as_bytes());
        head.push(TEXT);
        head.extend_from_slice(&[0, short(value.len())]);
        head.extend_from_slice(value.as_bytes());
    }
    let whole = PRELUDE_BYTES + head.len() + payload.len() + size_of::<u32>();
    let mut bytes = Vec::with_capacity(whole);
    bytes.extend_from_slice(&long(whole).to_be_bytes());
    bytes.extend_from_slice(&long(head.len()).to_be_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(payload);
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_be_bytes());
    bytes
}

/// Names and values of headers are constants of a few letters.
fn short(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}

fn long(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::frame;

    #[test]
    fn a_frame_is_that_of_the_specification() {
        // The vector `payload_no_headers` of the protocol's test suite.
        let hex = "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936";
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
        assert_eq!(frame(&[], b"{'foo':'bar'}"), bytes);
    }

    #[test]
    fn a_header_is_its_name_its_type_and_its_value() {
        let bytes = frame(&[(":a", "xyz")], b"");
        assert_eq!(&bytes[12..21], b"\x02:a\x07\x00\x03xyz");
        assert_eq!(bytes.len(), 12 + 9 + 4);
        assert_eq!(bytes[..8], [0, 0, 0, 25, 0, 0, 0, 9]);
    }
}
