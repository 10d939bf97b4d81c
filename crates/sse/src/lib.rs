//! Server-sent events: from bytes, cut anywhere, to events. No connection is made here.
//!
//! The form is that of the HTML standard, section 9.2: lines end with CR, LF or both, a byte order mark may stand in front, lines that begin with a colon are comments, and what is not known is ignored.
//! Other crates for this know no bound on the size of an event, while a server may send anything, or refuse what the standard ignores.
//!
//! ```
//! let mut sse = oncue_sse::Sse::new(1 << 20);
//! let mut events = sse.feed(b"retry: 500\nid: 7\ndata: {\"a\":")?;
//! events.extend(sse.feed(b"1}\n\n")?);
//! assert_eq!(events[0].data, "{\"a\":1}");
//! assert_eq!((sse.last_id(), sse.retry_ms()), (Some("7"), Some(500)));
//! # Ok::<(), oncue_sse::TooLong>(())
//! ```

mod reader;

pub use reader::{Event, Sse, TooLong};
