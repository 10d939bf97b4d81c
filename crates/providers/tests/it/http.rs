//! What an endpoint may do beside answering.

use std::sync::Arc;
use std::time::Duration;

use oncue_agent::{Delta, Listen, Model, ModelErrorKind as Kind};
use oncue_providers::{Endpoint, Key, Protocol, Times};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::session::{Heard, Session};

/// A server that sends these bytes to whoever connects, and says what it was asked.
async fn server(answer: &'static str) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let asked = read_request(&mut stream).await;
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        asked
    });
    (url, served)
}

/// Reads the head of a request and as much body as it announces.
async fn read_request(stream: &mut tokio::net::TcpStream) -> String {
    let mut read = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        let text = String::from_utf8_lossy(&read).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if length.is_none_or(|length| body.len() >= length.parse().unwrap()) {
                return String::from_utf8_lossy(&read).into_owned();
            }
        }
        let count = stream.read(&mut buffer).await.unwrap();
        if count == 0 {
            return String::from_utf8_lossy(&read).into_owned();
        }
        read.extend_from_slice(&buffer[..count]);
    }
}

fn endpoint(url: &str) -> Endpoint {
    Endpoint::new(Protocol::Messages, url, "m").with_key(Key::new("sk-secret").unwrap())
}

fn session(model: Arc<dyn Model>) -> Session {
    let mut session = Session::new(model);
    session.say("Hello.");
    session
}

/// Returns the error that the answer of a server becomes, whole and streamed.
async fn error(answer: &'static str) -> String {
    let mut errors = Vec::new();
    for streams in [false, true] {
        let (url, served) = server(answer).await;
        let session = session(endpoint(&url).open().unwrap());
        let heard = Heard::default();
        let listener = streams.then_some(&heard as &dyn Listen);
        errors.push(session.ask(listener).await.unwrap_err().to_string());
        served.await.unwrap();
    }
    assert_eq!(errors[0], errors[1], "whole and streamed");
    errors.remove(0)
}

#[tokio::test]
async fn the_key_and_the_headers_are_sent() {
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"content\":[{\"type\":\"text\",\"text\":\"Hi.\"}],\"stop_reason\":\"end_turn\"}";
    let (url, served) = server(answer).await;
    let model = endpoint(&url).with_header("X-Team", "blue").open().unwrap();
    let reply = session(model).ask(Some(&Heard::default())).await.unwrap();
    assert_eq!(reply.parts.len(), 1, "a server that does not stream is understood");
    let asked = served.await.unwrap();
    let head = asked.split("\r\n\r\n").next().unwrap().to_lowercase();
    for line in [
        "post /v1/messages http/1.1",
        "x-api-key: sk-secret",
        "anthropic-version: 2023-06-01",
        "content-type: application/json",
        "accept: text/event-stream",
        "x-team: blue",
    ] {
        assert!(head.lines().any(|known| known == line), "{line} in {head}");
    }
    assert!(asked.ends_with(r#""stream":true}"#));
}

#[tokio::test]
async fn answers_of_others_than_the_vendor_are_told_apart() {
    let cases = [
        (
            "HTTP/1.1 302 Found\r\nlocation: https://b.example/\r\ncontent-length: 0\r\n\r\n",
            "not found: the endpoint sends requests on to https://b.example/: use that as its address; keys are not sent on",
        ),
        (
            "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\n\r\n<html><title>Bad Gateway</title></html>",
            "unavailable: status 502 with a web page titled `Bad Gateway`; is the address right, or is a proxy in between?",
        ),
        (
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "not found: status 404 without a word; is the address right?",
        ),
        (
            "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\n\r\n{\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid key sk-secret\"}}",
            "not authenticated: invalid key [key]",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n<!doctype html><p>Sign in</p>",
            "malformed answer: a web page in the place of JSON; is the address right?",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n",
            "malformed answer: nothing in the place of JSON",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"content\":",
            "interrupted: error decoding response body: request or response body error: error reading a body from connection: end of file before message length reached",
        ),
    ];
    for (answer, expected) in cases {
        let told = error(answer).await;
        match expected.split_once("interrupted: ") {
            // What the connection says is the library's own text.
            Some(_) => assert!(told.starts_with("interrupted: "), "{told}"),
            None => assert_eq!(told, expected),
        }
    }
}

#[tokio::test]
async fn a_page_in_the_place_of_a_stream_is_an_error() {
    let (url, _served) =
        server("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html></html>").await;
    let session = session(endpoint(&url).open().unwrap());
    let error = session.ask(Some(&Heard::default())).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "malformed answer: a web page in the place of JSON; is the address right?"
    );
}

#[tokio::test]
async fn nobody_at_the_address_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let session = session(endpoint(&url).open().unwrap());
    let error = session.ask(None).await.unwrap_err();
    assert_eq!(error.kind, Kind::Unavailable, "{error}");
    assert!(error.message.contains("onnect"), "{error}");
}

#[tokio::test]
async fn who_does_not_speak_tls_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let _served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    let Ok(model) = endpoint(&url).open() else {
        // A machine without certificates says so when the model is opened.
        return;
    };
    let error = session(model).ask(None).await.unwrap_err();
    assert_eq!(error.kind, Kind::Unavailable, "{error}");
}

#[tokio::test]
async fn a_request_that_is_dropped_is_called_off() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_request(&mut stream).await;
        let begun = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"Hi.\"}}\n\n";
        stream.write_all(begun.as_bytes()).await.unwrap();
        // Whoever hangs up ends this.
        stream.read(&mut [0; 1]).await.unwrap_or_default()
    });
    let session = session(endpoint(&url).open().unwrap());
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let listener = Telling(sender);
    let reply = session.ask(Some(&listener));
    tokio::select! {
        reply = reply => panic!("the answer has no end: {reply:?}"),
        delta = heard.recv() => assert_eq!(delta, Some(Delta::Text("Hi.".to_owned()))),
    }
    assert_eq!(served.await.unwrap(), 0, "the connection is closed");
}

/// Tells what it hears at once.
struct Telling(tokio::sync::mpsc::UnboundedSender<Delta>);

impl Listen for Telling {
    fn hear(&self, delta: Delta) {
        self.0.send(delta).unwrap();
    }
}

/// The clock stands still and jumps ahead whenever everybody waits, so nothing here takes any time.
#[tokio::test(start_paused = true)]
async fn a_silent_server_is_not_waited_for_for_ever() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let times = Times { first_byte: Duration::from_secs(3), ..Times::default() };
    let session = session(endpoint(&url).with_times(times).open().unwrap());
    let error = session.ask(None).await.unwrap_err();
    assert_eq!(error.to_string(), "timed out: the first byte did not come within 3 s");
}

#[tokio::test]
async fn an_address_that_is_none_is_told_at_once() {
    let error = Endpoint::new(Protocol::Messages, "here", "m").open().err().unwrap();
    assert_eq!(error.to_string(), "`here` is no address: it begins with http:// or https://");
    let odd = endpoint("http://127.0.0.1:1").with_header("a b", "c").open().err().unwrap();
    assert_eq!(
        odd.to_string(),
        "the header `a b` cannot be sent: its name or its value has illegal characters"
    );
}
