//! One session of one principal, which keeps whatever it receives.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_mcp::http::{Remote, Streamable};
use oncue_mcp::{
    AboutClient, CallError, Connection, Era, Exchange, Expect, Handler, List, Members, Memory,
    Notification, Patience, Peer, Raw, Request, RpcError, Told, Transport, Unreadable, open,
};
use oncue_tools::BoxFuture;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::upstream::WHO;
use super::{House, principal_of};

/// Whose a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) principal: usize,
    pub(super) session: usize,
}

/// Everything that a session has received beside answers.
struct Kept {
    who: Who,
    texts: Mutex<Vec<String>>,
    asked: AtomicU64,
}

pub(super) struct Session {
    pub(super) who: Who,
    kept: Arc<Kept>,
    connection: Connection,
    said: AtomicU64,
    pub(super) checked: AtomicU64,
}

impl Handler for Kept {
    fn request<'a>(
        &'a self,
        request: Request,
        _: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        self.keep(request.params.as_deref());
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = format!("canary-{}-{}-answer;", self.who.principal, self.who.session);
        let answer = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": text } });
        Box::pin(std::future::ready(Ok(to_raw_value(&answer).expect("JSON"))))
    }

    fn notification(&self, notification: Notification, _: Told) {
        self.keep(notification.params.as_deref());
    }
}

impl Kept {
    fn keep(&self, params: Option<&RawValue>) {
        let text = params.map_or_else(String::new, |params| params.get().to_owned());
        self.texts.lock().expect("no panic").push(text);
    }
}

const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(30), total: Duration::from_secs(30) };

impl Session {
    /// Begins a session, over HTTP or over streams, in either era.
    pub(super) async fn begin(house: &House, who: Who, is_http: bool, era: Era) -> Self {
        let name = format!("p{}", who.principal);
        let transport: Arc<dyn Transport> = match is_http {
            true => {
                let mut headers = reqwest::header::HeaderMap::new();
                headers.insert(WHO, name.parse().expect("a value"));
                let url = house.url.parse().expect("a URL");
                Arc::new(Streamable::new(
                    house.http.clone(),
                    Remote { url, headers, bytes_max: 1 << 20 },
                ))
            }
            false => {
                let (here, there) = Memory::pair();
                let service = Arc::new(house.bench.gateway.clone());
                let principal = principal_of(&name);
                tokio::spawn(oncue_mcp::server::serve(Arc::new(there), service, principal));
                Arc::new(here)
            }
        };
        let kept = Arc::new(Kept { who, texts: Mutex::default(), asked: AtomicU64::new(0) });
        let handler: Arc<dyn Handler> = Arc::<Kept>::clone(&kept);
        let peer = Peer::start(transport, handler, Unreadable::Count);
        let about = AboutClient::able("isolated", "1");
        let time = Duration::from_secs(30);
        let connection = open(peer, about, Expect::Probably(era), time).await.expect("it opens");
        let session =
            Self { who, kept, connection, said: AtomicU64::new(0), checked: AtomicU64::new(0) };
        let instructions = session.connection.server().instructions.clone();
        session.check(&instructions.unwrap_or_default());
        session
    }

    /// Returns a text that nobody else may ever see.
    pub(super) fn canary(&self) -> String {
        let at = self.said.fetch_add(1, Ordering::Relaxed);
        format!("canary-{}-{}-{at};", self.who.principal, self.who.session)
    }

    /// Calls a tool, listens to its progress, and returns what it answers.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> String {
        let mut params = Members::new();
        params.set("name", &tool).expect("JSON");
        params.set("arguments", &arguments).expect("JSON");
        let kept = Arc::clone(&self.kept);
        let listener =
            oncue_mcp::Listener::new(move |told: Notification| kept.keep(told.params.as_deref()));
        let answer = self.connection.call("tools/call", params, PATIENCE, Some(listener)).await;
        let text = match answer {
            Ok(result) => result.get().to_owned(),
            Err(CallError::Rpc(error)) => format!("error {} {}", error.code, error.message),
            Err(error) => panic!("{error}: {tool} {arguments} {:?}", self.who),
        };
        self.check(&text);
        text
    }

    pub(super) async fn list(&self) {
        for entry in self.connection.list(List::Tools, 1_000).await.expect("a list").entries {
            self.check(entry.get());
        }
    }

    /// Begins a call and goes away from it.
    pub(super) async fn leave(&self, tool: &str, arguments: Value) {
        let calling = self.call(tool, arguments);
        let _ = tokio::time::timeout(Duration::from_millis(5), calling).await;
    }

    /// Takes back requests that it never made, by ids and tokens that others use.
    pub(super) async fn meddle(&self) {
        let here = self.said.load(Ordering::Relaxed);
        for id in here.saturating_sub(2)..here + 6 {
            let cancelled = to_raw_value(&json!({ "requestId": id })).ok();
            let told = Notification::new("notifications/cancelled", cancelled);
            let _ = self.connection.peer().notify(told).await;
        }
        let progress = json!({ "progressToken": 3, "progress": 1, "message": self.canary() });
        let told = Notification::new("notifications/progress", to_raw_value(&progress).ok());
        let _ = self.connection.peer().notify(told).await;
    }

    /// Looks at all that has come in by itself.
    pub(super) fn look(&self) {
        for text in std::mem::take(&mut *self.kept.texts.lock().expect("no panic")) {
            self.check(&text);
        }
    }

    /// Returns how often it was asked something.
    pub(super) fn asked(&self) -> u64 {
        self.kept.asked.load(Ordering::Relaxed)
    }

    /// Returns how many answers came to requests that it never made.
    pub(super) fn unasked(&self) -> u64 {
        self.connection.peer().counts().unasked
    }

    fn check(&self, text: &str) {
        for rest in text.split("canary-").skip(1) {
            self.checked.fetch_add(1, Ordering::Relaxed);
            let mut parts = rest.split('-');
            let principal = parts.next().unwrap_or_default();
            let session = parts.next().unwrap_or_default();
            let own = self.who.session.to_string();
            let is_own =
                principal == self.who.principal.to_string() && (session == own || session == "all");
            assert!(is_own, "{:?} has received: {text}", self.who);
        }
    }
}
