//! What Converse is asked, and its whole answers.

use oncue_agent::cache::{Breakpoints, CacheRules};
use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Choice, Disclosure, Encode, Finish, ModelError, Reply, Usage};
use oncue_tools::Content;
use serde_json::{Value, json};

use super::super::converse::Converse;
use super::{CLAUDE, endpoint};
use crate::Names;
use crate::samples::{
    Asked, among, by_loop, call, failed, found, note, replayed, reply, result, results, text, user,
};
use crate::wire::Wire;

const MARKS: CacheRules = CacheRules {
    breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
    prefix_tokens_min: 1_024,
    write_price: 1.25,
    read_price: 0.1,
};

fn body(model: &str, asked: &Asked<'_>) -> String {
    let wire = Converse::new(endpoint(model).with_cache_rules(MARKS));
    String::from_utf8(asked.with(|request| wire.encode(request).unwrap().body)).unwrap()
}

/// Returns the `messages` of a request to a model without marks.
fn messages(model: &str, asked: &Asked<'_>) -> Value {
    let wire = Converse::new(endpoint(model));
    let body = asked.with(|request| wire.encode(request).unwrap().body);
    serde_json::from_slice::<Value>(&body).unwrap()["messages"].clone()
}

#[test]
fn found_tools_stand_behind_the_mark_of_the_others() {
    let asked = Asked {
        found: vec!["startExport"],
        output_tokens_max: Some(50),
        temperature: Some(0.7),
        choice: among(&["startExport"]),
        ..Asked::new(vec![
            user("Export."),
            by_loop(vec![call("l1", "search", "{}")]),
            results(vec![found("l1", &["startExport"])]),
            reply(vec![text("I look."), call("c1", "search", r#"{"query": "export"}"#)]),
            results(vec![found("c1", &["startExport"])]),
            note("Go on."),
        ])
    };
    let expected = [
        r#"{"inferenceConfig":{"maxTokens":50,"temperature":0.7},"toolConfig":{"tools":["#,
        r#"{"toolSpec":{"name":"search","description":"Finds tools.","inputSchema":{"json":{"type":"object","properties":{"query":{"type":"string"}}}}}},"#,
        r#"{"toolSpec":{"name":"readTable","description":"Reads a table.","inputSchema":{"json":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}}},"#,
        r#"{"cachePoint":{"type":"default"}},"#,
        r#"{"toolSpec":{"name":"startExport","description":"Starts an export.","inputSchema":{"json":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}}}"#,
        r#"],"toolChoice":{"tool":{"name":"startExport"}}},"#,
        r#""system":[{"text":"Be brief."},{"cachePoint":{"type":"default"}}],"messages":["#,
        r#"{"role":"user","content":[{"text":"Export."},{"cachePoint":{"type":"default"}}]},"#,
        r#"{"role":"assistant","content":[{"text":"I look."},{"toolUse":{"toolUseId":"c1","name":"search","input":{"query": "export"}}}]},"#,
        r#"{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"{\"functions\":\"startExport\"}"}],"status":"success"}},{"text":"Go on."},{"cachePoint":{"type":"default"}}]}"#,
        "]}",
    ];
    assert_eq!(body(CLAUDE, &asked), expected.concat());
}

#[test]
fn what_a_model_does_not_know_is_not_sent() {
    let asked = Asked { tools: vec![], system: "", ..Asked::new(vec![user("Hi.")]) };
    let wire = Converse::new(
        endpoint("amazon.nova-pro-v1:0").with_extra("requestMetadata", json!({"a": "b"})),
    );
    let body = asked.with(|request| wire.encode(request).unwrap().body);
    assert_eq!(
        String::from_utf8(body).unwrap(),
        r#"{"messages":[{"role":"user","content":[{"text":"Hi."}]}],"requestMetadata":{"a":"b"}}"#
    );
}

#[test]
fn results_come_first_and_text_behind_them_where_the_model_takes_it() {
    let picture = Content::image("image/png", b"png".as_slice());
    let asked = Asked::new(vec![
        user("Go."),
        reply(vec![
            call("c1", "readTable", "{}"),
            call("c2", "readTable", "{"),
            call("c3", "x", "{}"),
        ]),
        user("Wait."),
        results(vec![
            result("c2", vec![" ".into()]),
            failed("c1", vec!["no".into(), json!([1]).into(), picture]),
        ]),
    ]);
    let first = json!({"toolResult": {"toolUseId": "c1", "status": "error", "content": [
        {"text": "no"}, {"text": "[1]"}, {"image": {"format": "png", "source": {"bytes": "cG5n"}}},
    ]}});
    let second = json!({"toolResult": {"toolUseId": "c2", "status": "success", "content": [{"text": "(no output)"}]}});
    let missing = json!({"text": "There is no result: the call was interrupted. Call again if it is still needed."});
    let third = |content: Value| json!({"toolResult": {"toolUseId": "c3", "status": "error", "content": content}});
    assert_eq!(
        messages(CLAUDE, &asked)[2]["content"],
        json!([first, second, third(json!([missing])), {"text": "Wait."}])
    );
    assert_eq!(
        messages("mistral.mistral-large", &asked)[2]["content"],
        json!([first, second, third(json!([missing, {"text": "Wait."}]))])
    );
    let inputs = messages(CLAUDE, &asked)[1]["content"].clone();
    assert_eq!(inputs[1]["toolUse"]["input"], json!({}));
}

#[test]
fn a_conversation_with_calls_always_has_tools() {
    let asked = Asked {
        tools: vec![],
        ..Asked::new(vec![
            user("Go."),
            reply(vec![call("c1", "readTable", "{}"), call("c2", "a b", "{}")]),
        ])
    };
    let body: Value = serde_json::from_str(&body(CLAUDE, &asked)).unwrap();
    let tools = body["toolConfig"]["tools"].as_array().unwrap();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["toolSpec"]["name"]).collect();
    let called = &body["messages"][1]["content"];
    assert_eq!(names[..2], [&called[1]["toolUse"]["name"], &called[0]["toolUse"]["name"]]);
}

#[test]
fn what_may_be_called_is_said_where_it_can_be() {
    let of = |choice: Choice<'static>| {
        let asked = Asked { choice, ..Asked::new(vec![user("Hi.")]) };
        let wire = Converse::new(endpoint(CLAUDE));
        let encoded = asked.with(|request| wire.encode(request).unwrap());
        let body: Value = serde_json::from_slice(&encoded.body).unwrap();
        (body["toolConfig"]["toolChoice"].clone(), encoded.losses.len())
    };
    assert_eq!(of(Choice::Free), (Value::Null, 0));
    assert_eq!(of(Choice::Nothing), (Value::Null, 1));
    assert_eq!(of(among(&["search"])), (json!({"tool": {"name": "search"}}), 0));
    assert_eq!(of(among(&["search", "readTable"])), (json!({"any": {}}), 0));
}

#[test]
fn what_the_models_own_protocol_is_told_stands_apart() {
    let keys = |_: &str| None;
    let endpoint = crate::Endpoint::parse("bedrock:us.anthropic.claude-opus-5-5", keys).unwrap();
    let wire = Converse::new(endpoint.with_disclosure(Disclosure::Append));
    let body = Asked::new(vec![user("Hi.")]).with(|request| wire.encode(request).unwrap().body);
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(
        body["additionalModelRequestFields"],
        json!({
            "thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}},
            "anthropic_beta": ["thinking-binding-controls-2026-08-01"],
        })
    );
}

#[test]
fn other_ways_of_showing_tools_have_no_form() {
    let wire = Converse::new(endpoint("x").with_disclosure(Disclosure::ByReference));
    let error = Asked::new(vec![user("Hi.")]).with(|request| wire.encode(request).unwrap_err());
    assert_eq!(
        error.to_string(),
        "Converse has no form for this disclosure: use append, or by-reference with Claude"
    );
}

#[test]
fn replies_go_back_as_they_came_with_the_ids_of_the_loop() {
    let content = json!([
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "s"}}},
        {"text": ""},
        {"text": "So."},
        {"toolUse": {"toolUseId": "tooluse_1", "name": "readTable", "input": {"b": 1, "a": 2}}},
        {"citationsContent": {"odd": [1.5]}},
    ]);
    let sent = |model: &str| {
        let raw = json!({"model": CLAUDE, "content": content});
        let parts = vec![text("So."), call("c1", "readTable", "{}")];
        messages(model, &Asked::new(vec![user("Hi."), replayed("bedrock", raw, parts)]))[1]["content"].clone()
    };
    let rest = json!([
        {"text": "So."},
        {"toolUse": {"toolUseId": "c1", "name": "readTable", "input": {"b": 1, "a": 2}}},
        {"citationsContent": {"odd": [1.5]}},
    ]);
    let mut own = vec![content[0].clone()];
    own.extend(rest.as_array().unwrap().iter().cloned());
    assert_eq!(sent(CLAUDE), Value::Array(own));
    assert_eq!(sent("other.model"), rest);
}

#[test]
fn ids_of_other_vendors_are_made_legal_in_call_and_result() {
    let check = |id: &str, expected: Option<&str>| {
        let items = vec![
            user("Hi."),
            reply(vec![call(id, "readTable", "{}")]),
            results(vec![result(id, vec!["r".into()])]),
        ];
        let messages = messages(CLAUDE, &Asked::new(items));
        let sent = messages[1]["content"][0]["toolUse"]["toolUseId"].as_str().unwrap();
        assert_eq!(messages[2]["content"][0]["toolResult"]["toolUseId"], sent);
        assert!(sent.len() <= 64);
        match expected {
            Some(expected) => assert_eq!(sent, expected),
            None => assert_ne!(sent, id),
        }
    };
    check("functions.read:0", Some("functions.read:0"));
    check("call/1", None);
    check(&"x".repeat(65), None);
}

fn whole(answer: Value) -> Result<Reply, ModelError> {
    Converse::new(endpoint(CLAUDE)).decode(answer, &Names::default())
}

#[test]
fn an_answer_is_read_and_kept() {
    let content = json!([
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "s"}}},
        {"text": "I read."},
        {"toolUse": {"toolUseId": "t1", "name": "readTable", "input": {"table": "a"}}},
    ]);
    let reply = whole(json!({
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 3, "outputTokens": 7, "totalTokens": 130, "cacheReadInputTokens": 100, "cacheWriteInputTokens": 20},
        "metrics": {"latencyMs": 1},
    }))
    .unwrap();
    let expected = Reply {
        parts: vec![
            Part::Reasoning { text: "Hm.".to_owned() },
            text("I read."),
            call("t1", "readTable", r#"{"table":"a"}"#),
        ],
        raw: Some(Raw {
            wire: "bedrock".to_owned(),
            value: json!({"model": CLAUDE, "content": content}),
        }),
        finish: Finish::Done,
        usage: Usage { uncached: 3, cache_read: 100, cache_write: 20, output: 7 },
        ..Reply::default()
    };
    assert_eq!(reply, expected);
}

#[test]
fn each_reason_to_stop_is_understood() {
    let of = |reason: &str| {
        whole(json!({"output": {"message": {"content": []}}, "stopReason": reason}))
            .map(|reply| reply.finish)
            .map_err(|error| error.to_string())
    };
    assert_eq!(of("end_turn"), Ok(Finish::Done));
    assert_eq!(of("tool_use"), Ok(Finish::Done));
    assert_eq!(of("max_tokens"), Ok(Finish::Length));
    assert_eq!(of("content_filtered"), Ok(Finish::Refused));
    assert_eq!(of("guardrail_intervened"), Ok(Finish::Refused));
    assert_eq!(of("model_context_window_exceeded"), Ok(Finish::ContextFull));
    let malformed = "malformed answer: the model wrote what cannot be read (malformed_tool_use)";
    assert_eq!(of("malformed_tool_use"), Err(malformed.to_owned()));
    let empty = whole(json!({})).unwrap_err().to_string();
    assert_eq!(empty, "malformed answer: the answer is no message: it has no content");
}

#[test]
fn the_model_is_a_part_of_the_path() {
    let wire = Converse::new(endpoint("arn:aws:bedrock:eu-west-1:1:inference-profile/eu.x-v1:0"));
    assert_eq!(
        wire.path(false),
        "/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.x-v1%3A0/converse"
    );
    assert!(wire.path(true).ends_with("/converse-stream"));
}
