//! `oncue lint`: what keeps tools from being found, told apart and called rightly, and what they cost.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::ProgressBar;
use oncue_eval::lint::{Report, Severity, Weight, lint, markdown};
use oncue_eval::retrieval::ranker;
use serde::Serialize;

use super::{JSON_VERSION, write_json};
use crate::args::{Level, Lint};
use crate::catalog::{Catalog, SetAside};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{columns, counted, grouped, printable, wrapped};

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    #[serde(flatten)]
    report: &'a Report,
    set_aside: &'a [SetAside],
}

pub(super) fn run(args: &Lint, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    if args.suggest {
        return super::suggest::run(args, out, err);
    }
    let ranker = ranker(&args.ranker).map_err(Failure::input)?;
    let catalog = Catalog::read(&args.catalogs, args.verbose, err)?;
    let report = examined(&catalog, &*ranker);
    if args.json {
        let answer =
            Answer { version: JSON_VERSION, report: &report, set_aside: &catalog.set_aside };
        write_json(out, &answer)?;
    } else if args.markdown {
        write!(out, "{}", markdown(&report))?;
    } else if args.tokens {
        write_tokens(&report, out)?;
    } else {
        write_findings(&report, args.level, out)?;
    }
    if !args.json {
        out.flush()?;
        write_sums(&report, err)?;
    }
    let denied = report.findings.iter().any(|found| args.fail_on.includes(found.severity));
    Ok(if denied { Exit::Nothing } else { Exit::Ok })
}

fn examined(catalog: &Catalog, ranker: &dyn oncue_search::Ranker) -> Report {
    /// How often the sign of life moves.
    const TICK: Duration = Duration::from_millis(120);

    // It draws on standard error, and nothing where that is no terminal.
    let spinner = ProgressBar::new_spinner()
        .with_message(format!("examining {}", counted(catalog.len(), "tool")));
    spinner.enable_steady_tick(TICK);
    let report = lint(catalog.definitions(), ranker);
    spinner.finish_and_clear();
    report
}

fn write_findings(report: &Report, level: Level, out: &mut dyn Write) -> io::Result<()> {
    let columns = columns();
    for found in report.findings.iter().filter(|found| level.includes(found.severity)) {
        let (word, style) = shown(found.severity);
        let text = wrapped(&printable(&format!("{word}: {found}")), columns);
        let rest = text.strip_prefix(word).unwrap_or(&text);
        writeln!(out, "{style}{word}{style:#}{rest}")?;
    }
    Ok(())
}

fn write_tokens(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut weights: Vec<&Weight> = report.weights.iter().collect();
    // Stable, so that tools of equal cost stay in the order of their names.
    weights.sort_by_key(|weight| std::cmp::Reverse(weight.tokens));
    let mut table = Table::new(&["tool", "tokens"], 1);
    for weight in weights {
        table.push(vec![printable(&weight.site.to_string()), grouped(weight.tokens)]);
    }
    write!(out, "{}", table.plain())
}

fn write_sums(report: &Report, err: &mut dyn Write) -> io::Result<()> {
    let counts =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
            .map(|(severity, noun)| counted(report.count(severity), noun));
    let (tools, tokens) = (counted(report.tools, "tool"), counted(report.tokens, "token"));
    writeln!(err, "{tools}, about {tokens}: {}", counts.join(", "))
}

fn shown(severity: Severity) -> (&'static str, Style) {
    match severity {
        Severity::Error => ("error", AnsiColor::Red.on_default().bold()),
        Severity::Warning => ("warning", AnsiColor::Yellow.on_default().bold()),
        Severity::Note => ("note", Style::new().dimmed()),
    }
}
