//! The rows of `founding.toml`.

use anyhow::{Context, Result};
use serde::Deserialize;

/// Everything in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    /// The founding requirements.
    pub requirement: Vec<Row>,
    /// The cases.
    pub case: Vec<Row>,
}

/// One requirement or case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// The name by which tests refer to it, such as `A7`.
    pub id: String,
    /// What it asks for, in short.
    pub text: String,
    /// The part of the project that owes it.
    pub owed_by: String,
    /// Whether it must be shown by now.
    pub due: bool,
}

pub(super) fn read(text: &str) -> Result<Rows> {
    toml::from_str(text).context("`xtask/founding.toml` is not as expected")
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_file_holds_each_requirement_once_in_order() {
        let rows = read(include_str!("../../founding.toml")).unwrap();
        let ids: Vec<String> = rows.requirement.into_iter().map(|row| row.id).collect();
        let first = (1..=24).map(|number| format!("A{number}"));
        let second = (1..=14).map(|number| format!("B{number}"));
        assert_eq!(ids, first.chain(second).collect::<Vec<_>>());
    }
}
