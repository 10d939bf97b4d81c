//! The reader of a stream.

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data; lines are joined by a line feed.
    pub data: String,
}

/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads events out of bytes. Lives as long as one stream.
#[derive(Debug)]
pub struct Sse {
    /// The line that has no end yet.
    line: Vec<u8>,
    /// The event that has no end yet.
    event: Event,
    /// Whether it has data; an event without is none.
    has_data: bool,
    /// Whether the byte before was a CR, which a LF may belong to.
    after_cr: bool,
    /// Whether the first line is yet to come, in front of which the mark may stand.
    is_first_line: bool,
    /// The last id that an event had.
    last_id: Option<String>,
    /// How long to wait before the stream is opened again, where it says so.
    retry_ms: Option<u64>,
    /// Longest event, in bytes.
    bytes_max: usize,
    /// Whether an event was too long.
    is_broken: bool,
}

/// An event is longer than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {bytes_max} bytes")]
pub struct TooLong {
    /// How long it may be, in bytes.
    pub bytes_max: usize,
}

impl Sse {
    /// A reader of events that are at most so long, in bytes.
    #[must_use]
    pub const fn new(bytes_max: usize) -> Self {
        Self {
            line: Vec::new(),
            event: Event { name: String::new(), data: String::new() },
            has_data: false,
            after_cr: false,
            is_first_line: true,
            last_id: None,
            retry_ms: None,
            bytes_max,
            is_broken: false,
        }
    }

    /// Takes the next bytes and returns the events that end in them.
    ///
    /// # Errors
    ///
    /// An event is too long; the reader is of no use afterwards.
    /// Events before it are returned first, and the error with the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let too_long = Err(TooLong { bytes_max: self.bytes_max });
        if self.is_broken {
            return too_long;
        }
        let mut events = Vec::new();
        for &byte in bytes {
            let is_second_of_two = byte == b'\n' && self.after_cr;
            self.after_cr = byte == b'\r';
            match byte {
                _ if is_second_of_two => {}
                b'\r' | b'\n' => events.extend(self.end_line()),
                byte => self.line.push(byte),
            }
            if self.line.len() + self.event.name.len() + self.event.data.len() > self.bytes_max {
                self.is_broken = true;
                return if events.is_empty() { too_long } else { Ok(events) };
            }
        }
        Ok(events)
    }

    /// Returns the event that is complete but for the empty line behind it, which some servers leave out.
    #[must_use]
    pub fn end(mut self) -> Option<Event> {
        if self.is_broken { None } else { self.dispatch() }
    }

    /// Returns the id of the last event that had one: where to go on if the stream breaks off.
    #[must_use]
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// Returns how many milliseconds the server wants to pass before the stream is opened again.
    #[must_use]
    pub const fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = match std::mem::take(&mut self.is_first_line) {
            true => line.strip_prefix(MARK).unwrap_or(&line),
            false => &line,
        };
        if line.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "id" if !value.contains('\0') => self.last_id = Some(value.to_owned()),
            "retry" => self.retry_ms = value.parse().ok().or(self.retry_ms),
            // Comments and whatever else there may be.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Sse, TooLong};

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned() }
    }

    fn read(pieces: &[&[u8]]) -> Vec<Event> {
        let mut sse = Sse::new(1 << 10);
        let mut events: Vec<Event> =
            pieces.iter().flat_map(|piece| sse.feed(piece).unwrap()).collect();
        events.extend(sse.end());
        events
    }

    /// Every kind of line, with the events that the standard says they are.
    fn samples() -> Vec<(&'static str, Vec<Event>)> {
        vec![
            ("", vec![]),
            ("data: a\n\n", vec![event("", "a")]),
            ("data:a\r\rdata:  b\r\n\r\n", vec![event("", "a"), event("", " b")]),
            ("\u{feff}event: x\ndata: 1\n\n", vec![event("x", "1")]),
            ("data: 1\n\n\u{feff}data: 2\n\n", vec![event("", "1")]),
            (": ping\n\ndata: a\n: between\ndata: b\n\n", vec![event("", "a\nb")]),
            ("event: x\n\ndata: a\n\n", vec![event("", "a")]),
            ("data\n\ndata:\ndata:\n\n", vec![event("", ""), event("", "\n")]),
            ("id: 1\nretry: 5\nodd: b\ndata: a:b\n\n", vec![event("", "a:b")]),
            ("event: x\nevent: y\ndata: 표\n\n", vec![event("y", "표")]),
            ("data: [DONE]\n", vec![event("", "[DONE]")]),
            ("data: a\n\ndata: half", vec![event("", "a")]),
        ]
    }

    #[test]
    fn lines_become_events_as_the_standard_says() {
        for (text, expected) in samples() {
            assert_eq!(read(&[text.as_bytes()]), expected, "{text:?}");
        }
    }

    #[test]
    fn where_the_bytes_are_cut_does_not_matter() {
        for (text, expected) in samples() {
            let bytes = text.as_bytes();
            for at in 0..=bytes.len() {
                let (head, tail) = bytes.split_at(at);
                assert_eq!(read(&[head, tail]), expected, "{text:?} cut at {at}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(read(&single), expected, "{text:?} byte by byte");
        }
    }

    #[test]
    fn ids_and_times_to_wait_are_kept() {
        let mut sse = Sse::new(64);
        sse.feed(b"id: 1\nretry: 5\ndata: a\n\nretry: soon\nid: x\0\ndata: b\n\n").unwrap();
        assert_eq!((sse.last_id(), sse.retry_ms()), (Some("1"), Some(5)));
        sse.feed(b"id\n\n").unwrap();
        assert_eq!(sse.last_id(), Some(""), "an empty id says that there is none to go on from");
    }

    #[test]
    fn an_event_that_is_too_long_is_refused() {
        let mut sse = Sse::new(8);
        assert_eq!(sse.feed(b"data: 12\n\ndata: 34\n\n").map(|events| events.len()), Ok(2));
        assert_eq!(sse.feed(b"data: 123"), Err(TooLong { bytes_max: 8 }));
        let mut sse = Sse::new(8);
        let lines = b"data:123\n".repeat(2);
        assert_eq!(sse.feed(&lines), Err(TooLong { bytes_max: 8 }), "line after line counts too");
        let mut sse = Sse::new(8);
        assert_eq!(sse.feed(b":123456789"), Err(TooLong { bytes_max: 8 }), "comments count too");
    }

    #[test]
    fn events_before_one_that_is_too_long_are_not_lost() {
        let mut sse = Sse::new(8);
        let events = sse.feed(b"data: 12\n\ndata: 345678\n\ndata: 9\n\n");
        assert_eq!(events, Ok(vec![event("", "12")]));
        assert_eq!(sse.feed(b"data: 9\n\n"), Err(TooLong { bytes_max: 8 }));
        assert_eq!(sse.end(), None);
    }
}
