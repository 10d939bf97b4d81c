//! Streams that are cut and broken in every place, for tests of wires.

use oncue_agent::{Delta, ModelError, Reply};

use crate::Names;
use oncue_sse::Sse;

use crate::limits::EVENT_BYTES_MAX;
use crate::wire::Wire;

/// Reads a stream in these pieces as the client does, and returns the reply and what was heard.
pub(crate) fn stream(
    wire: &impl Wire,
    names: &Names,
    pieces: &[&[u8]],
) -> (Result<Reply, ModelError>, Vec<Delta>) {
    let mut heard = Vec::new();
    let reply = feed(wire, names, pieces, &mut |delta| heard.push(delta));
    (reply, heard)
}

fn feed(
    wire: &impl Wire,
    names: &Names,
    pieces: &[&[u8]],
    hear: &mut dyn FnMut(Delta),
) -> Result<Reply, ModelError> {
    let (mut sse, mut decoder) = (Sse::new(EVENT_BYTES_MAX), wire.decoder(names.clone()));
    for piece in pieces {
        for event in sse.feed(piece).unwrap() {
            decoder.event(&event, hear)?;
        }
        if decoder.is_complete() {
            return decoder.finish();
        }
    }
    if let Some(event) = sse.end() {
        decoder.event(&event, hear)?;
    }
    decoder.finish()
}

/// Holds a stream against its reply: in one piece, in two pieces cut anywhere, and byte by byte.
///
/// A stream that ends anywhere before its end is an error or the same reply.
pub(crate) fn check(wire: &impl Wire, names: &Names, text: &str, expected: &Reply) {
    let bytes = text.as_bytes();
    let (reply, heard) = stream(wire, names, &[bytes]);
    assert_eq!(&reply.unwrap(), expected, "{text}");
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    let (reply, of_single) = stream(wire, names, &single);
    assert_eq!((&reply.unwrap(), &of_single), (expected, &heard), "byte by byte: {text}");
    for at in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(at);
        let (reply, of_two) = stream(wire, names, &[head, tail]);
        assert_eq!((&reply.unwrap(), &of_two), (expected, &heard), "in two at {at}: {text}");
        if let (Ok(reply), _) = stream(wire, names, &[head]) {
            assert_eq!(&reply, expected, "broken off at {at}: {text}");
        }
    }
}

/// Returns the text that was heard.
pub(crate) fn text(heard: &[Delta]) -> String {
    let texts = heard.iter().filter_map(|delta| match delta {
        Delta::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
