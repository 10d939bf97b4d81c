//! The figures in the documents: measured by the command itself, and put where the documents mark their place.
//!
//! `cargo xtask figures [PART]...` needs `ONCUE_DATA`, the folder with the full data sets.
//! Parts are `retrieval`, `reasons`, `rivals`, `fit`, `lint`, `no-fit`, `attack`, `needs`, `keywords`, `tune` and `siblings`; without any all are measured.

mod published;
mod sections;
mod tables;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::machine::cargo;
use crate::models;
pub(crate) use published::SETS;
pub(crate) use sections::{Document, Tables};

/// The rankers that are measured, the one in use first.
const RANKERS: [&str; 4] = ["bm25f", "hybrid", "dense", "keyword"];

/// Answers of a searcher that cannot be rebuilt, which `cargo xtask rivals record` writes.
pub(crate) const RECORDED: &str = "bench/rivals/claude-code.jsonl";

/// Measures the parts and writes their figures.
pub(crate) fn run(root: &Path, parts: &[&str]) -> Result<bool> {
    const PARTS: [&str; 11] = [
        "retrieval", "reasons", "rivals", "fit", "lint", "no-fit", "attack", "needs", "keywords",
        "tune", "siblings",
    ];
    for part in parts {
        ensure!(PARTS.contains(part), "unknown part `{part}`; known are {}", PARTS.join(", "));
    }
    let wanted = |part| parts.is_empty() || parts.contains(&part);
    let Some(data) = env::var_os("ONCUE_DATA").map(PathBuf::from) else {
        bail!("`ONCUE_DATA` is not set; docs/retrieval.md tells how to make that folder");
    };
    let document = root.join("docs/retrieval.md");
    if wanted("retrieval") {
        let rankers = RANKERS.into_iter().flat_map(|name| ["--ranker", name]);
        let words: Vec<&str> = ["eval", "retrieval"].into_iter().chain(rankers).collect();
        let sets = sets(&data)?;
        let lines = tables::lines(&answer(root, &words, &sets, "--json")?)?;
        let tables = answer(root, &words, &sets, "--markdown")?;
        let mut document = Document::read(&document)?;
        document.put("rivals", &tables::rivals(&lines))?;
        document.put("founding", &tables::founding(&lines))?;
        document.put("questions", &tables::questions(&lines))?;
        document.put("sets", &format!("{}\n{}", measured_at(root)?, lowered(&tables)))?;
        document.write()?;
    }
    if wanted("reasons") {
        let whole = answer(root, &["eval", "retrieval", "--reasons"], &sets(&data)?, "--markdown")?;
        let (_, table) = whole.rsplit_once("\n\n|").context("no table of reasons")?;
        let mut document = Document::read(&document)?;
        document.put("reasons", &format!("|{table}"))?;
        document.write()?;
    }
    if wanted("rivals") {
        let recorded = root.join(RECORDED).display().to_string();
        let words = ["eval", "rivals", "--recorded", &recorded];
        let sets = sets(&data)?;
        let published: Vec<PathBuf> = sets.iter().take(SETS.len()).cloned().collect();
        let whole = answer(root, &words, &published, "--markdown")?;
        let short: Vec<&str> =
            words.into_iter().chain(["--kind", "step", "--kind", "agentq"]).collect();
        let short = answer(root, &short, &sets, "--markdown")?;
        let mut document = Document::read(&document)?;
        document.put("rebuilt", &format!("{}\n{}", measured_at(root)?, lowered(&whole)))?;
        document.put("rebuilt-short", &lowered(&lowered(&short)))?;
        document.write()?;
    }
    if wanted("fit") {
        for (ranker, section) in [("bm25f", "left-out"), ("hybrid", "left-out-hybrid")] {
            let words = ["eval", "fit", "--ranker", ranker];
            let table = answer(root, &words, &sets(&data)?, "--markdown")?;
            let table = format!("{}\n{}", measured_at(root)?, lowered(&table));
            let mut document = Document::read(&document)?;
            document.put(section, &table)?;
            document.write()?;
        }
    }
    if wanted("lint") {
        let words = ["lint", "--fail-on", "never"];
        let report = answer(root, &words, &[data.join("catalogs")], "--markdown")?;
        let mut document = Document::read(&root.join("docs/lint.md"))?;
        document.put("lint", &lowered(&report))?;
        document.write()?;
    }
    for trial in TRIALS.into_iter().filter(|trial| wanted(trial)) {
        let table = answer(root, &["eval", trial], &sets(&data)?, "--markdown")?;
        let mut document = Document::read(&document)?;
        document.put(trial, &table)?;
        document.write()?;
    }
    if wanted("siblings") {
        let samples = [root.join("crates/eval/samples/siblings")];
        let mut tables = String::new();
        for split in ["dev", "held"] {
            let words = ["eval", "retrieval", "--hits", "5", "--split", split];
            tables.push_str(&lowered(&answer(root, &words, &samples, "--markdown")?));
        }
        let mut document = Document::read(&document)?;
        document.put("siblings", &tables)?;
        document.write()?;
    }
    Ok(true)
}

/// The trials of rankers: what is measured, and its section.
const TRIALS: [&str; 5] = ["no-fit", "attack", "needs", "keywords", "tune"];

/// The folders with labelled queries: those with published figures first.
fn sets(data: &Path) -> Result<Vec<PathBuf>> {
    let folder = data.join("retrieval");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("failed to list `{}`", folder.display()))?;
    let mut sets: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<PathBuf>>>()?
        .into_iter()
        .filter(|set| set.join("queries.dev.jsonl").is_file())
        .collect();
    let place = |set: &PathBuf| {
        let known = |name: &&str| set.file_name().is_some_and(|found| found == OsStr::new(*name));
        SETS.iter().position(known).unwrap_or(SETS.len())
    };
    sets.sort_by_cached_key(|set| (place(set), set.clone()));
    Ok(sets)
}

/// Returns what the command, built for measuring, answers.
fn answer(root: &Path, words: &[&str], paths: &[PathBuf], form: &str) -> Result<String> {
    eprintln!("$ oncue {} … {form}", words.join(" "));
    let output = cargo()
        .args(["run", "--release", "-q", "-p", "oncue-cli", "--features", "bm25", "--"])
        .args(words)
        .args(paths)
        .arg(form)
        .current_dir(root)
        .env(models::FOLDER_VARIABLE, models::folder(root))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("failed to start cargo")?;
    ensure!(output.status.success(), "the command failed ({})", output.status);
    String::from_utf8(output.stdout).context("the answer is not UTF-8")
}

/// Returns Markdown with every heading one level lower, to stand below a heading of the document.
fn lowered(markdown: &str) -> String {
    let lower =
        |line: &str| if line.starts_with('#') { format!("#{line}\n") } else { format!("{line}\n") };
    markdown.lines().map(lower).collect()
}

/// Says when and where the figures were measured.
fn measured_at(root: &Path) -> Result<String> {
    let output = Command::new("git")
        .args(["log", "-1", "--format=%h of %cs"])
        .current_dir(root)
        .output()
        .context("failed to start git")?;
    let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unnamed processor", |(_, model)| model.trim());
    Ok(format!("Measured at commit {commit} on {model}.\n"))
}

#[cfg(test)]
mod tests {
    use super::lowered;

    #[test]
    fn headings_go_one_level_down() {
        assert_eq!(lowered("## a\n\n# b\ntext # c\n"), "### a\n\n## b\ntext # c\n");
    }
}
