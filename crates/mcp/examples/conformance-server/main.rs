//! A server with the tools, resources and prompts that the scenarios of the official conformance suite call by name.
//!
//! `cargo run -p oncue-mcp --example conformance-server -- PORT` serves at `http://127.0.0.1:PORT/mcp`; what the suite says of it is in `docs/conformance.md`.
//!
//! | file | holds |
//! |---|---|
//! | `main` | the endpoint |
//! | `service` | which method goes where |
//! | `listed` | the lists of tools, resources and prompts |
//! | `tools` | tools that answer by themselves |
//! | `asking` | tools and prompts that ask the client first |
//! | `ask` | questions in both eras |
//! | `state` | what a client carries from one round to the next |
//! | `logs` | which messages a client wants to read |
//! | `content` | blocks of content |

mod ask;
mod asking;
mod content;
mod listed;
mod logs;
mod service;
mod state;
mod tools;

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use oncue_mcp::server::{Admit, Guard, HttpEndpoint, Refusal};
use oncue_tools::Principal;
use tokio::net::TcpListener;

/// Whoever reaches this machine's own address is let in.
struct Anyone;

impl Admit for Anyone {
    fn admit(&self, _: &axum::http::request::Parts) -> Result<Principal, Refusal> {
        Ok(Principal::Local)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(port) = std::env::args().nth(1) else {
        println!("usage: conformance-server PORT");
        return Ok(());
    };
    let port: u16 = port.parse()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let fixture = Arc::new(service::Fixture::new()?);
        let router = HttpEndpoint::new(fixture, Anyone, Guard::loopback()).router("/mcp");
        println!("serving at http://{}/mcp", listener.local_addr()?);
        std::io::stdout().flush()?;
        axum::serve(listener, router).await?;
        Ok(())
    })
}
