//! Checks of the workspace. `cargo xtask test` runs what this machine can; `cargo xtask ci` installs what is missing and skips nothing.

mod built;
mod clients;
mod conformance;
mod embed;
mod figures;
mod founding;
mod local_model;
mod machine;
mod models;
mod python;
mod report;
mod rivals;
mod source;
mod stage;
mod tidy;
mod tree;
mod weak_model;
mod workspace;

use std::env;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::machine::Supply;
use crate::stage::fuzz::Effort;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--only STAGE]... [--list]   all checks; stages whose tools are missing are SKIPPED
  ci [--only STAGE]...              all checks; installs what is missing and skips nothing
  tidy                              the rules over text, folders and dependencies
  founding                          which test shows which founding requirement
  cases                             which test shows which case
  fuzz [--seconds N | --runs N] [TARGET]...
                                    feed made-up input to what reads foreign text
  embed-catalog FOLDER              pack the catalog that the command carries, with its index
  figures [PART]...                 measure what docs/retrieval.md and docs/lint.md tell
  conformance                       the official MCP conformance suite, for docs/conformance.md; fetched by npm
  weak-model [MODEL]...             measure what helps weak models, for docs/weak-models.md; takes hours
  clients [--json] [CLIENT]...      real clients before the gateway, in every mode; installs 1.2 GB of them
  rivals [SET]...                   the rebuilt rankers of rivals beside the originals; fetched by pip
  rivals record CLIENT [SET]...     ask the tool search of claude-code or codex; installs the clients
  models                            install the embedding models for tests and figures; fetched by pip
  embed-index                       index the packed catalog anew
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out one command line and says whether all was well.
fn command(words: &[&str]) -> Result<bool> {
    let root = tree::root()?;
    match words {
        ["test", "--list"] => {
            stage::list();
            Ok(true)
        }
        ["test", rest @ ..] => stage::run(&root, Supply::AsFound, &only(rest)?),
        ["ci", rest @ ..] => stage::run(&root, Supply::Install, &only(rest)?),
        ["tidy"] => tidy::run(&root),
        ["founding"] => founding::run(&root),
        ["cases"] => founding::cases(&root),
        ["fuzz", rest @ ..] => fuzz(rest),
        ["figures", parts @ ..] => figures::run(&root, parts),
        ["weak-model", models @ ..] => weak_model::run(&root, models),
        ["conformance"] => conformance::run(&root),
        ["clients", rest @ ..] => clients::run(&root, rest),
        ["rivals", rest @ ..] => rivals::command(&root, rest),
        ["models"] => {
            let is_there = models::install(&root, Supply::Install)?;
            Ok(models::install_onnx(&root, Supply::Install)? && is_there)
        }
        ["embed-index"] => embed::embed_index(&root),
        ["embed-catalog", folder] => embed::embed_catalog(folder.as_ref(), &root),
        [] | ["help" | "--help" | "-h"] => {
            eprint!("{USAGE}");
            Ok(true)
        }
        _ => bail!("unknown command `{}`\n\n{USAGE}", words.join(" ")),
    }
}

fn only<'w>(words: &[&'w str]) -> Result<Vec<&'w str>> {
    let mut stages = Vec::new();
    for pair in words.chunks(2) {
        match pair {
            ["--only", stage] => stages.push(*stage),
            _ => bail!("unknown option `{}`\n\n{USAGE}", pair.join(" ")),
        }
    }
    Ok(stages)
}

fn fuzz(words: &[&str]) -> Result<bool> {
    let (effort, targets) = match words {
        ["--seconds", number, targets @ ..] => (Effort::Seconds(number_of(number)?), targets),
        ["--runs", number, targets @ ..] => (Effort::Runs(number_of(number)?), targets),
        targets => (Effort::default(), targets),
    };
    stage::fuzz::command(&tree::root()?, effort, targets)
}

fn number_of(word: &str) -> Result<u64> {
    word.parse().with_context(|| format!("`{word}` is not a number"))
}
