#![expect(
    clippy::needless_pass_by_value,
    reason = "requests are written where they are sent, and read better without borrows"
)]

use serde_json::{Value, json};

use super::check;
use crate::Asked;
use crate::anthropic::{Sent, signature};

/// A model that takes everything that can be taken, one that cannot be forced, an old one, and one of another vendor.
const MODEL: &str = "us.anthropic.claude-opus-5-v1%3A0";
const NEW: &str = "anthropic.claude-opus-5-5-v1%3A0";
const OLD: &str = "anthropic.claude-sonnet-4-5-v1%3A0";
const OTHER: &str = "amazon.nova-pro-v1%3A0";

fn verdict(model: &str, more: &Value) -> Result<(), String> {
    let mut body = json!({"messages": [{"role": "user", "content": [{"text": "Hi"}]}]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let asked = Asked { path: format!("/model/{model}/converse"), body, ..Asked::default() };
    check(&asked, &Sent::default()).map_err(|refusal| {
        assert_eq!((refusal.status, refusal.kind.as_str()), (400, "ValidationException"));
        refusal.message
    })
}

#[track_caller]
fn refused_by(model: &str, more: Value, message: &str) {
    let found = verdict(model, &more).expect_err(&more.to_string());
    assert!(found.contains(message), "{more}\n  got {found}\n want {message}");
}

#[track_caller]
fn refused(more: Value, message: &str) {
    refused_by(MODEL, more, message);
}

#[track_caller]
fn taken_by(model: &str, more: Value) {
    assert_eq!(verdict(model, &more), Ok(()), "{more}");
}

#[track_caller]
fn taken(more: Value) {
    taken_by(MODEL, more);
}

fn spec(name: &str, more: Value) -> Value {
    let mut spec = json!({"name": name, "inputSchema": {"json": {"type": "object"}}});
    for (name, value) in more.as_object().unwrap() {
        spec[name] = value.clone();
    }
    json!({ "toolSpec": spec })
}

fn tool(name: &str) -> Value {
    spec(name, json!({}))
}

fn tools(tools: Value) -> Value {
    json!({"toolConfig": {"tools": tools}})
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn hi() -> Value {
    user(json!([{"text": "Hi"}]))
}

fn call(id: &str) -> Value {
    json!({"toolUse": {"toolUseId": id, "name": "search", "input": {}}})
}

fn result(id: &str) -> Value {
    json!({"toolResult": {"toolUseId": id, "content": [{"text": "r"}]}})
}

fn talk(messages: Value) -> Value {
    json!({"messages": messages, "toolConfig": {"tools": [tool("search")]}})
}

#[test]
fn the_model_and_the_outermost_fields_are_known() {
    taken(json!({}));
    taken_by("arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fx", json!({}));
    refused_by("claude", json!({}), "The provided model identifier is invalid.");
    refused_by("a.b%20c", json!({}), "The provided model identifier is invalid.");
    refused(json!({"model": "x"}), "extraneous key [model] is not permitted");
    refused(json!({"system": "x"}), "Value at 'system'");
    taken(json!({"system": [{"text": "x"}, {"cachePoint": {"type": "default"}}]}));
    refused(
        json!({"system": [{"text": ""}]}),
        "'system.1.member.text' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
    refused(json!({"system": [{"type": "text", "text": "x"}]}), "exactly one of its members");
}

#[test]
fn the_inference_is_in_its_range() {
    let config = |config: Value| json!({ "inferenceConfig": config });
    taken(config(json!({"maxTokens": 1, "stopSequences": ["x"]})));
    refused(config(json!({"maxTokens": 0})), "'inferenceConfig.maxTokens' failed");
    refused(config(json!({"max_tokens": 1})), "extraneous key [inferenceConfig.max_tokens]");
    refused(config(json!({"stopSequences": [""]})), "length greater than or equal to 1");
    taken_by(OLD, config(json!({"temperature": 0.5, "topP": 1.0})));
    refused_by(OLD, config(json!({"temperature": 1.1})), "between 0 and 1");
    refused(config(json!({"temperature": 0.5})), "is deprecated for this model");
}

#[test]
fn tools_have_names_schemas_and_texts_that_say_something() {
    taken(tools(json!([tool("a-B_9"), {"cachePoint": {"type": "default", "ttl": "1h"}}])));
    refused(
        tools(json!([])),
        "'toolConfig.tools' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
    refused(
        json!({"toolConfig": {}}),
        "'toolConfig.tools' failed to satisfy constraint: Member must not be null",
    );
    taken(tools(json!([tool(&"n".repeat(64))])));
    refused(
        tools(json!([tool(&"n".repeat(65))])),
        "'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 64",
    );
    refused(
        tools(json!([tool("a.b")])),
        "Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    );
    refused(tools(json!([tool("")])), "length greater than or equal to 1");
    refused(tools(json!([tool("a"), tool("a")])), "The tool name a is defined more than once.");
    taken(tools(json!([spec("a", json!({"description": "d", "strict": true}))])));
    refused(tools(json!([spec("a", json!({"description": ""}))])), "toolSpec.description' failed");
    refused(
        tools(json!([spec("a", json!({"defer_loading": true}))])),
        "toolSpec.defer_loading] is not permitted",
    );
    refused(
        tools(json!([spec("a", json!({"inputSchema": {"type": "object"}}))])),
        "inputSchema.json' failed",
    );
    refused(
        tools(json!([spec("a", json!({"inputSchema": {"json": {"type": "array"}}}))])),
        "The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.",
    );
    refused(tools(json!([{"name": "a"}])), "extraneous key [toolConfig.tools.1.member.name]");
    refused(tools(json!([{"cachePoint": {"type": "ephemeral"}}])), "enum value set: [default]");
    refused(
        tools(json!([tool("a"), {"cachePoint": {"type": "default", "ttl": "2h"}}])),
        "[1h, 5m]",
    );
}

#[test]
fn a_choice_is_one_of_three_and_names_a_tool() {
    let with = |choice: Value| json!({"toolConfig": {"tools": [tool("a")], "toolChoice": choice}});
    taken(with(json!({"auto": {}})));
    taken(with(json!({"any": {}})));
    taken(with(json!({"tool": {"name": "a"}})));
    refused(with(json!({"tool": {"name": "b"}})), "The tool b in toolConfig.toolChoice");
    refused(with(json!({"none": {}})), "extraneous key [toolConfig.toolChoice.none]");
    refused(with(json!({"auto": {}, "any": {}})), "exactly one of its members");
    taken_by(NEW, with(json!({"auto": {}})));
    refused_by(NEW, with(json!({"any": {}})), "tool_choice forces tool use is not compatible");
    let mut thinks = with(json!({"any": {}}));
    thinks["additionalModelRequestFields"] = json!({"thinking": {"type": "adaptive"}});
    refused(thinks, "Thinking may not be enabled when tool_choice forces tool use.");
}

#[test]
fn users_and_assistants_take_turns() {
    let said = || assistant(json!([{"text": "a"}]));
    taken(talk(json!([hi(), said(), hi()])));
    let start = "A conversation must start with a user message.";
    refused(talk(json!([])), start);
    refused(json!({"messages": null}), start);
    refused(talk(json!([said(), hi()])), start);
    let alternate = "A conversation must alternate between user and assistant roles.";
    refused(talk(json!([hi(), hi()])), alternate);
    refused(talk(json!([hi(), said(), said(), hi()])), alternate);
    refused(talk(json!([hi(), said()])), "does not support assistant message prefill");
    taken_by(OLD, talk(json!([hi(), said()])));
    refused(
        talk(json!([user(json!([]))])),
        "The content field in the Message object at messages.0 is empty.",
    );
    refused(
        talk(json!([{"role": "tool", "content": [{"text": "x"}]}])),
        "[user, assistant, system]",
    );
    refused(
        talk(json!([{"role": "user", "content": "Hi"}])),
        "Value at 'messages.1.member.content'",
    );
}

#[test]
fn blocks_are_of_their_kind_and_say_something() {
    let blank = "The text field in the ContentBlock object at messages.0.content.0 is blank.";
    refused(talk(json!([user(json!([{"text": ""}]))])), blank);
    refused(talk(json!([user(json!([{"text": " "}]))])), blank);
    refused(
        talk(json!([user(json!([{"text": "x", "cachePoint": {"type": "default"}}]))])),
        "exactly one of its members",
    );
    refused(
        talk(json!([user(json!([{"type": "text"}]))])),
        "extraneous key [messages.1.member.content.1.member.type]",
    );
    refused(
        talk(json!([user(json!([call("t1")]))])),
        "toolUse block at messages.0.content.0 is not allowed for the role user",
    );
    let turn = |call: Value, result: Value| {
        talk(json!([hi(), assistant(json!([call])), user(json!([result]))]))
    };
    taken(turn(call("a_.:-9"), result("a_.:-9")));
    taken(turn(call(&"i".repeat(64)), result(&"i".repeat(64))));
    refused(
        turn(call(&"i".repeat(65)), result("x")),
        "toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64",
    );
    refused(
        turn(call("a/b"), result("a/b")),
        "toolUseId' failed to satisfy constraint: Member must satisfy regular expression",
    );
    let input =
        |input: Value| json!({"toolUse": {"toolUseId": "t1", "name": "search", "input": input}});
    refused(
        turn(input(json!("{}")), result("t1")),
        "The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object",
    );
    let named = json!({"toolUse": {"toolUseId": "t1", "name": "a.b", "input": {}}});
    refused(turn(named, result("t1")), "toolUse.name' failed");
    let of = |content: Value| json!({"toolResult": {"toolUseId": "t1", "content": content, "status": "error"}});
    taken(turn(call("t1"), of(json!([{"json": {"a": 1}}, {"text": "x"}]))));
    taken(turn(call("t1"), of(json!([]))));
    refused(
        turn(call("t1"), of(json!([{"json": [1]}]))),
        "messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object",
    );
    refused(turn(call("t1"), of(json!([{"text": ""}]))), "is blank");
    refused(turn(call("t1"), of(json!([{"tool_reference": {}}]))), "extraneous key");
    let status = json!({"toolResult": {"toolUseId": "t1", "content": [], "status": "failed"}});
    refused(turn(call("t1"), status), "[success, error]");
    let thinks = |signature: &str| {
        let thoughts = json!({"text": "why", "signature": signature});
        talk(json!([
            hi(),
            assistant(json!([{"reasoningContent": {"reasoningText": thoughts}}])),
            hi()
        ]))
    };
    taken(thinks(&signature("why")));
    refused(thinks("other"), "Invalid `signature` in `thinking` block");
}

#[test]
fn every_call_has_one_result_in_the_next_message() {
    let turn = |calls: Value, results: Value| talk(json!([hi(), assistant(calls), user(results)]));
    taken(turn(json!([call("t1"), call("t2")]), json!([result("t2"), result("t1")])));
    taken(turn(json!([call("t1")]), json!([result("t1"), {"text": "x"}])));
    taken(turn(json!([call("t1")]), json!([result("t1"), {"cachePoint": {"type": "default"}}])));
    let expected = "Expected toolResult blocks at messages.2.content for the following Ids: t";
    refused(turn(json!([call("t1")]), json!([{"text": "x"}])), expected);
    refused(turn(json!([call("t1")]), json!([{"text": "x"}, result("t1")])), expected);
    refused(turn(json!([call("t1"), call("t2")]), json!([result("t1")])), "Ids: t2");
    refused(
        turn(json!([call("t1")]), json!([result("t1"), result("t2")])),
        "The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.",
    );
    refused(
        turn(json!([call("t1")]), json!([result("t1"), result("t1")])),
        "toolResult blocks at messages.2.content contain duplicate Ids: t1",
    );
    refused(
        turn(json!([call("t1"), call("t1")]), json!([result("t1")])),
        "toolUse blocks at messages.1.content contain duplicate Ids: t1",
    );
    refused(talk(json!([user(json!([result("t1")]))])), "exceeds the number of toolUse blocks");
    let mut bare = turn(json!([call("t1")]), json!([result("t1")]));
    bare.as_object_mut().unwrap().remove("toolConfig");
    refused(
        bare,
        "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    );
    refused(
        json!({"messages": [user(json!([result("t1")]))]}),
        "The toolConfig field must be defined",
    );
    refused_by(
        OTHER,
        turn(json!([call("t1")]), json!([result("t1"), {"text": "x"}])),
        "Conversation blocks and tool result blocks cannot be provided in the same turn.",
    );
    taken_by(OTHER, turn(json!([call("t1")]), json!([result("t1")])));
}

#[test]
fn a_system_message_changes_tools_by_reference_only() {
    let changed = |change: Value| talk(json!([hi(), {"role": "system", "content": [change]}]));
    let named = |name: &str| json!({"tool": {"type": "tool_reference", "name": name}});
    taken(changed(json!({"toolRemoval": named("search")})));
    taken(changed(json!({"toolAddition": named("search")})));
    refused(changed(json!({"toolAddition": named("other")})), "the tool 'other' is not defined");
    refused(changed(json!({"toolAddition": {"tool": {"definition": {}}}})), "extraneous key");
    refused(changed(json!({"toolAddition": named("")})), "between 1 and 128");
    refused_by(
        OLD,
        changed(json!({"toolAddition": named("search")})),
        "doesn't support the system role",
    );
    let first = json!([{"role": "system", "content": [{"text": "s"}]}, hi()]);
    refused(talk(first), "must follow a 'user' message");
    let before_user = json!([hi(), {"role": "system", "content": [{"text": "s"}]}, hi()]);
    refused(talk(before_user), "must alternate");
}

#[test]
fn marks_are_few() {
    let many = |count: usize| {
        let mut content = vec![json!({"text": "x"})];
        content.extend((0..count).map(|_| json!({"cachePoint": {"type": "default"}})));
        talk(json!([user(json!(content))]))
    };
    taken(many(4));
    refused(many(5), "A maximum of 4 cachePoint blocks may be provided. Found 5.");
}
