//! AWS Bedrock against a strict fake of its runtime, through both of its doors.

use std::time::Duration;

use oncue_agent::cache::{Breakpoints, CacheRules, MissReason};
use oncue_agent::conversation::Part;
use oncue_agent::{Disclosure, Finish, ModelErrorKind as Kind};
use oncue_fakes::{Chunks, Failure, Fake, Piece, Scripted, Seen};
use oncue_providers::{AwsAccess, Endpoint, Key};
use serde_json::{Value, json};

use crate::session::{Heard, SEARCH, Session};
use Disclosure::{Append, ByReference};

const CLAUDE: &str = "us.anthropic.claude-opus-5-v1:0";

/// What is known of the caches of Claude.
const MARKS: CacheRules = CacheRules {
    breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
    prefix_tokens_min: 512,
    write_price: 1.25,
    read_price: 0.1,
};

fn start() -> Fake {
    Fake::start(oncue_fakes::wires()).unwrap()
}

fn endpoint(fake: &Fake, model: &str, disclosure: Disclosure) -> Endpoint {
    let name = format!("bedrock:{model}@{}", fake.url());
    let aws = AwsAccess::default().with_region("eu-west-1").with_keys("AKIDTEST", "secret", None);
    let endpoint = Endpoint::parse(&name, |_| None).unwrap().with_aws(aws);
    endpoint.with_disclosure(disclosure)
}

fn session(fake: &Fake, disclosure: Disclosure) -> Session {
    Session::new(endpoint(fake, CLAUDE, disclosure).with_cache_rules(MARKS).open().unwrap())
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
    for disclosure in [ByReference, Append] {
        for chunks in [Chunks::Events, Chunks::Bytes(1), Chunks::All] {
            let fake = start().with_chunks(chunks);
            let mut session = session(&fake, disclosure);
            session.say("Read the orders.");
            fake.extend([Scripted::Reply(pieces.clone()), Scripted::Reply(pieces.clone())]);
            let whole = session.ask(None).await.unwrap();
            let heard = Heard::default();
            let streamed = session.ask(Some(&heard)).await.unwrap();
            let said = |parts: &[Part]| -> Vec<String> {
                let parts = parts.iter().map(|part| match part {
                    Part::Call(call) => format!("{} {}", call.name, call.arguments),
                    part => format!("{part:?}"),
                });
                parts.collect()
            };
            assert_eq!(said(&streamed.parts), said(&whole.parts), "{disclosure:?} {chunks:?}");
            assert_eq!(whole.parts.len(), 4);
            assert_eq!(whole.usage.prompt(), streamed.usage.prompt());
            let calls = vec!["readTable".to_owned(), "listTables".to_owned()];
            assert_eq!(heard.said(), ("표를 읽어요.".to_owned(), calls));
            let paths: Vec<String> = taken(&fake).into_iter().map(|seen| seen.asked.path).collect();
            let actions = match disclosure {
                ByReference => ["invoke", "invoke-with-response-stream"],
                _ => ["converse", "converse-stream"],
            };
            assert!(paths[0].ends_with(actions[0]) && paths[1].ends_with(actions[1]), "{paths:?}");
        }
    }
}

/// Searches, calls what was found, and goes on; returns the requests.
async fn searched(disclosure: Disclosure, streams: bool) -> Vec<Seen> {
    let fake = start();
    let mut session = session(&fake, disclosure);
    let heard = Heard::default();
    let listener = || streams.then_some(&heard as &dyn oncue_agent::Listen);
    session.say("Export the orders.");
    fake.extend([
        Scripted::call("listTables", json!({})),
        Scripted::call(SEARCH, json!({"query": "select:startExport"})),
        Scripted::Reply(vec![
            Piece::Reasoning("Now.".to_owned()),
            call("startExport", json!({"table": "orders"})),
            call("readTable", json!({"table": "orders"})),
        ]),
        Scripted::text("Exported."),
    ]);
    for _ in 0..4 {
        session.step(listener()).await.unwrap();
    }
    session.say("And again.");
    fake.push(Scripted::text("Again."));
    session.step(listener()).await.unwrap();
    taken(&fake)
}

#[tokio::test]
async fn claude_by_reference_loses_nothing_that_was_cached() {
    for streams in [false, true] {
        for (at, seen) in searched(ByReference, streams).await.iter().enumerate() {
            assert_eq!(seen.cache.missed, 0, "request {at}");
            assert_eq!(seen.cache.read > 0, at > 0, "request {at}");
        }
    }
}

#[tokio::test]
async fn appending_costs_one_miss_for_each_search_that_finds() {
    for streams in [false, true] {
        let seen = searched(Append, streams).await;
        let misses: Vec<Option<MissReason>> = seen.iter().map(|seen| seen.cache.miss).collect();
        assert_eq!(misses, [None, None, Some(MissReason::ToolsChanged), None, None]);
    }
}

#[tokio::test]
async fn a_model_of_another_vendor_takes_the_same_conversation() {
    let fake = start();
    let model = endpoint(&fake, "mistral.mistral-large-2407-v1:0", Append).open().unwrap();
    let mut session = Session::new(model);
    session.say("Read.");
    fake.extend([
        Scripted::Reply(vec![Piece::Text("I read.".to_owned()), call("readTable", json!({}))]),
        Scripted::text("Done."),
    ]);
    session.step(None).await.unwrap();
    session.say("And now answer.");
    session.step(None).await.unwrap();
    taken(&fake);
}

#[tokio::test]
async fn a_key_needs_no_signature() {
    let fake = start();
    let key = Key::new("bedrock-key").unwrap();
    let model = endpoint(&fake, CLAUDE, Append).with_key(key).open().unwrap();
    let mut session = Session::new(model);
    session.say("Hello.");
    fake.push(Scripted::text("Hello."));
    session.ask(None).await.unwrap();
    let seen = taken(&fake);
    assert_eq!(seen[0].asked.header("authorization"), Some("Bearer bedrock-key"));
    assert_eq!(seen[0].asked.header("x-amz-date"), None);
}

#[tokio::test]
async fn failures_say_what_to_do() {
    let cases = [
        (429, Kind::RateLimited),
        (503, Kind::Unavailable),
        (500, Kind::Unavailable),
        (403, Kind::Permission),
    ];
    for disclosure in [ByReference, Append] {
        for (status, kind) in cases {
            for mid_stream in [false, true] {
                let fake = start();
                let mut session = session(&fake, disclosure);
                session.say("Hello.");
                let retry_after = (status == 429).then(|| Duration::from_secs(3));
                let failure = Failure { retry_after, mid_stream, ..Failure::of(status) };
                fake.push(Scripted::Error(failure));
                let error = session.ask(Some(&Heard::default())).await.unwrap_err();
                assert_eq!(error.kind, kind, "{disclosure:?} {status} {mid_stream}: {error}");
                assert!(error.request_id.is_some(), "{status} {mid_stream}");
                if !mid_stream {
                    assert_eq!(error.retry_after, retry_after, "{status}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_reply_may_end_early_or_break_off() {
    for disclosure in [ByReference, Append] {
        let fake = start();
        let mut session = session(&fake, disclosure);
        session.say("Write.");
        let pieces = vec![Piece::Text("A long answer.".to_owned())];
        let heard = Heard::default();
        for listener in [None, Some(&heard as &dyn oncue_agent::Listen)] {
            fake.push(Scripted::CutOff(pieces.clone()));
            assert_eq!(session.ask(listener).await.unwrap().finish, Finish::Length);
            fake.push(Scripted::Refusal("No.".to_owned()));
            assert_eq!(session.ask(listener).await.unwrap().finish, Finish::Refused);
            for bytes in [0, 10, 60] {
                fake.push(Scripted::Broken { pieces: pieces.clone(), bytes });
                let error = session.ask(listener).await.unwrap_err();
                assert!(error.kind.is_retryable(), "{bytes}: {error}");
            }
        }
        taken(&fake);
    }
}
