//! `oncue eval tune`: whether requests are served better by what other requests have taught.

use std::io::Write;

use oncue_eval::retrieval::Dataset;
use oncue_eval::tune::{HeldOut, Needs};

use super::folders::{load, nothing};
use super::retrieval::bench;
use crate::args::EvalTune;
use crate::command::tune::{examined, needed};
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{grouped, printable};

const HEADINGS: [&str; 9] = [
    "data set", "ranker", "requests", "before", "after", "gain", "95 %", "tools taught",
    "other tools",
];

pub(in crate::command) fn tune(
    args: &EvalTune,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let encoder = needed(&args.embedder)?;
    let mut present = Vec::new();
    let mut lines = Vec::new();
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        let found = measured(&dataset, &encoder)?;
        if args.json {
            write_json(out, &found)?;
            out.flush()?;
        }
        lines.push(found);
    }
    if lines.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    if args.markdown {
        out.write_all(table(&lines).markdown().as_bytes())?;
    } else if !args.json {
        writeln!(out, "{}", table(&lines).plain())?;
        writeln!(
            out,
            "recall within 5 hits in %, of requests whose like was not learnt; then needs served, of tools that others have taught something of and of the rest"
        )?;
    }
    Ok(Exit::Ok)
}

fn measured(dataset: &Dataset, encoder: &oncue_embed::SentenceEncoder) -> Result<HeldOut, Failure> {
    let bench = bench(dataset, Some(encoder));
    examined(dataset, &bench, encoder).map(|(found, _)| found)
}

fn table(lines: &[HeldOut]) -> Table {
    let mut table = Table::new(&HEADINGS, 2);
    for line in lines {
        let [low, high] = line.gain_ci95.map(|gain| format!("{:+.1}", gain * 100.0));
        table.push(vec![
            printable(&line.dataset),
            line.ranker.clone(),
            grouped(line.requests),
            format!("{:.1}", line.before * 100.0),
            format!("{:.1}", line.after * 100.0),
            format!("{:+.1}", (line.after - line.before) * 100.0),
            format!("{low}, {high}"),
            served(line.taught),
            served(line.untaught),
        ]);
    }
    table
}

/// Returns how many of the needs were served before and after: `80 → 91 of 100`.
fn served(needs: Needs) -> String {
    let Needs { all, before, after } = needs;
    format!("{} → {} of {}", grouped(before), grouped(after), grouped(all))
}
