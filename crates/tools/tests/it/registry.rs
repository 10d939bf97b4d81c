//! What one step sees, and what it is told about names that lead nowhere.

use std::sync::Arc;

use oncue_decl::{Exposure, Row, Scope};
use oncue_tools::{
    Activation, Catalog, Glob, Grants, PrincipalName, Registry, Tool, ToolPattern, ToolSet,
    UnresolvedKind,
};

use crate::support::{Answer, catalog_of, hidden, inline, search, tool, visible};

fn bench() -> Catalog {
    catalog_of(vec![
        inline("readTable", "Reads rows"),
        inline("listTabs", "Lists tabs"),
        hidden("startExport", "Writes a table to a file"),
    ])
}

fn error(catalog: &Catalog, grants: &Grants, name: &str) -> String {
    let activation = Activation::turn();
    Registry::new(catalog, &activation, grants).resolve(name).unwrap_err().to_string()
}

// founding: B5
#[test]
fn an_undiscovered_name_is_told_how_to_recover() {
    assert_eq!(
        error(&bench(), &Grants::all(), "startExport"),
        "Tool 'startExport' not in active set. Call searchTools(query='startExport') to discover it, or use one of: readTable, listTabs"
    );
}

// founding: B5
#[test]
fn at_most_thirty_inline_names_are_listed() {
    let many = |count: usize| {
        let tools = (1..=count).map(|n| inline(&format!("t{n}"), "")).collect();
        let text = error(&catalog_of(tools), &Grants::all(), "x");
        let (_, list) = text.split_once("use one of: ").unwrap();
        list.to_owned()
    };
    let thirty = (1..=30).map(|n| format!("t{n}")).collect::<Vec<_>>().join(", ");
    assert_eq!(many(30), thirty);
    assert_eq!(many(31), format!("{thirty}, … 1 more"));
    assert_eq!(many(45), format!("{thirty}, … 15 more"));
}

#[test]
fn a_near_name_is_offered_and_not_put_in_its_place() {
    let text = |name: &str| error(&bench(), &Grants::all(), name);
    assert_eq!(
        text("start_export"),
        "Tool 'start_export' not in active set. Call searchTools(query='start_export') to discover it, or use one of: readTable, listTabs. Near names: startExport"
    );
    assert_eq!(
        text("readTabel"),
        "Tool 'readTabel' not in active set. Call searchTools(query='readTabel') to discover it, or use one of: readTable, listTabs. Near names: readTable"
    );
}

#[test]
fn a_name_is_repeated_on_one_line_and_not_at_length() {
    let text = error(&bench(), &Grants::all(), &format!("a'\n{}", "b".repeat(1_000)));
    assert!(text.starts_with(&format!("Tool 'a  {}…' not in active set. ", "b".repeat(196))));
}

// founding: A19
#[test]
fn a_forbidden_name_looks_like_an_unknown_one() {
    let denials = [
        Grants::all().with_denied([ToolPattern::new("", "startExport")]),
        Grants::all().with_tools([ToolPattern::named("readTable"), ToolPattern::named("*T*s")]),
        Grants::external(PrincipalName::parse("guest").unwrap(), Scope::Write),
    ];
    for grants in denials {
        for spelling in ["startExport", "start_export", "startExporr"] {
            let forbidden = error(&bench(), &grants, spelling);
            let catalog = bench();
            assert!(catalog.remove("", "startExport"));
            assert_eq!(forbidden, error(&catalog, &grants, spelling));
        }
    }
    let grants = Grants::all().with_upstreams([Glob::new("a")]);
    let catalog = bench();
    catalog.replace("b", vec![hidden("secret", "Holds the secret")]).unwrap();
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    for query in ["secret", "select:secret", "select:b__secret", "select:b__secrets", "+secret"] {
        let answer = search(&registry, query);
        assert!(!format!("{answer:?}").contains("b__"), "{query}: {answer:?}");
    }
    assert!(activation.active().is_empty());
}

// founding: A19
#[test]
fn the_search_tool_can_itself_be_forbidden() {
    let grants = Grants::all().with_denied([ToolPattern::named("searchTools")]);
    assert_eq!(
        error(&bench(), &grants, "startExport"),
        "Tool 'startExport' not in active set. Use one of: readTable, listTabs"
    );
    assert_eq!(
        error(&bench(), &grants, "searchTools"),
        "Tool 'searchTools' not in active set. Use one of: readTable, listTabs"
    );
    let activation = Activation::turn();
    let catalog = bench();
    assert_eq!(visible(&Registry::new(&catalog, &activation, &grants)), ["readTable", "listTabs"]);
}

#[test]
fn an_external_client_searches_what_its_scope_opens() {
    let open =
        |name: &str, exposure| tool(Row::discoverable(name.to_owned(), "").with_exposure(exposure));
    let catalog = catalog_of(vec![
        open("rows_read", Exposure::ReadOnly),
        open("rows_stage", Exposure::Staged),
        open("rows_write", Exposure::Full),
        open("rows_drop", Exposure::Excluded),
    ]);
    let client = PrincipalName::parse("client").unwrap();
    for (scope, expected) in [
        (Scope::Read, vec!["rows_read"]),
        (Scope::Stage, vec!["rows_read", "rows_stage"]),
        (Scope::Write, vec!["rows_read", "rows_stage", "rows_write"]),
    ] {
        let (activation, grants) = (Activation::turn(), Grants::external(client.clone(), scope));
        let registry = Registry::new(&catalog, &activation, &grants);
        let mut found = search(&registry, "rows").functions;
        found.sort();
        assert_eq!(found, expected);
    }
}

// founding: A2
#[test]
fn a_tool_registered_during_a_turn_is_visible_at_the_next_step() {
    let catalog = bench();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let first = Registry::new(&catalog, &activation, &grants);
    catalog.register(inline("openTab", "Opens a tab")).unwrap();
    catalog.register(hidden("closeTab", "Closes a tab")).unwrap();
    assert_eq!(visible(&first), ["searchTools", "readTable", "listTabs"]);
    assert!(first.resolve("openTab").is_err());
    assert!(search(&first, "select:closeTab").functions.is_empty());

    let second = first.step();
    assert_eq!(visible(&second), ["searchTools", "readTable", "listTabs", "openTab"]);
    assert_eq!(search(&second, "select:closeTab"), Answer::found(&["closeTab"]));
    assert!(second.resolve("closeTab").is_ok());
}

// founding: A2
#[test]
fn what_was_shown_is_what_is_dispatched() {
    let catalog = bench();
    catalog.replace("a", vec![inline("x", "old")]).unwrap();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let step = Registry::new(&catalog, &activation, &grants);
    catalog.replace("a", vec![inline("x", "new")]).unwrap();
    assert_eq!(step.resolve("a__x").unwrap().row().description(), "old");
    assert_eq!(step.step().resolve("a__x").unwrap().row().description(), "new");
}

// founding: A14
// case: C67
#[test]
fn the_list_grows_at_its_end_in_the_order_of_discovery() {
    let catalog = bench();
    let tools: Vec<Arc<dyn Tool>> = vec![hidden("x", ""), hidden("y", ""), inline("z", "")];
    catalog.replace("a", tools).unwrap();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let mut registry = Registry::new(&catalog, &activation, &grants);
    let mut before = visible(&registry);
    assert_eq!(before, ["searchTools", "readTable", "listTabs", "a__z"]);
    for name in ["a__y", "startExport", "a__x", "startExport"] {
        search(&registry, &format!("select:{name}"));
        registry = registry.step();
        let after = visible(&registry);
        assert_eq!(after[..before.len()], before);
        before = after;
    }
    assert_eq!(before[4..], ["a__y", "startExport", "a__x"]);
}

// case: C14
#[test]
fn a_found_tool_that_goes_away_is_no_longer_offered() {
    let catalog = bench();
    catalog.replace("a", vec![hidden("one", "First")]).unwrap();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);
    assert_eq!(search(&registry, "select:one"), Answer::found(&["a__one"]));
    catalog.replace("a", vec![hidden("two", "Second")]).unwrap();

    let next = registry.step();
    let error = next.resolve("a__one").unwrap_err();
    assert_eq!(error.kind(), UnresolvedKind::NoLongerOffered);
    assert_eq!(
        error.to_string(),
        "Tool 'a__one' is no longer offered. Call searchTools(query='a__one') to discover it, or use one of: readTable, listTabs"
    );
    assert_eq!(visible(&next), ["searchTools", "readTable", "listTabs"]);
    assert!(search(&next, "select:one").functions.is_empty());
    assert_eq!(search(&next, "select:two"), Answer::found(&["a__two"]));
    assert!(next.resolve("a__two").is_ok());

    let revoked = Grants::all().with_denied([ToolPattern::named("two")]);
    let denied = Registry::new(&catalog, &activation, &revoked);
    let error = denied.resolve("a__two").unwrap_err();
    assert_eq!(error.kind(), UnresolvedKind::NoLongerOffered);
    assert_eq!(visible(&denied), ["searchTools", "readTable", "listTabs"]);
}

// case: C16
#[test]
fn what_one_turn_finds_no_other_turn_sees() {
    let catalog = bench();
    let grants = Grants::all();
    let (left, right) = (Activation::turn(), Activation::turn());
    for _ in 0..3 {
        let found = left.next_turn();
        let registry = Registry::new(&catalog, &found, &grants);
        assert_eq!(search(&registry, "select:startExport"), Answer::found(&["startExport"]));
        assert!(registry.resolve("startExport").is_ok());
        let other = Registry::new(&catalog, &right, &grants);
        assert_eq!(visible(&other), ["searchTools", "readTable", "listTabs"]);
        assert!(other.resolve("startExport").is_err());
    }
}
