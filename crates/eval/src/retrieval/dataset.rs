//! A labelled data set on disk: tools, and the requests that they serve.
//!
//! It has a reader of its own beside `oncue_tools::ingest`, since it wants the opposite: there a bad or repeated tool is set aside and tools are grouped by server; here every line is a tool that queries name by id, tools of one name stay apart, and a line that cannot be read makes the figures worthless.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::limits::DATASET_FILE_BYTES_MAX;

/// The source of tools that name no server.
const NO_SERVER: &str = "";

/// Tools and labelled queries; read once and never changed.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of its folder.
    pub name: String,
    /// The `NAME` of `queries.NAME.jsonl`.
    pub split: String,
    /// The tools, in the order of the file.
    pub tools: Vec<LabelledTool>,
    /// The queries, in the order of the file.
    pub queries: Vec<LabelledQuery>,
    /// Ids that queries name and no tool has; they can never be found, so they count as misses.
    pub unknown: Vec<UnknownId>,
}

/// A tool of a data set.
#[derive(Clone, Debug)]
pub struct LabelledTool {
    /// Its id, unique in the data set.
    pub id: String,
    /// The server that it comes from; empty where none is named.
    pub source: String,
    /// What search reads.
    pub document: Arc<Document>,
}

/// A request with the tools that serve it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledQuery {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// Sets of acceptable tools, as places in [`Dataset::tools`]; each set is one need.
    pub groups: Vec<Vec<usize>>,
    /// The language of the text.
    pub lang: String,
    /// What kind of request it is.
    pub kind: Option<String>,
    /// The request from which it was derived.
    pub src: Option<String>,
}

/// An id that a query names and no tool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownId {
    /// The line of the query, from 1.
    pub line: usize,
    /// The id.
    pub id: String,
}

/// Why a data set cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The folder has no queries of that name.
    #[error("no `queries.{split}.jsonl` in `{}`", folder.display())]
    NoQueries {
        /// The folder.
        folder: PathBuf,
        /// The name that was asked for.
        split: String,
        /// The names that are there.
        present: Vec<String>,
    },
    /// A file cannot be read.
    #[error("failed to read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        cause: std::io::Error,
    },
    /// A file is larger than a data set may be.
    #[error("`{}` is larger than {DATASET_FILE_BYTES_MAX} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A line is wrong.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl Dataset {
    /// Returns the data set in `folder` with the queries of `split`.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoQueries`] where the folder has no such queries; the others name file and line.
    pub fn load(folder: &Path, split: &str) -> Result<Self, DatasetError> {
        let tools_path = folder.join("tools.jsonl");
        let queries_path = folder.join(format!("queries.{split}.jsonl"));
        if !queries_path.is_file() {
            return Err(DatasetError::NoQueries {
                folder: folder.to_owned(),
                split: split.to_owned(),
                present: splits_of(folder),
            });
        }
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        let (tools, queries) = (text_of(&tools_path)?, text_of(&queries_path)?);
        Self::assembled(&name, split, (&tools_path, &tools), (&queries_path, &queries))
    }

    /// Returns the data set whose two files have these texts.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Line`] for a line that is wrong.
    pub fn parse(
        name: &str,
        split: &str,
        tools: &str,
        queries: &str,
    ) -> Result<Self, DatasetError> {
        let queries_name = format!("queries.{split}.jsonl");
        Self::assembled(
            name,
            split,
            (Path::new("tools.jsonl"), tools),
            (Path::new(&queries_name), queries),
        )
    }

    fn assembled(
        name: &str,
        split: &str,
        (tools_path, tools): (&Path, &str),
        (queries_path, queries): (&Path, &str),
    ) -> Result<Self, DatasetError> {
        let tools = tools_of(tools_path, tools)?;
        let places: HashMap<&str, usize> =
            tools.iter().enumerate().map(|(place, tool)| (tool.id.as_str(), place)).collect();
        let mut unknown = Vec::new();
        let queries = queries_of(queries_path, queries, &places, &mut unknown)?;
        Ok(Self { name: name.to_owned(), split: split.to_owned(), tools, queries, unknown })
    }
}

/// A line of `tools.jsonl`.
#[derive(Deserialize)]
#[serde(expecting = "an object with id and name")]
struct ToolLine {
    id: String,
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    input_schema: Option<Box<RawValue>>,
    #[serde(default)]
    server: Option<String>,
}

/// A line of `queries.NAME.jsonl`.
#[derive(Deserialize)]
#[serde(expecting = "an object with id, query, relevant and lang")]
struct QueryLine {
    id: String,
    query: String,
    #[serde(default)]
    relevant: Vec<String>,
    lang: String,
    #[serde(default)]
    groups: Option<Vec<Vec<String>>>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    src: Option<String>,
}

fn tools_of(path: &Path, text: &str) -> Result<Vec<LabelledTool>, DatasetError> {
    let mut lines_by_id: HashMap<String, usize> = HashMap::new();
    let mut tools = Vec::new();
    for (line, tool) in lines_of::<ToolLine>(path, text) {
        let tool = tool?;
        if let Some(first) = lines_by_id.insert(tool.id.clone(), line) {
            return Err(wrong(path, line, format!("id `{}` is that of line {first}", tool.id)));
        }
        let row = Row::discoverable(tool.name, tool.description.unwrap_or_default());
        tools.push(LabelledTool {
            id: tool.id,
            source: tool.server.unwrap_or_else(|| NO_SERVER.to_owned()),
            document: Arc::new(Document { row, schema: tool.input_schema }),
        });
    }
    Ok(tools)
}

fn queries_of(
    path: &Path,
    text: &str,
    places: &HashMap<&str, usize>,
    unknown: &mut Vec<UnknownId>,
) -> Result<Vec<LabelledQuery>, DatasetError> {
    let mut queries = Vec::new();
    for (line, query) in lines_of::<QueryLine>(path, text) {
        let query = query?;
        let groups =
            query.groups.unwrap_or_else(|| query.relevant.into_iter().map(|id| vec![id]).collect());
        if groups.is_empty() || groups.iter().any(Vec::is_empty) {
            return Err(wrong(path, line, "no relevant tool, or an empty group".to_owned()));
        }
        let mut place = |id: String| {
            let known = places.get(id.as_str()).copied();
            if known.is_none() {
                unknown.push(UnknownId { line, id });
            }
            known
        };
        let groups = groups
            .into_iter()
            .map(|group| group.into_iter().filter_map(&mut place).collect())
            .collect();
        queries.push(LabelledQuery {
            id: query.id,
            text: query.query,
            groups,
            lang: query.lang,
            kind: query.kind,
            src: query.src,
        });
    }
    Ok(queries)
}

/// Iterates over the lines that are not blank, each read on its own.
fn lines_of<'t, T: Deserialize<'t>>(
    path: &Path,
    text: &'t str,
) -> impl Iterator<Item = (usize, Result<T, DatasetError>)> {
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(|(line, number)| {
        (number, serde_json::from_str(line).map_err(|error| wrong(path, number, reason_of(&error))))
    })
}

/// What `serde_json` says, without its place: it only knows of the one line.
fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("column {}: {}", error.column(), text.strip_suffix(&place).unwrap_or(&text))
}

fn wrong(path: &Path, line: usize, reason: String) -> DatasetError {
    DatasetError::Line { path: path.to_owned(), line, reason }
}

fn text_of(path: &Path) -> Result<String, DatasetError> {
    let unreadable = |cause| DatasetError::Unreadable { path: path.to_owned(), cause };
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(DATASET_FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > DATASET_FILE_BYTES_MAX {
        return Err(DatasetError::TooLarge { path: path.to_owned() });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        wrong(path, line, "invalid UTF-8".to_owned())
    })
}

/// Returns the `NAME` of every `queries.NAME.jsonl` in `folder`, sorted.
fn splits_of(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut splits: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_prefix("queries.")?.strip_suffix(".jsonl")?.to_owned())
        })
        .collect();
    splits.sort();
    splits
}

#[cfg(test)]
mod tests;
