//! A server of the newer era over HTTP that asks, tells and changes.

use std::sync::Arc;

use oncue_mcp::server::{
    About, Admit, Caller, Change, Context, Guard, HttpEndpoint, Refusal, Service,
};
use oncue_mcp::{META_LEVEL, Members, Notification, Raw, Request, RpcError};
use oncue_tools::{BoxFuture, Principal};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use tokio::sync::broadcast;

/// What the server wants back with the answers.
pub(crate) const STATE: &str = "their own state";

/// What the server calls its only task.
pub(crate) const TASK: &str = "their task";

struct Newer(broadcast::Sender<Change>);

impl Service for Newer {
    fn about(&self, _: &Caller) -> About {
        let of = |value: Value| to_raw_value(&value).expect("JSON");
        About {
            info: of(json!({ "name": "newer", "version": "1" })),
            capabilities: of(
                json!({ "tools": {}, "logging": {}, "resources": { "subscribe": true }, "extensions": { "io.modelcontextprotocol/tasks": {} } }),
            ),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let params = Members::of(request.params.as_deref()).unwrap_or_default();
            let result = match &*request.method {
                "tools/list" => {
                    let tools = ["ask", "log", "touch", "able", "later"].map(|name| {
                        json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } })
                    });
                    json!({ "tools": tools })
                }
                "resources/list" => {
                    json!({ "resources": [{ "uri": "test://a", "name": "a" }] })
                }
                // A task is over as soon as it is looked at, and says what it was told.
                method @ ("tasks/get" | "tasks/update" | "tasks/cancel") => {
                    let id: String = params.read("taskId").unwrap_or_default();
                    if id != TASK {
                        return Err(RpcError::invalid_params("that is no task of mine"));
                    }
                    let text = format!(
                        "{method} {}",
                        params.get("inputResponses").map_or("", |it| it.get())
                    );
                    let result = json!({ "content": [{ "type": "text", "text": text }] });
                    json!({ "resultType": "complete", "taskId": id, "status": "completed", "result": result })
                }
                "tools/call" => self.call(&params, &context).await?,
                method => return Err(RpcError::method_not_found(method)),
            };
            Ok(to_raw_value(&result).expect("JSON"))
        })
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}

impl Newer {
    async fn call(&self, params: &Members, context: &Context) -> Result<Value, RpcError> {
        let text = match params.read::<String>("name").as_deref() {
            Some("ask") => match params.read::<Value>("inputResponses") {
                Some(answers) => {
                    let state: Option<String> = params.read("requestState");
                    if state.as_deref() != Some(STATE) {
                        return Err(RpcError::invalid_params("that is not my state"));
                    }
                    answers.to_string()
                }
                None => {
                    let form =
                        json!({ "message": "Who?", "requestedSchema": { "type": "object" } });
                    let ask = json!({ "method": "elicitation/create", "params": form });
                    return Ok(json!({
                        "resultType": "input_required",
                        "inputRequests": { "who": ask },
                        "requestState": STATE,
                    }));
                }
            },
            Some("later") => {
                return Ok(json!({ "resultType": "task", "taskId": TASK, "status": "working" }));
            }
            Some("log") => {
                let meta = Members::of(params.get("_meta")).unwrap_or_default();
                let level: Option<String> = meta.read(META_LEVEL);
                if level.is_some() {
                    for level in ["debug", "error"] {
                        let params = to_raw_value(&json!({ "level": level, "data": level }));
                        let told = Notification::new("notifications/message", params.ok());
                        context.tell(told).await;
                    }
                }
                format!("{level:?}")
            }
            Some("touch") => {
                // Nobody may listen.
                let _ = self.0.send(Change::Resource { uri: "test://a".to_owned() });
                "touched".to_owned()
            }
            Some("able") => {
                context.caller.client.capabilities.as_ref().map_or("", |raw| raw.get()).to_owned()
            }
            _ => return Err(RpcError::invalid_params("Unknown tool")),
        };
        Ok(json!({ "content": [{ "type": "text", "text": text }] }))
    }
}

struct Anyone;

impl Admit for Anyone {
    fn admit(&self, _: &axum::http::request::Parts) -> Result<Principal, Refusal> {
        Ok(Principal::Local)
    }
}

/// Serves, and returns the settings of upstreams of these names that are all this server.
pub(crate) async fn upstreams(names: &[&str]) -> String {
    let service = Arc::new(Newer(broadcast::channel(16).0));
    let endpoint = HttpEndpoint::new(service, Anyone, Guard::loopback());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, endpoint.router("/mcp")).await });
    let settings =
        names.iter().map(|name| format!("[upstream.{name}]\nurl = \"http://{address}/mcp\"\n"));
    settings.collect()
}
