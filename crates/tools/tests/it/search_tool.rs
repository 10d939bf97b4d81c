//! The search tool as the model meets it.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

use oncue_decl::{Row, Tier};
use oncue_tools::{
    Activation, BoxFuture, Catalog, Checked, Concurrency, Grants, Hook, HookError, Outcome, Output,
    Registry, Requested, Step, Tool, ToolSearch, ToolSet,
};
use serde_json::{Value, json};

use crate::support::{
    Answer, call_search, catalog_of, hidden, inline, now, owned, search, tool_with_schema, visible,
    with,
};

fn bench() -> Catalog {
    catalog_of(vec![
        inline("readTable", "Reads rows of a table"),
        tool_with_schema(
            Row::discoverable("startExport", "Writes a \"table\" to a file"),
            r#"{ "type": "object" }"#,
        ),
        hidden("slack_send", "Sends a message"),
        hidden("slack_list", "Lists channels"),
    ])
}

// case: C01
#[test]
fn a_name_that_had_to_be_shortened_leads_to_its_tool() {
    let catalog = catalog_of(Vec::new());
    let long = |verb: &str| format!("{verb}-cost-allocation-tag-backfill-history-of-accounts");
    let tools = ["list", "delete", "list-all"].map(|verb| hidden(&long(verb), "Cost allocation"));
    catalog.replace("billing", tools.to_vec()).unwrap();
    let snapshot = catalog.snapshot();
    for verb in ["list", "delete", "list-all"] {
        let name = snapshot.tool("billing", &long(verb)).unwrap().exposed();
        assert!(!name.contains("backfill-history"), "it is shortened: {name}");
        with(&catalog, |registry| {
            assert_eq!(search(registry, name).functions.first().map(String::as_str), Some(name));
        });
    }
    let nobody = Grants::all().with_denied([oncue_tools::ToolPattern::new("billing", "*")]);
    let name = snapshot.tool("billing", &long("list")).unwrap().exposed();
    let activation = Activation::turn();
    let found = search(&Registry::new(&catalog, &activation, &nobody), name);
    assert_eq!(found.functions, [""; 0], "what may not be seen is not found by its name either");
}

// founding: A10, A17, A20
#[test]
fn the_search_tool_is_an_inline_sequential_part_of_the_loop() {
    let tool = ToolSearch::new();
    let row = tool.definition().row();
    assert_eq!(row.name(), "ToolSearch");
    assert!(row.is_inline());
    assert_eq!(row.tier(), Tier::Loop);
    assert_eq!(tool.concurrency(), Concurrency::Sequential);
    assert_eq!(ToolSearch::named("find").definition().row().tier(), Tier::Loop);
    assert_eq!(oncue_decl::check(&[ToolSearch::row("find")], "find"), []);
}

// founding: A10
#[test]
fn the_schema_has_a_required_query_a_number_and_nothing_else() {
    let tool = ToolSearch::new();
    let mut schema: Value =
        serde_json::from_str(tool.definition().parameters().unwrap().get()).unwrap();
    let words = schema["properties"]["query"]["description"].take();
    assert!(words.as_str().unwrap().contains("select:NAME,NAME"));
    let range = schema["properties"]["max_results"]["description"].take();
    assert_eq!(range, "Most tools to return, 1 to 20");
    let expected = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": null },
            "max_results": { "type": "number", "description": null, "default": 5 },
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    assert_eq!(schema, expected);
}

// founding: A11
#[test]
fn the_answer_is_the_whole_function_and_nothing_more() {
    with(&bench(), |registry| {
        assert_eq!(
            call_search(registry, r#"{"query":"select:startExport"}"#).unwrap(),
            r#"{"functions":[{"name":"startExport","description":"Writes a \"table\" to a file","parameters":{ "type": "object" }}]}"#
        );
        assert_eq!(
            call_search(registry, r#"{"query":"message"}"#).unwrap(),
            r#"{"functions":[{"name":"slack_send","description":"Sends a message","parameters":{"type":"object","properties":{}}}]}"#
        );
    });
}

// founding: A11
// case: C31
#[test]
fn the_schema_arrives_as_its_author_wrote_it() {
    let schema = "{\"type\":\"object\",\n \"x-foo\":[1.0,1e400,123456789012345678901234567890,null],\"$defs\":{\"한글\":{\"const\":\"\\u00e9\"}},\"properties\":{\"z\":{\"type\":\"object\",\"required\":[\"b\",\"a\"],\"additionalProperties\":false,\"properties\":{\"b\":{\"$ref\":\"#/$defs/한글\"},\"a\":{}}},\"a\":{\"a\":1,\"a\":2}},\"required\":[\"z\"]}";
    let catalog = catalog_of(vec![tool_with_schema(Row::discoverable("nested", ""), schema)]);
    let answer = with(&catalog, |registry| call_search(registry, r#"{"query":"nested"}"#).unwrap());
    let expected =
        format!(r#"{{"functions":[{{"name":"nested","description":"","parameters":{schema}}}]}}"#);
    assert_eq!(answer, expected);
}

/// A hook that does not come back from looking at a result until it is let go.
#[derive(Default)]
struct Late {
    looks: AtomicBool,
    may_go: AtomicBool,
}

impl Hook for Late {
    fn after<'a>(
        &'a self,
        _call: &'a Checked,
        _outcome: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(poll_fn(|_| {
            self.looks.store(true, Ordering::Relaxed);
            if self.may_go.load(Ordering::Relaxed) { Poll::Ready(Ok(())) } else { Poll::Pending }
        }))
    }
}

// founding: A11, A12, A24, B3
#[test]
fn a_late_hook_cannot_lose_a_discovery() {
    let catalog = bench();
    let (activation, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);
    let late = Arc::new(Late::default());
    let hooks: [Arc<dyn Hook>; 1] = [late.clone()];
    let step = Step::new(&registry).with_hooks(&hooks);
    let mut running = pin!(step.run(vec![
        Requested::new("1", "startExport", "{}"),
        Requested::new("2", "searchTools", r#"{"query":"startExport"}"#),
    ]));
    let mut waits = Context::from_waker(Waker::noop());

    // The hook holds the step up, and the next list has the tool nevertheless.
    assert!(running.as_mut().poll(&mut waits).is_pending());
    assert!(late.looks.load(Ordering::Relaxed));
    let next = registry.step();
    assert_eq!(visible(&next), ["searchTools", "readTable", "startExport"]);
    assert!(next.resolve("startExport").is_ok());

    // A sibling of the same step may call what the search found, though it was asked for first.
    late.may_go.store(true, Ordering::Relaxed);
    let Poll::Ready(finished) = running.as_mut().poll(&mut waits) else { panic!("still waits") };
    assert_eq!(finished[0].outcome.as_ref().unwrap(), &Output::from("startExport"));
    assert!(finished[1].outcome.is_ok());
}

// founding: A13
#[test]
fn finding_nothing_is_an_answer() {
    with(&bench(), |registry| {
        assert_eq!(
            call_search(registry, r#"{"query":"xyzzy"}"#).unwrap(),
            r#"{"functions":[],"hint":"No tool fits. Call searchTools again with other words for the action and the thing, or with '+word' for tools whose name contains word"}"#
        );
        assert_eq!(search(registry, "select:nothing,xyzzy").functions, Vec::<String>::new());
        assert_eq!(registry.activation().active(), []);
    });
}

// case: C08
#[test]
fn what_nothing_fits_activates_nothing_and_counts_once() {
    let incidents: Vec<_> =
        (0..311).map(|n| hidden(&format!("incident_{n}"), "Sends an issue to on-call")).collect();
    let catalog = catalog_of(Vec::new());
    catalog.replace("pager", incidents).unwrap();
    with(&catalog, |registry| {
        let answer = search(registry, "send gmail email");
        assert_eq!((answer.functions.len(), answer.available.len()), (0, 0));
        assert!(answer.hint.starts_with("No tool fits. Call searchTools again"));
        assert_eq!(registry.activation().active(), []);
        assert_eq!(registry.activation().searches(), 1);
        assert_eq!(visible(registry), ["searchTools"]);
    });
}

// founding: A13
#[test]
fn a_selection_returns_what_is_there_again_and_again() {
    with(&bench(), |registry| {
        let found = Answer::found(&["slack_list", "startExport"]);
        for _ in 0..2 {
            assert_eq!(search(registry, "select:slack_list,xyzzy,startExport"), found);
        }
        assert_eq!(registry.activation().active().len(), 2);
        let near = Answer {
            near: owned(&["startExport"]),
            hint: "No tool is called that. Call searchTools(query='select:startExport') if that is what you mean".into(),
            ..Answer::default()
        };
        assert_eq!(search(registry, "select:start_export"), near);
        let misspelt = search(registry, "slaksend");
        assert_eq!((misspelt.functions, misspelt.near), (vec![], owned(&["slack_send"])));
    });
}

// founding: A4, A12
#[test]
fn a_required_word_filters_names() {
    with(&bench(), |registry| {
        assert_eq!(search(registry, "+slack message"), Answer::found(&["slack_send"]));
        assert!(registry.resolve("slack_send").is_ok());
        assert!(registry.resolve("slack_list").is_err());
        assert_eq!(search(registry, "+slack"), Answer::found(&["slack_list", "slack_send"]));
        assert!(registry.resolve("slack_list").is_ok());
        let told = search(registry, "+table rows");
        assert_eq!((told.functions, told.available), (vec![], owned(&["readTable"])));
        let nothing = search(registry, "+message");
        assert_eq!((nothing.functions, nothing.available, nothing.near), Default::default());
        assert!(nothing.hint.starts_with("No tool fits. "), "{}", nothing.hint);
    });
}

// founding: A8, A11
#[test]
fn an_inline_hit_is_available_and_never_activated() {
    with(&bench(), |registry| {
        let told = Answer {
            available: owned(&["readTable"]),
            hint: "What fits is in your list already; call it".into(),
            ..Answer::default()
        };
        assert_eq!(search(registry, "rows"), told);
        assert_eq!(search(registry, "select:readTable"), told);
        let both = Answer {
            functions: owned(&["startExport"]),
            available: owned(&["readTable"]),
            ..Answer::default()
        };
        assert_eq!(search(registry, "select:readTable,startExport,readTable"), both);
        assert_eq!(registry.activation().active().len(), 1);
        assert_eq!(visible(registry), ["searchTools", "readTable", "startExport"]);
        assert!(
            !format!("{:?}", search(registry, "finds tools by words")).contains("\"searchTools\"")
        );
    });
}

// founding: A13
#[test]
fn a_blank_query_is_an_error_and_counts_for_nothing() {
    with(&bench(), |registry| {
        let missing = now(Step::new(registry).call(Requested::new("1", "searchTools", "{}")));
        assert_eq!(missing.outcome.unwrap_err().to_string(), "Query cannot be empty");
        for arguments in ["{}", r#"{"query":""}"#, r#"{"query":" \u3000\n"}"#, r#"{"query":7}"#] {
            let error = call_search(registry, arguments).unwrap_err();
            assert_eq!(error, "Query cannot be empty", "{arguments}");
        }
        assert_eq!(registry.activation().searches(), 0);
    });
}
