//! What is answered to one request. No waiting and no network: a request in, the bytes of an answer out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::Seen;
use super::state::Shared;
use crate::{Asked, Failure, Refusal, Scripted, Wire};

/// An answer as bytes.
pub(super) struct Outgoing {
    /// The HTTP status.
    pub(super) status: u16,
    /// The headers, those about the body's length left out.
    pub(super) headers: Vec<(&'static str, String)>,
    /// The pieces of the body.
    pub(super) chunks: Vec<Vec<u8>>,
    /// The length that is declared; `None` for streams.
    pub(super) length: Option<usize>,
    /// Whether the connection is cut behind the body.
    pub(super) is_cut: bool,
}

/// What came of a request before it is bytes.
enum Verdict {
    Refused(Refusal, Option<Failure>),
    Answered(Scripted, CacheUse),
}

/// Answers one request and keeps it in the log; a panic of a wire or a responder becomes a 500.
pub(super) fn respond(shared: &Shared, mut asked: Asked, body: &[u8]) -> Outgoing {
    let number = {
        let mut state = shared.lock();
        state.number += 1;
        state.number
    };
    let Some(wire) = shared.wire(&asked.path) else {
        let refusal = Refusal::new(404, "", format!("no wire serves `{}`", asked.path));
        let body = json!({ "error": refusal.message });
        shared.lock().seen.push(Seen { asked, refusal: Some(refusal), cache: CacheUse::default() });
        return plain(404, Vec::new(), &body, None);
    };
    let parsed = serde_json::from_slice::<Value>(body).map(|value| asked.body = value);
    let judged = parsed.map_err(|error| {
        let message = format!("The request body is not valid JSON: {error}");
        Refusal::new(400, wire.error_kind(400), message)
    });
    let verdict = match judged {
        Ok(()) => guarded(|| judge(shared, wire, &asked))
            .unwrap_or_else(|refusal| Verdict::Refused(refusal, None)),
        Err(refusal) => Verdict::Refused(refusal, None),
    };
    let (outgoing, refusal, cache) = match verdict {
        Verdict::Answered(scripted, used) => {
            match guarded(|| say(shared, wire, &asked, &scripted, &used, number)) {
                Ok(outgoing) => (outgoing, None, used),
                Err(refusal) => (refuse(wire, &asked, &refusal, None, number), Some(refusal), used),
            }
        }
        Verdict::Refused(refusal, failure) => {
            let outgoing = refuse(wire, &asked, &refusal, failure.as_ref(), number);
            (outgoing, Some(refusal), CacheUse::default())
        }
    };
    shared.lock().seen.push(Seen { asked, refusal, cache });
    outgoing
}

/// Holds the request against the rules, takes the next answer and asks the cache.
fn judge(shared: &Shared, wire: &dyn Wire, asked: &Asked) -> Verdict {
    if let Err(refusal) = wire.check(asked) {
        return Verdict::Refused(refusal, None);
    }
    let (next, responder) = {
        let mut state = shared.lock();
        (state.queue.pop_front(), state.responder.clone())
    };
    // The responder runs without the lock, so that it may look at its own fake.
    let next = next.or_else(|| responder.map(|responder| responder(wire, asked)));
    let Some(scripted) = next else {
        let message = "the script of the fake is empty: push one answer more";
        return Verdict::Refused(Refusal::new(500, wire.error_kind(500), message), None);
    };
    match scripted {
        Scripted::Error(failure) if !(failure.mid_stream && wire.streams(asked)) => {
            Verdict::Refused(wire.failure(&failure), Some(failure))
        }
        scripted => {
            let used = shared.lock().cached(wire, asked);
            Verdict::Answered(scripted, used)
        }
    }
}

/// Says what the script wants said.
fn say(
    shared: &Shared,
    wire: &dyn Wire,
    asked: &Asked,
    scripted: &Scripted,
    used: &CacheUse,
    number: u64,
) -> Outgoing {
    let whole;
    let (scripted, bytes_max) = match scripted {
        Scripted::Broken { pieces, bytes } => {
            whole = Scripted::Reply(pieces.clone());
            (&whole, Some(*bytes))
        }
        scripted => (scripted, None),
    };
    let headers = wire.headers(asked, number);
    if !wire.streams(asked) {
        return plain(200, headers, &wire.answer(asked, scripted, used, number), bytes_max);
    }
    let frames = wire.stream(asked, scripted, used, number);
    let chunks = shared.lock().chunks.cut(frames, bytes_max.unwrap_or(usize::MAX));
    let mut headers = headers;
    headers.push(("content-type", wire.stream_type().to_owned()));
    Outgoing { status: 200, headers, chunks, length: None, is_cut: bytes_max.is_some() }
}

/// Puts a refusal in the vendor's words.
fn refuse(
    wire: &dyn Wire,
    asked: &Asked,
    refusal: &Refusal,
    failure: Option<&Failure>,
    number: u64,
) -> Outgoing {
    let mut headers = wire.headers(asked, number);
    headers.extend(wire.error_headers(refusal));
    if let Some(wait) = failure.and_then(|failure| failure.retry_after) {
        // The header has whole seconds; to come back too early would be wrong.
        headers.push(("retry-after", wait.as_millis().div_ceil(1_000).to_string()));
    }
    plain(refusal.status, headers, &wire.error(refusal, number), None)
}

/// A JSON body, cut behind `bytes_max` where that is given.
fn plain(
    status: u16,
    mut headers: Vec<(&'static str, String)>,
    body: &Value,
    bytes_max: Option<usize>,
) -> Outgoing {
    let mut bytes = body.to_string().into_bytes();
    let length = Some(bytes.len());
    bytes.truncate(bytes_max.unwrap_or(usize::MAX));
    headers.push(("content-type", "application/json".to_owned()));
    Outgoing { status, headers, chunks: vec![bytes], length, is_cut: bytes_max.is_some() }
}

/// Runs `work` and makes a refusal of its panic.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Refusal::new(500, "", format!("the fake panicked: {said}"))
    })
}
