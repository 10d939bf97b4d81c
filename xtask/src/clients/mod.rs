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
use std::sync::Mutex;
use std::thread;

use anyhow::{Result, bail, ensure};

use crate::figures::{Document, Tables};
use crate::machine::Supply;
use bench::Bench;
use rows::{Cell, ROWS, Row};
pub(crate) use supply::{package, supplied};
use verdict::Measured;

/// Runs that go on at once; each is a client, a gateway and its servers.
const AT_ONCE: usize = 2;

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
    if let Some(why) = supply::supply(root, Supply::Install)? {
        eprintln!("SKIPPED: nothing was run: {why}");
        return Ok(false);
    }
    let rows: Vec<&Row> =
        ROWS.iter().filter(|row| ids.is_empty() || ids.contains(&row.id)).collect();
    let seen = See::all(root, &rows)?;
    match is_json {
        true => println!("{}", table::json(&seen.measured, &seen.facts)),
        false => println!("{}", table::matrix(&seen.measured)),
    }
    Ok(seen.holds && (!ids.is_empty() || seen.tables(root, Tables::Write)?))
}

/// Runs every client and says what came of it.
pub(crate) fn check(root: &Path, supply: Supply) -> Result<Matrix> {
    if let Some(why) = supply::supply(root, supply)? {
        return Ok(Matrix::Unavailable(why));
    }
    let seen = See::all(root, &ROWS.iter().collect::<Vec<_>>())?;
    Ok(Matrix::Told(seen.holds && seen.tables(root, Tables::Compare)?))
}

/// What all runs together showed.
struct See {
    bench: Bench,
    measured: Vec<Measured>,
    facts: Vec<facts::Facts>,
    /// Whether no run failed and the gateway's table says the same.
    holds: bool,
}

impl See {
    fn all(root: &Path, rows: &[&'static Row]) -> Result<Self> {
        let bench = Bench::make(root)?;
        let jobs: Vec<(&'static Row, &'static Cell)> =
            rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (*row, cell))).collect();
        let measured = measured(&bench, &jobs)?;
        let facts = facts::facts(&measured);
        let differences = facts::differences(root, &facts)?;
        for difference in &differences {
            eprintln!("{difference}");
        }
        let failed = measured.iter().filter(|it| !it.wrong.is_empty()).count();
        eprintln!("{} runs, {failed} failed, {} facts differ", measured.len(), differences.len());
        let holds = failed == 0 && differences.is_empty();
        Ok(Self { bench, measured, facts, holds })
    }

    /// Puts the tables into the documents, or says whether they are there already.
    fn tables(&self, root: &Path, tables: Tables) -> Result<bool> {
        let mut readme = Document::read(&root.join("README.md"))?;
        readme.put("clients", &table::short(&self.measured))?;
        let mut document = Document::read(&root.join("docs/clients.md"))?;
        document.put("matrix", &table::matrix(&self.measured))?;
        document.put("facts", &table::facts(&self.bench, &self.measured, &self.facts))?;
        let mut holds = true;
        for document in [readme, document] {
            holds &= document.finish(tables, "cargo xtask clients")?;
        }
        Ok(holds)
    }
}

/// Makes the runs, some at once, and returns them in their order.
fn measured(bench: &Bench, jobs: &[(&'static Row, &'static Cell)]) -> Result<Vec<Measured>> {
    let queue = Mutex::new(jobs.iter().enumerate());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                // A lock is poisoned only by a run that panicked, which ends the command anyway.
                while let Some((at, (row, cell))) = queue.lock().ok().and_then(|mut it| it.next()) {
                    let measured = measure(bench, row, cell);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, measured));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, measured)| measured).collect()
}

/// Makes a run, and once more where it fails: on a busy machine a client may be late.
fn measure(bench: &Bench, row: &'static Row, cell: &'static Cell) -> Result<Measured> {
    let first = once(bench, row, cell)?;
    if first.wrong.is_empty() {
        return Ok(first);
    }
    once(bench, row, cell)
}

fn once(bench: &Bench, row: &'static Row, cell: &'static Cell) -> Result<Measured> {
    let version = supply::version(&bench.root, row.package)?;
    let variant = if row.variant.is_empty() { String::new() } else { format!(", {}", row.variant) };
    let ran = run::run(bench, row, cell)?;
    let seen = if row.has_model() { seen::of_model(&ran) } else { seen::of_program(&ran) };
    let wrong = verdict::wrong(cell, &seen, &ran);
    let (mode, way) = (cell.mode.word(), cell.transport.word());
    let ok = if wrong.is_empty() { "ok" } else { "FAILED" };
    let mut told = format!("{} {version}{variant}: {mode}, {way}: {ok}", row.title);
    for line in &wrong {
        told += &format!("\n  {line}");
    }
    eprintln!("{told}");
    Ok(Measured { row, cell, version, seen, wrong })
}
