// The wire of Codex: the Responses API, streamed.

export const serves = (path) => path.startsWith("/v1/responses") || path.startsWith("/v1/models");

export function read(path, body) {
  if (path.startsWith("/v1/models")) return { aside: { object: "list", data: [], models: [] } };
  const results = [];
  const shown = [];
  let loaded = [];
  let added = [];
  for (const item of body.input ?? []) {
    if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      results.push(text(item.output));
    }
    // The newest models get their tools in the conversation.
    if (item.type === "additional_tools") added = added.concat(flat(item.tools ?? []));
    if (item.type === "tool_search_output") {
      results.push(JSON.stringify(item.tools ?? []));
      loaded = loaded.concat(flat(item.tools ?? []));
      for (const tool of flat(item.tools ?? [])) shown.push(tool.name);
    }
  }
  return { tools: [...flat(body.tools ?? []), ...added, ...loaded], results, shown, streams: body.stream === true };
}

const text = (output) =>
  typeof output === "string"
    ? output
    : (output ?? []).map((part) => part.text ?? JSON.stringify(part)).join("\n");

/** Every tool, those in namespaces under `namespace` and `name` joined as the model would have to say them. */
function flat(tools) {
  return tools.flatMap((tool) =>
    tool.type === "namespace"
      ? tool.tools.map((inner) => one(inner, tool.name))
      : [one(tool)],
  );
}

const one = (tool, namespace) => ({
  name: namespace ? `${namespace}${namespace.endsWith("__") ? "" : "__"}${tool.name}` : (tool.name ?? tool.type),
  namespace,
  own: tool.name,
  bytes: JSON.stringify(tool).length,
  deferred: tool.defer_loading === true,
  kind: tool.type,
});

function item(said, number, tool) {
  if (!said.call) {
    const content = [{ type: "output_text", text: said.text, annotations: [], logprobs: [] }];
    return { type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content };
  }
  const call = { id: `fc_${number}`, call_id: `call_${number}`, status: "completed" };
  if (tool?.kind === "tool_search") {
    return { type: "tool_search_call", ...call, execution: "client", arguments: said.call.arguments };
  }
  if (tool?.kind === "custom") {
    const namespace = tool.namespace ? { namespace: tool.namespace } : {};
    return { type: "custom_tool_call", ...call, name: tool.own, ...namespace, input: said.call.arguments };
  }
  return {
    type: "function_call",
    ...call,
    name: tool?.own ?? said.call.name,
    ...(tool?.namespace ? { namespace: tool.namespace } : {}),
    arguments: JSON.stringify(said.call.arguments),
  };
}

export function write(said, number, body, tool) {
  const done = item(said, number, tool);
  const frame = { id: `resp_${number}`, object: "response", created_at: 1790000000, model: body.model, output: [], usage: null };
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const whole = { ...frame, status: "completed", output: [done], usage };
  if (body.stream !== true) return { type: "application/json", text: JSON.stringify(whole) };
  const events = [
    { type: "response.created", response: { ...frame, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: done },
    { type: "response.output_item.done", output_index: 0, item: done },
    { type: "response.completed", response: whole },
  ];
  const frames = events.map(
    (event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`,
  );
  return { type: "text/event-stream", text: frames.join("") };
}
