//! A small server of our own kind, and ways to reach it.

use std::sync::Arc;

use oncue_mcp::server::{
    About, Admit, Caller, Change, Context, Guard, HttpEndpoint, Refusal, Service,
};
use oncue_mcp::{Members, Notification, Raw, Request, RpcError};
use oncue_tools::{BoxFuture, Principal};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::broadcast;

pub(crate) fn raw(text: &str) -> Raw {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

/// A server with a tool for each thing that a call can do.
pub(crate) struct Shop {
    pub(crate) changes: broadcast::Sender<Change>,
}

impl Shop {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { changes: broadcast::channel(16).0 })
    }
}

impl Service for Shop {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).expect("JSON");
        About {
            info: of(json!({ "name": "shop", "version": "1" })),
            capabilities: of(json!({ "tools": { "listChanged": true } })),
            instructions: Some("Ask for oil.".to_owned()),
            ttl_ms: 1_000,
        }
    }

    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let params = Members::of(request.params.as_deref()).unwrap_or_default();
            match &*request.method {
                "tools/list" => Ok(raw(
                    r#"{"tools":[{"name":"oil","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}}],"ttlMs":5,"cacheScope":"private"}"#,
                )),
                "tools/call" => call(&params, &context).await,
                method => Err(RpcError::method_not_found(method)),
            }
        })
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

async fn call(params: &Members, context: &Context) -> Result<Raw, RpcError> {
    let text = |text: String| {
        let result = json!({ "content": [{ "type": "text", "text": text }] });
        Ok(to_raw_value(&result).expect("JSON"))
    };
    match params.read::<String>("name").as_deref() {
        Some("echo") => text(params.get("arguments").map_or("{}", RawValue::get).to_owned()),
        Some("client") => {
            text(format!("{:?} {}", context.caller.client.name, context.caller.version))
        }
        Some("progress") => {
            for step in 1..=3 {
                let mut told = Members::new();
                let token = context.progress_token.clone().expect("a token");
                told.put("progressToken", token);
                told.set("progress", &step).expect("JSON");
                let params = Some(told.to_raw().expect("JSON"));
                context.tell(Notification::new("notifications/progress", params)).await;
            }
            text("done".to_owned())
        }
        Some("log") => {
            let told = raw(r#"{"level":"info","data":"begun"}"#);
            context.tell(Notification::new("notifications/message", Some(told))).await;
            text("logged".to_owned())
        }
        Some("able") => text(format!("{:?}", context.caller.client.capabilities)),
        Some("ask") => {
            let params = raw(
                r#"{"message":"size?","requestedSchema":{"type":"object","properties":{"size":{"type":"integer"}}}}"#,
            );
            match context.ask("elicitation/create", Some(params)).await {
                Ok(answer) => text(answer.get().to_owned()),
                Err(error) => text(format!("error: {error}")),
            }
        }
        Some("wait") => {
            context.cancel.fired().await;
            text("called off".to_owned())
        }
        _ => Err(RpcError::invalid_params("Unknown tool")),
    }
}

/// Lets everybody in.
pub(crate) struct Anyone;

impl Admit for Anyone {
    fn admit(&self, _: &axum::http::request::Parts) -> Result<Principal, Refusal> {
        Ok(Principal::Local)
    }
}

/// Serves over HTTP and returns the address.
pub(crate) async fn serve_http(service: Arc<dyn Service>) -> (String, HttpEndpoint) {
    let endpoint = HttpEndpoint::new(service, Anyone, Guard::loopback());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = endpoint.clone().router("/mcp");
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}/mcp"), endpoint)
}

/// Returns an HTTP client that follows nothing and uses no proxy.
pub(crate) fn http() -> reqwest::Client {
    let roots = rustls::RootCertStore::empty();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .expect("a client")
}
