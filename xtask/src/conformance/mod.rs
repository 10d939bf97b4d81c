//! `cargo xtask conformance`: the official conformance suite against our server, the gateway and our client, and the table of docs/conformance.md.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | what is run, and the verdict |
//! | `suite` | the suite: fetched by npm at pinned versions, run, and read |
//! | `built` | the programs that it is run against |
//! | `served` | servers that run meanwhile |
//! | `table` | what the document tells |

mod built;
mod served;
mod suite;
mod table;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::figures::{Document, Tables};
use built::Built;
use served::{Fixture, Gateway};
use suite::{Scenario, Suite, Supplied};

/// The revisions of the protocol whose requirements must be met.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Scenarios of clients that need authorization, which has a suite of its own.
const AUTHORIZATION: &str = "auth/";

/// Where the suite is installed and what it writes.
const FOLDER: &str = "target/conformance";

/// What was run against what.
struct Run {
    revision: &'static str,
    subject: Subject,
    required: Vec<Scenario>,
    /// Scenarios that the revision does not require.
    others: Vec<Scenario>,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Our server over our own protocol crate.
    Server,
    /// The same server behind the gateway.
    Gateway,
    /// Our client.
    Client,
}

/// What came of it.
pub(crate) enum Conformance {
    /// Whether everything that is required passed, and the document says so.
    Told(bool),
    /// Nothing was tested, and why.
    Unavailable(String),
}

/// Runs all of it, writes the table, and says whether everything that is required passed.
pub(crate) fn run(root: &Path) -> Result<bool> {
    match tested(root, Tables::Write)? {
        Conformance::Told(holds) => Ok(holds),
        Conformance::Unavailable(why) => {
            eprintln!("SKIPPED conformance: NOTHING WAS TESTED: {why}");
            Ok(true)
        }
    }
}

/// Runs all of it, and says whether everything that is required passed and the table says the same.
pub(crate) fn check(root: &Path) -> Result<Conformance> {
    tested(root, Tables::Compare)
}

fn tested(root: &Path, tables: Tables) -> Result<Conformance> {
    let suite = match Suite::supply(root)? {
        Supplied::Suite(suite) => suite,
        Supplied::Unavailable(why) => return Ok(Conformance::Unavailable(why)),
    };
    let built = Built::build(root)?;
    let fixture = Fixture::start(&built.server)?;
    let gateway = Gateway::start(root, &built.gateway, &fixture)?;
    let mut runs = Vec::new();
    for revision in REVISIONS {
        let required = suite.required(revision)?;
        for (subject, url) in [(Subject::Server, &fixture.url), (Subject::Gateway, &gateway.url)] {
            let scenarios = suite.server(revision, url)?;
            let is_required = |it: &Scenario| required.servers.contains(&it.name);
            let (of_revision, others) = scenarios.into_iter().partition(is_required);
            runs.push(whole(
                Run { revision, subject, required: of_revision, others },
                &required.servers,
            )?);
        }
        let names: Vec<String> =
            required.clients.into_iter().filter(|name| !name.starts_with(AUTHORIZATION)).collect();
        let scenarios: Result<Vec<Scenario>> =
            names.iter().map(|name| suite.client(revision, name, &built.client)).collect();
        let run =
            Run { revision, subject: Subject::Client, required: scenarios?, others: Vec::new() };
        runs.push(whole(run, &names)?);
    }
    let table = table::table(&runs);
    print!("{table}");
    let mut document = Document::read(&root.join("docs/conformance.md"))?;
    document.put("conformance", &table)?;
    let mut is_well = document.finish(tables, "cargo xtask conformance")?;
    for run in &runs {
        for scenario in run.required.iter().filter(|scenario| !scenario.passed()) {
            let (revision, subject) = (run.revision, run.subject);
            eprintln!("FAILED {revision} {subject:?} {}: {:?}", scenario.name, scenario.told);
            is_well = false;
        }
    }
    Ok(Conformance::Told(is_well))
}

/// A scenario that was not run cannot have passed.
fn whole(run: Run, required: &[String]) -> Result<Run> {
    for name in required {
        let is_there = run.required.iter().any(|scenario| scenario.name == *name);
        ensure!(is_there, "`{name}` of {} was not run ({:?})", run.revision, run.subject);
    }
    Ok(run)
}
