//! What keeps needs from being served, as a table and as JSON lines.

use std::collections::BTreeMap;
use std::io::Write;

use oncue_eval::retrieval::{Missed, Reason, Run};
use serde::Serialize;

use crate::args::Retrieval;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{columns, grouped, printable};

/// The missed needs of one run, as JSON.
#[derive(Serialize)]
pub(super) struct Line {
    dataset: String,
    split: String,
    ranker: String,
    needs: usize,
    missed: usize,
    reasons: BTreeMap<Reason, usize>,
}

impl Line {
    pub(super) fn of(run: &Run<'_>, missed: &Missed) -> Self {
        Self {
            dataset: run.dataset.name.clone(),
            split: run.dataset.split.clone(),
            ranker: run.ranker.clone(),
            needs: missed.needs,
            missed: missed.reasons.values().sum(),
            reasons: missed.reasons.clone(),
        }
    }
}

/// Prints a row for each run, and a column for each reason with how many needs it keeps.
pub(super) fn write(args: &Retrieval, lines: &[Line], out: &mut dyn Write) -> Result<(), Failure> {
    let headings: Vec<&str> = ["data set", "ranker", "needs", "missed"]
        .into_iter()
        .chain(Reason::ALL.map(Reason::name))
        .collect();
    let mut table = Table::new(&headings, 2);
    for line in lines {
        let mut row = vec![printable(&line.dataset), line.ranker.clone()];
        row.extend([line.needs, line.missed].map(grouped));
        let counts = Reason::ALL.map(|reason| line.reasons.get(&reason).copied().unwrap_or(0));
        row.extend(counts.map(grouped));
        table.push(row);
    }
    match args.markdown {
        true => writeln!(out, "\n## Missed needs by reason\n\n{}", table.markdown())?,
        false => writeln!(out, "\nmissed needs by reason\n{}", table.fitted(columns(), &[]))?,
    }
    Ok(())
}
