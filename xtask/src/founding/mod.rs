//! Which test shows which founding requirement, and which case. Nothing is kept: rows, comments and reports are read anew.

mod rows;
mod scan;
mod table;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::report::Kind;
use crate::stage::test::fresh;
use crate::{tree, workspace};
use rows::Rows;
use table::{Known, Table};

/// Prints the requirements with their tests and says whether each one due is shown by a test that passed.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let table = table(root, "founding", |rows| rows.requirement)?;
    print!("{table}");
    let open = table.open();
    for fault in &open {
        eprintln!("error: {fault}");
    }
    Ok(open.is_empty())
}

/// Prints the cases with their tests. What is open is told, and is no failure.
pub(crate) fn cases(root: &Path) -> Result<bool> {
    let table = table(root, "case", |rows| rows.case)?;
    print!("{table}");
    for fault in table.open() {
        eprintln!("open: {fault}");
    }
    Ok(true)
}

fn table(root: &Path, word: &str, of: impl Fn(Rows) -> Vec<rows::Row>) -> Result<Table> {
    let text = fs::read_to_string(root.join("xtask/founding.toml"))
        .context("failed to read `xtask/founding.toml`")?;
    let rows = of(rows::read(&text)?);
    let files = tree::files(root)?;
    let claims = scan::claims(&files, &workspace::read(root)?, word);
    let tests = fresh(root, Kind::Tests)?;
    let doctests = match claims.iter().any(scan::Claim::is_doctest) {
        true => fresh(root, Kind::Doctests)?,
        false => Default::default(),
    };
    let known = Known { tests: tests.passed, doctests: doctests.passed };
    Ok(Table::new(rows, &claims, &known))
}
