//! `oncue eval keywords`: what the keywords that `oncue lint --suggest` proposes are worth.

use std::io::Write;

use oncue_eval::retrieval::{Bench, Dataset, Run};
use oncue_eval::trials::keywords::{Compared, Line, line, taken};
use oncue_search::Ranker;
use oncue_tools::{Embedder, NoStore};

use super::folders::{load, nothing};
use super::retrieval::{bench, rankers, sound};
use crate::args::Keywords;
use crate::command::suggest::proposals;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::{Awaited, awaited};
use crate::progress::bar;
use crate::table::Table;
use crate::text::{columns, grouped, printable};

const HEADINGS: [&str; 13] = [
    "data set", "ranker", "tools", "with", "keywords", "queries", "R@5", "with them", "gained",
    "95 %", "nDCG@10", "gained nDCG", "95 % nDCG",
];

/// The headings that a narrow terminal does without, the most dispensable first.
const DISPENSABLE: [&str; 6] = ["tools", "with", "95 % nDCG", "gained nDCG", "nDCG@10", "queries"];

pub(in crate::command) fn keywords(
    args: &Keywords,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let embedder = awaited(args.embedder.embedder.as_deref())?;
    let rankers = rankers(&args.ranker, embedder.is_some())?;
    let mut present = Vec::new();
    let mut lines = Vec::new();
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        let of_set = measured(&dataset, embedder.as_ref(), &rankers)?;
        if args.json {
            of_set.iter().try_for_each(|line| write_json(out, line))?;
        }
        lines.extend(of_set);
    }
    if lines.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    if !args.json {
        let table = table(&lines);
        let text =
            if args.markdown { table.markdown() } else { table.fitted(columns(), &DISPENSABLE) };
        writeln!(out, "{text}")?;
        writeln!(
            out,
            "with: tools that are given keywords, when every proposal is taken. Shares in %; gains query by query, with their 95 % intervals."
        )?;
    }
    Ok(Exit::Ok)
}

fn measured(
    dataset: &Dataset,
    embedder: Option<&Awaited>,
    rankers: &[Box<dyn Ranker>],
) -> Result<Vec<Line>, Failure> {
    let tools: Vec<_> =
        dataset.tools.iter().map(|tool| (tool.source.as_str(), &tool.document)).collect();
    let model = embedder.map(|embedder| -> &dyn Embedder { embedder });
    let proposals = proposals(&tools, model, &NoStore);
    let richer = taken(dataset, &proposals);
    let (without, with) = (bench(dataset, embedder)?, bench(&richer, embedder)?);
    let bar = bar(&dataset.name, 2 * dataset.queries.len() * rankers.len());
    let run = |bench: &Bench<'_>, ranker: &dyn Ranker| -> Vec<_> {
        bench.run(ranker, &mut |_| bar.inc(1)).outcomes
    };
    let lines = rankers.iter().filter_map(|ranker| {
        let of = |dataset, bench| Run {
            dataset,
            ranker: ranker.name().to_owned(),
            outcomes: run(bench, &**ranker),
        };
        line(&of(dataset, &without), &of(&richer, &with), &proposals)
    });
    let lines = lines.collect();
    bar.finish_and_clear();
    sound(embedder)?;
    Ok(lines)
}

fn table(lines: &[Line]) -> Table {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let gain = |compared: &Compared| {
        let [low, high] = compared.ci95.map(|share| format!("{:+.1}", share * 100.0));
        [format!("{:+.1}", compared.gained * 100.0), format!("{low} to {high}")]
    };
    let mut table = Table::new(&HEADINGS, 2);
    for line in lines {
        let mut row = vec![printable(&line.dataset), line.ranker.clone()];
        row.extend([line.tools, line.tools_with, line.keywords, line.queries].map(grouped));
        row.extend([percent(line.recall_5.without), percent(line.recall_5.with)]);
        row.extend(gain(&line.recall_5));
        row.push(percent(line.ndcg_10.without));
        row.extend(gain(&line.ndcg_10));
        table.push(row);
    }
    table
}
