//! What holds for every wire that is not Anthropic's: OpenAI's two and Google's, each against a strict fake of its server.

use std::time::Duration;

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Author, Call, Item, Part, Said};
use oncue_agent::{Disclosure, Finish, Listen, ModelErrorKind as Kind};
use oncue_fakes::{Chunks, Failure, Fake, Piece, Scripted, Seen};
use oncue_providers::Endpoint;
use oncue_tools::CallId;
use serde_json::{Value, json};

use crate::session::{Heard, SEARCH, Session};
use Disclosure::{Append, ClientSearch, Mask};

/// A vendor with a model, and the name by which a script calls the search tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vendor {
    id: &'static str,
    model: &'static str,
    disclosure: Disclosure,
    search: &'static str,
}

const CHAT: Vendor =
    Vendor { id: "openai-chat", model: "gpt-4.1", disclosure: Append, search: SEARCH };
const RESPONSES: Vendor =
    Vendor { id: "openai", model: "gpt-5.4", disclosure: ClientSearch, search: "tool_search" };
const GEMINI: Vendor =
    Vendor { id: "gemini", model: "gemini-3-pro", disclosure: Append, search: SEARCH };

/// Each vendor with each disclosure that it has a form for.
const ALL: [Vendor; 7] = [
    CHAT,
    Vendor { disclosure: Mask, ..CHAT },
    RESPONSES,
    Vendor { disclosure: Mask, search: SEARCH, ..RESPONSES },
    Vendor { disclosure: Append, search: SEARCH, ..RESPONSES },
    GEMINI,
    Vendor { disclosure: Mask, ..GEMINI },
];

impl Vendor {
    fn endpoint(self, fake: &Fake) -> Endpoint {
        let name = format!("{}:{}@{}/v1beta", self.id, self.model, fake.url());
        let endpoint = Endpoint::parse(&name, |name| {
            ["OPENAI_API_KEY", "GEMINI_API_KEY"].contains(&name).then(|| "sk-test".to_owned())
        });
        let endpoint = endpoint.unwrap().with_disclosure(self.disclosure);
        match self.id {
            "openai" => endpoint.with_extra("reasoning", json!({"summary": "auto"})),
            "gemini" => endpoint.with_extra(
                "generationConfig",
                json!({"thinkingConfig": {"includeThoughts": true}}),
            ),
            _ => endpoint,
        }
    }

    fn session(self, fake: &Fake) -> Session {
        Session::new(self.endpoint(fake).open().unwrap())
    }
}

fn start() -> Fake {
    Fake::start(oncue_fakes::wires()).unwrap()
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

/// Returns parts without what differs from answer to answer.
fn without_ids(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    for part in &mut parts {
        if let Part::Call(call) = part {
            call.id = CallId::new("");
        }
    }
    parts
}

#[tokio::test]
async fn an_answer_is_the_same_whole_and_streamed() {
    let pieces = vec![
        Piece::Reasoning("Hm.".to_owned()),
        Piece::Text("표를 읽어요.".to_owned()),
        call("readTable", json!({"table": "orders"})),
        call("listTables", json!({})),
    ];
    for vendor in ALL {
        for chunks in [Chunks::Events, Chunks::Bytes(1), Chunks::Bytes(7), Chunks::All] {
            let fake = start().with_chunks(chunks);
            let mut session = vendor.session(&fake);
            session.say("Read the orders.");
            fake.extend([Scripted::Reply(pieces.clone()), Scripted::Reply(pieces.clone())]);
            let whole = session.ask(None).await.unwrap();
            let heard = Heard::default();
            let streamed = session.ask(Some(&heard)).await.unwrap();
            assert_eq!(
                without_ids(&streamed.parts),
                without_ids(&whole.parts),
                "{vendor:?} {chunks:?}"
            );
            let said: Vec<&Part> =
                whole.parts.iter().filter(|part| !matches!(part, Part::Reasoning { .. })).collect();
            assert_eq!(said.len(), 3, "{vendor:?}");
            assert_eq!(whole.usage.prompt(), streamed.usage.prompt());
            assert_eq!(whole.usage.output, streamed.usage.output);
            let calls = vec!["readTable".to_owned(), "listTables".to_owned()];
            assert_eq!(heard.said(), ("표를 읽어요.".to_owned(), calls), "{vendor:?} {chunks:?}");
            taken(&fake);
        }
    }
}

#[tokio::test]
async fn calls_in_one_reply_get_their_results() {
    for vendor in ALL {
        let fake = start();
        let mut session = vendor.session(&fake);
        session.say("Read all.");
        let reads = ["a", "b", "c"].map(|table| call("readTable", json!({"table": table})));
        fake.extend([
            Scripted::Reply([vec![Piece::Text("I read.".into())], reads.to_vec()].concat()),
            Scripted::text("Done."),
        ]);
        assert_eq!(session.step(None).await.unwrap().parts.len(), 4, "{vendor:?}");
        let reply = session.step(None).await.unwrap();
        assert_eq!(reply.parts, [Part::Text { text: "Done.".to_owned() }]);
        let seen = taken(&fake);
        let sent = seen[1].asked.body.to_string();
        assert_eq!(sent.matches("readTable ran").count(), 3, "{vendor:?}");
    }
}

/// Searches, calls what was found, answers, and calls it again in the next turn; returns the requests.
async fn searched(vendor: Vendor, streams: bool) -> Vec<Seen> {
    let fake = start();
    let mut session = vendor.session(&fake);
    assert_eq!(session.disclosure(), vendor.disclosure);
    let heard = Heard::default();
    let listener = || streams.then_some(&heard as &dyn Listen);
    session.say("Export the orders, then stop.");
    fake.extend([
        Scripted::call("listTables", json!({})),
        Scripted::call(vendor.search, json!({"query": "select:startExport"})),
        Scripted::Reply(vec![
            Piece::Reasoning("Now.".to_owned()),
            call("startExport", json!({"table": "orders"})),
        ]),
        Scripted::text("Exported."),
    ]);
    for _ in 0..4 {
        session.step(listener()).await.unwrap();
    }
    session.say("And again.");
    fake.extend([
        Scripted::call("startExport", json!({"table": "customers"})),
        Scripted::text("Exported again."),
    ]);
    for _ in 0..2 {
        session.step(listener()).await.unwrap();
    }
    let results = session.items.iter().filter_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    let results = results.flatten().filter(|result| result.name != SEARCH);
    let ran: Vec<String> = results.map(|result| format!("{:?}", result.content)).collect();
    let ran: Vec<&str> = ran.iter().map(String::as_str).collect();
    assert_eq!(
        ran,
        [
            r#"[Text("listTables ran")]"#,
            r#"[Text("startExport ran")]"#,
            r#"[Text("startExport ran")]"#
        ],
        "{vendor:?}"
    );
    taken(&fake)
}

#[tokio::test]
async fn what_a_search_finds_is_callable_on_the_next_step_and_costs_what_its_disclosure_says() {
    for vendor in ALL {
        for streams in [false, true] {
            let seen = searched(vendor, streams).await;
            let misses: Vec<Option<MissReason>> = seen.iter().map(|seen| seen.cache.miss).collect();
            let mut expected = vec![None; 6];
            if vendor.disclosure == Append {
                expected[2] = Some(MissReason::ToolsChanged);
            }
            assert_eq!(misses, expected, "{vendor:?}");
            for (at, seen) in seen.iter().enumerate() {
                assert_eq!(seen.cache.missed > 0, expected[at].is_some(), "{vendor:?} {at}");
                assert_eq!(seen.cache.read > 0, at > 0, "{vendor:?} {at}");
            }
        }
    }
}

#[tokio::test]
async fn definitions_reach_the_model_once() {
    for vendor in ALL {
        let seen = searched(vendor, false).await;
        let last = seen.last().unwrap().asked.body.to_string();
        let in_text = if vendor.disclosure == ClientSearch { 0 } else { 1 };
        // As a definition, and in the text of the search's result where the model reads that.
        assert_eq!(last.matches("Starts an export of a table").count(), 1 + in_text, "{vendor:?}");
    }
}

#[tokio::test]
async fn the_loop_may_search_before_the_first_step() {
    for vendor in ALL {
        let fake = start();
        let mut session = vendor.session(&fake);
        session.say("Stop the export.");
        let arguments = json!({"query": "select:stopExport"}).to_string();
        let id = CallId::new("preload-1");
        let search = Call { id, name: SEARCH.to_owned(), arguments };
        session.take(Said { by: Author::Loop, parts: vec![Part::Call(search)], raw: None }).await;
        fake.extend([Scripted::call("stopExport", json!({})), Scripted::text("Stopped.")]);
        session.step(None).await.unwrap();
        session.step(None).await.unwrap();
        for (at, seen) in taken(&fake).iter().enumerate() {
            assert_eq!(seen.cache.missed, 0, "{vendor:?}, request {at}");
        }
    }
}

#[tokio::test]
async fn a_tool_that_is_taken_away_does_not_spoil_the_conversation() {
    for vendor in ALL {
        let fake = start();
        let mut session = vendor.session(&fake);
        session.say("Export.");
        fake.extend([
            Scripted::call(vendor.search, json!({"query": "select:startExport,stopExport"})),
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
async fn usage_is_what_the_vendor_counts() {
    for vendor in ALL {
        let fake = start();
        let mut session = vendor.session(&fake);
        session.say("Hello.");
        fake.extend([Scripted::text("Hello."), Scripted::text("Hello.")]);
        for at in 0..2 {
            let reply = session.ask(None).await.unwrap();
            let used = fake.requests()[at].cache;
            assert_eq!(reply.usage.cache_read, used.read, "{vendor:?}");
            assert_eq!(reply.usage.prompt(), used.read + used.written + used.uncached);
            assert!(reply.usage.output > 0);
        }
        assert!(fake.requests()[1].cache.read > 0, "{vendor:?}");
    }
}

#[tokio::test]
async fn thoughts_go_back_as_they_came() {
    for vendor in ALL {
        for streams in [false, true] {
            let fake = start().with_chunks(Chunks::Bytes(3));
            let mut session = vendor.session(&fake);
            let heard = Heard::default();
            let listener = streams.then_some(&heard as &dyn Listen);
            session.say("Think.");
            fake.extend([
                Scripted::Reply(vec![
                    Piece::Reasoning("First this, then that.".to_owned()),
                    call("listTables", json!({})),
                ]),
                Scripted::text("Done."),
            ]);
            session.step(listener).await.unwrap();
            session.step(listener).await.unwrap();
            let seen = taken(&fake);
            let sent = seen[1].asked.body.to_string();
            let mark = match vendor.id {
                "openai" => "encrypted_content",
                "gemini" => "thoughtSignature",
                _ => continue,
            };
            assert!(sent.contains(mark), "{vendor:?}: {sent}");
        }
    }
}

#[tokio::test]
async fn a_reply_may_end_early() {
    for vendor in ALL {
        let fake = start();
        let mut session = vendor.session(&fake);
        session.say("Write.");
        let pieces = vec![Piece::Text("A long answer.".to_owned())];
        fake.extend([Scripted::CutOff(pieces.clone()), Scripted::CutOff(pieces)]);
        fake.extend([Scripted::Refusal("No.".to_owned()), Scripted::Refusal("No.".to_owned())]);
        let heard = Heard::default();
        let listener = Some(&heard as &dyn Listen);
        for (listener, finish) in [
            (None, Finish::Length),
            (listener, Finish::Length),
            (None, Finish::Refused),
            (listener, Finish::Refused),
        ] {
            assert_eq!(session.ask(listener).await.unwrap().finish, finish, "{vendor:?}");
        }
        taken(&fake);
    }
}

#[tokio::test]
async fn failures_say_what_to_do() {
    for vendor in [CHAT, RESPONSES, GEMINI] {
        for (status, seconds, kinds) in [
            (429, Some(7), &[Kind::RateLimited][..]),
            (500, None, &[Kind::Unavailable]),
            (503, Some(2), &[Kind::Unavailable, Kind::Overloaded]),
            (404, None, &[Kind::NotFound]),
        ] {
            for mid_stream in [false, true] {
                let fake = start();
                let mut session = vendor.session(&fake);
                session.say("Hello.");
                let retry_after = seconds.map(Duration::from_secs);
                let failure = Failure { retry_after, mid_stream, ..Failure::of(status) };
                fake.push(Scripted::Error(failure));
                let heard = Heard::default();
                let error = session.ask(Some(&heard)).await.unwrap_err();
                let context = format!("{vendor:?} {status} {mid_stream}: {error}");
                if mid_stream {
                    assert!(error.kind.is_retryable() || status == 404, "{context}");
                    continue;
                }
                assert!(kinds.contains(&error.kind), "{context}");
                assert_eq!(error.retry_after, retry_after, "{context}");
                assert_eq!(error.status, Some(status), "{context}");
            }
        }
    }
}

#[tokio::test]
async fn a_connection_that_breaks_is_an_interruption() {
    let pieces =
        || vec![Piece::Text("Hello.".to_owned()), call("readTable", json!({"table": "orders"}))];
    for vendor in [CHAT, RESPONSES, GEMINI] {
        for bytes in [0, 1, 50, 200, 350] {
            for streams in [false, true] {
                let fake = start();
                let mut session = vendor.session(&fake);
                session.say("Hello.");
                // A whole answer is shorter than a stream.
                let bytes = if streams { bytes } else { bytes / 4 };
                fake.push(Scripted::Broken { pieces: pieces(), bytes });
                let heard = Heard::default();
                let listener = streams.then_some(&heard as &dyn Listen);
                let error = session.ask(listener).await.unwrap_err();
                let kinds = [Kind::Interrupted, Kind::Unavailable];
                assert!(kinds.contains(&error.kind), "{vendor:?} {bytes} {streams}: {error}");
                assert!(error.kind.is_retryable());
            }
        }
    }
}
