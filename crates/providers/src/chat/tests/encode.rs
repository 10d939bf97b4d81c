//! What is sent.

use oncue_agent::{Choice, Disclosure, EncodeError};
use oncue_tools::Content;
use serde_json::{Value, json};

use super::{body, encoded, endpoint};
use crate::Endpoint;
use crate::samples::{
    Asked, among, by_loop, call, failed, found, hidden, inline, note, replayed, reply, result,
    results, text, user,
};

const SEARCH: &str = r#"{"type":"function","function":{"name":"search","description":"Finds tools.","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}}"#;
const READ: &str = r#"{"type":"function","function":{"name":"readTable","description":"Reads a table.","parameters":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}}"#;
const START: &str = r#"{"type":"function","function":{"name":"startExport","description":"Starts an export.","parameters":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}}"#;
const STOP: &str = r#"{"type":"function","function":{"name":"stopExport","description":"Stops an export.","parameters":{"type":"object","properties":{}}}}"#;

fn append() -> Endpoint {
    endpoint(Disclosure::Append)
}

fn mask() -> Endpoint {
    endpoint(Disclosure::Mask)
}

fn openai() -> Endpoint {
    append().with_base_url("https://api.openai.com/v1")
}

/// Returns the `messages` of a request without a system text.
fn messages(asked: Asked<'_>) -> Value {
    let body = body(append(), &Asked { system: "", ..asked });
    serde_json::from_str::<Value>(&body).unwrap()["messages"].take()
}

#[test]
fn a_plain_request_has_its_tools_and_messages() {
    let asked = Asked::new(vec![user("Hello.")]);
    assert_eq!(
        body(append(), &asked),
        format!(
            r#"{{"model":"m","tools":[{SEARCH},{READ}],"messages":[{{"role":"system","content":"Be brief."}},{{"role":"user","content":"Hello."}}]}}"#
        )
    );
    let bare = Asked { tools: Vec::new(), system: "", choice: Choice::Nothing, ..asked };
    assert_eq!(
        body(append(), &bare),
        r#"{"model":"m","messages":[{"role":"user","content":"Hello."}]}"#
    );
}

#[test]
fn found_tools_join_the_end_of_the_list() {
    let asked = Asked { found: vec!["stopExport", "startExport"], ..Asked::new(vec![user("a")]) };
    let body = body(append(), &asked);
    assert!(body.contains(&format!(r#""tools":[{SEARCH},{READ},{STOP},{START}],"#)), "{body}");
}

#[test]
fn a_mask_names_what_may_be_called() {
    let allowed = |mode: &str, names: &[&str]| {
        let names: Vec<String> = names
            .iter()
            .map(|name| format!(r#"{{"type":"function","function":{{"name":"{name}"}}}}"#))
            .collect();
        format!(
            r#""tool_choice":{{"type":"allowed_tools","allowed_tools":{{"mode":"{mode}","tools":[{}]}}}}"#,
            names.join(",")
        )
    };
    let asked = || Asked { found: vec!["stopExport"], ..Asked::new(vec![user("a")]) };
    let tools = format!(r#""tools":[{SEARCH},{READ},{START},{STOP}],"#);
    for (choice, expected) in [
        (Choice::Free, allowed("auto", &["search", "readTable", "stopExport"])),
        (among(&["stopExport"]), allowed("required", &["stopExport"])),
        (among(&["readTable", "stopExport"]), allowed("required", &["readTable", "stopExport"])),
        (Choice::Nothing, r#""tool_choice":"none""#.to_owned()),
        (among(&[]), r#""tool_choice":"none""#.to_owned()),
    ] {
        let body = body(mask(), &Asked { choice, ..asked() });
        assert!(body.contains(&tools) && body.contains(&expected), "{body}");
    }
    // Where nothing is hidden nothing is masked.
    let tools = vec![inline("a", "", None)];
    let body = body(mask(), &Asked { tools, ..Asked::new(vec![user("a")]) });
    assert!(!body.contains("tool_choice"), "{body}");
    assert!(!body.contains("description"), "{body}");
}

#[test]
fn an_endpoint_that_cannot_narrow_can_still_be_held_to_one_tool() {
    let asked = |choice| Asked { choice, ..Asked::new(vec![user("a")]) };
    let one = body(append(), &asked(among(&["readTable"])));
    assert!(one.contains(r#""tool_choice":{"type":"function","function":{"name":"readTable"}}"#));
    let two = asked(among(&["readTable", "search"]));
    assert!(matches!(encoded(append(), &two), Err(EncodeError::Unsupported(_))));
    let narrowed = body(append().with_narrowing(true), &two);
    assert!(narrowed.contains(r#""mode":"required","tools":[{"type":"function","function":{"name":"readTable"}},{"type":"function","function":{"name":"search"}}]"#));
}

#[test]
fn settings_and_other_fields_have_their_places() {
    let asked = Asked {
        output_tokens_max: Some(100),
        temperature: Some(0.7),
        session: Some("s-1"),
        tools: Vec::new(),
        system: "",
        ..Asked::new(vec![user("a")])
    };
    let messages = r#""messages":[{"role":"user","content":"a"}]"#;
    let elsewhere = append().with_output_tokens_max(50).with_extra("top_p", 1);
    let expected =
        format!(r#"{{"model":"m","max_tokens":50,"temperature":0.7,{messages},"top_p":1}}"#);
    assert_eq!(body(elsewhere, &asked), expected);
    let own =
        openai().with_extra("temperature", Value::Null).with_extra("stream_options", json!({}));
    let expected = format!(
        r#"{{"model":"m","max_completion_tokens":100,"prompt_cache_key":"s-1",{messages}}}"#
    );
    assert_eq!(body(own, &asked), expected);
}

#[test]
fn the_vendor_itself_takes_128_tools() {
    let tools = |count: usize| (0..count).map(|at| inline(&format!("t{at}"), "", None)).collect();
    let asked = |count| Asked { tools: tools(count), ..Asked::new(vec![user("a")]) };
    assert!(encoded(openai(), &asked(128)).is_ok());
    let refused = EncodeError::TooManyTools { tools: 129, tools_max: 128 };
    assert_eq!(encoded(openai(), &asked(129)), Err(refused.clone()));
    assert!(encoded(append(), &asked(129)).is_ok());
    let azure = append().with_base_url("https://x.openai.azure.com:443/openai/v1");
    assert_eq!(encoded(azure, &asked(129)), Err(refused.clone()));
    let mut masked: Vec<_> = tools(128);
    masked.push(hidden("h", "", None));
    let masked = Asked { tools: masked, ..Asked::new(vec![user("a")]) };
    let openai = openai().with_disclosure(Disclosure::Mask);
    assert_eq!(encoded(openai, &masked), Err(refused));
}

#[test]
fn other_disclosures_have_no_form() {
    for disclosure in [Disclosure::ByReference, Disclosure::ByValue, Disclosure::ClientSearch] {
        let encoded = encoded(endpoint(disclosure), &Asked::new(vec![user("a")]));
        assert!(matches!(encoded, Err(EncodeError::Unsupported(_))), "{disclosure:?}");
    }
    let empty = encoded(append(), &Asked::new(Vec::new()));
    assert!(matches!(empty, Err(EncodeError::Unsupported(_))));
}

#[test]
fn each_result_follows_the_reply_that_called_in_call_order() {
    let asked = Asked::new(vec![
        user("Read two."),
        reply(vec![
            text("I read."),
            call("c1", "readTable", r#"{"table": "a"}"#),
            call("c2", "readTable", r#"{"table": "b"}"#),
            call("c3", "readTable", "broken"),
        ]),
        results(vec![
            result("c2", vec!["two".into(), json!([2]).into()]),
            failed("c1", vec!["no".into()]),
        ]),
        note("Answer now."),
        reply(vec![text("Done.")]),
    ]);
    let called = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "readTable", "arguments": arguments}});
    assert_eq!(
        messages(asked),
        json!([
            {"role": "user", "content": "Read two."},
            {"role": "assistant", "content": "I read.", "tool_calls": [
                called("c1", r#"{"table": "a"}"#), called("c2", r#"{"table": "b"}"#), called("c3", "{}"),
            ]},
            {"role": "tool", "tool_call_id": "c1", "content": "no"},
            {"role": "tool", "tool_call_id": "c2", "content": "two\n[2]"},
            {"role": "tool", "tool_call_id": "c3", "content": "There is no result: the call was interrupted. Call again if it is still needed."},
            {"role": "user", "content": "Answer now."},
            {"role": "assistant", "content": "Done."},
        ])
    );
}

#[test]
fn what_the_loop_searched_is_left_out() {
    let asked = Asked {
        found: vec!["stopExport"],
        ..Asked::new(vec![
            user("Stop it."),
            by_loop(vec![call("p1", "search", r#"{"query":"stop"}"#)]),
            results(vec![found("p1", &["stopExport"])]),
        ])
    };
    assert_eq!(messages(asked), json!([{"role": "user", "content": "Stop it."}]));
}

#[test]
fn a_search_of_the_model_keeps_its_text() {
    let asked = Asked::new(vec![
        user("Stop it."),
        reply(vec![call("c1", "search", r#"{"query":"stop"}"#)]),
        results(vec![found("c1", &["stopExport"])]),
    ]);
    assert_eq!(
        messages(asked)[2],
        json!({"role": "tool", "tool_call_id": "c1", "content": "{\"functions\":\"stopExport\"}"})
    );
}

#[test]
fn pictures_are_addresses_that_hold_them() {
    // "abc" in base64, by hand.
    let picture = || Content::image("image/png", *b"abc");
    let shown = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}});
    let mut asked = Asked::new(vec![
        reply(vec![call("c1", "readTable", "{}"), call("c2", "readTable", "{}")]),
        results(vec![
            result("c1", vec!["seen".into(), picture()]),
            result("c2", vec!["none".into()]),
        ]),
    ]);
    asked.items.insert(
        0,
        oncue_agent::conversation::Item::User {
            content: vec!["Look:".into(), picture(), "there".into()],
        },
    );
    let messages = messages(asked);
    assert_eq!(
        messages[0]["content"],
        json!([{"type": "text", "text": "Look:"}, shown, {"type": "text", "text": "there"}])
    );
    assert_eq!(messages[2]["content"], "seen");
    assert_eq!(messages[3]["content"], "none");
    assert_eq!(
        messages[4],
        json!({"role": "user", "content": [{"type": "text", "text": "The pictures of c1:"}, shown]})
    );
}

#[test]
fn a_reply_of_this_wire_is_replayed_as_it_came_but_for_what_is_refused() {
    let came = json!({
        "role": "assistant", "content": null, "refusal": null, "annotations": [], "audio": null,
        "reasoning_content": "I think.", "extra_content": {"signature": "c2ln"},
        "tool_calls": [
            {"index": 0, "id": "x", "type": "function", "function": {"name": "readTable", "arguments": "{\"table\": \"a\"}"}},
            {"id": "x", "function": {"name": "read.table", "arguments": "{\"table\""}, "extra": 1},
        ],
    });
    let parts = vec![
        call("x", "readTable", r#"{"table": "a"}"#),
        call("call_2", "read.table", r#"{"table""#),
    ];
    let asked = Asked::new(vec![replayed("chat", came.clone(), parts)]);
    let messages_of = messages(asked);
    let mut sent = messages_of[0].clone();
    let name = sent["tool_calls"][1]["function"]["name"].take();
    let name = name.as_str().unwrap();
    assert!(name.starts_with("read_table_") && name.len() == 19, "{name}");
    assert_eq!(
        sent,
        json!({
            "role": "assistant", "content": null,
            "reasoning_content": "I think.", "extra_content": {"signature": "c2ln"},
            "tool_calls": [
                {"index": 0, "id": "x", "type": "function", "function": {"name": "readTable", "arguments": "{\"table\": \"a\"}"}},
                {"id": "call_2", "function": {"name": null, "arguments": "{}"}, "extra": 1, "type": "function"},
            ],
        })
    );
    // A reply of another wire, or one whose calls are others now, is written anew.
    for (wire, parts) in [("anthropic", vec![text("a")]), ("chat", vec![text("a")])] {
        let asked = Asked::new(vec![replayed(wire, came.clone(), parts)]);
        assert_eq!(messages(asked), json!([{"role": "assistant", "content": "a"}]));
    }
}

#[test]
fn ids_are_short_and_calls_and_results_agree() {
    let long = "x".repeat(41);
    let asked = Asked::new(vec![
        reply(vec![call(&long, "readTable", "{}"), call("", "readTable", "{}")]),
        results(vec![result(&long, vec!["a".into()]), result("", vec!["b".into()])]),
    ]);
    let messages = messages(asked);
    for at in 0..2 {
        let id = messages[0]["tool_calls"][at]["id"].as_str().unwrap();
        assert!((1..=40).contains(&id.len()), "{id}");
        assert_eq!(messages[at + 1]["tool_call_id"], id);
    }
    assert_eq!(messages[2]["content"], "b");
}

#[test]
fn strict_tools_are_those_that_need_no_null() {
    let whole = r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#;
    let part = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    let tools = vec![inline("whole", "", Some(whole)), inline("part", "", Some(part))];
    let body =
        body(append().with_strict_tools(true), &Asked { tools, ..Asked::new(vec![user("a")]) });
    let closed = r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#;
    let expected = format!(
        r#""tools":[{{"type":"function","function":{{"name":"whole","parameters":{closed},"strict":true}}}},{{"type":"function","function":{{"name":"part","parameters":{part}}}}}]"#
    );
    assert!(body.contains(&expected), "{body}");
}

#[test]
fn what_a_schema_loses_names_the_tool() {
    let either = r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#;
    let tools = vec![inline("either", "", Some(either))];
    let encoded = encoded(append(), &Asked { tools, ..Asked::new(vec![user("a")]) }).unwrap();
    assert_eq!(encoded.losses[0].place, "either: /anyOf");
}
