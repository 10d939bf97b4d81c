//! What is sent, for each way of showing found tools and each kind of item.

use oncue_agent::{Choice, Disclosure, Encode, EncodeError};
use oncue_tools::{Content, NameRules};
use serde_json::{Value, json};

use super::super::{Anthropic, Host};
use super::{body, body_by, encoded_by, endpoint, messages};
use crate::samples::{
    Asked, among, by_loop, call, failed, found, hidden, note, reply, result, results, text, user,
};
use crate::wire::Wire;
use Disclosure::{Append, ByReference, ByValue, ClientSearch, Mask};

/// A search, what it found, and a call of that.
fn searched() -> Vec<oncue_agent::conversation::Item> {
    vec![
        user("Export orders."),
        reply(vec![text("I look."), call("c1", "search", r#"{"query": "export"}"#)]),
        results(vec![found("c1", &["startExport"])]),
        reply(vec![call("c2", "startExport", r#"{"table":"orders"}"#)]),
        results(vec![result("c2", vec!["started".into()])]),
    ]
}

/// What every body of these tests begins with, up to the inline tools.
const HEAD: &str = concat!(
    r#"{"model":"m","max_tokens":16000,"tools":["#,
    r#"{"name":"search","description":"Finds tools.","input_schema":{"type":"object","properties":{"query":{"type":"string"}}}},"#,
    r#"{"name":"readTable","description":"Reads a table.","input_schema":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]},"cache_control":{"type":"ephemeral"}}"#,
);

const SYSTEM: &str = r#"],"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":["#;

#[test]
fn by_reference_everything_is_listed_and_results_refer() {
    let expected = [
        HEAD,
        r#",{"name":"startExport","description":"Starts an export.","input_schema":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]},"defer_loading":true}"#,
        r#",{"name":"stopExport","description":"Stops an export.","input_schema":{"type":"object","properties":{}},"defer_loading":true}"#,
        SYSTEM,
        r#"{"role":"user","content":[{"type":"text","text":"Export orders."}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"search","input":{"query": "export"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"tool_reference","tool_name":"startExport"}],"cache_control":{"type":"ephemeral"}}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"startExport","input":{"table":"orders"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"started"}],"cache_control":{"type":"ephemeral"}}]}"#,
        "]}",
    ];
    assert_eq!(body(ByReference, &Asked::new(searched())), expected.concat());
}

#[test]
fn by_value_definitions_stand_behind_the_search() {
    let expected = [
        HEAD,
        SYSTEM,
        r#"{"role":"user","content":[{"type":"text","text":"Export orders."}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"search","input":{"query": "export"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Found, and callable from now on: startExport","cache_control":{"type":"ephemeral"}}]},"#,
        r#"{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"startExport","description":"Description of startExport.","input_schema":{"type":"object","properties":{}}}}}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"startExport","input":{"table":"orders"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"started"}],"cache_control":{"type":"ephemeral"}}]}"#,
        "]}",
    ];
    assert_eq!(body(ByValue, &Asked::new(searched())), expected.concat());
}

#[test]
fn appended_tools_stand_at_the_end_of_the_list() {
    let asked = Asked { found: vec!["stopExport", "startExport"], ..Asked::new(searched()) };
    let expected = [
        HEAD,
        r#",{"name":"stopExport","description":"Stops an export.","input_schema":{"type":"object","properties":{}}}"#,
        r#",{"name":"startExport","description":"Starts an export.","input_schema":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}"#,
        SYSTEM,
        r#"{"role":"user","content":[{"type":"text","text":"Export orders."}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"search","input":{"query": "export"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"functions\":\"startExport\"}"}],"cache_control":{"type":"ephemeral"}}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"startExport","input":{"table":"orders"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"started"}],"cache_control":{"type":"ephemeral"}}]}"#,
        "]}",
    ];
    assert_eq!(body(Append, &asked), expected.concat());
}

#[test]
fn a_mask_has_no_form() {
    for disclosure in [Mask, ClientSearch] {
        let wire = Anthropic::new(endpoint(disclosure), Host::Anthropic);
        let error = Asked::new(searched()).with(|request| wire.encode(request).unwrap_err());
        assert_eq!(
            error.to_string(),
            "the Messages protocol has no form for this disclosure: use by-reference, by-value or append"
        );
    }
}

#[test]
fn a_search_of_the_loop_is_left_out_where_the_list_shows_its_finds() {
    let items = vec![
        user("Export."),
        by_loop(vec![call("l1", "search", r#"{"query":"export"}"#)]),
        results(vec![found("l1", &["stopExport"])]),
    ];
    let asked = Asked { found: vec!["stopExport"], ..Asked::new(items) };
    assert_eq!(
        messages(Append, &asked),
        r#"[{"role":"user","content":[{"type":"text","text":"Export."}]}]"#
    );
    let pair = concat!(
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"l1","name":"search","input":{"query":"export"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"l1","content":"#,
    );
    for disclosure in [ByReference, ByValue] {
        assert!(messages(disclosure, &asked).contains(pair), "{disclosure:?}");
    }
}

#[test]
fn a_tool_is_defined_once_in_a_conversation() {
    let items = vec![
        user("Export."),
        reply(vec![call("c1", "search", "{}"), call("c2", "search", "{}")]),
        results(vec![
            found("c1", &["startExport", "readTable"]),
            found("c2", &["stopExport", "startExport"]),
        ]),
        user("Again."),
        reply(vec![call("c3", "search", "{}")]),
        results(vec![found("c3", &["startExport"])]),
        note("Go on."),
    ];
    let messages: Value = serde_json::from_str(&messages(ByValue, &Asked::new(items))).unwrap();
    let roles: Vec<&Value> = messages.as_array().unwrap().iter().map(|m| &m["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user", "system", "assistant", "user"]);
    let defined = messages[3]["content"].as_array().unwrap();
    let names: Vec<&Value> = defined.iter().map(|b| &b["tool"]["definition"]["name"]).collect();
    assert_eq!(names, ["startExport", "stopExport"], "an inline tool is defined already");
    let content = messages[2]["content"].as_array().unwrap();
    let kinds: Vec<&Value> = content.iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text"], "results come first");
    assert_eq!(
        messages[5]["content"][0]["content"],
        "Found, and callable from now on: startExport"
    );
}

#[test]
fn a_reference_to_a_tool_that_is_gone_becomes_text() {
    let search = |names: &[&str]| {
        vec![
            user("Export."),
            reply(vec![call("c1", "search", "{}")]),
            results(vec![found("c1", names)]),
            note("Go on."),
        ]
    };
    let of = |names: &[&str]| -> Value {
        let messages = messages(ByReference, &Asked::new(search(names)));
        serde_json::from_str::<Value>(&messages).unwrap()[2]["content"].clone()
    };
    assert_eq!(
        of(&["gone", "startExport", "readTable"]),
        json!([
            {"type": "tool_result", "tool_use_id": "c1", "content": [
                {"type": "tool_reference", "tool_name": "startExport"},
                {"type": "tool_reference", "tool_name": "readTable"},
            ]},
            {"type": "text", "text": "No longer offered, though a search found it: gone"},
            {"type": "text", "text": "Go on."},
        ])
    );
    assert_eq!(
        of(&["gone", "lost"]),
        json!([
            {"type": "tool_result", "tool_use_id": "c1", "content": "No longer offered, though a search found it: gone, lost"},
            {"type": "text", "text": "Go on."},
        ])
    );
}

#[test]
fn without_a_shown_tool_nothing_is_deferred() {
    let asked = Asked {
        tools: vec![hidden("stopExport", "Stops.", None)],
        system: "",
        ..Asked::new(vec![
            user("Hi."),
            reply(vec![call("c1", "search", "{}")]),
            results(vec![found("c1", &["stopExport"])]),
        ])
    };
    let body: Value = serde_json::from_str(&body(ByReference, &asked)).unwrap();
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["model", "max_tokens", "messages"]);
    assert_eq!(
        body["messages"][2]["content"][0]["content"],
        "No longer offered, though a search found it: stopExport"
    );
}

#[test]
fn more_tools_than_the_vendor_takes_are_refused() {
    let tools = |count: usize| {
        let mut tools = crate::samples::tools();
        tools.extend((tools.len()..count).map(|at| hidden(&format!("t{at}"), "d", None)));
        Asked { tools, ..Asked::new(vec![user("Hi.")]) }
    };
    let encode = |asked: &Asked<'_>, disclosure| {
        let wire = Anthropic::new(endpoint(disclosure), Host::Anthropic);
        asked.with(|request| wire.encode(request).map(drop))
    };
    assert_eq!(encode(&tools(10_000), ByReference), Ok(()));
    let error = EncodeError::TooManyTools { tools: 10_001, tools_max: 10_000 };
    assert_eq!(encode(&tools(10_001), ByReference), Err(error));
    assert_eq!(encode(&tools(10_001), ByValue), Ok(()));
}

#[test]
fn results_come_first_and_every_call_has_one() {
    let picture = |kind: &str| Content::image(kind, b"png".as_slice());
    let items = vec![
        user("Go."),
        reply(vec![
            call("c1", "readTable", "{}"),
            call("c2", "readTable", "{}"),
            call("c3", "readTable", "{}"),
            call("c4", "readTable", "{}"),
        ]),
        user("Wait."),
        results(vec![
            failed("c3", vec!["no such table".into(), picture("image/png"), json!([1]).into()]),
            result("c2", vec![]),
            result("c1", vec!["".into(), json!({"a": 1}).into(), picture("image/png")]),
            result("c9", vec!["nobody asked".into()]),
        ]),
        note("Answer now."),
    ];
    let asked = Asked::new(items);
    let messages: Value = serde_json::from_str(&messages(Append, &asked)).unwrap();
    assert_eq!(
        messages[2]["content"],
        json!([
            {"type": "tool_result", "tool_use_id": "c1", "content": [
                {"type": "text", "text": "{\"a\":1}"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"}},
            ]},
            {"type": "tool_result", "tool_use_id": "c2", "content": ""},
            {"type": "tool_result", "tool_use_id": "c3", "content": "no such table\n[1]", "is_error": true},
            {"type": "tool_result", "tool_use_id": "c4", "content": "There is no result: the call was interrupted. Call again if it is still needed.", "is_error": true},
            {"type": "text", "text": "Wait."},
            {"type": "text", "text": "Answer now."},
        ])
    );
    let lost: Vec<String> =
        encoded_by(endpoint(Append), &asked).losses.into_iter().map(|loss| loss.place).collect();
    assert_eq!(lost, ["the result of the call c9"]);
}

#[test]
fn what_the_vendor_cannot_be_shown_is_told_and_reported() {
    let asked = Asked::new(vec![oncue_agent::conversation::Item::User {
        content: vec!["".into(), Content::image("image/tiff", b"x".as_slice())],
    }]);
    assert_eq!(
        messages(Append, &asked),
        r#"[{"role":"user","content":[{"type":"text","text":"(a picture of the kind image/tiff cannot be shown)"}]}]"#
    );
    let losses = encoded_by(endpoint(Append), &asked).losses;
    let losses: Vec<(&str, &str)> =
        losses.iter().map(|loss| (loss.place.as_str(), loss.what.as_str())).collect();
    assert_eq!(losses, [("a message of the user", "a picture of the kind image/tiff")]);
}

#[test]
fn a_conversation_without_a_beginning_gets_one_and_an_empty_one_is_refused() {
    let asked = Asked::new(vec![reply(vec![text("Hello.")]), user("Hi."), reply(vec![text("")])]);
    assert_eq!(
        messages(Append, &asked),
        concat!(
            r#"[{"role":"user","content":[{"type":"text","text":"(What came before was left out.)"}]},"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"Hello."}]},"#,
            r#"{"role":"user","content":[{"type":"text","text":"Hi."}]}]"#,
        )
    );
    let wire = Anthropic::new(endpoint(Append), Host::Anthropic);
    let error = Asked::new(vec![user("")]).with(|request| wire.encode(request).unwrap_err());
    assert_eq!(error.to_string(), "the conversation is empty: put what the user says into it");
}

#[test]
fn what_may_be_called_is_said_behind_the_messages() {
    let of = |choice: Choice<'static>| -> Option<String> {
        let body = body(Append, &Asked { choice, ..Asked::new(vec![user("Hi.")]) });
        body.split_once(r#","tool_choice":"#).map(|(_, choice)| choice.to_owned())
    };
    assert_eq!(of(Choice::Free), None);
    assert_eq!(of(Choice::Nothing).as_deref(), Some(r#"{"type":"none"}}"#));
    assert_eq!(of(among(&[])).as_deref(), Some(r#"{"type":"none"}}"#));
    assert_eq!(
        of(among(&["readTable"])).as_deref(),
        Some(r#"{"type":"tool","name":"readTable"}}"#)
    );
    assert_eq!(of(among(&["readTable", "search"])).as_deref(), Some(r#"{"type":"any"}}"#));
    let without_tools =
        Asked { tools: vec![], choice: Choice::Nothing, ..Asked::new(vec![user("Hi.")]) };
    assert!(!body(Append, &without_tools).contains("tool_choice"), "the vendor refuses it alone");
}

#[test]
fn settings_reach_the_body() {
    let asked = Asked {
        tools: vec![],
        system: "",
        temperature: Some(0.7),
        output_tokens_max: Some(50),
        ..Asked::new(vec![user("Hi.")])
    };
    let endpoint = endpoint(Append)
        .with_output_tokens_max(20)
        .with_temperature(0.1)
        .with_cache_diagnostics(true)
        .with_extra("model", "other")
        .with_extra("thinking", json!({"type": "adaptive"}));
    let body = body_by(endpoint.clone(), &asked);
    assert_eq!(
        body,
        concat!(
            r#"{"model":"other","max_tokens":20,"temperature":0.7,"messages":[{"role":"user","content":[{"type":"text","text":"Hi.","cache_control":{"type":"ephemeral"}}]}],"#,
            r#""diagnostics":{"previous_message_id":null},"thinking":{"type":"adaptive"}}"#,
        )
    );
    let wire = Anthropic::new(endpoint, Host::Anthropic);
    let streamed = wire.streaming(body.clone().into_bytes()).unwrap();
    let expected = body.strip_suffix('}').unwrap().to_owned() + r#","stream":true}"#;
    assert_eq!(String::from_utf8(streamed).unwrap(), expected);
}

#[test]
fn models_that_refuse_changed_thoughts_are_told_to_forget_them() {
    let keys = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "k".to_owned());
    let endpoint = crate::Endpoint::parse("anthropic:claude-opus-5-5", keys).unwrap();
    let asked = Asked { tools: vec![], system: "", ..Asked::new(vec![user("Hi.")]) };
    let body: Value = serde_json::from_str(&body_by(endpoint.clone(), &asked)).unwrap();
    let forget =
        json!({"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}});
    assert_eq!(body["thinking"], forget);
    let headers = Anthropic::new(endpoint.clone(), Host::Anthropic).headers();
    let beta = ("anthropic-beta", "thinking-binding-controls-2026-08-01".to_owned());
    assert!(headers.contains(&beta), "{headers:?}");
    let own = endpoint.clone().with_extra("thinking", json!({"type": "between_tools"}));
    assert!(body_by(own, &asked).contains(r#""thinking":{"type":"between_tools"}"#));
    let elsewhere = body_by(endpoint.with_base_url("https://a.example"), &asked);
    assert!(!elsewhere.contains("thinking"), "{elsewhere}");
}

#[test]
fn headers_name_the_version_and_the_betas() {
    let headers = |endpoint| Anthropic::new(endpoint, Host::Anthropic).headers();
    let version = || ("anthropic-version", "2023-06-01".to_owned());
    assert_eq!(headers(endpoint(ByReference)), [version()]);
    let betas = "mid-conversation-tool-changes-2026-07-01,inline-tools-2026-09-15";
    assert_eq!(headers(endpoint(ByValue)), [version(), ("anthropic-beta", betas.to_owned())]);
    let own = endpoint(ByValue)
        .with_header("Anthropic-Beta", "x, y")
        .with_header("anthropic-version", "z");
    assert_eq!(headers(own), [("anthropic-beta", format!("x,y,{betas}"))]);
}

#[test]
fn at_bedrock_version_and_betas_are_in_the_body() {
    let asked = Asked { tools: vec![], system: "", ..Asked::new(vec![user("Hi.")]) };
    let wire =
        Anthropic::new(endpoint(ByReference).with_header("anthropic-beta", "x"), Host::Bedrock);
    let body = asked.with(|request| wire.encode(request).unwrap().body);
    assert_eq!(
        String::from_utf8(body).unwrap(),
        concat!(
            r#"{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["x"],"max_tokens":16000,"#,
            r#""messages":[{"role":"user","content":[{"type":"text","text":"Hi.","cache_control":{"type":"ephemeral"}}]}]}"#,
        )
    );
}

#[test]
fn names_that_the_vendor_refuses_are_changed_both_ways() {
    let long = "aVeryLongNameOfAToolThatIsHiddenFromTheModel";
    let rules = NameRules::of("anthropic").unwrap().with_chars_max(40);
    let asked = Asked {
        tools: vec![crate::samples::inline("search", "s", None), hidden(long, "d", None)],
        choice: among(&[long]),
        ..Asked::new(vec![
            user("Go."),
            reply(vec![call("c1", "search", "{}")]),
            results(vec![found("c1", &[long])]),
            reply(vec![call("c2", long, "{}"), call("c3", "no such.tool", "{}")]),
        ])
    };
    let wire_name = rules.name("", long);
    assert!(wire_name.len() <= 40);
    for disclosure in [ByReference, ByValue] {
        let body = body_by(endpoint(disclosure).with_name_rules(rules), &asked);
        assert!(!body.contains(&format!(r#""{long}""#)), "{body}");
        for place in [
            format!(r#","tool_choice":{{"type":"tool","name":"{wire_name}"}}"#),
            format!(r#""id":"c2","name":"{wire_name}""#),
            format!(r#""id":"c3","name":"{}""#, rules.name("", "no such.tool")),
        ] {
            assert!(body.contains(&place), "{place} in {body}");
        }
    }
    let by_reference = body_by(endpoint(ByReference).with_name_rules(rules), &asked);
    assert!(
        by_reference.contains(&format!(r#"{{"type":"tool_reference","tool_name":"{wire_name}"}}"#))
    );
    assert!(by_reference.contains(&format!(r#"{{"name":"{wire_name}","description":"d""#)));
}
