//! `oncue eval needs`: whether all needs of a request come up when they are asked as a list.

use std::io::Write;

use oncue_eval::trials::needs::{Form, Line, Task, drawn, measure, tasks};
use serde::Serialize;

use super::folders::{load, nothing};
use super::retrieval::{bench, rankers, sound};
use crate::args::Needs;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::awaited;
use crate::progress::bar;
use crate::table::Table;
use crate::text::{grouped, printable};

const HEADINGS: [&str; 10] = [
    "data set", "ranker", "asked as", "hits", "shown", "tasks", "needs", "served", "95 %",
    "all served",
];

pub(in crate::command) fn needs(
    args: &Needs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let embedder = awaited(args.embedder.embedder.as_deref())?;
    let rankers = rankers(&args.ranker, embedder.is_some())?;
    let mut present = Vec::new();
    let mut has_queries = false;
    let (mut of_tasks, mut of_draws) = (Vec::new(), Vec::new());
    for folder in &args.folders {
        let Some(dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        has_queries = true;
        let bench = bench(&dataset, embedder.as_ref())?;
        let (tasks, drawn) = (tasks(&dataset), drawn(&dataset));
        let ways = Form::ALL.len() * rankers.len() * args.hits.len();
        let bar = bar(&dataset.name, (tasks.len() + drawn.len()) * ways);
        let ask = |tasks: &[Task<'_>], lines: &mut Vec<Line>| {
            for ranker in rankers.iter().filter(|_| !tasks.is_empty()) {
                for &hits in &args.hits {
                    let hits = usize::from(hits);
                    lines.extend(measure(&bench, tasks, &**ranker, hits, &mut || bar.inc(1)));
                }
            }
        };
        ask(&tasks, &mut of_tasks);
        ask(&drawn, &mut of_draws);
        bar.finish_and_clear();
        sound(embedder.as_ref())?;
    }
    if !has_queries {
        return Err(nothing(&args.split, &present));
    }
    if of_tasks.is_empty() && of_draws.is_empty() {
        return Err(Failure::nothing("too few requests to ask several together".to_owned()));
    }
    if args.json {
        for (of, lines) in [("tasks", &of_tasks), ("draws", &of_draws)] {
            lines.iter().try_for_each(|line| write_json(out, &LineJson { of, line }))?;
        }
        return Ok(Exit::Ok);
    }
    for (title, lines) in [
        ("Tasks with steps", &of_tasks),
        ("Three requests, drawn by lot and asked together", &of_draws),
    ] {
        if args.markdown {
            writeln!(out, "### {title}\n\n{}", table(lines).markdown())?;
        } else {
            writeln!(out, "{}\n{}", title.to_lowercase(), table(lines).plain())?;
        }
    }
    writeln!(out, "served: the mean share of the needs with a tool among the hits, in %.")?;
    Ok(Exit::Ok)
}

/// A line with what was asked together: `tasks` or `draws`.
#[derive(Serialize)]
struct LineJson<'l> {
    of: &'static str,
    #[serde(flatten)]
    line: &'l Line,
}

fn table(lines: &[Line]) -> Table {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let mut table = Table::new(&HEADINGS, 3);
    for line in lines {
        let [low, high] = line.ci95.map(percent);
        let form = match line.form {
            Form::Task => "the task",
            Form::Sentence => "one sentence",
            Form::List => "a list",
        };
        table.push(vec![
            printable(&line.dataset),
            line.ranker.clone(),
            form.to_owned(),
            grouped(line.hits),
            format!("{:.1}", line.shown),
            grouped(line.tasks),
            grouped(line.needs),
            percent(line.served),
            format!("{low}–{high}"),
            percent(line.complete),
        ]);
    }
    table
}
