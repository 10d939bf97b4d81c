// Tests of the pure parts; they need no model and no runtime. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { callGrammar } from "./grammar.mjs";
import { OutputReader } from "./output.mjs";
import { readRequest } from "./request.mjs";
import { END, START, render, spacedJson } from "./template.mjs";

const tool = (name, parameters = { type: "object", properties: {} }) => ({ type: "function", function: { name, parameters } });
const message = (role, content, calls = []) => ({ role, content, calls });

test("JSON is written with the spaces of the training data", () => {
  assert.equal(spacedJson({ a: [1, "x", null], b: { "c d": true } }), '{"a": [1, "x", null], "b": {"c d": true}}');
});

test("a conversation becomes the pieces of the template", () => {
  const messages = [
    message("user", "weather?"),
    message("assistant", "", [{ id: "c1", name: "w", args: '{"city":"Busan"}' }, { id: "c2", name: "w", args: "{broken" }]),
    message("tool", "sunny"),
    message("tool", "rainy"),
    message("user", "<|im_end|>"),
  ];
  assert.deepEqual(render(messages, [], "S"), [
    START, "system\nS", END, "\n",
    START, "user\nweather?", END, "\n",
    START,
    'assistant\n<tool_call>\n{"name": "w", "arguments": {"city": "Busan"}}\n</tool_call>' +
      '\n<tool_call>\n{"name": "w", "arguments": {broken}\n</tool_call>',
    END, "\n",
    START, "user\n<tool_response>\nsunny\n</tool_response>\n<tool_response>\nrainy\n</tool_response>", END, "\n",
    START, "user\n<|im_end|>", END, "\n",
    START, "assistant\n",
  ]);
});

test("tools stand in the system message, one a line", () => {
  const [, system] = render([message("system", "Be short."), message("user", "x")], [tool("a"), tool("b")], "S");
  const lines = system.split("\n");
  assert.equal(lines[1], "Be short.");
  const at = lines.indexOf("<tools>");
  assert.deepEqual(lines.slice(at + 1, at + 4), [spacedJson(tool("a")), spacedJson(tool("b")), "</tools>"]);
});

/** Reads `text` in pieces of every length and expects the same content and calls each time. */
function checkOutput(text, expected, options = {}) {
  const { isForced = false, mayCall = () => true, callsMax = Infinity } = options;
  for (let length = 1; length <= text.length; length += 1) {
    const reader = new OutputReader({ mayCall, callsMax });
    const events = [];
    for (let at = 0; at < text.length; at += length) events.push(...reader.push(text.slice(at, at + length)));
    events.push(...reader.end({ isForced }));
    const content = events.map((event) => event.content ?? "").join("");
    const calls = events.filter((event) => event.call).map(({ call }) => `${call.name} ${call.args}`);
    assert.deepEqual({ content, calls }, { content: expected.content ?? "", calls: expected.calls ?? [] });
  }
}

test("JSON in tags is a call", () => {
  const one = '<tool_call>\n{"name": "a", "arguments": {"x":1}}\n</tool_call>';
  checkOutput(one, { calls: ['a {"x": 1}'] });
  checkOutput(`Sure.\n${one}\n${one}`, { content: "Sure.", calls: ['a {"x": 1}', 'a {"x": 1}'] });
  checkOutput(`${one}\n${one}`, { calls: ['a {"x": 1}'] , content: one }, { callsMax: 1 });
});

test("what is not a call stays content, to the letter", () => {
  for (const content of [
    "plain <b>text</b> \n",
    '```json\n{"name": "a", "arguments": {}}\n```',
    '{"name": "a", "arguments": {}}',
    "<tool_call>\n{broken\n</tool_call>",
    '<tool_call>\n{"name": "a"}\n</tool_call> after',
    '<tool_call>\n{"name": "a", "arguments": {',
    "a < b, <tool",
    " ",
  ]) {
    checkOutput(content, { content });
  }
});

test("a call that is not allowed stays content", () => {
  const text = '<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>';
  checkOutput(text, { content: text }, { mayCall: (name) => name === "b" });
});

test("a forced call that was cut off is given as far as it goes", () => {
  checkOutput('<tool_call>\n{"name": "a", "arguments": {"x": "lo', { calls: ['a {"x": "lo'] }, { isForced: true });
});

test("the grammar puts required members first and makes the others optional", () => {
  const parameters = {
    type: "object",
    properties: { opt: { type: "integer" }, must: { enum: ["a", 'say "b"'] }, deep: { type: "array", items: { $ref: "#/$defs/d" } } },
    required: ["must"],
    $defs: { d: { type: "object", properties: { in: { $ref: "#/$defs/d" } } } },
  };
  const lines = callGrammar([tool("go", parameters)]).split("\n");
  assert.equal(lines[0], "root ::= t0-call");
  for (const line of [
    't0-p0 ::= "\\"opt\\"" ": " integer',
    't0-m1 ::= "\\"a\\"" | "\\"say \\\\\\"b\\\\\\"\\""',
    't0-r0-x-p0 ::= "\\"in\\"" ": " t0-r0',
    't0-m2 ::= "[" (t0-r0 (", " t0-r0){0,})? "]"',
    't0 ::= "{" t0-p1 (", " t0-p0)? (", " t0-p2)? "}"',
    't0-call ::= "{\\"name\\": \\"go\\", \\"arguments\\": " t0 "}"',
  ]) {
    assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join("\n")}`);
  }
});

test("a schema that says nothing allows any object", () => {
  assert.match(callGrammar([tool("a", {})]), /"arguments\\": " object "}"/);
  assert.match(callGrammar([{ type: "function", function: { name: "a" } }]), /"arguments\\": " object "}"/);
});

const user = { role: "user", content: "x" };
const call = (id) => ({ id, type: "function", function: { name: "a", arguments: "{}" } });
const answer = (id) => ({ role: "tool", tool_call_id: id, content: "y" });

test("what a strict server refuses is refused, with its parameter and code", () => {
  const named = (name) => ({ type: "function", function: { name } });
  const cases = [
    ["not json", null, null],
    [[], null, null],
    [{ messages: [user] }, "model", "missing_required_parameter"],
    [{ model: "other", messages: [user] }, "model", "model_not_found"],
    [{ model: "m", messages: [user], best_of: 2 }, "best_of", "unknown_parameter"],
    [{ model: "m", messages: [] }, "messages", "invalid_type"],
    [{ model: "m", messages: [user], n: 2 }, "n", "invalid_value"],
    [{ model: "m", messages: [user], tools: [] }, "tools", "empty_array"],
    [{ model: "m", messages: [user], tools: Array(129).fill(tool("a")) }, "tools", "array_above_max_length"],
    [{ model: "m", messages: [user], tools: [tool("a.b")] }, "tools[0].function.name", "invalid_value"],
    [{ model: "m", messages: [user], tools: [tool("a".repeat(65))] }, "tools[0].function.name", "invalid_value"],
    [{ model: "m", messages: [user], tools: [tool("a")], tool_choice: named("b") }, "tool_choice", "invalid_value"],
    [{ model: "m", messages: [user], tools: [tool("a")], tool_choice: "any" }, "tool_choice", "invalid_value"],
    [{ model: "m", messages: [user], tool_choice: "required" }, "tool_choice", null],
    [{ model: "m", messages: [user, answer("c1")] }, "messages[1].role", null],
    [{ model: "m", messages: [user, { role: "assistant", tool_calls: [call("c1")] }] }, "messages", null],
    [{ model: "m", messages: [user, { role: "assistant", tool_calls: [call("c1")] }, user] }, "messages[2]", null],
    [{ model: "m", messages: [user, { role: "assistant", tool_calls: [call("c1")] }, answer("c2")] }, "messages[2].role", null],
    [{ model: "m", messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages[0].content", "invalid_type"],
  ];
  for (const [body, param, code] of cases) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    assert.throws(
      () => readRequest(text, ["m"]),
      (error) => {
        assert.deepEqual([error.status, error.param, error.code], [400, param, code], text);
        return true;
      },
    );
  }
});

test("a request is read", () => {
  const messages = [user, { role: "assistant", content: null, tool_calls: [call("c1"), call("c2")] }, answer("c2"), answer("c1")];
  const allowed = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [tool("b")] } };
  const body = { model: "m", messages, tools: [tool("a"), tool("b")], tool_choice: allowed, max_tokens: 5 };
  const request = readRequest(JSON.stringify(body), ["m"]);
  assert.deepEqual(request.choice, { mode: "required", names: ["b"], isNamed: false });
  assert.equal(request.messages[1].content, "");
  assert.deepEqual([request.tokensMax, request.temperature, request.callsMax], [5, 0, Infinity]);
});
