//! A gateway inside a program of one's own, in front of an MCP server, which is this program again.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use oncue::gateway::config::{Context as Folders, Environment, Loaded};
use oncue::gateway::serve::{Gateway, Local, Meanings};
use oncue::gateway::upstream::Shared;
use oncue::gateway::watchdog::Watchdog;
use oncue::gateway::{audit::Audit, outgoing};
use oncue::mcp::limits::UPSTREAM_MESSAGE_BYTES_MAX;
use oncue::mcp::server::{About, Caller, Change, Context, Service, serve};
use oncue::mcp::{
    AboutClient, Expect, Lines, Members, Memory, Noise, Peer, Raw, Request, RpcError, Silent,
    Unreadable, empty, open,
};
use oncue::{BoxFuture, Principal};
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::sync::broadcast;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("weather") {
        let streams = Lines::new(tokio::io::stdin(), tokio::io::stdout(), 1 << 20, Noise::Report);
        serve(Arc::new(streams), Arc::new(Weather::new()), Principal::Local).await;
        return Ok(());
    }
    let program = json!(std::env::current_exe()?);
    let text = format!("[upstream.weather]\ncommand = {program}\nargs = [\"weather\"]\n");
    let none = |file: &Path| unreachable!("{} is not imported", file.display());
    let loaded = Loaded::parse(Path::new("oncue.toml"), &text, &Folders::default(), &none)?;
    let http = outgoing::client()?;
    let shared = |news| Shared {
        http,
        about: AboutClient::able("example", "1"),
        environment: Environment::of_process(),
        watchdog: Watchdog::none(),
        message_bytes_max: UPSTREAM_MESSAGE_BYTES_MAX,
        news,
    };
    let gateway = Gateway::start(
        loaded.settings,
        shared,
        None,
        Local::default(),
        Audit::off(),
        Meanings::default(),
    );
    // What is behind is learnt meanwhile; a gateway that keeps it on disk knows it at once.
    gateway.settled().await;

    // A client in the same program; others come over streams or HTTP.
    let (here, there) = Memory::pair();
    tokio::spawn(serve(Arc::new(there), Arc::new(gateway.clone()), Principal::Local));
    let peer = Peer::start(Arc::new(here), Arc::new(Silent), Unreadable::Count);
    let about = AboutClient::able("example", "1");
    let client = open(peer, about, Expect::Either, Duration::from_secs(5)).await?;
    for (name, arguments) in [
        ("search_tools", json!({ "query": "will it rain" })),
        ("call_tool", json!({ "name": "weather__forecast", "arguments": { "town": "Ghent" } })),
    ] {
        let mut params = Members::new();
        params.set("name", &name)?;
        params.set("arguments", &arguments)?;
        println!("{name} {arguments}\n  {}", client.request("tools/call", params).await?);
    }
    gateway.stop().await;
    Ok(())
}

/// A server with one tool.
struct Weather(broadcast::Sender<Change>);

impl Weather {
    fn new() -> Self {
        Self(broadcast::channel(1).0)
    }
}

impl Service for Weather {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).unwrap_or_else(|_| empty());
        About {
            info: of(json!({ "name": "weather", "version": "1" })),
            capabilities: of(json!({ "tools": {} })),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, _: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        let town = json!({ "type": "object", "properties": { "town": { "type": "string" } } });
        let result = match &*request.method {
            "tools/list" => json!({ "tools": [{
                "name": "forecast",
                "description": "Tells whether it will rain tomorrow",
                "inputSchema": town,
                "annotations": { "readOnlyHint": true },
            }] }),
            "tools/call" => json!({ "content": [{ "type": "text", "text": "It will rain." }] }),
            method => return Box::pin(std::future::ready(Err(RpcError::method_not_found(method)))),
        };
        let result = to_raw_value(&result).map_err(|_| RpcError::internal());
        Box::pin(std::future::ready(result))
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}
