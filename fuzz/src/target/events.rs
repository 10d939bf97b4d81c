//! A stream of events.

use oncue_sse::{Event, Sse, TooLong};

use crate::pieces::Stream;

/// Events and what is wrong are the same, however the bytes arrive; no event is longer than it may be.
pub fn events(input: &[u8]) {
    let Some(stream) = Stream::of(input) else { return };
    let [whole, others @ ..] = stream.ways().map(|pieces| read(&stream, &pieces));
    for (event, name) in whole.0.iter().map(|event| (event, &event.name)) {
        assert!(event.data.len() + name.len() <= 4 * stream.bytes_max, "{event:?}");
    }
    for other in others {
        assert_eq!(whole, other);
    }
}

/// Everything that the stream says, and what it says at last.
type Said = (Vec<Event>, bool, Option<String>, Option<u64>);

fn read(stream: &Stream<'_>, pieces: &[&[u8]]) -> Said {
    let mut sse = Sse::new(stream.bytes_max);
    let mut events = Vec::new();
    let mut is_broken = false;
    // Whatever comes next tells that an event was too long.
    for piece in pieces.iter().copied().chain([&b""[..]]) {
        match sse.feed(piece) {
            Ok(more) => events.extend(more),
            Err(TooLong { bytes_max }) => {
                assert_eq!(bytes_max, stream.bytes_max);
                is_broken = true;
                break;
            }
        }
    }
    let (last, retry) = (sse.last_id().map(str::to_owned), sse.retry_ms());
    let end = sse.end();
    assert!(!is_broken || end.is_none());
    events.extend(end);
    (events, is_broken, last, retry)
}
