//! Each quirk changes the answer in its own way, and only so.

use serde_json::{Value, json};

use super::{answer, events};
use crate::{Chat, Piece, Quirk, Scripted};

const PARAMETERS: &str = r#"{"type":"object","properties":{"path":{"type":"string"}}}"#;

fn request() -> Value {
    let parameters: Value = serde_json::from_str(PARAMETERS).unwrap();
    let function = json!({ "name": "files_read", "parameters": parameters });
    json!({ "tools": [{ "type": "function", "function": function }] })
}

fn said() -> Scripted {
    let call = |path: &str| Piece::Call {
        name: "files_read".to_owned(),
        arguments: json!({ "path": path }),
    };
    Scripted::Reply(vec![Piece::Text("I look.".to_owned()), call("a"), call("b")])
}

/// Returns the choice of the answer without and with a quirk.
fn choices(quirk: Quirk) -> (Value, Value) {
    let choice = |server: Chat| answer(&server, request(), &said())["choices"][0].clone();
    (choice(Chat::local()), choice(Chat::local().with(quirk)))
}

/// Says that the quirk changes these places of the choice, and no others.
#[track_caller]
fn changes(quirk: Quirk, places: &[(&str, Value)]) {
    let (mut straight, bent) = choices(quirk);
    for (place, value) in places {
        *straight.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
    }
    assert_eq!(bent, straight, "{quirk:?}");
}

const NAMES: [&str; 2] =
    ["/message/tool_calls/0/function/name", "/message/tool_calls/1/function/name"];
const ARGUMENTS: [&str; 2] =
    ["/message/tool_calls/0/function/arguments", "/message/tool_calls/1/function/arguments"];
const IDS: [&str; 2] = ["/message/tool_calls/0/id", "/message/tool_calls/1/id"];

fn both(places: [&'static str; 2], values: [Value; 2]) -> Vec<(&'static str, Value)> {
    places.into_iter().zip(values).collect()
}

#[test]
fn names_are_bent() {
    let prefixed = json!("functions.files_read");
    changes(Quirk::FunctionsPrefix, &both(NAMES, [prefixed.clone(), prefixed]));
    // 0xa1b2c3 and the number of the request, 7.
    let suffixed = json!("files_read_a1b2ca");
    changes(Quirk::NameSuffix, &both(NAMES, [suffixed.clone(), suffixed]));
}

#[test]
fn dots_of_names_are_lost() {
    let said =
        Scripted::Reply(vec![Piece::Call { name: "files.read".to_owned(), arguments: json!({}) }]);
    let answer = answer(&Chat::local().with(Quirk::DotsReplaced), json!({}), &said);
    assert_eq!(answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "files_read");
}

#[test]
fn arguments_are_bent() {
    changes(
        Quirk::ObjectArguments,
        &both(ARGUMENTS, [json!({ "path": "a" }), json!({ "path": "b" })]),
    );
    changes(Quirk::EmptyArguments, &both(ARGUMENTS, [json!(""), json!("")]));
    changes(Quirk::SchemaEchoed, &both(ARGUMENTS, [json!(PARAMETERS), json!(PARAMETERS)]));
    let more = |path: &str| json!(format!("{{\"path\":\"{path}\",\"requires_approval\":false}}"));
    changes(Quirk::UnknownArgument, &both(ARGUMENTS, [more("a"), more("b")]));
}

#[test]
fn ids_are_bent() {
    let kimi = ["functions.files_read:0", "functions.files_read:1"].map(|id| json!(id));
    changes(Quirk::KimiIds, &both(IDS, kimi));
    changes(Quirk::IdDuplicated, &both(IDS, [json!("call_7_0"), json!("call_7_0")]));
    let (mut straight, bent) = choices(Quirk::IdMissing);
    for call in straight["message"]["tool_calls"].as_array_mut().unwrap() {
        call.as_object_mut().unwrap().remove("id");
    }
    assert_eq!(bent, straight);
}

#[test]
fn two_calls_are_glued() {
    let (mut straight, bent) = choices(Quirk::GluedCalls);
    straight["message"]["tool_calls"].as_array_mut().unwrap().truncate(1);
    *straight.pointer_mut(ARGUMENTS[0]).unwrap() = json!("{\"path\":\"a\"}{\"path\":\"b\"}");
    assert_eq!(bent, straight);
}

#[test]
fn calls_hide_in_the_text() {
    let (mut straight, bent) = choices(Quirk::FencedCalls);
    straight["message"].as_object_mut().unwrap().remove("tool_calls");
    straight["message"]["content"] = json!(
        "I look.```json\n{\"name\":\"files_read\",\"arguments\":{\"path\":\"a\"}}\n```\n```json\n{\"name\":\"files_read\",\"arguments\":{\"path\":\"b\"}}\n```\n"
    );
    straight["finish_reason"] = json!("stop");
    assert_eq!(bent, straight);
}

#[test]
fn the_frame_of_the_reply_is_bent() {
    changes(Quirk::NullContent, &[("/message/content", Value::Null)]);
    changes(Quirk::FinishStop, &[("/finish_reason", json!("stop"))]);
}

#[test]
fn every_quirk_shows_in_the_stream_too() {
    let stream = |server: &Chat| events(server, request(), &said());
    let straight = stream(&Chat::local());
    for quirk in Quirk::ALL {
        let bent = stream(&Chat::local().with(quirk));
        // The name has no dot to lose.
        assert_eq!(bent == straight, quirk == Quirk::DotsReplaced, "{quirk:?}");
    }
    let object = stream(&Chat::local().with(Quirk::ObjectArguments));
    let whole = object.iter().find(|chunk| {
        chunk["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"]
            == json!({ "path": "a" })
    });
    assert!(whole.is_some());
}
