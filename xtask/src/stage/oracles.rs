//! Holds the fakes of model vendors against the vendors' own client libraries, which are Python packages in a folder of their own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::{Outcome, Site};
use crate::machine::{self, Supply, cargo, run};
use crate::workspace::Target;

const PACKAGE: &str = "oncue-fakes";
const PROGRAM: &str = "oncue-fake";

/// The oracles and the pins of the libraries that they use.
const ORACLES: &str = "crates/fakes/oracles";

/// Where the libraries are installed.
const LIBRARIES: &str = "target/oracles";

/// Fails where one of the pins in the file that it is given is not installed.
const CHECK_PINS: &str = "\
import sys
from importlib.metadata import PackageNotFoundError, version
for line in open(sys.argv[1]):
    name, _, pin = line.strip().partition('==')
    try:
        found = version(name)
    except PackageNotFoundError:
        found = None
    if found != pin:
        sys.exit(f'{name} is {found}, not {pin}')
";

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    let python = site.root.join(LIBRARIES).join("bin/python");
    let pins = site.root.join(ORACLES).join("requirements.txt");
    if let Some(why) = supply(site, &python, &pins)? {
        return Ok(Outcome::Skipped(why));
    }
    let program = program(&site.root)?;
    let mut failed = Vec::new();
    for oracle in oracles(&site.root)? {
        let mut command = Command::new(&python);
        command.arg(&oracle).arg(&program).env("PYTHONDONTWRITEBYTECODE", "1");
        if let Err(error) = run(&mut command) {
            eprintln!("error: {error:#}");
            failed.push(name(&oracle));
        }
    }
    if !failed.is_empty() {
        bail!("the fakes do not satisfy {}", failed.join(", "));
    }
    Ok(Outcome::Passed)
}

/// Makes sure of the libraries; says why they are not there where they may not or cannot be installed.
fn supply(site: &Site, python: &Path, pins: &Path) -> Result<Option<String>> {
    if are_there(python, pins) {
        return Ok(None);
    }
    if site.supply == Supply::AsFound {
        let why = "the vendors' client libraries are not in `target/oracles`: `cargo xtask ci --only oracles` brings them";
        return Ok(Some(why.to_owned()));
    }
    let packages = ["python3", "python3-venv"];
    let Some(system) = machine::debian(site.supply, "python3", &packages) else {
        return Ok(Some("no `python3`".to_owned()));
    };
    if !python.exists() {
        let folder = site.root.join(LIBRARIES);
        let make = || run(Command::new(&system).args(["-m", "venv"]).arg(&folder));
        // Where Python is there, what makes such folders may still be missing.
        if make().is_err() {
            machine::apt_install(&packages)?;
            make()?;
        }
    }
    let words = ["-m", "pip", "install", "--disable-pip-version-check", "-q", "-r"];
    run(Command::new(python).args(words).arg(pins))?;
    Ok(None)
}

fn are_there(python: &Path, pins: &Path) -> bool {
    let mut command = Command::new(python);
    let status = command.args(["-c", CHECK_PINS]).arg(pins).stdin(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// One line of cargo's JSON messages, as far as it is read here.
#[derive(Deserialize)]
struct Artifact {
    target: Target,
    executable: Option<PathBuf>,
}

/// Builds the program that serves the fakes and returns where it lies.
fn program(root: &Path) -> Result<PathBuf> {
    let words = ["build", "-q", "-p", PACKAGE, "--bin", PROGRAM, "--message-format"];
    let mut command = cargo();
    command.args(words).arg("json-render-diagnostics").current_dir(root);
    let output =
        command.stderr(Stdio::inherit()).output().context("failed to start `cargo build`")?;
    if !output.status.success() {
        bail!("`{PROGRAM}` does not build");
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("cargo does not say where `{PROGRAM}` lies"))
}

fn executable(messages: &str) -> Option<PathBuf> {
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut built = artifacts.filter(|artifact: &Artifact| artifact.target.name == PROGRAM);
    built.find_map(|artifact| artifact.executable)
}

/// Returns the oracles by name.
fn oracles(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join(ORACLES);
    let entries = fs::read_dir(&folder).with_context(|| format!("no `{ORACLES}`"))?;
    let mut oracles: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| name(path).ends_with("_oracle.py"))
        .collect();
    oracles.sort();
    if oracles.is_empty() {
        bail!("no oracle in `{ORACLES}`");
    }
    Ok(oracles)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{executable, name, oracles};
    use crate::tree;
    use std::path::PathBuf;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let messages = "\
            {\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"lib\"],\"name\":\"oncue_fakes\",\"src_path\":\"lib.rs\"},\"executable\":null}\n\
            {\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"bin\"],\"name\":\"oncue-fake\",\"src_path\":\"main.rs\"},\"executable\":\"/t/oncue-fake\"}\n\
            {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(executable(messages), Some(PathBuf::from("/t/oncue-fake")));
        assert_eq!(executable(""), None);
    }

    #[test]
    fn every_oracle_is_run_and_nothing_beside() {
        let found: Vec<String> =
            oracles(&tree::root().unwrap()).unwrap().iter().map(|path| name(path)).collect();
        assert!(
            found.len() > 1 && found.iter().all(|name| name.ends_with("_oracle.py")),
            "{found:?}"
        );
    }
}
