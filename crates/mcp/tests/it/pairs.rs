//! Every pair of our side and theirs, in both eras, over streams and over HTTP.

use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::http::{Remote, Streamable};
use oncue_mcp::{
    AboutClient, CallError, Connection, Era, Expect, Lines, List, Listener, META_CAPABILITIES,
    Members, Memory, Noise, Patience, Peer, Silent, Transport, Unreadable, Version, open,
};
use oncue_tools::Principal;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{
    StreamableHttpClientTransport, StreamableHttpServerConfig, StreamableHttpService,
};
use rmcp::{RoleClient, ServiceExt};

use crate::ours::{Shop, http, raw, serve_http};
use crate::theirs::{TheirClient, TheirServer};

const MESSAGE_BYTES: usize = 1 << 20;

fn lines(stream: tokio::io::DuplexStream, noise: Noise) -> Arc<dyn Transport> {
    let (from, to) = tokio::io::split(stream);
    Arc::new(Lines::new(from, to, MESSAGE_BYTES, noise))
}

fn modes() -> [(ClientLifecycleMode, &'static str); 2] {
    let newest =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
    [(ClientLifecycleMode::Initialize, "2025-11-25"), (newest, "2026-07-28")]
}

async fn they_are_served(client: RunningService<RoleClient, TheirClient>, version: &str) {
    let info = client.peer_info().expect("it has begun");
    assert_eq!(info.server_info.as_ref().map(|it| it.name.as_str()), Some("shop"));
    assert_eq!(info.instructions.as_deref(), Some("Ask for oil."));
    let tools = client.list_all_tools().await.expect("a list");
    assert_eq!(tools[0].name, "oil");
    let text = async |name: &'static str, arguments: serde_json::Value| {
        let mut params = CallToolRequestParams::new(name);
        params.arguments = arguments.as_object().cloned();
        let result = client.call_tool(params).await.expect("a result");
        result.content[0].as_text().expect("a text").text.clone()
    };
    assert_eq!(text("echo", serde_json::json!({"b": 1, "a": "é"})).await, r#"{"b":1,"a":"é"}"#);
    assert_eq!(text("client", serde_json::json!({})).await, format!("Some(\"theirs\") {version}"));
    assert_eq!(text("progress", serde_json::json!({})).await, "done");
    assert_eq!(*client.service().progress.lock().expect("no panic"), [1.0, 2.0, 3.0]);
    let asked = text("ask", serde_json::json!({})).await;
    match version {
        "2025-11-25" => assert!(asked.contains(r#""size":7"#), "{asked}"),
        _ => assert!(asked.contains("cannot be asked"), "{asked}"),
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn their_client_is_served_over_streams() {
    for (mode, version) in modes() {
        let (here, there) = tokio::io::duplex(1 << 16);
        tokio::spawn(oncue_mcp::server::serve(
            lines(here, Noise::Report),
            Shop::new(),
            Principal::Local,
        ));
        let client =
            TheirClient::default().serve_with_lifecycle(there, mode).await.expect("it begins");
        they_are_served(client, version).await;
    }
}

#[tokio::test]
async fn their_client_is_served_over_http() {
    let (url, endpoint) = serve_http(Shop::new()).await;
    for (mode, version) in modes() {
        let transport = StreamableHttpClientTransport::with_client(
            http(),
            rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig::with_uri(
                url.clone(),
            ),
        );
        let client =
            TheirClient::default().serve_with_lifecycle(transport, mode).await.expect("it begins");
        they_are_served(client, version).await;
    }
    let gone = async {
        while endpoint.sessions() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), gone)
        .await
        .expect("a client that ends its session leaves none");
}

async fn connect(transport: Arc<dyn Transport>, expect: Expect) -> Connection {
    let peer = Peer::start(transport, Arc::new(Silent), Unreadable::Count);
    let about = AboutClient::able("ours", "1");
    open(peer, about, expect, Duration::from_secs(10)).await.expect("it opens")
}

const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(5), total: Duration::from_secs(5) };

async fn call(connection: &Connection, name: &str, arguments: &str) -> Result<String, CallError> {
    let mut params = Members::new();
    params.set("name", &name).expect("JSON");
    params.put("arguments", raw(arguments));
    let result = connection.call("tools/call", params, PATIENCE, None).await?;
    let result: serde_json::Value = serde_json::from_str(result.get()).expect("JSON");
    Ok(result["content"][0]["text"].as_str().expect("a text").to_owned())
}

async fn they_serve(connection: &Connection, version: Version) {
    assert_eq!(connection.version(), version);
    let server = connection.server();
    assert_eq!(
        (server.name.as_deref(), server.version.as_deref()),
        (Some("their-server"), Some("2"))
    );
    assert_eq!(server.instructions.as_deref(), Some("Use it well."));
    assert!(server.can("tools") && !server.can("prompts"));
    let listed = connection.list(List::Tools, 100).await.expect("a list");
    let names: Vec<String> = listed
        .entries
        .iter()
        .map(|entry| Members::of(Some(entry)).expect("an object").read("name").expect("a name"))
        .collect();
    assert_eq!(names, ["first", "second", "third"]);
    assert_eq!(listed.incomplete, None);
    assert_eq!(
        call(connection, "echo", r#"{"b":1,"a":"é"}"#).await.expect("a text"),
        r#"{"b":1,"a":"é"}"#
    );
    let Err(CallError::Rpc(error)) = call(connection, "no", "{}").await else { panic!("an error") };
    assert_eq!(error.code, oncue_mcp::code::INVALID_PARAMS);
    let short = Patience { quiet: Duration::from_millis(50), ..PATIENCE };
    let mut params = Members::new();
    params.set("name", &"wait").expect("JSON");
    let late = connection.call("tools/call", params, short, None).await;
    assert!(matches!(late, Err(CallError::TimedOut { .. })), "{late:?}");
    assert_eq!(call(connection, "echo", "{}").await.expect("it goes on"), "{}");
}

#[tokio::test]
async fn their_server_is_reached_over_streams() {
    for (expect, version) in [
        (Expect::Either, Version::V2026_07_28),
        (Expect::Probably(Era::Sessions), Version::V2025_11_25),
        (Expect::Probably(Era::Stateless), Version::V2026_07_28),
    ] {
        let (here, there) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let server = TheirServer.serve(there).await.expect("it begins");
            server.waiting().await
        });
        let connection = connect(lines(here, Noise::Skip), expect).await;
        they_serve(&connection, version).await;
        connection.peer().close().await;
    }
}

#[tokio::test]
async fn their_server_is_reached_over_http() {
    let service = StreamableHttpService::new(
        || Ok(TheirServer),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let router = axum::Router::new().route_service("/mcp", service);
    tokio::spawn(async move { axum::serve(listener, router).await });
    for (expect, version) in [
        (Expect::Either, Version::V2026_07_28),
        (Expect::Probably(Era::Sessions), Version::V2025_11_25),
    ] {
        let transport = Arc::new(Streamable::new(http(), remote(&url)));
        let connection = connect(transport, expect).await;
        they_serve(&connection, version).await;
        connection.peer().close().await;
    }
}

fn remote(url: &str) -> Remote {
    let headers = reqwest::header::HeaderMap::new();
    Remote { url: url.parse().expect("a URL"), headers, bytes_max: MESSAGE_BYTES }
}

#[tokio::test]
async fn our_client_reaches_our_server_and_hears_of_progress() {
    let (url, _endpoint) = serve_http(Shop::new()).await;
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(oncue_mcp::server::serve(
        lines(here, Noise::Report),
        Shop::new(),
        Principal::Local,
    ));
    let over_streams = connect(lines(there, Noise::Skip), Expect::Either).await;
    let web = |expect| connect(Arc::new(Streamable::new(http(), remote(&url))), expect);
    for connection in
        [over_streams, web(Expect::Either).await, web(Expect::Probably(Era::Sessions)).await]
    {
        let (heard, mut progress) = tokio::sync::mpsc::unbounded_channel();
        let listener = Listener::new(move |told| {
            let params = Members::of(told.params.as_deref()).expect("an object");
            let _ = heard.send(params.read::<u32>("progress"));
        });
        let mut params = Members::new();
        params.set("name", &"progress").expect("JSON");
        let result = connection.call("tools/call", params, PATIENCE, Some(listener)).await;
        assert!(result.expect("a result").get().contains("done"));
        for step in 1..=3 {
            assert_eq!(progress.recv().await, Some(Some(step)), "{}", connection.version());
        }
        let listed = connection.list(List::Tools, 10).await.expect("a list");
        assert!(
            listed.entries[0].get().contains(r#""execution":{"taskSupport":"forbidden"}"#),
            "nothing is lost"
        );
        let numbers = r#"{"big":123456789012345678901234567890,"f":1.50}"#;
        assert_eq!(call(&connection, "echo", numbers).await.expect("a text"), numbers);
    }
}

#[tokio::test]
async fn messages_that_come_along_with_a_request_are_heard_by_whoever_waits_for_it() {
    let (url, _endpoint) = serve_http(Shop::new()).await;
    for expect in [Expect::Either, Expect::Probably(Era::Sessions)] {
        let connection = connect(Arc::new(Streamable::new(http(), remote(&url))), expect).await;
        let (heard, mut messages) = tokio::sync::mpsc::unbounded_channel();
        let listener = Listener::without_progress(move |told| {
            let _ = heard.send(told.method);
        });
        let mut params = Members::new();
        params.set("name", &"log").expect("JSON");
        connection
            .call("tools/call", params, PATIENCE, Some(listener.clone()))
            .await
            .expect("a result");
        assert_eq!(messages.recv().await.as_deref(), Some("notifications/message"));
        assert!(listener.id().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn while_somebody_thinks_over_a_question_a_request_does_not_run_out_of_time() {
    let (here, there) = Memory::pair();
    tokio::spawn(oncue_mcp::server::serve(Arc::new(there), Shop::new(), Principal::Local));
    let connection = connect(Arc::new(here), Expect::Probably(Era::Sessions)).await;
    let second = Duration::from_secs(1);
    let listener = Listener::new(|_| {});
    let thinking = listener.thinking();
    let mut params = Members::new();
    params.set("name", &"wait").expect("JSON");
    let patience = Patience { quiet: second, total: 2 * second };
    let mut calling =
        std::pin::pin!(connection.call("tools/call", params, patience, Some(listener.clone())));
    assert!(tokio::time::timeout(600 * second, &mut calling).await.is_err(), "it waits");
    drop(thinking);
    let begun = tokio::time::Instant::now();
    assert!(matches!(calling.await, Err(CallError::TimedOut { .. })));
    assert_eq!(begun.elapsed(), second);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_nobody_polls_while_somebody_thinks_goes_on_where_it_was() {
    let second = Duration::from_secs(1);
    // The selection of what is ready must not be left to chance.
    for _ in 0..20 {
        let (here, there) = Memory::pair();
        tokio::spawn(oncue_mcp::server::serve(Arc::new(there), Shop::new(), Principal::Local));
        let connection = connect(Arc::new(here), Expect::Probably(Era::Sessions)).await;
        let listener = Listener::new(|_| {});
        let mut params = Members::new();
        params.set("name", &"wait").expect("JSON");
        let patience = Patience { quiet: 2 * second, total: 3 * second };
        let mut calling =
            std::pin::pin!(connection.call("tools/call", params, patience, Some(listener.clone())));
        assert!(tokio::time::timeout(second, &mut calling).await.is_err());
        let thinking = listener.thinking();
        tokio::time::sleep(600 * second).await;
        drop(thinking);
        // One second of three was used up before, and the answer was a sign of life.
        assert!(tokio::time::timeout(second * 19 / 10, &mut calling).await.is_err());
        assert!(matches!(calling.await, Err(CallError::TimedOut { .. })));
    }
}

#[tokio::test]
async fn whoever_asks_for_somebody_else_says_what_they_can_do_and_only_in_the_newer_era() {
    let (url, _endpoint) = serve_http(Shop::new()).await;
    for (expect, expected) in
        [(Expect::Either, r#"{\"roots\":{}}"#), (Expect::Probably(Era::Sessions), "elicitation")]
    {
        let connection = connect(Arc::new(Streamable::new(http(), remote(&url))), expect).await;
        let mut params = Members::new();
        params.set("name", &"able").expect("JSON");
        let meta = serde_json::json!({ META_CAPABILITIES: { "roots": {} } });
        params.set("_meta", &meta).expect("JSON");
        let able = connection.request("tools/call", params).await.expect("a result");
        assert!(able.get().replace('\\', "").contains(&expected.replace('\\', "")), "{able}");
    }
}
