//! Changes of files, shown to a person before they are made.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anstyle::{AnsiColor, Style};
use anyhow::anyhow;
use oncue_gateway::clients::{Change, Client};
use serde::Serialize;

use crate::args::ChangeArgs;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::{printable, shell_word, without_steering};

/// A change of a client's file.
pub(super) struct Planned {
    pub(super) client: Client,
    pub(super) change: Change,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Went {
    /// Files were changed.
    Changed,
    /// None was, since none had to be or none was to be.
    Unchanged,
    /// The person did not agree.
    Declined,
}

impl Went {
    pub(super) const fn exit(self) -> Exit {
        match self {
            Self::Changed | Self::Unchanged => Exit::Ok,
            Self::Declined => Exit::Waits,
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    changes: Vec<ChangeJson<'a>>,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    client: &'static str,
    file: &'a Path,
    /// Empty where nothing is to be done.
    diff: String,
    /// The servers that are taken out.
    moved: &'a [String],
    /// Whether it was made.
    changed: bool,
    backup: Option<PathBuf>,
}

/// Shows the changes, asks where that is wanted, and makes them; of a client whose file is right already, it says what it `is_already`.
pub(super) fn carry_out(
    planned: &[Planned],
    is_already: &str,
    args: &ChangeArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Went, Failure> {
    if !args.json {
        for planned in planned {
            show(planned, is_already, out, err)?;
        }
        out.flush()?;
    }
    let is_idle = planned.iter().all(|planned| planned.change.is_empty());
    let agreed = is_idle || args.dry_run || args.yes || agreed(args, err)?;
    let makes = agreed && !args.dry_run;
    let mut answers: Vec<ChangeJson<'_>> = planned.iter().map(answer).collect();
    let made = match makes {
        true => make(planned, &mut answers, args.json, err),
        false => Ok(()),
    };
    if args.json {
        write_json(out, &Answer { version: JSON_VERSION, changes: answers })?;
    } else if args.dry_run && !is_idle {
        writeln!(err, "nothing was changed (`--dry-run`)")?;
    } else if !agreed {
        writeln!(err, "nothing was changed")?;
    }
    made?;
    Ok(match (agreed, makes && !is_idle) {
        (false, _) => Went::Declined,
        (true, true) => Went::Changed,
        (true, false) => Went::Unchanged,
    })
}

fn answer(planned: &Planned) -> ChangeJson<'_> {
    ChangeJson {
        client: planned.client.id(),
        file: &planned.change.path,
        diff: if planned.change.is_empty() { String::new() } else { planned.change.diff() },
        moved: &planned.change.moved,
        changed: false,
        backup: None,
    }
}

/// Makes the changes in order; what was made before one fails stays.
fn make(
    planned: &[Planned],
    answers: &mut [ChangeJson<'_>],
    json: bool,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let stamp = stamp();
    for (Planned { change, .. }, answer) in planned.iter().zip(answers) {
        if change.is_empty() {
            continue;
        }
        let applied = change.apply(&stamp).map_err(|error| {
            Failure::output(error).hint("what was changed before it stays; type the command again")
        })?;
        answer.changed = true;
        if !json {
            let did = if change.after.is_some() { "wrote" } else { "removed" };
            writeln!(err, "{did} `{}`{}", shown(&change.path), kept(applied.backup.as_deref()))?;
        }
        answer.backup = applied.backup;
    }
    Ok(())
}

/// Returns the part of a sentence that names a backup.
pub(super) fn kept(backup: Option<&Path>) -> String {
    let named = |backup| format!("; what was there is in `{}`", shown(backup));
    backup.map(named).unwrap_or_default()
}

/// Returns a path for a person to read.
pub(super) fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Returns the time as a part of a file's name, so that names are in the order of times.
pub(super) fn stamp() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.replace(['-', ':'], "")
}

fn show(
    planned: &Planned,
    is_already: &str,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    let Planned { client, change } = planned;
    if change.is_empty() {
        return writeln!(err, "`{client}` {is_already}: `{}`", shown(&change.path));
    }
    for line in without_steering(&change.diff()).lines() {
        let style = match line.get(..1) {
            Some("+") => AnsiColor::Green.on_default(),
            Some("-") => AnsiColor::Red.on_default(),
            Some("@") => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    Ok(())
}

/// Asks the person at the terminal; only a yes counts as one.
fn agreed(args: &ChangeArgs, err: &mut dyn Write) -> Result<bool, Failure> {
    let stdin = io::stdin();
    let nobody = match (args.json, stdin.is_terminal()) {
        // A change that is not shown is nothing to agree to.
        (true, _) => Some("nobody is asked with `--json`"),
        (false, false) => Some("nobody can be asked: standard input is no terminal"),
        (false, true) => None,
    };
    if let Some(nobody) = nobody {
        let typed = std::env::args_os().skip(1);
        let typed: Vec<String> = typed.map(|word| shell_word(&word.to_string_lossy())).collect();
        let typed = typed.join(" ");
        let hint = format!("only look with `--dry-run`, or agree to it: oncue {typed} --yes");
        return Err(Failure { exit: Exit::Waits, error: anyhow!(nobody), hint: Some(hint) });
    }
    write!(err, "make this change? [y/N] ")?;
    err.flush()?;
    let mut line = String::new();
    stdin.lock().read_line(&mut line).map_err(Failure::input)?;
    Ok(is_yes(&line))
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::{is_yes, stamp};

    #[test]
    fn agreement_must_be_said() {
        for line in ["y\n", "Y", " yes \r\n"] {
            assert!(is_yes(line), "{line:?}");
        }
        for line in ["", "\n", "n\n", "yep\n", "ok"] {
            assert!(!is_yes(line), "{line:?}");
        }
    }

    #[test]
    fn a_stamp_can_be_a_part_of_a_files_name() {
        let stamp = stamp();
        // As in 20261130T120000Z.
        assert_eq!(stamp.len(), 16, "{stamp}");
        assert!(stamp.chars().all(|c| c.is_ascii_digit() || "TZ".contains(c)), "{stamp}");
    }
}
