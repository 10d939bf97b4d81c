//! Turn after turn: what stays found, what waits for a person, what is stored.

use std::sync::Arc;

use oncue_agent::conversation::Item;
use oncue_agent::{Agent, Disclosure, Outcome, SessionRecord, TurnEnd};
use oncue_decl::Row;
use oncue_tools::{ActivationScope, Approval, CallId, Dropped, Grants, Identity, ToolPattern};

use crate::support::*;

fn search(name: &'static str) -> Move {
    Box::new(move |request| {
        let arguments: &'static str = match name {
            "a" => r#"{"query":"select:a"}"#,
            _ => r#"{"query":"select:b"}"#,
        };
        calls(&[("ToolSearch", arguments)])(request)
    })
}

// founding: A3
#[tokio::test]
async fn what_was_found_lives_a_turn_or_as_long_as_the_model_sees_it() {
    let scopes = [
        (Disclosure::Append, None, false),
        (Disclosure::Append, Some(ActivationScope::Session), true),
        (Disclosure::ByReference, None, true),
        (Disclosure::ByReference, Some(ActivationScope::Turn), false),
        (Disclosure::ByValue, None, true),
        (Disclosure::ClientSearch, None, true),
    ];
    for (disclosure, scope, stays) in scopes {
        let moves = vec![search("a"), says("found"), calls(&[("a", "{}")]), says("called")];
        let model = Scripted::disclosing(disclosure, moves);
        let agent = agent(&model, &catalog(vec![hidden("a", "")]));
        let agent = match scope {
            Some(scope) => agent.with_activation(scope),
            None => agent,
        };
        let mut session = agent.session();
        session.turn("find").await.unwrap();
        session.turn("call").await.unwrap();
        let called = results(&session.conversation().items);
        assert_eq!(called == ["a"], stays, "{disclosure:?} {scope:?}: {called:?}");
    }
}

// case: C17
#[tokio::test]
async fn after_compaction_a_tool_is_callable_only_where_its_definition_is_still_sent() {
    for (disclosure, text) in [
        (
            Disclosure::ByReference,
            "Tool 'a' is no longer loaded, since the conversation was shortened. Call ToolSearch(query='select:a') to load it again.",
        ),
        (Disclosure::Append, "a"),
    ] {
        let moves = vec![search("a"), says("found"), calls(&[("a", "{}")]), says("end")];
        let model = Scripted::disclosing(disclosure, moves);
        let agent = agent(&model, &catalog(vec![hidden("a", "")]));
        let agent = match disclosure {
            Disclosure::Append => agent.with_activation(ActivationScope::Session),
            _ => agent,
        };
        let mut session = agent.session();
        session.turn("find").await.unwrap();
        session.shorten(vec![Item::Summary { text: "something was found".to_owned() }]);
        session.turn("call").await.unwrap();
        assert_eq!(results(&session.conversation().items), [text]);
        let list = model.lists().pop().unwrap();
        assert_eq!(list.contains(&"a".to_owned()), disclosure == Disclosure::Append);
    }
}

// case: C17
#[tokio::test]
async fn a_hook_may_shorten_the_conversation_in_the_middle_of_a_turn() {
    use oncue_agent::{BeforeStep, StepHook, StepView};
    use oncue_tools::{BoxFuture, HookError};
    struct Shortens;
    impl StepHook for Shortens {
        fn before<'a>(
            &'a self,
            view: StepView<'a>,
        ) -> BoxFuture<'a, Result<BeforeStep, HookError>> {
            let user = view.conversation.items.first().cloned();
            let is_time = view.step == 2 && view.conversation.items.len() > 1;
            Box::pin(std::future::ready(Ok(match is_time {
                true => BeforeStep::Shorten(user.into_iter().collect()),
                false => BeforeStep::Proceed,
            })))
        }
    }
    let moves = vec![search("a"), calls(&[("a", "{}")]), search("a"), calls(&[("a", "{}")])];
    let model = Scripted::disclosing(Disclosure::ByReference, moves);
    let agent = agent(&model, &catalog(vec![hidden("a", "")])).with_step_hook(Arc::new(Shortens));
    outcome(&agent, "go").await;
    let seen = model.seen();
    assert!(results(&seen[2].items)[0].contains("Call ToolSearch(query='select:a')"));
    assert_eq!(results(&seen[4].items), ["a"]);
}

#[tokio::test]
async fn a_turn_waits_for_a_person_and_may_be_stored_until_then() {
    let moves = vec![calls(&[("drop", r#"{}"#), ("read", "{}")]), says("dropped"), says("more")];
    let model = Scripted::new(moves);
    let catalog = catalog(vec![inline("read"), named(Row::inline("drop", "Drops a table"))]);
    let agent =
        Agent::new(Arc::<Scripted>::clone(&model), Arc::clone(&catalog), Grants::local()).unwrap();
    let mut session = agent.session();
    let TurnEnd::Waiting(questions) = session.turn("drop it").await.unwrap() else {
        panic!("it should wait")
    };
    assert_eq!((questions.len(), questions[0].name.as_str()), (1, "drop"));
    let stored = serde_json::to_string(&session.record()).unwrap();
    drop(session);

    let record: SessionRecord = serde_json::from_str(&stored).unwrap();
    let (mut session, dropped) = agent.restore(record);
    assert_eq!(dropped, []);
    assert!(!session.answer(&CallId::new("other"), Approval::Agreed));
    assert!(session.answer(&questions[0].id, Approval::Agreed));
    let end = session.resume().await.unwrap();
    assert_eq!(end, TurnEnd::Ended(Outcome::Answered { text: "dropped".to_owned() }));
    assert_eq!(results(&model.seen()[1].items), ["drop", "read"]);
    assert_eq!(session.resume().await, None);

    // A turn that waits is called off by the next one.
    let model = Scripted::new(vec![calls(&[("drop", "{}")]), says("hello")]);
    let agent = Agent::new(Arc::<Scripted>::clone(&model), catalog, Grants::local()).unwrap();
    let mut session = agent.session();
    session.turn("drop it").await.unwrap();
    session.turn("or rather not").await.unwrap();
    let seen = model.seen();
    assert_eq!(results(&seen[1].items), ["The call of 'drop' was called off and was not run."]);
}

#[tokio::test]
async fn an_answer_holds_for_what_was_asked_and_nothing_else() {
    let catalog = catalog(vec![named(Row::inline("drop", "Drops a table"))]);
    let model = Scripted::new(vec![calls(&[("drop", "{}")]), says("no")]);
    let agent =
        Agent::new(Arc::<Scripted>::clone(&model), Arc::clone(&catalog), Grants::local()).unwrap();
    let mut session = agent.session();
    let TurnEnd::Waiting(questions) = session.turn("drop it").await.unwrap() else {
        panic!("it should wait")
    };
    let mut record = serde_json::to_value(session.record()).unwrap();
    let stored = record.to_string().replace(
        r#""name":"drop","arguments":"{}","reason""#,
        r#""name":"drop","arguments":"{ }","reason""#,
    );
    record = serde_json::from_str(&stored).unwrap();
    let (mut session, _) = agent.restore(serde_json::from_value(record).unwrap());
    assert!(session.answer(&questions[0].id, Approval::Agreed));
    let end = session.resume().await.unwrap();
    assert!(matches!(end, TurnEnd::Waiting(_)), "other arguments are another question");
}

// case: C70
#[tokio::test]
async fn what_a_stored_session_had_found_is_taken_up_as_far_as_it_is_there_and_granted() {
    let before = catalog(vec![hidden("a", ""), hidden("b", "")]);
    let model = Scripted::new(vec![calls(&[("ToolSearch", r#"{"query":"select:a,b"}"#)])]);
    let agent = agent(&model, &before).with_activation(ActivationScope::Session);
    let mut session = agent.session();
    session.turn("find").await.unwrap();
    let record = session.record();

    let after = catalog(vec![hidden("b", "is another one now"), hidden("c", "")]);
    let model = Scripted::new(vec![calls(&[("a", "{}"), ("b", "{}")])]);
    let granted = self::agent(&model, &after).with_activation(ActivationScope::Session);
    let (mut session, dropped) = granted.restore(record.clone());
    assert_eq!(dropped, [(Identity::own("a"), Dropped::Gone)]);
    session.turn("call").await.unwrap();
    let called = results(&model.seen()[1].items);
    assert!(called[0].starts_with("Tool 'a' is no longer offered."), "{called:?}");
    assert_eq!(called[1], "b");

    let model = Scripted::new(vec![calls(&[("b", "{}")])]);
    let grants = Grants::all().with_denied([ToolPattern::named("b")]);
    let denied = Agent::new(Arc::<Scripted>::clone(&model), after, grants).unwrap();
    let denied = denied.with_activation(ActivationScope::Session);
    denied.restore(record).0.turn("call").await.unwrap();
    let called = results(&model.seen()[1].items);
    assert!(called[0].starts_with("Tool 'b' "), "{called:?}");
    assert_eq!(model.lists()[0], Vec::<String>::new());
}

// case: C70
#[tokio::test]
async fn a_tool_that_changed_since_it_was_shown_by_value_must_be_shown_again() {
    for disclosure in [Disclosure::ByValue, Disclosure::ClientSearch] {
        let catalog = catalog(vec![hidden("a", "before")]);
        let changed = Arc::clone(&catalog);
        let moves = vec![
            search("a"),
            says("found"),
            calls(&[("a", "{}")]),
            search("a"),
            calls(&[("a", "{}")]),
        ];
        let model = Scripted::disclosing(disclosure, moves);
        let agent = agent(&model, &catalog);
        let mut session = agent.session();
        session.turn("find").await.unwrap();
        assert!(changed.remove("", "a"));
        changed.register(hidden("a", "after")).unwrap();
        session.turn("call").await.unwrap();
        let seen = model.seen();
        assert!(results(&seen[3].items)[0].contains("Call ToolSearch(query='select:a')"));
        assert_eq!(results(&seen[5].items), ["a"]);
    }
}

// case: C67
#[tokio::test]
async fn the_list_only_grows_at_its_end() {
    let moves = vec![says("1"), search("b"), calls(&[("b", "{}")]), search("a"), says("2")];
    let model = Scripted::new(moves);
    let agent =
        agent(&model, &catalog(vec![inline("x"), hidden("a", ""), inline("y"), hidden("b", "")]));
    let mut session = agent.session();
    session.turn("one").await.unwrap();
    session.turn("two").await.unwrap();
    let lists = model.lists();
    assert_eq!(lists[0], ["x", "y"]);
    for pair in lists.windows(2) {
        assert_eq!(pair[1][..pair[0].len()], pair[0], "{lists:?}");
    }
    assert_eq!(lists.last().unwrap(), &["x", "y", "b", "a"]);
}

#[tokio::test]
async fn a_turn_whose_future_is_dropped_leaves_a_session_that_goes_on() {
    let model = Scripted::new(vec![calls(&[("hangs", "{}")]), says("hello")]);
    let hangs = oncue_tools::tool(
        silent(Row::inline("hangs", "Hangs")),
        async |_, _: oncue_tools::NoArguments| {
            std::future::pending::<()>().await;
            Ok("never")
        },
    );
    let agent = agent(&model, &catalog(vec![Arc::new(hangs)]));
    let mut session = agent.session();
    {
        let mut turn = Box::pin(session.turn("go"));
        let first = std::future::poll_fn(|cx| std::task::Poll::Ready(turn.as_mut().poll(cx)));
        assert!(first.await.is_pending());
    }
    // What is stored now knows of the call that has begun.
    let record = session.record();
    let interrupted = "The call of 'hangs' was interrupted; it may have done part of its work. Check what it did before you call hangs again.";
    session.turn("still there?").await.unwrap();
    let seen = model.seen();
    assert_eq!(results(&seen[1].items), [interrupted]);

    let model = Scripted::new(vec![says("I see")]);
    let agent = self::agent(&model, &catalog(vec![inline("hangs")]));
    let (mut session, _) = agent.restore(record);
    let end = session.resume().await;
    assert_eq!(end, Some(TurnEnd::Ended(Outcome::Answered { text: "I see".to_owned() })));
    assert_eq!(results(&model.seen()[0].items), [interrupted]);
}
