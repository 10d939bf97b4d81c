//! `oncue eval no-fit`: whether a search says so when no tool fits.

use std::io::Write;

use oncue_eval::retrieval::{Bench, Dataset};
use oncue_eval::trials::no_fit::{
    Answered, Kind, Line, Price, foreign, measure, price, removed, totals,
};
use oncue_search::Ranker;
use serde::Serialize;

use super::folders;
use super::retrieval::{bench, rankers, sound};
use crate::args::NoFit;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::awaited;
use crate::progress::bar;
use crate::table::Table;
use crate::text::{grouped, printable};

/// What was measured over the catalogs so far.
#[derive(Default)]
struct Found {
    foreign: Vec<Line>,
    removed: Vec<Line>,
    prices: Vec<Price>,
}

/// An answered request as JSON.
#[derive(Serialize)]
struct AnsweredJson<'a> {
    dataset: &'a str,
    ranker: &'a str,
    kind: Kind,
    answered: &'a Answered<'a>,
}

pub(in crate::command) fn no_fit(
    args: &NoFit,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let embedder = awaited(args.embedder.embedder.as_deref())?;
    let rankers = rankers(&args.ranker, embedder.is_some())?;
    let datasets = folders::all(&args.folders, &args.split, err)?;
    let mut found = Found::default();
    for dataset in &datasets {
        let bench = bench(dataset, embedder.as_ref())?;
        for ranker in &rankers {
            one(args, (dataset, &bench), &datasets, &**ranker, &mut found, out)?;
            sound(embedder.as_ref())?;
        }
    }
    for lines in [&mut found.foreign, &mut found.removed] {
        let all = totals(lines);
        if args.json {
            all.iter().try_for_each(|line| write_json(out, line))?;
        }
        lines.splice(0..0, all);
    }
    if !args.json {
        found.write(args, out)?;
    }
    Ok(Exit::Ok)
}

/// Measures one ranker over one catalog.
fn one(
    args: &NoFit,
    (dataset, bench): (&Dataset, &Bench<'_>),
    all: &[Dataset],
    ranker: &dyn Ranker,
    found: &mut Found,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let trials = [(Kind::Foreign, foreign(dataset, all)), (Kind::Removed, removed(dataset))];
    let total = trials.iter().map(|(_, requests)| requests.len()).sum::<usize>();
    let bar = bar(&dataset.name, total + dataset.queries.len());
    for (kind, requests) in &trials {
        let (lines, answers) = measure(bench, *kind, requests, ranker, &mut || bar.inc(1));
        if args.json {
            lines.iter().try_for_each(|line| write_json(out, line))?;
        }
        for answered in answers.iter().take(args.show) {
            show(args, &dataset.name, ranker.name(), *kind, answered, out)?;
        }
        match kind {
            Kind::Foreign => found.foreign.extend(lines),
            Kind::Removed => found.removed.extend(lines),
        }
    }
    let price = price(&bench.run(ranker, &mut |_| bar.inc(1)));
    bar.finish_and_clear();
    if args.json {
        write_json(out, &price)?;
    }
    found.prices.push(price);
    out.flush()?;
    Ok(())
}

fn show(
    args: &NoFit,
    dataset: &str,
    ranker: &str,
    kind: Kind,
    answered: &Answered<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if args.json {
        return write_json(out, &AnsweredJson { dataset, ranker, kind, answered });
    }
    let (id, query) = (printable(answered.id), printable(answered.query));
    let hits = printable(&answered.hits.join(", "));
    writeln!(out, "- {}, {id}: {query}\n  hits {hits}\n", printable(dataset))?;
    Ok(())
}

impl Found {
    fn write(&self, args: &NoFit, out: &mut dyn Write) -> Result<(), Failure> {
        let sections = [
            ("Requests about other things", lines(&self.foreign)),
            ("Requests without the tools that serve them", lines(&self.removed)),
            ("What ordinary requests find", prices(&self.prices)),
        ];
        for (title, table) in sections {
            if args.markdown {
                writeln!(out, "### {title}\n\n{}", table.markdown())?;
            } else {
                writeln!(out, "{}\n{}", title.to_lowercase(), table.plain())?;
            }
        }
        writeln!(out, "answered: the share of requests that got any hit, in %; less is better.")?;
        Ok(())
    }
}

fn lines(lines: &[Line]) -> Table {
    let headings =
        ["catalog", "asked", "lang", "ranker", "requests", "answered", "95 %", "hits a request"];
    let mut table = Table::new(&headings, 4);
    for line in lines {
        let [low, high] = line.ci95.map(percent);
        table.push(vec![
            printable(&line.dataset),
            printable(&line.asked),
            printable(&line.lang),
            line.ranker.clone(),
            grouped(line.queries),
            percent(line.answered),
            format!("{low}–{high}"),
            format!("{:.1}", line.hits),
        ]);
    }
    table
}

fn prices(prices: &[Price]) -> Table {
    let mut table = Table::new(&["catalog", "ranker", "requests", "R@5", "no hit"], 2);
    for price in prices {
        table.push(vec![
            printable(&price.dataset),
            price.ranker.clone(),
            grouped(price.queries),
            percent(price.recall_5),
            percent(price.empty),
        ]);
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
