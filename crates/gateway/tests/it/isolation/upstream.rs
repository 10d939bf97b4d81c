//! An upstream that repeats what it is told in every way that it has: in results, progress, messages and questions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::Request as HttpRequest;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::IntoResponse;
use oncue_mcp::server::{
    About, Admit, Caller, Change, Context, Guard, HttpEndpoint, Refusal, Service, SessionHandle,
};
use oncue_mcp::{Members, Notification, Raw, Request, RpcError, empty};
use oncue_tools::{BoxFuture, Principal};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::broadcast;

/// The upstream; it counts for each of its sessions.
pub(super) struct Parrot {
    /// How many principals there are, each with a tool of its own.
    pub(super) principals: usize,
    counts: Mutex<HashMap<String, u64>>,
    changes: broadcast::Sender<Change>,
}

impl Parrot {
    pub(super) fn new(principals: usize) -> Arc<Self> {
        let (counts, changes) = (Mutex::default(), broadcast::channel(16).0);
        Arc::new(Self { principals, counts, changes })
    }

    fn tools(&self) -> Vec<Value> {
        let tool = |name: String, about: String| {
            json!({ "name": name, "description": about, "inputSchema": { "type": "object" },
                    "annotations": { "readOnlyHint": true } })
        };
        let own = (0..self.principals).map(|at| {
            tool(format!("secret_{at}"), format!("The secret drawer canary-{at}-all-drawer;"))
        });
        let common = ["say", "count", "ask", "wait"]
            .map(|name| tool(name.to_owned(), format!("Does {name} for whoever calls")));
        own.chain(common).collect()
    }

    async fn call(&self, params: &Members, context: &Context) -> Result<Raw, RpcError> {
        let said = params.get("arguments").map_or("{}", RawValue::get).to_owned();
        let text = match params.read::<String>("name").as_deref() {
            Some("count") => {
                let session = context.session.as_ref().map_or("", SessionHandle::id).to_owned();
                let mut counts = self.counts.lock().expect("no panic");
                let count = counts.entry(session).or_default();
                *count += 1;
                count.to_string()
            }
            Some("ask") => {
                let params = json!({ "messages": [], "maxTokens": 1, "systemPrompt": said });
                let params = to_raw_value(&params).ok();
                match context.ask("sampling/createMessage", params).await {
                    Ok(answer) => answer.get().to_owned(),
                    Err(_) => "nobody answers".to_owned(),
                }
            }
            Some("wait") => {
                let pause = tokio::time::sleep(std::time::Duration::from_millis(30));
                tokio::select! {
                    () = pause => said,
                    _ = context.cancel.fired() => format!("taken back {said}"),
                }
            }
            Some(_) => {
                self.tell(context, &said).await;
                said
            }
            None => return Err(RpcError::invalid_params(format!("Unknown tool {said}"))),
        };
        let result = json!({ "content": [{ "type": "text", "text": text }], "structuredContent": { "said": text } });
        Ok(to_raw_value(&result).expect("JSON"))
    }

    async fn tell(&self, context: &Context, said: &str) {
        if let Some(token) = &context.progress_token {
            let mut told = Members::new();
            told.put("progressToken", token.clone());
            told.set("progress", &1).expect("JSON");
            told.set("message", &said).expect("JSON");
            let params = told.to_raw().ok();
            context.tell(Notification::new("notifications/progress", params)).await;
        }
        let params = to_raw_value(&json!({ "level": "info", "data": said })).ok();
        context.tell(Notification::new("notifications/message", params)).await;
    }
}

impl Service for Parrot {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).expect("JSON");
        About {
            info: of(json!({ "name": "parrot", "version": "1" })),
            capabilities: of(json!({ "tools": { "listChanged": true }, "logging": {} })),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let params = Members::of(request.params.as_deref()).unwrap_or_default();
            match &*request.method {
                "tools/list" => Ok(to_raw_value(&json!({ "tools": self.tools() })).expect("JSON")),
                "tools/call" => self.call(&params, &context).await,
                "logging/setLevel" => Ok(empty()),
                method => Err(RpcError::method_not_found(method)),
            }
        })
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

/// Says who makes a request by a header that anybody may write.
pub(crate) struct ByHeader;

/// The header.
pub(crate) const WHO: &str = "x-who";

impl Admit for ByHeader {
    fn admit(&self, head: &Parts) -> Result<Principal, Refusal> {
        let name = head.headers.get(WHO).and_then(|value| value.to_str().ok());
        Ok(name.map_or(Principal::Local, super::principal_of))
    }
}

/// Serves over HTTP and returns the address.
pub(crate) async fn serve(service: Arc<dyn Service>) -> String {
    served(router(service)).await
}

/// Serves over HTTP in the older era alone, in which there are sessions.
pub(crate) async fn serve_sessions(service: Arc<dyn Service>) -> String {
    let refuse = axum::middleware::from_fn(async |request: HttpRequest, next: Next| {
        let version = request.headers().get("mcp-protocol-version");
        match version.is_some_and(|version| version == "2026-07-28") {
            true => StatusCode::BAD_REQUEST.into_response(),
            false => next.run(request).await,
        }
    });
    served(router(service).layer(refuse)).await
}

fn router(service: Arc<dyn Service>) -> axum::Router {
    HttpEndpoint::new(service, ByHeader, Guard::loopback()).router("/mcp")
}

async fn served(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/mcp")
}
