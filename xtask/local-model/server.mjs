#!/usr/bin/env node
// Serves one small model on 127.0.0.1 by the chat completions protocol. Prints one line of JSON when it is ready.

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { StreamedAnswer, WholeAnswer, sendJson } from "./answer.mjs";
import { complete, plan } from "./completion.mjs";
import { Engine } from "./engine.mjs";
import { Refusal } from "./refusal.mjs";
import { readRequest } from "./request.mjs";

const BODY_BYTES_MAX = 16 << 20;

/** As `fetch.py` has it: the model or its runtime is not there. */
const NOT_TO_BE_HAD = 3;

const here = dirname(fileURLToPath(import.meta.url));
const { models } = JSON.parse(readFileSync(join(here, "models.json"), "utf8"));

function settings() {
  const { values } = parseArgs({
    options: {
      model: { type: "string", default: "qwen2.5-coder-0.5b" },
      dir: { type: "string", default: join(here, "..", "..", "target", "local-model") },
      port: { type: "string", default: "0" },
      threads: { type: "string", default: "1" },
      context: { type: "string", default: "8192" },
    },
  });
  const count = (name, least) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < least) give(2, `--${name} must be a whole number from ${least}`);
    return value;
  };
  if (models[values.model] === undefined) give(2, `--model must be one of ${Object.keys(models).join(", ")}`);
  return {
    model: values.model,
    dir: resolve(values.dir),
    port: count("port", 0),
    threads: count("threads", 1),
    contextTokens: count("context", 256),
    defaultSystem: models[values.model].system,
  };
}

function give(code, sentence) {
  console.error(`error: ${sentence}`);
  process.exit(code);
}

async function load({ model, dir, threads, contextTokens }) {
  const file = join(dir, `${model}.gguf`);
  const runtime = join(dir, "runtime");
  for (const [path, what] of [[file, model], [join(runtime, "complete"), "runtime"]]) {
    if (!existsSync(path)) give(NOT_TO_BE_HAD, `\`${path}\` is not there: run \`fetch.py ${what}\` first`);
  }
  return Engine.load({ runtime, file, threads, contextTokens });
}

async function bodyOf(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new Refusal("The request body is too large.", null, null, 413);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Serves until told to stop. One request at a time has the model; the others wait in order. */
class Service {
  #engine;
  #settings;
  #begun = Math.floor(Date.now() / 1000);
  #last = Promise.resolve();
  #running = new Set();

  constructor(engine, settings) {
    this.#engine = engine;
    this.#settings = settings;
  }

  async handle(request, response) {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.destroyed) return; // The caller has gone; there is nobody to tell.
      if (!(error instanceof Refusal)) console.error(error);
      const refusal = error instanceof Refusal ? error : new Refusal("The server had an error.", null, null, 500);
      if (response.headersSent) response.end();
      else sendJson(response, refusal.status, refusal.body);
    }
  }

  /** Cancels what runs and what waits; resolves when nothing does. */
  async stop() {
    for (const controller of this.#running) controller.abort();
    await this.#last;
    await this.#engine.dispose();
  }

  async #route(request, response) {
    const path = new URL(request.url, "http://localhost").pathname;
    const is = (method, wanted) => request.method === method && path === wanted;
    if (is("GET", "/health")) return sendJson(response, 200, { status: "ok" });
    if (is("GET", "/v1/models")) return sendJson(response, 200, this.#list());
    if (is("POST", "/v1/chat/completions")) return this.#chat(request, response);
    throw new Refusal(`Unknown request URL: ${request.method} ${path}`, null, "unknown_url", 404);
  }

  #list() {
    const entry = { id: this.#settings.model, object: "model", created: this.#begun, owned_by: "local" };
    return { object: "list", data: [entry] };
  }

  async #chat(httpRequest, response) {
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const request = readRequest(await bodyOf(httpRequest), [this.#settings.model]);
    const planned = plan(this.#engine, request, this.#settings);
    this.#running.add(controller);
    const turn = this.#last.then(() => this.#answer(request, planned, response, controller.signal));
    this.#last = turn.catch(() => {}).finally(() => this.#running.delete(controller));
    return turn;
  }

  async #answer(request, planned, response, signal) {
    if (signal.aborted) return response.destroy();
    const answer = new (request.isStream ? StreamedAnswer : WholeAnswer)(response, request);
    try {
      const ending = await complete(this.#engine, request, planned, signal, (event) => answer.add(event));
      if (signal.aborted) response.destroy();
      else answer.end(ending);
    } catch (error) {
      console.error(error);
      answer.fail(new Refusal("The model could not be run.", null, null, 500));
    }
  }
}

const chosen = settings();
const service = new Service(await load(chosen), chosen);
const server = createServer((request, response) => service.handle(request, response));
// A client that thinks between two requests must not find its connection closed.
server.keepAliveTimeout = 120_000;
server.listen(chosen.port, "127.0.0.1");
await once(server, "listening");
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, model: chosen.model }));

let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  server.close();
  await service.stop();
  server.closeAllConnections();
  process.exit(0);
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
