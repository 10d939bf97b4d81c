//! Embedding models in ONNX, which are behind a feature of their own, so that nobody else builds what runs them.

use anyhow::Result;

use super::{Outcome, Site};
use crate::machine::{cargo, run};
use crate::models;

/// The packages that have the feature.
const PACKAGES: [&str; 4] = ["-p", "oncue-embed", "-p", "oncue-cli"];

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    if !models::install_onnx(&site.root, site.supply)? {
        return Ok(Outcome::Skipped("no model in ONNX: cargo xtask models".to_owned()));
    }
    let features = ["--features", "oncue-cli/onnx"];
    let mut clippy = cargo();
    clippy.arg("clippy").args(PACKAGES).arg("--all-targets").args(features);
    run(clippy.args(["--", "-D", "warnings"]).current_dir(&site.root))?;
    let mut test = cargo();
    test.args(["test", "-q", "-p", "oncue-embed", "--features", "oncue-embed/onnx", "onnx"]);
    run(test.current_dir(&site.root))?;
    Ok(Outcome::Passed)
}
