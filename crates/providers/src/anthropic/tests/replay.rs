//! Replies of earlier steps.

use oncue_agent::Disclosure::Append;
use oncue_agent::conversation::Part;
use serde_json::{Value, json};

use super::messages;
use crate::samples::{Asked, call, note, replayed, reply, result, results, text, user};

/// Returns the content of the message that the reply becomes.
fn sent(item: oncue_agent::conversation::Item) -> Value {
    let results = results(vec![result("c1", vec![]), result("c2", vec![])]);
    let messages = messages(Append, &Asked::new(vec![user("Hi."), item, results]));
    serde_json::from_str::<Value>(&messages).unwrap()[1]["content"].clone()
}

#[test]
fn a_reply_of_this_wire_is_sent_as_it_came() {
    let content = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [], "odd": 1.5e3},
        {"type": "text", "text": "So.", "citations": [{"cited_text": "a"}]},
        {"type": "tool_use", "id": "c1", "name": "readTable", "input": {"b": 1, "a": 2}, "caller": {"type": "direct"}},
    ]);
    let parts = vec![text("So."), call("c1", "readTable", r#"{"b":1,"a":2}"#)];
    let raw = |model: &str| json!({"id": "msg_1", "model": model, "content": content});
    let own = sent(replayed("anthropic", raw("m"), parts.clone()));
    assert_eq!(own.to_string(), content.to_string());
    let of_another_model = sent(replayed("anthropic", raw("n"), parts));
    let without_thoughts = content.as_array().unwrap()[2..].to_vec();
    assert_eq!(of_another_model, Value::Array(without_thoughts));
}

#[test]
fn what_the_vendor_would_refuse_is_mended() {
    let raw = json!({"content": [
        {"type": "text", "text": ""},
        {"type": "tool_use", "id": "toolu_1", "name": "readTable", "input": "{"},
        {"type": "tool_use", "id": "toolu_1", "name": "readTable", "input": {}},
    ]});
    let parts = vec![call("c1", "readTable", "{"), call("c2", "readTable", "{}")];
    assert_eq!(
        sent(replayed("anthropic", raw, parts)),
        json!([
            {"type": "tool_use", "id": "c1", "name": "readTable", "input": {}},
            {"type": "tool_use", "id": "c2", "name": "readTable", "input": {}},
        ])
    );
}

#[test]
fn a_reply_of_another_wire_or_with_other_calls_is_written_anew() {
    let parts = || {
        vec![
            Part::Reasoning { text: "Hm.".to_owned() },
            text(""),
            text("So."),
            call("c1", "readTable", r#" {"table": "a"} "#),
            call("c2", "readTable", r#""a""#),
        ]
    };
    let expected = json!([
        {"type": "text", "text": "So."},
        {"type": "tool_use", "id": "c1", "name": "readTable", "input": {"table": "a"}},
        {"type": "tool_use", "id": "c2", "name": "readTable", "input": {}},
    ]);
    let one_call = json!({"content": [{"type": "tool_use", "id": "c1", "name": "x", "input": {}}]});
    let three = json!({"content": vec![json!({"type": "tool_use", "id": "c", "name": "x", "input": {}}); 3]});
    for item in [
        reply(parts()),
        replayed("gemini", json!({"content": []}), parts()),
        replayed("anthropic", json!("odd"), parts()),
        replayed("anthropic", json!({"content": ["odd"]}), parts()),
        replayed("anthropic", one_call, parts()),
        replayed("anthropic", three, parts()),
    ] {
        assert_eq!(sent(item), expected);
    }
}

#[test]
fn ids_of_other_vendors_are_made_legal_in_call_and_result() {
    let asked = Asked::new(vec![
        user("Hi."),
        reply(vec![call("functions.read:0", "readTable", "{}")]),
        results(vec![result("functions.read:0", vec!["r".into()])]),
    ]);
    let messages: Value = serde_json::from_str(&messages(Append, &asked)).unwrap();
    let id = messages[1]["content"][0]["id"].as_str().unwrap();
    assert_eq!(messages[2]["content"][0]["tool_use_id"], id);
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(id.starts_with("functions_read_0_") && id.chars().all(legal), "{id}");
}

#[test]
fn a_reply_behind_a_reply_joins_it() {
    let paused =
        json!({"content": [{"type": "server_tool_use", "id": "s", "name": "n", "input": {}}]});
    let asked = Asked::new(vec![
        user("Hi."),
        replayed("anthropic", paused, vec![]),
        reply(vec![text("So.")]),
        note("Go on."),
    ]);
    assert_eq!(
        messages(Append, &asked),
        concat!(
            r#"[{"role":"user","content":[{"type":"text","text":"Hi."}]},"#,
            r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"n","input":{}},{"type":"text","text":"So."}]},"#,
            r#"{"role":"user","content":[{"type":"text","text":"Go on."}]}]"#,
        )
    );
}
