//! `oncue eval rivals`: the rankers of others beside ours, on the same data sets.

mod tables;

use std::fs;
use std::io::Write;

use anyhow::Context;
use indicatif::ProgressBar;
use oncue_eval::retrieval::{Dataset, Run};
use oncue_eval::rivals::{
    Compared, LEFT_OUT, Made, RIVALS, Recording, Rival, answers, compared, rival,
};
use oncue_search::Ranker;

use super::folders::{load, nothing};
use super::retrieval::{bench, rankers, sound};
use crate::args::Rivals;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::{Awaited, awaited};
use crate::progress::bar;
use crate::text::printable;

pub(in crate::command) fn rivals(
    args: &Rivals,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let searchers = Searchers::named(args, err)?;
    let mut lines = Vec::new();
    let mut present = Vec::new();
    for folder in &args.folders {
        let Some(mut dataset) = load(folder, &args.split, &mut present, err)? else { continue };
        if !args.kind.is_empty() {
            dataset
                .queries
                .retain(|query| query.kind.as_ref().is_some_and(|it| args.kind.contains(it)));
        }
        if dataset.queries.is_empty() {
            writeln!(err, "skipped `{}`: no queries of that kind", printable(&dataset.name))?;
            continue;
        }
        let runs = searchers.runs(&dataset, err)?;
        let Some(first) = runs.iter().find(|(made, _)| *made == Made::Ours) else { continue };
        for (made, run) in &runs {
            let line = compared(run, *made, &first.1);
            if args.json {
                write_json(out, &line)?;
            }
            if args.answers {
                write_answers(run, out)?;
            }
            lines.push(line);
        }
        out.flush()?;
    }
    if lines.is_empty() && !args.kind.is_empty() && present.is_empty() {
        return Err(Failure::nothing(format!(
            "no queries of kind {}",
            printable(&args.kind.join(", "))
        )));
    }
    if lines.is_empty() {
        return Err(nothing(&args.split, &present));
    }
    if !args.json {
        write_tables(args, &lines, out)?;
    }
    Ok(Exit::Ok)
}

/// Everyone who is asked.
struct Searchers {
    rivals: Vec<&'static Rival>,
    recordings: Vec<Recording>,
    ours: Vec<Box<dyn Ranker>>,
    /// What tells what words mean, where ours read it.
    embedder: Option<Awaited>,
}

impl Searchers {
    fn named(args: &Rivals, err: &mut dyn Write) -> Result<Self, Failure> {
        let mut rivals: Vec<&Rival> = Vec::new();
        for name in &args.only {
            let found = rival(name).map_err(|unknown| match unknown.is_left_out {
                true => Failure::input(unknown).hint(
                    "build with `--features bm25`: it needs a library that this build is without",
                ),
                false => Failure::input(unknown),
            })?;
            if !rivals.iter().any(|known| known.name == found.name) {
                rivals.push(found);
            }
        }
        if args.only.is_empty() {
            rivals = RIVALS.iter().collect();
            if !LEFT_OUT.is_empty() {
                writeln!(
                    err,
                    "left out, since this build is without the feature `bm25`: {}",
                    LEFT_OUT.join(", ")
                )?;
            }
        }
        let embedder = awaited(args.embedder.embedder.as_deref())?;
        let mut recordings = Vec::new();
        for file in &args.recorded {
            let shown = || format!("`{}`", printable(&file.display().to_string()));
            let text = fs::read_to_string(file)
                .with_context(|| format!("failed to read {}", shown()))
                .map_err(Failure::input)?;
            recordings.extend(Recording::parse(&text).with_context(shown).map_err(Failure::input)?);
        }
        let mut ours = rankers(&args.ranker, embedder.is_some())?;
        if args.ranker.is_empty() {
            ours.reverse();
        }
        Ok(Self { rivals, recordings, ours, embedder })
    }

    /// Asks all of them every query: rivals, those that were recorded, and then ours.
    fn runs<'d>(
        &'d self,
        dataset: &'d Dataset,
        err: &mut dyn Write,
    ) -> Result<Vec<(Made, Run<'d>)>, Failure> {
        let total = dataset.queries.len() * (self.rivals.len() + self.ours.len());
        let bar: ProgressBar = bar(&dataset.name, total);
        let mut runs = Vec::new();
        for rival in &self.rivals {
            runs.push((rival.made, rival.run(dataset, &mut |_| bar.inc(1))));
        }
        for recording in self.recordings.iter().filter(|it| it.dataset == dataset.name) {
            match recording.run(dataset) {
                Ok(run) => runs.push((Made::Recorded, run)),
                Err(error) => writeln!(err, "skipped: {}", printable(&error.to_string()))?,
            }
        }
        let bench = bench(dataset, self.embedder.as_ref())?;
        for ranker in &self.ours {
            runs.push((Made::Ours, bench.run(&**ranker, &mut |_| bar.inc(1))));
        }
        bar.finish_and_clear();
        sound(self.embedder.as_ref())?;
        Ok(runs)
    }
}

fn write_answers(run: &Run<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    answers(run).try_for_each(|answer| write_json(out, &answer))
}

fn write_tables(args: &Rivals, lines: &[Compared], out: &mut dyn Write) -> Result<(), Failure> {
    let against = lines.first().map_or("", |line| &line.against);
    let sections = [
        ("Recall within 5 hits".to_owned(), tables::recalls(lines)),
        (format!("What {against} finds beyond each"), tables::differences(lines)),
    ];
    for (heading, table) in sections {
        match args.markdown {
            true => writeln!(out, "## {heading}\n\n{}", table.markdown())?,
            false => writeln!(out, "{}\n{}", heading.to_lowercase(), table.plain())?,
        }
    }
    writeln!(
        out,
        "In % of needs, over the `{}` queries of each set. Differences are taken query by query, with their 95 % intervals.",
        printable(&args.split)
    )?;
    Ok(())
}
