//! What is sent.

use oncue_agent::conversation::Item;
use oncue_agent::{Choice, Disclosure, EncodeError};
use oncue_tools::Content;
use serde_json::{Value, json};

use super::super::{Gemini, signs};
use super::{body, contents, encoded, endpoint, signing};
use crate::samples::{
    Asked, among, by_loop, call, failed, found, inline, note, replayed, reply, result, results,
    text, user,
};
use crate::wire::Wire;
use crate::{Endpoint, Protocol};

const SEARCH: &str = r#"{"name":"search","description":"Finds tools.","parametersJsonSchema":{"type":"object","properties":{"query":{"type":"string"}}}}"#;
const READ: &str = r#"{"name":"readTable","description":"Reads a table.","parametersJsonSchema":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}"#;
const START: &str = r#"{"name":"startExport","description":"Starts an export.","parametersJsonSchema":{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}}"#;
const STOP: &str = r#"{"name":"stopExport","description":"Stops an export.","parametersJsonSchema":{"type":"object","properties":{}}}"#;

fn append() -> Endpoint {
    endpoint(Disclosure::Append)
}

#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn of_user(parts: Value) -> Value {
    json!({"role": "user", "parts": parts})
}

#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn of_model(parts: Value) -> Value {
    json!({"role": "model", "parts": parts})
}

#[test]
fn a_plain_request_has_its_tools_and_contents() {
    let asked = Asked { found: vec!["stopExport"], ..Asked::new(vec![user("Hello.")]) };
    assert_eq!(
        body(append(), &asked),
        format!(
            r#"{{"tools":[{{"functionDeclarations":[{SEARCH},{READ},{STOP}]}}],"systemInstruction":{{"parts":[{{"text":"Be brief."}}]}},"contents":[{{"role":"user","parts":[{{"text":"Hello."}}]}}]}}"#
        )
    );
    let bare = Asked {
        tools: Vec::new(),
        found: Vec::new(),
        system: "",
        choice: Choice::Nothing,
        ..asked
    };
    assert_eq!(
        body(append(), &bare),
        r#"{"contents":[{"role":"user","parts":[{"text":"Hello."}]}]}"#
    );
}

#[test]
fn the_address_names_the_model() {
    let path = |model: &str, streams| {
        Gemini::new(Endpoint::new(Protocol::Gemini, "http://a.example/v1beta", model)).path(streams)
    };
    assert_eq!(path("gemini-3-pro", false), "/models/gemini-3-pro:generateContent");
    assert_eq!(path("gemini-3-pro", true), "/models/gemini-3-pro:streamGenerateContent?alt=sse");
    assert_eq!(
        path("publishers/google/models/x", false),
        "/publishers/google/models/x:generateContent"
    );
}

#[test]
fn a_choice_is_a_mode() {
    let config = |endpoint: Endpoint, choice| {
        let asked = Asked { choice, found: vec!["stopExport"], ..Asked::new(vec![user("a")]) };
        serde_json::from_str::<Value>(&body(endpoint, &asked)).unwrap()["toolConfig"]
            ["functionCallingConfig"]
            .take()
    };
    let mask = || endpoint(Disclosure::Mask);
    assert_eq!(config(append(), Choice::Free), Value::Null);
    for endpoint in [append(), mask()] {
        assert_eq!(config(endpoint.clone(), Choice::Nothing), json!({"mode": "NONE"}));
        assert_eq!(config(endpoint.clone(), among(&[])), json!({"mode": "NONE"}));
        assert_eq!(
            config(endpoint, among(&["stopExport", "readTable"])),
            json!({"mode": "ANY", "allowedFunctionNames": ["stopExport", "readTable"]})
        );
    }
    assert_eq!(
        config(mask(), Choice::Free),
        json!({"mode": "VALIDATED", "allowedFunctionNames": ["search", "readTable", "stopExport"]})
    );
    let all = body(mask(), &Asked::new(vec![user("a")]));
    assert!(all.contains(&format!(r#""functionDeclarations":[{SEARCH},{READ},{START},{STOP}]"#)));
}

#[test]
fn settings_of_the_reply_stand_together() {
    let asked = Asked {
        output_tokens_max: Some(100),
        temperature: Some(0.7),
        tools: Vec::new(),
        system: "",
        ..Asked::new(vec![user("a")])
    };
    let endpoint = append()
        .with_extra(
            "generationConfig",
            json!({"thinkingConfig": {"includeThoughts": true}, "maxOutputTokens": 50}),
        )
        .with_extra("safetySettings", json!([]));
    assert_eq!(
        body(endpoint, &asked),
        r#"{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{"maxOutputTokens":50,"temperature":0.7,"thinkingConfig":{"includeThoughts":true}},"safetySettings":[]}"#
    );
}

#[test]
fn older_versions_get_the_subset() {
    let schema = r#"{"type":"object","properties":{"a":{"type":["string","null"],"format":"uri"}},"additionalProperties":false}"#;
    let tools = vec![inline("one", "", Some(schema)), inline("none", "", None)];
    let asked = Asked { tools, ..Asked::new(vec![user("a")]) };
    let encoded = encoded(append().with_base_url("http://a.example/v1"), &asked).unwrap();
    let sent = String::from_utf8(encoded.body).unwrap();
    assert!(sent.contains(r#""functionDeclarations":[{"name":"one","parameters":{"type":"object","properties":{"a":{"type":"string","nullable":true}}}},{"name":"none"}]"#), "{sent}");
    let places: Vec<&str> = encoded.losses.iter().map(|loss| loss.place.as_str()).collect();
    assert_eq!(places, ["one: /additionalProperties", "one: /properties/a/format"]);
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
fn results_are_objects_in_call_order() {
    let asked = Asked::new(vec![
        user("Read two."),
        by_loop(vec![call("p", "search", "{}")]),
        results(vec![found("p", &["stopExport"])]),
        reply(vec![
            text("I read."),
            call("c1", "readTable", r#"{"table":"a"}"#),
            call("c2", "readTable", "broken"),
            call("c3", "no.body", "{}"),
        ]),
        results(vec![
            result("c2", vec!["two".into(), json!([2]).into()]),
            failed("c1", vec!["no".into()]),
        ]),
        note("Answer now."),
    ]);
    let sent = contents(append(), &asked);
    let odd = sent[1]["parts"][3]["functionCall"]["name"].as_str().unwrap();
    assert!(odd.starts_with("no_body_"), "{odd}");
    assert_eq!(
        sent,
        json!([
            of_user(json!([{"text": "Read two."}])),
            of_model(json!([
                {"text": "I read."},
                {"functionCall": {"name": "readTable", "args": {"table": "a"}}},
                {"functionCall": {"name": "readTable", "args": {}}},
                {"functionCall": {"name": odd, "args": {}}},
            ])),
            of_user(json!([
                {"functionResponse": {"name": "readTable", "response": {"error": "no"}}},
                {"functionResponse": {"name": "readTable", "response": {"output": "two\n[2]"}}},
                {"functionResponse": {"name": odd, "response": {"error": "There is no result: the call was interrupted. Call again if it is still needed."}}},
            ])),
            of_user(json!([{"text": "Answer now."}])),
        ])
    );
    let json = Asked::new(vec![
        user("a"),
        reply(vec![call("c1", "readTable", "{}")]),
        results(vec![result("c1", vec![json!({"rows": 2}).into()])]),
    ]);
    assert_eq!(
        contents(append(), &json)[2]["parts"][0]["functionResponse"]["response"],
        json!({"output": {"rows": 2}})
    );
}

#[test]
fn a_reply_stands_behind_a_user() {
    let asked = Asked::new(vec![reply(vec![text("a")]), reply(vec![]), reply(vec![text("b")])]);
    assert_eq!(
        contents(append(), &asked),
        json!([
            of_user(json!([{"text": "(What came before was left out.)"}])),
            of_model(json!([{"text": "a"}])),
            of_user(json!([{"text": "(Go on.)"}])),
            of_model(json!([{"text": "b"}])),
        ])
    );
}

#[test]
fn pictures_are_inline() {
    let picture = || Content::image("image/png", *b"abc");
    let shown = json!({"inlineData": {"mimeType": "image/png", "data": "YWJj"}});
    let asked = Asked::new(vec![
        Item::User { content: vec!["Look:".into(), picture()] },
        reply(vec![call("c1", "readTable", "{}")]),
        results(vec![result("c1", vec![picture(), "seen".into()])]),
    ]);
    let sent = contents(append(), &asked);
    assert_eq!(sent[0], of_user(json!([{"text": "Look:"}, shown])));
    assert_eq!(sent[2]["parts"][0]["functionResponse"]["response"], json!({"output": "seen"}));
    assert_eq!(sent[3], of_user(json!([{"text": "The pictures of readTable:"}, shown])));
}

#[test]
fn a_reply_of_this_wire_is_replayed_with_its_signatures() {
    let came = of_model(json!([
        {"text": "Hm.", "thought": true},
        {"text": "", "thoughtSignature": "c2ln"},
        {"functionCall": {"id": "x", "name": "readTable", "args": {"table": "a"}}, "thoughtSignature": "c2lnMg=="},
        {"functionCall": {"name": "readTable"}},
        {"executableCode": {"code": "1"}},
    ]));
    let parts = || vec![call("x2", "readTable", r#"{"table":"a"}"#), call("made", "readTable", "")];
    let asked = Asked::new(vec![
        user("a"),
        replayed("gemini", came.clone(), parts()),
        results(vec![result("made", vec!["b".into()]), result("x2", vec!["a".into()])]),
    ]);
    let mut expected = came.clone();
    expected["parts"][2]["functionCall"]["id"] = json!("x2");
    let sent = contents(signing(), &asked);
    assert_eq!(sent[1], expected);
    assert_eq!(
        sent[2],
        of_user(json!([
            {"functionResponse": {"id": "x2", "name": "readTable", "response": {"output": "a"}}},
            {"functionResponse": {"name": "readTable", "response": {"output": "b"}}},
        ]))
    );
    // A reply whose calls are others now is written anew.
    let other = Asked::new(vec![user("a"), replayed("gemini", came, vec![text("b")])]);
    assert_eq!(contents(append(), &other)[1], of_model(json!([{"text": "b"}])));
}

#[test]
fn a_call_that_was_never_signed_says_so_where_signatures_are_wanted() {
    let asked = || {
        Asked::new(vec![
            user("a"),
            reply(vec![text("b"), call("c1", "readTable", "{}"), call("c2", "readTable", "{}")]),
        ])
    };
    let signature = |endpoint, at: usize| {
        contents(endpoint, &asked())[1]["parts"][at]["thoughtSignature"].take()
    };
    assert_eq!(signature(signing(), 1), "skip_thought_signature_validator");
    assert_eq!(signature(signing(), 2), Value::Null);
    assert_eq!(signature(append(), 1), Value::Null);
    for (model, expected) in [
        ("gemini-3-pro", true),
        ("gemini-10-flash", true),
        ("publishers/google/models/gemini-3.5-flash", true),
        ("gemini-flash-latest", true),
        ("gemini-2.5-flash", false),
        ("gemma-3-27b-it", false),
    ] {
        assert_eq!(signs(model), expected, "{model}");
    }
}
