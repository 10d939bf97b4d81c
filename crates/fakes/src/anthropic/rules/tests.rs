#![expect(
    clippy::needless_pass_by_value,
    reason = "requests are written where they are sent, and read better without borrows"
)]

use serde_json::{Value, json};

use super::check;
use crate::Asked;
use crate::anthropic::Door;
use crate::anthropic::sent::{Sent, signature};

/// A model that takes everything that can be taken, one that takes no system messages, and one that cannot be forced.
const MODEL: &str = "claude-opus-5";
const OLD: &str = "claude-sonnet-4-5";
const NEW: &str = "claude-opus-5-5";

const INLINE: &str = "inline-tools-2026-09-15";
const CHANGES: &str = "mid-conversation-tool-changes-2026-07-01";

fn asked(body: Value, beta: &str) -> Asked {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut headers = vec![
        header("x-api-key", "k"),
        header("anthropic-version", "2023-06-01"),
        header("content-type", "application/json"),
    ];
    if !beta.is_empty() {
        headers.push(header("anthropic-beta", beta));
    }
    Asked { path: "/v1/messages".to_owned(), headers, body, ..Asked::default() }
}

/// The smallest request, with the fields of `more` put in.
fn body(more: Value) -> Value {
    let mut body = json!({
        "model": MODEL,
        "max_tokens": 10,
        "messages": [{"role": "user", "content": "Hi"}],
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[track_caller]
fn refused_with(more: Value, beta: &str, message: &str) {
    let refusal = check(&asked(body(more.clone()), beta), Door::Direct, &Sent::default());
    let refusal = refusal.expect_err(&more.to_string());
    assert!(
        refusal.message.contains(message),
        "{more}\n  got {}\n want {message}",
        refusal.message
    );
}

#[track_caller]
fn refused(more: Value, message: &str) {
    refused_with(more, "", message);
}

#[track_caller]
fn taken_with(more: Value, beta: &str) {
    if let Err(refusal) = check(&asked(body(more.clone()), beta), Door::Direct, &Sent::default()) {
        panic!("{more}\n  got {}", refusal.message);
    }
}

#[track_caller]
fn taken(more: Value) {
    taken_with(more, "");
}

fn tool(name: &str) -> Value {
    json!({"name": name, "input_schema": {"type": "object"}})
}

fn deferred(name: &str) -> Value {
    json!({"name": name, "input_schema": {"type": "object"}, "defer_loading": true})
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn system(content: Value) -> Value {
    json!({"role": "system", "content": content})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "search", "input": {}})
}

fn result(id: &str, content: Value) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

fn said(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A search whose result has this content, with these tools.
fn searched(tools: Value, content: Value) -> Value {
    json!({
        "tools": tools,
        "messages": [
            user(json!("Hi")),
            assistant(json!([call("t1")])),
            user(json!([result("t1", content)])),
        ],
    })
}

fn reference(name: &str) -> Value {
    json!({"type": "tool_reference", "tool_name": name})
}

#[test]
fn headers_name_the_key_the_version_and_the_media_type() {
    let status = |without: &str, instead: Option<&str>| {
        let mut asked = asked(body(json!({})), "");
        asked.headers.retain(|(name, _)| name != without);
        if let Some(value) = instead {
            asked.headers.push((without.to_owned(), value.to_owned()));
        }
        check(&asked, Door::Direct, &Sent::default()).map_err(|refusal| refusal.status)
    };
    assert_eq!(status("x-api-key", None), Err(401));
    assert_eq!(status("x-api-key", Some("")), Err(401));
    assert_eq!(status("x-api-key", Some("other")), Ok(()));
    assert_eq!(status("anthropic-version", None), Err(400));
    assert_eq!(status("anthropic-version", Some("2024-01-01")), Err(400));
    assert_eq!(status("anthropic-version", Some("2026-10-21")), Ok(()));
    assert_eq!(status("content-type", Some("text/plain")), Err(400));
    assert_eq!(status("content-type", Some("application/json; charset=utf-8")), Ok(()));
    let mut bearer = asked(body(json!({})), "");
    bearer.headers.retain(|(name, _)| name != "x-api-key");
    bearer.headers.push(("authorization".to_owned(), "Bearer t".to_owned()));
    assert_eq!(check(&bearer, Door::Direct, &Sent::default()), Ok(()));
}

#[test]
fn the_outermost_fields_are_known_and_in_their_range() {
    taken(json!({}));
    refused(json!({"stop": []}), "stop: Extra inputs are not permitted");
    refused(json!({"max_tokens": 0}), "max_tokens: Input should be greater than or equal to 1");
    refused(json!({"max_tokens": 1.5}), "max_tokens: Input should be a valid integer");
    taken(json!({"max_tokens": 1}));
    refused(json!({"model": null}), "model: Input should be a valid string");
    refused(json!({"model": "gpt"}), "model: gpt");
    refused(json!({"messages": []}), "at least one message is required");
    refused(json!({"stream": 1}), "stream: Input should be a valid boolean");
    refused(json!({"system": [{"type": "text", "text": ""}]}), "must be non-empty");
    taken(json!({"system": [said("x")], "stream": true, "stop_sequences": ["x"]}));
    refused(json!({"diagnostics": {"previous": "x"}}), "diagnostics.previous: Extra inputs");
    taken(json!({"diagnostics": {"previous_message_id": null}}));
    for absent in ["max_tokens", "messages", "model"] {
        let mut body = body(json!({}));
        body.as_object_mut().unwrap().remove(absent);
        let refusal = check(&asked(body, ""), Door::Direct, &Sent::default()).unwrap_err();
        assert_eq!(refusal.message, format!("{absent}: Field required"));
    }
    let unknown = refusal_of(json!({"model": "gpt"}), "");
    assert_eq!((unknown.status, unknown.kind.as_str()), (404, "not_found_error"));
}

fn refusal_of(more: Value, beta: &str) -> crate::Refusal {
    check(&asked(body(more), beta), Door::Direct, &Sent::default()).unwrap_err()
}

#[test]
fn sampling_and_thoughts_are_set_as_the_model_takes_them() {
    taken(json!({"model": OLD, "temperature": 0.5, "top_k": 5}));
    taken(json!({"temperature": 1}));
    refused(json!({"temperature": 0.5}), "`temperature` is deprecated for this model.");
    refused(json!({"top_k": 5}), "`top_k` is deprecated");
    refused(json!({"model": OLD, "temperature": 1.5}), "temperature: Input should be");
    taken(json!({"thinking": {"type": "adaptive"}}));
    refused(json!({"thinking": {"type": "deep"}}), "expected tags");
    refused(json!({"thinking": {"type": "adaptive", "budget_tokens": 1}}), "Extra inputs");
    let budget = |tokens: u64| json!({"type": "enabled", "budget_tokens": tokens});
    refused(json!({"thinking": budget(1_024), "max_tokens": 2_000}), "is not supported");
    let old = |tokens: u64, max: u64| json!({"model": OLD, "thinking": budget(tokens), "max_tokens": max});
    taken(old(1_024, 1_025));
    refused(old(1_023, 2_000), "greater than or equal to 1024");
    refused(old(1_024, 1_024), "must be greater than `thinking.budget_tokens`");
}

#[test]
fn the_second_version_knows_no_sampling_and_no_citations_of_the_users() {
    let held = |version: &str, more: Value| {
        let mut asked = asked(body(more), "");
        asked.headers.retain(|(name, _)| name != "anthropic-version");
        asked.headers.push(("anthropic-version".to_owned(), version.to_owned()));
        check(&asked, Door::Direct, &Sent::default()).map_err(|refusal| refusal.message)
    };
    let cited = json!([{"type": "text", "text": "x", "citations": [{"type": "char_location"}]}]);
    let cites = || json!({"messages": [user(cited.clone())]});
    let samples = || json!({"model": OLD, "temperature": 1});
    for more in [cites(), samples()] {
        assert_eq!(held("2023-06-01", more.clone()), Ok(()));
        let message = held("2026-10-21", more).unwrap_err();
        assert!(message.contains("Extra inputs are not permitted"), "{message}");
    }
    assert_eq!(held("2026-10-21", json!({})), Ok(()));
}

#[test]
fn tools_have_a_name_a_schema_and_known_fields() {
    let one = |tool: Value| json!({"tools": [tool]});
    taken(one(tool("a-B_9")));
    taken(one(tool(&"n".repeat(128))));
    refused(
        one(tool(&"n".repeat(129))),
        "tools.0.custom.name: String should have at most 128 characters",
    );
    refused(one(tool("a.b")), "tools.0.custom.name: String should match pattern");
    refused(one(tool("")), "String should match pattern");
    refused(json!({"tools": [tool("a"), tool("a")]}), "tools: Tool names must be unique.");
    taken(json!({"tools": [tool("a"), tool("b")]}));
    refused(one(json!({"name": "a"})), "tools.0.custom.input_schema: Field required");
    refused(one(json!({"name": "a", "input_schema": {}})), "input_schema.type: Field required");
    refused(
        one(json!({"name": "a", "input_schema": {"type": "string"}})),
        "input_schema.type: Input should be 'object'",
    );
    refused(
        one(json!({"name": "a", "input_schema": {"type": "object", "anyOf": []}})),
        "does not support oneOf, allOf, or anyOf at the top level",
    );
    refused(
        one(json!({"name": "a", "parameters": {}, "input_schema": {"type": "object"}})),
        "tools.0.custom.parameters: Extra inputs are not permitted",
    );
    taken(one(json!({
        "type": "custom", "name": "a", "description": "d", "strict": true, "defer_loading": false,
        "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"},
    })));
    refused(
        one(json!({"type": "function", "name": "a"})),
        "does not match any of the expected tags",
    );
    let search = |name: &str| json!({"type": "tool_search_tool_bm25_20251119", "name": name});
    taken(json!({"tools": [search("tool_search_tool_bm25"), deferred("a")]}));
    refused(one(search("search")), "name: Input should be 'tool_search_tool_bm25'");
    let strict = |count: usize| -> Value {
        let tools = (0..count).map(|n| {
            json!({"name": format!("t{n}"), "strict": true, "input_schema": {"type": "object"}})
        });
        json!({"tools": tools.collect::<Vec<_>>()})
    };
    taken(strict(20));
    refused(strict(21), "Schema is too complex for compilation");
}

#[test]
fn deferred_tools_stand_beside_a_visible_one_and_are_not_marked() {
    refused(json!({"tools": [deferred("a")]}), "At least one tool must have defer_loading=false");
    taken(json!({"tools": [tool("search"), deferred("a")]}));
    let mut marked = deferred("a");
    marked["cache_control"] = json!({"type": "ephemeral"});
    refused(
        json!({"tools": [tool("search"), marked]}),
        "Tool 'a' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
    );
    let many = |count: usize| -> Value {
        let mut tools = vec![tool("search")];
        tools.extend((0..count).map(|n| deferred(&format!("t{n}"))));
        json!({ "tools": tools })
    };
    taken(many(10_000));
    let refusal = refusal_of(many(10_001), "");
    let code = ("error_code".to_owned(), "available_tools_limit_exceeded".to_owned());
    assert_eq!(refusal.details, [code]);
}

#[test]
fn a_result_refers_to_tools_of_the_request_and_to_nothing_else() {
    let tools = || json!([tool("search"), deferred("a"), deferred("b")]);
    taken(searched(tools(), json!([reference("a"), reference("b")])));
    refused(
        searched(tools(), json!([reference("c")])),
        "Tool reference 'c' not found in available tools",
    );
    refused(
        searched(tools(), json!([reference("a"), said("found")])),
        "Tool definitions/code execution functions cannot be mixed with other content",
    );
    refused(
        searched(tools(), json!([{"type": "tool_reference", "name": "a"}])),
        "tool_name: Field required",
    );
    // However long ago it was, and although an old call of a lost tool is nobody's business.
    let later = |tools: Value| {
        let mut body = searched(tools, json!([reference("a")]));
        let messages = body["messages"].as_array_mut().unwrap();
        messages.push(assistant(json!([said("ok")])));
        messages.push(user(json!("go on")));
        body
    };
    taken(later(json!([tool("other"), deferred("a")])));
    refused(later(json!([tool("other")])), "Tool reference 'a' not found");
    // The result may be marked, and a text may follow it.
    let mut marked = searched(tools(), json!([reference("a")]));
    marked["messages"][2]["content"][0]["cache_control"] = json!({"type": "ephemeral"});
    marked["messages"][2]["content"].as_array_mut().unwrap().push(said("go on"));
    taken(marked);
}

#[test]
fn every_call_has_one_result_in_the_next_message_before_anything_else() {
    let talk = |messages: Value| json!({"tools": [tool("search")], "messages": messages});
    let hi = || user(json!("Hi"));
    let one = || json!([call("t1")]);
    taken(talk(json!([hi(), assistant(one()), user(json!([result("t1", json!("r"))]))])));
    let missing =
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1.";
    refused(talk(json!([hi(), assistant(one()), hi()])), missing);
    refused(
        talk(json!([hi(), assistant(one()), user(json!([said("x"), result("t1", json!("r"))]))])),
        missing,
    );
    refused(talk(json!([hi(), assistant(one()), assistant(json!("x")), hi()])), missing);
    let two = || json!([call("t1"), call("t2")]);
    let r = |id: &str| result(id, json!("r"));
    taken(talk(json!([hi(), assistant(two()), user(json!([r("t2"), r("t1"), said("x")]))])));
    refused(
        talk(json!([hi(), assistant(two()), user(json!([r("t1"), said("x"), r("t2")]))])),
        "immediately after: t2.",
    );
    refused(
        talk(json!([hi(), assistant(two()), user(json!([r("t1")]))])),
        "immediately after: t2.",
    );
    refused(
        talk(json!([hi(), assistant(one()), user(json!([r("t1"), r("t1")]))])),
        "each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1",
    );
    refused(
        talk(json!([hi(), assistant(one()), user(json!([r("t1"), r("t9")]))])),
        "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: t9.",
    );
    refused(talk(json!([user(json!([r("t1")]))])), "unexpected `tool_use_id`");
    let turn = |id: &str| [assistant(json!([call(id)])), user(json!([r(id)]))];
    let twice = |second: &str| {
        let mut all = vec![hi()];
        all.extend(turn("t1"));
        all.extend(turn(second));
        talk(json!(all))
    };
    taken(twice("t2"));
    refused(twice("t1"), "messages.3.content.0: `tool_use` ids must be unique");
    refused(
        talk(json!([hi(), assistant(json!([call("a.b")])), user(json!([r("a.b")]))])),
        "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    );
    let mut without_tools = talk(json!([hi(), assistant(one()), user(json!([r("t1")]))]));
    without_tools.as_object_mut().unwrap().remove("tools");
    refused(without_tools, "must define tools");
}

#[test]
fn messages_have_content_of_known_kinds() {
    let talk = |messages: Value| json!({"messages": messages});
    taken(talk(json!([user(json!([said("x")])), assistant(json!("y")), user(json!("z"))])));
    taken(talk(json!([user(json!("x")), user(json!("z"))])));
    refused(talk(json!([user(json!(""))])), "all messages must have non-empty content");
    refused(talk(json!([user(json!([]))])), "all messages must have non-empty content");
    refused(
        talk(json!([user(json!([said("")]))])),
        "messages: text content blocks must be non-empty",
    );
    refused(talk(json!([user(json!(" \n"))])), "must contain non-whitespace text");
    refused(
        talk(json!([{"role": "tool", "content": "x"}])),
        "messages.0.role: Input should be 'user' or 'assistant'",
    );
    refused(
        talk(json!([{"role": "user", "content": "x", "name": "n"}])),
        "messages.0.name: Extra inputs",
    );
    refused(
        talk(json!([user(json!([{"type": "input_text", "text": "x"}]))])),
        "Input tag 'input_text'",
    );
    refused(
        talk(json!([user(json!([{"type": "text", "text": "x", "id": "y"}]))])),
        "messages.0.content.0.text.id: Extra inputs are not permitted",
    );
    refused(talk(json!([user(json!([call("t1")]))])), "Input tag 'tool_use'");
    refused(
        talk(json!([user(json!("x")), assistant(json!([{"type": "beam"}])), user(json!("z"))])),
        "Input tag 'beam'",
    );
}

#[test]
fn only_older_models_go_on_with_a_reply_that_was_begun() {
    let begun = |model: &str, text: &str| json!({"model": model, "messages": [user(json!("x")), assistant(json!(text))]});
    taken(begun(OLD, "The answer is"));
    refused(begun(OLD, "The answer is "), "cannot end with trailing whitespace");
    refused(begun(MODEL, "The answer is"), "does not support assistant message prefill");
}

#[test]
fn thoughts_and_unknown_blocks_come_back_as_they_were_sent() {
    let with = |block: &Value| {
        body(json!({"messages": [user(json!("x")), assistant(json!([block])), user(json!("z"))]}))
    };
    let sent = Sent::default();
    let of = |block: Value| {
        check(&asked(with(&block), ""), Door::Direct, &sent).map_err(|refusal| refusal.message)
    };
    let thinking =
        |text: &str| json!({"type": "thinking", "thinking": text, "signature": signature("why")});
    assert_eq!(of(thinking("why")), Ok(()));
    let changed = of(thinking("because")).unwrap_err();
    assert_eq!(changed, "messages.1.content.0: Invalid `signature` in `thinking` block");
    sent.keep(&json!({"type": "beam", "n": 1}));
    assert_eq!(of(json!({"type": "beam", "n": 1})), Ok(()));
    assert!(of(json!({"type": "beam", "n": 2})).is_err());
}

#[test]
fn system_messages_stand_where_the_vendor_lets_them() {
    let talk = |messages: &[Value]| json!({ "messages": messages });
    let (u, a, s) = (user(json!("u")), assistant(json!("a")), system(json!("s")));
    let pick = |word: &str| -> Vec<Value> {
        let of = |c: char| match c {
            'u' => u.clone(),
            'a' => a.clone(),
            _ => s.clone(),
        };
        word.chars().map(of).collect()
    };
    for word in ["us", "uss", "usau", "uu", "usaus"] {
        taken(talk(&pick(word)));
    }
    let follow = "role 'system' must follow a 'user' message";
    let precede = "role 'system' must precede an 'assistant' message or end the array";
    for (word, message) in [
        ("uasu", follow),
        ("uassu", follow),
        ("uasau", follow),
        ("ussu", precede),
        ("usu", precede),
        ("ssu", "messages.0: use the top-level 'system' parameter"),
        ("s", "messages.0: use the top-level 'system' parameter"),
    ] {
        refused(talk(&pick(word)), message);
    }
    refused(json!({"model": OLD, "messages": pick("us")}), "messages: Unexpected role \"system\".");
    refused(
        talk(&[u.clone(), system(json!([]))]),
        "messages.1: system content must contain at least one block",
    );
    refused(
        talk(&[u.clone(), system(json!(""))]),
        "messages.1: system content must contain at least one block",
    );
    refused(talk(&[u.clone(), system(json!([said("")]))]), "text content blocks must be non-empty");
    let image = json!({"type": "image", "source": {}});
    refused(
        talk(&[u.clone(), system(json!([image]))]),
        "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only",
    );
    let mut between = searched(json!([tool("search")]), json!("r"));
    between["messages"].as_array_mut().unwrap().insert(2, s);
    refused(between, follow);
}

fn changed(tools: Value, blocks: Value) -> Value {
    json!({"tools": tools, "messages": [user(json!("u")), system(blocks)]})
}

fn addition(tool: Value) -> Value {
    json!({"type": "tool_addition", "tool": tool})
}

fn by_name(name: &str) -> Value {
    json!({"type": "tool_reference", "name": name})
}

fn by_value(definition: Value) -> Value {
    json!({"type": "tool_definition", "definition": definition})
}

#[test]
fn changes_of_tools_need_their_beta() {
    let tools = || json!([tool("search"), deferred("a")]);
    let reference = || changed(tools(), json!([addition(by_name("a"))]));
    let value = || changed(tools(), json!([addition(by_value(tool("b")))]));
    refused(reference(), "Input tag 'tool_addition' found using 'type' does not match");
    taken_with(reference(), CHANGES);
    taken_with(reference(), INLINE);
    refused(value(), "Input tag 'tool_addition'");
    refused_with(value(), CHANGES, "Input tag 'tool_definition'");
    taken_with(value(), INLINE);
    taken_with(value(), &format!("{CHANGES},{INLINE}"));
    refused_with(
        value(),
        "inline-tools-2026",
        "Unexpected value(s) `inline-tools-2026` for the `anthropic-beta` header",
    );
    let removal = json!([{"type": "tool_removal", "tool": by_name("search")}, said("no search")]);
    taken_with(changed(tools(), removal), INLINE);
    let removal = json!([{"type": "tool_removal", "tool": by_value(tool("b"))}]);
    refused_with(changed(tools(), removal), INLINE, "Input tag 'tool_definition'");
}

#[test]
fn a_change_names_a_tool_that_is_known_there() {
    let tools = || json!([tool("search"), deferred("a")]);
    let code = |more: Value| refusal_of(more, INLINE).details;
    let with = |code: &str| vec![("error_code".to_owned(), code.to_owned())];
    assert_eq!(
        code(changed(tools(), json!([addition(by_name("b"))]))),
        with("tool_reference_unresolved"),
    );
    // A definition is known from its place on, not before.
    let defined = || addition(by_value(tool("b")));
    taken_with(changed(tools(), json!([defined(), addition(by_name("b"))])), INLINE);
    assert_eq!(
        code(changed(tools(), json!([addition(by_name("b")), defined()]))),
        with("tool_reference_unresolved"),
    );
    // The same again and a new schema are fine, another kind of tool is not.
    taken_with(changed(tools(), json!([defined(), defined()])), INLINE);
    let other = json!({"name": "b", "input_schema": {"type": "object", "properties": {}}});
    taken_with(changed(tools(), json!([defined(), addition(by_value(other))])), INLINE);
    let search = json!({"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"});
    let clash = addition(by_value(tool("tool_search_tool_bm25")));
    assert_eq!(
        code(changed(json!([tool("search"), search]), json!([clash]))),
        with("tool_name_conflict"),
    );
    refused_with(
        changed(tools(), json!([addition(by_value(tool("a.b")))])),
        INLINE,
        "definition.custom.name: String should match pattern",
    );
    let server = addition(json!({"type": "mcp_toolset_reference", "server_name": "s"}));
    assert_eq!(code(changed(tools(), json!([server]))), with("tool_reference_unresolved"));
    // One that is hidden and was defined here counts with those of the list.
    let hidden = |count: usize| {
        let mut tools = vec![tool("search")];
        tools.extend((0..count).map(|n| deferred(&format!("t{n}"))));
        changed(json!(tools), json!([addition(by_value(deferred("b")))]))
    };
    taken_with(hidden(9_999), INLINE);
    assert_eq!(code(hidden(10_000)), with("available_tools_limit_exceeded"));
    let many = |count: usize| -> Value {
        let all = (0..count).map(|n| addition(by_value(tool(&format!("t{n}")))));
        changed(tools(), json!(all.collect::<Vec<_>>()))
    };
    taken_with(many(10_000), INLINE);
    assert_eq!(code(many(10_001)), with("available_tools_limit_exceeded"));
    let mut long = tool("b");
    long["description"] = json!("d".repeat(4 << 20));
    assert_eq!(
        code(changed(tools(), json!([addition(by_value(long))]))),
        with("available_tools_limit_exceeded"),
    );
}

#[test]
fn a_tool_that_a_message_defined_may_be_called_and_referred_to() {
    let mut body = changed(json!([tool("search")]), json!([addition(by_value(tool("b")))]));
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(assistant(json!([call("t1")])));
    messages.push(user(json!([result("t1", json!([reference("b")]))])));
    taken_with(body.clone(), INLINE);
    body["tool_choice"] = json!({"type": "tool", "name": "b"});
    taken_with(body.clone(), INLINE);
    body["tools"] = json!([]);
    taken_with(body, INLINE);
}

#[test]
fn marks_are_few_and_the_long_ones_come_first() {
    let mark = |ttl: &str| json!({"type": "ephemeral", "ttl": ttl});
    let marked = |ttl: &str| json!({"type": "text", "text": "x", "cache_control": mark(ttl)});
    let many = |count: usize| {
        let blocks: Vec<Value> = (0..count).map(|_| marked("5m")).collect();
        json!({"messages": [user(json!(blocks))]})
    };
    taken(many(4));
    refused(many(5), "A maximum of 4 blocks with cache_control may be provided. Found 5.");
    let mut automatic = many(4);
    automatic["cache_control"] = json!({"type": "ephemeral"});
    refused(automatic, "Found 5.");
    let mut automatic = many(3);
    automatic["cache_control"] = json!({"type": "ephemeral"});
    taken(automatic);
    taken(json!({"system": [marked("1h")], "messages": [user(json!([marked("5m")]))]}));
    refused(
        json!({"system": [marked("5m")], "messages": [user(json!([marked("1h")]))]}),
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
    );
    refused(json!({"system": [marked("2h")]}), "cache_control.ttl: Input should be '5m' or '1h'");
    let outermost = asked(body(json!({"cache_control": {"type": "persistent"}})), "");
    let refusal = check(&outermost, Door::Direct, &Sent::default()).unwrap_err();
    assert_eq!(refusal.message, "cache_control.type: Input should be 'ephemeral'");
    let twice = json!({
        "type": "tool_addition",
        "cache_control": mark("5m"),
        "tool": by_value(json!({
            "name": "b", "input_schema": {"type": "object"}, "cache_control": mark("5m"),
        })),
    });
    refused_with(changed(json!([tool("search")]), json!([twice])), INLINE, "not both");
}

#[test]
fn a_choice_names_a_tool_and_is_free_where_the_model_thinks() {
    let with = |choice: Value| json!({"tools": [tool("search")], "tool_choice": choice});
    taken(with(json!({"type": "auto", "disable_parallel_tool_use": true})));
    taken(with(json!({"type": "any"})));
    taken(with(json!({"type": "none"})));
    taken(with(json!({"type": "tool", "name": "search"})));
    refused(
        with(json!({"type": "tool", "name": "find"})),
        "Tool 'find' not found in provided tools",
    );
    refused(with(json!({"type": "tool"})), "tool_choice.tool.name: Field required");
    refused(with(json!({"type": "required"})), "expected tags");
    refused(with(json!({"type": "none", "name": "search"})), "Extra inputs");
    refused(
        json!({"tool_choice": {"type": "auto"}}),
        "tool_choice may only be specified while providing tools.",
    );
    for (kind, is_free) in [("any", false), ("tool", false), ("auto", true), ("none", true)] {
        let mut choice = json!({ "type": kind });
        if kind == "tool" {
            choice["name"] = json!("search");
        }
        let mut thinking = with(choice.clone());
        thinking["thinking"] = json!({"type": "adaptive"});
        let mut new = with(choice);
        new["model"] = json!(NEW);
        match is_free {
            true => {
                taken(thinking);
                taken(new);
            }
            false => {
                refused(thinking, "Thinking may not be enabled when tool_choice forces tool use.");
                refused(new, "tool_choice forces tool use is not compatible with this model.");
            }
        }
    }
}

#[test]
fn the_vendors_own_search_pauses_a_reply() {
    let search = json!({"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"});
    let paused = |name: &str| {
        let found =
            json!({"type": "tool_search_tool_search_result", "tool_references": [reference(name)]});
        assistant(json!([
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {}},
            {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found},
        ]))
    };
    let body = |name: &str, more: &[Value]| {
        let mut messages = vec![user(json!("u")), paused(name)];
        messages.extend_from_slice(more);
        json!({"tools": [search, deferred("a")], "messages": messages})
    };
    taken(body("a", &[]));
    refused(body("b", &[]), "Tool reference 'b' not found");
    taken_with(body("a", &[system(json!("s"))]), INLINE);
    refused_with(
        body("a", &[system(json!([addition(by_name("a"))]))]),
        INLINE,
        "not accepted after a paused 'assistant' message",
    );
}

#[test]
fn behind_the_clouds_door_the_body_says_what_headers_say_elsewhere() {
    let held = |more: Value, id: &str| {
        let mut body = json!({
            "anthropic_version": "bedrock-2023-05-31",
            "max_tokens": 10,
            "messages": [{"role": "user", "content": "Hi"}],
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let path = format!("/model/{id}/invoke");
        let asked = Asked { path, body, ..Asked::default() };
        check(&asked, Door::Invoke, &Sent::default()).map_err(|refusal| refusal.message)
    };
    let id = "us.anthropic.claude-opus-5-v1%3A0";
    assert_eq!(held(json!({}), id), Ok(()));
    assert!(held(json!({}), "amazon.nova-pro-v1%3A0").is_err());
    let wrong = held(json!({"anthropic_version": "2023-06-01"}), id).unwrap_err();
    assert_eq!(wrong, "anthropic_version: Input should be 'bedrock-2023-05-31'");
    assert_eq!(
        held(json!({"model": MODEL}), id).unwrap_err(),
        "model: Extra inputs are not permitted"
    );
    assert_eq!(
        held(json!({"stream": true}), id).unwrap_err(),
        "stream: Extra inputs are not permitted"
    );
    assert_eq!(held(json!({"anthropic_beta": [CHANGES]}), id), Ok(()));
    assert_eq!(held(json!({"anthropic_beta": [INLINE]}), id).unwrap_err(), "invalid beta flag");
}
