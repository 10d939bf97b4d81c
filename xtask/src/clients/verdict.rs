//! Whether a run went as it should. Pure.

use super::rows::{Cell, Row};
use super::run::Ran;
use super::seen::Seen;

/// A run with what it showed.
pub(super) struct Measured {
    pub(super) row: &'static Row,
    pub(super) cell: &'static Cell,
    /// The version of the client.
    pub(super) version: String,
    pub(super) seen: Seen,
    /// What is wrong with it, a sentence each.
    pub(super) wrong: Vec<String>,
}

/// Lines of a client's errors that are told where it failed.
const LINES_TOLD: usize = 8;

/// Returns what is wrong with a run.
pub(super) fn wrong(cell: &Cell, seen: &Seen, ran: &Ran) -> Vec<String> {
    let mut wrong: Vec<String> = ran.ending.iter().cloned().collect();
    wrong.extend(seen.faults.iter().cloned());
    match seen.requests {
        None => wrong.push("the tool was never called".to_owned()),
        Some(requests) if requests > cell.requests => wrong.push(format!(
            "the tool was called in request {requests}, and {} are enough",
            cell.requests
        )),
        Some(requests) if requests < cell.requests => wrong.push(format!(
            "the tool was called in request {requests} already: say so instead of {} in xtask/src/clients/rows.rs",
            cell.requests
        )),
        Some(_) => {}
    }
    if let Some(by) = seen.by.filter(|&by| by != cell.by) {
        wrong.push(format!("the tool was called {}, not {}", by.words(), cell.by.words()));
    }
    if seen.requests.is_some() && !seen.tells {
        wrong.push("the client does not tell what the tool said".to_owned());
    }
    if !wrong.is_empty() {
        let lines: Vec<&str> = ran.errors.lines().collect();
        let last = lines.get(lines.len().saturating_sub(LINES_TOLD)..).unwrap_or_default();
        wrong.extend(last.iter().map(|line| format!("| {line}")));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::super::rows::{By, Cell, Mode, Transport};
    use super::super::run::Ran;
    use super::super::seen::Seen;
    use super::wrong;

    const CELL: Cell = Cell {
        mode: Mode::Dynamic,
        transport: Transport::Stdio,
        steps: &["search", "tool"],
        requests: 2,
        by: By::Itself,
    };

    fn check(seen: &Seen, ending: Option<&str>, expected: &[&str]) {
        let ran = Ran {
            ending: ending.map(str::to_owned),
            output: String::new(),
            errors: String::new(),
            asked: Vec::new(),
            passed: Vec::new(),
        };
        assert_eq!(wrong(&CELL, seen, &ran), expected);
    }

    #[test]
    fn each_departure_is_told() {
        let good = Seen { requests: Some(2), by: Some(By::Itself), tells: true, ..Seen::default() };
        check(&good, None, &[]);
        check(&good, Some("it ended with 1"), &["it ended with 1"]);
        check(
            &Seen { requests: Some(3), by: Some(By::CallTool), ..good.clone() },
            None,
            &[
                "the tool was called in request 3, and 2 are enough",
                "the tool was called by `call_tool`, not by its own name",
            ],
        );
        check(
            &Seen { requests: Some(1), ..good.clone() },
            None,
            &[
                "the tool was called in request 1 already: say so instead of 2 in xtask/src/clients/rows.rs",
            ],
        );
        check(
            &Seen { tells: false, ..good },
            None,
            &["the client does not tell what the tool said"],
        );
        check(&Seen::default(), None, &["the tool was never called"]);
    }
}
