//! Holds the fakes of model vendors against the vendors' own client libraries, which are Python packages in a folder of their own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Outcome, Site};
use crate::machine::run;
use crate::{built, python};

const PACKAGE: &str = "oncue-fakes";
const PROGRAM: &str = "oncue-fake";

/// The oracles and the pins of the libraries that they use.
const ORACLES: &str = "crates/fakes/oracles";

/// Where the libraries are installed.
const LIBRARIES: &str = "target/oracles";

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    let libraries = site.root.join(LIBRARIES);
    let pins = site.root.join(ORACLES).join("requirements.txt");
    let hint = "the vendors' client libraries are not in `target/oracles`: `cargo xtask ci --only oracles` brings them";
    if let Some(why) = python::supply(site.supply, &libraries, &pins, hint)? {
        return Ok(Outcome::Skipped(why));
    }
    let python = python::interpreter(&libraries);
    let program = built::program(&site.root, PACKAGE, PROGRAM)?;
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
    use super::{name, oracles};
    use crate::tree;

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
