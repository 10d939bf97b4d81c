//! `oncue run --check`: what would be run, without asking anybody.

use std::io::Write;

use oncue_decl::{Row, gated};
use serde::Serialize;

use super::tools::Toolbox;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::printable;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    tools: Tools<'a>,
}

#[derive(Serialize)]
struct Tools<'a> {
    sources: &'a [String],
    inline: Vec<&'a str>,
    discoverable: Vec<&'a str>,
    gated: Vec<&'a str>,
}

pub(super) fn run(toolbox: &Toolbox, json: bool, out: &mut dyn Write) -> Result<Exit, Failure> {
    toolbox.look_for_programs()?;
    let rows: Vec<Row> = toolbox.tools.iter().map(|tool| tool.definition().row().clone()).collect();
    let tools = Tools {
        sources: &toolbox.sources,
        inline: names(oncue_decl::inline(&rows)),
        discoverable: names(oncue_decl::discoverable(&rows)),
        gated: names(gated(&rows)),
    };
    if json {
        write_json(out, &Answer { version: JSON_VERSION, tools })?;
        return Ok(Exit::Ok);
    }
    writeln!(out, "tools         {}", printable(&tools.sources.join(", ")))?;
    for (kind, names) in
        [("inline", tools.inline), ("discoverable", tools.discoverable), ("gated", tools.gated)]
    {
        if !names.is_empty() {
            writeln!(out, "{kind:<12}  {}", names.join(", "))?;
        }
    }
    Ok(Exit::Ok)
}

fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<&'r str> {
    rows.map(Row::name).collect()
}
