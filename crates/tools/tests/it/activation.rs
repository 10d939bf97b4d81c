//! How long a discovery lives, and what must hold in any order of events.

use std::collections::BTreeSet;

use oncue_tools::{
    Activation, ActivationScope, Catalog, Dropped, Grants, Identity, Registry, ToolPattern,
    ToolSet, UnresolvedKind,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{Answer, catalog_of, hidden, inline, search, visible};

fn letters() -> Catalog {
    catalog_of(vec![inline("read", ""), hidden("a", ""), hidden("b", ""), hidden("c", "")])
}

fn find(catalog: &Catalog, activation: &Activation, names: &str) {
    let grants = Grants::all();
    let registry = Registry::new(catalog, activation, &grants);
    search(&registry, &format!("select:{names}"));
}

fn seen(catalog: &Catalog, activation: &Activation) -> Vec<String> {
    let grants = Grants::all();
    visible(&Registry::new(catalog, activation, &grants))[2..].to_vec()
}

// founding: A2, A3
#[test]
fn a_discovery_dies_with_its_turn() {
    let (catalog, turn) = (letters(), Activation::turn());
    find(&catalog, &turn, "b,a");
    assert_eq!(seen(&catalog, &turn), ["b", "a"]);
    let next = turn.next_turn();
    assert_eq!(next.scope(), ActivationScope::Turn);
    assert_eq!(seen(&catalog, &next), Vec::<String>::new());
    assert_eq!((turn.searches(), next.searches()), (1, 0));
}

// founding: A3
// case: C19
#[test]
fn a_fork_starts_empty_and_gives_nothing_back() {
    let (catalog, turn) = (letters(), Activation::turn());
    find(&catalog, &turn, "b");
    let fork = turn.fork();
    assert_eq!(fork.scope(), ActivationScope::Fork);
    assert_eq!(seen(&catalog, &fork), Vec::<String>::new());
    find(&catalog, &fork, "c");
    let grants = Grants::all();
    assert!(Registry::new(&catalog, &fork, &grants).resolve("c").is_ok());
    assert_eq!(
        (seen(&catalog, &turn), seen(&catalog, &fork)),
        (vec!["b".into()], vec!["c".into()])
    );
    assert_eq!((turn.searches(), fork.searches()), (2, 2));
    assert_eq!(seen(&catalog, &fork.next_turn()), Vec::<String>::new());
}

// founding: A18
#[test]
fn a_session_keeps_its_discoveries_and_refills_its_budget() {
    let (catalog, session) = (letters(), Activation::session());
    find(&catalog, &session, "c");
    let next = session.next_turn();
    find(&catalog, &next, "a");
    assert_eq!(next.scope(), ActivationScope::Session);
    assert_eq!(seen(&catalog, &next), ["c", "a"]);
    assert_eq!((session.searches(), next.searches()), (1, 1));
    assert_eq!(seen(&catalog, &next.fork()), Vec::<String>::new());
}

// case: C70
#[test]
fn a_replay_keeps_what_is_still_there_and_says_what_is_not() {
    let before = letters();
    let session = Activation::session();
    find(&before, &session, "c,a,b");
    let history = session.active();
    let own = |name: &str| Identity::own(name);
    assert_eq!(history, [own("c"), own("a"), own("b")]);

    let after = catalog_of(vec![inline("a", ""), hidden("b", "changed"), hidden("c", "")]);
    let history = [own("c"), own("gone"), own("a"), own("b"), own("c"), Identity::new("s", "b")];
    let (replayed, dropped) = Activation::replay(history, &after.snapshot());
    assert_eq!(replayed.active(), [own("c"), own("b")]);
    assert_eq!(
        dropped,
        [
            (own("gone"), Dropped::Gone),
            (own("a"), Dropped::Inline),
            (Identity::new("s", "b"), Dropped::Gone),
        ]
    );
    assert_eq!(replayed.scope(), ActivationScope::Session);

    let denied = Grants::all().with_denied([ToolPattern::named("b")]);
    let registry = Registry::new(&after, &replayed, &denied);
    assert_eq!(visible(&registry), ["searchTools", "a", "c"]);
    assert!(registry.resolve("b").is_err());
    let all = Grants::all();
    let shown = Registry::new(&after, &replayed, &all).visible();
    assert_eq!(shown.last().unwrap().row().description(), "changed");
}

#[test]
fn a_session_has_a_bound() {
    let many: Vec<Identity> = (0..258).map(|n| Identity::own(format!("t{n}"))).collect();
    let catalog = catalog_of(many.iter().map(|tool| hidden(tool.name(), "")).collect());
    for count in [255, 256, 257, 258] {
        let history = many[..count].iter().cloned();
        let (replayed, dropped) = Activation::replay(history, &catalog.snapshot());
        let kept = count.min(256);
        assert_eq!(replayed.active(), many[..kept]);
        let full = |tool: &Identity| (tool.clone(), Dropped::Full);
        assert_eq!(dropped, many[kept..count].iter().map(full).collect::<Vec<_>>());
    }
}

/// What can happen between and within the steps of a turn.
#[derive(Clone, Debug)]
enum Event {
    /// The model searches for these of the six names.
    Search(Vec<u8>),
    /// A source now has these of its three names, the first of them inline if so.
    Replace { source: u8, names: Vec<u8>, first_is_inline: bool },
    /// The source goes away.
    Remove(u8),
    /// The caller may use these of the six names from now on.
    Grant(Vec<u8>),
}

fn event() -> impl Strategy<Value = Event> {
    let names = |count: u8| proptest::collection::vec(0..count, 0..4);
    prop_oneof![
        3 => names(6).prop_map(Event::Search),
        2 => (0..2u8, names(3), any::<bool>()).prop_map(|(source, names, first_is_inline)| {
            Event::Replace { source, names, first_is_inline }
        }),
        1 => (0..2u8).prop_map(Event::Remove),
        1 => names(6).prop_map(Event::Grant),
    ]
}

fn source(n: u8) -> &'static str {
    ["left", "right"][usize::from(n)]
}

fn exposed(n: u8) -> String {
    format!("{}__t{}", source(n / 3), n % 3)
}

fn pattern(n: u8) -> ToolPattern {
    ToolPattern::new(source(n / 3), &format!("t{}", n % 3))
}

fn apply(catalog: &Catalog, event: &Event) {
    match event {
        Event::Replace { source: at, names, first_is_inline } => {
            let names: BTreeSet<&u8> = names.iter().collect();
            let tools = names.iter().enumerate().map(|(place, name)| {
                let make = if place == 0 && *first_is_inline { inline } else { hidden };
                make(&format!("t{name}"), "")
            });
            catalog.replace(source(*at), tools.collect()).unwrap();
        }
        Event::Remove(at) => {
            catalog.remove_source(source(*at));
        }
        Event::Search(_) | Event::Grant(_) => {}
    }
}

/// What the model of the whole thing says: inline ones in the order of the catalog, then found ones in the order of discovery, all as far as they are there and granted.
fn expected(catalog: &Catalog, found: &[String], grants: &Grants) -> Vec<String> {
    let snapshot = catalog.snapshot();
    let granted = || snapshot.iter().filter(|entry| grants.may_see(entry.source(), entry.row()));
    let inline = granted().filter(|entry| entry.row().is_inline());
    let mut list: Vec<String> = inline.map(|entry| entry.exposed().to_owned()).collect();
    for name in found {
        let hidden = granted().filter(|entry| !entry.row().is_inline());
        list.extend(hidden.map(|entry| entry.exposed().to_owned()).filter(|other| other == name));
    }
    list
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_000,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    // founding: A3, A11, A12, A19
    #[test]
    fn what_was_found_is_callable_at_the_next_step_or_the_error_says_why(
        events in proptest::collection::vec(event(), 1..16)
    ) {
        let catalog = catalog_of(Vec::new());
        let activation = Activation::turn();
        let mut found: Vec<String> = Vec::new();
        let mut grants = Grants::all();
        for event in &events {
            apply(&catalog, event);
            if let Event::Grant(names) = event {
                let search = [ToolPattern::named("searchTools")];
                grants = Grants::all().with_tools(names.iter().map(|&n| pattern(n)).chain(search));
            }
            let registry = Registry::new(&catalog, &activation, &grants);
            prop_assert_eq!(visible(&registry), expected(&catalog, &found, &grants));
            if let Event::Search(names) = event {
                let before = activation.active();
                let query = names.iter().map(|&n| exposed(n)).collect::<Vec<_>>().join(",");
                if query.is_empty() {
                    continue;
                }
                let answer = search(&registry, &format!("select:{query}"));
                for name in &answer.functions {
                    if !found.contains(name) {
                        found.push(name.clone());
                    }
                }
                // It only grows, and asking again changes nothing.
                let after = activation.active();
                prop_assert_eq!(&after[..before.len()], &before[..]);
                prop_assert_eq!(&search(&registry, &format!("select:{query}")), &answer);
                prop_assert_eq!(activation.active(), after);
                // Found, callable and permitted lie within each other.
                let next = registry.step();
                for name in &answer.functions {
                    let entry = next.resolve(name);
                    prop_assert!(entry.is_ok(), "{}", name);
                    let entry = entry.unwrap();
                    prop_assert!(grants.may_see(entry.source(), entry.row()));
                }
            }
            let step = registry.step();
            let listed = visible(&step);
            for name in (0..6).map(exposed) {
                match step.resolve(&name) {
                    Ok(entry) => {
                        prop_assert!(listed.contains(&name));
                        prop_assert!(grants.may_see(entry.source(), entry.row()));
                    }
                    Err(error) => {
                        prop_assert!(!listed.contains(&name));
                        let expected = match found.contains(&name) {
                            true => UnresolvedKind::NoLongerOffered,
                            false => UnresolvedKind::NotActive,
                        };
                        prop_assert_eq!(error.kind(), expected);
                    }
                }
            }
            prop_assert_eq!(listed, expected(&catalog, &found, &grants));
        }
    }
}

#[test]
fn a_selection_of_nothing_is_blank() {
    let (catalog, activation, grants) = (letters(), Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);
    assert_eq!(
        search(&registry, "select:"),
        Answer { hint: search(&registry, "xyzzy").hint, ..Answer::default() }
    );
}
