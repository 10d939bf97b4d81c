//! What is bounded, below its bound, at it and above it.

use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::http::{Remote, Streamable};
use oncue_mcp::limits::{
    CLIENT_MESSAGE_BYTES_MAX, PAGES_MAX, STDERR_LINE_CHARS_MAX, STDERR_TAIL_BYTES_MAX,
};
use oncue_mcp::server::{Guard, HttpEndpoint};
use oncue_mcp::{
    AboutClient, CallError, Child, Era, Exchange, Expect, Handler, Incomplete, Launch, List,
    Members, Memory, Notification, Peer, Raw, Request, RpcError, Silent, Told, Transport,
    TransportErrorKind, Unreadable, open,
};
use oncue_tools::BoxFuture;
use serde_json::json;
use serde_json::value::to_raw_value;

use crate::ours::{Anyone, Shop, http, raw, serve_http};

/// Posts a message that is this long and returns the status.
async fn posted(url: &str, bytes: usize) -> u16 {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}});
    let message = message.to_string();
    let body = format!("{message}{}", " ".repeat(bytes - message.len()));
    let post = http().post(url).header("content-type", "application/json").body(body);
    post.send().await.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn a_message_of_a_client_is_as_long_as_it_may_be() {
    let (url, _) = serve_http(Shop::new()).await;
    let max = CLIENT_MESSAGE_BYTES_MAX;
    for (bytes, status) in [(max - 1, 200), (max, 200), (max + 1, 413)] {
        assert_eq!(posted(&url, bytes).await, status, "{bytes}");
    }
    let endpoint = HttpEndpoint::new(Shop::new(), Anyone, Guard::loopback()).with_bytes_max(1_000);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let router = endpoint.router("/mcp");
    tokio::spawn(async move { axum::serve(listener, router).await });
    for (bytes, status) in [(999, 200), (1_000, 200), (1_001, 413)] {
        assert_eq!(posted(&url, bytes).await, status, "{bytes} where another bound is set");
    }
}

/// Answers any request with a message that is this long, as a body or as an event.
async fn answering(bytes: usize, is_stream: bool) -> String {
    let answer = async move |body: String| {
        let request: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        let begin = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"a":""#, request["id"]);
        let message = format!(r#"{begin}{}"}}}}"#, "x".repeat(bytes - begin.len() - 3));
        assert_eq!(message.len(), bytes);
        match is_stream {
            // The name of the field counts too.
            true => ([("content-type", "text/event-stream")], format!("data:{message}\n\n")),
            false => ([("content-type", "application/json")], message),
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let router = axum::Router::new().route("/", axum::routing::post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn a_message_of_a_server_is_as_long_as_it_may_be() {
    for (is_stream, beside) in [(false, 0), (true, "data:".len())] {
        for (bytes, fits) in [(999, true), (1_000, true), (1_001, false)] {
            let url = answering(bytes - beside, is_stream).await;
            let remote = Remote {
                url: url.parse().expect("a URL"),
                headers: reqwest::header::HeaderMap::new(),
                bytes_max: 1_000,
            };
            let transport = Arc::new(Streamable::new(http(), remote));
            let peer = Peer::start(transport, Arc::new(Silent), Unreadable::Count);
            match peer.request("ping", None).await {
                Ok(_) => assert!(fits, "{bytes}, as a stream: {is_stream}"),
                Err(CallError::Transport(error)) => {
                    assert!(!fits, "{bytes}, as a stream: {is_stream}: {error}");
                    assert_eq!(error.kind, TransportErrorKind::TooLong);
                }
                Err(error) => panic!("{error}"),
            }
            peer.close().await;
        }
    }
}

/// Lists one tool on each of so many pages.
struct Pages(usize);

impl Handler for Pages {
    fn request<'a>(
        &'a self,
        request: Request,
        _: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        let params = Members::of(request.params.as_deref()).unwrap_or_default();
        let result = match &*request.method {
            "initialize" => raw(
                r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"p","version":"1"}}"#,
            ),
            _ => {
                let at: usize =
                    params.read::<String>("cursor").map_or(1, |it| it.parse().expect("a page"));
                let mut result = json!({ "tools": [{ "name": format!("t{at}") }] });
                if at < self.0 {
                    result["nextCursor"] = json!((at + 1).to_string());
                }
                to_raw_value(&result).expect("JSON")
            }
        };
        Box::pin(std::future::ready(Ok(result)))
    }

    fn notification(&self, _: Notification, _: Told) {}
}

#[tokio::test]
async fn as_many_pages_and_entries_are_read_as_may_be() {
    let listed = async |pages: usize, entries_max: usize| {
        let (here, there) = Memory::pair();
        let _server = Peer::start(Arc::new(there), Arc::new(Pages(pages)), Unreadable::Answer);
        let client = Peer::start(Arc::new(here), Arc::new(Silent), Unreadable::Count);
        let about = AboutClient::able("c", "1");
        let time = Duration::from_secs(60);
        let expect = Expect::Probably(Era::Sessions);
        let connection = open(client, about, expect, time).await.expect("it opens");
        let listed = connection.list(List::Tools, entries_max).await.expect("a list");
        (listed.entries.len(), listed.incomplete)
    };
    let too_many = Some(Incomplete::Pages { pages_max: PAGES_MAX });
    assert_eq!(listed(PAGES_MAX - 1, 10_000).await, (PAGES_MAX - 1, None));
    assert_eq!(listed(PAGES_MAX, 10_000).await, (PAGES_MAX, None));
    assert_eq!(listed(PAGES_MAX + 1, 10_000).await, (PAGES_MAX, too_many));
    let too_many = Some(Incomplete::Entries { entries_max: 7 });
    assert_eq!(listed(6, 7).await, (6, None));
    assert_eq!(listed(7, 7).await, (7, None));
    assert_eq!(listed(8, 7).await, (7, too_many));
}

// case: C43
#[cfg(unix)]
#[tokio::test]
async fn of_what_a_child_writes_on_its_error_stream_the_end_is_kept() {
    let max = STDERR_TAIL_BYTES_MAX;
    for (bytes, kept) in [(max - 1, max - 1), (max, max), (max + 1, max), (10 << 20, max)] {
        let script = format!("head -c {bytes} /dev/zero | tr '\\0' e >&2; read _");
        let launch = Launch {
            command: "sh".into(),
            args: vec!["-c".into(), script.into()],
            env: std::env::vars_os().filter(|(name, _)| name == "PATH").collect(),
            cwd: None,
            bytes_max: 1_000,
        };
        let child = Child::start(&launch).expect("it starts");
        let tail = child.stderr();
        let arrives = async {
            while tail.bytes() < kept {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), arrives).await.expect("it arrives");
        assert_eq!(tail.bytes(), kept, "of {bytes}");
        let shown = tail.lines(10);
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0], format!("…{}", "e".repeat(STDERR_LINE_CHARS_MAX)), "of one line");
        child.close().await;
        child.stop().await;
    }
}
