use std::net::TcpStream;
use std::time::Duration;

use oncue_agent::cache::{Block, Breakpoints, CacheRules, CacheUse, MissReason, Prompt, Tier};
use serde_json::{Value, json};

use super::{Chunks, Fake};
use crate::{Asked, Failure, Piece, Refusal, Scripted, Wire};

/// A wire without a vendor: it says what it was told to, a text as its letters, one frame each.
struct Plain;

impl Wire for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn serves(&self, path: &str) -> bool {
        path == "/plain"
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        if asked.body.get("panic").is_some() {
            panic!("as asked");
        }
        match asked.body.get("bad") {
            Some(_) => Err(Refusal::new(422, "bad", "the request is bad").with("param", "bad")),
            None => Ok(()),
        }
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        let text = asked.body.to_string();
        let model = asked.body.get("model").and_then(Value::as_str).unwrap_or("m");
        let tools = Block::new(Tier::Tools, b"tools", 100);
        Prompt::new(model, [tools, Block::new(Tier::Messages, text.as_bytes(), 10)])
    }

    fn cache_rules(&self, _: &Asked) -> CacheRules {
        CacheRules {
            breakpoints: Breakpoints::Automatic,
            prefix_tokens_min: 0,
            write_price: 1.0,
            read_price: 0.1,
        }
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.query == "stream"
    }

    fn answer(&self, _: &Asked, scripted: &Scripted, _: &CacheUse, number: u64) -> Value {
        json!({ "number": number, "said": said(scripted) })
    }

    fn stream(&self, _: &Asked, scripted: &Scripted, _: &CacheUse, _: u64) -> Vec<Vec<u8>> {
        said(scripted).bytes().map(|byte| vec![byte]).collect()
    }

    fn headers(&self, _: &Asked, number: u64) -> Vec<(&'static str, String)> {
        vec![("request-id", format!("req_{number}"))]
    }

    fn error_kind(&self, status: u16) -> &'static str {
        match status {
            400 => "malformed",
            429 => "too fast",
            _ => "",
        }
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        json!({ "kind": refusal.kind, "message": refusal.message })
    }

    fn error_headers(&self, refusal: &Refusal) -> Vec<(&'static str, String)> {
        vec![("x-kind", refusal.kind.clone())]
    }
}

fn said(scripted: &Scripted) -> String {
    match scripted {
        Scripted::Reply(pieces) => match pieces.as_slice() {
            [Piece::Text(text)] => text.clone(),
            pieces => panic!("{pieces:?}"),
        },
        Scripted::Error(failure) => format!("!{}", failure.status),
        other => panic!("{other:?}"),
    }
}

fn start() -> Fake {
    Fake::start([Box::new(Plain) as Box<dyn Wire>]).unwrap()
}

/// A client; the library wants a cryptography provider although nothing here is encrypted.
fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn post(fake: &Fake, path: &str, body: &str) -> reqwest::Response {
    client().post(format!("{}{path}", fake.url())).body(body.to_owned()).send().await.unwrap()
}

/// The status and the JSON of a plain answer.
async fn plain(fake: &Fake, path: &str, body: &str) -> (u16, Value) {
    let response = post(fake, path, body).await;
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

/// The pieces of a body, and whether it came to its end.
async fn pieces(mut response: reqwest::Response) -> (Vec<String>, bool) {
    let mut pieces = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(piece)) => pieces.push(String::from_utf8(piece.to_vec()).unwrap()),
            Ok(None) => return (pieces, true),
            Err(_) => return (pieces, false),
        }
    }
}

#[tokio::test]
async fn answers_come_in_the_order_of_the_script_and_then_from_the_responder() {
    let fake = start().with_responder(|asked| Scripted::text(format!("asked {}", asked.body)));
    fake.extend([Scripted::text("one"), Scripted::text("two")]);
    assert_eq!(fake.left(), 2);
    for (number, said) in [(1, "one"), (2, "two"), (3, "asked {}")] {
        let answer = plain(&fake, "/plain", "{}").await;
        assert_eq!(answer, (200, json!({ "number": number, "said": said })));
    }
}

#[tokio::test]
async fn an_empty_script_is_an_error_that_says_so() {
    let fake = start();
    let (status, body) = plain(&fake, "/plain", "{}").await;
    assert_eq!(status, 500);
    assert!(body.to_string().contains("script of the fake is empty"), "{body}");
}

#[tokio::test]
async fn what_is_refused_takes_nothing_from_the_script_and_is_in_the_log() {
    let fake = start();
    fake.push(Scripted::text("one"));
    let response = post(&fake, "/plain", r#"{"bad": 1}"#).await;
    assert_eq!(response.status().as_u16(), 422);
    assert_eq!(response.headers()["x-kind"], "bad");
    assert_eq!(response.headers()["request-id"], "req_1");
    let (status, _) = plain(&fake, "/elsewhere", "{}").await;
    assert_eq!(status, 404);
    let (status, body) = plain(&fake, "/plain", "{").await;
    assert_eq!((status, &body["kind"]), (400, &json!("malformed")));
    assert_eq!(plain(&fake, "/plain", "{}").await.0, 200);

    let statuses = |fake: &Fake| -> Vec<Option<u16>> {
        fake.requests().iter().map(|seen| seen.refusal.as_ref().map(|r| r.status)).collect()
    };
    assert_eq!(statuses(&fake), [Some(422), Some(404), Some(400), None]);
    let seen = &fake.requests()[0];
    assert_eq!(seen.asked.body, json!({ "bad": 1 }));
    assert_eq!(seen.refusal.as_ref().unwrap().details, [("param".to_owned(), "bad".to_owned())]);
    assert_eq!(seen.cache, CacheUse::default());
}

#[tokio::test]
async fn a_failure_has_the_vendors_word_and_tells_how_long_to_wait() {
    let fake = start();
    fake.push(Scripted::Error(Failure {
        retry_after: Some(Duration::from_millis(1_200)),
        ..Failure::of(429)
    }));
    fake.push(Scripted::Error(Failure {
        kind: Some("other".to_owned()),
        message: Some("no".to_owned()),
        ..Failure::of(529)
    }));
    let response = post(&fake, "/plain", "{}").await;
    assert_eq!(response.status().as_u16(), 429);
    assert_eq!(response.headers()["retry-after"], "2");
    assert_eq!(response.headers()["x-kind"], "too fast");
    let answer = plain(&fake, "/plain", "{}").await;
    assert_eq!(answer, (529, json!({ "kind": "other", "message": "no" })));
}

#[tokio::test]
async fn a_failure_in_mid_stream_is_an_event_and_otherwise_a_status() {
    let fake = start();
    let failure = Failure { mid_stream: true, ..Failure::of(529) };
    fake.extend([Scripted::Error(failure.clone()), Scripted::Error(failure)]);
    let response = post(&fake, "/plain?stream", "{}").await;
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.text().await.unwrap(), "!529");
    assert_eq!(post(&fake, "/plain", "{}").await.status().as_u16(), 529);
}

#[tokio::test]
async fn streams_are_cut_into_the_pieces_that_the_test_wants() {
    for (chunks, expected) in [
        (Chunks::Events, vec!["a", "b", "c", "d", "e"]),
        (Chunks::Bytes(2), vec!["ab", "cd", "e"]),
        (Chunks::All, vec!["abcde"]),
    ] {
        let fake = start().with_chunks(chunks);
        fake.push(Scripted::text("abcde"));
        let response = post(&fake, "/plain?stream", "{}").await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let (pieces, is_whole) = pieces(response).await;
        assert_eq!(pieces.concat(), "abcde");
        assert!(is_whole);
        // The client may join pieces that come at once; it never cuts them elsewhere.
        let ends = |pieces: &[String]| -> Vec<usize> {
            pieces
                .iter()
                .scan(0, |end, piece| {
                    Some({
                        *end += piece.len();
                        *end
                    })
                })
                .collect()
        };
        let allowed = ends(&expected.iter().map(|&piece| piece.to_owned()).collect::<Vec<_>>());
        assert!(ends(&pieces).iter().all(|end| allowed.contains(end)), "{chunks:?} {pieces:?}");
    }
}

#[tokio::test]
async fn a_broken_answer_loses_its_connection_after_so_many_bytes() {
    let fake = start();
    let broken = |bytes| Scripted::Broken { pieces: vec![Piece::Text("abcde".to_owned())], bytes };
    for (path, bytes, expected) in [
        ("/plain?stream", 3, "abc"),
        ("/plain?stream", 0, ""),
        ("/plain?stream", 99, "abcde"),
        ("/plain", 5, r#"{"num"#),
    ] {
        fake.push(broken(bytes));
        let (pieces, is_whole) = pieces(post(&fake, path, "{}").await).await;
        assert_eq!((pieces.concat().as_str(), is_whole), (expected, false), "{path} {bytes}");
    }
}

#[tokio::test]
async fn a_panic_of_a_wire_or_a_responder_is_an_error_that_says_so() {
    let fake = start().with_responder(|_| panic!("the responder"));
    let (status, body) = plain(&fake, "/plain", r#"{"panic": 1}"#).await;
    assert_eq!((status, &body["message"]), (500, &json!("the fake panicked: as asked")));
    let (status, body) = plain(&fake, "/plain", "{}").await;
    assert_eq!((status, &body["message"]), (500, &json!("the fake panicked: the responder")));
    fake.push(Scripted::CutOff(Vec::new()));
    let (status, body) = plain(&fake, "/plain", "{}").await;
    assert_eq!((status, &body["message"]), (500, &json!("the fake panicked: CutOff([])")));
    assert!(fake.requests().iter().all(|seen| seen.refusal.is_some()));
}

#[tokio::test]
async fn each_key_has_its_cache_and_a_change_of_model_is_seen() {
    let fake = start().with_responder(|_| Scripted::text("x"));
    let client = client();
    let ask = async |key: &str, body: &str| {
        let request = client.post(format!("{}/plain", fake.url())).header("x-api-key", key);
        request.body(body.to_owned()).send().await.unwrap();
        let used = fake.requests().last().unwrap().cache;
        (used.read, used.written, used.miss, used.missed)
    };
    assert_eq!(ask("a", "{}").await, (0, 110, None, 0));
    assert_eq!(ask("b", "{}").await, (0, 110, None, 0));
    assert_eq!(ask("a", "{}").await, (110, 0, None, 0));
    let model = Some(MissReason::ModelChanged);
    assert_eq!(ask("a", r#"{"model": "n"}"#).await, (0, 110, model, 110));
    assert_eq!(ask("a", r#"{"model": "n"}"#).await, (110, 0, None, 0));
}

#[tokio::test]
async fn a_stopped_fake_serves_nobody() {
    let fake = start();
    let address = fake.url().replace("http://", "");
    assert!(TcpStream::connect(&address).is_ok());
    fake.stop().await.unwrap();
    assert!(TcpStream::connect(&address).is_err());
}

#[tokio::test]
async fn a_dropped_fake_closes_its_port() {
    let fake = start();
    let address = fake.url().replace("http://", "");
    drop(fake);
    let closed = async {
        while TcpStream::connect(&address).is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), closed).await.unwrap();
}

#[test]
fn a_fake_outside_a_runtime_is_an_error() {
    assert!(Fake::start(Vec::new()).is_err());
}
