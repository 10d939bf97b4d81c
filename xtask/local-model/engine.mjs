// One model in memory with one sequence of evaluated tokens. Everything here lives as long as the server.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Prompt tokens that are evaluated between two looks at whether the caller is still there. */
const CHUNK_TOKENS = 256;

/** Bytes of one character may be spread over this many tokens at most. */
const CHARACTER_TOKENS_MAX = 8;

export class Engine {
  #library;
  #llama;
  #model;
  #sequence;
  #grammars = new Map();

  static async load({ runtime, file, threads, contextTokens }) {
    const engine = new Engine();
    const entry = join(runtime, "node_modules", "node-llama-cpp", "dist", "index.js");
    engine.#library = await import(pathToFileURL(entry).href);
    engine.#llama = await engine.#library.getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: threads });
    engine.#model = await engine.#llama.loadModel({ modelPath: file });
    const context = await engine.#model.createContext({ contextSize: contextTokens, threads, batchSize: CHUNK_TOKENS });
    engine.#sequence = context.getSequence();
    return engine;
  }

  /** The tokens of a prompt: control tokens where the template put them, and nowhere else. */
  tokens(pieces) {
    return pieces.flatMap((piece) => {
      const isText = typeof piece === "string";
      return this.#model.tokenize(isText ? piece : piece.description, !isText);
    });
  }

  /** Makes the sequence equal to `tokens` but for the last one, and says how many of them it held already. */
  async prepare(tokens, signal) {
    await this.#sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    const cached = this.#sequence.nextTokenIndex;
    for (let at = cached; at < tokens.length - 1 && !signal.aborted; at += CHUNK_TOKENS) {
      const chunk = tokens.slice(at, Math.min(at + CHUNK_TOKENS, tokens.length - 1));
      await this.#sequence.evaluateWithoutGeneratingNewTokens(chunk);
    }
    return cached;
  }

  /** Writes on after `last`, the token that `prepare` left out. Gives text; `isEnd` with the token that ends the turn. */
  async *write(last, { grammar, temperature, topP, seed }) {
    const options = { temperature, topP, seed, yieldEogToken: true };
    if (grammar !== undefined) options.grammarEvaluationState = await this.#grammarState(grammar);
    let pending = [];
    for await (const token of this.#sequence.evaluate([last], options)) {
      if (this.#model.isEogToken(token)) {
        yield { text: "", isEnd: true };
        return;
      }
      pending.push(token);
      const text = this.#model.detokenize(pending, false);
      const isWhole = !text.endsWith("\uFFFD") || pending.length >= CHARACTER_TOKENS_MAX;
      if (isWhole) pending = [];
      yield { text: isWhole ? text : "", isEnd: false };
    }
  }

  async #grammarState(text) {
    let grammar = this.#grammars.get(text);
    if (grammar === undefined) {
      grammar = await this.#llama.createGrammar({ grammar: text });
      if (this.#grammars.size >= 16) this.#grammars.clear();
      this.#grammars.set(text, grammar);
    }
    return new this.#library.LlamaGrammarEvaluationState({ model: this.#model, grammar });
  }

  async dispose() {
    await this.#llama.dispose();
  }
}
