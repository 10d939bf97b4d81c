//! The rules that the compiler does not know: over text, folders and dependencies. Each rule is one function with a test that shows it failing.

mod borders;
mod corpus;
mod graph;
mod layout;
mod limits;
mod places;
mod size;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Result;

use crate::tree::{self, File};
use crate::workspace::{self, Workspace};

/// Something that a rule does not let pass.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// The file.
    path: String,
    /// The line, from 1; 0 where the whole file is meant.
    line: usize,
    /// What is wrong and what to do.
    what: String,
}

impl Finding {
    fn new(file: &File, line: usize, what: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

type TextRule = fn(&[File]) -> Vec<Finding>;

const TEXT_RULES: &[(&str, TextRule)] = &[
    ("pure-search", borders::search_is_pure),
    ("vendor-words", borders::vendor_words_stay_at_the_edge),
    ("one-activation", places::activation_has_one_call_site),
    ("tool-names", places::tool_names_are_literals_in_rows_only),
    ("file-lines", size::files_are_short),
    ("function-lines", size::functions_fit_a_screen),
    ("first-line", layout::files_say_what_lives_in_them),
    ("lib-without-logic", layout::lib_holds_no_logic),
    ("limits", limits::bounds_live_in_limits),
    ("leftovers", words::nothing_is_left_open),
    ("white-space", words::lines_end_clean),
    ("machine", words::no_machine_is_named),
    ("corpus", corpus::cases_name_their_rankers),
];

type GraphRule = fn(&Workspace) -> Vec<String>;

const GRAPH_RULES: &[(&str, GraphRule)] = &[
    ("decl-alone", graph::decl_depends_on_nothing),
    ("one-direction", graph::dependencies_go_one_way),
    ("rmcp", graph::one_crate_names_the_protocol_sdk),
];

/// Applies every rule, prints what they find and says whether that is nothing.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let files = tree::files(root)?;
    let workspace = workspace::read(root)?;
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, rule) in TEXT_RULES {
        found.entry(name).or_default().extend(rule(&files).iter().map(Finding::to_string));
    }
    for (name, rule) in GRAPH_RULES {
        found.entry(name).or_default().extend(rule(&workspace));
    }
    for (name, finding) in found.iter().flat_map(|(name, all)| all.iter().map(move |f| (name, f))) {
        eprintln!("{name}: {finding}");
    }
    for notice in size::long_files(&files) {
        eprintln!("notice: {notice}");
    }
    let rules = TEXT_RULES.len() + GRAPH_RULES.len();
    let findings: usize = found.values().map(Vec::len).sum();
    eprintln!("{rules} rules over {} files: {findings} findings", files.len());
    Ok(findings == 0)
}

/// The Rust files with their source.
fn rust(files: &[File]) -> impl Iterator<Item = (&File, &crate::source::Source)> {
    files.iter().filter_map(|file| Some((file, file.rust.as_ref()?)))
}

/// Applies `rule` to one file and returns the lines that it finds.
#[cfg(test)]
fn lines(rule: TextRule, path: &str, text: &str) -> Vec<usize> {
    rule(&[File::new(path, text)]).into_iter().map(|finding| finding.line).collect()
}
