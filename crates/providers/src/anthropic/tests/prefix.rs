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
use crate::samples::{
    Asked, by_loop, call, failed, found, note, replayed, reply, result, results, text, user,
};
use crate::wire::Wire;
use crate::{Endpoint, Protocol};

/// One step of a conversation, by what it has.
#[derive(Clone, Debug)]
enum Step {
    /// The user speaks, and perhaps the loop searches.
    Turn { notes: usize, preloads: bool },
    /// The model makes calls; some are searches that load tools.
    Calls { texts: usize, searches: Vec<Vec<usize>>, reads: usize },
    /// The model answers as this vendor, with thoughts.
    Thinks,
    /// The vendor pauses.
    Pauses,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let loads = prop::collection::vec(0_usize..4, 0..3);
    let step = prop_oneof![
        (0_usize..3, any::<bool>()).prop_map(|(notes, preloads)| Step::Turn { notes, preloads }),
        (0_usize..2, prop::collection::vec(loads, 0..3), 1_usize..25)
            .prop_map(|(texts, searches, reads)| Step::Calls { texts, searches, reads }),
        Just(Step::Thinks),
        Just(Step::Pauses),
    ];
    prop::collection::vec(step, 1..8)
}

/// Returns the items of a conversation, and how many of them each request has.
fn conversation(steps: &[Step]) -> (Vec<Item>, Vec<usize>) {
    let names = ["startExport", "stopExport", "readTable", "gone"];
    let (mut items, mut requests, mut calls) = (vec![user("Hello.")], Vec::new(), 0);
    for step in steps {
        let mut id = || {
            calls += 1;
            format!("c{calls}")
        };
        match step {
            Step::Turn { notes, preloads } => {
                items.push(user("And?"));
                items.extend((0..*notes).map(|at| note(&format!("Note {at}."))));
                if *preloads {
                    let id = id();
                    items.push(by_loop(vec![call(&id, "search", "{}")]));
                    items.push(results(vec![found(&id, &["startExport"])]));
                }
            }
            Step::Calls { texts, searches, reads } => {
                requests.push(items.len());
                let mut parts: Vec<_> = (0..*texts).map(|_| text("I call.")).collect();
                let mut came = Vec::new();
                for loads in searches {
                    let id = id();
                    parts.push(call(&id, "search", "{}"));
                    let loaded: Vec<&str> = loads.iter().map(|&at| names[at]).collect();
                    came.push(found(&id, &loaded));
                }
                for at in 0..*reads {
                    let id = id();
                    parts.push(call(&id, "readTable", r#"{"table":"t"}"#));
                    came.push(match at % 3 {
                        0 => failed(&id, vec!["no".into()]),
                        _ => result(&id, vec!["yes".into()]),
                    });
                }
                items.push(reply(parts));
                items.push(results(came));
            }
            Step::Thinks => {
                requests.push(items.len());
                let raw = serde_json::json!({"model": "m", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "So."}]});
                items.push(replayed("anthropic", raw, vec![text("So.")]));
            }
            Step::Pauses => {
                requests.push(items.len());
                let raw = serde_json::json!({"content": [{"type": "server_tool_use", "id": "s", "name": "n", "input": {}}]});
                items.push(replayed("anthropic", raw, vec![]));
            }
        }
    }
    requests.push(items.len());
    (items, requests)
}

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
        // Thoughts and blocks of its own kinds are taken back only by the server that sent them.
        let steps: Vec<Step> =
            steps.into_iter().filter(|step| !matches!(step, Step::Thinks | Step::Pauses)).collect();
        let (items, requests) = conversation(&steps);
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
fn what_a_search_refers_to_counts_and_what_is_deferred_does_not() {
    let searched = |tools: &[&str]| {
        let items = vec![
            user("Hello."),
            reply(vec![call("c1", "search", "{}")]),
            results(vec![found("c1", tools)]),
        ];
        encoded_by(endpoint(ByReference), &Asked::new(items)).prompt.tokens()
    };
    // The definition of `stopExport`, 97 bytes, and a reference to it with its comma, 56 bytes.
    let definition = r#"{"name":"stopExport","description":"Stops an export.","input_schema":{"type":"object","properties":{}}}"#;
    let more = searched(&["startExport", "stopExport"]) - searched(&["startExport"]);
    let bytes = definition.len() as u64
        + r#",{"type":"tool_reference","tool_name":"stopExport"}"#.len() as u64;
    assert!(more.abs_diff(bytes / 4) <= 1, "{more} tokens for {bytes} bytes");
}
