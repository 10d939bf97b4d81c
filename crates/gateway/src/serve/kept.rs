//! Results that are longer than a model should read: it gets the beginning, and the rest in pieces that it can ask for. Lives as long as the gateway.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_mcp::{Members, Raw};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::Instant;

use super::wording;
use crate::limits::{KEPT_BYTES_MAX, KEPT_BYTES_PER_PRINCIPAL_MAX, KEPT_TIME_MAX};

/// What the addresses of kept results begin with.
pub(super) const SCHEME: &str = "oncue://result/";

/// The results that are kept.
#[derive(Default)]
pub(super) struct Kept(Mutex<VecDeque<Long>>);

struct Long {
    id: String,
    /// Whose it is.
    principal: String,
    upstream: String,
    since: Instant,
    text: Arc<str>,
    /// How long a piece is, in bytes.
    piece_bytes: usize,
}

/// Whose a result is and where it comes from.
#[derive(Clone, Copy)]
pub(super) struct Origin<'o> {
    pub(super) principal: &'o str,
    pub(super) upstream: &'o str,
    /// Whether its client has the calling tool, by which pieces can be asked for too.
    pub(super) has_calling_tool: bool,
}

impl Kept {
    /// Returns a result with at most `bytes_max` bytes of text, and keeps all of the text where that is less than there is.
    ///
    /// Other blocks and the structured content stay.
    pub(super) fn shorten(&self, result: Raw, bytes_max: usize, origin: Origin<'_>) -> Raw {
        if result.get().len() <= bytes_max {
            return result;
        }
        self.shortened(&result, bytes_max, origin).unwrap_or(result)
    }

    fn shortened(&self, result: &RawValue, bytes_max: usize, origin: Origin<'_>) -> Option<Raw> {
        let mut members = Members::of(Some(result)).ok()?;
        let blocks: Vec<Raw> = members.read("content")?;
        let texts: Vec<Option<String>> = blocks.iter().map(|block| text_of(block)).collect();
        let all: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        if all.iter().map(|text| text.len()).sum::<usize>() <= bytes_max {
            return None;
        }
        let whole: Arc<str> = all.join("\n").into();
        let mut left = bytes_max;
        let mut kept: Vec<Raw> = Vec::new();
        for (block, text) in blocks.into_iter().zip(&texts) {
            match text {
                None => kept.push(block),
                Some(_) if left == 0 => {}
                Some(text) => {
                    let end = text.floor_char_boundary(left);
                    let is_whole = end == text.len();
                    left = if is_whole { left - end } else { 0 };
                    kept.push(match is_whole {
                        true => block,
                        false => with_text(&block, text.get(..end).unwrap_or_default())?,
                    });
                }
            }
        }
        let id = self.keep(&whole, bytes_max, origin)?;
        let pieces = pieces(&whole, bytes_max).len();
        kept.push(block(&notice(&id, (bytes_max, whole.len(), pieces), origin)));
        let size = whole.len();
        let link = json!({ "type": "resource_link", "uri": format!("{SCHEME}{id}"), "name": "whole result", "mimeType": "text/plain", "size": size });
        kept.push(to_raw_value(&link).ok()?);
        members.set("content", &kept).ok()?;
        members.to_raw().ok()
    }

    /// Keeps a text, in the place of older ones of the same principal where there is no room; nothing where it is too long for that.
    fn keep(&self, text: &Arc<str>, piece_bytes: usize, origin: Origin<'_>) -> Option<String> {
        if text.len() > KEPT_BYTES_PER_PRINCIPAL_MAX {
            return None;
        }
        let mut random = [0; 16];
        getrandom::fill(&mut random).ok()?;
        let id = random.iter().fold(String::new(), |id, byte| id + &format!("{byte:02x}"));
        let mut all = self.all();
        let bytes = |all: &VecDeque<Long>, whose: Option<&str>| -> usize {
            let own = all.iter().filter(|it| whose.is_none_or(|whose| it.principal == whose));
            own.map(|it| it.text.len()).sum()
        };
        while bytes(&all, Some(origin.principal)) + text.len() > KEPT_BYTES_PER_PRINCIPAL_MAX {
            let oldest = all.iter().position(|it| it.principal == origin.principal)?;
            all.remove(oldest);
        }
        while bytes(&all, None) + text.len() > KEPT_BYTES_MAX {
            all.pop_front()?;
        }
        all.push_back(Long {
            id: id.clone(),
            principal: origin.principal.to_owned(),
            upstream: origin.upstream.to_owned(),
            since: Instant::now(),
            text: Arc::clone(text),
            piece_bytes,
        });
        Some(id)
    }

    /// Returns the text at an address that begins with [`SCHEME`]: all of it, or a piece by its number; nothing where `principal` has none there.
    pub(super) fn read(
        &self,
        uri: &str,
        principal: &str,
        may_reach: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let rest = uri.strip_prefix(SCHEME)?;
        let (id, number) = match rest.split_once('/') {
            None => (rest, None),
            Some((id, number)) => (id, Some(number.parse::<usize>().ok()?)),
        };
        let all = self.all();
        let is_it = |it: &&Long| it.id == id && it.principal == principal;
        let long = all.iter().find(is_it).filter(|it| may_reach(&it.upstream))?;
        match number {
            None => Some(String::from(&*long.text)),
            Some(number) => {
                let pieces = pieces(&long.text, long.piece_bytes);
                pieces.get(number.checked_sub(1)?).map(|piece| (*piece).to_owned())
            }
        }
    }

    /// Returns what is kept, without what has been for too long.
    fn all(&self) -> MutexGuard<'_, VecDeque<Long>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|it| it.since.elapsed() < KEPT_TIME_MAX);
        all
    }
}

/// Returns a text in pieces of at most `bytes` bytes.
fn pieces(mut text: &str, bytes: usize) -> Vec<&str> {
    let mut all = Vec::new();
    while !text.is_empty() {
        // A character may be longer than a piece of a few bytes.
        let end = text.floor_char_boundary(bytes).max(text.ceil_char_boundary(1));
        let (piece, rest) = text.split_at(end);
        all.push(piece);
        text = rest;
    }
    all
}

fn notice(id: &str, (shown, size, pieces): (usize, usize, usize), origin: Origin<'_>) -> String {
    let way = match origin.has_calling_tool {
        true => format!(
            "call {}(name='{SCHEME}{id}/2') or read the resource {SCHEME}{id}/2",
            wording::CALL
        ),
        false => format!("read the resource {SCHEME}{id}/2"),
    };
    let more = match pieces {
        ..=2 => String::new(),
        pieces => format!(", and so on to /{pieces}"),
    };
    format!(
        "[These are the first {shown} of {size} bytes. For what comes next, {way}{more}. Ask for less if the tool can.]"
    )
}

/// Returns the text of a block that is one.
fn text_of(block: &RawValue) -> Option<String> {
    let members = Members::of(Some(block)).ok()?;
    (members.read::<String>("type")? == "text").then(|| members.read("text"))?
}

fn with_text(block: &RawValue, text: &str) -> Option<Raw> {
    let mut members = Members::of(Some(block)).ok()?;
    members.set("text", &text).ok()?;
    members.to_raw().ok()
}

fn block(text: &str) -> Raw {
    to_raw_value(&json!({ "type": "text", "text": text })).unwrap_or_else(|_| oncue_mcp::empty())
}

#[cfg(test)]
mod tests;
