//! `oncue status`: how the gateways are that run here.

use std::fs;
use std::io::Write;

use serde::Serialize;

use super::serve::{RUN_FOLDER, Running, Tokens};
use crate::args::Status;
use crate::command::state::Kept;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{grouped, printable};

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
        if let Some(tokens) = gateway.tokens.filter(|tokens| tokens.whole > 0) {
            writeln!(out, "{}", saved(tokens))?;
        }
    }
    Ok(Exit::Ok)
}

/// Returns in one line what a list costs in the place of another.
fn saved(tokens: Tokens) -> String {
    let Tokens { whole, shown, saved } = tokens;
    let share = 100 * saved / whole.max(1);
    let [whole, shown] = [whole, shown].map(grouped);
    match saved {
        0 => format!("lists about {shown} tokens of tools; all of them are about {whole}"),
        _ => format!(
            "lists about {shown} tokens of tools in the place of {whole}: {} saved ({share} %)",
            grouped(saved)
        ),
    }
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

#[cfg(test)]
mod tests {
    use oncue_gateway::serve::ListTokens;

    use super::*;

    #[test]
    fn what_is_saved_is_told_where_anything_is() {
        let told = |whole, shown| saved(ListTokens { whole, shown }.into());
        assert_eq!(
            told(12_400, 347),
            "lists about 347 tokens of tools in the place of 12,400: 12,053 saved (97 %)"
        );
        assert_eq!(told(90, 347), "lists about 347 tokens of tools; all of them are about 90");
        assert_eq!(told(500, 500), "lists about 500 tokens of tools; all of them are about 500");
    }

    #[test]
    fn a_gateway_of_an_earlier_version_is_read_too() {
        let told = r#"{"pid":1,"since":2,"http":null,"upstreams":[]}"#;
        let running: Running = serde_json::from_str(told).expect("read");
        assert_eq!((running.pid, running.tokens), (1, None));
    }
}
