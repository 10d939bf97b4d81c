//! What the cache reads and writes, worked out by hand.

use oncue_agent::cache::{CacheUse, MissReason, PrefixCache, Tier};
use serde_json::{Value, json};

use super::{asked, function, search};
use crate::{Piece, Responses, Scripted, Wire};

/// A message whose JSON is `bytes` long.
fn message(role: &str, bytes: usize) -> Value {
    let frame = json!({ "role": role, "content": "" }).to_string().len();
    json!({ "role": role, "content": "x".repeat(bytes - frame) })
}

fn request(tools: &[Value], input: &[Value]) -> Value {
    json!({ "model": "gpt-5.6", "instructions": "x".repeat(198), "tools": tools, "input": input })
}

fn blocks(body: Value) -> Vec<(Tier, u64)> {
    let prompt = Responses::openai().prompt(&asked(body));
    prompt.blocks.iter().map(|block| (block.tier, block.tokens)).collect()
}

#[test]
fn blocks_are_tools_then_instructions_then_items() {
    // {"type":"function","name":"f"} has 30 bytes.
    let input = [message("developer", 100), message("user", 101), message("system", 104)];
    assert_eq!(
        blocks(request(&[function("f")], &input)),
        [
            (Tier::Tools, 8),
            (Tier::System, 50),
            (Tier::System, 25),
            (Tier::Messages, 26),
            (Tier::Messages, 26),
        ]
    );
    // Six bytes of text and two quotes.
    assert_eq!(blocks(json!({ "model": "m", "input": "hello!" })), [(Tier::Messages, 2)]);
}

#[test]
fn of_a_deferred_function_the_prompt_has_name_and_description() {
    let parameters =
        json!({ "type": "object", "properties": { "a": { "description": "x".repeat(4_000) } } });
    let tool = |deferred: bool| json!({ "type": "function", "name": "f", "description": "d", "parameters": parameters, "defer_loading": deferred });
    let tokens =
        |tools: &[Value]| blocks(json!({ "model": "m", "tools": tools, "input": [] }))[0].1;
    assert!(tokens(&[tool(false)]) > 1_000);
    // {"type":"function","name":"f","description":"d"} has 48 bytes.
    assert_eq!(tokens(&[tool(true)]), 12);
    let space = |tools: &[Value]| json!({ "type": "namespace", "name": "n", "description": "d", "tools": tools });
    // {"type":"namespace","name":"n","description":"d","tools":[]} has 60 bytes.
    assert_eq!(tokens(&[space(&[tool(true)])]), 15);
    assert!(tokens(&[space(&[tool(true), tool(false)])]) > 1_000);
}

/// Sends requests through one cache and returns what each used.
fn sent(requests: &[Value]) -> Vec<CacheUse> {
    let server = Responses::openai();
    let mut cache = PrefixCache::new(server.cache_rules(&asked(requests[0].clone())));
    requests.iter().map(|body| cache.send(&server.prompt(&asked(body.clone())))).collect()
}

#[test]
fn what_a_search_loads_joins_the_conversation_and_breaks_no_cache() {
    let tools = [search(), function("f")];
    let mut input = vec![message("user", 8_000)];
    let before = request(&tools, &input);
    let loaded = json!({ "type": "tool_search_output", "call_id": "s", "execution": "client", "tools": [function("found")] });
    input.push(json!({ "type": "tool_search_call", "call_id": "s", "execution": "client", "arguments": {} }));
    input.push(loaded);
    let after = request(&tools, &input);
    let used = sent(&[before, after]);
    assert_eq!(used[1].read, used[0].written);
    assert_eq!((used[1].miss, used[1].uncached), (None, 0));
}

#[test]
fn a_tool_in_the_list_breaks_it_and_a_mask_does_not() {
    let input = [message("user", 8_000)];
    let before = request(&[function("f")], &input);
    let grown = request(&[function("f"), function("g")], &input);
    let mut masked = before.clone();
    masked["tool_choice"] =
        json!({ "type": "allowed_tools", "mode": "required", "tools": [function("f")] });
    let used = sent(&[before.clone(), grown]);
    // 8 tokens of the tool are fewer than a kept prefix has.
    assert_eq!((used[1].read, used[1].miss), (0, Some(MissReason::ToolsChanged)));
    // 8 of the tool, 50 of the instructions, 2,000 of the message.
    assert_eq!((used[0].written, used[1].missed), (2_058, 2_058));
    let used = sent(&[before, masked]);
    assert_eq!((used[1].read, used[1].miss), (2_058, None));
}

#[test]
fn what_was_cached_is_part_of_the_inputs_tokens() {
    let used = CacheUse { read: 2_000, written: 300, uncached: 50, miss: None, missed: 0 };
    let said = Scripted::Reply(vec![
        Piece::Reasoning("1234".to_owned()),
        Piece::Text("12345678".to_owned()),
    ]);
    let usage = |model: &str| {
        let request = asked(json!({ "model": model, "input": "x" }));
        Responses::openai().answer(&request, &said, &used, 1)["usage"].clone()
    };
    assert_eq!(
        usage("gpt-5.6"),
        json!({
            "input_tokens": 2_350,
            "input_tokens_details": { "cached_tokens": 2_000, "cache_write_tokens": 300 },
            "output_tokens": 3,
            "output_tokens_details": { "reasoning_tokens": 1 },
            "total_tokens": 2_353,
        })
    );
    assert_eq!(usage("gpt-5.5")["input_tokens_details"]["cache_write_tokens"], 0);
}
