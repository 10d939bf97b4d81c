//! The client matrix: real clients, pinned, before `oncue serve`, each in every mode that it can use.
//!
//! `cargo xtask clients [CLIENT]...` installs the clients in `target/clients`, has each search for a tool and call it, and writes the tables of README.md and docs/clients.md where all were run and none failed.
//! The models of vendors' programs are played by `xtask/clients/vendor.mjs`: nothing is sent to anyone and no key is needed.
//!
//! | file | holds |
//! |---|---|
//! | `rows` | which clients, as what, in which modes |
//! | `supply` | the clients themselves |
//! | `bench` | what every run shares |
//! | `launch` | how each client is started |
//! | `run` | one run |
//! | `seen` | what a run showed |
//! | `verdict` | whether it went as it should |
//! | `facts` | the same, held against the gateway's table of clients |
//! | `table` | the tables of the documents |

mod bench;
mod facts;
mod launch;
mod rows;
mod run;
mod seen;
mod supply;
mod table;
mod verdict;

use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::figures::Document;
use crate::machine::Supply;
use bench::Bench;
use rows::{ROWS, Row};
use verdict::Measured;

/// What came of it.
pub(crate) enum Matrix {
    /// Everything is as it should be, or not.
    Told(bool),
    /// The clients cannot be had here, and why.
    Unavailable(String),
}

/// Runs the clients that are named, or all, prints what they showed and writes the tables.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let (options, ids): (Vec<&str>, Vec<&str>) =
        words.iter().copied().partition(|word| word.starts_with("--"));
    let is_json = match options.as_slice() {
        [] => false,
        ["--json"] => true,
        _ => bail!("unknown option `{}`: `--json` is the only one", options.join(" ")),
    };
    let known: Vec<&str> = ROWS.iter().map(|row| row.id).collect();
    for id in &ids {
        ensure!(known.contains(id), "unknown client `{id}`; known are {}", known.join(", "));
    }
    match matrix(root, Supply::Install, &ids, is_json)? {
        Matrix::Told(holds) => Ok(holds),
        Matrix::Unavailable(why) => {
            eprintln!("SKIPPED: nothing was run: {why}");
            Ok(false)
        }
    }
}

/// Runs the clients and says what came of it; the tables are written where all were run and nothing failed.
pub(crate) fn matrix(root: &Path, supply: Supply, ids: &[&str], is_json: bool) -> Result<Matrix> {
    if let Some(why) = supply::supply(root, supply)? {
        return Ok(Matrix::Unavailable(why));
    }
    let bench = Bench::make(root)?;
    let chosen = ROWS.iter().filter(|row| ids.is_empty() || ids.contains(&row.id));
    let mut measured = Vec::new();
    for row in chosen {
        for cell in row.cells {
            measured.push(measure(&bench, row, cell)?);
        }
    }
    let facts = facts::facts(&measured);
    let differences = facts::differences(root, &facts)?;
    match is_json {
        true => println!("{}", table::json(&measured, &facts)),
        false => println!("{}", table::matrix(&measured)),
    }
    for difference in &differences {
        eprintln!("{difference}");
    }
    let failed = measured.iter().filter(|it| !it.wrong.is_empty()).count();
    eprintln!("{} runs, {failed} failed, {} facts differ", measured.len(), differences.len());
    let holds = failed == 0 && differences.is_empty();
    if holds && ids.is_empty() {
        write(root, &bench, &measured, &facts)?;
    }
    Ok(Matrix::Told(holds))
}

fn measure(bench: &Bench, row: &'static Row, cell: &'static rows::Cell) -> Result<Measured> {
    let version = supply::version(&bench.root, row.package)?;
    let variant = if row.variant.is_empty() { String::new() } else { format!(", {}", row.variant) };
    let (mode, way) = (cell.mode.word(), cell.transport.word());
    eprint!("{} {version}{variant}: {mode}, {way} … ", row.title);
    let ran = run::run(bench, row, cell)?;
    let seen = if row.has_model() { seen::of_model(&ran) } else { seen::of_program(&ran) };
    let wrong = verdict::wrong(cell, &seen, &ran);
    eprintln!("{}", if wrong.is_empty() { "ok" } else { "FAILED" });
    for line in &wrong {
        eprintln!("  {line}");
    }
    Ok(Measured { row, cell, version, seen, wrong })
}

fn write(root: &Path, bench: &Bench, measured: &[Measured], facts: &[facts::Facts]) -> Result<()> {
    let mut readme = Document::read(&root.join("README.md"))?;
    readme.put("clients", &table::short(measured))?;
    readme.write()?;
    let mut document = Document::read(&root.join("docs/clients.md"))?;
    document.put("matrix", &table::matrix(measured))?;
    document.put("facts", &table::facts(bench, measured, facts))?;
    document.write()
}
