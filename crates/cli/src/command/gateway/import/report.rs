//! What an import has found, for a person.

use std::io::{self, Write};
use std::path::Path;

use oncue_gateway::clients::Imported;

use super::{Report, Source, State, Target};
use crate::command::gateway::change::shown;
use crate::table::Table;
use crate::text::{columns, counted, printable};

/// Writes the servers, a line each.
pub(super) fn write_servers(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.import.upstreams.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&["upstream", "reached by", "enabled", "from"], 4);
    for Imported { upstream, also } in &report.import.upstreams {
        let places = std::iter::once(&upstream.origin.place).chain(also);
        let places: Vec<String> = places.map(|place| place.file.display().to_string()).collect();
        let enabled = if upstream.is_enabled { "yes" } else { "no" };
        table.push(vec![
            printable(upstream.id.as_str()),
            printable(&upstream.transport.to_string()),
            enabled.to_owned(),
            printable(&places.join(", ")),
        ]);
    }
    write!(out, "{}", table.fitted(columns(), &["from"]))
}

/// Writes which files were found, and everything about them that is not plain.
pub(super) fn write_found(report: &Report, err: &mut dyn Write) -> io::Result<()> {
    for source in &report.sources {
        let whose = source.whose().map(|whose| format!("{whose}: ")).unwrap_or_default();
        let count = counted(report.count(&source.path), "server");
        writeln!(err, "{whose}`{}`: {count}", shown(&source.path))?;
    }
    let import = &report.import;
    for aside in &import.set_aside {
        let text = format!("`{}` is set aside: {}", aside.name, aside.fault);
        writeln!(err, "warning: {}", printable(&text))?;
    }
    for renamed in &import.renamed {
        let (from, to) = (&renamed.from, &renamed.to);
        let text = format!(
            "{}: `{from}` is `{to}` now, since it is another server than the `{from}` before it",
            renamed.place
        );
        writeln!(err, "warning: {}", printable(&text))?;
    }
    for note in &import.notes {
        writeln!(err, "note: {}", printable(&format!("{}: {}", note.place, note.what)))?;
    }
    write_secrets(report, err)
}

/// Tells which secrets are in the file, and which variables it wants.
fn write_secrets(report: &Report, err: &mut dyn Write) -> io::Result<()> {
    for found in &report.secrets {
        let Some(variable) = &found.variable else { continue };
        let text = format!(
            "set `{variable}` where the gateway starts: it stands for `{}` of `{}`",
            found.what, found.upstream
        );
        writeln!(err, "{}", printable(&text))?;
    }
    let kept = report.secrets.iter().filter(|found| found.variable.is_none());
    let kept: Vec<String> =
        kept.map(|found| format!("`{}` of `{}`", found.what, found.upstream)).collect();
    if kept.is_empty() {
        return Ok(());
    }
    let written = match (&report.target, &report.state) {
        (_, State::Planned) => "would stand written out",
        (Target::File(_), _) => "written out in the file, which its owner alone can read",
        (Target::StandardOutput, _) => "written out",
    };
    // Where variables were asked for, what is left is in places that have none put in.
    let is_left_over = report.secrets.len() > kept.len();
    let advice = match is_left_over {
        true => "write `${NAME}` in their place by hand",
        false => {
            "`--secrets variables` puts variables in the place of those in `env` and `headers`"
        }
    };
    let text =
        format!("{} {written}: {}; {advice}", counted(kept.len(), "secret"), kept.join(", "));
    writeln!(err, "warning: {}", printable(&text))
}

impl Source {
    fn whose(&self) -> Option<String> {
        let (client, scope) = self.known?;
        Some(format!("{client}, {}", scope.word()))
    }
}

impl Report {
    /// Returns how many servers of a file are in the settings, those that stand in others too included.
    pub(super) fn count(&self, file: &Path) -> usize {
        let of = |Imported { upstream, also }: &Imported| {
            let places = std::iter::once(&upstream.origin.place).chain(also);
            places.filter(|place| &*place.file == file).count()
        };
        self.import.upstreams.iter().map(of).sum()
    }
}
