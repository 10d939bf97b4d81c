//! How a connection begins with servers that answer oddly.

use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::{
    AboutClient, Connection, Expect, Memory, Message, OpenError, Peer, Received, Silent, Transport,
    Unreadable, Version, open,
};

/// Opens a connection to a server that answers like this, one request after the other, and returns what it was asked.
async fn opened(answers: &[&str]) -> (Result<Connection, OpenError>, Vec<String>) {
    let (here, there) = Memory::pair();
    let peer = Peer::start(Arc::new(here), Arc::new(Silent), Unreadable::Count);
    let mut methods = Vec::new();
    let serve = async {
        for answer in answers {
            let request = loop {
                match there.receive().await.expect("a message") {
                    Received::Message { message: Message::Request(request), .. } => break request,
                    _ => continue,
                }
            };
            methods.push(request.method.to_string());
            let text = format!(r#"{{"jsonrpc":"2.0","id":{},{answer}}}"#, request.id);
            there.send(&Message::read(text.as_bytes()).expect("a message")).await.expect("sent");
        }
    };
    let about = AboutClient::able("c", "1");
    let opening = open(peer, about, Expect::Either, Duration::from_secs(5));
    let (connection, ()) = tokio::join!(opening, serve);
    (connection, methods)
}

const DISCOVERED: &str =
    r#""result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}"#;
const INITIALIZED: &str = r#""result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;

#[tokio::test]
async fn a_server_that_refuses_a_version_and_names_it_is_asked_once_more() {
    let refusal = r#""error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}"#;
    let (connection, methods) = opened(&[refusal, DISCOVERED]).await;
    assert_eq!(connection.expect("it opens").version(), Version::V2026_07_28);
    assert_eq!(methods, ["server/discover", "server/discover"]);
    let (connection, methods) = opened(&[refusal, refusal]).await;
    assert!(connection.is_err(), "and not for ever");
    assert_eq!(methods.len(), 2);
}

#[tokio::test]
async fn a_server_that_answers_nothing_to_what_it_does_not_know_is_of_the_older_era() {
    let (connection, methods) = opened(&[r#""result":{}"#, INITIALIZED]).await;
    assert_eq!(connection.expect("it opens").version(), Version::V2025_11_25);
    assert_eq!(methods, ["server/discover", "initialize"]);
    let odd = r#""result":{"supportedVersions":["2030-01-01"]}"#;
    let (connection, methods) = opened(&[odd]).await;
    assert!(
        matches!(connection, Err(OpenError::NoCommonVersion { theirs }) if theirs == "2030-01-01")
    );
    assert_eq!(methods, ["server/discover"]);
}
