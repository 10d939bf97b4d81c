//! Feeds made-up input, guided by coverage, to what reads foreign text. Needs a C++ compiler for libFuzzer beside stable Rust.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use super::{Outcome, Site};
use crate::machine::{self, Supply, cargo, run};
use crate::workspace;

const PACKAGE: &str = "oncue-fuzz";

/// Apart from the other builds, since the flags differ.
const TARGET_DIR: &str = "target/fuzz";

/// What `cargo fuzz` passes where no sanitizer is asked for: the counters that libFuzzer reads, and overflow checks.
const RUSTFLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks";

/// Longest made-up input, in bytes; more than any bound of a query, and room for several tools.
const INPUT_BYTES_MAX: u32 = 8_192;

/// Seconds after which one input counts as endless.
const INPUT_SECONDS_MAX: u32 = 10;

/// Memory after which an input counts as too greedy, in MiB.
const MEMORY_MIB_MAX: u32 = 2_048;

/// How long each target is fed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// For this long, in seconds.
    Seconds(u64),
    /// This many inputs.
    Runs(u64),
}

impl Default for Effort {
    fn default() -> Self {
        Self::Seconds(5)
    }
}

impl Effort {
    fn option(self) -> String {
        match self {
            Self::Seconds(seconds) => format!("-max_total_time={seconds}"),
            Self::Runs(runs) => format!("-runs={runs}"),
        }
    }
}

pub(super) fn stage(site: &Site) -> Result<Outcome> {
    if machine::debian(site.supply, "c++", &["g++"]).is_none() {
        return Ok(Outcome::Skipped("no `c++`, a C++ compiler".to_owned()));
    }
    let effort = match site.supply {
        Supply::AsFound => Effort::default(),
        Supply::Install => Effort::Seconds(60),
    };
    command(&site.root, effort, &[])?;
    Ok(Outcome::Passed)
}

/// Feeds the named targets, or all, and says that none broke.
///
/// # Errors
///
/// When a target broke; the input that did it is kept in `fuzz/regressions/TARGET/`.
pub(crate) fn command(root: &Path, effort: Effort, only: &[&str]) -> Result<bool> {
    let targets = targets(root)?;
    if let Some(unknown) = only.iter().find(|name| !targets.iter().any(|target| target == *name)) {
        bail!("no fuzz target `{unknown}`: use one of {}", targets.join(", "));
    }
    let host = host(root)?;
    let mut build = cargo();
    build.args(["build", "-p", PACKAGE, "--features", "libfuzzer", "--release", "--bins"]);
    build.args(["--target", &host, "--target-dir", TARGET_DIR]).env("RUSTFLAGS", RUSTFLAGS);
    run(build.current_dir(root))?;
    let programs = root.join(TARGET_DIR).join(host).join("release");
    let chosen: Vec<&str> = targets
        .iter()
        .map(String::as_str)
        .filter(|target| only.is_empty() || only.contains(target))
        .collect();
    let mut broken = Vec::new();
    for together in chosen.chunks(thread::available_parallelism().map_or(1, usize::from)) {
        broken.extend(feed_together(root, &programs, together, effort));
    }
    if !broken.is_empty() {
        bail!(
            "inputs that break {} are kept in `fuzz/regressions/`: fix the fault and commit them",
            broken.join(", ")
        );
    }
    Ok(true)
}

fn targets(root: &Path) -> Result<Vec<String>> {
    let workspace = workspace::read(root)?;
    let package = workspace.packages.into_iter().find(|package| package.name == PACKAGE);
    let package = package.with_context(|| format!("no package `{PACKAGE}`"))?;
    Ok(package.targets.into_iter().filter(|t| t.is("bin")).map(|t| t.name).collect())
}

/// The target of this machine, named so that build scripts and macros stay without counters.
fn host(root: &Path) -> Result<String> {
    let output = Command::new("rustc").arg("-vV").current_dir(root).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` does not name the host")?.to_owned())
}

/// Feeds each target on a core of its own and returns those that broke.
fn feed_together<'t>(
    root: &Path,
    programs: &Path,
    targets: &[&'t str],
    effort: Effort,
) -> Vec<&'t str> {
    thread::scope(|scope| {
        let feeding: Vec<_> = targets
            .iter()
            .map(|&target| {
                let feed = move || feed(root, &programs.join(target), target, effort);
                (target, scope.spawn(feed))
            })
            .collect();
        let mut broken = Vec::new();
        for (target, handle) in feeding {
            match handle.join() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    eprintln!("error: {error:#}");
                    broken.push(target);
                }
                Err(_) => broken.push(target),
            }
        }
        broken
    })
}

fn feed(root: &Path, program: &Path, target: &str, effort: Effort) -> Result<()> {
    let grown = root.join(TARGET_DIR).join("corpus").join(target);
    let regressions = root.join("fuzz/regressions").join(target);
    let seeds = root.join("fuzz/seeds").join(target);
    for folder in [&grown, &regressions, &seeds] {
        fs::create_dir_all(folder)?;
    }
    let mut command = Command::new(program);
    command.arg(effort.option()).args([
        format!("-max_len={INPUT_BYTES_MAX}"),
        format!("-timeout={INPUT_SECONDS_MAX}"),
        format!("-rss_limit_mb={MEMORY_MIB_MAX}"),
        format!("-artifact_prefix={}/", regressions.display()),
        format!("-dict={}", root.join("fuzz/words.dict").display()),
        "-print_final_stats=1".to_owned(),
    ]);
    eprintln!("$ {target} {}", effort.option());
    let output = command
        .args([&grown, &regressions, &seeds])
        .current_dir(root)
        .output()
        .with_context(|| format!("failed to start the fuzz target `{target}`"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        eprintln!("{log}");
        bail!("the fuzz target `{target}` broke ({})", output.status);
    }
    for line in log.lines().filter_map(|line| line.strip_prefix("stat::")) {
        eprintln!("{target}: {line}");
    }
    Ok(())
}
