// Stands between a client and the gateway and notes every message that passes, word for word.
//
//   node tee.mjs LOG.jsonl PROGRAM ARGUMENT...

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [logFile, program, ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const begun = performance.now();

function pass(from, to, who) {
  let rest = "";
  from.setEncoding("utf8");
  from.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines.filter((line) => line.trim())) {
      appendFileSync(logFile, `{"ms":${Math.round(performance.now() - begun)},"who":"${who}","message":${line}}\n`);
    }
    to.write(chunk);
  });
  from.on("end", () => to.end());
  to.on("error", () => {});
}

pass(process.stdin, child.stdin, "client");
pass(child.stdout, process.stdout, "gateway");
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
