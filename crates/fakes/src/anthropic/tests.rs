#![expect(
    clippy::needless_pass_by_value,
    reason = "requests are written where they are sent, and read better without borrows"
)]

use oncue_agent::cache::{CacheUse, MissReason, PrefixCache};
use serde_json::{Value, json};

use super::Anthropic;
use super::sent::signature;
use crate::{Asked, Failure, Fake, Piece, Scripted, Wire};

const MODEL: &str = "claude-opus-5";

fn asked(body: Value) -> Asked {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = vec![
        header("x-api-key", "k"),
        header("anthropic-version", "2023-06-01"),
        header("anthropic-beta", "inline-tools-2026-09-15"),
        header("content-type", "application/json"),
    ];
    Asked { path: "/v1/messages".to_owned(), headers, body, ..Asked::default() }
}

/// A tool whose JSON is exactly this long.
fn tool(name: &str, bytes: usize) -> Value {
    let mut tool = json!({"name": name, "description": "", "input_schema": {"type": "object"}});
    let rest = bytes - tool.to_string().len();
    tool["description"] = json!("d".repeat(rest));
    tool
}

fn deferred(name: &str, bytes: usize) -> Value {
    let mut tool = json!({"name": name, "description": "", "input_schema": {"type": "object"}, "defer_loading": true});
    let rest = bytes - tool.to_string().len();
    tool["description"] = json!("d".repeat(rest));
    tool
}

/// A text block whose JSON is exactly this long.
fn text(letter: &str, bytes: usize) -> Value {
    let text = letter.repeat(bytes - r#"{"type":"text","text":""}"#.len());
    json!({"type": "text", "text": text})
}

fn marked(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

/// The shortest prefix that this model keeps is 512 tokens, 2,048 bytes.
struct Session {
    cache: PrefixCache,
}

impl Session {
    fn new() -> Self {
        let rules = Anthropic::default().cache_rules(&asked(json!({"model": MODEL})));
        Self { cache: PrefixCache::new(rules) }
    }

    fn send(&mut self, tools: &[Value], messages: &[Value], more: Value) -> CacheUse {
        let mut body = json!({
            "model": MODEL,
            "max_tokens": 10,
            "tools": tools,
            "system": [marked(text("s", 1_200))],
            "messages": messages,
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let asked = asked(body);
        let wire = Anthropic::default();
        wire.check(&asked).unwrap();
        self.cache.send(&wire.prompt(&asked))
    }
}

fn counts(used: CacheUse) -> (u64, u64, u64) {
    (used.read, used.written, used.uncached)
}

fn user(blocks: Value) -> Value {
    json!({"role": "user", "content": blocks})
}

/// `{"type":"tool_use","id":"t1","name":"s","input":{}}`, 50 bytes, 13 tokens.
fn call() -> Value {
    json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "t1", "name": "s", "input": {}},
    ]})
}

/// `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"tool_reference","tool_name":"a"}]}`, 95 bytes, 24 tokens.
fn found() -> Value {
    json!({"type": "tool_result", "tool_use_id": "t1", "content": [
        {"type": "tool_reference", "tool_name": "a"},
    ]})
}

#[test]
fn a_tool_that_a_result_refers_to_leaves_the_prefix_alone() {
    let mut session = Session::new();
    let tools = [marked(tool("s", 1_600)), deferred("a", 800)];
    let hi = user(json!([marked(text("u", 100))]));
    // 400 tokens of tools, 300 of system, 25 of talk; the deferred tool costs nothing.
    let first = session.send(&tools, &[hi], json!({}));
    assert_eq!(counts(first), (0, 725, 0));
    let hi = user(json!([text("u", 100)]));
    let second =
        session.send(&tools, &[hi.clone(), call(), user(json!([marked(found())]))], json!({}));
    // The call is 13, the result 24, and the tool that it shows 200.
    assert_eq!(counts(second), (725, 237, 0));
    assert_eq!(second.miss, None);
    // What was shown once is not paid for again.
    let again = [
        hi,
        call(),
        user(json!([found()])),
        json!({"role": "assistant", "content": [text("a", 100)]}),
        user(json!([marked(text("v", 100))])),
    ];
    assert_eq!(counts(session.send(&tools, &again, json!({}))), (962, 50, 0));
}

#[test]
fn a_tool_that_joins_the_list_costs_the_whole_prefix() {
    let mut session = Session::new();
    let hi = || user(json!([marked(text("u", 100))]));
    session.send(&[marked(tool("s", 1_600))], &[hi()], json!({}));
    let grown = [tool("s", 1_600), marked(tool("a", 800))];
    let second = session.send(&grown, &[hi()], json!({}));
    assert_eq!(counts(second), (0, 925, 0));
    assert_eq!((second.miss, second.missed), (Some(MissReason::ToolsChanged), 725));
}

#[test]
fn a_tool_that_a_message_defines_leaves_the_prefix_alone_where_there_is_another() {
    let hi = || user(json!([marked(text("u", 3_000))]));
    let definition = tool("a", 800);
    let addition = json!({"type": "tool_addition", "tool": {"type": "tool_definition", "definition": definition}});
    let system = || json!({"role": "system", "content": [addition]});
    let block = addition.to_string().len().div_ceil(4) as u64;

    let mut session = Session::new();
    let tools = [tool("s", 1_600)];
    assert_eq!(counts(session.send(&tools, &[hi()], json!({}))), (0, 1_450, 0));
    assert_eq!(counts(session.send(&tools, &[hi(), system()], json!({}))), (1_450, 0, block));

    let mut session = Session::new();
    assert_eq!(counts(session.send(&[], &[hi()], json!({}))), (0, 1_050, 0));
    let second = session.send(&[], &[hi(), system()], json!({}));
    assert_eq!(counts(second), (0, 1_050, block));
    assert_eq!(second.miss, Some(MissReason::ToolsChanged));
}

#[test]
fn marked_tools_are_read_under_another_system_prompt() {
    let mut session = Session::new();
    let hi = || user(json!([text("u", 100)]));
    let tools = [tool("r", 400), marked(tool("s", 2_000))];
    let system = |letter: &str| json!({"system": [text(letter, 400)]});
    assert_eq!(counts(session.send(&tools, &[hi()], system("s"))), (0, 600, 125));
    let other = session.send(&tools, &[hi()], system("t"));
    assert_eq!(counts(other), (600, 0, 125));
}

#[test]
fn settings_cost_the_conversation_and_nothing_before_it() {
    let mut session = Session::new();
    let tools = [tool("s", 1_600)];
    let hi = || user(json!([marked(text("u", 100))]));
    session.send(&tools, &[hi()], json!({}));
    let forced = session.send(&tools, &[hi()], json!({"tool_choice": {"type": "any"}}));
    assert_eq!(counts(forced), (700, 25, 0));
    assert_eq!((forced.miss, forced.missed), (Some(MissReason::MessagesChanged), 25));
}

#[test]
fn without_marks_nothing_is_kept_and_one_field_marks_the_end() {
    let mut session = Session::new();
    let body = |more: Value| {
        let mut body =
            json!({"model": MODEL, "max_tokens": 1, "messages": [user(json!("u".repeat(4_000)))]});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        asked(body)
    };
    let wire = Anthropic::default();
    let mut send = |more: Value| counts(session.cache.send(&wire.prompt(&body(more))));
    // 4,000 letters in a block of 25 more bytes: 4,025 bytes, 1,007 tokens.
    assert_eq!(send(json!({})), (0, 0, 1_007));
    assert_eq!(send(json!({"cache_control": {"type": "ephemeral"}})), (0, 1_007, 0));
    assert_eq!(send(json!({"cache_control": {"type": "ephemeral"}})), (1_007, 0, 0));
    // A text is the same as one block of it.
    let block = json!([{"type": "text", "text": "u".repeat(4_000)}]);
    let as_block = json!({"cache_control": {"type": "ephemeral"}, "messages": [user(block)]});
    assert_eq!(send(as_block), (1_007, 0, 0));
}

/// Puts a stream together as a client would, from nothing but its events.
fn reassembled(events: &[Value]) -> Value {
    let mut message = Value::Null;
    let mut inputs: Vec<String> = Vec::new();
    let append = |field: &mut Value, more: &Value| {
        *field = json!(format!("{}{}", field.as_str().unwrap(), more.as_str().unwrap()));
    };
    for event in events {
        match event["type"].as_str().unwrap() {
            "message_start" => message = event["message"].clone(),
            "content_block_start" => {
                assert_eq!(event["index"], json!(inputs.len()));
                message["content"].as_array_mut().unwrap().push(event["content_block"].clone());
                inputs.push(String::new());
            }
            "content_block_delta" => {
                let index = event["index"].as_u64().unwrap() as usize;
                let (block, delta) = (&mut message["content"][index], &event["delta"]);
                match delta["type"].as_str().unwrap() {
                    "text_delta" => append(&mut block["text"], &delta["text"]),
                    "thinking_delta" => append(&mut block["thinking"], &delta["thinking"]),
                    "signature_delta" => append(&mut block["signature"], &delta["signature"]),
                    "input_json_delta" => {
                        inputs[index].push_str(delta["partial_json"].as_str().unwrap());
                    }
                    other => panic!("{other}"),
                }
            }
            "content_block_stop" => {
                let index = event["index"].as_u64().unwrap() as usize;
                if !inputs[index].is_empty() {
                    message["content"][index]["input"] =
                        serde_json::from_str(&inputs[index]).unwrap();
                }
            }
            "message_delta" => {
                for part in ["delta", "usage"] {
                    for (name, value) in event[part].as_object().unwrap() {
                        match part {
                            "usage" => message["usage"][name] = value.clone(),
                            _ => message[name] = value.clone(),
                        }
                    }
                }
            }
            "ping" | "message_stop" => {}
            other => panic!("{other}"),
        }
    }
    message
}

fn frames(frames: &[Vec<u8>]) -> Vec<Value> {
    let frame = |frame: &Vec<u8>| -> Value {
        let text = std::str::from_utf8(frame).unwrap();
        let (name, data) = text.strip_suffix("\n\n").unwrap().split_once('\n').unwrap();
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(name, format!("event: {}", data["type"].as_str().unwrap()));
        data
    };
    frames.iter().map(frame).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

fn plain_request() -> Asked {
    asked(json!({"model": MODEL, "max_tokens": 10, "messages": [user(json!("Hi"))]}))
}

const USED: CacheUse = CacheUse { read: 7, written: 5, uncached: 3, miss: None, missed: 0 };

#[test]
fn a_stream_put_together_is_the_plain_answer() {
    let wire = Anthropic::default();
    let pieces = vec![
        Piece::Reasoning("I should look for a tool.".to_owned()),
        Piece::Text("Ich suche… 검색합니다.".to_owned()),
        Piece::Call { name: "a".to_owned(), arguments: json!({"q": "x \"y\"", "n": [1, 2, {}]}) },
        Piece::Call { name: "b".to_owned(), arguments: json!({}) },
        Piece::Opaque(json!({"type": "beam", "energy": 9})),
        Piece::Text(String::new()),
    ];
    for scripted in [
        Scripted::Reply(pieces),
        Scripted::text("one"),
        Scripted::Reply(Vec::new()),
        Scripted::Refusal("I would rather not.".to_owned()),
        Scripted::CutOff(vec![Piece::Text("half of this".to_owned())]),
    ] {
        let answer = wire.answer(&plain_request(), &scripted, &USED, 4);
        let events = frames(&wire.stream(&plain_request(), &scripted, &USED, 4));
        assert_eq!(reassembled(&events), answer, "{scripted:?}");
    }
}

#[test]
fn a_message_says_why_it_ended_and_what_it_cost() {
    let wire = Anthropic::default();
    let answer = |scripted| wire.answer(&plain_request(), &scripted, &USED, 4);
    let done = answer(Scripted::text("one"));
    assert_eq!(done["stop_reason"], json!("end_turn"));
    assert_eq!(done["content"], json!([{"type": "text", "text": "one"}]));
    let usage = &done["usage"];
    let counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    assert_eq!(counts.map(|name| usage[name].as_u64().unwrap()), [3, 5, 7]);
    // `{"type":"text","text":"one"}` has 28 bytes.
    assert_eq!(usage["output_tokens"], json!(7));
    assert_eq!(usage["output_tokens_details"]["thinking_tokens"], json!(0));
    let thought = answer(Scripted::Reply(vec![
        Piece::Reasoning("why".to_owned()),
        Piece::Text("one".to_owned()),
        Piece::Call { name: "a".to_owned(), arguments: json!({}) },
    ]));
    assert_eq!(thought["stop_reason"], json!("tool_use"));
    let thoughts = thought["content"][0].to_string().len().div_ceil(4);
    let counted = &thought["usage"]["output_tokens_details"]["thinking_tokens"];
    assert_eq!(counted, &json!(thoughts));
    let called = answer(Scripted::call("a", json!({"q": 1})));
    assert_eq!(called["stop_reason"], json!("tool_use"));
    assert_eq!(called["content"][0]["id"], json!("toolu_000000000004_0"));
    assert_eq!(called["content"][0]["input"], json!({"q": 1}));
    let refused = answer(Scripted::Refusal("no".to_owned()));
    assert_eq!((&refused["stop_reason"], &refused["content"]), (&json!("refusal"), &json!([])));
    assert_eq!(refused["stop_details"]["explanation"], json!("no"));
}

#[test]
fn a_reply_that_is_cut_off_leaves_its_last_block_open() {
    let wire = Anthropic::default();
    let call = Piece::Call { name: "a".to_owned(), arguments: json!({"query": "rows"}) };
    let scripted = Scripted::CutOff(vec![Piece::Text("I search.".to_owned()), call]);
    let events = frames(&wire.stream(&plain_request(), &scripted, &USED, 4));
    let stops = events.iter().filter(|event| event["type"] == "content_block_stop");
    assert_eq!(stops.map(|event| event["index"].clone()).collect::<Vec<_>>(), [json!(0)]);
    let input: String =
        events.iter().filter_map(|event| event["delta"]["partial_json"].as_str()).collect();
    // Half of the 16 characters of `{"query":"rows"}`.
    assert_eq!(input, r#"{"query""#);
    let ending = events.iter().find(|event| event["type"] == "message_delta").unwrap();
    assert_eq!(ending["delta"]["stop_reason"], json!("max_tokens"));
    assert_eq!(kinds(&events).last(), Some(&"message_stop"));
    let plain = wire.answer(&plain_request(), &scripted, &USED, 4);
    assert_eq!(plain["stop_reason"], json!("max_tokens"));
    assert_eq!(plain["content"][1]["input"], json!({}));
}

#[test]
fn arguments_that_are_no_json_are_streamed_as_they_are() {
    let wire = Anthropic::default();
    let raw = |text: &str| {
        Scripted::Reply(vec![Piece::RawCall { name: "a".to_owned(), arguments: text.to_owned() }])
    };
    let streamed = |text: &str| -> String {
        let events = frames(&wire.stream(&plain_request(), &raw(text), &USED, 4));
        events.iter().filter_map(|event| event["delta"]["partial_json"].as_str()).collect()
    };
    for text in ["{\"q\": ", "", "[1]", "{\"q\":  1}"] {
        assert_eq!(streamed(text), text);
    }
    let input = |text: &str| {
        wire.answer(&plain_request(), &raw(text), &USED, 4)["content"][0]["input"].clone()
    };
    assert_eq!(input("{\"q\":  1}"), json!({"q": 1}));
    assert_eq!(input("{\"q\": "), json!({}));
}

#[test]
fn a_stream_that_fails_ends_in_an_error() {
    let wire = Anthropic::default();
    let failure = Scripted::Error(Failure { mid_stream: true, ..Failure::of(529) });
    let events = frames(&wire.stream(&plain_request(), &failure, &USED, 4));
    assert_eq!(kinds(&events)[..2], ["message_start", "content_block_start"]);
    let error = &events.last().unwrap()["error"];
    assert_eq!(error["type"], json!("overloaded_error"));
    assert!(!kinds(&events).contains(&"message_stop"));
}

#[test]
fn the_events_come_in_the_vendors_order() {
    let wire = Anthropic::default();
    let scripted = Scripted::Reply(vec![
        Piece::Reasoning("why".to_owned()),
        Piece::Call { name: "a".to_owned(), arguments: json!({}) },
    ]);
    let events = frames(&wire.stream(&plain_request(), &scripted, &USED, 4));
    assert_eq!(
        kinds(&events),
        [
            "message_start", "content_block_start", "ping", "content_block_delta",
            "content_block_delta", "content_block_stop", "content_block_start",
            "content_block_delta", "content_block_stop", "message_delta", "message_stop",
        ]
    );
    let one = frames(&wire.stream(&plain_request(), &Scripted::text("x"), &USED, 4));
    assert_eq!(kinds(&one)[1..4], ["content_block_start", "ping", "content_block_delta"]);
    assert_eq!(events[0]["message"]["content"], json!([]));
    assert_eq!(events[0]["message"]["stop_reason"], Value::Null);
    assert_eq!(
        events[4]["delta"],
        json!({"type": "signature_delta", "signature": signature("why")})
    );
    assert_eq!(events[6]["content_block"]["input"], json!({}));
    assert_eq!(events[7]["delta"], json!({"type": "input_json_delta", "partial_json": ""}));
}

#[test]
fn the_vendors_own_search_is_answered_at_once() {
    let wire = Anthropic::default();
    let search = json!({"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"});
    let body = json!({
        "model": MODEL, "max_tokens": 10, "messages": [user(json!("Hi"))],
        "tools": [search, deferred("export_rows", 200), deferred("other", 200)],
    });
    let call = Scripted::call("tool_search_tool_bm25", json!({"query": "Export"}));
    let answer = wire.answer(&asked(body), &call, &USED, 4);
    assert_eq!(answer["stop_reason"], json!("end_turn"));
    assert_eq!(answer["content"][0]["type"], json!("server_tool_use"));
    assert_eq!(
        answer["content"][1]["content"]["tool_references"],
        json!([{"type": "tool_reference", "tool_name": "export_rows"}])
    );
}

#[test]
fn the_reason_of_a_miss_is_told_to_whoever_names_the_message_before() {
    let wire = Anthropic::default();
    let told = |before: Value, miss: Option<MissReason>| {
        let body = json!({
            "model": MODEL, "max_tokens": 10, "messages": [user(json!("Hi"))],
            "diagnostics": {"previous_message_id": before},
        });
        let used = CacheUse { miss, missed: 9, ..USED };
        let answer = wire.answer(&asked(body), &Scripted::text("x"), &used, 4);
        answer["diagnostics"].clone()
    };
    let reason = |reason: Value| json!({ "cache_miss_reason": reason });
    let tools = Some(MissReason::ToolsChanged);
    assert_eq!(told(Value::Null, tools), Value::Null);
    assert_eq!(told(json!("msg_000000000003"), None), Value::Null);
    assert_eq!(
        told(json!("msg_000000000003"), tools),
        reason(json!({"type": "tools_changed", "cache_missed_input_tokens": 9}))
    );
    let unknown = reason(json!({"type": "previous_message_not_found"}));
    assert_eq!(told(json!("msg_000000000004"), tools), unknown);
    assert_eq!(told(json!("msg_x"), tools), unknown);
    assert_eq!(told(json!("msg_000000000000"), tools), unknown);
}

#[test]
fn an_error_has_the_vendors_form() {
    let wire = Anthropic::default();
    let failed = |status: u16| wire.error(&wire.failure(&Failure::of(status)), 7);
    for (status, kind) in [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (504, "timeout_error"),
        (529, "overloaded_error"),
    ] {
        let body = failed(status);
        assert_eq!((&body["type"], &body["error"]["type"]), (&json!("error"), &json!(kind)));
        assert_eq!(body["request_id"], json!("req_000000000007"));
    }
}

async fn ask(fake: &Fake, body: &Value) -> Value {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client.post(format!("{}/v1/messages", fake.url())).body(body.to_string());
    for (name, value) in asked(Value::Null).headers {
        request = request.header(name, value);
    }
    let text = request.send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Goes on from an answer as an agent does: the answer, then a result for its call.
fn go_on(body: &mut Value, answer: &Value, result: Value) {
    let id = answer["content"][0]["id"].clone();
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": answer["content"]}));
    messages.push(user(json!([{"type": "tool_result", "tool_use_id": id, "content": result}])));
}

#[tokio::test]
async fn the_demonstration_works_by_reference_and_by_value() {
    for is_by_value in [false, true] {
        let fake = Fake::start(crate::wires()).unwrap().with_search_demo();
        let mut body = json!({
            "model": MODEL, "max_tokens": 10, "messages": [user(json!("export my rows"))],
            "tools": [tool("tool_search", 200)],
        });
        if !is_by_value {
            body["tools"].as_array_mut().unwrap().push(deferred("export", 200));
        }
        let first = ask(&fake, &body).await;
        assert_eq!(first["content"][0]["input"], json!({"query": "export my rows"}));
        if is_by_value {
            go_on(&mut body, &first, json!("loaded"));
            let definition = json!({"type": "tool_definition", "definition": tool("export", 200)});
            let addition = json!({"type": "tool_addition", "tool": definition});
            let system = json!({"role": "system", "content": [addition]});
            body["messages"].as_array_mut().unwrap().push(system);
        } else {
            go_on(&mut body, &first, json!([{"type": "tool_reference", "tool_name": "export"}]));
        }
        let second = ask(&fake, &body).await;
        assert_eq!(second["content"][0]["name"], json!("export"), "{second}");
        go_on(&mut body, &second, json!("3 rows"));
        let third = ask(&fake, &body).await;
        assert_eq!(third["content"][0]["text"], json!("export answered: 3 rows"));
        assert!(fake.requests().iter().all(|seen| seen.refusal.is_none()));
    }
}

#[tokio::test]
async fn a_block_that_no_rule_knows_comes_back_only_as_it_was() {
    let fake = Fake::start(crate::wires()).unwrap();
    fake.push(Scripted::Reply(vec![
        Piece::Opaque(json!({"type": "beam", "n": 1})),
        Piece::Text("x".to_owned()),
    ]));
    fake.push(Scripted::text("y"));
    let mut body = json!({"model": MODEL, "max_tokens": 10, "messages": [user(json!("Hi"))]});
    let first = ask(&fake, &body).await;
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": first["content"]}));
    messages.push(user(json!("go on")));
    let mut changed = body.clone();
    changed["messages"][1]["content"][0]["n"] = json!(2);
    assert_eq!(ask(&fake, &changed).await["type"], json!("error"));
    assert_eq!(ask(&fake, &body).await["content"][0]["text"], json!("y"));
}
