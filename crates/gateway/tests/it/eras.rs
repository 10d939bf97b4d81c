//! Clients and upstreams of different eras: what one side asks and tells reaches the other as that is used to it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_gateway::config::Settings;
use oncue_gateway::serve::GrantsOf;
use oncue_mcp::{
    AboutClient, CallError, Era, Exchange, Expect, Handler, META_LEVEL, Members, Notification, Raw,
    Request, RpcError, Told,
};
use oncue_tools::{BoxFuture, Grants, Principal, PrincipalName};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::bench::{Bench, Client, Fakes, QUICK, settings, until};
use crate::newer::{STATE, TASK, upstreams};

/// Everybody may do everything.
struct Everybody;

impl GrantsOf for Everybody {
    fn grants(&self, principal: &Principal, _: &Arc<Settings>) -> Arc<Grants> {
        Arc::new(match principal {
            Principal::Local => Grants::all(),
            Principal::External { name, scope } => Grants::external(name.clone(), *scope),
        })
    }
}

/// A client that accepts whatever it is asked, and notes what it is told.
#[derive(Default)]
struct Accepting(Mutex<Vec<String>>);

impl Handler for Accepting {
    fn request<'a>(
        &'a self,
        request: Request,
        _: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        self.0.lock().expect("no panic").push(request.method.to_string());
        let answer = to_raw_value(&json!({ "action": "accept", "content": { "name": "Ada" } }));
        Box::pin(std::future::ready(Ok(answer.expect("JSON"))))
    }

    fn notification(&self, told: Notification, _: Told) {
        let params = told.params.map_or_else(String::new, |raw| raw.get().to_owned());
        self.0.lock().expect("no panic").push(format!("{} {params}", told.method));
    }
}

fn bench(fakes: &Fakes, more: &str) -> Bench {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let more = format!("mode = \"passthrough\"\n{QUICK}{more}");
    Bench::within(folder, settings(fakes, &more), Everybody)
}

fn guest(name: &str) -> Principal {
    Principal::External {
        name: PrincipalName::parse(name).expect("a name"),
        scope: oncue_decl::Scope::Write,
    }
}

/// Calls a tool and returns all of the result, or the code of the error.
async fn call(client: &Client, name: &str, more: &Value) -> Result<Value, i64> {
    let mut params = Members::new();
    params.set("name", &name).expect("JSON");
    params.set("arguments", &json!({})).expect("JSON");
    for (member, value) in more.as_object().expect("an object") {
        params.set(member, value).expect("JSON");
    }
    match client.0.request("tools/call", params).await {
        Ok(result) => Ok(serde_json::from_str(result.get()).expect("JSON")),
        Err(CallError::Rpc(error)) => Err(error.code),
        Err(error) => panic!("{error}"),
    }
}

fn text(result: &Result<Value, i64>) -> &str {
    result.as_ref().expect("a result")["content"][0]["text"].as_str().expect("a text")
}

#[tokio::test]
async fn what_an_older_upstream_asks_a_newer_client_answers_with_its_next_request() {
    let bench = bench(&Fakes::from([("old", json!({ "tools": ["ask"] }))]), "");
    bench.gateway.settled().await;
    let newer = Expect::Probably(Era::Stateless);
    let client = bench.client_of(guest("ada"), newer).await;
    let first = call(&client, "old__ask", &json!({})).await.expect("a result");
    assert_eq!(first["resultType"], "input_required");
    let (key, question) =
        first["inputRequests"].as_object().expect("requests").iter().next().expect("one");
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], "Who?");
    assert_eq!(bench.gateway.parked(), 1);

    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    let with =
        |answers: Value, state: &Value| json!({ "inputResponses": answers, "requestState": state });
    let state = first["requestState"].clone();
    let right = with(json!({ key: answer }), &state);
    let changed = json!(format!("{}x", state.as_str().expect("a text")));
    assert_eq!(call(&client, "old__ask", &with(json!({}), &changed)).await, Err(-32602));
    let other = bench.client_of(guest("eve"), newer).await;
    assert_eq!(call(&other, "old__ask", &right).await, Err(-32602), "of somebody else");
    assert_eq!(bench.gateway.parked(), 1, "it still waits");

    let wrong = with(json!({ "another": answer, key: 7 }), &state);
    let again = call(&client, "old__ask", &wrong).await.expect("a result");
    assert_eq!(again["inputRequests"], first["inputRequests"], "it is asked again");
    assert_eq!(call(&client, "old__ask", &right).await, Err(-32602), "that state is used up");
    let right = with(json!({ key: answer }), &again["requestState"]);
    let last = call(&client, "old__ask", &right).await;
    assert_eq!(serde_json::from_str::<Value>(text(&last)).expect("JSON"), answer);
    assert_eq!(last.expect("a result")["resultType"], "complete");
    assert_eq!(bench.gateway.parked(), 0);

    let about = AboutClient {
        capabilities: to_raw_value(&json!({})).expect("JSON"),
        ..AboutClient::able("c", "1")
    };
    let unable =
        bench.client_with(guest("ada"), newer, Arc::new(Accepting::default()), about).await;
    let refused = call(&unable, "old__ask", &json!({})).await;
    assert!(text(&refused).contains("has no `elicitation`"), "the upstream is told");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn while_a_person_thinks_a_call_does_not_run_out_of_time() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let more = "mode = \"passthrough\"\n[timeouts]\ncall = \"3s\"\n";
    let fakes = Fakes::from([("old", json!({ "tools": ["ask"] }))]);
    let bench = Bench::within(folder, settings(&fakes, more), Everybody);
    bench.gateway.settled().await;
    let client = bench.client_of(guest("ada"), Expect::Probably(Era::Stateless)).await;
    let first = call(&client, "old__ask", &json!({})).await.expect("a result");
    // Longer than a call of these settings may take.
    let slow = Duration::from_millis(3_500);
    let begun = std::time::Instant::now();
    until("time passes", 2 * slow, async || begun.elapsed() > slow).await;
    let answers = json!({ "question-1": { "action": "decline" } });
    let more = json!({ "inputResponses": answers, "requestState": first["requestState"] });
    assert_eq!(text(&call(&client, "old__ask", &more).await), r#"{"action":"decline"}"#);
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_call_that_a_person_never_comes_back_to_takes_nobodys_turn() {
    let fakes = Fakes::from([("old", json!({ "tools": ["ask", "echo"] }))]);
    let bench = bench(&fakes, "[limits]\ncalls_per_upstream = 1\n");
    bench.gateway.settled().await;
    let newer = Expect::Probably(Era::Stateless);
    let (ada, eve) =
        (bench.client_of(guest("ada"), newer).await, bench.client_of(guest("eve"), newer).await);
    let asked = call(&ada, "old__ask", &json!({})).await.expect("a result");
    assert_eq!(asked["resultType"], "input_required");
    for _ in 0..2 {
        assert_eq!(text(&call(&eve, "old__echo", &json!({})).await), "{}");
    }
    assert_eq!(bench.gateway.parked(), 1);
    bench.gateway.stop().await;
}

#[tokio::test]
async fn what_a_newer_upstream_wants_back_is_worth_nothing_to_others_and_elsewhere() {
    let bench = bench(&Fakes::new(), &upstreams(&["left", "right"]).await);
    bench.gateway.settled().await;
    let newer = Expect::Probably(Era::Stateless);
    let client = bench.client_of(guest("ada"), newer).await;
    let first = call(&client, "left__ask", &json!({})).await.expect("a result");
    assert_eq!(first["inputRequests"]["who"]["params"]["message"], "Who?");
    let state = first["requestState"].as_str().expect("a state");
    assert!(!state.contains(STATE));
    let more = |state: &str| json!({ "inputResponses": { "who": { "action": "accept" } }, "requestState": state });
    assert_eq!(call(&client, "left__ask", &more(STATE)).await, Err(-32602), "without a seal");
    assert_eq!(call(&client, "right__ask", &more(state)).await, Err(-32602), "elsewhere");
    assert_eq!(call(&client, "left__log", &more(state)).await, Err(-32602), "another tool");
    let other = bench.client_of(guest("eve"), newer).await;
    assert_eq!(call(&other, "left__ask", &more(state)).await, Err(-32602), "somebody else");
    let last = call(&client, "left__ask", &more(state)).await;
    assert_eq!(text(&last), r#"{"who":{"action":"accept"}}"#);
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_task_is_asked_for_where_it_runs_and_by_whom_it_is_of_alone() {
    let bench = bench(&Fakes::new(), &upstreams(&["left", "right"]).await);
    bench.gateway.settled().await;
    let newer = Expect::Probably(Era::Stateless);
    let client = bench.client_of(guest("ada"), newer).await;
    let task = call(&client, "right__later", &json!({})).await.expect("a result");
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));
    let id = task["taskId"].as_str().expect("an id");
    assert_ne!(id, TASK);
    let ask = async |client: &Client, method: &str, id: &str| {
        let mut params = Members::new();
        params.set("taskId", &id).expect("JSON");
        params.set("inputResponses", &json!({ "a": 1 })).expect("JSON");
        match client.0.request(method, params).await {
            Ok(result) => Ok(serde_json::from_str::<Value>(result.get()).expect("JSON")),
            Err(CallError::Rpc(error)) => Err(error.code),
            Err(error) => panic!("{error}"),
        }
    };
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let told = ask(&client, method, id).await.expect("a task");
        assert_eq!((&told["taskId"], &told["status"]), (&json!(id), &json!("completed")));
        let text = format!("{method} {{\"a\":1}}");
        assert_eq!(told["result"]["content"][0]["text"], text.as_str());
        assert_eq!(ask(&client, method, TASK).await, Err(-32602), "by their id");
        let other = bench.client_of(guest("eve"), newer).await;
        assert_eq!(ask(&other, method, id).await, Err(-32602), "of somebody else");
    }
    bench.gateway.stop().await;
}

#[tokio::test]
async fn an_older_client_is_asked_told_and_kept_informed_by_a_newer_upstream() {
    let bench = bench(&Fakes::new(), &upstreams(&["new"]).await);
    bench.gateway.settled().await;
    let heard = Arc::new(Accepting::default());
    let handler: Arc<dyn Handler> = Arc::<Accepting>::clone(&heard);
    let about = AboutClient::able("tests", "1");
    let older = Expect::Probably(Era::Sessions);
    let client = bench.client_with(Principal::Local, older, handler, about).await;
    let has = |text: &str| heard.0.lock().expect("no panic").iter().any(|it| it.contains(text));
    let asked = call(&client, "new__ask", &json!({})).await;
    let answer: Value = serde_json::from_str(text(&asked)).expect("JSON");
    assert_eq!(answer["who"]["content"]["name"], "Ada");
    assert!(has("elicitation/create"));

    assert_eq!(text(&call(&client, "new__log", &json!({})).await), "None");
    let ask = async |method: &str, params: Value| {
        let params: Members = serde_json::from_value(params).expect("an object");
        client.0.request(method, params).await
    };
    ask("logging/setLevel", json!({ "level": "warning" })).await.expect("an answer");
    assert!(ask("logging/setLevel", json!({ "level": "loud" })).await.is_err());
    assert_eq!(text(&call(&client, "new__log", &json!({})).await), "Some(\"warning\")");
    let second = Duration::from_secs(1);
    until("it is told", second, async || has(r#"message {"level":"error""#)).await;
    assert!(!has("debug"), "it does not want to read that");

    ask("resources/subscribe", json!({ "uri": "test://a" })).await.expect("an answer");
    // The upstream is listened to in a request of its own, which may not have arrived.
    until("it is told", 5 * second, async || {
        call(&client, "new__touch", &json!({})).await.expect("a result");
        has(r#"resources/updated {"uri":"test://a"}"#)
    })
    .await;
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_newer_upstream_learns_what_the_client_can_do_and_wants_to_read() {
    let bench = bench(&Fakes::new(), &upstreams(&["new"]).await);
    bench.gateway.settled().await;
    let newer = Expect::Probably(Era::Stateless);
    let capabilities = to_raw_value(&json!({ "sampling": {} })).expect("JSON");
    let about = AboutClient { capabilities, ..AboutClient::able("c", "1") };
    let heard = Arc::new(Accepting::default());
    let handler: Arc<dyn Handler> = Arc::<Accepting>::clone(&heard);
    let client = bench.client_with(Principal::Local, newer, handler, about).await;
    assert_eq!(text(&call(&client, "new__able", &json!({})).await), r#"{"sampling":{}}"#);
    assert_eq!(text(&call(&client, "new__log", &json!({})).await), "None");
    let level = json!({ "_meta": { META_LEVEL: "info" } });
    assert_eq!(text(&call(&client, "new__log", &level).await), "Some(\"info\")");
    let told = heard.0.lock().expect("no panic").clone();
    assert_eq!(told, [r#"notifications/message {"level":"error","data":"error"}"#]);
    bench.gateway.stop().await;
}

/// Returns a client, and what it hears.
async fn hearing(bench: &Bench, era: Era) -> (Client, Arc<Accepting>) {
    let heard = Arc::new(Accepting::default());
    let handler: Arc<dyn Handler> = Arc::<Accepting>::clone(&heard);
    let about = AboutClient::able("tests", "1");
    let client = bench.client_with(Principal::Local, Expect::Probably(era), handler, about).await;
    (client, heard)
}

const CHANGED: &str = "resources/updated";

#[tokio::test]
async fn a_newer_client_that_listens_to_a_resource_hears_of_it() {
    let bench = bench(&Fakes::new(), &upstreams(&["new"]).await);
    bench.gateway.settled().await;
    let (client, heard) = hearing(&bench, Era::Stateless).await;
    let (other, unheard) = hearing(&bench, Era::Stateless).await;
    let listening = |client: &Client, uri: &str| {
        let connection = client.0.clone();
        let mut params = Members::new();
        params.set("notifications", &json!({ "resourceSubscriptions": [uri] })).expect("JSON");
        tokio::spawn(async move { connection.request("subscriptions/listen", params).await })
    };
    let (one, two) = (listening(&client, "test://a"), listening(&other, "test://b"));
    let has = |of: &Accepting| of.0.lock().expect("no panic").iter().any(|it| it.contains(CHANGED));
    until("it is told", Duration::from_secs(5), async || {
        call(&client, "new__touch", &json!({})).await.expect("a result");
        has(&heard)
    })
    .await;
    assert!(!has(&unheard), "it listens to something else");
    one.abort();
    two.abort();
    bench.gateway.stop().await;
}

#[tokio::test]
async fn the_end_of_one_subscription_leaves_that_of_another_session_alone() {
    let bench = bench(&Fakes::new(), &upstreams(&["new"]).await);
    bench.gateway.settled().await;
    let (leaving, _) = hearing(&bench, Era::Sessions).await;
    let (staying, heard) = hearing(&bench, Era::Stateless).await;
    let params = || serde_json::from_str::<Members>(r#"{"uri":"test://a"}"#).expect("JSON");
    let mut listen = Members::new();
    listen.set("notifications", &json!({ "resourceSubscriptions": ["test://a"] })).expect("JSON");
    let connection = staying.0.clone();
    let listening =
        tokio::spawn(async move { connection.request("subscriptions/listen", listen).await });
    leaving.0.request("resources/subscribe", params()).await.expect("an answer");
    let count = || {
        let heard = heard.0.lock().expect("no panic");
        heard.iter().filter(|it| it.contains(CHANGED)).count()
    };
    let touched = async |at_least: usize| {
        until("it is told", Duration::from_secs(5), async || {
            call(&leaving, "new__touch", &json!({})).await.expect("a result");
            count() >= at_least
        })
        .await;
    };
    touched(1).await;
    leaving.0.request("resources/unsubscribe", params()).await.expect("an answer");
    touched(count() + 1).await;
    listening.abort();
    bench.gateway.stop().await;
}
