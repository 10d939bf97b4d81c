//! A longer conversation begins as the shorter one did, so that nothing that a cache keeps is lost.

use oncue_agent::Disclosure::{self, Append, ByReference, ByValue};
use oncue_agent::Encode;
use oncue_agent::cache::{Block, Breakpoints, CacheRules, PrefixCache};
use oncue_agent::conversation::Item;
use oncue_fakes::Wire as _;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{Anthropic, Host};
use super::{encoded_by, endpoint, without_marks};
use crate::conversations::{conversation, of_any_server, steps};
use crate::samples::{Asked, call, found, reply, results, user};
use crate::wire::Wire;
use crate::{Endpoint, Protocol};

/// A cache that keeps every prefix that the vendor would keep if none were too short.
const RULES: CacheRules = CacheRules {
    breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
    prefix_tokens_min: 1,
    write_price: 1.25,
    read_price: 0.1,
};

fn unmarked(blocks: &[Block]) -> Vec<Block> {
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        block.cut = false;
    }
    blocks
}

fn check(disclosure: Disclosure, items: &[Item], requests: &[usize]) -> Result<(), TestCaseError> {
    let mut before: Option<(String, Vec<Block>)> = None;
    let mut cache = PrefixCache::new(RULES);
    for &count in requests {
        let asked = Asked {
            found: if disclosure == Append { vec!["startExport"] } else { vec![] },
            ..Asked::new(items[..count].to_vec())
        };
        let encoded = encoded_by(endpoint(disclosure), &asked);
        let again = encoded_by(endpoint(disclosure), &asked);
        prop_assert_eq!(&encoded, &again);

        let body = String::from_utf8(encoded.body).unwrap();
        let marks = body.matches(r#""cache_control""#).count();
        prop_assert!(marks <= 4, "{} marks", marks);
        prop_assert!(!body.contains(r#""defer_loading":true,"cache_control""#));

        let used = cache.send(&encoded.prompt);
        prop_assert_eq!(used.missed, 0);

        let body = without_marks(&body);
        let blocks = unmarked(&encoded.prompt.blocks);
        if let Some((earlier, earlier_blocks)) = before {
            prop_assert!(blocks.starts_with(&earlier_blocks));
            // The last message of the earlier body may go on, but nothing of it changes.
            let beginning = earlier.strip_suffix("]}]}").unwrap();
            prop_assert!(body.starts_with(beginning), "{}\n{}", earlier, body);
        }
        before = Some((body, blocks));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_appended_changes_nothing_before_it(steps in steps()) {
        let (items, requests) = conversation(&steps);
        for disclosure in [ByReference, ByValue, Append] {
            check(disclosure, &items, &requests)?;
        }
    }
}

/// Sends every request to a strict fake, which must take it and lose nothing that it has kept.
fn check_strictly(
    disclosure: Disclosure,
    items: &[Item],
    requests: &[usize],
) -> Result<(), TestCaseError> {
    let fake = oncue_fakes::Anthropic::default();
    let wire = Anthropic::new(
        Endpoint::new(Protocol::Messages, "https://a.example", "claude-opus-5")
            .with_disclosure(disclosure),
        Host::Anthropic,
    );
    let mut headers = vec![
        ("x-api-key".to_owned(), "k".to_owned()),
        ("content-type".to_owned(), "application/json".to_owned()),
    ];
    headers.extend(wire.headers().into_iter().map(|(name, value)| (name.to_owned(), value)));
    let mut cache = PrefixCache::new(RULES);
    for &count in requests {
        let asked = Asked {
            found: if disclosure == Append { vec!["startExport"] } else { vec![] },
            ..Asked::new(items[..count].to_vec())
        };
        let body = asked.with(|request| wire.encode(request).unwrap().body);
        let asked = oncue_fakes::Asked {
            path: wire.path(false),
            headers: headers.clone(),
            body: serde_json::from_slice(&body).unwrap(),
            ..oncue_fakes::Asked::default()
        };
        prop_assert_eq!(fake.check(&asked), Ok(()), "{}", asked.body);
        prop_assert_eq!(cache.send(&fake.prompt(&asked)).missed, 0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 50,
        rng_seed: RngSeed::Fixed(11),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_strict_server_takes_every_request(steps in steps()) {
        let (items, requests) = conversation(&of_any_server(steps));
        for disclosure in [ByReference, ByValue, Append] {
            check_strictly(disclosure, &items, &requests)?;
        }
    }
}

#[test]
fn what_may_be_called_changes_the_conversation_and_nothing_before_it() {
    let items = vec![user("Hello.")];
    let mut cache = PrefixCache::new(RULES);
    let free = encoded_by(endpoint(ByReference), &Asked::new(items.clone()));
    cache.send(&free.prompt);
    let choice = crate::samples::among(&["readTable"]);
    let held = encoded_by(endpoint(ByReference), &Asked { choice, ..Asked::new(items) });
    let used = cache.send(&held.prompt);
    assert_eq!(used.miss, Some(oncue_agent::cache::MissReason::MessagesChanged));
    let before: u64 = free.prompt.blocks.iter().take(3).map(|block| block.tokens).sum();
    assert_eq!(used.read, before, "two tools and the system text are read");
}

#[test]
fn what_a_search_refers_to_counts_once_and_what_is_deferred_does_not() {
    let searched = |searches: &[&[&str]]| {
        let mut items = vec![user("Hello.")];
        for (at, tools) in searches.iter().enumerate() {
            let id = format!("c{at}");
            items.push(reply(vec![call(&id, "search", "{}")]));
            items.push(results(vec![found(&id, tools)]));
        }
        encoded_by(endpoint(ByReference), &Asked::new(items)).prompt.tokens()
    };
    let definition = r#"{"name":"stopExport","description":"Stops an export.","input_schema":{"type":"object","properties":{}}}"#;
    let reference = r#",{"type":"tool_reference","tool_name":"stopExport"}"#;
    let check = |searches: &[&[&str]], without: &[&[&str]], bytes: usize| {
        let more = searched(searches) - searched(without);
        assert!(more.abs_diff(bytes as u64 / 4) <= 1, "{more} tokens for {bytes} bytes");
    };
    let one = definition.len() + reference.len();
    check(&[&["startExport", "stopExport"]], &[&["startExport"]], one);
    let twice: [&[&str]; 2] = [&["stopExport"], &["startExport", "stopExport"]];
    check(&twice, &[&["stopExport"], &["startExport"]], reference.len());
}
