"""The fake of Ollama against its own client library."""

import sys

import ollama

from fake import Check, serving

HI = [{"role": "user", "content": "Hi"}]
PIECES = [
    {"reasoning": "I should search."},
    {"text": "Searching… 검색"},
    {"call": {"name": "search", "arguments": {"query": "rows \"x\""}}},
    {"call": {"name": "nothing", "arguments": {}}},
]

check = Check("ollama")


def tool(name):
    properties = {"query": {"type": "string", "description": "words"}}
    parameters = {"type": "object", "properties": properties, "required": ["query"]}
    return {"type": "function", "function": {"name": name, "description": f"does {name}", "parameters": parameters}}


def ask(api, **more):
    return api.chat(**{"model": "qwen", "messages": HI, **more})


def stream(api, **more):
    return list(ask(api, stream=True, **more))


def calls(message):
    return [(call.function.name, call.function.arguments) for call in message.tool_calls or []]


def texts_and_calls():
    with serving([{"reply": PIECES}] * 3 + [{"reply": [{"text": "ok"}]}]) as url:
        api = ollama.Client(host=url)
        tools = [tool("search"), tool("nothing")]
        plain = ask(api, tools=tools, think=True)
        message = plain.message
        check.equal((message.content, message.thinking), ("Searching… 검색", "I should search."), "texts")
        called = [("search", {"query": 'rows "x"'}), ("nothing", {})]
        check.equal(calls(message), called, "calls")
        check.equal((plain.done, plain.done_reason), (True, "stop"), "end")
        lines = stream(api, tools=tools, think=True)
        text = "".join(line.message.content or "" for line in lines)
        thinking = "".join(line.message.thinking or "" for line in lines)
        check.equal((text, thinking), (message.content, message.thinking), "the texts put together")
        check.equal([call for line in lines for call in calls(line.message)], called, "the calls put together")
        check.equal([line.done for line in lines], [False] * (len(lines) - 1) + [True], "one line is the last")
        last = lines[-1]
        check.equal((last.prompt_eval_count, last.eval_count), (plain.prompt_eval_count, plain.eval_count), "counts")
        check.equal(ask(api).message.thinking, None, "thoughts are told on request alone")
        history = HI + [message] + [
            {"role": "tool", "tool_name": name, "content": "3 rows"} for name, _ in called
        ]
        check.equal(ask(api, tools=tools, messages=history).message.content, "ok", "after the results")


def endings():
    script = [
        {"cut_off": [{"text": "half of it"}]},
        {"cut_off": [{"text": "half of it"}]},
        {"refusal": "I would rather not."},
        {"broken": {"pieces": [{"text": "never heard to its end"}], "bytes": 150}},
    ]
    with serving(script) as url:
        api = ollama.Client(host=url)
        cut = ask(api)
        check.equal((cut.done_reason, cut.message.content), ("length", "half "), "cut off")
        cut = stream(api)
        text = "".join(line.message.content for line in cut)
        check.equal((cut[-1].done_reason, text), ("length", "half "), "cut off, streamed")
        check.equal(ask(api).message.content, "I would rather not.", "a refusal is a text")
        try:
            stream(api)
            check.true(False, "a broken stream is an error")
        except Exception as error:
            check.true("chunked" in str(error) or "closed" in str(error), f"broken: {error!r}")


def failures():
    statuses = [400, 404, 429, 500, 503]
    script = [{"error": {"status": status}} for status in statuses]
    script.append({"error": {"status": 503, "mid_stream": True}})
    with serving(script) as url:
        api = ollama.Client(host=url)
        for status in statuses:
            with check.raises(ollama.ResponseError, f"status {status}", status_code=status):
                ask(api)
        busy = "server busy, please try again.  maximum pending requests exceeded"
        with check.raises(ollama.ResponseError, "in mid-stream", error=busy):
            stream(api)


def refusals():
    called = {"role": "assistant", "tool_calls": [{"function": {"name": "search", "arguments": {}}}]}
    result = {"role": "tool", "content": "x"}
    bad = [
        ("a result without a name", {"messages": HI + [called, result]}),
        ("a result of another call", {"messages": HI + [called, {**result, "tool_name": "other"}]}),
        ("no result", {"messages": HI + [called] + HI}),
        ("a role that nobody knows", {"messages": [{"role": "model", "content": "x"}]}),
    ]
    with serving([]) as url:
        api = ollama.Client(host=url)
        for what, more in bad:
            with check.raises(ollama.ResponseError, what, status_code=400):
                ask(api, **more)
        with check.raises(ollama.ResponseError, "empty script", status_code=500):
            ask(api)


def embeddings():
    with serving([{"reply": []}] * 3) as url:
        api = ollama.Client(host=url)
        told = api.embed("all-minilm", ["a", "b"], dimensions=4)
        check.equal([list(one) for one in told.embeddings], [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]], "vectors")
        check.equal((told.model, told.prompt_eval_count), ("all-minilm", 2), "the rest of the answer")
        check.equal(len(api.embed("nomic-embed-text", "a").embeddings[0]), 768, "whole width")
        for what, status, model, text in (
            ("no text", 400, "all-minilm", []),
            ("an empty text", 400, "all-minilm", [""]),
            ("an unknown model", 404, "none", "a"),
        ):
            with check.raises(ollama.ResponseError, what, status_code=status):
                api.embed(model, text)


def demonstration():
    with serving([], "--demo", "search") as url:
        api = ollama.Client(host=url)
        tools = [tool("ToolSearch"), tool("export")]
        history = list(HI)
        for name, result in (("ToolSearch", "found: export"), ("export", "3 rows")):
            message = ask(api, tools=tools, messages=history).message
            check.equal(calls(message)[0][0], name, "the call")
            history += [message, {"role": "tool", "tool_name": name, "content": result}]
        end = ask(api, tools=tools, messages=history).message.content
        check.equal(end, "export answered: 3 rows", "the end")


for scenario in (texts_and_calls, endings, failures, refusals, embeddings, demonstration):
    scenario()
sys.exit(check.done())
