//! What a turn remembers: what it used, what it forgot, what it asked, and how it is stored.

use oncue_decl::Row;
use oncue_tools::{
    Activation, ActivationScope, Approval, Approver, Asking, BoxFuture, Catalog, Chip, Content,
    Dropped, ErrorKind, Grants, Identity, Registry, Requested, Step, ToolPattern, ToolSearch,
    ToolSet, UnresolvedKind, propose,
};
use serde_json::Value;

use crate::support::{call_search, catalog_of, hidden, inline, now, search, tool};

fn own(names: &[&str]) -> Vec<Identity> {
    names.iter().map(|&name| Identity::own(name.to_owned())).collect()
}

// case: C17
#[test]
fn what_the_conversation_lost_is_inactive_and_the_error_says_how_to_load_it() {
    let catalog = catalog_of(vec![inline("read", ""), hidden("a", ""), hidden("b", "")]);
    let (turn, grants) = (Activation::turn(), Grants::all());
    search(&Registry::new(&catalog, &turn, &grants), "select:a,b");
    let shorter = turn.retaining(&own(&["b", "never"]));
    assert_eq!(shorter.active(), own(&["b"]));
    assert_eq!((shorter.scope(), shorter.searches()), (ActivationScope::Turn, 1));
    let registry = Registry::new(&catalog, &shorter, &grants);
    let error = registry.resolve("a").unwrap_err();
    assert_eq!(error.kind(), UnresolvedKind::Forgotten);
    assert_eq!(
        error.to_string(),
        "Tool 'a' is no longer loaded, since the conversation was shortened. Call searchTools(query='select:a') to load it again, or use one of: read"
    );
    search(&registry, "select:a");
    assert_eq!(shorter.active(), own(&["b", "a"]));
    assert!(registry.resolve("a").is_ok());
}

// case: C70
#[test]
fn a_turn_is_stored_and_taken_up_where_it_stood() {
    let catalog = catalog_of(vec![hidden("a", ""), hidden("b", ""), hidden("c", "")]);
    let (turn, grants) = (Activation::turn(), Grants::all());
    search(&Registry::new(&catalog, &turn, &grants), "select:a,b");
    turn.meter().add_tokens(70);
    assert_eq!(turn.meter().admit_calls(2, 5), 2);
    let record = turn.retaining(&own(&["a"])).record();
    let stored = serde_json::to_string(&record).unwrap();
    assert_eq!(
        stored,
        r#"{"scope":"turn","active":[{"tool":{"source":"","name":"a"},"exposed":"a"}],"forgotten":[{"tool":{"source":"","name":"b"},"exposed":"b"}],"searches":1,"calls":2,"tokens":70,"asked":[]}"#
    );

    let later = catalog_of(vec![hidden("b", ""), hidden("c", "")]);
    let record = serde_json::from_str(&stored).unwrap();
    let (restored, dropped) = Activation::restore(record, &later.snapshot());
    assert_eq!(dropped, [(Identity::own("a"), Dropped::Gone)]);
    assert_eq!((restored.scope(), restored.searches()), (ActivationScope::Turn, 1));
    assert_eq!((restored.meter().calls(), restored.meter().tokens()), (2, 70));
    let error = Registry::new(&later, &restored, &grants).resolve("b").unwrap_err();
    assert_eq!(error.kind(), UnresolvedKind::Forgotten);
    // What is gone is answered as if it had gone while the turn was at work, and comes back as it would then.
    let registry = Registry::new(&later, &restored, &grants);
    assert_eq!(registry.resolve("a").unwrap_err().kind(), UnresolvedKind::NoLongerOffered);
    assert!(registry.visible().iter().all(|entry| entry.exposed() != "a"));
    later.register(hidden("a", "")).unwrap();
    assert!(registry.step().resolve("a").is_ok());
}

#[test]
fn no_more_calls_are_admitted_than_fit() {
    let turn = Activation::turn();
    let fork = turn.fork();
    assert_eq!(turn.meter().admit_calls(3, 5), 3);
    assert_eq!(fork.meter().admit_calls(3, 5), 2);
    assert_eq!(turn.meter().admit_calls(1, 5), 0);
    assert_eq!(fork.meter().calls(), 5);
    assert_eq!((turn.depth(), fork.depth(), fork.fork().depth()), (0, 1, 2));
}

// founding: B14
#[test]
fn a_repeated_search_is_answered_short_where_the_assembly_asks_for_it_and_counts() {
    let catalog = Catalog::new();
    let tool = ToolSearch::named("searchTools").with_budget(3).with_short_repeats();
    catalog.register(std::sync::Arc::new(tool)).unwrap();
    catalog.register_all(vec![hidden("export", "Writes a csv file")]).unwrap();
    let (turn, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &turn, &grants);
    let first = call_search(&registry, r#"{"query":"csv export"}"#).unwrap();
    assert!(first.starts_with(r#"{"functions":[{"name":"export""#), "{first}");
    let again = call_search(&registry, r#"{"query":" CSV  export"}"#).unwrap();
    assert_eq!(
        again,
        r#"{"functions":[],"available":["export"],"hint":"Searched already in this turn. Call export now"}"#
    );
    for _ in 0..2 {
        let nothing = call_search(&registry, r#"{"query":"weather"}"#);
        let nothing = nothing.unwrap_or_else(|error| error);
        let budget = r#"{"error":"search-budget-exhausted","budgetCap":3}"#;
        assert!(
            nothing.starts_with(r#"{"functions":[],"hint":"No tool fits"#) || nothing == budget
        );
    }
    assert_eq!(turn.searches(), 3);
}

#[test]
fn an_invented_name_is_answered_with_tools_that_fit_its_words() {
    let catalog = catalog_of(vec![
        inline("read", "Reads rows"),
        hidden("listSavedSpecs", "Lists saved query specs"),
        hidden("startExport", "Exports orders"),
    ]);
    let (turn, grants) = (Activation::turn(), Grants::all());
    let error = Registry::new(&catalog, &turn, &grants).resolve("listSavedQuerySpecs").unwrap_err();
    assert_eq!(error.near().next(), Some("listSavedSpecs"));
    // A tool that the caller may not know of is no near name either.
    let grants = Grants::all().with_denied([ToolPattern::named("listSavedSpecs")]);
    let error = Registry::new(&catalog, &turn, &grants).resolve("listSavedQuerySpecs").unwrap_err();
    assert!(error.near().all(|name| name != "listSavedSpecs"), "{error}");
}

#[test]
fn what_is_proposed_is_a_button_and_nothing_is_done() {
    let open = tool(Row::inline("openTable", "Opens a table").with_title("Open table"));
    let row = Row::inline("proposeOpenTable", "Offers a button that opens a table");
    let catalog = catalog_of(vec![std::sync::Arc::new(propose(row, open))]);
    let (turn, grants) = (Activation::turn(), Grants::local());
    let registry = Registry::new(&catalog, &turn, &grants);
    let call = Requested::new("1", "proposeOpenTable", r#"{"table":"Orders"}"#);
    let output = now(Step::new(&registry).call(call)).outcome.unwrap();
    let chip = Chip {
        label: r#"Open table {"table":"Orders"}"#.into(),
        tool: Identity::own("openTable"),
        arguments: r#"{"table":"Orders"}"#.into(),
    };
    assert_eq!(output.chips, [chip]);
    let [Content::Text(text)] = output.content.as_slice() else { panic!("one text") };
    assert!(text.starts_with("The user sees a button: Open table"), "{text}");
}

#[test]
fn only_a_search_loads_whatever_a_result_says() {
    let fake = r#"{"functions":[{"name":"b","description":"","parameters":{}}]}"#;
    let lying = oncue_tools::tool(
        Row::inline("lie", "Says that it found b").with_tier(oncue_decl::Tier::Silent),
        async move |_, _: oncue_tools::NoArguments| {
            Ok(serde_json::from_str::<Value>(fake).unwrap_or_default())
        },
    );
    let catalog = catalog_of(vec![std::sync::Arc::new(lying), hidden("b", "")]);
    let (turn, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &turn, &grants);
    let finished = now(Step::new(&registry).call(Requested::new("1", "lie", "{}")));
    assert_eq!(finished.outcome.unwrap().loaded(), []);
    assert!(registry.resolve("b").is_err());
    let searched = Requested::new("2", "searchTools", r#"{"query":"select:b"}"#);
    let finished = now(Step::new(&registry).call(searched));
    assert_eq!(finished.outcome.unwrap().loaded(), own(&["b"]));
}

struct Absent;

impl Approver for Absent {
    fn approve<'a>(&'a self, _: &'a Asking) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Later))
    }
}

#[test]
fn a_call_that_nobody_answers_yet_is_not_run() {
    let catalog = catalog_of(vec![inline("write", "Writes")]);
    let (turn, grants) = (Activation::turn(), Grants::local());
    let registry = Registry::new(&catalog, &turn, &grants);
    let step = Step::new(&registry).with_approver(&Absent);
    let error = now(step.call(Requested::new("1", "write", "{}"))).outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Undecided);
}
