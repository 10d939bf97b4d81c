//! Made-up conversations of every shape, for tests of wires.

use oncue_agent::conversation::Item;
use proptest::prelude::*;

use crate::samples::{
    by_loop, call, failed, found, note, replayed, reply, result, results, text, user,
};

/// One step of a conversation, by what it has.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The user speaks, and perhaps the loop searches.
    Turn { notes: usize, preloads: bool },
    /// The model makes calls; some are searches that load tools.
    Calls { texts: usize, searches: Vec<Vec<usize>>, reads: usize },
    /// The model answers as this vendor, with thoughts.
    Thinks,
    /// The vendor pauses.
    Pauses,
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let loads = prop::collection::vec(0_usize..4, 0..3);
    let step = prop_oneof![
        (0_usize..3, any::<bool>()).prop_map(|(notes, preloads)| Step::Turn { notes, preloads }),
        (0_usize..2, prop::collection::vec(loads, 0..3), 1_usize..25)
            .prop_map(|(texts, searches, reads)| Step::Calls { texts, searches, reads }),
        Just(Step::Thinks),
        Just(Step::Pauses),
    ];
    prop::collection::vec(step, 1..8)
}

/// Returns the items of a conversation, and how many of them each request has.
pub(crate) fn conversation(steps: &[Step]) -> (Vec<Item>, Vec<usize>) {
    let names = ["startExport", "stopExport", "readTable", "gone"];
    let (mut items, mut requests, mut calls) = (vec![user("Hello.")], Vec::new(), 0);
    for step in steps {
        let mut id = || {
            calls += 1;
            format!("c{calls}")
        };
        match step {
            Step::Turn { notes, preloads } => {
                items.push(user("And?"));
                items.extend((0..*notes).map(|at| note(&format!("Note {at}."))));
                if *preloads {
                    let id = id();
                    items.push(by_loop(vec![call(&id, "search", "{}")]));
                    items.push(results(vec![found(&id, &["startExport"])]));
                }
            }
            Step::Calls { texts, searches, reads } => {
                requests.push(items.len());
                let mut parts: Vec<_> = (0..*texts).map(|_| text("I call.")).collect();
                let mut came = Vec::new();
                for loads in searches {
                    let id = id();
                    parts.push(call(&id, "search", "{}"));
                    let loaded: Vec<&str> = loads.iter().map(|&at| names[at]).collect();
                    came.push(found(&id, &loaded));
                }
                for at in 0..*reads {
                    let id = id();
                    parts.push(call(&id, "readTable", r#"{"table":"t"}"#));
                    came.push(match at % 3 {
                        0 => failed(&id, vec!["no".into()]),
                        _ => result(&id, vec!["yes".into()]),
                    });
                }
                items.push(reply(parts));
                items.push(results(came));
            }
            Step::Thinks => {
                requests.push(items.len());
                let raw = serde_json::json!({"model": "m", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "So."}]});
                items.push(replayed("anthropic", raw, vec![text("So.")]));
            }
            Step::Pauses => {
                requests.push(items.len());
                let raw = serde_json::json!({"content": [{"type": "server_tool_use", "id": "s", "name": "n", "input": {}}]});
                items.push(replayed("anthropic", raw, vec![]));
            }
        }
    }
    requests.push(items.len());
    (items, requests)
}

/// Leaves out what only the server that sent it takes back: thoughts, and blocks of kinds of its own.
pub(crate) fn of_any_server(steps: Vec<Step>) -> Vec<Step> {
    steps.into_iter().filter(|step| !matches!(step, Step::Thinks | Step::Pauses)).collect()
}
