//! One turn: searching, calling, being told what is wrong, ending.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use oncue_agent::{Agent, ModelErrorKind, Outcome, Profile, TurnLimits};
use oncue_decl::Row;
use oncue_tools::{Cancel, Cancellation, Grants, NoArguments, PlainTools, ToolPattern, tool};

use crate::support::*;

fn answered(text: &str) -> Outcome {
    Outcome::Answered { text: text.to_owned() }
}

// founding: A14
#[tokio::test]
async fn what_a_search_finds_is_in_the_list_of_the_next_step_and_callable() {
    let model = Scripted::new(vec![
        calls(&[("ToolSearch", r#"{"query":"csv export"}"#)]),
        calls(&[("startExport", "{}")]),
        says("exported"),
    ]);
    let catalog = catalog(vec![inline("read"), hidden("startExport", "Exports a table as csv")]);
    assert_eq!(outcome(&agent(&model, &catalog), "export this").await, answered("exported"));
    assert_eq!(
        model.lists(),
        [vec!["read"], vec!["read", "startExport"], vec!["read", "startExport"]]
    );
    assert_eq!(results(&model.seen()[2].items), ["startExport"]);
}

// founding: A14, A22
#[tokio::test]
async fn a_plain_assembly_knows_of_no_searching() {
    let model = Scripted::new(vec![calls(&[("look", "{}"), ("ToolSearch", "{}")]), says("done")]);
    let has_registry = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&has_registry);
    let look = tool(
        silent(Row::inline("look", "Looks")),
        async move |ctx: &oncue_tools::CallContext<'_>, _: NoArguments| {
            seen.fetch_add(u32::from(ctx.registry().is_some()), Ordering::Relaxed);
            Ok("looked")
        },
    );
    let tools = PlainTools::new(vec![Arc::new(look)], &Grants::all());
    let agent = Agent::plain(Arc::<Scripted>::clone(&model), tools);
    assert_eq!(outcome(&agent, "look").await, answered("done"));
    assert_eq!(has_registry.load(Ordering::Relaxed), 0);
    assert_eq!(model.lists(), [["look"], ["look"]]);
    let seen = model.seen();
    assert_eq!(seen[0].hint, None);
    assert_eq!(
        results(&seen[1].items),
        ["looked", "Tool 'ToolSearch' does not exist. Use one of: look"]
    );
}

// case: C11
#[tokio::test]
async fn a_hidden_tool_is_not_run_because_it_was_named() {
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let weather = tool(
        silent(Row::discoverable("weather", "Tells the weather")),
        async move |_, _: NoArguments| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok("sunny")
        },
    );
    let catalog = catalog(vec![inline("read"), Arc::new(weather)]);
    for streams in [false, true] {
        let model = Scripted::new(vec![calls(&[("weather", "{}")]), says("sorry")]);
        let agent = agent(&model, &catalog);
        let agent = if streams { agent.streaming() } else { agent };
        outcome(&agent, "weather?").await;
        assert_eq!(
            results(&model.seen()[1].items),
            [
                "Tool 'weather' not in active set. Call ToolSearch(query='weather') to discover it, or use one of: read"
            ]
        );
        assert_eq!(runs.load(Ordering::Relaxed), 0);
    }

    // Active at the first call, and taken away before the second one.
    let taken = Arc::clone(&catalog);
    let model = Scripted::new(vec![
        calls(&[("ToolSearch", r#"{"query":"select:weather"}"#), ("weather", "{}")]),
        Box::new(move |request| {
            assert!(taken.remove("", "weather"));
            calls(&[("weather", "{}")])(request)
        }),
        calls(&[("weather", "{}")]),
        says("sorry"),
    ]);
    outcome(&agent(&model, &catalog), "weather?").await;
    let seen = model.seen();
    // The step pins what it showed, so its own call still runs; the next one does not.
    assert_eq!(results(&seen[2].items), ["sunny"]);
    assert_eq!(
        results(&seen[3].items),
        [
            "Tool 'weather' is no longer offered. Call ToolSearch(query='weather') to discover it, or use one of: read"
        ]
    );
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

// case: C20
#[tokio::test]
async fn hidden_tools_without_a_search_tool_are_an_error_before_the_start() {
    let model = Scripted::new(Vec::new());
    let catalog = catalog(vec![hidden("a", ""), hidden("b", "")]);
    let grants = Grants::all().with_denied([ToolPattern::named("ToolSearch")]);
    let refused = Agent::new(Arc::<Scripted>::clone(&model), Arc::clone(&catalog), grants);
    assert!(refused.is_err());
    // So it is where the search tool has gone since.
    let agent =
        Agent::new(Arc::<Scripted>::clone(&model), Arc::clone(&catalog), Grants::all()).unwrap();
    assert!(catalog.remove("", "ToolSearch"));
    assert!(agent.session().turn("go").await.is_err());
    assert_eq!(model.seen().len(), 0);
}

// case: C22
#[tokio::test]
async fn a_model_that_says_nothing_is_asked_once_more() {
    let model = Scripted::new(vec![says(""), says("  ")]);
    let log = Log::default();
    let agent = agent(&model, &catalog(vec![inline("read")])).with_listener(Arc::new(log.clone()));
    assert_eq!(outcome(&agent, "hello").await, Outcome::EmptyFinish);
    let nudges = log.events().into_iter().filter(|event| *event == oncue_agent::Event::Nudged);
    assert_eq!(nudges.count(), 1);
}

// case: C64
#[tokio::test]
async fn each_call_of_a_batch_has_its_own_result() {
    use oncue_tools::{Approval, Approver, Asking, BoxFuture};
    struct No;
    impl Approver for No {
        fn approve<'a>(&'a self, _: &'a Asking) -> BoxFuture<'a, Approval> {
            Box::pin(std::future::ready(Approval::Refused(None)))
        }
    }
    let fails = tool(silent(Row::inline("fails", "Fails")), async |_, _: NoArguments| {
        Err::<&str, _>(oncue_tools::ToolError::new("The disk is full. Call free first."))
    });
    let hangs = tool(silent(Row::inline("hangs", "Hangs")), async |_, _: NoArguments| {
        std::future::pending::<()>().await;
        Ok("never")
    });
    let gated = named(Row::inline("drop", "Drops a table"));
    let catalog = catalog(vec![
        inline("read"),
        Arc::new(fails),
        Arc::new(hangs.parallel()),
        gated,
        hidden("export", "Exports"),
    ]);
    let mut batch = vec![("read", "{}"); 22];
    batch.insert(3, ("fails", "{}"));
    batch.insert(7, ("hangs", "{}"));
    batch.insert(9, ("drop", "{}"));
    batch.insert(20, ("ToolSearch", r#"{"query":"select:export"}"#));
    batch.push(("export", "{}"));
    assert_eq!(batch.len(), 27);
    let model = Scripted::new(vec![calls(&batch), says("done")]);
    let agent = Agent::new(Arc::<Scripted>::clone(&model), catalog, Grants::local())
        .unwrap()
        .with_call_time(Duration::from_millis(50))
        .with_approver(Arc::new(No));
    tokio::time::pause();
    assert_eq!(outcome(&agent, "go").await, answered("done"));
    let results = results(&model.seen()[1].items);
    assert_eq!(results.len(), 27);
    assert_eq!(results[3], "The disk is full. Call free first.");
    assert!(results[7].starts_with("'hangs' took too long and was stopped"), "{}", results[7]);
    assert!(
        results[9].starts_with("The user did not agree to the call of 'drop'"),
        "{}",
        results[9]
    );
    assert!(results[20].starts_with(r#"{"functions":[{"name":"export""#));
    assert_eq!(results[26], "export");
    assert_eq!(results.iter().filter(|text| *text == "read").count(), 22);
}

// founding: B4, B14
#[tokio::test]
async fn the_budget_of_searches_holds_for_the_turn() {
    let search = || calls(&[("ToolSearch", r#"{"query":"nothing like it"}"#)]);
    let blank = calls(&[("ToolSearch", r#"{"query":" "}"#)]);
    let model = Scripted::new(vec![search(), blank, search(), search(), search(), says("no")]);
    outcome(&agent(&model, &catalog(vec![hidden("x", "Exports a table")])), "go").await;
    let seen = model.seen();
    assert_eq!(results(&seen[2].items), ["Query cannot be empty"]);
    assert!(results(&seen[4].items)[0].starts_with(r#"{"functions":[]"#));
    assert_eq!(results(&seen[5].items), [r#"{"error":"search-budget-exhausted","budgetCap":3}"#]);
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_tried_again_after_the_pause() {
    let busy = || fails(ModelErrorKind::Overloaded);
    let model = Scripted::new(vec![busy(), busy(), says("here")]);
    let agent = agent(&model, &catalog(vec![inline("read")]));
    let started = tokio::time::Instant::now();
    assert_eq!(outcome(&agent, "hello").await, answered("here"));
    assert_eq!(started.elapsed().as_millis(), 1_500);
    let model = Scripted::new(vec![fails(ModelErrorKind::Authentication)]);
    let agent = self::agent(&model, &catalog(vec![inline("read")]));
    let outcome = outcome(&agent, "hello").await;
    assert!(matches!(outcome, Outcome::Failed { kind: ModelErrorKind::Authentication, .. }));
}

#[tokio::test(start_paused = true)]
async fn a_turn_ends_in_time_whatever_runs() {
    let hangs = tool(silent(Row::inline("hangs", "Hangs")), async |_, _: NoArguments| {
        std::future::pending::<()>().await;
        Ok("never")
    });
    let model = Scripted::new(vec![calls(&[("hangs", "{}")]), says("late")]);
    let limits = TurnLimits { time: Duration::from_secs(5), ..TurnLimits::default() };
    let agent = agent(&model, &catalog(vec![Arc::new(hangs)])).with_limits(limits);
    let started = tokio::time::Instant::now();
    let outcome = outcome(&agent, "go").await;
    assert_eq!(outcome.to_string(), "the turn used up its time");
    assert_eq!(started.elapsed().as_secs(), 5);
}

#[tokio::test]
async fn calling_a_turn_off_answers_what_was_running() {
    let cancel = Cancel::default();
    let fires = cancel.clone();
    let stops = tool(silent(Row::inline("stops", "Stops")), async move |_, _: NoArguments| {
        fires.fire(Cancellation::Withdrawn);
        std::future::pending::<()>().await;
        Ok("never")
    });
    let model = Scripted::new(vec![calls(&[("stops", "{}"), ("read", "{}")]), says("again")]);
    let agent = agent(&model, &catalog(vec![Arc::new(stops), inline("read")]));
    let mut session = agent.session().with_cancel(cancel);
    let end = session.turn("go").await.unwrap();
    assert_eq!(end, oncue_agent::TurnEnd::Ended(Outcome::Cancelled));
    let results = results(&session.conversation().items);
    assert!(results[0].starts_with("'stops' was called off before it finished"), "{results:?}");
    assert!(results[1].contains("was called off before it began"), "{results:?}");
}

#[tokio::test]
async fn a_weak_model_gets_what_its_profile_says() {
    let tools = || {
        vec![inline("read"), hidden("startExport", "Exports orders as csv"), hidden("other", "")]
    };
    // Preload: the tool is there before the first step, and the search is not replayed.
    let model = Scripted::new(vec![calls(&[("startExport", "{}")]), says("done")]);
    let profile = Profile { preload: 3, names_chars: 200, ..Profile::DEFAULT };
    let weak = agent(&model, &catalog(tools())).with_profile(profile);
    assert_eq!(outcome(&weak, "export the orders").await, answered("done"));
    assert_eq!(model.lists()[0], ["read", "startExport"]);
    let first = &model.seen()[0];
    assert_eq!(first.items.len(), 1);
    assert_eq!(first.hint.as_deref(), Some("Tools that can be found: startExport, other"));

    // Narrowing and collapsing: the step after a search sees one line and may call what was found.
    let model = Scripted::new(vec![
        calls(&[("ToolSearch", r#"{"query":"csv"}"#)]),
        calls(&[("startExport", "{}")]),
        says("done"),
    ]);
    let profile = Profile { narrows: true, collapses: true, ..Profile::DEFAULT };
    let weak = agent(&model, &catalog(tools())).with_profile(profile);
    outcome(&weak, "export the orders").await;
    let second = &model.seen()[1];
    assert_eq!(second.among, ["startExport"]);
    let [oncue_agent::conversation::Item::User { content }] = second.items.as_slice() else {
        panic!("{:?}", second.items)
    };
    let line = oncue_tools::Content::Text("(Tool search has loaded: startExport.)".to_owned());
    assert_eq!(content.last(), Some(&line));
    assert_eq!(model.seen()[2].among, Vec::<String>::new());

    // Recovery: a hidden tool that is called by its name is searched for and run.
    let model = Scripted::new(vec![calls(&[("startExport", "{}")]), says("done")]);
    let profile = Profile { recovers: true, ..Profile::DEFAULT };
    let weak = agent(&model, &catalog(tools())).with_profile(profile);
    let mut session = weak.session();
    session.turn("export the orders").await.unwrap();
    assert_eq!(results(&model.seen()[1].items), ["startExport"]);
    assert_eq!(session.activation().searches(), 1);
}
