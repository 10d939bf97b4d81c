//! What is sent.

use oncue_agent::conversation::Item;
use oncue_agent::{Choice, Disclosure, EncodeError};
use oncue_tools::Content;
use serde_json::{Value, json};

use super::{body, encoded, endpoint, input};
use crate::Endpoint;
use crate::samples::{
    Asked, among, by_loop, call, failed, found, inline, note, replayed, reply, result, results,
    text, user,
};

const SEARCH: &str = r#"{"type":"function","name":"search","description":"Finds tools.","parameters":{"type":"object","properties":{"query":{"type":"string"}}},"strict":false}"#;
const OWN_SEARCH: &str = r#"{"type":"tool_search","execution":"client","description":"Finds tools.","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}"#;
const READ: &str = r#"{"type":"function","name":"readTable","description":"Reads a table.","parameters":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]},"strict":false}"#;
const START: &str = r#"{"type":"function","name":"startExport","description":"Starts an export.","parameters":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]},"strict":false}"#;
const STOP: &str = r#"{"type":"function","name":"stopExport","description":"Stops an export.","parameters":{"type":"object","properties":{}},"strict":false}"#;

/// A definition as the sample searches show it.
fn shown(name: &str) -> Value {
    json!({
        "type": "function", "name": name, "description": format!("Description of {name}."),
        "parameters": {"type": "object", "properties": {}}, "strict": false, "defer_loading": true,
    })
}

fn searching() -> Endpoint {
    endpoint(Disclosure::ClientSearch)
}

fn openai(model: &str) -> Endpoint {
    let mut endpoint = searching().with_base_url("https://api.openai.com/v1");
    endpoint.model = model.to_owned();
    endpoint.with_disclosure(Disclosure::ClientSearch)
}

fn message(role: &str, text: &str) -> Value {
    json!({"type": "message", "role": role, "content": text})
}

#[test]
fn a_plain_request_has_its_tools_and_items() {
    let asked = || Asked { search: Some("search"), ..Asked::new(vec![user("Hello.")]) };
    let expected = |tools: &str| {
        format!(
            r#"{{"model":"m","store":false,"tools":[{tools}],"instructions":"Be brief.","input":[{{"type":"message","role":"user","content":"Hello."}}]}}"#
        )
    };
    assert_eq!(body(searching(), &asked()), expected(&format!("{READ},{OWN_SEARCH}")));
    assert_eq!(
        body(endpoint(Disclosure::Append), &Asked { found: vec!["stopExport"], ..asked() }),
        expected(&format!("{SEARCH},{READ},{STOP}"))
    );
    // What was found is in the conversation, not in the list.
    let found = Asked { found: vec!["stopExport"], ..asked() };
    assert_eq!(body(searching(), &found), expected(&format!("{READ},{OWN_SEARCH}")));
    // Without a search tool there is nothing to search with.
    let none = Asked { search: None, ..asked() };
    assert_eq!(body(searching(), &none), expected(&format!("{SEARCH},{READ}")));
    let bare =
        Asked { tools: Vec::new(), system: "", search: None, choice: Choice::Nothing, ..asked() };
    assert_eq!(
        body(searching(), &bare),
        r#"{"model":"m","store":false,"input":[{"type":"message","role":"user","content":"Hello."}]}"#
    );
}

#[test]
fn thoughts_are_asked_for_where_the_model_has_them() {
    let include = r#""include":["reasoning.encrypted_content"]"#;
    let asks = |endpoint: Endpoint| body(endpoint, &Asked::new(vec![user("a")])).contains(include);
    for model in ["gpt-5", "gpt-5.4-mini", "gpt-6-luna", "o3", "o4-mini"] {
        assert!(asks(openai(model)), "{model}");
    }
    for model in ["gpt-4.1", "gpt-4o", "gpt-5-chat-latest", "omni"] {
        assert!(!asks(openai(model)), "{model}");
    }
    assert!(!asks(searching()));
    assert!(asks(searching().with_extra("reasoning", json!({"effort": "low"}))));
}

#[test]
fn settings_and_other_fields_have_their_places() {
    let id = json!({"id": "resp_1", "output": []});
    let asked = Asked {
        output_tokens_max: Some(100),
        temperature: Some(0.7),
        session: Some("s-1"),
        tools: Vec::new(),
        system: "",
        ..Asked::new(vec![user("a"), replayed("responses", id, Vec::new())])
    };
    let input = r#""input":[{"type":"message","role":"user","content":"a"}]"#;
    let plain = format!(
        r#"{{"model":"m","max_output_tokens":100,"temperature":0.7,"store":false,"prompt_cache_key":"s-1",{input},"top_p":1}}"#
    );
    assert_eq!(body(searching().with_extra("top_p", 1), &asked), plain);
    let asking = searching().with_cache_diagnostics(true).with_extra("store", true);
    assert_eq!(
        body(asking, &asked),
        format!(
            r#"{{"model":"m","max_output_tokens":100,"temperature":0.7,"store":true,"prompt_cache_key":"s-1","prompt_cache_options":{{"comparison_response_id":"resp_1"}},{input}}}"#
        )
    );
}

#[test]
fn a_mask_names_what_may_be_called() {
    let mask = || endpoint(Disclosure::Mask);
    let allowed = |mode: &str, names: &[&str]| {
        let names: Vec<String> =
            names.iter().map(|name| format!(r#"{{"type":"function","name":"{name}"}}"#)).collect();
        let names = names.join(",");
        format!(r#""tool_choice":{{"type":"allowed_tools","mode":"{mode}","tools":[{names}]}}"#)
    };
    let tools = format!(r#""tools":[{SEARCH},{READ},{START},{STOP}],"#);
    for (choice, expected) in [
        (Choice::Free, allowed("auto", &["search", "readTable", "stopExport"])),
        (among(&["stopExport"]), allowed("required", &["stopExport"])),
        (Choice::Nothing, r#""tool_choice":"none""#.to_owned()),
        (among(&[]), r#""tool_choice":"none""#.to_owned()),
    ] {
        let asked = Asked {
            found: vec!["stopExport"],
            search: Some("search"),
            choice,
            ..Asked::new(vec![user("a")])
        };
        let body = body(mask(), &asked);
        assert!(body.contains(&tools) && body.contains(&expected), "{body}");
    }
}

#[test]
fn a_choice_names_what_is_in_the_list() {
    let asked = |choice| Asked {
        choice,
        search: Some("search"),
        found: vec!["stopExport"],
        ..Asked::new(vec![user("a")])
    };
    let one = body(searching(), &asked(among(&["readTable"])));
    assert!(one.contains(r#""tool_choice":{"type":"function","name":"readTable"}"#), "{one}");
    for tools in [&["stopExport"][..], &["search"], &["readTable", "stopExport"]] {
        let refused = encoded(searching().with_narrowing(true), &asked(among(tools)));
        assert!(matches!(refused, Err(EncodeError::Unsupported(_))), "{tools:?}");
    }
    let append = || endpoint(Disclosure::Append);
    let two = asked(among(&["readTable", "stopExport"]));
    assert!(matches!(encoded(append(), &two), Err(EncodeError::Unsupported(_))));
    let narrowed = body(append().with_narrowing(true), &two);
    assert!(narrowed.contains(r#""mode":"required","tools":[{"type":"function","name":"readTable"},{"type":"function","name":"stopExport"}]"#), "{narrowed}");
}

#[test]
fn other_disclosures_and_too_many_tools_have_no_form() {
    for disclosure in [Disclosure::ByReference, Disclosure::ByValue] {
        let encoded = encoded(endpoint(disclosure), &Asked::new(vec![user("a")]));
        assert!(matches!(encoded, Err(EncodeError::Unsupported(_))), "{disclosure:?}");
    }
    let empty = encoded(searching(), &Asked::new(Vec::new()));
    assert!(matches!(empty, Err(EncodeError::Unsupported(_))));
    let tools = (0..129).map(|at| inline(&format!("t{at}"), "", None)).collect();
    let many = encoded(openai("m"), &Asked { tools, ..Asked::new(vec![user("a")]) });
    assert_eq!(many, Err(EncodeError::TooManyTools { tools: 129, tools_max: 128 }));
}

#[test]
fn a_search_is_answered_with_definitions() {
    let items = vec![
        user("Stop it."),
        reply(vec![
            text("I search."),
            call("c1", "search", r#"{"query":"stop"}"#),
            call("c2", "readTable", r#"{"table":"a"}"#),
        ]),
        results(vec![found("c1", &["stopExport"]), result("c2", vec!["rows".into()])]),
        reply(vec![call("c3", "search", "broken")]),
        results(vec![failed("c3", vec!["Query cannot be empty".into()])]),
        reply(vec![call("c4", "search", r#"{"query":"fly"}"#)]),
        results(vec![result("c4", vec![r#"{"functions":[],"hint":"No tool fits."}"#.into()])]),
        reply(vec![call("c5", "search", "{}")]),
    ];
    let search = |id: &str, arguments: Value| json!({"type": "tool_search_call", "call_id": id, "execution": "client", "status": "completed", "arguments": arguments});
    let output = |id: &str, tools: Value| json!({"type": "tool_search_output", "call_id": id, "execution": "client", "status": "completed", "tools": tools});
    assert_eq!(
        input(Disclosure::ClientSearch, Asked::new(items.clone())),
        json!([
            message("user", "Stop it."),
            message("assistant", "I search."),
            search("c1", json!({"query": "stop"})),
            {"type": "function_call", "call_id": "c2", "name": "readTable", "arguments": "{\"table\":\"a\"}"},
            output("c1", json!([shown("stopExport")])),
            {"type": "function_call_output", "call_id": "c2", "output": "rows"},
            search("c3", json!({})),
            output("c3", json!([])),
            message("developer", "Query cannot be empty"),
            search("c4", json!({"query": "fly"})),
            output("c4", json!([])),
            message("developer", r#"{"functions":[],"hint":"No tool fits."}"#),
            search("c5", json!({})),
            output("c5", json!([])),
            message("developer", "There is no result: the call was interrupted. Call again if it is still needed."),
        ])
    );
    // Elsewhere it is a call like any other.
    assert_eq!(
        input(Disclosure::Append, Asked::new(items[..3].to_vec())),
        json!([
            message("user", "Stop it."),
            message("assistant", "I search."),
            {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{\"query\":\"stop\"}"},
            {"type": "function_call", "call_id": "c2", "name": "readTable", "arguments": "{\"table\":\"a\"}"},
            {"type": "function_call_output", "call_id": "c1", "output": "{\"functions\":\"stopExport\"}"},
            {"type": "function_call_output", "call_id": "c2", "output": "rows"},
        ])
    );
}

#[test]
fn what_the_loop_searched_stands_there_like_any_search() {
    let items = || {
        vec![
            user("Stop it."),
            by_loop(vec![call("p1", "search", r#"{"query":"stop it"}"#)]),
            results(vec![found("p1", &["stopExport"])]),
            note("Go on."),
        ]
    };
    assert_eq!(
        input(Disclosure::ClientSearch, Asked::new(items())),
        json!([
            message("user", "Stop it."),
            {"type": "tool_search_call", "call_id": "p1", "execution": "client", "status": "completed", "arguments": {"query": "stop it"}},
            {"type": "tool_search_output", "call_id": "p1", "execution": "client", "status": "completed", "tools": [shown("stopExport")]},
            message("user", "Go on."),
        ])
    );
    for disclosure in [Disclosure::Append, Disclosure::Mask] {
        assert_eq!(
            input(disclosure, Asked::new(items())),
            json!([message("user", "Stop it."), message("user", "Go on.")])
        );
    }
}

#[test]
fn what_another_tool_loaded_is_added_behind_its_output() {
    let asked = Asked::new(vec![
        reply(vec![call("c1", "readTable", "{}")]),
        results(vec![found("c1", &["stopExport"])]),
    ]);
    assert_eq!(
        input(Disclosure::ClientSearch, asked)[2],
        json!({"type": "additional_tools", "role": "developer", "tools": [shown("stopExport")]})
    );
}

#[test]
fn pictures_stand_where_they_are() {
    let picture = || Content::image("image/png", *b"abc");
    let shown =
        json!({"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,YWJj"});
    let asked = Asked::new(vec![
        Item::User { content: vec!["Look:".into(), picture()] },
        reply(vec![call("c1", "readTable", "{}")]),
        results(vec![result("c1", vec![picture(), json!({"a": 1}).into()])]),
    ]);
    let input = input(Disclosure::Append, asked);
    assert_eq!(
        input[0],
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Look:"}, shown]})
    );
    assert_eq!(
        input[2],
        json!({"type": "function_call_output", "call_id": "c1", "output": [shown, {"type": "input_text", "text": "{\"a\":1}"}]})
    );
}

/// Output with thoughts, a search, a call and an item that nobody here knows.
fn came() -> Value {
    json!([
        {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA", "content": null},
        {"id": "xx_1", "type": "unheard_of", "what": [1]},
        {"id": "tsc_1", "type": "tool_search_call", "call_id": "call_1", "execution": "client", "status": "completed", "arguments": {"query": "stop"}, "created_by": "m"},
        {"id": "fc_1", "type": "function_call", "call_id": "call_2", "name": "readTable", "arguments": "{\"table\"", "status": "completed", "namespace": "tables"},
        {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "phase": "commentary", "content": [{"type": "output_text", "text": "I look.", "annotations": []}]},
    ])
}

fn parts() -> Vec<oncue_agent::conversation::Part> {
    vec![
        call("call_1", "search", r#"{"query":"stop"}"#),
        call("other", "readTable", r#"{"table""#),
        text("I look."),
    ]
}

#[test]
fn a_reply_of_this_wire_is_replayed_item_by_item() {
    let raw = json!({"id": "resp_1", "output": came()});
    let asked = || Asked::new(vec![replayed("responses", raw.clone(), parts())]);
    let mut expected = came();
    expected[0].as_object_mut().unwrap().remove("content");
    expected[2].as_object_mut().unwrap().remove("created_by");
    expected[3]["arguments"] = json!("{}");
    expected[3]["call_id"] = json!("other");
    let sent = input(Disclosure::ClientSearch, asked());
    assert_eq!(sent.as_array().unwrap()[..5], expected.as_array().unwrap()[..]);
    assert_eq!(sent[5]["type"], "tool_search_output");
    assert_eq!(sent[6]["call_id"], "other");
    // Where searches are calls like any other, the reply is written anew.
    let sent = input(Disclosure::Append, asked());
    let kinds: Vec<&str> =
        sent.as_array().unwrap().iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "function_call", "function_call", "message", "function_call_output",
            "function_call_output"
        ]
    );
}

#[test]
fn thoughts_that_nobody_kept_are_left_out_with_the_ids_that_name_them() {
    let mut output = came();
    output[0].as_object_mut().unwrap().remove("encrypted_content");
    let raw = json!({"id": "resp_1", "output": output});
    let sent =
        input(Disclosure::ClientSearch, Asked::new(vec![replayed("responses", raw, parts())]));
    let items = sent.as_array().unwrap();
    assert!(items.iter().all(|item| item["type"] != "reasoning" && item.get("id").is_none()));
    assert_eq!(items.len(), 4 + 3, "{sent}");
}
