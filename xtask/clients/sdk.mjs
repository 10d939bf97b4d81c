// A program on a TypeScript client library, or on the inspector's command line: it does what a plan says and tells what it saw, as one line of JSON.
//
//   node sdk.mjs PLAN.json LIBRARY ERA URL
//   node sdk.mjs PLAN.json LIBRARY ERA PROGRAM ARGUMENT...
//
// LIBRARY is `sdk`, `client` or `inspector`, ERA `sessions` or `stateless`. The plan is that of `vendor.mjs`.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [planFile, library, era, ...target] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8"));
const packages = join(process.env.CLIENTS, "node_modules");
const isUrl = target[0].startsWith("http");
const read = (file) => JSON.parse(readFileSync(join(packages, file), "utf8"));
const load = (file) => import(pathToFileURL(join(packages, file)));
const text = (result) => result.content.map((part) => part.text ?? "").join("\n");

/** Connects by a library, and returns what lists and calls. */
async function connected() {
  const stdio = { command: target[0], args: target.slice(1), env: { ...process.env } };
  const about = { name: `${library}-probe`, version: "1" };
  let names = [];
  let relists = 0;
  const listChanged = {
    tools: {
      debounceMs: 0,
      onChanged: (error, tools) => {
        if (!error && tools) names = tools.map((tool) => tool.name);
        relists += 1;
      },
    },
  };
  let client;
  let transport;
  if (library === "sdk") {
    const { Client } = await load("@modelcontextprotocol/sdk/dist/esm/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/dist/esm/client/stdio.js");
    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js");
    client = new Client(about, { listChanged });
    transport = isUrl ? new StreamableHTTPClientTransport(new URL(target[0])) : new StdioClientTransport(stdio);
  } else {
    const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client/dist/index.mjs");
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/dist/stdio.mjs");
    const mode = era === "sessions" ? "legacy" : { pin: "2026-07-28" };
    client = new Client(about, { listChanged, versionNegotiation: { mode } });
    transport = isUrl ? new StreamableHTTPClientTransport(new URL(target[0])) : new StdioClientTransport(stdio);
  }
  await client.connect(transport);
  const list = async () => {
    names = (await client.listTools()).tools.map((tool) => tool.name);
    return names;
  };
  return {
    list,
    names: () => names,
    relists: () => relists,
    speaks: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? null,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

/** The inspector's command line: a process and a connection for each request. */
function inspected() {
  const launcher = join(packages, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const settings = join(process.env.HOME, "servers.json");
  const server = isUrl ? { type: "http", url: target[0] } : { command: target[0], args: target.slice(1) };
  writeFileSync(settings, JSON.stringify({ mcpServers: { oncue: server } }));
  const spoken = era === "sessions" ? "legacy" : "modern";
  const ask = (words) => {
    const all = [launcher, "--cli", "--config", settings, "--server", "oncue", "--protocol-era", spoken, ...words];
    const out = execFileSync(process.execPath, all, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(out);
  };
  const one = (key, value) => ["--tool-arg", `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`];
  let names = [];
  return {
    list: async () => {
      names = ask(["--method", "tools/list"]).tools.map((tool) => tool.name);
      return names;
    },
    names: () => names,
    relists: () => 0,
    speaks: null,
    call: async (name, args) => {
      const words = Object.entries(args).flatMap(([key, value]) => one(key, value));
      return ask(["--method", "tools/call", "--tool-name", name, ...words]);
    },
    close: async () => {},
  };
}

const host = library === "inspector" ? inspected() : await connected();
const { version } = read(`@modelcontextprotocol/${library}/package.json`);
const seen = { client: library, version, speaks: host.speaks, shown: [...(await host.list())], steps: [] };
for (const step of plan.steps) {
  const isListed = host.names().includes(plan.tool);
  const [called, args] =
    step === "search"
      ? ["search_tools", { query: plan.query }]
      : step === "tool" && isListed
        ? [plan.tool, plan.arguments]
        : ["call_tool", { name: plan.tool, arguments: plan.arguments }];
  const result = text(await host.call(called, args));
  seen.steps.push({ step, called, listed: isListed, result });
}
seen.relists = host.relists();
await host.close();
console.log(JSON.stringify(seen));
process.exit(0);
