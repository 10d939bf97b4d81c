//! `oncue eval fit`: weights fitted on data sets, and what they reach on sets that took no part.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::ProgressBar;
use oncue_eval::fit::{Fit, LeftOut, Report, Weights};
use oncue_eval::retrieval::Dataset;
use oncue_tools::Embedder;
use serde::Serialize;
use serde_json::{Map, Value};

use super::folders;
use crate::args::{self, FitRanker};
use crate::command::tune::needed;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{counted, grouped, printable};

pub(in crate::command) fn fit(
    args: &args::Fit,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let datasets = folders::all(&args.folders, &args.split, err)?;
    let encoder = match args.ranker {
        FitRanker::Bm25f => None,
        FitRanker::Hybrid => Some(needed(&args.embedder)?),
    };
    let embedder = encoder.as_ref().map(|encoder| -> &dyn Embedder { encoder });
    let report = fitted(&datasets, embedder, args.rounds)?;
    if args.json {
        write_lines(&report, out)?;
    } else {
        write_tables(args, &report, out)?;
    }
    Ok(Exit::Ok)
}

fn fitted(
    datasets: &[Dataset],
    embedder: Option<&dyn Embedder>,
    rounds: u8,
) -> Result<Report, Failure> {
    /// How often the sign of life moves.
    const TICK: Duration = Duration::from_millis(120);

    // It draws on standard error, and nothing where that is no terminal.
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(TICK);
    let report = oncue_eval::fit::fit(datasets, embedder, rounds.into(), &mut |step| {
        let (fit, fits, round, knob) = (step.fit, step.fits, step.round, step.knob);
        spinner.set_message(format!("fit {fit} of {fits}, round {round}: {knob}"));
    });
    spinner.finish_and_clear();
    report.map_err(|error| {
        Failure::input(error).hint("name data sets over different tools, each with its own folder")
    })
}

/// Weights that were fitted, as JSON.
#[derive(Serialize)]
struct FitJson<'r> {
    fit: usize,
    without: &'r [String],
    mean: f64,
    rounds: usize,
    settled: bool,
    weights: Map<String, Value>,
}

/// A data set with weights that were fitted without it, as JSON.
#[derive(Serialize)]
struct LeftOutJson<'r> {
    dataset: &'r str,
    queries: usize,
    fit: usize,
    #[serde(rename = "recall@5")]
    recall_5: f64,
    #[serde(rename = "default_recall@5")]
    default_recall_5: f64,
    difference: f64,
    ci95_difference: [f64; 2],
}

fn write_lines(report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    for (place, fit) in report.fits.iter().enumerate() {
        let Fit { without, weights, mean, rounds, settled } = fit;
        let weights =
            weights.named(report.part).map(|(name, value)| (name.to_owned(), number(value)));
        let line = FitJson {
            fit: place,
            without,
            mean: *mean,
            rounds: *rounds,
            settled: *settled,
            weights: weights.collect(),
        };
        write_json(out, &line)?;
    }
    for line in &report.left_out {
        let LeftOut { dataset, queries, fit, recall_5, default_recall_5, difference } = line;
        let line = LeftOutJson {
            dataset,
            queries: *queries,
            fit: *fit,
            recall_5: *recall_5,
            default_recall_5: *default_recall_5,
            difference: difference.mean,
            ci95_difference: difference.ci95,
        };
        write_json(out, &line)?;
    }
    Ok(())
}

/// The number as it is written in the grid, 0.45 rather than 0.449999988079071.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn write_tables(args: &args::Fit, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut write = |heading: &str, table: &Table| {
        if args.markdown {
            writeln!(out, "## {heading}\n\n{}", table.markdown())
        } else {
            writeln!(out, "{}\n{}", heading.to_lowercase(), table.plain())
        }
    };
    write("Leave one set out", &left_out(report))?;
    write("Weights", &weights(report))?;
    let (fits, configurations) =
        (counted(report.fits.len(), "fit"), counted(report.configurations, "configuration"));
    writeln!(
        out,
        "R@5 in %. Fitted: with the weights fitted on the sets over other tools. {fits}, {configurations}."
    )?;
    for fit in report.fits.iter().filter(|fit| !fit.settled) {
        let without = if fit.without.is_empty() {
            "on all sets".to_owned()
        } else {
            format!("without {}", printable(&fit.without.join(", ")))
        };
        writeln!(out, "The fit {without} had not settled after {}.", counted(fit.rounds, "round"))?;
    }
    Ok(())
}

fn left_out(report: &Report) -> Table {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let signed = |share: f64| format!("{:+.1}", share * 100.0);
    let headings = ["data set", "queries", "fitted R@5", "default R@5", "difference", "95 %"];
    let mut table = Table::new(&headings, 1);
    for line in &report.left_out {
        let [low, high] = line.difference.ci95.map(signed);
        table.push(vec![
            printable(&line.dataset),
            grouped(line.queries),
            percent(line.recall_5),
            percent(line.default_recall_5),
            signed(line.difference.mean),
            format!("{low} to {high}"),
        ]);
    }
    let (fitted, default) = report.means();
    let queries = report.left_out.iter().map(|line| line.queries).sum();
    table.push(vec![
        "mean of sets".to_owned(),
        grouped(queries),
        percent(fitted),
        percent(default),
        signed(fitted - default),
        String::new(),
    ]);
    table
}

/// Each weight in use, fitted on all sets, and between which values the fits without a set lie.
fn weights(report: &Report) -> Table {
    let mut table = Table::new(&["weight", "default", "all sets", "one set out"], 1);
    let column = |weights: &Weights| -> Vec<f32> {
        weights.named(report.part).map(|(_, value)| value).collect()
    };
    let default = column(&Weights::default());
    let fits: Vec<Vec<f32>> = report.fits.iter().map(|fit| column(&fit.weights)).collect();
    for (at, knob) in report.part.knobs().iter().enumerate() {
        let value = |column: &Vec<f32>| column.get(at).copied();
        let shown = |value: Option<f32>| value.map_or_else(String::new, |value| value.to_string());
        let without = || fits.iter().skip(1).filter_map(value);
        let (low, high) = (without().reduce(f32::min), without().reduce(f32::max));
        let range =
            if low == high { shown(low) } else { format!("{}–{}", shown(low), shown(high)) };
        let all = fits.first().and_then(value);
        table.push(vec![knob.name.to_owned(), shown(value(&default)), shown(all), range]);
    }
    table
}
