// The body of a chat completion request, checked strictly and made plain. Pure.

import { Refusal } from "./refusal.mjs";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOLS_MAX = 128;

const KNOWN = new Set([
  "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "max_tokens", "max_completion_tokens",
  "temperature", "top_p", "seed", "n", "stream", "stream_options", "user", "metadata",
]);

const ROLES = ["system", "developer", "user", "assistant", "tool"];

/** Reads a body; throws a `Refusal` that names the parameter. */
export function readRequest(text, models) {
  const body = parse(text);
  for (const key of Object.keys(body)) {
    if (!KNOWN.has(key)) throw new Refusal(`Unknown parameter: '${key}'.`, key, "unknown_parameter");
  }
  if (typeof body.model !== "string") {
    throw new Refusal("you must provide a model parameter", "model", "missing_required_parameter");
  }
  if (!models.includes(body.model)) {
    throw new Refusal(`The model '${body.model}' does not exist`, "model", "model_not_found");
  }
  const tools = readTools(body.tools);
  return {
    model: body.model,
    messages: readMessages(body.messages),
    tools,
    choice: readChoice(body.tool_choice, tools),
    callsMax: isGiven(body.parallel_tool_calls) && !boolean(body, "parallel_tool_calls") ? 1 : Infinity,
    tokensMax: number(body, "max_completion_tokens", 1, 1e9) ?? number(body, "max_tokens", 1, 1e9),
    temperature: number(body, "temperature", 0, 2) ?? 0,
    topP: number(body, "top_p", 0, 1) ?? 1,
    seed: number(body, "seed", -(2 ** 53), 2 ** 53),
    count: number(body, "n", 1, 1),
    isStream: boolean(body, "stream"),
    isUsageWanted: boolean(body.stream_options ?? {}, "include_usage"),
  };
}

const isGiven = (value) => value !== undefined && value !== null;

function parse(text) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal("We could not parse the JSON body of your request.");
  }
  if (!isObject(body)) throw new Refusal("The JSON body of your request must be an object.");
  return body;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function wrong(param, expected, code = "invalid_type") {
  return new Refusal(`Invalid value for '${param}': expected ${expected}.`, param, code);
}

function number(body, key, least, most) {
  const value = body[key];
  if (!isGiven(value)) return undefined;
  if (typeof value !== "number") throw wrong(key, "a number");
  if (value < least || value > most) throw wrong(key, `a number from ${least} to ${most}`, "invalid_value");
  return value;
}

function boolean(body, key) {
  const value = body[key] ?? false;
  if (typeof value !== "boolean") throw wrong(key, "a boolean");
  return value;
}

function readTools(tools) {
  if (!isGiven(tools)) return [];
  if (!Array.isArray(tools)) throw wrong("tools", "an array");
  if (tools.length === 0) {
    const expected = "Expected an array with minimum length 1, but got an empty array instead.";
    throw new Refusal(`Invalid 'tools': empty array. ${expected}`, "tools", "empty_array");
  }
  if (tools.length > TOOLS_MAX) {
    const expected = `Expected an array with maximum length ${TOOLS_MAX}, but got an array with length ${tools.length}`;
    throw new Refusal(`Invalid 'tools': array too long. ${expected} instead.`, "tools", "array_above_max_length");
  }
  tools.forEach((tool, at) => {
    const path = `tools[${at}]`;
    if (tool?.type !== "function") throw wrong(`${path}.type`, "'function'", "invalid_value");
    if (!isObject(tool.function)) throw wrong(`${path}.function`, "an object");
    checkName(tool.function.name, `${path}.function.name`);
    if (isGiven(tool.function.parameters) && !isObject(tool.function.parameters)) {
      throw wrong(`${path}.function.parameters`, "an object");
    }
  });
  return tools;
}

function checkName(name, path) {
  if (typeof name !== "string") throw wrong(path, "a string");
  if (!NAME.test(name)) {
    const expected = "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$', at most 64 characters long.";
    throw new Refusal(`Invalid '${path}': string does not match pattern. ${expected}`, path, "invalid_value");
  }
}

/** `mode`: `auto`, `none` or `required`; `names`: the tools that may be called; `isNamed`: one tool is forced by name. */
function readChoice(choice, tools) {
  const all = tools.map((tool) => tool.function.name);
  if (!isGiven(choice)) return { mode: "auto", names: all, isNamed: false };
  if (tools.length === 0 && choice !== "none" && choice !== "auto") {
    throw new Refusal("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice");
  }
  if (["auto", "none", "required"].includes(choice)) return { mode: choice, names: all, isNamed: false };
  if (choice?.type === "function") {
    return { mode: "required", names: [known(choice.function?.name, all)], isNamed: true };
  }
  const allowed = choice?.allowed_tools;
  const isAllowed = choice?.type === "allowed_tools" && ["auto", "required"].includes(allowed?.mode);
  if (!isAllowed || !Array.isArray(allowed.tools) || allowed.tools.length === 0) {
    throw wrong("tool_choice", "'auto', 'none', 'required', a function or allowed tools", "invalid_value");
  }
  const names = allowed.tools.map((tool) => known(tool?.function?.name, all));
  return { mode: allowed.mode, names: [...new Set(names)], isNamed: false };
}

function known(name, all) {
  if (all.includes(name)) return name;
  throw new Refusal(`Tool choice '${name}' not found in 'tools' parameter.`, "tool_choice", "invalid_value");
}

function readMessages(messages) {
  if (!Array.isArray(messages) || messages.length === 0) throw wrong("messages", "a non-empty array");
  let open = [];
  const out = messages.map((message, at) => {
    const path = `messages[${at}]`;
    if (!ROLES.includes(message?.role)) throw wrong(`${path}.role`, ROLES.join(", "), "invalid_value");
    if (message.role === "tool") {
      const id = message.tool_call_id;
      if (!open.includes(id)) {
        const rule = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
        throw new Refusal(`Invalid parameter: ${rule}`, `${path}.role`);
      }
      open = open.filter((other) => other !== id);
    } else {
      checkAnswered(open, path);
    }
    const calls = message.role === "assistant" ? readCalls(message.tool_calls, path) : [];
    if (calls.length > 0) open = calls.map((call) => call.id);
    const role = message.role === "developer" ? "system" : message.role;
    return { role, content: readContent(message.content, path, calls.length > 0), calls };
  });
  checkAnswered(open, "messages");
  return out;
}

function checkAnswered(open, path) {
  if (open.length === 0) return;
  const rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  throw new Refusal(`${rule} The following tool_call_ids did not have response messages: ${open.join(", ")}`, path);
}

function readContent(content, path, mayBeAbsent) {
  if (typeof content === "string") return content;
  if (!isGiven(content) && mayBeAbsent) return "";
  const isText = Array.isArray(content) && content.every((part) => part?.type === "text" && typeof part.text === "string");
  if (!isText) throw wrong(`${path}.content`, "a string or an array of text parts");
  return content.map((part) => part.text).join("");
}

function readCalls(calls, path) {
  if (!isGiven(calls)) return [];
  if (!Array.isArray(calls) || calls.length === 0) throw wrong(`${path}.tool_calls`, "a non-empty array");
  return calls.map((call, at) => {
    const here = `${path}.tool_calls[${at}]`;
    if (call?.type !== "function") throw wrong(`${here}.type`, "'function'", "invalid_value");
    if (typeof call.id !== "string" || call.id === "") throw wrong(`${here}.id`, "a string");
    checkName(call.function?.name, `${here}.function.name`);
    if (typeof call.function.arguments !== "string") throw wrong(`${here}.function.arguments`, "a string");
    return { id: call.id, name: call.function.name, args: call.function.arguments };
  });
}
