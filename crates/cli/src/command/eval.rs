//! `oncue eval retrieval`: how well rankers find the tools that labelled requests need.

mod print;

use std::io::Write;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use oncue_eval::retrieval::{Bench, Dataset, DatasetError, Run, ranker};
use oncue_search::{Ranker, Settings};

use crate::args::Retrieval;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::{counted, printable};

pub(super) fn run(
    args: &Retrieval,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let rankers = rankers(&args.ranker)?;
    let mut overview = Vec::new();
    let mut present = Vec::new();
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        let runs = measure(&dataset, &rankers);
        overview.extend(print::dataset(args, &runs, out)?);
        out.flush()?;
    }
    if overview.is_empty() {
        return Err(nothing(args, &present));
    }
    print::overview(args, &overview, out)?;
    Ok(Exit::Ok)
}

fn rankers(names: &[String]) -> Result<Vec<Box<dyn Ranker>>, Failure> {
    let mut rankers: Vec<Box<dyn Ranker>> = Vec::new();
    for name in names {
        if !rankers.iter().any(|known| known.name() == name) {
            rankers.push(ranker(name).map_err(Failure::input)?);
        }
    }
    Ok(rankers)
}

/// Returns the data set in `folder`, or says on `err` why it is skipped.
fn load(
    folder: &Path,
    split: &str,
    present: &mut Vec<String>,
    err: &mut dyn Write,
) -> Result<Option<Dataset>, Failure> {
    let shown = printable(&folder.display().to_string());
    if folder.is_file() {
        writeln!(err, "skipped `{shown}`: a file, not a folder")?;
        return Ok(None);
    }
    if !folder.exists() {
        return Err(Failure::input(anyhow::anyhow!("no folder `{shown}`"))
            .hint(format!("a data set is a folder with tools.jsonl and queries.{split}.jsonl")));
    }
    match Dataset::load(folder, split) {
        Ok(dataset) => {
            if let Some(first) = dataset.unknown.first() {
                let count = counted(dataset.unknown.len(), "id");
                let (line, id) = (first.line, printable(&first.id));
                writeln!(
                    err,
                    "warning: `{shown}`: {count} in the queries that no tool has, counted as missed: line {line} `{id}`"
                )?;
            }
            Ok(Some(dataset))
        }
        Err(DatasetError::NoQueries { present: found, .. }) => {
            writeln!(err, "skipped `{shown}`: no queries.{split}.jsonl")?;
            present.extend(found);
            Ok(None)
        }
        Err(error) => Err(Failure::input(error)),
    }
}

fn measure<'d>(dataset: &'d Dataset, rankers: &[Box<dyn Ranker>]) -> Vec<Run<'d>> {
    let bench = Bench::new(dataset, Settings::default());
    let total = dataset.queries.len() * rankers.len();
    // It draws on standard error, and nothing where that is no terminal.
    let bar = ProgressBar::new(total as u64).with_message(printable(&dataset.name));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    let runs = rankers.iter().map(|ranker| bench.run(&**ranker, &mut |_| bar.inc(1))).collect();
    bar.finish_and_clear();
    runs
}

fn nothing(args: &Retrieval, present: &[String]) -> Failure {
    let failure =
        Failure::nothing(format!("no queries.{}.jsonl in any of the folders", args.split));
    match present.first() {
        Some(split) => failure.hint(format!("there is another split: `--split {split}`")),
        None => failure.hint("name folders with tools.jsonl and queries.NAME.jsonl"),
    }
}
