//! `oncue status`: how the gateways are that run here.

use std::fs;
use std::io::Write;

use serde::Serialize;

use super::serve::{RUN_FOLDER, Running};
use crate::args::Status;
use crate::command::state::Kept;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::printable;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'r> {
    version: u32,
    gateways: &'r [Running],
}

/// Prints the gateways that run, each with its upstreams.
pub(in crate::command) fn run(args: &Status, out: &mut dyn Write) -> Result<Exit, Failure> {
    let kept = Kept::find(&args.state)?;
    let running = running(&kept);
    if args.json {
        write_json(out, &Answer { version: JSON_VERSION, gateways: &running })?;
        return Ok(Exit::Ok);
    }
    if running.is_empty() {
        return Err(Failure::nothing("no gateway runs here".to_owned())
            .hint("clients start one by themselves; `oncue serve --http 127.0.0.1:8850` starts one for all"));
    }
    for gateway in &running {
        let place = gateway.http.map_or_else(
            || "over standard input and output".to_owned(),
            |address| format!("at http://{address}/mcp"),
        );
        writeln!(out, "process {} {place}", gateway.pid)?;
        let mut table =
            Table::new(&["upstream", "state", "tools", "calls", "failed", "last error"], 2);
        for told in &gateway.upstreams {
            table.push(vec![
                printable(&told.id),
                told.state.clone(),
                told.tools.to_string(),
                told.calls.to_string(),
                told.failed.to_string(),
                printable(told.last_error.as_deref().unwrap_or_default()),
            ]);
        }
        out.write_all(table.plain().as_bytes())?;
    }
    Ok(Exit::Ok)
}

/// Returns what the gateways tell that run; what one has left behind that does not is taken away.
fn running(kept: &Kept) -> Vec<Running> {
    let Ok(files) = fs::read_dir(kept.state.path().join(RUN_FOLDER)) else { return Vec::new() };
    let mut running = Vec::new();
    for file in files.flatten() {
        let told = fs::read(file.path()).ok();
        let told = told.and_then(|bytes| serde_json::from_slice::<Running>(&bytes).ok());
        let Some(told) = told else { continue };
        match is_alive(told.pid) {
            true => running.push(told),
            false => drop(fs::remove_file(file.path())),
        }
    }
    running.sort_by_key(|told| told.since);
    running
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid).is_ok())
}

#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
}
