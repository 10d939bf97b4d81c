//! `oncue eval retrieval`: how well rankers find the tools that labelled requests need.

use std::io::Write;

use oncue_eval::retrieval::{Bench, DEFAULT_RANKER, Dataset, Run, WORDS_RANKER, ranker};
use oncue_search::{Ranker, Settings};
use oncue_tools::{Embedder, NoStore};

use super::folders::{load, nothing};
use super::print;
use super::reasons::{self, Line};
use crate::args::Retrieval;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::encoder;
use crate::progress::bar;

pub(in crate::command) fn retrieval(
    args: &Retrieval,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let encoder = encoder(args.embedder.embedder.as_deref())?;
    let rankers = rankers(&args.ranker, encoder.is_some())?;
    let embedder = encoder.as_ref().map(|encoder| -> &dyn Embedder { encoder });
    let mut overview = Vec::new();
    let mut reasons = Vec::new();
    let mut present = Vec::new();
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        let bench = bench(&dataset, embedder).with_hits(usize::from(args.hits));
        let runs = measure(&bench, &dataset, &rankers);
        overview.extend(print::dataset(args, &runs, out)?);
        if args.reasons {
            for (run, ranker) in runs.iter().zip(&rankers) {
                let line = Line::of(run, &bench.missed(run, &**ranker));
                if args.json {
                    write_json(out, &line)?;
                }
                reasons.push(line);
            }
        }
        out.flush()?;
    }
    if overview.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    print::overview(args, &overview, out)?;
    if args.reasons && !args.json {
        reasons::write(args, &reasons, out)?;
    }
    Ok(Exit::Ok)
}

/// Returns the rankers of these names, each once; without names that by words and, where there is a model, that by meaning too.
pub(super) fn rankers(names: &[String], has_model: bool) -> Result<Vec<Box<dyn Ranker>>, Failure> {
    let usual = [WORDS_RANKER, DEFAULT_RANKER].into_iter().take(if has_model { 2 } else { 1 });
    let usual = usual.filter(|_| names.is_empty());
    let mut rankers: Vec<Box<dyn Ranker>> = Vec::new();
    for name in names.iter().map(String::as_str).chain(usual) {
        if !rankers.iter().any(|known| known.name() == name) {
            rankers.push(ranker(name).map_err(Failure::input)?);
        }
    }
    Ok(rankers)
}

fn measure<'d>(
    bench: &Bench<'d>,
    dataset: &'d Dataset,
    rankers: &[Box<dyn Ranker>],
) -> Vec<Run<'d>> {
    let bar = bar(&dataset.name, dataset.queries.len() * rankers.len());
    let runs = rankers.iter().map(|ranker| bench.run(&**ranker, &mut |_| bar.inc(1))).collect();
    bar.finish_and_clear();
    runs
}

/// Returns the bench over a data set, with what its tools mean where a model tells.
pub(in crate::command) fn bench<'d>(
    dataset: &'d Dataset,
    embedder: Option<&'d dyn Embedder>,
) -> Bench<'d> {
    let bench = Bench::new(dataset, Settings::default());
    let Some(embedder) = embedder else { return bench };
    let bar = bar(&format!("{}: meaning of tools", dataset.name), dataset.tools.len());
    let bench = bench.with_meaning(embedder, &NoStore, &mut |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    bench
}
