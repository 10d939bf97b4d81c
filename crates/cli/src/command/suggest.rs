//! `oncue lint --suggest`: words that people may use for tools, and that no tool says.

use std::io::{self, Write};
use std::sync::Arc;

use indicatif::ProgressBar;
use oncue_decl::Row;
use oncue_eval::lint::{Proposal, suggest};
use oncue_search::Document;
use oncue_tools::{Embedder, VectorStore};
use serde::Serialize;

use super::{JSON_VERSION, write_json};
use crate::args::Lint;
use crate::catalog::{Catalog, SetAside};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models;
use crate::progress::bar;
use crate::table::Table;
use crate::text::{columns, counted, printable};

/// A tool with what is proposed for it.
struct Suggestion<'c> {
    source: &'c str,
    row: &'c Row,
    proposals: Vec<Proposal>,
}

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    /// The model that told what words mean.
    model: Option<&'a str>,
    tools: Vec<ToolJson<'a>>,
    set_aside: &'a [SetAside],
}

#[derive(Serialize)]
struct ToolJson<'a> {
    source: &'a str,
    tool: &'a str,
    /// Those that it has.
    keywords: Vec<&'a str>,
    proposals: Vec<ProposalJson<'a>>,
}

#[derive(Serialize)]
struct ProposalJson<'a> {
    #[serde(flatten)]
    proposal: &'a Proposal,
    reason: String,
}

pub(super) fn run(args: &Lint, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let model = models::awaited(args.embedder.embedder.as_deref())?;
    let embedder = model.as_ref().map(|model| -> &dyn Embedder { model });
    let catalog = Catalog::read(&args.catalogs, args.verbose, err)?;
    let tools: Vec<(&str, &Arc<Document>)> =
        catalog.definitions().map(|(source, tool)| (source, tool.document())).collect();
    let store = models::kept();
    let proposals = proposals(&tools, embedder, &store);
    store.flush();
    if let Some(model) = &model {
        model.is_sound()?;
    }
    let found: Vec<Suggestion<'_>> = tools
        .iter()
        .zip(proposals)
        .filter(|(_, proposals)| !proposals.is_empty())
        .map(|((source, document), proposals)| Suggestion { source, row: &document.row, proposals })
        .collect();
    if args.json {
        let answer = Answer {
            version: JSON_VERSION,
            model: embedder.map(Embedder::model),
            tools: found.iter().map(json).collect(),
            set_aside: &catalog.set_aside,
        };
        write_json(out, &answer)?;
        return Ok(Exit::Ok);
    }
    if args.toml {
        write_settings(&found, out)?;
    } else {
        write_table(&found, args.markdown, out)?;
    }
    out.flush()?;
    let words = found.iter().map(|tool| tool.proposals.len()).sum();
    writeln!(
        err,
        "{} for {} of {}; take those that people say",
        counted(words, "keyword"),
        counted(found.len(), "tool"),
        tools.len()
    )?;
    if embedder.is_none() {
        writeln!(
            err,
            "hint: only a list of synonyms was asked; a model of meaning finds more: oncue model install"
        )?;
    }
    Ok(Exit::Ok)
}

/// Returns what is proposed for each tool, with a sign of life.
pub(super) fn proposals(
    tools: &[(&str, &Arc<Document>)],
    embedder: Option<&dyn Embedder>,
    store: &dyn VectorStore,
) -> Vec<Vec<Proposal>> {
    let mut drawn: Option<(&str, ProgressBar)> = None;
    let found = suggest(tools, embedder, store, &mut |step| {
        if drawn.as_ref().is_none_or(|(stage, _)| *stage != step.stage) {
            if let Some((_, bar)) = drawn.take() {
                bar.finish_and_clear();
            }
            drawn = Some((step.stage, bar(step.stage, step.total)));
        }
        if let Some((_, bar)) = &drawn {
            bar.set_position(step.done as u64);
        }
    });
    if let Some((_, bar)) = drawn {
        bar.finish_and_clear();
    }
    found
}

fn json<'a>(tool: &'a Suggestion<'_>) -> ToolJson<'a> {
    let proposal = |proposal: &'a Proposal| ProposalJson { proposal, reason: proposal.to_string() };
    ToolJson {
        source: tool.source,
        tool: tool.row.name(),
        keywords: tool.row.keywords().iter().collect(),
        proposals: tool.proposals.iter().map(proposal).collect(),
    }
}

fn write_table(found: &[Suggestion<'_>], is_markdown: bool, out: &mut dyn Write) -> io::Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&["tool", "keyword", "why"], 3);
    for tool in found {
        let name = if tool.source.is_empty() {
            tool.row.name().to_owned()
        } else {
            format!("{}/{}", tool.source, tool.row.name())
        };
        for proposal in &tool.proposals {
            table.push(vec![
                printable(&name),
                printable(&proposal.keyword),
                printable(&proposal.to_string()),
            ]);
        }
    }
    let text = if is_markdown { table.markdown() } else { table.fitted(columns(), &["why"]) };
    write!(out, "{text}")
}

/// Writes the keywords as settings of a gateway, those that a tool has among them, since a list there takes the place of them.
fn write_settings(found: &[Suggestion<'_>], out: &mut dyn Write) -> io::Result<()> {
    for (at, tool) in found.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        for proposal in &tool.proposals {
            writeln!(out, "# {}: {}", proposal.keyword, printable(&proposal.to_string()))?;
        }
        writeln!(out, "[upstream.{}.tool.{}]", key(tool.source), key(tool.row.name()))?;
        let known = tool.row.keywords().iter();
        let proposed = tool.proposals.iter().map(|proposal| proposal.keyword.as_str());
        let words: Vec<String> = known.chain(proposed).map(quoted).collect();
        writeln!(out, "keywords = [{}]", words.join(", "))?;
    }
    Ok(())
}

/// Returns a key as TOML has it.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// Returns a text in quotes, in the escapes that TOML and JSON have in common.
fn quoted(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    // TOML wants this one escaped.
    quoted.replace('\u{7f}', "\\u007f")
}
