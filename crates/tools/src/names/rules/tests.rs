//! Names by hand-made tables and by what must hold for any set of tools.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::NameRules;
use crate::limits::{NAME_CHARS_MAX, NAME_CHARS_MIN};
use crate::{Collision, Identity, NameTable};

/// The hashes come from another implementation of FNV-1a.
fn check(source: &str, name: &str, expected: &str) {
    assert_eq!(NameRules::DEFAULT.name(source, name), expected, "{source:?} {name:?}");
}

#[test]
fn legal_and_unambiguous_names_are_kept() {
    check("", "readTable", "readTable");
    check("", "export-csv_2", "export-csv_2");
    check("github", "create_issue", "github__create_issue");
    check("plugin_oh-my_x", "ask_codex", "plugin_oh-my_x__ask_codex");
    check("a", "b__c", "a__b__c");
    check("acme", "_status", "acme___status");
    check("acme", "status2", "acme__status2");
    check("acme2", "status", "acme2__status");
    check("Acme", "status", "Acme__status");
    check("acme", "Status", "acme__Status");
}

// case: C23
#[test]
fn characters_that_vendors_refuse_never_get_out() {
    check(
        "google-workspace",
        "calendar.respondToEvent",
        "google-workspace__calendar_respondToEve_9f2a702e",
    );
    check("google-workspace", "docs.getText", "google-workspace__docs_getText_bab176b1");
    check("google-workspace", "a/b", "google-workspace__a_b_a4fde8a6");
    check("google-workspace", "with space", "google-workspace__with_space_94d6e170");
    check("", "3d.render", "3d_render_2d65712e");
    check("", "", "tool_bc6f8e64");
    check("s", "", "s__tool_daabd3f1");
}

// case: C25
#[test]
fn what_could_be_read_in_two_ways_gets_a_hash() {
    check("acme_", "status", "acme_b5b7c73b__status");
    check("a__b", "c", "a_b_d31fddc2__c");
    check("", "a__b", "a_b_d608088c");
    check("x_20240101", "t", "x_20240101_079aec60__t");
    check("s", "x_20240101", "s__x_20240101_b2aedc64");
}

// case: C26
#[test]
fn shortened_and_foreign_names_stay_apart() {
    let x = |count| "x".repeat(count);
    check("s", &format!("get_{}", x(92)), &format!("s__get_{}_9beacb32", x(32)));
    check("s", &format!("delete_{}", x(89)), &format!("s__delete_{}_dbe2f73f", x(29)));
    check("数据库", "query", "server_0dce7aa8__query");
    check("😀", "query", "server_9f318bdb__query");
    check("cafe", "query", "cafe__query");
    check("caf\u{e9}", "query", "caf_54e0606c__query");
    check("cafe\u{301}", "query", "cafe_629688d9__query");
}

#[test]
fn a_name_may_be_as_long_as_the_bound_and_no_longer() {
    let of_source = |count: usize| NameRules::DEFAULT.name("s", &"x".repeat(count));
    assert_eq!(of_source(45), format!("s__{}", "x".repeat(45)));
    assert_eq!(of_source(46).len(), NAME_CHARS_MAX);
    assert_ne!(of_source(46), format!("s__{}", "x".repeat(46)));
    assert_eq!(NameRules::DEFAULT.name("", &"x".repeat(64)), "x".repeat(64));
    assert_eq!(NameRules::DEFAULT.name("", &"x".repeat(65)).len(), 64);
    assert_eq!(NameRules::DEFAULT.with_chars_max(0).chars_max(), NAME_CHARS_MIN);
}

#[test]
fn names_begin_as_the_reader_wants() {
    let gemini = NameRules::of("gemini").unwrap();
    assert_eq!(gemini.name("", "3d.render"), "d_render_2d65712e");
    assert_eq!(gemini.name("", "_3d"), "_3d");
    assert!(gemini.name("3d", "render").starts_with("d_"));
    assert!(gemini.name("s", "3d.render").starts_with("s__3d_render_"));
    assert!(!gemini.admits("3d") && NameRules::DEFAULT.admits("3d"));
}

#[test]
fn a_name_of_the_default_rules_is_the_name_for_every_known_reader() {
    let default = NameRules::DEFAULT.name("github", "create_issue");
    for rules in NameRules::ALL {
        assert!(rules.chars_max() >= NAME_CHARS_MAX, "{}", rules.reader());
        assert_eq!(rules.name("github", "create_issue"), default, "{}", rules.reader());
        assert_eq!(NameRules::of(rules.reader()), Some(*rules));
    }
}

// case: C26
#[test]
fn a_coincidence_of_hashes_is_reported_and_won_by_nobody() {
    // Found by trying texts without a legal character until two hashes were equal.
    let tools =
        [Identity::new("s", "丑丷丞"), Identity::new("s", "丢丅丫"), Identity::new("s", "ok")];
    let (table, collisions) = NameTable::new(NameRules::DEFAULT, tools.clone());
    let [left, right, healthy] = tools;
    assert_eq!(table.tool("s__tool_7cc8e483"), None);
    assert_eq!((table.name(&left), table.name(&right)), (None, None));
    assert_eq!(table.name(&healthy), Some("s__ok"));
    let expected = Collision { name: "s__tool_7cc8e483".into(), left, right };
    assert_eq!(collisions, std::slice::from_ref(&expected));
    assert_eq!(
        expected.to_string(),
        "`丑丷丞` of `s` and `丢丅丫` of `s` both come out as `s__tool_7cc8e483`: rename one of them, or give one source another id"
    );
}

/// Texts that are likely to be mistaken for each other, for parts of names or for hashes.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab_]{0,5}",
        "[aA.\\-/ ]{0,4}",
        "[ab]?_[0-9a-f]{7,9}",
        "(a|b__|_){0,4}(_[0-9a-f]{8})?",
        "[A-Za-z0-9_-]{20,70}",
        "[数据库é😀파일]{0,3}",
        ".{0,30}",
    ]
}

fn tools() -> impl Strategy<Value = BTreeSet<Identity>> {
    let tool = (part(), part()).prop_map(|(source, name)| Identity::new(source, name));
    proptest::collection::btree_set(tool, 0..24)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    // case: C23, C25, C26
    #[test]
    fn names_are_legal_distinct_and_lead_back(tools in tools()) {
        for rules in NameRules::ALL {
            let (table, collisions) = NameTable::new(*rules, tools.iter().rev().cloned());
            prop_assert_eq!(collisions, []);
            let mut seen: HashMap<String, &Identity> = HashMap::new();
            for tool in &tools {
                let name = rules.name_of(tool);
                prop_assert!(rules.admits(&name), "{}", name);
                prop_assert!(name.len() <= 64 || rules.chars_max() > 64, "{}", name);
                prop_assert!(tool.source().is_empty() || name.len() <= rules.chars_max());
                prop_assert_eq!(table.tool(&name), Some(tool));
                prop_assert_eq!(table.name(tool), Some(&*name));
                prop_assert_eq!(seen.insert(name, tool), None);
            }
        }
    }

    // case: C25
    #[test]
    fn a_prefix_belongs_to_one_source(tools in tools()) {
        let rules = NameRules::DEFAULT;
        let sources: BTreeSet<&str> = tools.iter().map(Identity::source).collect();
        for tool in &tools {
            let name = rules.name_of(tool);
            for source in sources.iter().filter(|source| !source.is_empty()) {
                let begins = name.starts_with(&rules.prefix(source));
                prop_assert_eq!(begins, *source == tool.source(), "{} {:?}", name, source);
            }
        }
    }
}
