//! Which method goes where.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use oncue_mcp::http::{Mirror, mirrors};
use oncue_mcp::server::{About, Caller, Change, Context, Service};
use oncue_mcp::{Era, Members, Raw, Request, RpcError, code, empty};
use oncue_tools::BoxFuture;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::content::{PNG, image, resource, text};
use crate::listed;
use crate::logs::Logs;
use crate::state::Seal;

/// The server. Lives as long as the program.
pub(crate) struct Fixture {
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) logs: Logs,
    pub(crate) seal: Seal,
    /// Whether there is one tool more.
    pub(crate) has_another_tool: AtomicBool,
    /// Whether there is one prompt more.
    pub(crate) has_another_prompt: AtomicBool,
}

impl Fixture {
    pub(crate) fn new() -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self {
            changes: broadcast::channel(16).0,
            logs: Logs::default(),
            seal: Seal::new()?,
            has_another_tool: AtomicBool::new(false),
            has_another_prompt: AtomicBool::new(false),
        })
    }

    async fn result(&self, request: &Request, context: &Context) -> Result<Value, RpcError> {
        let params = Members::of(request.params.as_deref()).unwrap_or_default();
        Ok(match &*request.method {
            "tools/list" => {
                cached(json!({ "tools": listed::tools(self.has_another_tool.load(Relaxed)) }))
            }
            "tools/call" => self.call(&params, context).await?,
            "resources/list" => cached(json!({ "resources": listed::resources() })),
            "resources/templates/list" => {
                cached(json!({ "resourceTemplates": listed::templates() }))
            }
            "resources/read" => cached(read(&params, context)?),
            "resources/subscribe" | "resources/unsubscribe" => json!({}),
            "prompts/list" => {
                cached(json!({ "prompts": listed::prompts(self.has_another_prompt.load(Relaxed)) }))
            }
            "prompts/get" => self.prompt(&params, context).await?,
            "completion/complete" => {
                json!({ "completion": { "values": ["test-1", "test-2"], "total": 2, "hasMore": false } })
            }
            "logging/setLevel" => {
                let level: String = params.read("level").unwrap_or_default();
                match self.logs.set(&level, context) {
                    true => json!({}),
                    false => return Err(RpcError::invalid_params("Invalid params: no such level")),
                }
            }
            method => return Err(RpcError::method_not_found(method)),
        })
    }

    async fn prompt(&self, params: &Members, context: &Context) -> Result<Value, RpcError> {
        let arguments = Members::of(params.get("arguments")).unwrap_or_default();
        let given = |name: &str| arguments.read::<String>(name).unwrap_or_default();
        let says = |blocks: &[Value]| {
            let messages: Vec<Value> =
                blocks.iter().map(|block| json!({ "role": "user", "content": block })).collect();
            json!({ "messages": messages })
        };
        Ok(match params.read::<String>("name").as_deref() {
            Some("test_simple_prompt") => says(&[text("This is a simple prompt for testing.")]),
            Some("test_prompt_with_arguments") => {
                let (first, second) = (given("arg1"), given("arg2"));
                let words = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
                says(&[text(&words)])
            }
            Some("test_prompt_with_embedded_resource") => {
                let words = "Embedded resource content for testing.";
                let inner = resource(&given("resourceUri"), "text/plain", words);
                says(&[inner, text("Please process the embedded resource above.")])
            }
            Some("test_prompt_with_image") => {
                says(&[image(), text("Please analyze the image above.")])
            }
            Some("test_input_required_result_prompt") => {
                self.prompt_asking(params, context).await?
            }
            _ => return Err(RpcError::invalid_params("Unknown prompt")),
        })
    }
}

/// Returns the result with how long it may be kept.
fn cached(mut result: Value) -> Value {
    result["ttlMs"] = Value::from(0);
    result["cacheScope"] = Value::from("private");
    result
}

fn read(params: &Members, context: &Context) -> Result<Value, RpcError> {
    let uri: String = params.read("uri").unwrap_or_default();
    let plain = |text: &str| json!({ "uri": uri, "mimeType": "text/plain", "text": text });
    let content = match &*uri {
        "test://static-text" => plain("This is the content of the static text resource."),
        "test://watched-resource" => plain("This is the content of the watched resource."),
        "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
        _ => match uri.strip_prefix("test://template/").and_then(|it| it.strip_suffix("/data")) {
            Some(id) => {
                let data = format!("Data for ID: {id}");
                let text = json!({ "id": id, "templateTest": true, "data": data }).to_string();
                json!({ "uri": uri, "mimeType": "application/json", "text": text })
            }
            None => {
                let code = match context.caller.version.era() {
                    Era::Sessions => code::RESOURCE_NOT_FOUND,
                    Era::Stateless => code::INVALID_PARAMS,
                };
                let error = RpcError::new(code, "Resource not found");
                return Err(error.with_data(&json!({ "uri": uri })));
            }
        },
    };
    Ok(json!({ "contents": [content] }))
}

impl Service for Fixture {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).unwrap_or_else(|_| empty());
        About {
            info: of(json!({ "name": "conformance-server", "version": env!("CARGO_PKG_VERSION") })),
            capabilities: of(json!({
                "tools": { "listChanged": true },
                "resources": { "subscribe": true, "listChanged": true },
                "prompts": { "listChanged": true },
                "completions": {},
                "logging": {},
            })),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let result = self.result(&request, &context).await?;
            to_raw_value(&result).map_err(|_| RpcError::internal())
        })
    }

    fn mirrors(&self, name: &str, _: &Caller) -> Vec<Mirror> {
        let tools = listed::tools(false);
        let tool = tools.iter().find(|tool| tool["name"] == name);
        tool.and_then(|tool| mirrors(&tool["inputSchema"]).ok()).unwrap_or_default()
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}
