//! A gateway over fake upstreams, and a client of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use oncue_gateway::audit::Audit;
use oncue_gateway::catalog::Store;
use oncue_gateway::config::{Context, Environment, Loaded, Settings};
use oncue_gateway::serve::{Gateway, GrantsOf, Local, Meanings};
use oncue_gateway::upstream::Shared;
use oncue_gateway::watchdog::Watchdog;
use oncue_mcp::{
    AboutClient, CallError, Connection, Era, Expect, Handler, List, Members, Memory, Patience,
    Peer, Silent, Unreadable, open,
};
use oncue_tools::Principal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A fake upstream and its script.
pub(crate) type Fakes = BTreeMap<&'static str, Value>;

/// A gateway with a folder of its own.
pub(crate) struct Bench {
    pub(crate) gateway: Gateway,
    pub(crate) folder: Arc<tempfile::TempDir>,
}

/// Returns the settings over these upstreams, with `more` in front of them.
pub(crate) fn settings<I: AsRef<str>>(fakes: &BTreeMap<I, Value>, more: &str) -> Settings {
    let mut text = more.to_owned();
    for (id, script) in fakes {
        let id = json!(id.as_ref());
        let command = json!(env!("CARGO_BIN_EXE_oncue-fake-upstream"));
        let script = json!(script.to_string());
        text += &format!("\n[upstream.{id}]\ncommand = {command}\nargs = [{script}]\n");
    }
    let read = |_: &Path| unreachable!("nothing is imported");
    let context = Context::default();
    let loaded = Loaded::parse(Path::new("oncue.toml"), &text, &context, &read);
    loaded.unwrap_or_else(|error| panic!("{text}: {error:?}")).settings
}

/// Times in which a test can wait for the worst.
pub(crate) const QUICK: &str = "[timeouts]\ncall = \"1s\"\nstart = \"3s\"\n";

impl Bench {
    pub(crate) fn new(fakes: &Fakes, more: &str) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        Self::within(folder, settings(fakes, more), Local::default())
    }

    pub(crate) fn within(
        folder: Arc<tempfile::TempDir>,
        settings: Settings,
        access: impl GrantsOf,
    ) -> Self {
        let store = Store::new(folder.path().join("catalogs"));
        let message_bytes_max = settings.limits.upstream_message_bytes.unwrap_or(8 << 20);
        let shared = |news| Shared {
            http: oncue_gateway::outgoing::client().expect("a client"),
            about: AboutClient::able("oncue", "test"),
            environment: Environment::of_process(),
            watchdog: Watchdog::none(),
            message_bytes_max,
            news,
        };
        Self {
            gateway: Gateway::start(
                settings,
                shared,
                Some(store),
                access,
                Audit::off(),
                Meanings::default(),
            ),
            folder,
        }
    }

    /// Returns a client that has begun a session.
    pub(crate) async fn client(&self) -> Client {
        self.client_of(Principal::Local, Expect::Probably(Era::Sessions)).await
    }

    pub(crate) async fn client_of(&self, principal: Principal, expect: Expect) -> Client {
        self.client_called("tests", principal, expect).await
    }

    /// Returns a client that gives itself this name.
    pub(crate) async fn client_called(
        &self,
        name: &str,
        principal: Principal,
        expect: Expect,
    ) -> Client {
        let about = AboutClient::able(name, "1");
        self.client_with(principal, expect, Arc::new(Silent), about).await
    }

    /// Returns a client that answers as `handler` does and says what `about` does.
    pub(crate) async fn client_with(
        &self,
        principal: Principal,
        expect: Expect,
        handler: Arc<dyn Handler>,
        about: AboutClient,
    ) -> Client {
        let (here, there) = Memory::pair();
        let service = Arc::new(self.gateway.clone());
        tokio::spawn(oncue_mcp::server::serve(Arc::new(there), service, principal));
        let peer = Peer::start(Arc::new(here), handler, Unreadable::Count);
        let opened = open(peer, about, expect, Duration::from_secs(5)).await;
        Client(opened.expect("the gateway answers"))
    }
}

/// A client of the gateway.
pub(crate) struct Client(pub(crate) Connection);

const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(20), total: Duration::from_secs(20) };

impl Client {
    /// Calls a tool as the client's list has it, and returns the text of the result, with `error: ` in front where it is one.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> String {
        self.call_raw(name, &arguments.to_string()).await
    }

    /// Calls a tool with these very bytes as its arguments.
    pub(crate) async fn call_raw(&self, name: &str, arguments: &str) -> String {
        let mut params = Members::new();
        params.set("name", &name).expect("JSON");
        params.put("arguments", RawValue::from_string(arguments.to_owned()).expect("JSON"));
        match self.0.call("tools/call", params, PATIENCE, None).await {
            Ok(result) => {
                let result: Value = serde_json::from_str(result.get()).expect("JSON");
                let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
                if result["isError"] == true { format!("error: {text}") } else { text }
            }
            Err(CallError::Rpc(error)) => format!("error {}: {}", error.code, error.message),
            Err(error) => panic!("{error}"),
        }
    }

    /// Calls a tool by way of the calling tool.
    pub(crate) async fn call_by(&self, name: &str, arguments: Value) -> String {
        self.call("call_tool", json!({ "name": name, "arguments": arguments })).await
    }

    pub(crate) async fn search(&self, query: &str) -> Value {
        let text = self.call("search_tools", json!({ "query": query })).await;
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
    }

    /// Returns the names of the tools that a search finds.
    pub(crate) async fn names(&self, query: &str) -> Vec<String> {
        names(&self.search(query).await)
    }

    /// Returns as many of them as a search may return.
    pub(crate) async fn most_names(&self, query: &str) -> Vec<String> {
        let text = self.call("search_tools", json!({ "query": query, "max_results": 20 })).await;
        names(&serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")))
    }

    pub(crate) async fn list(&self) -> Vec<String> {
        let listed = self.0.list(List::Tools, 100_000).await.expect("a list");
        let name =
            |entry: &oncue_mcp::Raw| Members::of(Some(entry)).expect("an object").read("name");
        listed.entries.iter().map(|entry| name(entry).expect("a name")).collect()
    }
}

fn names(found: &Value) -> Vec<String> {
    let all = ["tools", "more"].iter().filter_map(|key| found[key].as_array().cloned()).flatten();
    all.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

/// Waits until `is` holds, at most `time`.
pub(crate) async fn until(what: &str, time: Duration, mut is: impl AsyncFnMut() -> bool) {
    let holds = async {
        while !is().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(time, holds).await.is_ok(), "{what}");
}
