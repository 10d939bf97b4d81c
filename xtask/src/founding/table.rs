//! Rows beside the tests that show them, and what is still open.

use std::collections::BTreeMap;
use std::fmt;

use super::rows::Row;
use super::scan::{Claim, Test};

/// What the reports say.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Whether each test passed, by full name.
    pub tests: BTreeMap<String, bool>,
    /// Whether each documentation test passed, by `file:line`.
    pub doctests: BTreeMap<String, bool>,
}

/// How a claimed test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Passed,
    Failed,
    /// No report knows a test of this name.
    Unknown,
    /// The comment stands above no test.
    NoTest,
}

struct Shown {
    name: String,
    place: String,
    state: State,
}

/// The rows with their tests.
pub(super) struct Table {
    lines: Vec<(Row, Vec<Shown>)>,
    strays: Vec<String>,
}

impl Table {
    /// Puts claims to rows and looks up how their tests ended.
    pub(super) fn new(rows: Vec<Row>, claims: &[Claim], known: &Known) -> Self {
        let mut strays = Vec::new();
        for claim in claims {
            for id in claim.ids.iter().filter(|id| rows.iter().all(|row| row.id != **id)) {
                strays.push(format!("{}: there is no `{id}`", claim.place));
            }
        }
        let lines = rows
            .into_iter()
            .map(|row| {
                let of_row = claims.iter().filter(|claim| claim.ids.contains(&row.id));
                let shown = of_row.map(|claim| shown(claim, known)).collect();
                (row, shown)
            })
            .collect();
        Self { lines, strays }
    }

    /// What keeps the table from being whole, one line each.
    pub(super) fn open(&self) -> Vec<String> {
        let mut open = self.strays.clone();
        for (row, tests) in &self.lines {
            for test in tests.iter().filter(|test| test.state != State::Passed) {
                let what = match test.state {
                    State::Failed => "failed",
                    State::NoTest => "stands above no test",
                    _ => "is a test that did not run: is its module declared, its name right?",
                };
                open.push(format!("{}: `{}` {}: {what}", row.id, test.name, test.place));
            }
            if row.due && tests.is_empty() {
                open.push(format!("{} is due and no test shows it: {}", row.id, row.text));
            }
        }
        open
    }
}

fn shown(claim: &Claim, known: &Known) -> Shown {
    let place = claim.place.clone();
    let state = |passed: Option<&bool>| match passed {
        Some(true) => State::Passed,
        Some(false) => State::Failed,
        None => State::Unknown,
    };
    match &claim.test {
        Test::Nothing => Shown { name: "comment".into(), place, state: State::NoTest },
        Test::Doctest(at) => {
            Shown { name: at.clone(), place, state: state(known.doctests.get(at)) }
        }
        Test::Function(names) => {
            let found = names.iter().find_map(|name| Some((name, known.tests.get(name)?)));
            let name = found.map(|(name, _)| name).or(names.first()).cloned().unwrap_or_default();
            Shown { name, place, state: state(found.map(|(_, passed)| passed)) }
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut due, mut whole) = (0, 0);
        for (row, tests) in &self.lines {
            let passed = tests.iter().all(|test| test.state == State::Passed);
            let state = match (tests.is_empty(), passed, row.due) {
                (false, true, _) => "passed",
                (false, false, _) => "FAILED",
                (true, _, true) => "MISSING",
                (true, _, false) => "later",
            };
            due += usize::from(row.due);
            whole += usize::from(row.due && state == "passed");
            writeln!(f, "{:<4} {state:<8} {} ({})", row.id, row.text, row.owed_by)?;
            for test in tests {
                writeln!(f, "              {}", test.name)?;
            }
        }
        writeln!(f, "{whole} of {due} due are shown by tests that passed")
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Table};
    use crate::founding::rows::Row;
    use crate::founding::scan::{Claim, Test};

    fn row(id: &str, due: bool) -> Row {
        Row { id: id.into(), text: "text".into(), owed_by: "part".into(), due }
    }

    fn claim(id: &str, test: Test) -> Claim {
        Claim { ids: vec![id.into()], place: "f:1".into(), test }
    }

    fn function(name: &str) -> Test {
        Test::Function(vec!["elsewhere x".into(), name.into()])
    }

    fn open(rows: &[Row], claims: &[Claim]) -> Vec<String> {
        let known = Known {
            tests: [("b good".into(), true), ("b bad".into(), false)].into(),
            doctests: [("f:2".into(), true)].into(),
        };
        Table::new(rows.to_vec(), claims, &known).open()
    }

    #[test]
    fn a_row_that_is_due_needs_a_test_that_passed() {
        let due = [row("A1", true)];
        assert!(open(&due, &[claim("A1", function("b good"))]).is_empty());
        assert!(open(&due, &[claim("A1", Test::Doctest("f:2".into()))]).is_empty());
        assert_eq!(open(&due, &[]), ["A1 is due and no test shows it: text"]);
        assert_eq!(open(&[row("A1", false)], &[]), Vec::<String>::new());
    }

    #[test]
    fn a_test_that_failed_or_was_renamed_or_is_none_leaves_the_row_open() {
        let due = [row("A1", true)];
        for (test, expected) in [
            (function("b bad"), "failed"),
            (function("b good_before_it_was_renamed"), "did not run"),
            (Test::Doctest("f:3".into()), "did not run"),
            (Test::Nothing, "stands above no test"),
        ] {
            let found = open(&due, &[claim("A1", function("b good")), claim("A1", test)]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found.iter().all(|fault| fault.contains(expected)), "{found:?}");
        }
    }

    #[test]
    fn a_comment_with_an_unknown_number_is_told() {
        let found = open(&[row("A1", false)], &[claim("A99", function("b good"))]);
        assert_eq!(found, ["f:1: there is no `A99`"]);
    }
}
