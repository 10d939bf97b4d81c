//! The scripted server over HTTP, for as long as the process lives.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use oncue_mcp::server::{
    About, Admit, Caller, Change, Context, Guard, HttpEndpoint, Refusal, Service,
};
use oncue_mcp::{Raw, Request, RpcError, empty};
use oncue_tools::{BoxFuture, Principal};
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::sync::broadcast;

use crate::Server;

struct Scripted {
    server: Mutex<Server>,
    changes: broadcast::Sender<Change>,
}

struct Anyone;

impl Admit for Anyone {
    fn admit(&self, _: &Parts) -> Result<Principal, Refusal> {
        Ok(Principal::Local)
    }
}

impl Service for Scripted {
    fn about(&self, _: &Caller) -> About {
        let of = |value| to_raw_value(&value).unwrap_or_else(|_| empty());
        About {
            info: of(json!({ "name": "fake", "version": "1" })),
            capabilities: of(json!({ "tools": { "listChanged": true } })),
            instructions: None,
            ttl_ms: 0,
        }
    }

    fn answer(&self, request: Request, _: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        let text = request.params.as_deref().map_or("{}", |raw| raw.get());
        let params = serde_json::from_str(text).unwrap_or_default();
        let line = format!(r#"{{"params":{text}}}"#);
        let result = {
            let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
            server.result(&request.method, &params, &line)
        };
        let result = match result {
            Ok(result) => to_raw_value(&result).map_err(|_| RpcError::internal()),
            Err((code, text)) => Err(RpcError::new(code, text)),
        };
        Box::pin(std::future::ready(result))
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

/// Serves at `address`, and says on standard output where that is.
pub(crate) fn serve(server: Server, address: &str) -> io::Result<Infallible> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (changes, _) = broadcast::channel(1);
        let service = Arc::new(Scripted { server: Mutex::new(server), changes });
        let endpoint = HttpEndpoint::new(service, Anyone, Guard::loopback());
        let listener = tokio::net::TcpListener::bind(address).await?;
        println!("http://{}/mcp", listener.local_addr()?);
        axum::serve(listener, endpoint.router("/mcp")).await?;
        Err(io::ErrorKind::NotConnected.into())
    })
}
