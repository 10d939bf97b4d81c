//! Folders with data sets, as they are named on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};

use oncue_eval::retrieval::{Dataset, DatasetError};

use crate::failure::Failure;
use crate::text::{counted, printable};

/// Returns the data set in `folder`, or says on `err` why it is skipped.
pub(super) fn load(
    folder: &Path,
    split: &str,
    present: &mut Vec<String>,
    err: &mut dyn Write,
) -> Result<Option<Dataset>, Failure> {
    let shown = printable(&folder.display().to_string());
    if folder.is_file() {
        writeln!(err, "skipped `{shown}`: a file, not a folder")?;
        return Ok(None);
    }
    if !folder.exists() {
        return Err(Failure::input(anyhow::anyhow!("no folder `{shown}`"))
            .hint(format!("a data set is a folder with tools.jsonl and queries.{split}.jsonl")));
    }
    match Dataset::load(folder, split) {
        Ok(dataset) => {
            if let Some(first) = dataset.unknown.first() {
                let count = counted(dataset.unknown.len(), "id");
                let (line, id) = (first.line, printable(&first.id));
                writeln!(
                    err,
                    "warning: `{shown}`: {count} in the queries that no tool has, counted as missed: line {line} `{id}`"
                )?;
            }
            Ok(Some(dataset))
        }
        Err(DatasetError::NoQueries { present: found, .. }) => {
            writeln!(err, "skipped `{shown}`: no queries.{split}.jsonl")?;
            present.extend(found);
            Ok(None)
        }
        Err(error) => Err(Failure::input(error)),
    }
}

/// Returns the data sets in `folders`, of which there is at least one.
pub(super) fn all(
    folders: &[PathBuf],
    split: &str,
    err: &mut dyn Write,
) -> Result<Vec<Dataset>, Failure> {
    let mut present = Vec::new();
    let mut datasets = Vec::new();
    for folder in folders {
        datasets.extend(load(folder, split, &mut present, err)?);
    }
    if datasets.is_empty() {
        return Err(nothing(split, &present));
    }
    Ok(datasets)
}

/// A failure for folders of which none has queries of `split`; `present` are the names that were there.
pub(super) fn nothing(split: &str, present: &[String]) -> Failure {
    let failure = Failure::nothing(format!("no queries.{split}.jsonl in any of the folders"));
    match present.first() {
        Some(split) => failure.hint(format!("there is another split: `--split {split}`")),
        None => failure.hint("name folders with tools.jsonl and queries.NAME.jsonl"),
    }
}
