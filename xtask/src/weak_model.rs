//! The table of docs/weak-models.md: which tool weak models call first, and what helps them.
//!
//! `cargo xtask weak-model [MODEL]...` fetches the models, serves them here and measures them. It takes hours of one core; answers are remembered, so that it can be broken off and taken up.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use crate::figures::Document;
use crate::local_model::{LocalModel, Served};
use crate::machine::{Supply, cargo};

/// The models that are measured, the weaker one first.
const MODELS: [&str; 2] = ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"];

/// The languages of the requests.
const LANGUAGES: [&str; 2] = ["en", "ko"];

/// Requests of each kind and catalog: 42 for hidden tools, 42 for inline ones and 26 that need none.
const REQUESTS: &str = "14";

/// Where the answers are remembered.
const MEMORY: &str = "target/weak-model";

/// Measures the models and writes their tables.
pub(crate) fn run(root: &Path, models: &[&str]) -> Result<bool> {
    for model in models {
        ensure!(MODELS.contains(model), "unknown model `{model}`; known are {}", MODELS.join(", "));
    }
    let models = if models.is_empty() { &MODELS } else { models };
    std::fs::create_dir_all(root.join(MEMORY))?;
    let mut is_whole = true;
    for name in models {
        let model = match LocalModel::start(root, Supply::Install, name, "2")? {
            Served::Model(model) => model,
            Served::Unavailable(why) => {
                eprintln!("SKIPPED {name}: cannot be had here: {why}");
                is_whole = false;
                continue;
            }
        };
        for language in LANGUAGES {
            let table = table(root, &model, language)?;
            let mut document = Document::read(&root.join("docs/weak-models.md"))?;
            document.put(&format!("{name} {language}"), &table)?;
            document.write()?;
        }
    }
    Ok(is_whole)
}

fn table(root: &Path, model: &LocalModel, language: &str) -> Result<String> {
    let memory = format!("{MEMORY}/{}.jsonl", model.model);
    let endpoint = model.endpoint();
    let words = ["eval", "calls", "xtask/weak-model", "--model", &endpoint];
    let options = ["--lenient", "--can-narrow", "--limit", REQUESTS, "--language", language];
    eprintln!("$ oncue {} … --language {language}", words.join(" "));
    let output = cargo()
        .args(["run", "-q", "-p", "oncue-cli", "--"])
        .args(words)
        .args(options)
        .args(["--memory", &memory, "--markdown"])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("failed to start `cargo run`")?;
    ensure!(output.status.success(), "`oncue eval calls` failed ({})", output.status);
    String::from_utf8(output.stdout).context("the answer is no text")
}
