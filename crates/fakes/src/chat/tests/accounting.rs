//! What the cache reads and writes, worked out by hand.

use oncue_agent::cache::{CacheUse, MissReason, PrefixCache, Tier};
use serde_json::{Value, json};

use super::{asked, tool};
use crate::{Chat, Piece, Scripted, Wire};

/// A message whose JSON is `bytes` long.
fn message(role: &str, bytes: usize) -> Value {
    let frame = json!({ "role": role, "content": "" }).to_string().len();
    json!({ "role": role, "content": "x".repeat(bytes - frame) })
}

fn request(model: &str, tools: &[Value], messages: &[Value]) -> Value {
    json!({ "model": model, "tools": tools, "messages": messages })
}

#[test]
fn blocks_are_tools_then_system_then_messages() {
    let tools = [tool("f"), tool("g")];
    let messages = [
        message("system", 100),
        message("developer", 101),
        message("user", 102),
        message("system", 104),
    ];
    let prompt = Chat::openai().prompt(&asked(request("m", &tools, &messages)));
    let seen: Vec<(Tier, u64)> =
        prompt.blocks.iter().map(|block| (block.tier, block.tokens)).collect();
    // {"type":"function","function":{"name":"f"}} has 43 bytes.
    assert_eq!(
        seen,
        [
            (Tier::Tools, 11),
            (Tier::Tools, 11),
            (Tier::System, 25),
            (Tier::System, 26),
            (Tier::Messages, 26),
            (Tier::Messages, 26),
        ]
    );
}

#[test]
fn choices_and_settings_are_no_part_of_the_prompt() {
    let plain = request("m", &[tool("f"), tool("g")], &[message("user", 100)]);
    let mut masked = plain.clone();
    masked["tool_choice"] = json!({ "type": "allowed_tools", "allowed_tools": { "mode": "required", "tools": [tool("f")] } });
    masked["temperature"] = json!(0.5);
    masked["stream"] = json!(true);
    let prompt = |body| Chat::openai().prompt(&asked(body));
    assert_eq!(prompt(plain), prompt(masked));
}

/// Sends requests through one cache and returns what each used.
fn sent(model: &str, requests: &[(&[Value], &[Value])]) -> Vec<CacheUse> {
    let server = Chat::openai();
    let first = asked(request(model, &[], &[]));
    let mut cache = PrefixCache::new(server.cache_rules(&first));
    let send = |(tools, messages): &(&[Value], &[Value])| {
        cache.send(&server.prompt(&asked(request(model, tools, messages))))
    };
    requests.iter().map(send).collect()
}

#[test]
fn prefixes_of_1024_tokens_are_kept() {
    let short = [message("system", 1_023 * 4)];
    let long = [message("system", 1_024 * 4)];
    let used = sent("gpt-5.6", &[(&[], &short), (&[], &short), (&[], &long), (&[], &long)]);
    let counts: Vec<_> = used.iter().map(|used| (used.read, used.written, used.uncached)).collect();
    assert_eq!(counts, [(0, 0, 1_023), (0, 0, 1_023), (0, 1_024, 0), (1_024, 0, 0)]);
}

#[test]
fn a_tool_that_joins_the_list_costs_the_conversation_anew() {
    let messages = [message("system", 8_000), message("user", 400)];
    let [one, two] = [[tool("f")].to_vec(), [tool("f"), tool("g")].to_vec()];
    let used = sent("gpt-5.6", &[(&one, &messages), (&two, &messages)]);
    // 11 tokens a tool, 2,000 of the system, 100 of the user.
    assert_eq!((used[0].read, used[0].written), (0, 2_111));
    assert_eq!((used[1].read, used[1].written), (0, 2_122));
    assert_eq!((used[1].miss, used[1].missed), (Some(MissReason::ToolsChanged), 2_111));
}

#[test]
fn what_was_cached_is_part_of_the_prompts_tokens() {
    let used = CacheUse { read: 2_000, written: 300, uncached: 50, miss: None, missed: 0 };
    let said = Scripted::Reply(vec![Piece::Text("12345678".to_owned())]);
    let usage = |model: &str| {
        let request = asked(request(model, &[], &[message("user", 100)]));
        Chat::openai().answer(&request, &said, &used, 1)["usage"].clone()
    };
    let details = json!({
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0,
    });
    assert_eq!(
        usage("gpt-5.6"),
        json!({
            "prompt_tokens": 2_350,
            "completion_tokens": 2,
            "total_tokens": 2_352,
            "prompt_tokens_details": { "cached_tokens": 2_000, "audio_tokens": 0, "cache_write_tokens": 300 },
            "completion_tokens_details": details,
        })
    );
    assert_eq!(
        usage("gpt-5.5")["prompt_tokens_details"],
        json!({ "cached_tokens": 2_000, "audio_tokens": 0 })
    );
}
