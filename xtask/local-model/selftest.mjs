#!/usr/bin/env node
// Starts the server with a real model and checks what it promises. `selftest.mjs [MODEL]…`; what is not fetched is skipped, loudly.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

import { readRequest } from "./request.mjs";
import { render } from "./template.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dir = process.env.LOCAL_MODEL_DIR ?? join(here, "..", "..", "target", "local-model");
const { models } = JSON.parse(readFileSync(join(here, "models.json"), "utf8"));
const NOT_TO_BE_HAD = 3;

function workbench() {
  const path = join(here, "..", "weak-model", "catalogs", "workbench.json");
  const { tools } = JSON.parse(readFileSync(path, "utf8"));
  return tools
    .filter((tool) => tool.visibility === "inline")
    .map(({ definition: { name, description, inputSchema } }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    }));
}

const tools = workbench();
const named = (name) => ({ type: "function", function: { name } });
const allowed = (mode, names) => ({ type: "allowed_tools", allowed_tools: { mode, tools: names.map(named) } });
const user = (content) => ({ role: "user", content });

/** A running server, and requests to it. */
class Server {
  static async start(model, flags = []) {
    const server = new Server();
    server.model = model;
    const args = [join(here, "server.mjs"), "--model", model, "--dir", dir, ...flags];
    server.process = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(server.process, "exit").then(([code]) => ({ code }));
    const line = once(createInterface(server.process.stdout), "line").then(([text]) => ({ text }));
    const { code, text } = await Promise.race([exit, line]);
    if (text === undefined) return { code };
    server.url = JSON.parse(text).url;
    return server;
  }

  async stop() {
    const exit = once(this.process, "exit");
    this.process.kill("SIGTERM");
    const [code] = await exit;
    return code;
  }

  async post(body, options = {}) {
    const text = typeof body === "string" ? body : JSON.stringify({ model: this.model, max_tokens: 64, ...body });
    return fetch(`${this.url}/v1/chat/completions`, { method: "POST", body: text, ...options });
  }

  async ask(body) {
    const response = await this.post(body);
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  }

  async refused(body) {
    const response = await this.post(body);
    assert.equal(response.status, 400);
    return (await response.json()).error;
  }

  /** Asks for a stream and puts its deltas together. */
  async stream(body) {
    const response = await this.post({ ...body, stream: true, stream_options: { include_usage: true } });
    assert.match(response.headers.get("content-type"), /^text\/event-stream/);
    const events = (await response.text()).split("\n\n").filter((event) => event !== "");
    assert.equal(events.pop(), "data: [DONE]");
    const chunks = events.map((event) => JSON.parse(event.slice("data: ".length)));
    const message = { content: "", tool_calls: [] };
    let finish = null;
    let usage = null;
    for (const chunk of chunks) {
      usage ??= chunk.usage;
      for (const { delta, finish_reason: reason } of chunk.choices) {
        message.content += delta.content ?? "";
        finish ??= reason;
        for (const part of delta.tool_calls ?? []) {
          message.tool_calls[part.index] ??= { name: part.function.name, arguments: "" };
          message.tool_calls[part.index].arguments += part.function.arguments;
        }
      }
    }
    return { message, finish, usage };
  }
}

const theCall = (answer) => {
  const calls = answer.choices[0].message.tool_calls;
  assert.equal(calls?.length, 1, JSON.stringify(answer.choices[0]));
  assert.match(calls[0].id, /^call_/);
  return { name: calls[0].function.name, args: JSON.parse(calls[0].function.arguments) };
};

const CHECKS = {
  async "models and health are told"(server) {
    const list = await (await fetch(`${server.url}/v1/models`)).json();
    assert.deepEqual(list.data.map((entry) => entry.id), [server.model]);
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    assert.equal((await fetch(`${server.url}/v2`)).status, 404);
  },

  async "our prompt is what the template in the model file gives"(server) {
    const packages = join(dir, "runtime", "node_modules");
    const { readGgufFileInfo } = await import(pathToFileURL(join(packages, "node-llama-cpp", "dist", "index.js")));
    const { Template } = await import(pathToFileURL(join(packages, "@huggingface", "jinja", "dist", "index.js")));
    const file = await readGgufFileInfo(join(dir, `${server.model}.gguf`), { logWarnings: false });
    // One of the files has `{{"name"…}}` in its instructions, a slip that models of the family were published with.
    const source = file.metadata.tokenizer.chat_template.replace(/\{\{(\\"name\\".*?-object>)\}\}/, "{$1}");
    const template = new Template(source);
    const ours = (body) => {
      const request = readRequest(JSON.stringify({ model: server.model, ...body }), [server.model]);
      const pieces = render(request.messages, request.tools, models[server.model].system);
      return pieces.map((piece) => (typeof piece === "string" ? piece : piece.description)).join("");
    };
    const theirs = (body) => template.render({ ...body, add_generation_prompt: true });
    const plain = { messages: [user("hello\n"), { role: "assistant", content: "yes" }, user("and?")] };
    assert.equal(ours(plain), theirs(plain));
    if (!server.model.startsWith("qwen")) return;
    const call = (id, args) => ({ id, type: "function", function: { name: "countItems", arguments: args } });
    const history = (args) => [
      { role: "system", content: "Be short." },
      user("how many?"),
      { role: "assistant", content: "Let me see.", tool_calls: [call("c1", args), call("c2", args)] },
      { role: "tool", tool_call_id: "c1", content: "12" },
      { role: "tool", tool_call_id: "c2", content: "13" },
      user("thanks"),
    ];
    const args = { tableName: "주문", "is new": [1, true] };
    const body = { messages: history(JSON.stringify(args)), tools };
    assert.equal(ours(body), theirs({ messages: history(args), tools }));
  },

  async "a plain answer is text with usage"(server) {
    const answer = await server.ask({ messages: [user("What is the capital of France? Answer in one word.")] });
    const [{ message, finish_reason: finish }] = answer.choices;
    assert.equal(finish, "stop");
    assert.match(message.content, /Paris/);
    assert.equal(message.tool_calls, undefined);
    assert.ok(answer.usage.completion_tokens > 1 && answer.usage.prompt_tokens > 10);
  },

  async "an answer ends at max_tokens"(server) {
    const answer = await server.ask({ messages: [user("Count from 1 to 100.")], max_tokens: 7 });
    assert.equal(answer.usage.completion_tokens, 7);
    assert.equal(answer.choices[0].finish_reason, "length");
  },

  async "a stream says the same as a whole answer"(server) {
    const forced = { messages: [user("How many orders are unpaid?")], tools, tool_choice: "required" };
    const plain = { messages: [user("한국의 수도는 어디야?")] };
    for (const body of [plain, { ...forced, tool_choice: "auto" }, forced]) {
      const whole = await server.ask(body);
      const { message, finish, usage } = await server.stream(body);
      const [choice] = whole.choices;
      assert.equal(message.content, choice.message.content ?? "");
      assert.deepEqual(message.tool_calls, (choice.message.tool_calls ?? []).map((call) => call.function));
      assert.equal(finish, choice.finish_reason);
      assert.equal(usage.completion_tokens, whole.usage.completion_tokens);
    }
  },

  async "a forced call is one call of a known tool"(server) {
    const answer = await server.ask({ messages: [user("Open the Invoices table.")], tools, tool_choice: "required", max_tokens: 200 });
    const { name, args } = theCall(answer);
    assert.ok(tools.some((tool) => tool.function.name === name));
    assert.equal(typeof args, "object");
    assert.equal(answer.choices[0].message.content, null);
    assert.equal(answer.choices[0].finish_reason, "tool_calls");
  },

  async "a call forced by name has the arguments that its schema requires"(server) {
    const body = { messages: [user("Mark rows above 100 in red.")], tools, max_tokens: 200 };
    const highlight = theCall(await server.ask({ ...body, tool_choice: named("highlightRows") }));
    assert.equal(highlight.name, "highlightRows");
    assert.equal(typeof highlight.args.condition, "string");
    const filter = theCall(await server.ask({ ...body, tool_choice: named("setFilter") }));
    assert.ok(Array.isArray(filter.args.conditions));
  },

  async "allowed tools restrict a forced call and leave the prompt as it is"(server) {
    const body = { messages: [user("Close tab t-3.")], tools, max_tokens: 200 };
    const free = await server.ask({ ...body, tool_choice: "required" });
    for (const names of [["countItems"], ["listTables", "listRegions"]]) {
      const answer = await server.ask({ ...body, tool_choice: allowed("required", names) });
      const [call] = answer.choices[0].message.tool_calls;
      assert.ok(names.includes(call.function.name));
      assert.equal(answer.usage.prompt_tokens, free.usage.prompt_tokens);
      assert.ok(answer.usage.prompt_tokens_details.cached_tokens >= free.usage.prompt_tokens - 1);
    }
  },

  async "with none there is no call"(server) {
    const body = { messages: [user("Open the Invoices table.")], tools, tool_choice: "none" };
    assert.equal((await server.ask(body)).choices[0].message.tool_calls, undefined);
  },

  async "an unchanged prefix is not evaluated again"(server) {
    const system = { role: "system", content: `Session ${Date.now()}.` };
    const first = await server.ask({ messages: [system, user("Hello!")], tools, max_tokens: 1 });
    const second = await server.ask({ messages: [system, user("Which tables are there?")], tools, max_tokens: 1 });
    const reused = second.usage.prompt_tokens_details.cached_tokens;
    assert.ok(first.usage.prompt_tokens_details.cached_tokens < 20);
    assert.ok(reused > 0.95 * first.usage.prompt_tokens, `${reused} of ${first.usage.prompt_tokens}`);
    assert.ok(second.timings.cpu_ms < first.timings.cpu_ms / 3);
    console.log(`    cold ${first.usage.prompt_tokens} tokens ${first.timings.cpu_ms} ms CPU, warm ${second.timings.cpu_ms} ms CPU`);
  },

  async "a result can be answered"(server) {
    const call = { id: "c1", type: "function", function: { name: "countItems", arguments: '{"tableName":"Orders"}' } };
    const messages = [
      user("How many orders are there? Answer with the number."),
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "4211" },
    ];
    const answer = await server.ask({ messages, tools });
    assert.ok(answer.usage.prompt_tokens > 2000);
  },

  async "what is wrong is refused in the usual form"(server) {
    const messages = [user("x")];
    assert.match((await server.refused("{")).message, /JSON/);
    assert.equal((await server.refused({ model: "other", messages })).code, "model_not_found");
    const dotted = [{ type: "function", function: { name: "a.b" } }];
    assert.equal((await server.refused({ messages, tools: dotted })).param, "tools[0].function.name");
    const many = Array.from({ length: 129 }, (_, at) => ({ type: "function", function: { name: `t${at}` } }));
    assert.equal((await server.refused({ messages, tools: many })).code, "array_above_max_length");
    const stray = { role: "tool", tool_call_id: "c1", content: "x" };
    assert.equal((await server.refused({ messages: [...messages, stray] })).type, "invalid_request_error");
    const long = [user("many words ".repeat(6000))];
    assert.equal((await server.refused({ messages: long })).code, "context_length_exceeded");
    assert.equal((await server.refused({ messages, max_tokens: 9000 })).code, "context_length_exceeded");
  },

  async "control tokens in a text have no effect"(server) {
    const texts = ["<|im_end|>", "x"].map((text) => server.ask({ messages: [user(text)], max_tokens: 1 }));
    const [control, plain] = await Promise.all(texts);
    assert.ok(control.usage.prompt_tokens >= plain.usage.prompt_tokens + 4);
  },

  async "a caller that goes away stops its generation, and the next is served"(server) {
    const controller = new AbortController();
    const endless = { messages: [user("Write a very long story about a river.")], max_tokens: 4000, stream: true };
    const response = await server.post(endless, { signal: controller.signal });
    await response.body.getReader().read();
    controller.abort();
    const begin = performance.now();
    await server.ask({ messages: [user("Hi")], max_tokens: 1 });
    assert.ok(performance.now() - begin < 20_000);
  },

  async "requests wait for each other"(server) {
    const asked = ["1 + 1?", "2 + 2?", "3 + 3?"].map((text) => server.ask({ messages: [user(text)], max_tokens: 4 }));
    assert.equal((await Promise.all(asked)).length, 3);
  },
};

async function run(model) {
  const server = await Server.start(model);
  if (server.code === NOT_TO_BE_HAD) {
    console.log(`SKIPPED ${model}: it is not fetched`);
    return 0;
  }
  assert.ok(server.url !== undefined, `the server ended with ${server.code}`);
  let failures = 0;
  console.log(model);
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      await check(server);
      console.log(`  ok ${name}`);
    } catch (error) {
      failures += 1;
      console.log(`  FAILED ${name}\n${error.stack}`);
    }
  }
  const code = await server.stop();
  console.log(code === 0 ? "  ok it ends cleanly" : `  FAILED it ended with ${code}`);
  return failures + (code === 0 ? 0 : 1);
}

const chosen = process.argv.slice(2);
let failures = 0;
for (const model of chosen.length > 0 ? chosen : Object.keys(models)) failures += await run(model);
process.exit(failures === 0 ? 0 : 1);
