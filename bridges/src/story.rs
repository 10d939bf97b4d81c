//! What the model of the examples says, and what must have come of it: the same behind every loop.

use serde_json::json;

use crate::{Answer, Asked};

/// The model guesses a name, searches as it is told to, makes a call that is right and one that is not, and answers.
#[must_use]
pub fn script() -> Vec<Answer> {
    vec![
        Answer::Calls(vec![("startExport", json!({"table": "orders"}))]),
        Answer::Calls(vec![("ToolSearch", json!({"query": "download csv"}))]),
        Answer::Calls(vec![
            ("startExport", json!({"table": "orders"})),
            ("startExport", json!({"tabel": "customers"})),
        ]),
        Answer::Text("The orders are in orders.csv."),
    ]
}

/// Holds the answer of the turn, and what each of its requests showed, against the script.
///
/// # Panics
///
/// Something else happened.
pub fn check(answer: &str, asked: &[Asked]) {
    println!("{answer}");
    assert_eq!(answer, "The orders are in orders.csv.");

    // What a search finds is in the list of the next step, at its end.
    let lists: Vec<String> = asked.iter().map(|step| step.tools.join(" ")).collect();
    let (before, after) = ("ToolSearch listTables", "ToolSearch listTables startExport");
    assert_eq!(lists, [before, before, after, after]);

    let results = asked.last().map(|step| step.results.as_slice()).unwrap_or_default();
    println!("{}", results.join("\n"));
    assert_eq!(results.len(), 4);
    assert_eq!(
        results[0],
        "Tool 'startExport' not in active set. Call ToolSearch(query='startExport') to discover it, or use one of: listTables"
    );
    assert!(results[1].starts_with(r#"{"functions":[{"name":"startExport","#));
    assert_eq!(results[2], "orders.csv");
    assert!(results[3].contains("'table' is missing. Expected {table: string}"));
}
