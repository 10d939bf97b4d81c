//! `oncue call`: one call of a tool behind the gateway, as a person makes it.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::server::serve;
use oncue_mcp::{
    AboutClient, CallError, Connection, Era, Expect, Members, Memory, Patience, Peer, Silent,
    Unreadable, open,
};
use oncue_tools::Principal;
use serde_json::value::RawValue;

use super::serve::{House, settings};
use crate::args::CallTool;
use crate::exit::Exit;
use crate::failure::Failure;

/// How long the one call may take.
pub(super) const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(600), total: Duration::from_secs(600) };

/// Calls the tool and prints its result.
pub(in crate::command) fn run(args: &CallTool, out: &mut dyn Write) -> Result<Exit, Failure> {
    let arguments = RawValue::from_string(args.arguments.clone()).map_err(|error| {
        Failure::input(error).hint("arguments are a JSON object, such as '{\"path\": \"a.txt\"}'")
    })?;
    let mut loaded = settings(args.config.as_ref())?;
    // A person reads all of it, and there is nobody to keep the rest for.
    loaded.settings.limits.result_bytes = Some(usize::MAX);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    runtime.block_on(async {
        let house = House::open(args.state_dir.as_deref(), loaded.settings, None)?;
        let answered = call(&house, args, arguments, out).await;
        house.close().await;
        answered
    })
}

async fn call(
    house: &House,
    args: &CallTool,
    arguments: Box<RawValue>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let is_known = || house.gateway.catalog().find_by_name(&args.name).is_some();
    if !is_known() {
        // What was never read may have it.
        house.gateway.settled().await;
    }
    let client = client(house).await?;
    let mut params = Members::new();
    params.set("name", &args.name).map_err(Failure::input)?;
    params.put("arguments", arguments);
    let result = match client.call("tools/call", params, PATIENCE, None).await {
        Ok(result) => result,
        Err(CallError::Rpc(error)) => return Err(Failure::input(anyhow::anyhow!("{error}"))),
        Err(error) => return Err(Failure::input(error)),
    };
    let members = Members::of(Some(&result)).map_err(Failure::input)?;
    let is_error = members.read::<bool>("isError") == Some(true);
    if args.json {
        writeln!(out, "{result}")?;
    } else {
        let blocks: Vec<Members> = members.read("content").unwrap_or_default();
        for block in blocks {
            match block.read::<String>("text") {
                Some(text) => writeln!(out, "{text}")?,
                None => writeln!(out, "{}", block.to_raw().map_err(Failure::input)?)?,
            }
        }
    }
    Ok(if is_error { Exit::Nothing } else { Exit::Ok })
}

/// Returns a client of the gateway in this process.
pub(super) async fn client(house: &House) -> Result<Connection, Failure> {
    let (here, there) = Memory::pair();
    let service = Arc::new(house.gateway.clone());
    tokio::spawn(serve(Arc::new(there), service, Principal::Local));
    let peer = Peer::start(Arc::new(here), Arc::new(Silent), Unreadable::Count);
    let about = AboutClient::able("oncue call", env!("CARGO_PKG_VERSION"));
    let expect = Expect::Probably(Era::Sessions);
    open(peer, about, expect, Duration::from_secs(5)).await.map_err(Failure::input)
}
