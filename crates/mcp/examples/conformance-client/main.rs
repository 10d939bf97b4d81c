//! A client that does what the scenarios of the official conformance suite look at: it lists all there is, and calls, reads and gets it.
//!
//! The suite starts `conformance-client URL` and says in variables of the environment which version it wants spoken and, for some scenarios, with which arguments tools are to be called.
//!
//! | file | holds |
//! |---|---|
//! | `main` | the connection |
//! | `tour` | what is done over it |
//! | `answers` | what the client answers where it is asked |

mod answers;
mod tour;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::http::{Remote, Streamable};
use oncue_mcp::{AboutClient, Era, Expect, Peer, Transport, Unreadable, Version, open};
use serde::Deserialize;
use serde_json::Value;

/// How long a server may take to begin.
const OPEN_TIME: Duration = Duration::from_secs(10);
/// Longest message that is taken, in bytes.
const MESSAGE_BYTES: usize = 1 << 20;

/// What the suite says of a scenario beside its address.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Scenario {
    tool_calls: Vec<ToolCall>,
}

/// A call that a scenario wants.
#[derive(Clone, Deserialize)]
struct ToolCall {
    name: String,
    arguments: Value,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(url) = std::env::args().skip(1).last() else {
        println!("usage: conformance-client URL");
        return Ok(());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run(&url))
}

async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let version = Version::parse(&variable("MCP_CONFORMANCE_PROTOCOL_VERSION"));
    let expect = match version.map(Version::era) {
        Some(Era::Sessions) => Expect::Probably(Era::Sessions),
        _ => Expect::Either,
    };
    let scenario: Scenario =
        serde_json::from_str(&variable("MCP_CONFORMANCE_CONTEXT")).unwrap_or_default();
    let remote = Remote {
        url: url.parse()?,
        headers: reqwest::header::HeaderMap::new(),
        bytes_max: MESSAGE_BYTES,
    };
    let transport: Arc<dyn Transport> = Arc::new(Streamable::new(http()?, remote));
    let peer = Peer::start(transport, Arc::new(answers::Accepting), Unreadable::Count);
    let about = AboutClient::able("conformance-client", env!("CARGO_PKG_VERSION"));
    let connection = open(peer, about, expect, OPEN_TIME).await?;
    let done = tour::all(&connection, &scenario.tool_calls).await;
    connection.peer().close().await;
    done
}

/// Returns an HTTP client for servers on this machine.
fn http() -> Result<reqwest::Client, Box<dyn Error>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let builder = reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy();
    Ok(builder.redirect(reqwest::redirect::Policy::none()).build()?)
}
