// The two faces of an answer: one JSON object, or a stream of server-sent events.

import { randomBytes } from "node:crypto";

/** Characters of the arguments in one event of a stream. */
const FRAGMENT_CHARACTERS = 24;

const id = (prefix) => `${prefix}${randomBytes(12).toString("hex")}`;

const head = (object, model) => ({
  id: id("chatcmpl-"),
  object,
  created: Math.floor(Date.now() / 1000),
  model,
});

const toolCall = ({ name, args }) => ({ id: id("call_"), type: "function", function: { name, arguments: args } });

/** Gathers the whole answer and sends it at the end. */
export class WholeAnswer {
  #response;
  #model;
  #content = "";
  #calls = [];

  constructor(response, request) {
    this.#response = response;
    this.#model = request.model;
  }

  add(event) {
    if (event.content !== undefined) this.#content += event.content;
    else this.#calls.push(toolCall(event.call));
  }

  end({ finish, usage, timings }) {
    const calls = this.#calls.length > 0 ? { tool_calls: this.#calls } : {};
    const content = this.#content === "" && this.#calls.length > 0 ? null : this.#content;
    const message = { role: "assistant", content, ...calls };
    const choices = [{ index: 0, message, finish_reason: finish }];
    sendJson(this.#response, 200, { ...head("chat.completion", this.#model), choices, usage, timings });
  }

  fail(refusal) {
    sendJson(this.#response, refusal.status, refusal.body);
  }
}

/** Sends each part as it comes. */
export class StreamedAnswer {
  #response;
  #head;
  #isUsageWanted;
  #calls = 0;

  constructor(response, request) {
    this.#response = response;
    this.#head = head("chat.completion.chunk", request.model);
    this.#isUsageWanted = request.isUsageWanted;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    this.#delta({ role: "assistant", content: "" });
  }

  add(event) {
    if (event.content !== undefined) {
      this.#delta({ content: event.content });
      return;
    }
    const index = this.#calls++;
    const call = toolCall(event.call);
    const characters = [...call.function.arguments];
    call.function.arguments = "";
    this.#delta({ tool_calls: [{ index, ...call }] });
    for (let at = 0; at < characters.length; at += FRAGMENT_CHARACTERS) {
      const fragment = characters.slice(at, at + FRAGMENT_CHARACTERS).join("");
      this.#delta({ tool_calls: [{ index, function: { arguments: fragment } }] });
    }
  }

  end({ finish, usage, timings }) {
    this.#delta({}, finish);
    if (this.#isUsageWanted) this.#send({ ...this.#head, choices: [], usage, timings });
    this.#response.end("data: [DONE]\n\n");
  }

  fail(refusal) {
    this.#send(refusal.body);
    this.#response.end();
  }

  #delta(delta, finish = null) {
    this.#send({ ...this.#head, choices: [{ index: 0, delta, finish_reason: finish }] });
  }

  #send(data) {
    this.#response.write(`data: ${JSON.stringify(data)}\n\n`);
  }
}

export function sendJson(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}
