// The Qwen2.5 chat template: messages and tools become pieces of a prompt. Pure.

/** A piece that is one control token. All other pieces are plain strings, in which control tokens have no effect. */
export const START = Symbol("<|im_start|>");
export const END = Symbol("<|im_end|>");

/** What a forced call begins with, before the model writes anything. */
export const CALL_OPENING = "<tool_call>\n";
export const CALL_CLOSING = "\n</tool_call>";

/** JSON with a space after `:` and `,`, as the model saw it in training. */
export function spacedJson(value) {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).map(([key, of]) => `${JSON.stringify(key)}: ${spacedJson(of)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** The pieces of the prompt up to where the assistant begins to write. `tools` are as the request has them. */
export function render(messages, tools, defaultSystem) {
  const pieces = [];
  const first = messages[0];
  const hasSystem = first !== undefined && first.role === "system";
  const system = hasSystem ? first.content : defaultSystem;
  pieces.push(START, `system\n${system}${toolBlock(tools)}`, END, "\n");
  const rest = hasSystem ? messages.slice(1) : messages;
  rest.forEach((message, at) => {
    if (message.role === "tool") {
      if (rest[at - 1]?.role !== "tool") pieces.push(START, "user");
      pieces.push(`\n<tool_response>\n${message.content}\n</tool_response>`);
      if (rest[at + 1]?.role !== "tool") pieces.push(END, "\n");
    } else {
      pieces.push(START, message.role, ...spoken(message), END, "\n");
    }
  });
  pieces.push(START, "assistant\n");
  return joined(pieces);
}

function toolBlock(tools) {
  if (tools.length === 0) return "";
  const lines = tools.map((tool) => `\n${spacedJson(tool)}`).join("");
  return (
    "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n" +
    "You are provided with function signatures within <tools></tools> XML tags:\n" +
    `<tools>${lines}\n</tools>\n\n` +
    "For each function call, return a json object with function name and arguments within " +
    "<tool_call></tool_call> XML tags:\n" +
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
  );
}

function spoken(message) {
  if (message.calls.length === 0) return [`\n${message.content}`];
  const text = message.content === "" ? "" : `\n${message.content}`;
  const calls = message.calls.map(
    ({ name, args }) => `\n${CALL_OPENING}{"name": "${name}", "arguments": ${asJson(args)}}${CALL_CLOSING}`,
  );
  return [text + calls.join("")];
}

/** Arguments arrive as a string. What is no JSON is shown to the model as it is. */
function asJson(args) {
  try {
    return spacedJson(JSON.parse(args));
  } catch {
    return args;
  }
}

/** Neighbouring strings become one: the tokenizer must not see a border between them. */
function joined(pieces) {
  const out = [];
  for (const piece of pieces) {
    const isText = typeof piece === "string";
    if (isText && typeof out.at(-1) === "string") out.push(out.pop() + piece);
    else out.push(piece);
  }
  return out;
}
