//! The stages that need Rust alone, apart from the tests.

use std::time::{Duration, Instant};
use std::{process::Stdio, thread};

use anyhow::{Context, Result, bail};

use super::{FEATURES, Outcome, Site};
use crate::machine::{cargo, run};
use crate::workspace::{self, Package};

/// How long one example may run.
const EXAMPLE_SECONDS_MAX: u64 = 60;

/// How often a running example is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

pub(super) fn fmt(site: &Site) -> Result<Outcome> {
    run(cargo().args(["fmt", "--all", "--check"]).current_dir(&site.root))?;
    Ok(Outcome::Passed)
}

pub(super) fn clippy(site: &Site) -> Result<Outcome> {
    let mut command = cargo();
    command.args(["clippy", "--workspace", "--all-targets"]).args(FEATURES);
    run(command.args(["--", "-D", "warnings"]).current_dir(&site.root))?;
    for package in workspace::read(&site.root)?.packages {
        let behind = behind_features(&package);
        if !behind.is_empty() {
            let mut command = cargo();
            command.args(["clippy", "-p", &package.name, "--all-targets"]).args(behind);
            run(command.args(["--", "-D", "warnings"]).current_dir(&site.root))?;
        }
    }
    Ok(Outcome::Passed)
}

/// What cargo is told in order to build the examples that a package keeps behind features; nothing where it keeps none.
///
/// They are built apart, so that what they depend on stays out of all other builds.
/// It may ask for a newer Rust than ours; that ours builds it is what these stages show.
fn behind_features(package: &Package) -> Vec<String> {
    let features = package.features_of_examples();
    if features.is_empty() {
        return Vec::new();
    }
    vec!["--ignore-rust-version".to_owned(), format!("--features={}", features.join(","))]
}

pub(super) fn doc(site: &Site) -> Result<Outcome> {
    let mut command = cargo();
    command
        .args(["doc", "--workspace", "--no-deps"])
        .args(FEATURES)
        .env("RUSTDOCFLAGS", "-D warnings");
    run(command.current_dir(&site.root))?;
    Ok(Outcome::Passed)
}

pub(super) fn examples(site: &Site) -> Result<Outcome> {
    for package in workspace::read(&site.root)?.packages {
        if !package.targets.iter().any(|target| target.is("example")) {
            continue;
        }
        let behind = behind_features(&package);
        // As it is run below, with the features of this package alone, so that no build counts as running.
        let mut command = cargo();
        command.args(["build", "-p", &package.name, "--examples"]).args(&behind);
        run(command.current_dir(&site.root))?;
        for target in package.targets.iter().filter(|target| target.is("example")) {
            example(site, &package.name, &target.name, &behind)?;
        }
    }
    Ok(Outcome::Passed)
}

fn example(site: &Site, package: &str, name: &str, behind: &[String]) -> Result<()> {
    let mut words = vec!["run", "-q", "-p", package, "--example", name];
    words.extend(behind.iter().map(String::as_str));
    eprintln!("$ cargo {}", words.join(" "));
    let mut child = cargo()
        .args(words)
        .current_dir(&site.root)
        .stdin(Stdio::null())
        .spawn()
        .context("failed to start `cargo run`")?;
    let deadline = Instant::now() + Duration::from_secs(EXAMPLE_SECONDS_MAX);
    loop {
        if let Some(status) = child.try_wait()? {
            if !status.success() {
                bail!("the example `{name}` failed ({status})");
            }
            return Ok(());
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            bail!("the example `{name}` did not end within {EXAMPLE_SECONDS_MAX} s");
        }
        thread::sleep(POLL_INTERVAL);
    }
}

pub(super) fn benches(site: &Site) -> Result<Outcome> {
    for package in workspace::read(&site.root)?.packages {
        for target in package.targets.iter().filter(|target| target.is("bench")) {
            let mut command = cargo();
            command.args(["test", "-q", "-p", &package.name, "--bench", &target.name]);
            // Every benchmark takes this to mean one small round.
            command.args(["--", "--test"]);
            run(command.current_dir(&site.root))?;
        }
    }
    Ok(Outcome::Passed)
}
