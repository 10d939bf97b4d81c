//! Builds `decl` and `search` for wasm32 and compares what they answer under Node with what they answer natively.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Outcome, Site};
use crate::machine::{self, Supply, cargo};

const TARGET: &str = "wasm32-unknown-unknown";
const PROBE: &str = "oncue-wasm-probe";

/// Apart from the other builds, since the flags differ.
const TARGET_DIR: &str = "target/wasm";

/// The packages that bring a compiler for wasm32 with the source of its library, where the toolchain in use has no such target.
const DEBIAN: [&str; 3] = ["rustc-web", "rust-web-src", "lld"];

/// How wasm32 can be built on this machine.
enum Way {
    /// The toolchain in use has the target.
    Toolchain,
    /// Debian's compiler builds the library from source.
    Debian { rustc: PathBuf, linker: PathBuf },
}

pub(super) fn run(site: &Site) -> Result<Outcome> {
    let Some(node) = machine::debian(site.supply, "node", &["nodejs"]) else {
        return Ok(Outcome::Skipped("no `node`".to_owned()));
    };
    let Some(way) = way(site) else {
        let why = format!("no {TARGET}: `rustup target add {TARGET}` brings it");
        return Ok(Outcome::Skipped(why));
    };
    let module = build(site, &way)?;
    let native = answer(
        cargo().args(["run", "-q", "-p", PROBE, "--bin", "native"]).current_dir(&site.root),
    )?;
    let script = site.root.join("xtask/wasm-probe/run.mjs");
    let under_node = answer(Command::new(node).arg(script).arg(module))?;
    if native.trim().is_empty() || native != under_node {
        bail!("wasm32 answers otherwise\nnative:\n{native}\nwasm32:\n{under_node}");
    }
    eprintln!("both answer:\n{native}");
    Ok(Outcome::Passed)
}

fn way(site: &Site) -> Option<Way> {
    if toolchain_has_target(&site.root) {
        return Some(Way::Toolchain);
    }
    if site.supply == Supply::Install {
        if let Some(rustup) = machine::program("rustup")
            && machine::run(Command::new(rustup).args(["target", "add", TARGET])).is_ok()
            && toolchain_has_target(&site.root)
        {
            return Some(Way::Toolchain);
        }
        if debian_compiler().is_none()
            && let Err(error) = machine::apt_install(&DEBIAN)
        {
            eprintln!("{error:#}");
        }
    }
    debian_compiler()
}

fn sysroot(rustc: &Path, root: &Path) -> Option<PathBuf> {
    let output =
        Command::new(rustc).args(["--print", "sysroot"]).current_dir(root).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

fn toolchain_has_target(root: &Path) -> bool {
    sysroot(Path::new("rustc"), root)
        .is_some_and(|sysroot| sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir())
}

fn debian_compiler() -> Option<Way> {
    let rustc = Path::new("/usr/bin/rustc");
    let linker = Path::new("/usr/bin/wasm-ld");
    let source = sysroot(rustc, Path::new("/"))?.join("lib/rustlib/src/rust/library/core");
    let is_whole = linker.exists() && source.is_dir();
    is_whole.then(|| Way::Debian { rustc: rustc.to_owned(), linker: linker.to_owned() })
}

fn build(site: &Site, way: &Way) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "-p", PROBE, "--lib", "--release", "--target", TARGET]);
    command.args(["--target-dir", TARGET_DIR]);
    if let Way::Debian { rustc, linker } = way {
        command.args(["-Z", "build-std=std,panic_abort"]);
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
        command.env("RUSTFLAGS", "-C linker-flavor=wasm-ld");
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    machine::run(command.current_dir(&site.root))?;
    let file = format!("{}.wasm", PROBE.replace('-', "_"));
    Ok(site.root.join(TARGET_DIR).join(TARGET).join("release").join(file))
}

fn answer(command: &mut Command) -> Result<String> {
    let output = command.output().context("failed to start the probe")?;
    if !output.status.success() {
        bail!("the probe failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
