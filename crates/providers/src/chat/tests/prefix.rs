//! A longer conversation begins as the shorter one did, so that nothing that a cache keeps is lost.

use oncue_agent::Disclosure;
use oncue_agent::cache::{Breakpoints, CacheRules, MissReason, PrefixCache};
use oncue_agent::conversation::Item;

use super::{encoded, endpoint};
use crate::samples::{
    Asked, by_loop, call, found, note, replayed, reply, result, results, text, user,
};

/// A session with everything that may happen in one, and where its requests are made.
fn session() -> (Vec<Item>, Vec<usize>) {
    let message =
        serde_json::json!({"role": "assistant", "content": "b", "reasoning_content": "c"});
    let items = vec![
        user("Read a."),
        by_loop(vec![call("p", "search", "{}")]),
        results(vec![found("p", &["startExport"])]),
        reply(vec![call("c1", "readTable", "{"), call("c2", "search", r#"{"query":"stop"}"#)]),
        results(vec![result("c1", vec!["no".into()]), found("c2", &["stopExport"])]),
        note("Go on."),
        replayed("chat", message, vec![text("b")]),
        user("And?"),
        reply(vec![text("d")]),
    ];
    (items, vec![3, 6, 8, 9])
}

#[test]
fn earlier_bytes_never_change() {
    let (items, requests) = session();
    for disclosure in [Disclosure::Append, Disclosure::Mask] {
        let mut before: Option<(String, oncue_agent::cache::Prompt)> = None;
        for &count in &requests {
            let asked = Asked::new(items[..count].to_vec());
            let encoded = encoded(endpoint(disclosure), &asked).unwrap();
            let body = String::from_utf8(encoded.body).unwrap();
            let (_, messages) = body.split_once(r#""messages":["#).unwrap();
            let messages = messages.split_once("],\"tool_choice\"").map_or(messages, |(m, _)| m);
            let messages = messages.trim_end_matches(['}', ']']).to_owned();
            if let Some((known, prompt)) = &before {
                assert!(messages.starts_with(known.as_str()), "{known}\n{messages}");
                assert!(encoded.prompt.blocks.starts_with(&prompt.blocks));
            }
            before = Some((messages, encoded.prompt));
        }
    }
}

#[test]
fn a_found_tool_costs_one_miss_or_none() {
    let rules = CacheRules {
        breakpoints: Breakpoints::Automatic,
        prefix_tokens_min: 0,
        write_price: 1.0,
        read_price: 0.1,
    };
    let (items, requests) = session();
    for (disclosure, expected) in
        [(Disclosure::Append, vec![MissReason::ToolsChanged]), (Disclosure::Mask, vec![])]
    {
        let mut cache = PrefixCache::new(rules);
        let mut misses = Vec::new();
        for (at, &count) in requests.iter().enumerate() {
            let found = if at == 0 { Vec::new() } else { vec!["stopExport"] };
            let asked = Asked { found, ..Asked::new(items[..count].to_vec()) };
            let prompt = encoded(endpoint(disclosure), &asked).unwrap().prompt;
            misses.extend(cache.send(&prompt).miss);
        }
        assert_eq!(misses, expected, "{disclosure:?}");
    }
}
