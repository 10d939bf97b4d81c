// The wire of Gemini CLI: `generateContent`, streamed or not.

export const serves = (path) => path.includes("/models/");

export function read(path, body) {
  if (path.includes(":countTokens")) return { aside: { totalTokens: 1000 } };
  const tools = (body.tools ?? []).flatMap((group) =>
    (group.functionDeclarations ?? []).map((tool) => ({
      name: tool.name,
      bytes: JSON.stringify(tool).length,
      deferred: false,
      kind: "function",
    })),
  );
  const results = [];
  for (const content of body.contents ?? []) {
    for (const part of content.parts ?? []) {
      if (part.functionResponse) results.push(text(part.functionResponse.response));
    }
  }
  return { tools, results, shown: [], streams: path.includes(":streamGenerateContent") };
}

const text = (response) => {
  const said = response?.output ?? response?.error ?? response;
  return typeof said === "string" ? said : JSON.stringify(said);
};

export function write(said, number, body, tool, path) {
  const part = said.call
    ? {
        functionCall: { id: `call_${number}`, name: said.call.name, args: said.call.arguments },
        thoughtSignature: "c2lnbmVk",
      }
    : { text: said.text };
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: "scripted",
    responseId: `response-${number}`,
  };
  return path.includes(":streamGenerateContent")
    ? { type: "text/event-stream", text: `data: ${JSON.stringify(answer)}\n\n` }
    : { type: "application/json", text: JSON.stringify(answer) };
}
