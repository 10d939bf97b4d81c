//! `oncue eval retrieval`: how well rankers find the tools that labelled requests need.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use oncue_eval::retrieval::{Bench, Dataset, Run, ranker};
use oncue_search::{Ranker, Settings};
use oncue_tools::Embedder;

use super::folders::{load, nothing};
use super::print;
use crate::args::Retrieval;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::encoder;
use crate::text::printable;

pub(in crate::command) fn retrieval(
    args: &Retrieval,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let rankers = rankers(&args.ranker)?;
    let encoder = encoder(args.embedder.embedder.as_deref())?;
    let embedder = encoder.as_ref().map(|encoder| -> &dyn Embedder { encoder });
    let mut overview = Vec::new();
    let mut present = Vec::new();
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        let runs = measure(&dataset, &rankers, embedder, usize::from(args.hits));
        overview.extend(print::dataset(args, &runs, out)?);
        out.flush()?;
    }
    if overview.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    print::overview(args, &overview, out)?;
    Ok(Exit::Ok)
}

/// Returns the rankers of these names, each once.
pub(super) fn rankers(names: &[String]) -> Result<Vec<Box<dyn Ranker>>, Failure> {
    let mut rankers: Vec<Box<dyn Ranker>> = Vec::new();
    for name in names {
        if !rankers.iter().any(|known| known.name() == name) {
            rankers.push(ranker(name).map_err(Failure::input)?);
        }
    }
    Ok(rankers)
}

fn measure<'d>(
    dataset: &'d Dataset,
    rankers: &[Box<dyn Ranker>],
    embedder: Option<&'d dyn Embedder>,
    hits: usize,
) -> Vec<Run<'d>> {
    let bench = bench(dataset, embedder).with_hits(hits);
    let bar = bar(dataset.queries.len() * rankers.len(), &dataset.name);
    let runs = rankers.iter().map(|ranker| bench.run(&**ranker, &mut |_| bar.inc(1))).collect();
    bar.finish_and_clear();
    runs
}

/// Returns the bench over a data set, with what its tools mean where a model tells.
pub(super) fn bench<'d>(dataset: &'d Dataset, embedder: Option<&'d dyn Embedder>) -> Bench<'d> {
    let bench = Bench::new(dataset, Settings::default());
    let Some(embedder) = embedder else { return bench };
    let bar = bar(dataset.tools.len(), &format!("{}: meaning of tools", dataset.name));
    let bench = bench.with_meaning(embedder, &mut |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    bench
}

/// A bar for `total` steps of the work on `name`. It draws on standard error, and nothing where that is no terminal.
pub(super) fn bar(total: usize, name: &str) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message(printable(name));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}
