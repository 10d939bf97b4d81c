//! `oncue show`: all that is known of a tool.

use std::io::{self, Write};

use anstyle::Style;
use oncue_eval::lint::tokens;
use oncue_search::{Candidates, Hit};
use oncue_tools::{Definition, NameRules};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{JSON_VERSION, hits, write_json};
use crate::args::Show;
use crate::catalog::Catalog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::NEAR_NAMES;
use crate::text::{counted, grouped, printable, printable_lines};

const NAME: Style = Style::new().bold();

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    tools: Vec<Shown<'a>>,
}

#[derive(Serialize)]
struct Shown<'a> {
    source: &'a str,
    name: &'a str,
    exposed: String,
    tokens: usize,
    title: &'a str,
    description: &'a str,
    keywords: Vec<&'a str>,
    input_schema: Option<&'a RawValue>,
    definition: Option<Box<RawValue>>,
}

pub(super) fn run(args: &Show, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let catalog = Catalog::open(&args.catalog, err)?;
    let candidates = catalog.candidates();
    let hits = hits::named(&args.name, &candidates);
    let tools: Vec<(Hit<'_>, &Definition)> =
        hits.into_iter().filter_map(|hit| Some((hit, catalog.definition(&hit)?))).collect();
    if tools.is_empty() {
        return Err(unknown(&args.name, &catalog, "show"));
    }
    if args.json {
        let tools = tools.iter().map(|(hit, tool)| shown(hit.source, tool)).collect();
        write_json(out, &Answer { version: JSON_VERSION, tools })?;
        return Ok(Exit::Ok);
    }
    for (place, (hit, tool)) in tools.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write_tool(out, hit, tool)?;
    }
    Ok(Exit::Ok)
}

/// A failure that offers the names nearest to `name`, with `command` to type.
pub(super) fn unknown(name: &str, catalog: &Catalog, command: &str) -> Failure {
    if let Some(aside) = catalog.set_aside_named(name) {
        return Failure::nothing(format!("set aside: {aside}"))
            .hint("mend its definition in the catalog, then ask again");
    }
    let candidates = catalog.candidates();
    let tools = counted(candidates.len(), "tool");
    let failure = Failure::nothing(format!("no tool `{}` among {tools}", printable(name)));
    let near = near(name, &candidates);
    match near.first() {
        Some(first) => {
            let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            let typed = if command == "show" {
                format!("oncue show '{first}'")
            } else {
                format!("oncue {command} --tool '{first}'")
            };
            failure.hint(format!("near names are {}: {typed}", names.join(", ")))
        }
        None => failure.hint(format!("search by what it does: oncue search '{}'", printable(name))),
    }
}

/// Returns the labels of the tools whose names are nearly `name`.
fn near(name: &str, candidates: &Candidates<'_>) -> Vec<String> {
    let names = |hit: &Hit<'_>| {
        let name = hit.document.row.name();
        [name.to_owned(), format!("{}{name}", hit.source)]
    };
    let known = candidates.iter().map(|hit| (hits::label(&hit), names(&hit)));
    let mut near = oncue_tools::near(name, known);
    near.truncate(NEAR_NAMES);
    near
}

fn shown<'a>(source: &'a str, tool: &'a Definition) -> Shown<'a> {
    let row = tool.row();
    Shown {
        source,
        name: row.name(),
        exposed: exposed(source, tool),
        tokens: tokens(tool),
        title: row.title(),
        description: row.description(),
        keywords: row.keywords().iter().collect(),
        input_schema: tool.parameters(),
        definition: tool.raw(),
    }
}

fn write_tool(out: &mut dyn Write, hit: &Hit<'_>, tool: &Definition) -> io::Result<()> {
    let row = tool.row();
    writeln!(out, "{NAME}{}{NAME:#}", hits::label(hit))?;
    let keywords: Vec<&str> = row.keywords().iter().collect();
    let facts = [
        ("source", printable(hit.source)),
        ("exposed", exposed(hit.source, tool)),
        ("tokens", format!("about {}", grouped(tokens(tool)))),
        ("title", printable(row.title())),
        ("keywords", printable(&keywords.join(", "))),
    ];
    for (fact, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "{fact:<9} {text}")?;
    }
    if !row.description().is_empty() {
        writeln!(out, "\n{}", printable_lines(row.description()).trim_end())?;
    }
    match tool.parameters() {
        Some(schema) => writeln!(out, "\nArguments:\n{}", pretty(schema)),
        None => writeln!(out, "\nArguments: not declared"),
    }
}

/// Returns the name under which models and clients see the tool.
fn exposed(source: &str, tool: &Definition) -> String {
    NameRules::DEFAULT.name(source, tool.name())
}

/// Returns the schema indented; its text as it is where it cannot be read.
fn pretty(schema: &RawValue) -> String {
    let text = serde_json::from_str::<Value>(schema.get())
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| schema.get().to_owned());
    printable_lines(&text)
}
