//! `oncue check`: what the settings of a gateway say, and what is wrong with them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use oncue_gateway::config::{
    ConfigError, Finding, Loaded, Severity, Surroundings, Timeouts, ToolOverrides, Transport,
    Upstream, check,
};
use oncue_tools::Glob;
use serde::Serialize;

use super::here::{Here, unreadable};
use super::place::PlaceJson;
use crate::args::Check;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{columns, counted, printable, wrapped};

pub(in crate::command) fn run(
    args: &Check,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let here = Here::of_process()?;
    let file = here.settings_file(args.file.as_deref())?;
    let (upstreams, files, findings) = match Loaded::read(&file, &here.context) {
        Ok(loaded) => {
            let findings = check(&loaded, &Surroundings::of_process());
            (loaded.settings.upstreams, loaded.files, findings)
        }
        Err(ConfigError::Wrong(faults)) => {
            (Vec::new(), vec![file.clone()], faults.into_iter().map(Finding::from).collect())
        }
        Err(error) => return Err(unreadable(error)),
    };
    if args.json {
        write_json(out, &Answer::new(&file, &files, &upstreams, &findings))?;
    } else {
        write_upstreams(&upstreams, out)?;
        write_findings(&findings, out)?;
        out.flush()?;
        write_sums(&file, &upstreams, &findings, err)?;
    }
    let is_wrong = findings.iter().any(|found| found.severity == Severity::Error);
    Ok(if is_wrong { Exit::Input } else { Exit::Ok })
}

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    file: &'a Path,
    /// The file and those that it imports.
    files: &'a [PathBuf],
    upstreams: Vec<UpstreamJson<'a>>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct UpstreamJson<'a> {
    id: &'a str,
    transport: &'static str,
    /// The program, or the address without path and query.
    target: String,
    enabled: bool,
    overrides: Vec<String>,
    place: PlaceJson<'a>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    severity: &'static str,
    kind: &'static str,
    place: PlaceJson<'a>,
    what: &'a str,
    hint: &'a str,
}

impl<'a> Answer<'a> {
    fn new(
        file: &'a Path,
        files: &'a [PathBuf],
        upstreams: &'a [Upstream],
        findings: &'a [Finding],
    ) -> Self {
        let upstream = |upstream: &'a Upstream| UpstreamJson {
            id: upstream.id.as_str(),
            transport: transport(&upstream.transport),
            target: upstream.transport.to_string(),
            enabled: upstream.is_enabled,
            overrides: overrides(upstream),
            place: (&upstream.origin.place).into(),
        };
        let finding = |found: &'a Finding| FindingJson {
            severity: found.severity.word(),
            kind: found.kind.name(),
            place: (&found.place).into(),
            what: &found.what,
            hint: &found.hint,
        };
        let upstreams = upstreams.iter().map(upstream).collect();
        let findings = findings.iter().map(finding).collect();
        Self { version: JSON_VERSION, file, files, upstreams, findings }
    }
}

/// Returns the word for how an upstream is reached.
pub(super) const fn transport(transport: &Transport) -> &'static str {
    match transport {
        Transport::Stdio(_) => "stdio",
        Transport::Http(_) => "http",
    }
}

/// Returns what the settings change about an upstream and its tools.
fn overrides(upstream: &Upstream) -> Vec<String> {
    let ToolOverrides { only, hidden, pinned, tools } = &upstream.tools;
    let listed = |word: &str, globs: &[Glob]| {
        let globs: Vec<&str> = globs.iter().map(Glob::as_str).collect();
        (!globs.is_empty()).then(|| format!("{word} {}", globs.join(", ")))
    };
    let only = only.as_deref().map(|only| match only {
        [] => "no tools".to_owned(),
        only => listed("only", only).unwrap_or_default(),
    });
    let changed: Vec<&str> = tools.keys().map(String::as_str).collect();
    let changed = (!changed.is_empty()).then(|| format!("changed {}", changed.join(", ")));
    let Timeouts { call, start, list, idle } = upstream.timeouts;
    let times = [("call", call), ("start", start), ("list", list), ("idle", idle)];
    let times = times
        .into_iter()
        .filter_map(|(word, time)| Some(format!("{word} {}", humantime::format_duration(time?))));
    let bare = (!upstream.is_namespaced).then(|| "bare names".to_owned());
    let tools = [only, listed("hidden", hidden), listed("pinned", pinned), changed, bare];
    tools.into_iter().flatten().chain(times).collect()
}

fn write_upstreams(upstreams: &[Upstream], out: &mut dyn Write) -> io::Result<()> {
    if upstreams.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&["upstream", "reached by", "enabled", "overrides", "from"], 5);
    for upstream in upstreams {
        let enabled = if upstream.is_enabled { "yes" } else { "no" };
        table.push(vec![
            printable(upstream.id.as_str()),
            printable(&upstream.transport.to_string()),
            enabled.to_owned(),
            printable(&overrides(upstream).join("; ")),
            printable(&upstream.origin.place.to_string()),
        ]);
    }
    write!(out, "{}", table.fitted(columns(), &["from", "overrides"]))
}

fn write_findings(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let columns = columns();
    for found in findings {
        let word = found.severity.word();
        let style = style(found.severity);
        let text =
            wrapped(&printable(&format!("{word}: {}: {}", found.place, found.what)), columns);
        let rest = text.strip_prefix(word).unwrap_or(&text);
        writeln!(out, "{style}{word}{style:#}{rest}")?;
        if !found.hint.is_empty() {
            writeln!(out, "{}", wrapped(&format!("hint: {}", printable(&found.hint)), columns))?;
        }
    }
    Ok(())
}

const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => Style::new().dimmed(),
    }
}

fn write_sums(
    file: &Path,
    upstreams: &[Upstream],
    findings: &[Finding],
    err: &mut dyn Write,
) -> io::Result<()> {
    let count = |severity| findings.iter().filter(|found| found.severity == severity).count();
    let counts = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| counted(count(severity), severity.word()));
    let file = printable(&file.display().to_string());
    writeln!(err, "`{file}`: {}: {}", counted(upstreams.len(), "upstream"), counts.join(", "))
}
