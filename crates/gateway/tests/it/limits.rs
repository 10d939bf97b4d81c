//! What is bounded, below its bound, at it and above it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use oncue_gateway::limits::TOOLS_MAX;
use oncue_gateway::serve::{Bounds, GrantsOf, Local, listen};
use oncue_mcp::server::{About, Caller, Change, Context, Service};
use oncue_mcp::{Era, Expect, Members, Raw, Request, RpcError};
use oncue_tools::{BoxFuture, Grants, Principal};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};

use crate::bench::{Bench, Client, Fakes, settings, until};
use crate::isolation::principal_of;
use crate::isolation::upstream::serve;

/// An upstream whose calls wait until they are let go, and that counts how many wait at once.
struct Gate {
    waiting: watch::Sender<usize>,
    open: watch::Sender<bool>,
    changes: broadcast::Sender<Change>,
}

impl Service for Gate {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).expect("JSON");
        About {
            info: of(json!({ "name": "gate", "version": "1" })),
            capabilities: of(json!({ "tools": {} })),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, _: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let tool = json!({ "name": "wait", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } });
            let params = Members::of(request.params.as_deref()).unwrap_or_default();
            let result = match params.get("name") {
                None => json!({ "tools": [tool] }),
                Some(_) => {
                    self.waiting.send_modify(|count| *count += 1);
                    let _ = self.open.subscribe().wait_for(|&is_open| is_open).await;
                    self.waiting.send_modify(|count| *count -= 1);
                    json!({ "content": [{ "type": "text", "text": "through" }] })
                }
            };
            Ok(to_raw_value(&result).expect("JSON"))
        })
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

/// Everybody may do everything.
struct Everybody;

impl GrantsOf for Everybody {
    fn grants(&self, _: &Principal, _: &Arc<oncue_gateway::config::Settings>) -> Arc<Grants> {
        Arc::new(Grants::all())
    }
}

/// Makes one call for each of these principals under these limits, and returns how many wait at the upstream at once and how many are refused.
async fn calls(principals: &[&str], limits: &str) -> (usize, usize) {
    let gate = Arc::new(Gate {
        waiting: watch::Sender::new(0),
        open: watch::Sender::new(false),
        changes: broadcast::channel(1).0,
    });
    let url = serve(Arc::<Gate>::clone(&gate)).await;
    let more = format!("[limits]\n{limits}\n[upstream.gate]\nurl = {}\n", json!(url));
    let none: BTreeMap<&str, Value> = BTreeMap::new();
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, settings(&none, &more), Everybody);
    bench.gateway.settled().await;
    let mut clients: Vec<Client> = Vec::new();
    for name in principals {
        let expect = Expect::Probably(Era::Sessions);
        clients.push(bench.client_of(principal_of(name), expect).await);
    }
    let calling = join_all(clients.iter().map(|client| client.call("gate__wait", json!({}))));
    let looking = async {
        // Whoever may wait does so soon, and the rest are answered at once or wait before.
        let mut waiting = gate.waiting.subscribe();
        let mut most = 0;
        let quiet = Duration::from_millis(400);
        while tokio::time::timeout(quiet, waiting.changed()).await.is_ok() {
            most = most.max(*waiting.borrow_and_update());
        }
        gate.open.send_replace(true);
        most
    };
    let (answers, most) = tokio::join!(calling, looking);
    let refused = answers.iter().filter(|answer| answer.contains("Busy")).count();
    let through = answers.iter().filter(|answer| *answer == "through").count();
    assert_eq!(refused + through, principals.len(), "{answers:?}");
    bench.gateway.stop().await;
    (most, refused)
}

#[tokio::test]
async fn as_many_calls_run_at_once_as_may() {
    let own = "calls_per_principal = 3";
    assert_eq!(calls(&["a"; 2], own).await, (2, 0));
    assert_eq!(calls(&["a"; 3], own).await, (3, 0));
    assert_eq!(calls(&["a"; 4], own).await, (3, 1));
    assert_eq!(calls(&["a", "a", "a", "a", "b"], own).await, (4, 1), "the other is not held up");
    let all = "calls = 3";
    assert_eq!(calls(&["a", "b"], all).await, (2, 0));
    assert_eq!(calls(&["a", "b", "c"], all).await, (3, 0));
    assert_eq!(calls(&["a", "b", "c", "d"], all).await, (3, 1));
    let upstream = "calls_per_upstream = 3";
    assert_eq!(calls(&["a"; 2], upstream).await, (2, 0));
    assert_eq!(calls(&["a"; 3], upstream).await, (3, 0));
    assert_eq!(calls(&["a"; 4], upstream).await, (3, 0), "one more waits for its turn");
}

#[tokio::test]
async fn as_many_connections_are_kept_as_may_and_none_without_a_word() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = axum::Router::new().route("/", axum::routing::get(async || "here"));
    let bounds = Bounds { connections_max: 2, head_time_max: Duration::from_secs(2) };
    tokio::spawn(listen(listener, router, bounds));
    let connect = async || TcpStream::connect(address).await.expect("it connects");
    let ask = async |stream: &mut TcpStream| {
        stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("written");
        let mut text = vec![0; 12];
        let read = stream.read_exact(&mut text);
        let read = tokio::time::timeout(Duration::from_millis(500), read).await;
        read.is_ok_and(|read| read.is_ok()) && text == b"HTTP/1.1 200"
    };
    let (mut first, mut second) = (connect().await, connect().await);
    assert!(ask(&mut first).await && ask(&mut second).await);
    let mut third = connect().await;
    assert!(!ask(&mut third).await, "there is no place");
    drop(first);
    let mut answer = vec![0; 12];
    let late = tokio::time::timeout(Duration::from_secs(5), third.read_exact(&mut answer)).await;
    late.expect("in time").expect("an answer");
    assert_eq!(answer, b"HTTP/1.1 200", "it waited for one");
    // Half a head, and then nothing.
    drop(second);
    let mut silent = connect().await;
    silent.write_all(b"GET / HT").await.expect("written");
    let mut rest = Vec::new();
    let over = tokio::time::timeout(Duration::from_secs(10), silent.read_to_end(&mut rest)).await;
    assert!(over.is_ok(), "it is closed");
}

#[tokio::test]
async fn as_many_tools_are_returned_as_may_be() {
    let tools: Vec<String> = (0..25).map(|at| format!("send_mail_{at:02}")).collect();
    let bench = Bench::new(&Fakes::from([("mail", json!({ "tools": tools }))]), "");
    bench.gateway.settled().await;
    let client = bench.client().await;
    for (wanted, expected) in [(0, 1), (1, 1), (2, 2), (19, 19), (20, 20), (21, 20)] {
        let query = format!("send mail {wanted}");
        let text =
            client.call("search_tools", json!({ "query": query, "max_results": wanted })).await;
        let found: Value = serde_json::from_str(&text).expect("JSON");
        let count = |key: &str| found[key].as_array().map_or(0, Vec::len);
        assert_eq!(count("tools") + count("more"), expected, "{wanted}: {text}");
    }
    bench.gateway.stop().await;
}

fn catalog(folder: &tempfile::TempDir, tools: usize) -> String {
    let tools: Vec<String> = (0..tools)
        .map(|at| format!(r#"{{"name":"t{at}","inputSchema":{{"type":"object"}}}}"#))
        .collect();
    let path = folder.path().join("catalog.json");
    std::fs::write(&path, format!(r#"{{"tools":[{}]}}"#, tools.join(","))).expect("written");
    path.to_str().expect("text").to_owned()
}

#[tokio::test]
async fn as_many_tools_of_an_upstream_are_taken_as_may_be() {
    for (tools, taken) in
        [(TOOLS_MAX - 1, TOOLS_MAX - 1), (TOOLS_MAX, TOOLS_MAX), (TOOLS_MAX + 1, TOOLS_MAX)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let fakes = Fakes::from([("many", json!({ "catalog": catalog(&folder, tools) }))]);
        let bench = Bench::new(&fakes, "");
        bench.gateway.settled().await;
        let status = bench.gateway.status();
        assert_eq!(status[0].tools, taken);
        let told = status[0].set_aside.concat();
        assert_eq!(told.contains("more than 10000 entries"), tools > TOOLS_MAX, "{told}");
        bench.gateway.stop().await;
    }
}

#[tokio::test]
async fn of_a_list_that_cannot_be_read_whole_what_was_known_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let hold = folder.path().join("hold");
    let script = json!({ "tools": ["a", "b", "c"], "page": 2, "fault": "circle", "phase": "list", "while": hold });
    let bench = Bench::new(&Fakes::from([("round", script)]), "");
    bench.gateway.settled().await;
    assert_eq!(bench.gateway.status()[0].tools, 3);
    bench.gateway.stop().await;
    std::fs::write(&hold, "").expect("written");
    let client = bench.client().await;
    // It is started for this, and its lists are read once more.
    assert_eq!(client.call("round__c", json!({})).await, "{}");
    until("that is told", Duration::from_secs(8), async || {
        bench.gateway.status()[0].set_aside.concat().contains("what was known is kept")
    })
    .await;
    assert_eq!(bench.gateway.status()[0].tools, 3);
    assert_eq!(client.call("round__c", json!({})).await, "{}");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_line_of_an_upstream_is_as_long_as_it_may_be() {
    let more = "[limits]\nupstream_message_bytes = 2000\n";
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let fakes = Fakes::from([("box", json!({ "tools": ["echo"] }))]);
    let bench = Bench::within(folder, settings(&fakes, more), Local::default());
    bench.gateway.settled().await;
    let client = bench.client().await;
    let said =
        async |bytes: usize| client.call("box__echo", json!({ "a": "x".repeat(bytes) })).await;
    // What else stands in the line is found out by looking for the longest that fits.
    let mut most = 2_000;
    while said(most).await.contains("longer than") {
        most -= 1;
        assert!(most > 1_700, "nothing fits");
    }
    assert!(said(most).await.starts_with('{') && said(most - 1).await.starts_with('{'));
    let around =
        r#"{"jsonrpc":"2.0","id":99,"result":{"content":[{"text":"{\"a\":\"\"}","type":"text"}]}}"#;
    assert!((most + around.len()).abs_diff(2_000) <= 4, "{most}");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn of_a_long_result_a_model_reads_the_beginning_and_asks_for_the_rest() {
    let fakes = Fakes::from([("box", json!({ "tools": ["echo"] }))]);
    let bench = Bench::within(
        Arc::new(tempfile::tempdir().expect("a folder")),
        settings(&fakes, "[limits]\nresult_bytes = 1000\n"),
        Everybody,
    );
    bench.gateway.settled().await;
    let sessions = Expect::Probably(Era::Sessions);
    let client = bench.client_of(principal_of("ada"), sessions).await;
    let whole = json!({ "a": "x".repeat(1_500) }).to_string();
    assert_eq!(whole.len(), 1_508);
    let shown = client.call_raw("box__echo", &whole).await;
    assert_eq!(shown, whole[..1_000]);
    // The notice is behind the first block.
    let mut params = Members::new();
    params.set("name", &"box__echo").expect("JSON");
    params.set("arguments", &json!({ "a": "x".repeat(1_500) })).expect("JSON");
    let result = client.0.request("tools/call", params).await.expect("a result");
    let result: Value = serde_json::from_str(result.get()).expect("JSON");
    let uri = result["content"][2]["uri"].as_str().expect("a link").to_owned();
    let rest = client.call("call_tool", json!({ "name": format!("{uri}/2") })).await;
    assert_eq!(rest, whole[1_000..]);
    let read = async |client: &Client| {
        let mut params = Members::new();
        params.set("uri", &uri).expect("JSON");
        client.0.request("resources/read", params).await
    };
    let read_whole = read(&client).await.expect("a resource");
    let read_whole: Value = serde_json::from_str(read_whole.get()).expect("JSON");
    assert_eq!(read_whole["contents"][0]["text"], whole.as_str());
    let other = bench.client_of(principal_of("eve"), sessions).await;
    assert!(read(&other).await.is_err());
    assert!(other.call("call_tool", json!({ "name": uri })).await.contains("not kept"));
    bench.gateway.stop().await;
}
