//! `oncue docs`: the reference of the command in Markdown, from the very definitions that parse it.

use std::io::{self, Write};

use clap::{Arg, Command, CommandFactory};

use crate::args::Cli;
use crate::exit::Exit;
use crate::failure::Failure;

/// The shapes of the JSON, which no definition knows.
const JSON: &str = include_str!("docs/json.md");

pub(super) fn run(out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut root = Cli::command();
    root.build();
    writeln!(out, "# Command reference\n")?;
    writeln!(
        out,
        "Written by `oncue docs`; a test fails when it drifts.\nAnswers go to standard output, everything else to standard error."
    )?;
    for command in leaves(&root, "oncue") {
        write_command(out, &command)?;
    }
    writeln!(out, "\n## Exit codes\n\n| code | meaning |\n| ---: | --- |")?;
    for exit in Exit::ALL {
        writeln!(out, "| {} | {} |", exit.code(), exit.meaning())?;
    }
    write!(out, "\n{JSON}")?;
    Ok(Exit::Ok)
}

/// A command that does something, with everything that is typed before its arguments.
struct Leaf<'c> {
    path: String,
    command: &'c Command,
}

fn leaves<'c>(command: &'c Command, path: &str) -> Vec<Leaf<'c>> {
    let below: Vec<Leaf<'c>> = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .flat_map(|below| leaves(below, &format!("{path} {}", below.get_name())))
        .collect();
    if command.has_subcommands() { below } else { vec![Leaf { path: path.to_owned(), command }] }
}

fn write_command(out: &mut dyn Write, leaf: &Leaf<'_>) -> io::Result<()> {
    let command = leaf.command;
    writeln!(out, "\n## {}\n", leaf.path)?;
    writeln!(out, "{}.", text(command.get_about()))?;
    writeln!(out, "\n| argument | default | meaning |\n| --- | --- | --- |")?;
    let shown =
        |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|arg| arg.is_positional());
    for arg in positional.into_iter().chain(options) {
        let default: Vec<String> = arg
            .get_default_values()
            .iter()
            .map(|value| format!("`{}`", value.to_string_lossy()))
            .collect();
        let takes_none = !arg.get_action().takes_values();
        let default = if takes_none { String::new() } else { default.join(", ") };
        writeln!(out, "| `{}` | {default} | {} |", typed(arg), meaning(arg))?;
    }
    if let Some(after) = command.get_after_help() {
        writeln!(out, "\n```text\n{after}\n```")?;
    }
    Ok(())
}

/// Returns an argument as it is typed: `QUERY`, `--limit N`, `--json`.
fn typed(arg: &Arg) -> String {
    let values: Vec<&str> =
        arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let values = if arg.get_action().takes_values() { values.join(" ") } else { String::new() };
    match arg.get_long() {
        // A value that may be left out has to stand behind `=`.
        Some(long) if arg.is_require_equals_set() => format!("--{long}[={values}]"),
        Some(long) if values.is_empty() => format!("--{long}"),
        Some(long) => format!("--{long} {values}"),
        None => values,
    }
}

fn meaning(arg: &Arg) -> String {
    let possible: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    let takes_values = arg.get_action().takes_values();
    let about = text(arg.get_help());
    if possible.is_empty() || !takes_values {
        return about;
    }
    format!("{about}: {}", possible.join(", "))
}

fn text(text: Option<&clap::builder::StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default().replace('|', "\\|").replace('\n', " ")
}
