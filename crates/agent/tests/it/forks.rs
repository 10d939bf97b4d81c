//! Sub-agents: their own findings, their own allow-list, one meter.

use std::sync::Arc;

use oncue_agent::{Agent, Fork, Outcome, TurnLimits};
use oncue_decl::Row;
use oncue_tools::{Catalog, Grants, ToolPattern, ToolSearch};

use crate::support::*;

/// A catalog in which the sub-agent is a tool over the same catalog.
fn with_fork(child: &Arc<Scripted>, grants: Grants) -> Arc<Catalog> {
    let catalog = catalog_with(
        ToolSearch::new(),
        vec![inline("read"), hidden("a", "Exports"), hidden("b", "Imports")],
    );
    let agent = Agent::new(Arc::<Scripted>::clone(child), Arc::clone(&catalog), grants).unwrap();
    let row = silent(Row::inline("delegate", "Gives a task to a helper"));
    catalog.register(Arc::new(Fork::new(row, agent))).unwrap();
    catalog
}

const TASK: &str = r#"{"task":"export it"}"#;

// founding: A3
// case: C19
#[tokio::test]
async fn a_fork_searches_the_whole_catalog_and_gives_nothing_back() {
    let child = Scripted::new(vec![
        calls(&[("b", "{}")]),
        calls(&[("ToolSearch", r#"{"query":"select:a"}"#), ("a", "{}")]),
        says("a is done"),
    ]);
    let parent = Scripted::new(vec![
        calls(&[("ToolSearch", r#"{"query":"select:b"}"#)]),
        calls(&[("delegate", TASK)]),
        calls(&[("a", "{}"), ("b", "{}")]),
        says("end"),
    ]);
    let catalog = with_fork(&child, Grants::all());
    outcome(&agent(&parent, &catalog), "go").await;
    let theirs = child.seen();
    assert!(results(&theirs[1].items)[0].starts_with("Tool 'b' not in active set."));
    assert_eq!(results(&theirs[2].items)[1], "a");
    let ours = parent.seen();
    assert_eq!(results(&ours[2].items), ["a is done"]);
    let called = results(&ours[3].items);
    assert!(called[0].starts_with("Tool 'a' not in active set."), "{called:?}");
    assert_eq!(called[1], "b");
}

// founding: B4
#[tokio::test]
async fn searches_tokens_and_calls_of_forks_count_for_the_turn() {
    let search = || calls(&[("ToolSearch", r#"{"query":"select:a"}"#)]);
    let child = Scripted::new(vec![search(), search(), says("done")]);
    let parent = Scripted::new(vec![search(), calls(&[("delegate", TASK)]), search(), says("end")]);
    let catalog = with_fork(&child, Grants::all());
    let agent = agent(&parent, &catalog);
    let mut session = agent.session();
    session.turn("go").await.unwrap();
    let seen = parent.seen();
    assert_eq!(results(&seen[3].items), [r#"{"error":"search-budget-exhausted","budgetCap":3}"#]);
    // Four requests of the parent and three of the child, 110 tokens each; five calls.
    assert_eq!(session.activation().meter().tokens(), 770);
    assert_eq!(session.activation().meter().calls(), 5);

    let child = Scripted::new(vec![search(), says("done")]);
    let parent = Scripted::new(vec![calls(&[("delegate", TASK)]), says("end")]);
    let limits = TurnLimits { tokens: 300, ..TurnLimits::default() };
    let catalog = with_fork(&child, Grants::all());
    let limited = self::agent(&parent, &catalog).with_limits(limits);
    assert_eq!(outcome(&limited, "go").await.to_string(), "the turn used up its tokens");
}

#[tokio::test]
async fn a_fork_reaches_no_further_than_its_list_and_its_parent() {
    let both = || calls(&[("ToolSearch", r#"{"query":"select:a,b"}"#), ("read", "{}")]);
    let child = Scripted::new(vec![both(), says("done")]);
    let parent = Scripted::new(vec![calls(&[("delegate", TASK)]), says("end")]);
    let allowed = Grants::all().with_tools(["a", "b", "ToolSearch"].map(ToolPattern::named));
    let catalog = with_fork(&child, allowed);
    let grants = Grants::all().with_denied([ToolPattern::named("b")]);
    let agent = Agent::new(Arc::<Scripted>::clone(&parent), catalog, grants).unwrap();
    outcome(&agent, "go").await;
    let called = results(&child.seen()[1].items);
    assert!(called[0].contains(r#""name":"a""#) && !called[0].contains(r#""name":"b""#));
    assert!(called[1].starts_with("Tool 'read' not in active set."), "{called:?}");
}

#[tokio::test]
async fn a_fork_that_fails_says_why_and_costs_the_parent_nothing_else() {
    let child = Scripted::new(vec![says(""), says("")]);
    let parent = Scripted::new(vec![calls(&[("delegate", TASK), ("read", "{}")]), says("end")]);
    let catalog = with_fork(&child, Grants::all());
    let ended = outcome(&agent(&parent, &catalog), "go").await;
    assert_eq!(ended, Outcome::Answered { text: "end".to_owned() });
    assert_eq!(
        results(&parent.seen()[1].items),
        [
            "The sub-agent did not finish: the model ended with nothing. Do the task in smaller pieces, or tell the user.",
            "read"
        ]
    );
}

#[tokio::test]
async fn forks_do_not_nest_without_end() {
    // The child calls itself, for as long as it is asked.
    let child = Scripted::new((0..20).map(|_| calls(&[("delegate", TASK)])).collect());
    let parent = Scripted::new(vec![calls(&[("delegate", TASK)]), says("end")]);
    let catalog = with_fork(&child, Grants::all());
    let limits = TurnLimits { steps: 3, ..TurnLimits::default() };
    outcome(&agent(&parent, &catalog).with_limits(limits), "go").await;
    let deepest = child.seen().into_iter().map(|seen| results(&seen.items).join(" "));
    assert!(deepest.into_iter().any(|text| text.contains("stand 4 deep already")));
}
