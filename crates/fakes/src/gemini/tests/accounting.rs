//! What the cache reads and writes, worked out by hand.

use oncue_agent::cache::{CacheUse, MissReason, PrefixCache, Tier};
use serde_json::{Value, json};

use super::{asked, user};
use crate::{Gemini, Piece, Scripted, Wire};

fn request(names: &[&str], contents: &[Value]) -> Value {
    let declared: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let system = json!({ "parts": [{ "text": "x".repeat(8_000) }] });
    json!({ "tools": [{ "functionDeclarations": declared }], "systemInstruction": system, "contents": contents })
}

#[test]
fn blocks_are_functions_then_instruction_then_contents() {
    let mut body = request(&["f", "g"], &[user("hello"), user("hello!")]);
    body["tools"].as_array_mut().unwrap().push(json!({ "googleSearch": {} }));
    let prompt = Gemini::new().prompt(&asked(body.clone()));
    assert_eq!(prompt.model, "gemini-2.5-flash");
    let seen: Vec<(Tier, u64)> =
        prompt.blocks.iter().map(|block| (block.tier, block.tokens)).collect();
    assert_eq!(
        seen,
        [
            // {"name":"f"} has 12 bytes, {"googleSearch":{}} has 19.
            (Tier::Tools, 3),
            (Tier::Tools, 3),
            (Tier::Tools, 5),
            // {"parts":[{"text":""}]} has 23 bytes.
            (Tier::System, 2_006),
            // {"role":"user","parts":[{"text":"hello"}]} has 42 bytes.
            (Tier::Messages, 11),
            (Tier::Messages, 11),
        ]
    );
    let mut chosen = body.clone();
    chosen["toolConfig"] =
        json!({ "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["f"] } });
    assert_eq!(Gemini::new().prompt(&asked(chosen)), prompt);
}

#[test]
fn a_function_that_joins_costs_all_behind_it_anew() {
    let server = Gemini::new();
    let mut cache = PrefixCache::new(server.cache_rules(&asked(json!({}))));
    let mut send = |body: Value| cache.send(&server.prompt(&asked(body)));
    let contents = [user("hello")];
    let first = send(request(&["f"], &contents));
    // 3 of the function, 2,006 of the instruction, 11 of the user.
    assert_eq!((first.read, first.written, first.uncached), (0, 2_020, 0));
    let again = send(request(&["f"], &[user("hello"), user("hello")]));
    assert_eq!((again.read, again.written), (2_020, 11));
    let grown = send(request(&["f", "g"], &contents));
    assert_eq!((grown.read, grown.miss), (0, Some(MissReason::ToolsChanged)));
}

#[test]
fn what_was_cached_is_part_of_the_prompts_tokens() {
    let used = CacheUse { read: 2_000, written: 300, uncached: 50, miss: None, missed: 0 };
    let said = Scripted::Reply(vec![Piece::Text("12345678".to_owned())]);
    let usage = |used: &CacheUse| {
        let request = asked(request(&["f"], &[user("x")]));
        Gemini::new().answer(&request, &said, used, 1)["usageMetadata"].clone()
    };
    assert_eq!(
        usage(&used),
        json!({
            "promptTokenCount": 2_350,
            "candidatesTokenCount": 2,
            "totalTokenCount": 2_352,
            "promptTokensDetails": [{ "modality": "TEXT", "tokenCount": 2_350 }],
            "cachedContentTokenCount": 2_000,
            "cacheTokensDetails": [{ "modality": "TEXT", "tokenCount": 2_000 }],
        })
    );
    assert_eq!(usage(&CacheUse::default()).get("cachedContentTokenCount"), None);
}
