//! A record as a line of JSON, and the digest that chains it to the next.
//!
//! The digest of a record is over its line up to where the digest itself begins.

use std::time::SystemTime;

use oncue_tools::Principal;
use serde::{Deserialize, Serialize};

use super::Digest;
use super::event::{Call, Change, Entry, Event, Own};
use crate::access::scope_name;
use crate::limits::AUDIT_TEXT_CHARS_MAX;

/// Where the digest of a record begins in its line.
const DIGEST: &str = ",\"hash\":\"";
/// What ends a line behind its digest.
const END: &str = "\"}";
/// What the first record of a file is called.
const BEGAN: &str = "began";
/// Why the file before has no end.
const VANISHED: &str = "vanished";
/// What the last record of a file is called.
const ROTATED: &str = "rotated";
/// How a text that was cut ends.
const CUT: char = '…';

/// A place in the chain: a record's number and digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) n: u64,
    pub(super) hash: Digest,
}

impl Link {
    /// Before the first record.
    pub(super) const START: Self = Self { n: 0, hash: Digest::NONE };
}

#[derive(Default, Serialize)]
struct Fields<'e> {
    n: u64,
    time: String,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upstream: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exposed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_in: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aside: Option<&'e str>,
    prev: String,
}

/// Appends the line of an entry behind `link`, and moves the link to it.
pub(super) fn push(text: &mut String, link: &mut Link, entry: &Entry) -> serde_json::Result<()> {
    let mut fields = match &entry.event {
        Event::Call(call) => of_call(call),
        Event::Change(change) => of_change(change),
    };
    let (principal, scope) = match &entry.principal {
        Principal::Local => (None, None),
        Principal::External { name, scope } => (Some(cut(name.as_str())), Some(scope_name(*scope))),
    };
    fields.principal = principal;
    fields.scope = scope;
    seal(text, link, entry.at, fields)
}

/// Appends the line of what the writer says of itself.
pub(super) fn push_own(
    text: &mut String,
    link: &mut Link,
    at: SystemTime,
    own: &Own,
) -> serde_json::Result<()> {
    let fields = match own {
        Own::Torn { bytes, aside } => {
            Fields { event: "torn", bytes: Some(*bytes), aside: Some(aside), ..Fields::default() }
        }
        Own::Lost { records } => {
            Fields { event: "lost", records: Some(*records), ..Fields::default() }
        }
        Own::Began { has_vanished } => {
            Fields { event: BEGAN, why: has_vanished.then_some(VANISHED), ..Fields::default() }
        }
        Own::Rotated => Fields { event: ROTATED, ..Fields::default() },
    };
    seal(text, link, at, fields)
}

fn of_call(call: &Call) -> Fields<'static> {
    let (outcome, why) = call.outcome.words();
    Fields {
        event: "call",
        upstream: Some(cut(&call.upstream)),
        tool: Some(cut(&call.tool)),
        exposed: Some(cut(&call.exposed)),
        outcome: Some(outcome),
        why,
        us: Some(u64::try_from(call.duration.as_micros()).unwrap_or(u64::MAX)),
        bytes_in: Some(call.bytes_in),
        bytes_out: Some(call.bytes_out),
        arguments: Some(call.arguments.to_string()),
        ..Fields::default()
    }
}

fn of_change(change: &Change) -> Fields<'static> {
    Fields {
        event: "change",
        change: Some(change.kind.word()),
        subject: Some(cut(&change.subject)),
        detail: change.detail.as_deref().map(cut),
        ..Fields::default()
    }
}

fn seal(
    text: &mut String,
    link: &mut Link,
    at: SystemTime,
    fields: Fields<'_>,
) -> serde_json::Result<()> {
    let n = link.n + 1;
    let time = humantime::format_rfc3339_millis(at).to_string();
    let line = serde_json::to_string(&Fields { n, time, prev: link.hash.to_string(), ..fields })?;
    let body = line.strip_suffix('}').unwrap_or(&line);
    let hash = Digest::of(body.as_bytes());
    for part in [body, DIGEST, &hash.to_string(), END, "\n"] {
        text.push_str(part);
    }
    *link = Link { n, hash };
    Ok(())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(AUDIT_TEXT_CHARS_MAX) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}{CUT}", text.get(..at).unwrap_or_default()),
    }
}

/// What a line says of its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) link: Link,
    pub(super) prev: Digest,
    pub(super) said: Said,
    /// It is what was written.
    pub(super) is_whole: bool,
}

/// What a verifier has to know of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Began { has_vanished: bool },
    Rotated,
    Torn { bytes: u64, aside: String },
    Lost { records: u64 },
    Other,
}

#[derive(Deserialize)]
struct Place {
    n: u64,
    event: String,
    prev: String,
    why: Option<String>,
    bytes: Option<u64>,
    records: Option<u64>,
    aside: Option<String>,
}

/// Returns what a line says, without its line end; `None` where it is no record.
pub(super) fn parse(line: &[u8]) -> Option<Parsed> {
    let line = std::str::from_utf8(line).ok()?;
    let (body, rest) = line.rsplit_once(DIGEST)?;
    let hash = Digest::parse(rest.strip_suffix(END)?)?;
    let place: Place = serde_json::from_str(line).ok()?;
    let said = match (&*place.event, place.bytes, place.records) {
        (BEGAN, _, _) => Said::Began { has_vanished: place.why.as_deref() == Some(VANISHED) },
        (ROTATED, _, _) => Said::Rotated,
        ("torn", Some(bytes), _) => Said::Torn { bytes, aside: place.aside.unwrap_or_default() },
        ("lost", _, Some(records)) => Said::Lost { records },
        _ => Said::Other,
    };
    Some(Parsed {
        link: Link { n: place.n, hash },
        prev: Digest::parse(&place.prev)?,
        said,
        is_whole: Digest::of(body.as_bytes()) == hash,
    })
}

/// What is kept apart of the last record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) link: Link,
    /// The file that it is in is full, and the next record begins another.
    pub(super) is_full: bool,
}

/// What stands behind number and digest of a record that is the last of its file.
const FULL: &str = "full";

impl Head {
    /// Returns the text of the file that keeps it.
    pub(super) fn text(self) -> String {
        let Link { n, hash } = self.link;
        let full = if self.is_full { FULL } else { "open" };
        format!("{n} {hash} {full}\n")
    }

    /// Returns what such a file keeps; `None` where it is another.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut words = text.split_whitespace();
        let (n, hash) = (words.next()?.parse().ok()?, Digest::parse(words.next()?)?);
        Some(Self { link: Link { n, hash }, is_full: words.next()? == FULL })
    }
}
