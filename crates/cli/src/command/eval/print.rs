//! Measures as tables, Markdown and JSON lines.

use std::io::Write;

use oncue_eval::retrieval::{CLOCK, Line, Run, difference, lines};
use serde::Serialize;

use crate::args::Retrieval;
use crate::command::write_json;
use crate::failure::Failure;
use crate::limits::MISS_HITS_SHOWN;
use crate::table::Table;
use crate::text::{columns, counted, grouped, printable};

const HEADINGS: [&str; 12] = [
    "group", "queries", "R@1", "R@3", "R@5", "95 %", "R@10", "C@5", "nDCG@10", "MRR", "p50 µs",
    "p99 µs",
];

/// The headings that a narrow terminal does without, the most dispensable first.
const DISPENSABLE: [&str; 6] = ["p99 µs", "R@3", "R@10", "nDCG@10", "tools", "p50 µs"];

/// A query with a need that is not served within 5 hits, as JSON.
#[derive(Serialize)]
struct MissJson<'a> {
    dataset: &'a str,
    split: &'a str,
    ranker: &'a str,
    miss: Miss<'a>,
}

#[derive(Serialize)]
struct Miss<'a> {
    id: &'a str,
    query: &'a str,
    lang: &'a str,
    kind: Option<&'a str>,
    wanted: Vec<Vec<&'a str>>,
    ranks: &'a [Option<usize>],
    hits: Vec<&'a str>,
}

/// Prints the measures of the runs over one data set, and returns the lines over all its queries.
pub(super) fn dataset(
    args: &Retrieval,
    runs: &[Run<'_>],
    out: &mut dyn Write,
) -> Result<Vec<Line>, Failure> {
    let mut overview = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        let lines = lines(run);
        if args.json {
            for line in &lines {
                write_json(out, line)?;
            }
        } else {
            write_heading(args, run, out)?;
            write_table(args, table(&lines), out)?;
            if let (Some(first), true) = (runs.first(), place > 0) {
                write_difference(run, first, out)?;
            }
        }
        for miss in misses(run).take(args.misses) {
            if args.json {
                write_json(out, &miss)?;
            } else {
                write_miss(&miss.miss, out)?;
            }
        }
        overview.extend(lines.into_iter().take(1));
    }
    Ok(overview)
}

/// Prints all data sets side by side, where there are several.
pub(super) fn overview(
    args: &Retrieval,
    lines: &[Line],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if args.json {
        return Ok(());
    }
    if lines.len() > 1 {
        let heading = if args.markdown { "## All data sets\n" } else { "all data sets" };
        writeln!(out, "{heading}")?;
        let headings: Vec<&str> = ["data set", "ranker", "tools"]
            .into_iter()
            .chain(HEADINGS.into_iter().skip(1))
            .collect();
        let mut table = Table::new(&headings, 2);
        for line in lines {
            let mut row = vec![printable(&line.dataset), line.ranker.clone(), grouped(line.tools)];
            row.extend(cells(line));
            table.push(row);
        }
        write_table(args, table, out)?;
    }
    let measures =
        "R: recall, C: complete; in %. MRR counts ranks up to 10. Intervals are those of R@5.";
    let clock = if CLOCK == "cpu" { "CPU time on one core" } else { "wall-clock time" };
    writeln!(out, "{measures} Times are {clock}.")?;
    Ok(())
}

fn write_heading(args: &Retrieval, run: &Run<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let (name, split) = (printable(&run.dataset.name), printable(&run.dataset.split));
    let tools = counted(run.dataset.tools.len(), "tool");
    let ranker = &run.ranker;
    if args.markdown {
        writeln!(out, "## {name}, {ranker}\n\nSplit `{split}`, {tools}.\n")?;
    } else {
        writeln!(out, "{name} ({split}): {tools}, ranker {ranker}")?;
    }
    Ok(())
}

fn write_table(args: &Retrieval, table: Table, out: &mut dyn Write) -> Result<(), Failure> {
    let text = if args.markdown { table.markdown() } else { table.fitted(columns(), &DISPENSABLE) };
    writeln!(out, "{text}")?;
    Ok(())
}

fn write_difference(run: &Run<'_>, first: &Run<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(found) = difference(&run.recalls_5(), &first.recalls_5()) {
        let [low, high] = found.ci95.map(|share| share * 100.0);
        let mean = found.mean * 100.0;
        let (ranker, other) = (&run.ranker, &first.ranker);
        writeln!(out, "R@5 of {ranker} against {other}: {mean:+.1} [{low:+.1}, {high:+.1}]\n")?;
    }
    Ok(())
}

fn table(lines: &[Line]) -> Table {
    let mut table = Table::new(&HEADINGS, 1);
    for line in lines {
        let mut row = vec![printable(&line.group)];
        row.extend(cells(line));
        table.push(row);
    }
    table
}

/// Returns the cells of a line from the number of queries on.
fn cells(line: &Line) -> Vec<String> {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let [low, high] = line.ci95_recall_5.map(percent);
    vec![
        grouped(line.queries),
        percent(line.recall_1),
        percent(line.recall_3),
        percent(line.recall_5),
        format!("{low}–{high}"),
        percent(line.recall_10),
        percent(line.complete_5),
        percent(line.ndcg_10),
        percent(line.mrr),
        format!("{:.0}", line.p50_us),
        format!("{:.0}", line.p99_us),
    ]
}

fn misses<'r>(run: &'r Run<'_>) -> impl Iterator<Item = MissJson<'r>> {
    let tools = &run.dataset.tools;
    let id = |&place: &usize| tools.get(place).map(|tool| tool.id.as_str());
    run.misses(MISS_HITS_SHOWN).map(move |(query, outcome)| MissJson {
        dataset: &run.dataset.name,
        split: &run.dataset.split,
        ranker: &run.ranker,
        miss: Miss {
            id: &query.id,
            query: &query.text,
            lang: &query.lang,
            kind: query.kind.as_deref(),
            wanted: query
                .groups
                .iter()
                .map(|group| group.iter().filter_map(id).collect())
                .collect(),
            ranks: &outcome.ranks,
            hits: outcome.hits.iter().take(MISS_HITS_SHOWN).filter_map(id).collect(),
        },
    })
}

fn write_miss(miss: &Miss<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "- {}: {}", printable(miss.id), printable(miss.query))?;
    for (group, rank) in miss.wanted.iter().zip(miss.ranks) {
        let rank = rank.map_or_else(|| "not in 10".to_owned(), |rank| format!("rank {rank}"));
        writeln!(out, "  wanted {}: {rank}", printable(&group.join(" or ")))?;
    }
    writeln!(out, "  hits {}\n", printable(&miss.hits.join(", ")))?;
    Ok(())
}
