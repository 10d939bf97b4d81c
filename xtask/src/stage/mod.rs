//! The checks in the order in which they run. A stage passes, fails, or is skipped because a tool is missing.

mod clients;
mod conformance;
mod deny;
pub(crate) mod fuzz;
mod local_model;
mod model;
mod onnx;
mod oracles;
mod rust;
pub(crate) mod test;
mod wasm;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::machine::Supply;
use crate::{founding, tidy};

/// Where the stages run and what they may install; the same for every stage of a run.
pub(crate) struct Site {
    /// The root of the workspace.
    pub root: PathBuf,
    /// What becomes of missing tools.
    pub supply: Supply,
}

/// What is behind features and checked with the rest.
pub(crate) const FEATURES: [&str; 2] = ["--features", "oncue-cli/bedrock,oncue-cli/bm25"];

/// How a stage ended, unless it failed.
pub(crate) enum Outcome {
    /// The check holds.
    Passed,
    /// The check could not be made, and why.
    Skipped(String),
}

struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn(&Site) -> Result<Outcome>,
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", what: "the code is formatted", run: rust::fmt },
    Stage { name: "tidy", what: "the rules over text, folders and dependencies", run: tidied },
    Stage { name: "clippy", what: "no lint warns, in any target", run: rust::clippy },
    Stage { name: "model", what: "the embedding model is installed", run: model::install },
    Stage { name: "test", what: "unit and integration tests", run: test::tests },
    Stage { name: "doctest", what: "the examples in the documentation", run: test::doctests },
    Stage { name: "founding", what: "every founding requirement due has a test", run: founded },
    Stage { name: "doc", what: "the documentation builds without warnings", run: rust::doc },
    Stage { name: "examples", what: "every example runs", run: rust::examples },
    Stage {
        name: "bench",
        what: "every benchmark runs once, on small catalogs",
        run: rust::benches,
    },
    Stage { name: "deny", what: "licences, banned crates, sources", run: deny::run },
    Stage {
        name: "wasm",
        what: "decl and search give the same answers under wasm32",
        run: wasm::run,
    },
    Stage {
        name: "oracles",
        what: "the fakes of model vendors satisfy the vendors' own client libraries",
        run: oracles::run_all,
    },
    Stage {
        name: "onnx",
        what: "an embedding model in ONNX gives the vectors of its reference runtime",
        run: onnx::run_all,
    },
    Stage {
        name: "local-model",
        what: "the loop holds before the smallest real model",
        run: local_model::run_all,
    },
    Stage {
        name: "conformance",
        what: "server, gateway and client pass the protocol's official suite",
        run: conformance::run_all,
    },
    Stage {
        name: "clients",
        what: "real clients find and call tools through the gateway",
        run: clients::run_all,
    },
    Stage {
        name: "fuzz",
        what: "made-up input breaks nothing, for a short while",
        run: fuzz::stage,
    },
];

fn tidied(site: &Site) -> Result<Outcome> {
    verdict(tidy::run(&site.root)?, "see the findings above")
}

fn founded(site: &Site) -> Result<Outcome> {
    verdict(founding::run(&site.root)?, "see the table above")
}

fn verdict(holds: bool, hint: &str) -> Result<Outcome> {
    if !holds {
        bail!("{hint}");
    }
    Ok(Outcome::Passed)
}

/// Prints the names of the stages.
pub(crate) fn list() {
    for stage in STAGES {
        println!("{:<12} {}", stage.name, stage.what);
    }
}

struct Line {
    name: &'static str,
    time: Duration,
    state: Result<Outcome>,
}

impl Line {
    fn is_good(&self, supply: Supply) -> bool {
        match &self.state {
            Ok(Outcome::Passed) => true,
            Ok(Outcome::Skipped(_)) => supply == Supply::AsFound,
            Err(_) => false,
        }
    }
}

/// Runs the named stages, or all, and says whether all is well; where missing tools are installed, a skipped stage is not.
pub(crate) fn run(root: &Path, supply: Supply, only: &[&str]) -> Result<bool> {
    if let Some(unknown) = only.iter().find(|name| STAGES.iter().all(|stage| stage.name != **name))
    {
        bail!("no stage `{unknown}`: `cargo xtask test --list` names them");
    }
    let site = Site { root: root.to_owned(), supply };
    let chosen = STAGES.iter().filter(|stage| only.is_empty() || only.contains(&stage.name));
    let mut lines = Vec::new();
    for stage in chosen {
        eprintln!("\n== {}: {}", stage.name, stage.what);
        let start = Instant::now();
        let state = (stage.run)(&site);
        if let Err(error) = &state {
            eprintln!("error: {error:#}");
        }
        lines.push(Line { name: stage.name, time: start.elapsed(), state });
    }
    eprintln!("\n{}", summary(&lines));
    Ok(lines.iter().all(|line| line.is_good(supply)))
}

fn summary(lines: &[Line]) -> String {
    let mut text = String::from("stage       seconds  state\n");
    for line in lines {
        let state = match &line.state {
            Ok(Outcome::Passed) => "ok".to_owned(),
            Ok(Outcome::Skipped(why)) => format!("SKIPPED: {why}"),
            Err(error) => format!("FAILED: {}", error.to_string().lines().next().unwrap_or("")),
        };
        text.push_str(&format!("{:<12}{:>7.1}  {state}\n", line.name, line.time.as_secs_f64()));
    }
    let total: Duration = lines.iter().map(|line| line.time).sum();
    text.push_str(&format!("{:<12}{:>7.1}\n", "all", total.as_secs_f64()));
    text
}

#[cfg(test)]
mod tests {
    use super::{Line, Outcome, summary};
    use crate::machine::Supply;
    use anyhow::anyhow;
    use std::time::Duration;

    fn line(state: anyhow::Result<Outcome>) -> Line {
        Line { name: "wasm", time: Duration::from_millis(1500), state }
    }

    #[test]
    fn the_summary_shows_skips_and_failures_with_their_reasons() {
        let lines = [
            line(Ok(Outcome::Passed)),
            line(Ok(Outcome::Skipped("no `node`".into()))),
            line(Err(anyhow!("it broke\nhere"))),
        ];
        assert_eq!(
            summary(&lines),
            "stage       seconds  state\n\
             wasm            1.5  ok\n\
             wasm            1.5  SKIPPED: no `node`\n\
             wasm            1.5  FAILED: it broke\n\
             all             4.5\n"
        );
    }

    #[test]
    fn a_skipped_stage_is_a_failure_where_tools_are_installed() {
        let skipped = line(Ok(Outcome::Skipped(String::new())));
        assert!(skipped.is_good(Supply::AsFound));
        assert!(!skipped.is_good(Supply::Install));
        assert!(!line(Err(anyhow!("x"))).is_good(Supply::AsFound));
    }
}
