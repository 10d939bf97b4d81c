// The wire of Claude Code: the Messages API, streamed.

export const serves = (path) => path.startsWith("/v1/messages");

/** What a request shows and tells, in words of no vendor. */
export function read(path, body) {
  if (path.startsWith("/v1/messages/count_tokens")) return { aside: { input_tokens: 1000 } };
  const tools = (body.tools ?? []).map((tool) => ({
    name: tool.name,
    bytes: JSON.stringify(tool).length,
    deferred: tool.defer_loading === true,
    kind: tool.input_schema ? "function" : tool.type,
  }));
  const results = [];
  const shown = [];
  for (const message of body.messages ?? []) {
    for (const block of Array.isArray(message.content) ? message.content : []) {
      if (block.type === "tool_result") {
        results.push(text(block.content));
        for (const part of Array.isArray(block.content) ? block.content : []) {
          if (part.type === "tool_reference") shown.push(part.tool_name);
        }
      }
      if (block.type === "tool_addition") shown.push(block.tool?.name ?? block.tool?.definition?.name);
    }
  }
  return { tools, results, shown, streams: body.stream === true };
}

const text = (content) =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? JSON.stringify(part)).join("\n");

/** The answer as one message. */
function message(said, number, model) {
  const content = said.call
    ? [{ type: "tool_use", id: `toolu_${number}`, name: said.call.name, input: said.call.arguments }]
    : [{ type: "text", text: said.text }];
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: said.call ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
}

export function write(said, number, body) {
  const whole = message(said, number, body.model);
  if (body.stream !== true) return { type: "application/json", text: JSON.stringify(whole) };
  const block = whole.content[0];
  const isCall = block.type === "tool_use";
  const events = [
    { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
    {
      type: "content_block_start",
      index: 0,
      content_block: isCall ? { ...block, input: {} } : { type: "text", text: "" },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: isCall
        ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        : { type: "text_delta", text: block.text },
    },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: whole.usage },
    { type: "message_stop" },
  ];
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { type: "text/event-stream", text: frames.join("") };
}
