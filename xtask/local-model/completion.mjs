// From a checked request to deltas, a finish reason and usage. One driver for streaming and not.

import { callGrammar } from "./grammar.mjs";
import { OutputReader } from "./output.mjs";
import { Refusal } from "./refusal.mjs";
import { CALL_CLOSING, CALL_OPENING, render } from "./template.mjs";

/** Tokens of an answer where the request names no bound. */
const ANSWER_TOKENS_DEFAULT = 1024;

/** The prompt of a request and how long its answer may be. Throws a `Refusal` if both do not fit. */
export function plan(engine, request, { contextTokens, defaultSystem }) {
  const prompt = engine.tokens(render(request.messages, request.tools, defaultSystem));
  // One cell stays free: the runtime shifts a context that is full to the brim.
  const room = contextTokens - 1 - prompt.length;
  if (room < 1 || room < (request.tokensMax ?? 1)) {
    const asked = request.tokensMax === undefined ? "" : ` and ${request.tokensMax} for the completion`;
    throw new Refusal(
      `This model's maximum context length is ${contextTokens} tokens. ` +
        `However, you requested ${prompt.length} tokens in the messages and tools${asked}.`,
      "messages",
      "context_length_exceeded",
    );
  }
  const isForced = request.choice.mode === "required";
  const opening = isForced ? engine.tokens([CALL_OPENING]) : [];
  const tokensMax = Math.min(request.tokensMax ?? ANSWER_TOKENS_DEFAULT, room);
  return { prompt, opening, tokensMax, isForced };
}

/** Runs a plan. `onEvent` gets `{content}` and `{call}` as they become certain. Returns what is known at the end. */
export async function complete(engine, request, { prompt, opening, tokensMax, isForced }, signal, onEvent) {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const { mode, names, isNamed } = request.choice;
  const reader = new OutputReader({
    mayCall: (name) => mode !== "none" && (names.length === request.tools.length || names.includes(name)),
    callsMax: isForced ? 1 : request.callsMax,
  });
  const callable = request.tools.filter((tool) => names.includes(tool.function.name));
  const options = {
    grammar: isForced ? callGrammar(callable) : undefined,
    temperature: request.temperature,
    topP: request.topP,
    seed: request.seed,
  };
  let calls = 0;
  const emit = (events) => {
    for (const event of events) {
      if (event.call !== undefined) calls += 1;
      onEvent(event);
    }
  };
  const tokens = [...prompt, ...opening];
  const cached = Math.min(await engine.prepare(tokens, signal), prompt.length);
  const evaluated = performance.now();
  let written = opening.length;
  let isCut = true;
  if (isForced) emit(reader.push(CALL_OPENING));
  if (!signal.aborted && written < tokensMax) {
    for await (const { text, isEnd } of engine.write(tokens.at(-1), options)) {
      written += 1;
      emit(reader.push(text));
      isCut = !isEnd && !reader.isFull;
      if (!isCut || written >= tokensMax || signal.aborted) break;
    }
  }
  if (isForced && !isCut) emit(reader.push(CALL_CLOSING));
  emit(reader.end({ isForced }));
  const spent = process.cpuUsage(cpu);
  return {
    finish: isCut ? "length" : calls > 0 && !isNamed ? "tool_calls" : "stop",
    usage: {
      prompt_tokens: prompt.length,
      completion_tokens: written,
      total_tokens: prompt.length + written,
      prompt_tokens_details: { cached_tokens: cached },
    },
    timings: {
      prompt_ms: Math.round(evaluated - begin),
      predicted_ms: Math.round(performance.now() - evaluated),
      cpu_ms: Math.round((spent.user + spent.system) / 1000),
    },
  };
}
