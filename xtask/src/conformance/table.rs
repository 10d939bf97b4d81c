//! What the document tells of a run.

use std::fmt::Write;

use super::suite::Scenario;
use super::{Run, Subject};

/// Returns the tables in Markdown.
pub(super) fn table(runs: &[Run]) -> String {
    let mut text = String::from(
        "| revision | what is tested | scenarios that passed | required | checks that passed | checks that did not |\n|---|---|--:|--:|--:|--:|\n",
    );
    for run in runs {
        let passed = run.required.iter().filter(|scenario| scenario.passed()).count();
        let sum = |of: fn(&Scenario) -> usize| run.required.iter().map(of).sum::<usize>();
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {passed} | {} | {} | {} |",
            run.revision,
            title(run.subject),
            run.required.len(),
            sum(|scenario| scenario.counts.passed),
            sum(|scenario| scenario.counts.failed + scenario.counts.warned),
        );
    }
    text += "\nScenarios that are run and that no revision requires:\n\n| revision | what is tested | passed | not passed |\n|---|---|---|---|\n";
    for run in runs.iter().filter(|run| !run.others.is_empty()) {
        let names = |is_wanted: bool| {
            let of_those = run.others.iter().filter(|scenario| scenario.passed() == is_wanted);
            let names: Vec<String> =
                of_those.map(|scenario| format!("`{}`", scenario.name)).collect();
            names.join(", ")
        };
        let (subject, passed, others) = (title(run.subject), names(true), names(false));
        let _ = writeln!(text, "| {} | {subject} | {passed} | {others} |", run.revision);
    }
    text
}

fn title(subject: Subject) -> &'static str {
    match subject {
        Subject::Server => "server",
        Subject::Gateway => "server, through the gateway",
        Subject::Client => "client, without authorization",
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite::Counts;
    use super::*;

    #[test]
    fn what_did_not_pass_is_counted_and_what_is_not_required_is_named() {
        let scenario = |name: &str, passed, failed, warned| Scenario {
            name: name.to_owned(),
            counts: Counts { passed, failed, warned },
            told: Vec::new(),
        };
        let required = vec![scenario("a", 2, 0, 0), scenario("b", 3, 1, 0), scenario("c", 4, 0, 1)];
        let others = vec![scenario("d", 1, 0, 0), scenario("e", 0, 0, 0)];
        let run = Run { revision: "r", subject: Subject::Gateway, required, others };
        let text = table(&[run]);
        assert!(text.contains("| r | server, through the gateway | 1 | 3 | 9 | 2 |\n"), "{text}");
        assert!(text.contains("| r | server, through the gateway | `d` | `e` |\n"), "{text}");
    }
}
