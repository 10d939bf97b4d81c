//! Which tool a name means when several sources are there.

use std::sync::Arc;

use oncue_tools::{Activation, Catalog, Grants, Registry, Tool, ToolSet};

use crate::support::{Answer, catalog_of, hidden, inline, names, owned, search};

/// 100 tools about other things.
fn crowd() -> Vec<Arc<dyn Tool>> {
    (0..100).map(|n| hidden(&format!("weather_{n}"), "Tells the weather of a town")).collect()
}

fn answer(catalog: &Catalog, query: &str) -> Answer {
    let (activation, grants) = (Activation::turn(), Grants::all());
    search(&Registry::new(catalog, &activation, &grants), query)
}

// case: C01
#[test]
fn a_name_is_found_first_in_every_spelling() {
    let catalog = catalog_of(Vec::new());
    let mut tools = crowd();
    tools.extend((0..100).map(|n| hidden(&format!("run_round_{n}"), "Runs a workflow round")));
    tools.push(hidden("workflow_run_dispatch_round", "Starts it"));
    catalog.replace("ci", tools).unwrap();
    for query in [
        "workflow_run_dispatch_round",
        "workflow run dispatch round",
        "workflow-run-dispatch-round",
        "WORKFLOW_RUN_DISPATCH_ROUND",
        "workflowRunDispatchRound",
        "ci__workflow_run_dispatch_round",
    ] {
        let first = answer(&catalog, query).functions.into_iter().next();
        assert_eq!(first.as_deref(), Some("ci__workflow_run_dispatch_round"), "{query}");
    }
}

// case: C02
#[test]
fn a_bare_name_is_enough_where_one_source_has_it() {
    let catalog = catalog_of(Vec::new());
    catalog.replace("crowd", crowd()).unwrap();
    catalog.replace("plugin_oh-my_x", vec![hidden("ask_codex", "Asks another agent")]).unwrap();
    let found = Answer::found(&["plugin_oh-my_x__ask_codex"]);
    for query in ["ask_codex", "codex", "select:ask_codex", "select:plugin_oh-my_x__ask_codex"] {
        assert_eq!(answer(&catalog, query), found, "{query}");
    }
}

// case: C02
#[test]
fn a_bare_name_of_two_sources_activates_neither() {
    let catalog = catalog_of(Vec::new());
    catalog.replace("b", vec![hidden("ask_codex", "")]).unwrap();
    catalog.replace("a", vec![hidden("ask_codex", ""), hidden("other", "")]).unwrap();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);
    let several = Answer {
        near: owned(&["a__ask_codex", "b__ask_codex"]),
        hint: "'ask_codex' names several tools. Select one by its full name, such as searchTools(query='select:a__ask_codex')".into(),
        ..Answer::default()
    };
    assert_eq!(search(&registry, "select:ask_codex"), several);
    assert_eq!(activation.active(), []);
    let with_other = Answer { functions: owned(&["a__other"]), ..several };
    assert_eq!(search(&registry, "select:ask_codex,other"), with_other);
    let error = registry.resolve("ask_codex").unwrap_err();
    assert_eq!(error.near().collect::<Vec<_>>(), ["a__ask_codex", "b__ask_codex"]);
}

// case: C29
#[test]
fn one_name_in_two_sources_and_the_program_is_three_tools() {
    let catalog = catalog_of(vec![inline("search", "Searches the notes")]);
    catalog.replace("a", vec![hidden("search", "Searches mail")]).unwrap();
    catalog.replace("b", vec![hidden("search", "Searches tickets")]).unwrap();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);

    let ambiguous = search(&registry, "select:search");
    assert_eq!(ambiguous.functions, Vec::<String>::new());
    assert_eq!(ambiguous.available, ["search"]);
    assert_eq!(ambiguous.near, ["search", "a__search", "b__search"]);
    assert_eq!(activation.active(), []);

    assert_eq!(search(&registry, "select:b__search"), Answer::found(&["b__search"]));
    assert_eq!(registry.resolve("search").unwrap().source(), "");
    assert_eq!(registry.resolve("b__search").unwrap().source(), "b");
    assert!(registry.resolve("a__search").is_err());
}

// case: C29
#[test]
fn a_hidden_tool_of_the_program_can_be_selected_beside_namesakes() {
    let catalog = catalog_of(vec![hidden("search", "Searches the notes")]);
    catalog.replace("a", vec![hidden("search", "Searches mail")]).unwrap();
    assert_eq!(answer(&catalog, "select:search"), Answer::found(&["search"]));
}

// case: C10
#[test]
fn the_shorter_sibling_comes_first_in_every_order() {
    let siblings =
        ["create_customer_session", "create_customer_balance_transaction", "create_customer"];
    let mut orderings = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        .map(|order| {
            let catalog = catalog_of(Vec::new());
            let tools =
                order.map(|at| hidden(siblings[at], "Creates something of a shop")).to_vec();
            catalog.replace("shop", tools).unwrap();
            answer(&catalog, "create customer").functions
        })
        .to_vec();
    assert_eq!(orderings[0][0], "shop__create_customer");
    orderings.dedup();
    assert_eq!(orderings.len(), 1, "one ordering in all six: {orderings:?}");
}

// case: C23
#[test]
fn a_dotted_tool_is_found_selected_and_keeps_its_name_for_the_upstream() {
    let catalog = catalog_of(Vec::new());
    catalog.replace("crowd", crowd()).unwrap();
    let tools = ["calendar.respondToEvent", "docs.getText", "a/b", "with space"];
    let tools = tools.map(|name| hidden(name, "")).to_vec();
    catalog.replace("google-workspace", tools).unwrap();
    let exposed = "google-workspace__calendar_respondToEve_9f2a702e";
    for query in [
        "calendar respond to event",
        "calendar.respondToEvent",
        "select:calendar.respondToEvent",
        "select:google-workspace__calendar_respondToEve_9f2a702e",
    ] {
        assert_eq!(answer(&catalog, query).functions.first().unwrap(), exposed, "{query}");
    }
    let entry = catalog.find_by_name(exposed).unwrap();
    assert_eq!(entry.identity().name(), "calendar.respondToEvent");
    for entry in catalog.snapshot().iter() {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!((1..=64).contains(&entry.exposed().len()) && entry.exposed().chars().all(legal));
    }
}

/// Each name leads to the tool of its own source, and is the same in both orders of start.
fn check_apart(sources: &[(&str, &str)]) {
    let started = |order: &mut dyn Iterator<Item = &(&str, &str)>| {
        let catalog = Catalog::new();
        for &(source, name) in order {
            let mut tools = catalog.snapshot().tools_of(source).to_vec();
            tools.sort_by(|left, right| left.identity().cmp(right.identity()));
            let mut tools: Vec<_> = tools.iter().map(|entry| Arc::clone(entry.tool())).collect();
            tools.push(hidden(name, &format!("{source} / {name}")));
            catalog.replace(source, tools).unwrap();
        }
        let mut reached = Vec::new();
        for &(source, name) in sources {
            let snapshot = catalog.snapshot();
            let exposed = snapshot.tool(source, name).unwrap().exposed();
            let entry = catalog.find_by_name(exposed).unwrap();
            assert_eq!(entry.row().description(), format!("{source} / {name}"));
            reached.push(exposed.to_owned());
        }
        reached
    };
    let forth = started(&mut sources.iter());
    assert_eq!(forth, started(&mut sources.iter().rev()));
    for (at, name) in forth.iter().enumerate() {
        assert!(!forth[..at].contains(name), "{name}");
    }
}

// case: C25
#[test]
fn a_call_reaches_the_source_whose_name_it_has() {
    check_apart(&[
        ("acme_", "status"),
        ("acme", "_status"),
        ("a__b", "c"),
        ("a", "b__c"),
        ("acme1", "1"),
        ("acme", "11"),
        ("Acme", "status"),
        ("acme", "status"),
        ("acme", "Status"),
        ("", "acme__status"),
    ]);
}

// case: C26
#[test]
fn shortened_names_never_lead_to_the_sibling() {
    let long = |verb: &str| format!("{verb}_{}", "every_single_customer_of_the_shop_".repeat(3));
    let (get, delete) = (long("get"), long("delete"));
    check_apart(&[
        ("shop", &get),
        ("shop", &delete),
        ("数据库", "query"),
        ("caf\u{e9}", "query"),
        ("cafe", "query"),
        ("😀", "query"),
    ]);
}

// case: C25
#[test]
fn order_of_connection_does_not_show() {
    let list = |order: [&str; 3]| {
        let catalog = catalog_of(vec![inline("read", "")]);
        for source in order {
            catalog.replace(source, vec![inline("x", ""), hidden("y", "")]).unwrap();
        }
        names(&catalog.find_all()).join(" ")
    };
    assert_eq!(list(["b", "a", "c"]), "searchTools read a__x b__x c__x");
    assert_eq!(list(["c", "b", "a"]), list(["b", "a", "c"]));
}
