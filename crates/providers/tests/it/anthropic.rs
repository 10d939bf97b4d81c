//! Anthropic's Messages against a strict fake of its server.

use std::time::Duration;

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Author, Call, Part, Said};
use oncue_agent::{Disclosure, Finish, ModelErrorKind as Kind};
use oncue_fakes::{Chunks, Failure, Fake, Piece, Scripted, Seen};
use oncue_providers::Endpoint;
use oncue_tools::CallId;
use serde_json::{Value, json};

use crate::session::{Heard, SEARCH, Session};
use Disclosure::{Append, ByReference, ByValue};

/// A model whose cache keeps short prefixes and that takes definitions in the conversation.
const MODEL: &str = "claude-opus-5";

fn start() -> Fake {
    Fake::start(oncue_fakes::wires()).unwrap()
}

fn session(fake: &Fake, disclosure: Disclosure) -> Session {
    let name = format!("anthropic:{MODEL}@{}", fake.url());
    let key = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "sk-test".to_owned());
    let endpoint = Endpoint::parse(&name, key).unwrap();
    let endpoint = endpoint.with_disclosure(disclosure).with_cache_diagnostics(true);
    Session::new(endpoint.open().unwrap())
}

fn call(name: &str, arguments: Value) -> Piece {
    Piece::Call { name: name.to_owned(), arguments }
}

/// Returns the requests, all of which must have been taken.
fn taken(fake: &Fake) -> Vec<Seen> {
    let seen = fake.requests();
    for (at, seen) in seen.iter().enumerate() {
        assert_eq!(seen.refusal, None, "request {at}: {}", seen.asked.body);
    }
    seen
}

#[tokio::test]
async fn an_answer_is_the_same_whole_and_streamed() {
    let pieces = vec![
        Piece::Reasoning("Hm.".to_owned()),
        Piece::Text("표를 읽어요.".to_owned()),
        call("readTable", json!({"table": "orders"})),
        call("listTables", json!({})),
    ];
    for chunks in [Chunks::Events, Chunks::Bytes(1), Chunks::Bytes(7), Chunks::All] {
        let fake = start().with_chunks(chunks);
        let mut session = session(&fake, ByReference);
        session.say("Read the orders.");
        fake.extend([Scripted::Reply(pieces.clone()), Scripted::Reply(pieces.clone())]);
        let whole = session.ask(None).await.unwrap();
        let heard = Heard::default();
        let streamed = session.ask(Some(&heard)).await.unwrap();
        let parts = |parts: &[Part]| -> Vec<Part> {
            let mut parts = parts.to_vec();
            for part in &mut parts {
                if let Part::Call(call) = part {
                    call.id = CallId::new("");
                }
            }
            parts
        };
        assert_eq!(parts(&streamed.parts), parts(&whole.parts), "{chunks:?}");
        assert_eq!(whole.parts.len(), 4);
        assert_eq!(whole.usage.prompt(), streamed.usage.prompt());
        assert_eq!(streamed.usage.uncached + streamed.usage.cache_read, whole.usage.prompt());
        let calls = vec!["readTable".to_owned(), "listTables".to_owned()];
        assert_eq!(heard.said(), ("표를 읽어요.".to_owned(), calls), "{chunks:?}");
        taken(&fake);
    }
}

#[tokio::test]
async fn calls_in_one_reply_get_their_results_in_one_message() {
    let fake = start();
    let mut session = session(&fake, ByReference);
    session.say("Read both.");
    let reads = ["a", "b", "c"].map(|table| call("readTable", json!({"table": table})));
    fake.extend([
        Scripted::Reply([vec![Piece::Text("I read.".into())], reads.to_vec()].concat()),
        Scripted::text("Done."),
    ]);
    session.step(None).await.unwrap();
    let reply = session.step(None).await.unwrap();
    assert_eq!(reply.parts, [Part::Text { text: "Done.".to_owned() }]);
    let seen = taken(&fake);
    let last = seen[1].asked.body["messages"].as_array().unwrap().last().unwrap().clone();
    let kinds: Vec<&Value> =
        last["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["tool_result"; 3]);
}

/// Searches, calls what was found, searches again and answers; returns the requests.
async fn searched(disclosure: Disclosure, streams: bool) -> Vec<Seen> {
    let fake = start();
    let mut session = session(&fake, disclosure);
    assert_eq!(session.disclosure(), disclosure);
    let heard = Heard::default();
    let listener = || streams.then_some(&heard as &dyn oncue_agent::Listen);
    session.say("Export the orders, then stop.");
    fake.extend([
        Scripted::call("listTables", json!({})),
        Scripted::call(SEARCH, json!({"query": "select:startExport"})),
        Scripted::Reply(vec![
            Piece::Reasoning("Now.".to_owned()),
            call("startExport", json!({"table": "orders"})),
        ]),
        Scripted::text("Exported."),
    ]);
    let mut misses = Vec::new();
    for _ in 0..4 {
        misses.push(session.step(listener()).await.unwrap().cache_miss);
    }
    session.say("And again.");
    fake.extend([
        Scripted::call("startExport", json!({"table": "customers"})),
        Scripted::text("Exported again."),
    ]);
    let reply = session.step(listener()).await.unwrap();
    misses.push(reply.cache_miss);
    misses.push(session.step(listener()).await.unwrap().cache_miss);
    let seen = taken(&fake);
    let expected: Vec<Option<MissReason>> = seen.iter().map(|seen| seen.cache.miss).collect();
    assert_eq!(misses, expected, "the vendor's diagnosis is read");
    let ran: Vec<String> = session
        .items
        .iter()
        .filter_map(|item| match item {
            oncue_agent::conversation::Item::Results { results } => Some(results),
            _ => None,
        })
        .flatten()
        .filter(|result| result.name != SEARCH)
        .map(|result| format!("{:?}", result.content))
        .collect();
    assert_eq!(
        ran,
        [
            r#"[Text("listTables ran")]"#,
            r#"[Text("startExport ran")]"#,
            r#"[Text("startExport ran")]"#
        ]
    );
    seen
}

#[tokio::test]
async fn by_reference_and_by_value_a_search_loses_nothing_that_was_cached() {
    for disclosure in [ByReference, ByValue] {
        for streams in [false, true] {
            let seen = searched(disclosure, streams).await;
            for (at, seen) in seen.iter().enumerate() {
                assert_eq!(seen.cache.missed, 0, "{disclosure:?}, request {at}");
                let reads = seen.cache.read > 0;
                assert_eq!(reads, at > 0, "{disclosure:?}, request {at}");
            }
        }
    }
}

#[tokio::test]
async fn appending_costs_one_miss_for_each_search_that_finds() {
    let seen = searched(Append, true).await;
    let misses: Vec<Option<MissReason>> = seen.iter().map(|seen| seen.cache.miss).collect();
    assert_eq!(misses, [None, None, Some(MissReason::ToolsChanged), None, None, None]);
    assert!(seen[2].cache.read > 0, "the tools before the new one are still read");
}

#[tokio::test]
async fn usage_is_what_the_vendor_counts() {
    let fake = start();
    let mut session = session(&fake, ByReference);
    session.say("Hello.");
    fake.extend([Scripted::text("Hello."), Scripted::text("Hello.")]);
    for at in 0..2 {
        let reply = session.ask(None).await.unwrap();
        let used = fake.requests()[at].cache;
        assert_eq!(reply.usage.uncached, used.uncached);
        assert_eq!(reply.usage.cache_read, used.read);
        assert_eq!(reply.usage.cache_write, used.written);
        assert!(reply.usage.output > 0);
    }
    assert!(fake.requests()[0].cache.written > 0 && fake.requests()[1].cache.read > 0);
}

#[tokio::test]
async fn thoughts_and_blocks_of_unknown_kinds_go_back_as_they_came() {
    let fake = start().with_chunks(Chunks::Bytes(3));
    for streams in [false, true] {
        let mut session = session(&fake, ByReference);
        let heard = Heard::default();
        let listener = streams.then_some(&heard as &dyn oncue_agent::Listen);
        session.say("Think.");
        fake.extend([
            Scripted::Reply(vec![
                Piece::Reasoning("First this, then that.".to_owned()),
                Piece::Opaque(json!({"type": "from_the_future", "payload": {"n": [1, 2.5]}})),
                call("listTables", json!({})),
            ]),
            Scripted::text("Done."),
        ]);
        session.step(listener).await.unwrap();
        session.step(listener).await.unwrap();
        taken(&fake);
    }
}

#[tokio::test]
async fn the_loop_may_search_before_the_first_step() {
    for disclosure in [ByReference, ByValue, Append] {
        let fake = start();
        let mut session = session(&fake, disclosure);
        session.say("Stop the export.");
        let arguments = json!({"query": "select:stopExport"}).to_string();
        let id = CallId::new("preload-1");
        let call = Call { id, name: SEARCH.to_owned(), arguments };
        session.take(Said { by: Author::Loop, parts: vec![Part::Call(call)], raw: None }).await;
        fake.extend([Scripted::call("stopExport", json!({})), Scripted::text("Stopped.")]);
        session.step(None).await.unwrap();
        session.step(None).await.unwrap();
        for (at, seen) in taken(&fake).iter().enumerate() {
            assert_eq!(seen.cache.missed, 0, "{disclosure:?}, request {at}");
        }
    }
}

#[tokio::test]
async fn a_tool_that_is_taken_away_does_not_spoil_the_conversation() {
    for disclosure in [ByReference, ByValue, Append] {
        let fake = start();
        let mut session = session(&fake, disclosure);
        session.say("Export.");
        fake.extend([
            Scripted::call(SEARCH, json!({"query": "select:startExport,stopExport"})),
            Scripted::call("startExport", json!({})),
            Scripted::text("Done."),
        ]);
        session.step(None).await.unwrap();
        session.step(None).await.unwrap();
        assert!(session.catalog.remove("", "startExport"));
        session.step(None).await.unwrap();
        taken(&fake);
    }
}

#[tokio::test]
async fn a_reply_may_end_early() {
    let fake = start();
    let mut session = session(&fake, ByReference);
    session.say("Write.");
    let pieces = vec![Piece::Text("A long answer.".to_owned())];
    fake.extend([Scripted::CutOff(pieces.clone()), Scripted::CutOff(pieces)]);
    fake.extend([
        Scripted::CutOff(vec![call("readTable", json!({"table": "orders"}))]),
        Scripted::Refusal("No.".to_owned()),
    ]);
    let heard = Heard::default();
    assert_eq!(session.ask(None).await.unwrap().finish, Finish::Length);
    assert_eq!(session.ask(Some(&heard)).await.unwrap().finish, Finish::Length);
    let cut = session.ask(Some(&heard)).await.unwrap();
    assert_eq!(cut.finish, Finish::Length);
    assert_eq!(session.ask(Some(&heard)).await.unwrap().finish, Finish::Refused);
    taken(&fake);
}

#[tokio::test]
async fn failures_say_what_to_do() {
    let cases = [
        (429, Some(7), Kind::RateLimited),
        (529, Some(2), Kind::Overloaded),
        (500, None, Kind::Unavailable),
        (401, None, Kind::Authentication),
        (403, None, Kind::Permission),
        (404, None, Kind::NotFound),
    ];
    for (status, seconds, kind) in cases {
        for mid_stream in [false, true] {
            let fake = start();
            let mut session = session(&fake, ByReference);
            session.say("Hello.");
            let retry_after = seconds.map(Duration::from_secs);
            let failure = Failure { retry_after, mid_stream, ..Failure::of(status) };
            fake.push(Scripted::Error(failure));
            let heard = Heard::default();
            let error = session.ask(Some(&heard)).await.unwrap_err();
            assert_eq!(error.kind, kind, "{status} {mid_stream}: {error}");
            assert!(!error.message.contains("sk-test"));
            if !mid_stream {
                assert_eq!(error.retry_after, retry_after, "{status}");
                assert_eq!(error.status, Some(status));
                assert!(error.request_id.is_some(), "{status}");
            }
        }
    }
}

#[tokio::test]
async fn a_connection_that_breaks_is_an_interruption() {
    let pieces =
        || vec![Piece::Text("Hello.".to_owned()), call("readTable", json!({"table": "orders"}))];
    for bytes in [0, 1, 50, 300, 700, 1_000] {
        for streams in [false, true] {
            let fake = start();
            let mut session = session(&fake, ByReference);
            session.say("Hello.");
            // A whole answer is shorter than a stream.
            let bytes = if streams { bytes } else { bytes / 5 };
            fake.push(Scripted::Broken { pieces: pieces(), bytes });
            let heard = Heard::default();
            let listener = streams.then_some(&heard as &dyn oncue_agent::Listen);
            let error = session.ask(listener).await.unwrap_err();
            let kinds = [Kind::Interrupted, Kind::Unavailable];
            assert!(kinds.contains(&error.kind), "{bytes} {streams}: {error}");
            assert!(error.kind.is_retryable());
        }
    }
}
