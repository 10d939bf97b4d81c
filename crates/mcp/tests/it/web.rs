//! HTTP as any program may speak it: what is answered, and with which status.

use oncue_mcp::server::Change;
use reqwest::Response;
use serde_json::{Value, json};

use crate::ours::{Shop, http, serve_http};

const BOTH: &str = "application/json, text/event-stream";

async fn post(url: &str, headers: &[(&str, &str)], body: &Value) -> Response {
    post_text(url, headers, body.to_string()).await
}

async fn post_text(url: &str, headers: &[(&str, &str)], body: String) -> Response {
    let mut post = http().post(url).body(body);
    let given = |name: &str| headers.iter().any(|(known, _)| *known == name);
    if !given("content-type") {
        post = post.header("content-type", "application/json");
    }
    if !given("accept") {
        post = post.header("accept", BOTH);
    }
    for (name, value) in headers {
        post = post.header(*name, *value);
    }
    post.send().await.expect("an answer")
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}})
}

fn newest(method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

const NEWEST: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

async fn json(response: Response) -> Value {
    serde_json::from_str(&response.text().await.expect("a body")).expect("JSON")
}

#[tokio::test]
async fn a_session_is_named_by_its_answer_and_needed_from_then_on() {
    let (url, endpoint) = serve_http(Shop::new()).await;
    let begun = post(&url, &[], &initialize()).await;
    let session = begun.headers()["mcp-session-id"].to_str().expect("text").to_owned();
    assert!(session.len() >= 32, "nobody guesses it");
    assert_eq!(json(begun).await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(endpoint.sessions(), 1);

    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let with = [("mcp-session-id", session.as_str())];
    assert_eq!(json(post(&url, &with, &list).await).await["result"]["tools"][0]["name"], "oil");
    assert_eq!(post(&url, &[], &list).await.status(), 400, "without its session");
    assert_eq!(post(&url, &[("mcp-session-id", "no")], &list).await.status(), 404);
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(&url, &with, &told).await.status(), 202);
    let odd = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "1999-01-01")];
    assert_eq!(post(&url, &odd, &list).await.status(), 400);

    let end = || http().delete(&url).header("mcp-session-id", &session).send();
    assert_eq!(end().await.expect("an answer").status(), 204);
    assert_eq!(end().await.expect("an answer").status(), 404);
    assert_eq!(post(&url, &with, &list).await.status(), 404);
}

#[tokio::test]
async fn what_is_no_request_gets_a_status_that_says_so() {
    let (url, endpoint) = serve_http(Shop::new()).await;
    let text =
        |headers: &'static [(&str, &str)], body: &str| post_text(&url, headers, body.to_owned());
    let body = initialize().to_string();
    assert_eq!(text(&[("content-type", "text/plain")], &body).await.status(), 415);
    assert_eq!(text(&[("accept", "text/html")], &body).await.status(), 406);
    assert_eq!(text(&[("origin", "https://evil.example")], &body).await.status(), 403);
    assert_eq!(text(&[("origin", "null")], &body).await.status(), 403);
    assert_eq!(text(&[("host", "evil.example")], &body).await.status(), 403);
    let broken = text(&[], "{").await;
    assert_eq!(
        (broken.status().as_u16(), json(broken).await["error"]["code"].clone()),
        (400, json!(-32700))
    );
    let batch = text(&[], "[]").await;
    assert_eq!(
        (batch.status().as_u16(), json(batch).await["error"]["code"].clone()),
        (400, json!(-32600))
    );
    let max = oncue_mcp::limits::CLIENT_MESSAGE_BYTES_MAX;
    let padded = |length: usize| format!("{}{}", body, " ".repeat(length - body.len()));
    assert_eq!(text(&[], &padded(max)).await.status(), 200);
    assert_eq!(text(&[], &padded(max + 1)).await.status(), 413);
    for method in [
        reqwest::Method::GET,
        reqwest::Method::DELETE,
        reqwest::Method::PUT,
        reqwest::Method::OPTIONS,
    ] {
        let response = http().request(method.clone(), &url).send().await.expect("an answer");
        assert_eq!(response.status(), 405, "{method}");
    }
    assert_eq!(endpoint.sessions(), 1, "of all these one began a session");
}

#[tokio::test]
async fn the_newest_version_holds_headers_against_the_body() {
    let (url, endpoint) = serve_http(Shop::new()).await;
    let list = newest("tools/list", json!({}));
    let whole = json(post(&url, &[NEWEST, ("mcp-method", "tools/list")], &list).await).await;
    assert_eq!(whole["result"]["resultType"], "complete");
    assert_eq!(whole["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "shop");
    let status = async |headers: &[(&str, &str)], body: &Value| {
        let response = post(&url, headers, body).await;
        (response.status().as_u16(), json(response).await["error"]["code"].clone())
    };
    let mismatch = (400, json!(-32020));
    assert_eq!(status(&[("mcp-method", "tools/list")], &list).await, mismatch, "no version");
    assert_eq!(status(&[NEWEST], &list).await, mismatch, "no method");
    assert_eq!(status(&[NEWEST, ("mcp-method", "tools/call")], &list).await, mismatch);
    let twice = [NEWEST, ("mcp-method", "tools/list"), ("mcp-method", "tools/list")];
    assert_eq!(status(&twice, &list).await, mismatch);
    let call = newest("tools/call", json!({"name": "é"}));
    let method = ("mcp-method", "tools/call");
    assert_eq!(status(&[NEWEST, method], &call).await, mismatch, "no name");
    assert_eq!(status(&[NEWEST, method, ("mcp-name", "e")], &call).await, mismatch);
    let encoded = [NEWEST, method, ("mcp-name", "=?base64?w6k=?=")];
    assert_eq!(
        status(&encoded, &call).await,
        (200, json!(-32602)),
        "the tool is unknown, the header right"
    );
    let odd = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {}}});
    assert_eq!(status(&[NEWEST, ("mcp-method", "tools/list")], &odd).await, (400, json!(-32602)));
    let mut future = list.clone();
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2030-01-01");
    let response = post(
        &url,
        &[("mcp-protocol-version", "2030-01-01"), ("mcp-method", "tools/list")],
        &future,
    )
    .await;
    assert_eq!(response.status(), 400);
    let error = json(response).await["error"].clone();
    assert_eq!(
        (&error["code"], &error["data"]["requested"]),
        (&json!(-32022), &json!("2030-01-01"))
    );
    let differing = [NEWEST, ("mcp-method", "tools/list")];
    assert_eq!(status(&differing, &future).await, mismatch, "which one is meant is not certain");
    let unknown = newest("no/such", json!({}));
    assert_eq!(status(&[NEWEST, ("mcp-method", "no/such")], &unknown).await, (404, json!(-32601)));
    let ping = newest("ping", json!({}));
    assert_eq!(status(&[NEWEST, ("mcp-method", "ping")], &ping).await, (404, json!(-32601)));
    let begin = newest("initialize", json!({"protocolVersion": "2026-07-28"}));
    let begin = status(&[NEWEST, ("mcp-method", "initialize")], &begin).await;
    assert_eq!(begin, (404, json!(-32601)), "there are no sessions to begin");
    assert_eq!(endpoint.sessions(), 0);
}

#[tokio::test]
async fn whoever_listens_hears_of_what_it_wants_to() {
    let shop = Shop::new();
    let (url, _) = serve_http(std::sync::Arc::<Shop>::clone(&shop)).await;
    let body = newest("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut response = post(&url, &[NEWEST, ("mcp-method", "subscriptions/listen")], &body).await;
    let mut sse = oncue_sse::Sse::new(1 << 16);
    let mut next = async || loop {
        let piece = response.chunk().await.expect("a stream").expect("a piece");
        if let Some(event) = sse.feed(&piece).expect("short").pop() {
            return serde_json::from_str::<Value>(&event.data).expect("JSON");
        }
    };
    let acknowledged = next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({"toolsListChanged": true}));
    shop.changes.send(Change::Prompts).expect("somebody listens");
    shop.changes.send(Change::Tools).expect("somebody listens");
    let changed = next().await;
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    drop(response);
}
