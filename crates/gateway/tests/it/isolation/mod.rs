//! Nobody receives what is another's: many sessions of several principals at once, each with texts that nobody else may see.
//!
//! `ONCUE_ISOLATION_SECONDS` says how long they talk.

mod client;
pub(crate) mod upstream;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use oncue_decl::Scope;
use oncue_gateway::config::Settings;
use oncue_gateway::serve::GrantsOf;
use oncue_mcp::Era;
use oncue_mcp::server::Service;
use oncue_tools::{Grants, Principal, PrincipalName, ToolPattern};
use serde_json::{Value, json};

use crate::bench::{Bench, settings};
use client::{Session, Who};
use upstream::{Parrot, serve, serve_sessions};

const PRINCIPALS: usize = 10;
const SESSIONS: usize = 120;

/// Each principal may see its own drawer and no other.
struct Drawers;

impl GrantsOf for Drawers {
    fn grants(&self, principal: &Principal, _: &Arc<Settings>) -> Arc<Grants> {
        Arc::new(match principal {
            Principal::Local => Grants::all(),
            Principal::External { name, scope } => {
                let own = format!("secret_{}", name.as_str().trim_start_matches('p'));
                let others = (0..PRINCIPALS).map(|at| format!("secret_{at}"));
                let denied = others.filter(|name| *name != own);
                Grants::external(name.clone(), *scope)
                    .with_denied(denied.map(|name| ToolPattern::new("*", &name)))
            }
        })
    }
}

pub(crate) fn principal_of(name: &str) -> Principal {
    Principal::External { name: PrincipalName::parse(name).expect("a name"), scope: Scope::Write }
}

/// A gateway that is served over HTTP and over streams, in front of upstreams behind HTTP in either era and one that is a process.
struct House {
    bench: Bench,
    url: String,
    http: reqwest::Client,
}

impl House {
    async fn open() -> Self {
        let old = serve_sessions(Parrot::new(PRINCIPALS)).await;
        let new = serve(Parrot::new(PRINCIPALS)).await;
        let more = format!(
            "[limits]\ncalls_per_principal = 1000\n[upstream.web]\nurl = {}\n[upstream.new]\nurl = {}\n",
            json!(old),
            json!(new)
        );
        let fakes: BTreeMap<&str, Value> =
            BTreeMap::from([("box", json!({ "tools": ["say", "other"], "label": "box" }))]);
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let bench = Bench::within(folder, settings(&fakes, &more), Drawers);
        bench.gateway.settled().await;
        let service: Arc<dyn Service> = Arc::new(bench.gateway.clone());
        let url = serve(service).await;
        let http = oncue_gateway::outgoing::client().expect("a client");
        Self { bench, url, http }
    }

    async fn sessions(&self) -> Vec<Session> {
        let begun = (0..SESSIONS).map(|session| {
            let who = Who { principal: session % PRINCIPALS, session };
            let era = if session % 3 == 2 { Era::Stateless } else { Era::Sessions };
            Session::begin(self, who, session % 2 == 0, era)
        });
        join_all(begun).await
    }
}

/// What a session does next, over and over.
async fn talk(session: &Session, until: Instant, counts: &[AtomicU64]) -> u64 {
    let mut calls = 0;
    let mut random = fastrand::Rng::with_seed(session.who.session as u64);
    let own = format!("web__secret_{}", session.who.principal);
    let other = format!("web__secret_{}", (session.who.principal + 1) % PRINCIPALS);
    while Instant::now() < until {
        let canary = session.canary();
        let said = json!({ "said": canary });
        match random.u32(0..10) {
            0 => {
                let answer = session.call("web__count", json!({})).await;
                assert!(answer.contains("\"text\":\""), "{answer}");
                counts[session.who.principal].fetch_add(1, Ordering::Relaxed);
            }
            1 => drop(session.call("web__ask", said).await),
            2 => session.leave("web__wait", said).await,
            3 => {
                let answer = session.call("web__wait", said).await;
                assert!(answer.contains(&canary) && !answer.contains("taken back"), "{answer}");
            }
            4 => {
                let found = session.call("search_tools", json!({ "query": "secret drawer" })).await;
                assert!(found.contains(&format!("secret_{}", session.who.principal)), "{found}");
                session.list().await;
            }
            5 => session.meddle().await,
            6 => {
                let answer = session.call(&other, said).await;
                assert!(answer.contains("There is no tool"), "{answer}");
            }
            7 => {
                let answer = session.call("box__say", said).await;
                assert!(answer.contains(&canary), "{answer}");
            }
            8 => {
                let said = json!({ "name": own, "arguments": { "said": canary } });
                let answer = session.call("call_tool", said).await;
                assert!(answer.contains(&canary), "{answer}");
            }
            _ => {
                let tool = if random.bool() { "web__say" } else { "new__say" };
                let answer = session.call(tool, said).await;
                assert!(answer.contains(&canary), "{answer}");
            }
        }
        calls += 1;
        session.look();
    }
    calls
}

// case: C40, C49
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_receives_nothing_that_is_anothers() {
    let seconds = std::env::var("ONCUE_ISOLATION_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok()).unwrap_or(3);
    let house = House::open().await;
    let sessions = house.sessions().await;
    let counts: Vec<AtomicU64> = (0..PRINCIPALS).map(|_| AtomicU64::new(0)).collect();
    let until = Instant::now() + Duration::from_secs(seconds);
    let calls: u64 = join_all(sessions.iter().map(|session| talk(session, until, &counts)))
        .await
        .into_iter()
        .sum();
    // An upstream with state sees each principal by itself: it counts what that one asked for, and no more.
    for (principal, count) in counts.iter().enumerate() {
        let session = sessions.iter().find(|it| it.who.principal == principal).expect("a session");
        let answer = session.call("web__count", json!({})).await;
        let expected = format!("\"text\":\"{}\"", count.load(Ordering::Relaxed) + 1);
        assert!(answer.contains(&expected), "{answer} of {principal}, not {expected}");
    }
    sessions.iter().for_each(Session::look);
    let sum = |of: fn(&Session) -> u64| sessions.iter().map(of).sum::<u64>();
    assert_eq!(sum(Session::unasked), 0, "answers to requests that were never made");
    let (asked, checked) = (sum(Session::asked), sum(|it| it.checked.load(Ordering::Relaxed)));
    println!(
        "{SESSIONS} sessions of {PRINCIPALS} principals for {seconds} s: {calls} exchanges, {asked} questions asked, {checked} canaries seen, 0 of them another's"
    );
    assert!(calls > SESSIONS as u64 && asked > 0 && checked > calls);
    house.bench.gateway.stop().await;
}

/// Makes a request as `who` within a session, and returns the status and what came back.
async fn raw(
    house: &House,
    method: reqwest::Method,
    who: &str,
    session: Option<&str>,
    body: &Value,
) -> (u16, Option<String>, String) {
    let request = house.http.request(method, &house.url).header(upstream::WHO, who);
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json").body(body.to_string());
    let request = match session {
        Some(session) => request.header("mcp-session-id", session),
        None => request,
    };
    let answer = request.send().await.expect("an answer");
    let id = answer.headers().get("mcp-session-id");
    let id = id.map(|id| id.to_str().expect("text").to_owned());
    (answer.status().as_u16(), id, answer.text().await.expect("a text"))
}

// case: C40
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_of_another_is_as_unknown_as_any_other() {
    use reqwest::Method;
    let house = House::open().await;
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } } });
    let (status, session, _) = raw(&house, Method::POST, "p1", None, &begin).await;
    assert_eq!(status, 200);
    let session = session.expect("a session");
    let call = |id: u64, ms: u64| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "web__wait", "arguments": { "said": format!("canary-1-{ms};") } } })
    };
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    let (id, guessed) = (Some(&*session), Some("0123456789abcdef0123456789abcdef"));
    let (seven, slow) = (call(7, 1), call(7, 2));
    let running = raw(&house, Method::POST, "p1", id, &seven);
    let meddling = async {
        for (method, body) in [
            (Method::POST, &cancel),
            (Method::POST, &slow),
            (Method::GET, &Value::Null),
            (Method::DELETE, &Value::Null),
        ] {
            let of_another = raw(&house, method.clone(), "p2", id, body).await;
            let of_nobody = raw(&house, method.clone(), "p2", guessed, body).await;
            assert_eq!(of_another, of_nobody, "{method}");
            assert_eq!(of_another.0, 404, "{method} {}", of_another.2);
        }
    };
    let ((status, _, text), ()) = tokio::join!(running, meddling);
    assert!(status == 200 && text.contains("canary-1-1;"), "{status} {text}");
    // The same id at the same time is refused within one session, and free again after its answer.
    let (first, second) = tokio::join!(
        raw(&house, Method::POST, "p1", id, &seven),
        raw(&house, Method::POST, "p1", id, &slow)
    );
    let refused = [&first, &second].into_iter().filter(|it| it.2.contains("-32600")).count();
    assert_eq!(refused, 1, "{first:?} {second:?}");
    let (_, _, again) = raw(&house, Method::POST, "p1", id, &slow).await;
    assert!(again.contains("canary-1-2;"), "{again}");
    house.bench.gateway.stop().await;
}
