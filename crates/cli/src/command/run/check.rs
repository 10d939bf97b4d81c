//! `oncue run --check`: what would be run, without asking anybody.

use std::io::Write;

use serde::Serialize;

use super::setup::About;
use crate::command::{JSON_VERSION, write_json};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::printable;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    #[serde(flatten)]
    about: &'a About,
}

pub(super) fn run(about: &About, json: bool, out: &mut dyn Write) -> Result<Exit, Failure> {
    if json {
        write_json(out, &Answer { version: JSON_VERSION, about })?;
        return Ok(Exit::Ok);
    }
    let tools = &about.tools;
    let disclosure = serde_json::to_value(about.disclosure)?;
    let disclosure = disclosure.as_str().unwrap_or_default().to_owned();
    let facts = [
        ("model", about.model.clone().unwrap_or_else(|| "none is named".to_owned())),
        ("disclosure", disclosure),
        ("tools", tools.sources.join(", ")),
        ("inline", tools.inline.join(", ")),
        ("discoverable", tools.discoverable.join(", ")),
        ("gated", tools.gated.join(", ")),
    ];
    for (fact, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "{fact:<12}  {}", printable(text))?;
    }
    Ok(Exit::Ok)
}
