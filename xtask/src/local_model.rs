//! A small model that runs on this machine, behind an endpoint of its own. Lives until it is dropped.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::machine::{self, Supply};

/// Where what fetches and serves models stands.
pub(crate) const FOLDER: &str = "xtask/local-model";

/// How the scripts say that packages cannot be had here.
const UNAVAILABLE: i32 = 3;

/// A server of one model.
pub(crate) struct LocalModel {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
    /// What it serves.
    pub(crate) model: String,
}

#[derive(Deserialize)]
struct Ready {
    url: String,
    model: String,
}

/// Whether a model could be had.
pub(crate) enum Served {
    /// It answers.
    Model(LocalModel),
    /// It cannot be had here, and why.
    Unavailable(String),
}

impl LocalModel {
    /// Fetches a model and what runs it, if that is allowed or done already, and starts it.
    pub(crate) fn start(root: &Path, supply: Supply, model: &str, threads: &str) -> Result<Served> {
        for (program, packages) in [
            ("python3", &["python3", "python3-pip"][..]),
            ("node", &["nodejs", "npm"]),
            ("npm", &["npm"]),
        ] {
            if machine::debian(supply, program, packages).is_none() {
                return Ok(Served::Unavailable(format!("no `{program}`")));
            }
        }
        if supply == Supply::Install {
            for what in ["runtime", model] {
                if !fetch(root, what)? {
                    return Ok(Served::Unavailable(format!("the packages of `{what}`")));
                }
            }
        }
        serve(root, model, threads)
    }

    /// Returns how `oncue` names the endpoint.
    pub(crate) fn endpoint(&self) -> String {
        format!("chat:{}@{}/v1", self.model, self.url)
    }
}

impl Drop for LocalModel {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says whether the packages are there now.
fn fetch(root: &Path, what: &str) -> Result<bool> {
    eprintln!("$ python3 {FOLDER}/fetch.py {what}");
    let status = Command::new("python3")
        .args([&format!("{FOLDER}/fetch.py"), what])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("failed to start `python3`")?;
    match status.code() {
        Some(0) => Ok(true),
        Some(UNAVAILABLE) => Ok(false),
        _ => bail!("what was fetched for `{what}` is not what was pinned ({status})"),
    }
}

fn serve(root: &Path, model: &str, threads: &str) -> Result<Served> {
    let script = format!("{FOLDER}/server.mjs");
    let mut child = Command::new("node")
        .args([&script, "--model", model, "--port", "0", "--threads", threads])
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to start `node`")?;
    let output = child.stdout.take().context("the server has an output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    if line.trim().is_empty() {
        let status = child.wait()?;
        if status.code() == Some(UNAVAILABLE) {
            let why = format!(
                "`{model}` is not in `target/local-model`: `cargo xtask ci --only local-model` or `cargo xtask weak-model` brings it"
            );
            return Ok(Served::Unavailable(why));
        }
        bail!("the server of `{model}` did not start ({status})");
    }
    let Ready { url, model } = serde_json::from_str(&line)
        .with_context(|| format!("the server said `{}`", line.trim()))?;
    Ok(Served::Model(LocalModel { child, url, model }))
}
