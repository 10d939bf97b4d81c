// Asks a client's own tool search the queries of a data set, and writes its answers down as `oncue eval rivals --recorded` reads them.
//
//   node ask.mjs claude-code|codex PROGRAM NAME SET... > ANSWERS.jsonl
//
// PROGRAM is the client's executable, NAME what answers are reported under, SET the folder of a data set. The client is given every tool of the set, by one MCP server for each of its servers, and a model that is played here and does nothing but search.
// Nothing is sent to anyone: servers and model are on this machine, and no key is needed.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

import * as messages from "../clients/wires/messages.mjs";
import * as responses from "../clients/wires/responses.mjs";

const HITS = 5;

/** Searches of one conversation. What was found stays loaded for its length. */
const SEARCHES = 20;

/** The server of tools that name none. */
const NO_SERVER = "tools";

/** Milliseconds that a client may take for one conversation. */
const PATIENCE = 180_000;

const lines = (file) => readFileSync(file, "utf8").split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));

/** A name as clients write it. */
const written = (name) => name.replaceAll(/[^A-Za-z0-9_-]/g, "_");

const serverOf = (tool) => written(tool.server ?? NO_SERVER);

const CLIENTS = {
  "claude-code": {
    wire: messages,
    search: "ToolSearch",
    call: (query) => ({ query, max_results: HITS }),
    found: (body) =>
      (body.messages ?? [])
        .flatMap((message) => (Array.isArray(message.content) ? message.content : []))
        .filter((block) => block.type === "tool_result")
        .map((block) => (Array.isArray(block.content) ? block.content : []).filter((part) => part.type === "tool_reference").map((part) => part.tool_name)),
    start(program, place, url, servers) {
      const entry = (name) => [name, { type: "http", url: `${url}/mcp/${name}` }];
      const settings = join(place, "servers.json");
      writeFileSync(settings, JSON.stringify({ mcpServers: Object.fromEntries(servers.map(entry)) }));
      const words = ["-p", "go", "--strict-mcp-config", "--mcp-config", settings, "--permission-mode", "bypassPermissions", "--output-format", "json"];
      return spawned(program, words, place, {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "none",
        ENABLE_TOOL_SEARCH: "true",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_AUTOUPDATER: "1",
        MCP_CONNECTION_NONBLOCKING: "0",
        IS_SANDBOX: "1",
      });
    },
  },
  codex: {
    wire: responses,
    search: "tool_search",
    call: (query) => ({ query, limit: HITS }),
    found: (body) =>
      (body.input ?? [])
        .filter((item) => item.type === "tool_search_output")
        .map((item) => (item.tools ?? []).flatMap((tool) => (tool.type === "namespace" ? tool.tools.map((inner) => `${tool.name.replace(/__$/, "")}__${inner.name}`) : [tool.name]))),
    start(program, place, url, servers) {
      const home = join(place, ".codex");
      mkdirSync(home);
      const entry = (name) => `[mcp_servers.${JSON.stringify(name)}]\nurl = "${url}/mcp/${name}"\n`;
      const settings = `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
${servers.map(entry).join("")}`;
      writeFileSync(join(home, "config.toml"), settings);
      return spawned(program, ["exec", "--skip-git-repo-check", "go"], place, { CODEX_HOME: home, SCRIPTED_KEY: "none" });
    },
  },
};

/** Runs a program that inherits nothing, to its end; says what it wrote. */
function spawned(program, words, place, environment) {
  const env = { PATH: process.env.PATH, HOME: place, LANG: "C.UTF-8", ...environment };
  const child = spawn(program, words, { cwd: place, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (bytes) => output.push(bytes));
  child.stderr.on("data", (bytes) => output.push(bytes));
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
  return new Promise((resolve) => {
    child.on("close", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(output).toString("utf8"));
    });
  });
}

/** Answers a message of MCP, of the era in which lists belong to sessions. */
function mcp(tools, { id, method, params }) {
  const result = (value) => ({ jsonrpc: "2.0", id, result: value });
  switch (method) {
    case "initialize":
      return result({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "data", version: "1" } });
    case "tools/list":
      return result({
        tools: tools.map(({ name, description, input_schema }) => ({
          name,
          description: description ?? "",
          inputSchema: { ...(input_schema ?? {}), type: "object" },
        })),
      });
    case "ping":
      return result({});
    default:
      return { jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } };
  }
}

/** Starts the servers and the model; `state` says what is asked and takes what is found. */
function started(client, tools, state) {
  const byServer = Map.groupBy(tools, serverOf);
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const encoding = request.headers["content-encoding"];
      const text = (encoding === "gzip" ? gunzipSync(bytes) : encoding === "zstd" ? zstdDecompressSync(bytes) : bytes).toString("utf8");
      const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
      const json = (body) => send(200, "application/json", JSON.stringify(body));
      if (request.url.startsWith("/mcp/")) {
        if (request.method !== "POST") return send(405, "text/plain", "");
        const message = JSON.parse(text);
        if (message.id === undefined) return send(202, "text/plain", "");
        return json(mcp(byServer.get(request.url.slice("/mcp/".length)) ?? [], message));
      }
      const { wire } = client;
      if (!wire.serves(request.url)) return send(request.method === "HEAD" ? 200 : 404, "text/plain", "");
      const body = text ? JSON.parse(text) : {};
      const seen = wire.read(request.url, body);
      if (seen.aside) return json(seen.aside);
      state.number += 1;
      const own = seen.tools.find((tool) => tool.name === client.search || tool.kind === client.search);
      const found = client.found(body);
      state.found = found.length > state.found.length ? found : state.found;
      const query = own ? state.queries[found.length]?.query : undefined;
      const said = query === undefined ? { text: "done" } : { call: { name: own.name, arguments: client.call(query) } };
      const whole = wire.write(said, state.number, body, own);
      send(200, whole.type, whole.text);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ server, url: `http://127.0.0.1:${server.address().port}`, servers: [...byServer.keys()] })));
}

/** Asks one conversation's worth of queries; returns the names that each found. */
async function asked(client, program, tools, queries) {
  const state = { queries, found: [], number: 0 };
  const { server, url, servers } = await started(client, tools, state);
  const place = mkdtempSync(join(tmpdir(), "ask-"));
  const output = await client.start(program, place, url, servers);
  server.closeAllConnections();
  server.close();
  rmSync(place, { recursive: true, force: true });
  if (state.found.length < queries.length) {
    throw new Error(`${state.found.length} of ${queries.length} searches were answered; the client wrote: ${output.slice(-2000)}`);
  }
  return state.found;
}

const [kind, program, name, ...sets] = process.argv.slice(2);
const client = CLIENTS[kind];
for (const set of sets) {
  const tools = lines(join(set, "tools.jsonl"));
  const queries = lines(join(set, "queries.dev.jsonl"));
  const ids = new Map(tools.toReversed().map((tool) => [`mcp__${serverOf(tool)}__${written(tool.name)}`.replaceAll("-", "_"), tool.id]));
  // A tool that the client has of itself keeps its name; it takes a rank and serves nothing.
  const id = (found) => ids.get(found.replaceAll("-", "_")) ?? found;
  for (let at = 0; at < queries.length; at += SEARCHES) {
    const part = queries.slice(at, at + SEARCHES);
    const found = await asked(client, program, tools, part);
    for (const [place, query] of part.entries()) {
      console.log(JSON.stringify({ dataset: basename(set), searcher: name, query: query.id, hits: found[place].map(id) }));
    }
    process.stderr.write(`\r${basename(set)} ${at + part.length}/${queries.length} `);
  }
  process.stderr.write("\n");
}
