//! `oncue show`: all that is known of a tool.

use std::io::{self, Write};

use anstyle::Style;
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
use crate::text::{counted, printable, printable_lines};

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
    title: &'a str,
    description: &'a str,
    keywords: Vec<&'a str>,
    input_schema: Option<&'a RawValue>,
    definition: Option<&'a RawValue>,
}

pub(super) fn run(args: &Show, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let catalog = Catalog::open(&args.catalog, err)?;
    let candidates = catalog.candidates();
    let hits = hits::named(&args.name, &candidates);
    let tools: Vec<(Hit<'_>, &Definition)> =
        hits.into_iter().filter_map(|hit| Some((hit, catalog.definition(&hit)?))).collect();
    if tools.is_empty() {
        return Err(unknown(&args.name, &candidates, "show"));
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
pub(super) fn unknown(name: &str, candidates: &Candidates<'_>, command: &str) -> Failure {
    let tools = counted(candidates.len(), "tool");
    let failure = Failure::nothing(format!("no tool `{}` among {tools}", printable(name)));
    let near = near(name, candidates);
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

/// Returns the labels of the tools whose names are spelled most like `name`.
fn near(name: &str, candidates: &Candidates<'_>) -> Vec<String> {
    /// Below this likeness a name is another name, not a slip.
    const LIKENESS_MIN: f64 = 0.6;

    let folded = folded(name);
    let mut near: Vec<(f64, String)> = candidates
        .iter()
        .map(|hit| {
            let own = folded_name(&hit);
            let with_source = format!("{}{own}", self::folded(hit.source));
            let likeness = strsim::normalized_damerau_levenshtein(&folded, &own)
                .max(strsim::normalized_damerau_levenshtein(&folded, &with_source));
            (likeness, hits::label(&hit))
        })
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    near.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    near.into_iter().take(NEAR_NAMES).map(|(_, label)| label).collect()
}

fn folded_name(hit: &Hit<'_>) -> String {
    folded(hit.document.row.name())
}

fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn shown<'a>(source: &'a str, tool: &'a Definition) -> Shown<'a> {
    let row = tool.row();
    Shown {
        source,
        name: row.name(),
        exposed: exposed(source, tool),
        title: row.title(),
        description: row.description(),
        keywords: row.keywords().iter().collect(),
        input_schema: tool.parameters(),
        definition: tool.raw().map(|raw| &**raw),
    }
}

fn write_tool(out: &mut dyn Write, hit: &Hit<'_>, tool: &Definition) -> io::Result<()> {
    let row = tool.row();
    writeln!(out, "{NAME}{}{NAME:#}", hits::label(hit))?;
    let keywords: Vec<&str> = row.keywords().iter().collect();
    let facts = [
        ("source", printable(hit.source)),
        ("exposed", exposed(hit.source, tool)),
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
