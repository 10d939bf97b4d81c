//! Runs the tests and writes down which passed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::{FEATURES, Outcome, Site};
use crate::machine::{Supply, cargo, program, run};
use crate::report::{self, Kind, Report};
use crate::tree;
use crate::workspace::{self, Target, binary_id};

/// Where `cargo nextest` puts the report of the profile in `.config/nextest.toml`.
const JUNIT: &str = "target/nextest/xtask/junit.xml";

/// How long sessions talk in the test that none receives what is another's, in seconds, where time is taken for it.
const ISOLATION: (&str, &str) = ("ONCUE_ISOLATION_SECONDS", "30");

pub(super) fn tests(site: &Site) -> Result<Outcome> {
    run_tests(&site.root, site.supply)?;
    Ok(Outcome::Passed)
}

pub(super) fn doctests(site: &Site) -> Result<Outcome> {
    run_doctests(&site.root)?;
    Ok(Outcome::Passed)
}

/// Returns what the tests said about the tree as it stands, running them where that is not known.
pub(crate) fn fresh(root: &Path, kind: Kind) -> Result<Report> {
    let tree = tree::fingerprint(root)?;
    if let Some(report) = Report::read(root, kind).filter(|report| report.tree == tree) {
        return Ok(report);
    }
    let outcome = match kind {
        Kind::Tests => run_tests(root, Supply::AsFound),
        Kind::Doctests => run_doctests(root),
    };
    match (Report::read(root, kind), outcome) {
        (Some(report), _) if report.tree == tree => Ok(report),
        (_, Err(error)) => Err(error),
        _ => bail!("the files changed while the tests ran"),
    }
}

fn run_tests(root: &Path, supply: Supply) -> Result<()> {
    let tree = tree::fingerprint(root)?;
    let (passed, outcome) = match program("cargo-nextest") {
        Some(_) => with_nextest(root, supply)?,
        None => with_harness(root)?,
    };
    Report { tree, passed }.write(root, Kind::Tests)?;
    outcome
}

type Outcomes = (BTreeMap<String, bool>, Result<()>);

fn with_nextest(root: &Path, supply: Supply) -> Result<Outcomes> {
    let junit = root.join(JUNIT);
    if junit.exists() {
        fs::remove_file(&junit)?;
    }
    let words = ["nextest", "run", "--workspace", "--profile", "xtask"];
    let mut command = cargo();
    command.args(words).args(FEATURES).current_dir(root);
    if supply == Supply::Install {
        command.env(ISOLATION.0, ISOLATION.1);
    }
    let outcome = run(&mut command);
    match fs::read_to_string(&junit) {
        Ok(xml) => Ok((report::from_junit(&xml)?, outcome)),
        Err(_) => Err(outcome.err().context("`cargo nextest` left no report")?),
    }
}

/// One line of cargo's JSON messages, as far as it is read here.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: Option<String>,
    target: Option<Target>,
    executable: Option<String>,
}

fn with_harness(root: &Path) -> Result<Outcomes> {
    let words = ["test", "--workspace", "--no-run", "--message-format", "json"];
    let built = cargo()
        .args(words)
        .args(FEATURES)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("failed to start `cargo test`")?;
    if !built.status.success() {
        bail!("the tests do not build");
    }
    let workspace = workspace::read(root)?;
    let mut passed = BTreeMap::new();
    let mut failed = Vec::new();
    for line in String::from_utf8_lossy(&built.stdout).lines() {
        let Ok(artifact) = serde_json::from_str::<Artifact>(line) else { continue };
        let (Some(manifest), Some(target), Some(program)) =
            (artifact.manifest_path, artifact.target, artifact.executable)
        else {
            continue;
        };
        let Some(package) = workspace
            .packages
            .iter()
            .find(|package| root.join(&package.manifest_path) == Path::new(&manifest))
        else {
            continue;
        };
        let binary = binary_id(&package.name, &target);
        let mut command = Command::new(program);
        if let Some(folder) = Path::new(&manifest).parent() {
            command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder);
        }
        eprintln!("$ {binary}");
        let (output, succeeded) = shown(&mut command)?;
        passed.extend(report::from_harness(&binary, &output));
        if !succeeded {
            failed.push(binary);
        }
    }
    Ok((passed, none_failed(&failed)))
}

fn none_failed(failed: &[String]) -> Result<()> {
    if !failed.is_empty() {
        bail!("tests failed in {}", failed.join(", "));
    }
    Ok(())
}

fn run_doctests(root: &Path) -> Result<()> {
    let tree = tree::fingerprint(root)?;
    let words = ["test", "--workspace", "--doc", "--no-fail-fast"];
    let (output, succeeded) = shown(cargo().args(words).args(FEATURES).current_dir(root))?;
    Report { tree, passed: report::from_doctests(&output) }.write(root, Kind::Doctests)?;
    if !succeeded {
        bail!("documentation tests failed");
    }
    Ok(())
}

/// Runs a command to its end, shows what it prints and returns it, with whether it succeeded.
fn shown(command: &mut Command) -> Result<(String, bool)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to start the tests")?;
    let mut output = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            output.push_str(&line);
            output.push('\n');
        }
    }
    Ok((output, child.wait()?.success()))
}
