//! Requests and their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use oncue_mcp::{
    CallError, Exchange, Handler, Listener, Memory, Message, Notification, Peer, Raw, Received,
    Request, RpcError, Silent, Told, Transport, TransportErrorKind, Unreadable, code,
};
use oncue_tools::BoxFuture;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

fn raw(text: &str) -> Raw {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

fn message(text: &str) -> Message {
    Message::read(text.as_bytes()).expect("a message")
}

async fn next(transport: &Memory) -> String {
    match transport.receive().await {
        Some(Received::Message { message, .. }) => {
            String::from_utf8(message.to_bytes()).expect("text")
        }
        other => panic!("{other:?}"),
    }
}

fn client() -> (Peer, Memory) {
    let (ours, theirs) = Memory::pair();
    (Peer::start(Arc::new(ours), Arc::new(Silent), Unreadable::Count), theirs)
}

#[tokio::test]
async fn answers_find_their_requests_in_any_order() {
    let (peer, server) = client();
    let serve = async {
        assert_eq!(next(&server).await, r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#);
        assert_eq!(
            next(&server).await,
            r#"{"jsonrpc":"2.0","id":2,"method":"b","params":{"x":1}}"#
        );
        // A server that answers with the other type means the same request.
        server
            .send(&message(r#"{"jsonrpc":"2.0","id":"2","result":{"n":2}}"#))
            .await
            .expect("sent");
        server.send(&message(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#)).await.expect("sent");
        let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no","data":[1]}}"#;
        server.send(&message(error)).await.expect("sent");
        server.send(&message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)).await.expect("sent");
    };
    let (a, b, ()) =
        tokio::join!(peer.request("a", None), peer.request("b", Some(raw(r#"{"x":1}"#))), serve);
    let Err(CallError::Rpc(error)) = a else { panic!("{a:?}") };
    assert_eq!((error.code, &*error.message), (-5, "no"));
    assert_eq!(error.data.expect("data").get(), "[1]");
    assert_eq!(b.expect("a result").get(), r#"{"n":2}"#);
    server.close().await;
    peer.closed().await;
    assert_eq!((peer.counts().unasked, peer.counts().late), (1, 1));
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_taken_back_once() {
    let (peer, server) = client();
    let slow = tokio::time::timeout(Duration::from_millis(1), peer.request("slow", None));
    assert!(slow.await.is_err());
    assert_eq!(next(&server).await, r#"{"jsonrpc":"2.0","id":1,"method":"slow"}"#);
    assert_eq!(
        next(&server).await,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    );
    server.send(&message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)).await.expect("sent");
    let serve = async {
        assert_eq!(next(&server).await, r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
        server.send(&message(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#)).await.expect("sent");
    };
    let (answer, ()) = tokio::join!(peer.request("ping", None), serve);
    assert!(answer.is_ok());
    assert_eq!((peer.counts().late, peer.waiting()), (1, 0));
}

#[tokio::test]
async fn progress_is_heard_before_the_answer_under_a_token_of_ours() {
    let (peer, server) = client();
    let (heard, mut progress) = mpsc::unbounded_channel();
    let listener = Listener::new(move |it: Notification| {
        let _ = heard.send(it.params.expect("params").get().to_owned());
    });
    let params = raw(r#"{"name":"t","_meta":{"progressToken":"theirs","k":1}}"#);
    let serve = async {
        let asked = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1,"k":1}}}"#;
        assert_eq!(next(&server).await, asked);
        for token in ["1", "7"] {
            let told = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":0.5}}}}"#
            );
            server.send(&message(&told)).await.expect("sent");
        }
        server.send(&message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)).await.expect("sent");
    };
    let asking = peer.request_heard("tools/call", Some(params), Some(listener));
    let (answer, ()) = tokio::join!(asking, serve);
    assert!(answer.is_ok());
    assert_eq!(progress.recv().await.expect("heard"), r#"{"progressToken":1,"progress":0.5}"#);
    assert!(progress.recv().await.is_none(), "and nothing of others");
}

#[tokio::test]
async fn the_end_fails_what_waits_and_what_is_asked_later() {
    let (peer, server) = client();
    let asking = peer.request("a", None);
    let serve = async {
        next(&server).await;
        server.close().await;
    };
    let (answer, ()) = tokio::join!(asking, serve);
    let closed = |answer: Result<Raw, CallError>| matches!(answer, Err(CallError::Transport(error)) if error.kind == TransportErrorKind::Closed);
    assert!(closed(answer));
    assert!(peer.is_closed());
    assert!(closed(peer.request("b", None).await));
}

/// Answers `wait` once it is let, and counts what it began.
struct Waits {
    let_go: Arc<tokio::sync::Semaphore>,
    begun: Arc<AtomicUsize>,
}

impl Handler for Waits {
    fn request<'a>(
        &'a self,
        request: Request,
        exchange: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        Box::pin(async move {
            self.begun.fetch_add(1, Ordering::SeqCst);
            match &*request.method {
                "wait" => {
                    tokio::select! {
                        permit = self.let_go.acquire() => permit.expect("open").forget(),
                        _ = exchange.cancel.fired() => {}
                    }
                    Ok(raw(r#"{"waited":true}"#))
                }
                _ => Ok(oncue_mcp::empty()),
            }
        })
    }

    fn notification(&self, _: Notification, _: Told) {}
}

fn server() -> (Memory, Arc<tokio::sync::Semaphore>, Arc<AtomicUsize>) {
    let (ours, theirs) = Memory::pair();
    let let_go = Arc::new(tokio::sync::Semaphore::new(0));
    let begun = Arc::new(AtomicUsize::new(0));
    let waits = Waits { let_go: Arc::clone(&let_go), begun: Arc::clone(&begun) };
    Peer::start(Arc::new(theirs), Arc::new(waits), Unreadable::Answer);
    (ours, let_go, begun)
}

// case: C40
#[tokio::test]
async fn an_id_in_use_is_refused_and_free_again_after_its_answer() {
    let (client, let_go, begun) = server();
    let wait = message(r#"{"jsonrpc":"2.0","id":7,"method":"wait"}"#);
    let fast = message(r#"{"jsonrpc":"2.0","id":7,"method":"fast"}"#);
    client.send(&wait).await.expect("sent");
    client.send(&fast).await.expect("sent");
    let refused = next(&client).await;
    assert!(refused.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"#), "{refused}");
    let_go.add_permits(1);
    assert_eq!(next(&client).await, r#"{"jsonrpc":"2.0","id":7,"result":{"waited":true}}"#);
    client.send(&fast).await.expect("sent");
    assert_eq!(next(&client).await, r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);

    client.send(&wait).await.expect("sent");
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    client.send(&message(cancelled)).await.expect("sent");
    client.send(&message(cancelled)).await.expect("sent");
    client.send(&fast).await.expect("sent");
    assert_eq!(
        next(&client).await,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        "and no answer to what was taken back"
    );
    assert_eq!(begun.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn more_requests_than_can_be_worked_on_are_refused_as_busy() {
    let (client, let_go, _) = server();
    let max = oncue_mcp::limits::REQUESTS_IN_FLIGHT_MAX;
    for id in 0..=max {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"wait"}}"#);
        client.send(&message(&text)).await.expect("sent");
    }
    let refused = next(&client).await;
    assert!(
        refused.contains(&format!(r#""id":{max},"error":{{"code":{}"#, code::BUSY)),
        "{refused}"
    );
    let_go.add_permits(max);
    for _ in 0..max {
        assert!(next(&client).await.contains(r#""result""#));
    }
}
