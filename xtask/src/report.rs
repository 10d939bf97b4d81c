//! What the tests said: one outcome per test, kept under `target/xtask/` with the fingerprint of the tree that was tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::{Deserialize, Serialize};

/// Which tests a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Unit and integration tests.
    Tests,
    /// Examples in the documentation.
    Doctests,
}

/// Whether each test passed, by its full name.
///
/// A test is named as its binary and its path, such as `oncue-decl::it pairs::both_halves_differ`; a documentation test as its file and line, such as `crates/decl/src/row.rs:12`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The fingerprint of the tree that was tested.
    pub tree: u64,
    /// Whether each test passed.
    pub passed: BTreeMap<String, bool>,
}

impl Report {
    /// Reads the last report; `None` where there is none or it cannot be read.
    pub(crate) fn read(root: &Path, kind: Kind) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(path(root, kind)).ok()?).ok()
    }

    /// Keeps the report for later commands.
    pub(crate) fn write(&self, root: &Path, kind: Kind) -> Result<()> {
        let path = path(root, kind);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, serde_json::to_string_pretty(self)?)
            .with_context(|| format!("failed to write `{}`", path.display()))
    }
}

fn path(root: &Path, kind: Kind) -> PathBuf {
    root.join("target/xtask").join(match kind {
        Kind::Tests => "tests.json",
        Kind::Doctests => "doctests.json",
    })
}

/// Reads the JUnit file of `cargo nextest`.
pub(crate) fn from_junit(xml: &str) -> Result<BTreeMap<String, bool>> {
    let mut reader = Reader::from_str(xml);
    let mut passed = BTreeMap::new();
    let mut binary = String::new();
    let mut test: Option<String> = None;
    loop {
        match reader.read_event().context("the JUnit report is not XML")? {
            Event::Eof => return Ok(passed),
            Event::Start(tag) if tag.name().as_ref() == "testsuite" => binary = name_of(&tag)?,
            Event::Empty(tag) if tag.name().as_ref() == "testcase" => {
                passed.insert(format!("{binary} {}", name_of(&tag)?), true);
            }
            Event::Start(tag) if tag.name().as_ref() == "testcase" => {
                let name = format!("{binary} {}", name_of(&tag)?);
                passed.insert(name.clone(), true);
                test = Some(name);
            }
            Event::Start(tag) | Event::Empty(tag)
                if matches!(tag.name().as_ref(), "failure" | "error" | "skipped") =>
            {
                passed.extend(test.clone().map(|name| (name, false)));
            }
            _ => {}
        }
    }
}

fn name_of(tag: &BytesStart<'_>) -> Result<String> {
    let name = tag.try_get_attribute("name")?.context("a JUnit element has no name")?;
    Ok(name.normalized_value(quick_xml::XmlVersion::Implicit1_0)?.into_owned())
}

/// Reads what a test binary printed, as the standard test harness words it.
pub(crate) fn from_harness(binary: &str, output: &str) -> BTreeMap<String, bool> {
    harness_lines(output).map(|(name, ok)| (format!("{binary} {name}"), ok)).collect()
}

/// Reads what `cargo test --doc` printed.
pub(crate) fn from_doctests(output: &str) -> BTreeMap<String, bool> {
    harness_lines(output)
        .filter_map(|(name, ok)| {
            let (file, rest) = name.split_once(" - ")?;
            let line = rest.rsplit_once("(line ")?.1.split_once(')')?.0;
            Some((format!("{file}:{line}"), ok))
        })
        .collect()
}

fn harness_lines(output: &str) -> impl Iterator<Item = (&str, bool)> {
    output.lines().filter_map(|line| {
        let (name, state) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        let name = name.strip_suffix(" - should panic").unwrap_or(name);
        Some((name, state.starts_with("ok")))
    })
}

#[cfg(test)]
mod tests {
    use super::{from_doctests, from_harness, from_junit};

    #[test]
    fn junit_tells_failures_and_skips_from_passes() {
        let xml = r#"<?xml version="1.0"?>
            <testsuites name="run"><testsuite name="oncue-decl::it" tests="4">
              <testcase name="rows::a" classname="x" time="0.1"/>
              <testcase name="rows::b"><failure type="x">why &lt;</failure></testcase>
              <testcase name="rows::c"><system-out>text</system-out></testcase>
              <testcase name="rows::d"><skipped/></testcase>
            </testsuite></testsuites>"#;
        let expected = [
            ("oncue-decl::it rows::a".to_owned(), true),
            ("oncue-decl::it rows::b".to_owned(), false),
            ("oncue-decl::it rows::c".to_owned(), true),
            ("oncue-decl::it rows::d".to_owned(), false),
        ];
        assert_eq!(from_junit(xml).unwrap().into_iter().collect::<Vec<_>>(), expected);
        assert!(from_junit("<a><b></a>").is_err());
    }

    #[test]
    fn the_harness_says_ok_only_for_tests_that_passed() {
        let output = "running 3 tests\ntest a::b ... ok\ntest c - should panic ... ok\ntest d ... FAILED\ntest e ... ignored\n\ntest result: FAILED. 1 passed";
        let expected = [("x a::b", true), ("x c", true), ("x d", false), ("x e", false)];
        let found = from_harness("x", output);
        assert_eq!(
            found.iter().map(|(name, &ok)| (name.as_str(), ok)).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn documentation_tests_are_named_by_file_and_line() {
        let output = "test crates/a/src/b.rs - b::C<'a>::d (line 12) ... ok\ntest crates/a/src/b.rs - e (line 30) - compile fail ... FAILED\n";
        let expected = [("crates/a/src/b.rs:12", true), ("crates/a/src/b.rs:30", false)];
        let found = from_doctests(output);
        assert_eq!(
            found.iter().map(|(name, &ok)| (name.as_str(), ok)).collect::<Vec<_>>(),
            expected
        );
    }
}
