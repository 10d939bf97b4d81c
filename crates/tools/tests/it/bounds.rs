//! The bounds that a model meets when it searches: at one less, at them and at one more.

use std::sync::Arc;

use oncue_tools::{Activation, Catalog, Grants, Registry, ToolSearch, ToolSet, limits};
use serde_json::json;

use crate::support::{Answer, call_search, catalog_of, hidden, search, with};

#[test]
fn a_query_has_a_bound() {
    let query = |bytes: usize| json!({ "query": "x".repeat(bytes) }).to_string();
    with(&catalog_of(Vec::new()), |registry| {
        for bytes in [limits::QUERY_BYTES_MAX - 1, limits::QUERY_BYTES_MAX] {
            assert!(call_search(registry, &query(bytes)).is_ok());
        }
        assert_eq!(
            call_search(registry, &query(limits::QUERY_BYTES_MAX + 1)).unwrap_err(),
            "Query is 4097 bytes long, at most 4096 are read. Search again with a few words for the action and the thing"
        );
    });
}

// founding: A10
#[test]
fn the_number_of_results_is_brought_into_range() {
    let catalog = catalog_of((0..30).map(|n| hidden(&format!("t{n}"), "rows")).collect());
    let cases = [
        ("", 5),
        (r#","max_results":0"#, 1),
        (r#","max_results":-3"#, 1),
        (r#","max_results":1"#, 1),
        (r#","max_results":2"#, 2),
        (r#","max_results":2.7"#, 2),
        (r#","max_results":19"#, 19),
        (r#","max_results":20"#, 20),
        (r#","max_results":21"#, 20),
        (r#","max_results":1e300"#, 20),
        (r#","max_results":null"#, 5),
        (r#","max_results":"9""#, 5),
    ];
    for (max, expected) in cases {
        with(&catalog, |registry| {
            let answer = call_search(registry, &format!(r#"{{"query":"rows"{max}}}"#)).unwrap();
            assert_eq!(answer.matches("\"parameters\"").count(), expected, "{max}");
            assert_eq!(registry.activation().active().len(), expected);
        });
    }
}

// founding: B4, B14
#[test]
fn the_fourth_search_of_a_turn_does_not_run() {
    let catalog = Catalog::new();
    catalog.register(Arc::new(ToolSearch::new())).unwrap();
    catalog.register(hidden("startExport", "Writes a table")).unwrap();
    let (turn, grants) = (Activation::turn(), Grants::all());
    let fork = turn.fork();
    let parent = Registry::new(&catalog, &turn, &grants);
    let child = Registry::new(&catalog, &fork, &grants);
    let found_nothing = r#"{"query":"xyzzy"}"#;
    for registry in [&parent, &child, &child] {
        assert!(call_search(registry, r#"{"query":" "}"#).is_err());
        assert!(call_search(registry, found_nothing).is_ok());
    }
    for registry in [&parent, &child] {
        assert_eq!(
            call_search(registry, r#"{"query":"startExport"}"#).unwrap_err(),
            r#"{"error":"search-budget-exhausted","budgetCap":3}"#
        );
        assert!(registry.resolve("startExport").is_err());
    }
    let next = turn.next_turn();
    assert!(call_search(&Registry::new(&catalog, &next, &grants), found_nothing).is_ok());
}

// founding: B4
#[test]
fn the_budget_is_the_one_that_was_chosen() {
    for budget in [0, 1, 2] {
        let catalog = Catalog::new();
        catalog.register(Arc::new(ToolSearch::new().with_budget(budget))).unwrap();
        with(&catalog, |registry| {
            for made in 0..budget {
                assert!(
                    call_search(registry, r#"{"query":"xyzzy"}"#).is_ok(),
                    "{made} of {budget}"
                );
            }
            assert_eq!(
                call_search(registry, r#"{"query":"xyzzy"}"#).unwrap_err(),
                format!(r#"{{"error":"search-budget-exhausted","budgetCap":{budget}}}"#)
            );
            assert_eq!(registry.activation().searches(), budget);
        });
    }
}

fn crowd() -> (Vec<String>, Catalog) {
    let names: Vec<String> = (0..300).map(|n| format!("t{n}")).collect();
    let catalog = catalog_of(names.iter().map(|name| hidden(name, "")).collect());
    (names, catalog)
}

// founding: B14
#[test]
fn one_search_activates_at_most_twenty_and_names_the_rest() {
    let (names, catalog) = crowd();
    for selected in [19, 20, 21, 22] {
        let found = selected.min(limits::RESULTS_MAX);
        let hint = match selected > found {
            true => {
                "Too many names at once. Call searchTools(query='select:t20') for those omitted"
            }
            false => "",
        };
        let expected = Answer {
            functions: names[..found].to_vec(),
            omitted: names[found..selected].to_vec(),
            hint: hint.into(),
            ..Answer::default()
        };
        with(&catalog, |registry| {
            assert_eq!(
                search(registry, &format!("select:{}", names[..selected].join(","))),
                expected
            );
            assert_eq!(registry.activation().active().len(), found);
        });
    }
}

// founding: B14
#[test]
fn active_tools_have_a_bound_and_what_finds_no_room_is_named() {
    let (names, catalog) = crowd();
    let check = |activation: &Activation, bound: usize| {
        let grants = Grants::all();
        let registry = Registry::new(&catalog, activation, &grants);
        let select = |from: usize, to: usize| {
            search(&registry, &format!("select:{}", names[from..to].join(",")))
        };
        for at in (0..bound - 1).step_by(20) {
            let to = (bound - 1).min(at + 20);
            assert_eq!(select(at, to).functions, names[at..to]);
        }
        assert_eq!(activation.active().len(), bound - 1);
        let full = Answer {
            functions: names[bound - 1..bound].to_vec(),
            omitted: names[bound..bound + 2].to_vec(),
            hint: "As many tools are active as may be; work with those".into(),
            ..Answer::default()
        };
        assert_eq!(select(bound - 1, bound + 2), full);
        assert_eq!(select(bound, bound + 1).omitted, names[bound..=bound]);
        assert_eq!(select(0, 1), Answer::found(&["t0"]));
        assert!(registry.resolve(&names[bound - 1]).is_ok());
        assert!(registry.resolve(&names[bound]).is_err());
        assert_eq!(activation.active().len(), bound);
    };
    check(&Activation::turn(), 64);
    check(&Activation::turn().fork(), 64);
    check(&Activation::session(), 256);
}
