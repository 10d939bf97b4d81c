// What a model wrote becomes content and calls. A strict reader: only JSON inside `<tool_call>` tags is a call. Pure.

import { spacedJson } from "./template.mjs";

const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";

/** Takes text in pieces and gives events: `{content}` or `{call: {name, args}}`, `args` being a string. */
export class OutputReader {
  #held = "";
  #mayCall;
  #callsMax;
  #calls = 0;
  #isAfterCall = false;

  /** `mayCall(name)` says whether a call of that name counts; another one stays content. */
  constructor({ mayCall, callsMax }) {
    this.#mayCall = mayCall;
    this.#callsMax = callsMax;
  }

  /** Says whether no further call will be read. */
  get isFull() {
    return this.#calls >= this.#callsMax;
  }

  push(text) {
    this.#held += text;
    const events = [];
    for (;;) {
      if (this.#isAfterCall) this.#held = this.#held.trimStart();
      const start = this.#held.indexOf(OPEN);
      if (start === -1) break;
      const end = this.#held.indexOf(CLOSE, start);
      if (end === -1) {
        // White space before a tag is dropped if a call follows, so it waits with the tag.
        this.#release(this.#held.slice(0, start).trimEnd().length, events);
        return events;
      }
      const after = end + CLOSE.length;
      const call = !this.isFull ? readCall(this.#held.slice(start + OPEN.length, end)) : null;
      if (call === null || !this.#mayCall(call.name)) {
        this.#release(after, events);
        continue;
      }
      this.#release(this.#held.slice(0, start).trimEnd().length, events);
      this.#held = this.#held.slice(this.#held.indexOf(CLOSE) + CLOSE.length);
      this.#isAfterCall = true;
      this.#calls += 1;
      events.push({ call });
    }
    this.#release(this.#held.length - this.#undecided(), events);
    return events;
  }

  /** The rest. Of a forced call that was cut off, as much as there is of it. */
  end({ isForced }) {
    const events = [];
    const cut = isForced ? /^<tool_call>\s*\{"name": "([^"]+)", "arguments": (.*)$/s.exec(this.#held) : null;
    if (cut !== null) {
      this.#calls += 1;
      events.push({ call: { name: cut[1], args: cut[2] } });
    } else if (this.#calls === 0 || this.#held.trim() !== "") {
      this.#release(this.#held.length, events);
    }
    return events;
  }

  #release(length, events) {
    if (length <= 0) return;
    this.#isAfterCall = false;
    events.push({ content: this.#held.slice(0, length) });
    this.#held = this.#held.slice(length);
  }

  /** How many characters at the end may still become part of a tag, with the white space before it. */
  #undecided() {
    let of = Math.min(OPEN.length - 1, this.#held.length);
    while (of > 0 && !OPEN.startsWith(this.#held.slice(-of))) of -= 1;
    const before = this.#held.slice(0, this.#held.length - of);
    return of + before.length - before.trimEnd().length;
  }
}

function readCall(text) {
  try {
    const { name, arguments: args } = JSON.parse(text);
    return typeof name === "string" && args !== undefined ? { name, args: spacedJson(args) } : null;
  } catch {
    return null;
  }
}
