//! The loop before a real model, the smallest that can be had: what it says is noise, and nothing may break.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::{Outcome, Site};
use crate::local_model::{FOLDER, LocalModel, Served};
use crate::machine::{cargo, run};

const MODEL: &str = "smollm2-135m";

/// Requests of each kind, and what helps the model with them.
const REQUESTS: &str = "1";
const HELPS: [&str; 2] = ["nothing", "all"];

/// Searches that a turn may make, as the loop promises.
const SEARCHES_PER_TURN: u32 = 3;

#[derive(Deserialize)]
struct Measured {
    id: String,
    searches: u32,
    steps: u32,
}

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    let model = match LocalModel::start(&site.root, site.supply, MODEL, "2")? {
        Served::Model(model) => model,
        Served::Unavailable(why) => return Ok(Outcome::Skipped(why)),
    };
    run(Command::new("node")
        .args(["--test", &format!("{FOLDER}/parts.test.mjs")])
        .current_dir(&site.root))?;
    let endpoint = model.endpoint();
    let words = ["eval", "calls", "xtask/weak-model", "--model", &endpoint];
    let options =
        ["--lenient", "--can-narrow", "--catalog", "workbench", "--limit", REQUESTS, "--json"];
    let output = cargo()
        .args(["run", "-q", "-p", "oncue-cli", "--"])
        .args(words)
        .args(options)
        .args(HELPS.iter().flat_map(|name| ["--rung", name]))
        .current_dir(&site.root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("failed to start `cargo run`")?;
    ensure!(output.status.success(), "`oncue eval calls` failed ({})", output.status);
    let text = String::from_utf8(output.stdout).context("the answer is no text")?;
    let measured: Vec<Measured> = text
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("no verdict: {line}")))
        .collect::<Result<_>>()?;
    let kinds = 3;
    if measured.len() != HELPS.len() * kinds {
        bail!("{} verdicts, expected {}", measured.len(), HELPS.len() * kinds);
    }
    for Measured { id, searches, steps } in measured {
        ensure!(searches <= SEARCHES_PER_TURN, "{id}: {searches} searches in a turn");
        ensure!(steps > 0, "{id}: the model never answered");
    }
    Ok(Outcome::Passed)
}
