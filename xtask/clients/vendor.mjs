// Plays the model of a client: an HTTP server on this machine that follows a plan, one step a request, and notes what each request showed.
//
//   node vendor.mjs PLAN.json LOG.jsonl
//
// The first line on standard output is the address. A plan has `query`, `find` (what finds the gateway's own tools), `tool` (the name behind the gateway), `mode`, `arguments`, `instructions` (what the gateway tells clients of itself) and `steps`; a step is one of
//   search   calls the gateway's search tool
//   call     calls the tool by way of `call_tool`
//   tool     calls the tool itself where it is listed, and by way of `call_tool` where it is not
//   load     asks the client's own search for the tool
//   find     asks the client's own search for the gateway's tools
//   script   writes a program that searches and calls, where the client runs programs
// Behind the last step the model tells what the last call came to.

import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

import * as generate from "./wires/generate.mjs";
import * as messages from "./wires/messages.mjs";
import * as responses from "./wires/responses.mjs";

const WIRES = [messages, responses, generate];
const [planFile, logFile] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8"));
const begun = performance.now();
let number = 0;

/** The tool that a client shows for a name of the gateway, whatever it puts before it; some write `_` for `-`. */
const shown = (tools, name) => {
  const plain = (text) => text.replaceAll("-", "_");
  return tools.find((tool) => plain(tool.name) === plain(name) || plain(tool.name).endsWith(`_${plain(name)}`));
};

/** A client's own search for tools that it keeps from the model. */
const OWN_SEARCH = ["ToolSearch", "tool_search"];

/** A client's own tool that runs programs in which other tools can be called. */
const OWN_SCRIPT = ["exec", "functions__exec"];

/** What the model says to a request. */
function next(seen) {
  const { tools, results } = seen;
  const step = plan.steps[results.length];
  const of = (name) => shown(tools, name);
  const byName = () => ({ call: { name: of("call_tool")?.name, arguments: { name: plan.tool, arguments: plan.arguments } } });
  const itself = (tool) => ({ call: { name: tool, arguments: plan.arguments } });
  const last = results.at(-1) ?? "";
  const asking = (query) => {
    const own = tools.find((tool) => OWN_SEARCH.includes(tool.name));
    // Each client takes its own of the two bounds and ignores the other.
    return { call: { name: own?.name, arguments: { query, max_results: 5, limit: 5 } } };
  };
  switch (step) {
    case undefined:
      return { text: `The tool said: ${last}` };
    case "search":
      return { call: { name: of("search_tools")?.name, arguments: { query: plan.query } } };
    case "call":
      return byName();
    case "tool": {
      const found = of(plan.tool);
      const isCallable = found && (!found.deferred || seen.shown.includes(found.name));
      return isCallable ? itself(found.name) : byName();
    }
    case "load":
      return asking(plan.query);
    case "find":
      return asking(plan.find);
    case "script":
      return { call: { name: tools.find((tool) => OWN_SCRIPT.includes(tool.name))?.name, arguments: script() } };
    default:
      return { text: `The plan has no step called ${step}` };
  }
}

/** A program in the client's JavaScript, which searches and calls. */
const script = () => (plan.mode === "passthrough" ? findsAmongAll() : searches());

const searches = () => `
const text_of = (result) => result.content.map((part) => part.text).join("");
const found = JSON.parse(text_of(await tools.mcp__oncue__search_tools({ query: ${JSON.stringify(plan.query)} })));
const name = found.tools[0].name;
text(text_of(await tools.mcp__oncue__call_tool({ name, arguments: ${JSON.stringify(plan.arguments)} })));
`;

const findsAmongAll = () => `
const text_of = (result) => result.content.map((part) => part.text).join("");
const words = ${JSON.stringify(plan.query)}.split(" ");
const said = (tool) => words.filter((word) => tool.description.includes(word)).length;
const [best] = ALL_TOOLS.filter((tool) => tool.name.startsWith("mcp__")).sort((a, b) => said(b) - said(a));
text(text_of(await tools[best.name](${JSON.stringify(plan.arguments)})));
`;

/** How many characters of the gateway's instructions a request tells the model, from their beginning. */
function told(body) {
  const texts = [];
  const collect = (value) => {
    if (typeof value === "string") texts.push(value);
    else if (value && typeof value === "object") Object.values(value).forEach(collect);
  };
  collect(body);
  const holds = (length) => texts.some((text) => text.includes(plan.instructions.slice(0, length)));
  let [low, high] = [0, plan.instructions.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function note(line) {
  appendFileSync(logFile, `${JSON.stringify({ ms: Math.round(performance.now() - begun), ...line })}\n`);
}

function answer(request, bytes, response) {
  const path = request.url;
  const wire = WIRES.find((wire) => wire.serves(path));
  if (!wire) {
    note({ kind: "unknown", method: request.method, path });
    response.writeHead(request.method === "HEAD" ? 200 : 404).end();
    return;
  }
  const text = bytes.toString("utf8");
  const body = text ? JSON.parse(text) : {};
  const seen = wire.read(path, body);
  const send = (status, type, text) => {
    response.writeHead(status, { "content-type": type }).end(text);
  };
  if (seen.aside) {
    note({ kind: "aside", path });
    send(200, "application/json", JSON.stringify(seen.aside));
    return;
  }
  number += 1;
  const isOurs = shown(seen.tools, "search_tools") || shown(seen.tools, plan.tool) || seen.results.length > 0
    || seen.tools.some((tool) => OWN_SEARCH.includes(tool.name) || OWN_SCRIPT.includes(tool.name));
  // Titles, summaries and the like are asked for beside the conversation.
  if (!isOurs) {
    note({ kind: "aside", path, tools: seen.tools.length });
    const aside = wire.write({ text: "{}" }, number, body, undefined, path);
    send(200, aside.type, aside.text);
    return;
  }
  const said = next(seen);
  const tool = seen.tools.find((tool) => tool.name === said.call?.name);
  const written = wire.write(said, number, body, tool, path);
  const step = seen.results.length < plan.steps.length ? plan.steps[seen.results.length] : "tell";
  note({
    kind: "step",
    step,
    path,
    tools: seen.tools,
    results: seen.results,
    loaded: seen.shown,
    instructed: told(body),
    said,
  });
  send(200, written.type, written.text);
}

const unpacked = (bytes, encoding) => {
  if (encoding === "gzip") return gunzipSync(bytes);
  if (encoding === "zstd") return zstdDecompressSync(bytes);
  return bytes;
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    try {
      answer(request, unpacked(Buffer.concat(chunks), request.headers["content-encoding"]), response);
    } catch (error) {
      note({ kind: "fault", path: request.url, error: String(error) });
      response.writeHead(500).end();
    }
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
