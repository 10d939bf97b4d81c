//! Licences, banned crates and sources of every dependency, by `cargo-deny` and `deny.toml`.

use anyhow::Result;

use super::{Outcome, Site};
use crate::machine;

/// The advisories are left out: their database comes from a network that a build may not have.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

pub(super) fn run(site: &Site) -> Result<Outcome> {
    let Some(program) = machine::crates_io(site.supply, "cargo-deny") else {
        let why = "no `cargo-deny`: `cargo install --locked cargo-deny` brings it";
        return Ok(Outcome::Skipped(why.to_owned()));
    };
    let mut command = std::process::Command::new(program);
    command.args(["--workspace", "--all-features", "check"]).args(CHECKS);
    machine::run(command.current_dir(&site.root))?;
    Ok(Outcome::Passed)
}
