//! A longer conversation begins as the shorter one did, so that nothing that a cache keeps is lost.

use oncue_agent::Disclosure;
use oncue_agent::cache::{Breakpoints, CacheRules, MissReason, PrefixCache, Prompt};
use oncue_agent::conversation::Item;
use serde_json::json;

use super::{encoded, endpoint};
use crate::samples::{
    Asked, by_loop, call, found, note, replayed, reply, result, results, text, user,
};

/// A session with everything that may happen in one, and where its requests are made.
fn session() -> (Vec<Item>, Vec<usize>) {
    let raw = json!({"id": "r", "output": [
        {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gA"},
        {"id": "tsc_1", "type": "tool_search_call", "call_id": "c3", "execution": "client", "arguments": {}},
    ]});
    let items = vec![
        user("Read a."),
        by_loop(vec![call("p", "search", "{}")]),
        results(vec![found("p", &["startExport"])]),
        reply(vec![call("c1", "readTable", "{"), call("c2", "search", r#"{"query":"stop"}"#)]),
        results(vec![result("c1", vec!["no".into()]), found("c2", &["stopExport"])]),
        note("Go on."),
        replayed("responses", raw, vec![call("c3", "search", "{}")]),
        results(vec![result("c3", vec!["nothing".into()])]),
        reply(vec![text("d")]),
        user("And?"),
    ];
    (items, vec![1, 3, 5, 6, 8, 10])
}

#[test]
fn earlier_bytes_never_change_and_a_found_tool_costs_one_miss_or_none() {
    let rules = CacheRules {
        breakpoints: Breakpoints::Automatic,
        prefix_tokens_min: 0,
        write_price: 1.0,
        read_price: 0.1,
    };
    let (items, requests) = session();
    for (disclosure, expected) in [
        (Disclosure::Append, vec![MissReason::ToolsChanged]),
        (Disclosure::Mask, vec![]),
        (Disclosure::ClientSearch, vec![]),
    ] {
        let mut cache = PrefixCache::new(rules);
        let mut misses = Vec::new();
        let mut before: Option<(String, Prompt)> = None;
        for (at, &count) in requests.iter().enumerate() {
            let found = if at < 2 { Vec::new() } else { vec!["stopExport"] };
            let asked =
                Asked { found, search: Some("search"), ..Asked::new(items[..count].to_vec()) };
            let encoded = encoded(endpoint(disclosure), &asked).unwrap();
            misses.extend(cache.send(&encoded.prompt).miss);
            let body = String::from_utf8(encoded.body).unwrap();
            let (_, input) = body.split_once(r#""input":["#).unwrap();
            let input = input.split_once("],\"tool_choice\"").map_or(input, |(input, _)| input);
            let input = input.trim_end_matches(['}', ']']).to_owned();
            if let Some((known, prompt)) = &before {
                assert!(input.starts_with(known.as_str()), "{known}\n{input}");
                let grew = |from: &Prompt| encoded.prompt.blocks.starts_with(&from.blocks);
                assert!(grew(prompt) || disclosure == Disclosure::Append && at == 2);
            }
            before = Some((input, encoded.prompt));
        }
        assert_eq!(misses, expected, "{disclosure:?}");
    }
}
