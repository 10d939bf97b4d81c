//! The rebuilt rankers of rivals held against the originals, and what cannot be rebuilt asked itself.
//!
//! `cargo xtask rivals [SET]...` asks both every query of the data sets (those of `ONCUE_DATA`, or else the samples) and prints how far they agree.
//! `cargo xtask rivals record CLIENT [SET]...` asks the tool search of a client, as `oncue eval rivals --recorded` reads it: Claude Code's for `bench/rivals`, and Codex's for the comparison above.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::clients::{package, supplied};
use crate::figures::{RECORDED, SETS};
use crate::machine::{Supply, cargo, run};
use crate::python;

/// Where the pins and the programs are.
const PINS: &str = "xtask/rivals";

/// What is installed and written.
const FOLDER: &str = "target/rivals";

/// The data sets that a client can have: one MCP server for each of theirs, and no two tools of one name where it matters.
const ASKED: [&str; 6] =
    ["livemcp", "livemcp-i18n", "functionchat-ko", "gtc", "metatool", "restbench"];

/// A client whose own search is asked.
struct Client {
    id: &'static str,
    /// Its executable, below the installed packages.
    program: &'static str,
    package: &'static str,
    /// What its answers are reported under, before the version where there is one.
    name: &'static str,
    is_named_with_version: bool,
    /// Where its answers go.
    file: &'static str,
}

const CLIENTS: [Client; 2] = [
    Client {
        id: "claude-code",
        program: "@anthropic-ai/claude-code-linux-x64/claude",
        package: "@anthropic-ai/claude-code-linux-x64",
        name: "Claude Code",
        is_named_with_version: true,
        file: RECORDED,
    },
    Client {
        id: "codex",
        program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
        package: "@openai/codex-linux-x64",
        // As the rebuilt one is called, to stand beside it.
        name: "codex",
        is_named_with_version: false,
        file: "target/rivals/codex.jsonl",
    },
];

pub(crate) fn command(root: &Path, words: &[&str]) -> Result<bool> {
    match words {
        ["record", id, sets @ ..] => {
            let client = CLIENTS.iter().find(|client| client.id == *id);
            let known = CLIENTS.map(|client| client.id).join(", ");
            record(
                root,
                client.with_context(|| format!("unknown client `{id}`; known are {known}"))?,
                sets,
            )
        }
        sets => check(root, sets),
    }
}

/// The data sets that are named, or else those of these names that are there.
fn folders(root: &Path, named: &[&str], names: &[&str]) -> Vec<PathBuf> {
    if !named.is_empty() {
        return named.iter().map(PathBuf::from).collect();
    }
    let folder = match env::var_os("ONCUE_DATA") {
        Some(data) => PathBuf::from(data).join("retrieval"),
        None => root.join("crates/eval/samples"),
    };
    names.iter().map(|name| folder.join(name)).filter(|folder| folder.is_dir()).collect()
}

fn check(root: &Path, sets: &[&str]) -> Result<bool> {
    let folder = root.join(FOLDER);
    let libraries = folder.join("python");
    let pins = root.join(PINS).join("requirements.txt");
    if let Some(why) = python::supply(Supply::Install, &libraries, &pins, "")? {
        eprintln!("SKIPPED: nothing was compared: {why}");
        return Ok(false);
    }
    let sets = folders(root, sets, &SETS);
    let answers = folder.join("answers.jsonl");
    let words = ["run", "--release", "-q", "-p", "oncue-cli", "--features", "bm25", "--"];
    let status = cargo()
        .args(words)
        .args(["eval", "rivals", "--json", "--answers"])
        .args(&sets)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(File::create(&answers)?)
        .status()
        .context("failed to start cargo")?;
    ensure!(status.success(), "the command failed ({status})");
    let mut check = Command::new(python::interpreter(&libraries));
    check.arg(root.join(PINS).join("check.py")).arg(answers).arg(folder.join("codex.jsonl"));
    run(check.args(sets).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    Ok(true)
}

fn record(root: &Path, client: &Client, sets: &[&str]) -> Result<bool> {
    let supplied = match supplied(root, client.package)? {
        Ok(supplied) => supplied,
        Err(why) => {
            eprintln!("SKIPPED: nothing was asked: {why}");
            return Ok(false);
        }
    };
    let name = match client.is_named_with_version {
        true => format!("{} {}", client.name, supplied.version),
        false => client.name.to_owned(),
    };
    let file = root.join(client.file);
    fs::create_dir_all(file.parent().unwrap_or(root))?;
    let status = Command::new(supplied.node)
        .arg(root.join(PINS).join("ask.mjs"))
        .arg(client.id)
        .arg(package(root, client.program))
        .arg(name)
        .args(folders(root, sets, &ASKED))
        .stdin(Stdio::null())
        .stdout(File::create(&file)?)
        .status()
        .context("failed to start Node.js")?;
    ensure!(status.success(), "the client was not asked to the end ({status})");
    println!("wrote {}", file.display());
    Ok(true)
}
