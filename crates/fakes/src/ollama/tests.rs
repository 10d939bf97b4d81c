//! The fake held against the server's rules, and its answers against each other.

use oncue_agent::cache::{CacheUse, PrefixCache};
use serde_json::{Value, json};

use super::Ollama;
use crate::{Asked, Declared, Failure, Glance, Outcome, Piece, Refusal, Scripted, Wire};

fn asked(body: Value) -> Asked {
    Asked { path: "/api/chat".to_owned(), body, ..Asked::default() }
}

/// The smallest request that is accepted, with these fields beside or instead of its own.
fn body(fields: Value) -> Value {
    let mut body = json!({ "model": "qwen", "messages": [user()] });
    if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
        body.extend(fields);
    }
    body
}

#[track_caller]
fn accepts(fields: Value) {
    let asked = asked(body(fields));
    assert_eq!(Ollama::new().check(&asked), Ok(()), "{}", asked.body);
}

#[track_caller]
fn refuses(fields: Value, message: &str) {
    let asked = asked(body(fields));
    let refusal = Ollama::new().check(&asked).expect_err(&asked.body.to_string());
    assert_eq!(Ollama::new().error(&refusal, 1), json!({ "error": message }), "{}", asked.body);
    assert_eq!(refusal.status, 400);
}

/// Says that a value of another type is refused as the server's decoder does.
#[track_caller]
fn undecodable(fields: Value, got: &str, path: &str, kind: &str) {
    let message = format!(
        "json: cannot unmarshal {got} into Go struct field ChatRequest.{path} of type {kind}"
    );
    refuses(fields, &message);
}

fn user() -> Value {
    json!({ "role": "user", "content": "hello" })
}

fn calls(names: &[&str]) -> Value {
    let call = |name: &&str| json!({ "function": { "name": name, "arguments": {} } });
    let calls: Vec<Value> = names.iter().map(call).collect();
    json!({ "role": "assistant", "content": "", "tool_calls": calls })
}

fn result(name: &str) -> Value {
    json!({ "role": "tool", "tool_name": name, "content": "done" })
}

fn tool(name: &str) -> Value {
    json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object", "properties": {} } } })
}

#[test]
fn a_model_and_messages_are_required() {
    refuses(json!({ "model": "" }), "model is required");
    refuses(json!({ "model": null }), "model is required");
    refuses(
        json!({ "messages": [] }),
        "strict fake: a request without `messages` loads the model and says nothing",
    );
    refuses(
        json!({ "messages": [{ "role": "model", "content": "x" }] }),
        "invalid role: \"model\"",
    );
}

#[test]
fn values_are_of_their_types() {
    undecodable(json!({ "stream": "yes" }), "string", "stream", "bool");
    undecodable(json!({ "messages": "x" }), "string", "messages", "[]api.Message");
    undecodable(
        json!({ "messages": [{ "role": "user", "content": [{ "type": "text", "text": "x" }] }] }),
        "array",
        "messages.content",
        "string",
    );
    undecodable(json!({ "options": [] }), "array", "options", "map[string]interface {}");
    let mut textual = calls(&["f"]);
    textual["tool_calls"][0]["function"]["arguments"] = json!("{}");
    undecodable(
        json!({ "messages": [user(), textual, result("f")] }),
        "string",
        "messages.tool_calls.function.arguments",
        "api.ToolCallFunctionArguments",
    );
    let mut boolean = tool("f");
    boolean["function"]["parameters"]["properties"] = json!({ "a": true });
    undecodable(
        json!({ "tools": [boolean] }),
        "bool",
        "tools.function.parameters.properties",
        "api.ToolProperty",
    );
    for think in [json!(true), json!("high"), Value::Null] {
        accepts(json!({ "think": think }));
    }
    refuses(
        json!({ "think": 1 }),
        "think must be a boolean or string (\"high\", \"medium\", \"low\", true, or false)",
    );
}

#[test]
fn what_the_server_would_read_over_is_refused() {
    let unknown = |fields: Value, path: &str| {
        refuses(
            fields,
            &format!("strict fake: the server knows no `{path}` and would read over it"),
        );
    };
    unknown(json!({ "temperature": 0 }), "temperature");
    unknown(json!({ "tool_choice": "auto" }), "tool_choice");
    let mut strict = tool("f");
    strict["function"]["strict"] = json!(true);
    unknown(json!({ "tools": [strict] }), "tools.function.strict");
    let mut numbered = calls(&["f"]);
    numbered["tool_calls"][0]["id"] = json!("call_1");
    unknown(json!({ "messages": [user(), numbered, result("f")] }), "messages.tool_calls.id");
    let mut paired = result("f");
    paired["tool_call_id"] = json!("call_1");
    unknown(json!({ "messages": [user(), calls(&["f"]), paired] }), "messages.tool_call_id");
    accepts(
        json!({ "options": { "temperature": 0, "num_ctx": 8192 }, "keep_alive": "5m", "format": "json" }),
    );
}

#[test]
fn tools_are_functions_with_names() {
    accepts(json!({ "tools": [tool("files.read")] }));
    refuses(json!({ "tools": [{ "type": "web" }] }), "strict fake: `type` of a tool is `function`");
    refuses(json!({ "tools": [{ "type": "function" }] }), "strict fake: a function has a `name`");
    let asked = asked(body(json!({ "tools": [tool("f")] })));
    assert_eq!(
        Ollama::new().without_tools().check(&asked),
        Err(Refusal::new(400, "", "registry.ollama.ai/library/qwen:latest does not support tools"))
    );
}

#[test]
fn results_name_the_calls_right_before_them() {
    let with = |list: &[Value]| json!({ "messages": list });
    accepts(with(&[
        user(),
        calls(&["f", "g", "f"]),
        result("g"),
        result("f"),
        result("f"),
        user(),
    ]));
    let stray = |name: &str| {
        format!(
            "strict fake: `tool_name` of a result names a call of the message before that has none yet, and `{name}` does not"
        )
    };
    refuses(with(&[user(), result("f")]), &stray("f"));
    refuses(with(&[user(), calls(&["f"]), result("g")]), &stray("g"));
    refuses(with(&[user(), calls(&["f"]), result("f"), result("f")]), &stray("f"));
    let mut nameless = result("f");
    nameless.as_object_mut().unwrap().remove("tool_name");
    refuses(with(&[user(), calls(&["f"]), nameless]), &stray(""));
    let open = "strict fake: the call of `g` has no result right behind it";
    refuses(with(&[user(), calls(&["f", "g"]), result("f")]), open);
    refuses(with(&[user(), calls(&["f", "g"]), result("f"), user()]), open);
}

fn call(name: &str, arguments: Value) -> Piece {
    Piece::Call { name: name.to_owned(), arguments }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn answer(fields: Value, scripted: &Scripted) -> Value {
    Ollama::new().answer(&asked(body(fields)), scripted, &CacheUse::default(), 7)
}

fn lines(fields: Value, scripted: &Scripted) -> Vec<Value> {
    let stream = Ollama::new().stream(&asked(body(fields)), scripted, &CacheUse::default(), 7);
    let text = String::from_utf8(stream.concat()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_reply_has_calls_without_ids_and_names_first() {
    let said = Scripted::Reply(vec![
        text("I look."),
        call("Read", json!({ "path": "a" })),
        call("Now", json!({})),
    ]);
    let answer = answer(json!({}), &said);
    assert_eq!(
        answer["message"],
        json!({
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                { "function": { "name": "Read", "arguments": { "path": "a" } } },
                { "function": { "name": "Now", "arguments": {} } },
            ],
        })
    );
    let call = answer["message"]["tool_calls"][0].to_string();
    assert_eq!(call, r#"{"function":{"name":"Read","arguments":{"path":"a"}}}"#);
    assert_eq!((&answer["done"], &answer["done_reason"]), (&json!(true), &json!("stop")));
    // 7 bytes of text, 4 + 12 of the first call, 3 + 2 of the second.
    assert_eq!(answer["eval_count"], 2 + 4 + 2);
}

#[test]
fn lines_add_up_to_the_plain_answer() {
    let replies = [
        Scripted::Reply(vec![]),
        Scripted::Reply(vec![
            Piece::Reasoning("let me see now".to_owned()),
            text("a longer text, in pieces"),
        ]),
        Scripted::Reply(vec![
            call("Read", json!({ "path": "a" })),
            call("Now", json!({})),
            Piece::Opaque(json!({ "x": 1 })),
        ]),
        Scripted::CutOff(vec![text("a longer text, in pieces")]),
        Scripted::Refusal("I will not do that.".to_owned()),
    ];
    for said in &replies {
        let plain = answer(json!({ "think": true, "stream": false }), said);
        let lines = lines(json!({ "think": true }), said);
        let (last, before) = lines.split_last().unwrap();
        let mut joined = plain["message"].clone();
        for field in ["content", "thinking"] {
            let texts = before.iter().filter_map(|line| line["message"][field].as_str());
            let text: String = texts.collect();
            if !text.is_empty() {
                joined[field] = json!(text);
            }
        }
        let calls: Vec<&Value> = before
            .iter()
            .filter_map(|line| line["message"]["tool_calls"].as_array())
            .flatten()
            .collect();
        if !calls.is_empty() {
            joined["tool_calls"] = json!(calls);
        }
        assert_eq!(joined, plain["message"], "{said:?}");
        assert!(before.iter().all(|line| line["done"] == false));
        let mut ended = plain.clone();
        ended["message"] = json!({ "role": "assistant", "content": "" });
        assert_eq!(last, &ended);
    }
}

#[test]
fn a_stream_is_the_rule() {
    for (fields, streams) in
        [(json!({}), true), (json!({ "stream": true }), true), (json!({ "stream": false }), false)]
    {
        assert_eq!(Ollama::new().streams(&asked(body(fields))), streams);
    }
    assert_eq!(Ollama::new().stream_type(), "application/x-ndjson");
}

#[test]
fn what_cannot_be_said_becomes_text_or_is_lost() {
    let raw =
        |arguments: &str| Piece::RawCall { name: "f".to_owned(), arguments: arguments.to_owned() };
    let message = |said: Scripted| answer(json!({}), &said)["message"].clone();
    let broken = message(Scripted::Reply(vec![raw("{\"half")]));
    assert_eq!(
        broken,
        json!({ "role": "assistant", "content": "{\"name\": \"f\", \"arguments\": {\"half}" })
    );
    let whole = message(Scripted::Reply(vec![raw("{\"a\":1}")]));
    assert_eq!(whole["tool_calls"][0]["function"]["arguments"], json!({ "a": 1 }));
    // Thoughts are told on request alone.
    let thought = message(Scripted::Reply(vec![Piece::Reasoning("hm".to_owned())]));
    assert_eq!(thought, json!({ "role": "assistant", "content": "" }));
    let cut = answer(json!({}), &Scripted::CutOff(vec![text("12"), call("f", json!({}))]));
    assert_eq!(
        (&cut["done_reason"], &cut["message"]),
        (&json!("length"), &json!({ "role": "assistant", "content": "12" }))
    );
}

#[test]
fn a_failure_in_a_stream_is_a_line() {
    let said = Scripted::Error(Failure { mid_stream: true, ..Failure::of(503) });
    let error =
        json!({ "error": "server busy, please try again.  maximum pending requests exceeded" });
    let lines = lines(json!({}), &said);
    assert_eq!((lines.len(), &lines[1]), (2, &error));
    assert_eq!(answer(json!({}), &said), error);
}

#[test]
fn nothing_is_cached_and_a_long_prompt_is_cut_without_a_word() {
    let server = Ollama::new();
    let long = json!({ "messages": [{ "role": "user", "content": "x".repeat(40_000) }] });
    let asked = asked(body(long.clone()));
    let mut cache = PrefixCache::new(server.cache_rules(&asked));
    let used = [(); 2].map(|()| cache.send(&server.prompt(&asked)));
    // {"role":"user","content":""} has 28 bytes.
    let expected = CacheUse { uncached: 10_007, ..CacheUse::default() };
    assert_eq!(used, [expected, expected]);
    let count = |fields: Value| {
        let mut body = body(long.clone());
        body["options"] = fields;
        server.answer(&Asked { body, ..asked.clone() }, &Scripted::Reply(vec![]), &expected, 1)
                ["prompt_eval_count"]
                .clone()
    };
    assert_eq!(count(json!({})), 4_096);
    assert_eq!(count(json!({ "num_ctx": 16_384 })), 10_007);
}

#[test]
fn an_onlooker_sees_tools_and_what_came_of_calls() {
    let body = body(json!({
        "tools": [tool("Find")],
        "messages": [
            user(), calls(&["Old"]), result("Old"),
            { "role": "user", "content": "now" }, calls(&["Find"]), result("Find"),
        ],
    }));
    let expected = Glance {
        said: "now".to_owned(),
        tools: vec![Declared {
            name: "Find".to_owned(),
            parameters: json!({ "type": "object", "properties": {} }),
        }],
        results: vec![Outcome { name: "Find".to_owned(), text: "done".to_owned(), shows: vec![] }],
    };
    assert_eq!(Ollama::new().glance(&asked(body)), Some(expected));
}
