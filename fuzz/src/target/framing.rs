//! A stream cut into lines.

use oncue_mcp::{Framing, Line};

use crate::pieces::Stream;

/// Lines are those that a plain split gives, however the bytes arrive, and no more is held than one line and a piece.
pub fn framing(input: &[u8]) {
    let Some(stream) = Stream::of(input) else { return };
    let expected = expected(&stream);
    for pieces in stream.ways() {
        let mut framing = Framing::new(stream.bytes_max);
        let mut lines = Vec::new();
        for piece in pieces {
            framing.buffer().extend_from_slice(piece);
            while let Some(line) = framing.next_line() {
                lines.push(line);
            }
            let held = framing.buffer().len();
            assert!(held <= stream.bytes_max, "{held} bytes are held");
        }
        assert_eq!(lines.len(), expected.len(), "{lines:?} for {expected:?}");
        for (line, expected) in lines.iter().zip(&expected) {
            match (line, expected) {
                (Line::Whole(line), Expected::Whole(text)) => assert_eq!(&line[..], *text),
                (Line::TooLong(beginning), Expected::TooLong(text)) => {
                    assert_eq!(&beginning[..], &text[..beginning.len()]);
                    assert_eq!(beginning.len(), stream.bytes_max.min(1 << 10));
                }
                different => panic!("{different:?}"),
            }
        }
    }
}

#[derive(Debug)]
enum Expected<'i> {
    Whole(&'i [u8]),
    TooLong(&'i [u8]),
}

fn expected<'i>(stream: &Stream<'i>) -> Vec<Expected<'i>> {
    let mut expected = Vec::new();
    let mut lines = stream.bytes.split(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        if line.len() > stream.bytes_max {
            expected.push(Expected::TooLong(line));
            continue;
        }
        let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        // What has no end yet may go on.
        if !is_last && !text.is_empty() {
            expected.push(Expected::Whole(text));
        }
    }
    expected
}
