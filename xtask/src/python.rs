//! Pinned Python libraries in a folder of their own, for checks that run Python programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::machine::{self, Supply, run};

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

/// Returns the interpreter of the libraries in `folder`.
pub(crate) fn interpreter(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Makes sure of the libraries that `pins` names; says why they are not there where they may not or cannot be installed.
pub(crate) fn supply(
    supply: Supply,
    folder: &Path,
    pins: &Path,
    hint: &str,
) -> Result<Option<String>> {
    let python = interpreter(folder);
    if are_there(&python, pins) {
        return Ok(None);
    }
    if supply == Supply::AsFound {
        return Ok(Some(hint.to_owned()));
    }
    let packages = ["python3", "python3-venv"];
    let Some(system) = machine::debian(supply, "python3", &packages) else {
        return Ok(Some("no `python3`".to_owned()));
    };
    if !python.exists() {
        let make = || run(Command::new(&system).args(["-m", "venv"]).arg(folder));
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
