"""The fakes of Chat Completions and Responses against the vendor's own client library."""

import json
import sys

import openai
from openai.types import CreateEmbeddingResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from fake import Check, serving

MODEL = "gpt-5.6-terra"
HI = [{"role": "user", "content": "Hi"}]
PIECES = [
    {"reasoning": "I should search."},
    {"text": "Searching… 검색"},
    {"call": {"name": "search", "arguments": {"query": "rows \"x\""}}},
    {"call": {"name": "nothing", "arguments": {"query": ""}}},
]
FAILURES = [
    (400, openai.BadRequestError), (401, openai.AuthenticationError),
    (403, openai.PermissionDeniedError), (404, openai.NotFoundError),
    (409, openai.ConflictError), (422, openai.UnprocessableEntityError),
    (429, openai.RateLimitError), (500, openai.InternalServerError),
    (503, openai.InternalServerError),
]

check = Check("openai")
completion = TypeAdapter(ChatCompletion)
chunk = TypeAdapter(ChatCompletionChunk)
response = TypeAdapter(Response)
event = TypeAdapter(ResponseStreamEvent)


def client(url, **more):
    return openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0, **more)


def schema():
    properties = {"query": {"type": "string"}}
    return {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}


def function(name):
    return {"name": name, "description": f"does {name}", "parameters": schema(), "strict": True}


def nested(name):
    return {"type": "function", "function": function(name)}


def flat(name, **more):
    return {"type": "function", **function(name), **more}


def search(**more):
    return {"type": "tool_search", "execution": "client", "description": "Finds tools.", "parameters": schema(), **more}


def chat(api, **more):
    """Asks, validates the bytes without leniency, and gives the parsed answer."""
    raw = api.chat.completions.with_raw_response.create(**{"model": MODEL, "messages": HI, **more})
    check.true(raw.headers.get("x-request-id"), "the answer has a request id")
    return completion.validate_json(raw.text)


def chunks(api, **more):
    stream = api.chat.completions.create(**{"model": MODEL, "messages": HI, "stream": True, **more})
    return [chunk.validate_python(one.model_dump()) for one in stream]


def respond(api, **more):
    raw = api.responses.with_raw_response.create(**{"model": MODEL, "input": HI, **more})
    check.true(raw.headers.get("x-request-id"), "the answer has a request id")
    return response.validate_json(raw.text)


def events(api, **more):
    stream = api.responses.create(**{"model": MODEL, "input": HI, "stream": True, **more})
    return [event.validate_python(one.model_dump(by_alias=True)) for one in stream]


def ended(api):
    """The library of Responses puts a stream together."""
    tools = [flat("search"), flat("nothing")]
    with api.responses.stream(model=MODEL, input=HI, tools=tools, reasoning={"summary": "auto"}) as stream:
        return stream.get_final_response()


def chat_texts_and_calls():
    with serving([{"reply": PIECES}] * 3 + [{"reply": [{"text": "ok"}]}]) as url:
        api = client(url)
        tools = [nested("search"), nested("nothing")]
        plain = chat(api, tools=tools)
        message = plain.choices[0].message
        check.equal((message.content, plain.choices[0].finish_reason), ("Searching… 검색", "tool_calls"), "text")
        called = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
        check.equal(called, [("search", {"query": 'rows "x"'}), ("nothing", {"query": ""})], "calls")
        check.true(plain.usage.completion_tokens_details.reasoning_tokens, "thoughts are counted")
        with api.chat.completions.stream(model=MODEL, messages=HI, tools=tools) as stream:
            whole = stream.get_final_completion().choices[0]
        check.equal(whole.message.content, message.content, "the text put together")
        calls = [(call.function.name, json.loads(call.function.arguments)) for call in whole.message.tool_calls]
        check.equal((calls, whole.finish_reason), (called, "tool_calls"), "the calls put together")
        seen = chunks(api, tools=tools, stream_options={"include_usage": True})
        check.equal(seen[-1].choices, [], "usage comes without choices")
        check.equal(seen[-1].usage.completion_tokens, plain.usage.completion_tokens, "usage of the stream")
        check.true(all(one.usage is None for one in seen[:-1]), "usage comes once")
        history = HI + [message.model_dump(exclude_none=True)] + [
            {"role": "tool", "tool_call_id": call.id, "content": "3 rows"} for call in message.tool_calls
        ]
        check.equal(chat(api, tools=tools, messages=history).choices[0].message.content, "ok", "after the results")


def chat_endings():
    script = [
        {"cut_off": [{"text": "half of it"}]},
        {"cut_off": [{"call": {"name": "search", "arguments": {"query": "x"}}}]},
        {"refusal": "I would rather not."},
        {"refusal": "I would rather not."},
        {"broken": {"pieces": [{"text": "never heard to its end"}], "bytes": 600}},
    ]
    with serving(script) as url:
        api = client(url)
        cut = chat(api).choices[0]
        check.equal((cut.finish_reason, cut.message.content), ("length", "half "), "cut off")
        cut = chunks(api)
        arguments = "".join(
            call.function.arguments for one in cut for call in one.choices[0].delta.tool_calls or []
        )
        check.equal((arguments, cut[-1].choices[0].finish_reason), ('{"quer', "length"), "a call that is cut off")
        refused = chat(api).choices[0].message
        check.equal((refused.refusal, refused.content), ("I would rather not.", None), "refusal")
        spoken = "".join(one.choices[0].delta.refusal or "" for one in chunks(api))
        check.equal(spoken, "I would rather not.", "refusal, streamed")
        with check.raises(openai.APIConnectionError, "a broken stream"):
            chunks(api)


def failures(ask, stream=None):
    """All protocols have the same errors."""
    script = [{"error": {"status": status, "retry_after": {"secs": 3, "nanos": 0}}} for status, _ in FAILURES]
    script.append({"error": {"status": 429, "mid_stream": True}})
    with serving(script) as url:
        api = client(url)
        for status, kind in FAILURES:
            with check.raises(kind, f"status {status}", status_code=status):
                try:
                    ask(api)
                except openai.APIStatusError as error:
                    check.true(error.message and error.type, "words and a kind")
                    check.true(error.request_id, "request id")
                    check.equal(error.response.headers["retry-after"], "3", "retry-after")
                    if status == 429:
                        check.equal(error.code, "rate_limit_exceeded", "code")
                    raise
        if stream:
            with check.raises(openai.APIError, "in mid-stream", code="rate_limit_exceeded", type="tokens"):
                stream(api)


def chat_refusals():
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    loose = {"type": "object", "properties": {"query": {"type": "string"}}}
    chosen = {"mode": "required", "tools": [nested("other")]}
    bad = [
        ({"tools": [nested(f"t{n}") for n in range(129)]}, "tools", "array_above_max_length"),
        ({"tools": [nested("a.b")]}, "tools[0].function.name", "invalid_value"),
        ({"tools": [nested("a"), nested("a")]}, "tools", "invalid_value"),
        ({"tools": [nested("a")], "tool_choice": {"type": "function", "function": {"name": "b"}}}, "tool_choice", None),
        ({"tools": [nested("a")], "tool_choice": {"type": "allowed_tools", "allowed_tools": chosen}},
         "tool_choice.allowed_tools.tools[0]", None),
        ({"tools": [{"type": "function", "function": {"name": "a", "parameters": loose, "strict": True}}]},
         "tools[0].function.parameters", "invalid_function_parameters"),
        ({"messages": HI + [called] + HI}, "messages.[2].role", None),
        ({"messages": HI + [{"role": "tool", "tool_call_id": "c1", "content": "x"}]}, "messages.[1].role", None),
        ({"extra_body": {"unknown": 1}}, "unknown", "unknown_parameter"),
        ({"max_tokens": 10}, "max_tokens", "unsupported_parameter"),
    ]
    refusals(chat, bad)
    allowed = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [nested("a")]}}
    with serving([{"reply": [{"text": "ok"}]}]) as url:
        masked = chat(client(url), tools=[nested("a"), nested("b")], tool_choice=allowed)
        check.equal(masked.choices[0].message.content, "ok", "a mask")


def refusals(ask, bad):
    with serving([]) as url:
        api = client(url)
        with check.raises(openai.AuthenticationError, "no key", status_code=401):
            ask(api, extra_headers={"Authorization": openai.Omit()})
        for more, param, code in bad:
            with check.raises(openai.BadRequestError, str(more)[:200], param=param, code=code):
                ask(api, **more)
        with check.raises(openai.InternalServerError, "empty script", status_code=500):
            ask(api)


def caches():
    with serving([{"reply": [{"text": "ok"}]}] * 6) as url:
        api = client(url)
        system = {"role": "system", "content": "s" * 8_000}
        first = chat(api, messages=[system] + HI).usage
        second = chat(api, messages=[system] + HI).usage
        written = first.prompt_tokens_details.cache_write_tokens
        check.true(2_000 < written <= first.prompt_tokens, "the prompt is written, and part of its tokens")
        check.equal(second.prompt_tokens_details.cached_tokens, written, "and read")
        grown = chat(api, messages=[system] + HI, tools=[nested("a")]).usage
        check.equal(grown.prompt_tokens_details.cached_tokens, 0, "a tool before it loses it")
        first = respond(api, instructions="s" * 8_000).usage
        second = respond(api, instructions="s" * 8_000)
        written = first.input_tokens_details.cache_write_tokens
        check.true(2_000 < written <= first.input_tokens, "instructions are written")
        check.equal(second.usage.input_tokens_details.cached_tokens, written, "and read")
        options = {"comparison_response_id": second.id}
        other = respond(api, instructions="s" * 8_000, tools=[flat("a")], prompt_cache_options=options)
        missed = other.prompt_cache_diagnostics
        check.equal((missed.type, missed.reason), ("cache_miss", "tools_changed"), "why the cache was missed")
        check.equal(missed.cache_missed_tokens, written, "how much")


def responses_texts_and_calls():
    with serving([{"reply": PIECES}] * 3 + [{"reply": [{"text": "ok"}]}]) as url:
        api = client(url)
        tools = [flat("search"), flat("nothing")]
        more = {"tools": tools, "reasoning": {"summary": "auto"}, "store": False}
        plain = respond(api, **more)
        kinds = ["reasoning", "message", "function_call", "function_call"]
        check.equal([item.type for item in plain.output], kinds, "items")
        check.equal(plain.output_text, "Searching… 검색", "text")
        check.equal(plain.output[0].summary[0].text, "I should search.", "thoughts")
        check.equal(json.loads(plain.output[2].arguments), {"query": 'rows "x"'}, "arguments")
        whole = ended(api)
        same = lambda answer: [
            {name: value for name, value in item.model_dump().items()
             if name not in ("id", "call_id", "encrypted_content", "parsed_arguments", "content")}
            for item in answer.output
        ]
        check.equal(same(whole), same(plain), "the stream put together")
        check.equal(whole.output_text, plain.output_text, "the text put together")
        seen = events(api, **more)
        check.equal([one.sequence_number for one in seen], list(range(len(seen))), "events are numbered")
        check.equal((seen[0].type, seen[-1].type), ("response.created", "response.completed"), "events")
        check.equal(seen[-1].response.usage.output_tokens, plain.usage.output_tokens, "usage of the stream")
        history = HI + plain.output + [
            {"type": "function_call_output", "call_id": item.call_id, "output": "3 rows"}
            for item in plain.output[2:]
        ]
        check.equal(respond(api, **{**more, "input": history}).output_text, "ok", "after the results")
        for at, what in ((len(HI), "a thought is not sent back"), (len(history) - 1, "a result is not sent")):
            with check.raises(openai.BadRequestError, what, param="input"):
                respond(api, **{**more, "input": history[:at] + history[at + 1:]})


def responses_endings():
    script = [
        {"cut_off": [{"text": "half of it"}]},
        {"cut_off": [{"call": {"name": "search", "arguments": {"query": "x"}}}]},
        {"refusal": "I would rather not."},
        {"refusal": "I would rather not."},
        {"broken": {"pieces": [{"text": "never heard to its end"}], "bytes": 2_000}},
    ]
    with serving(script) as url:
        api = client(url)
        cut = respond(api)
        reason = cut.incomplete_details.reason
        check.equal((cut.status, reason, cut.output_text), ("incomplete", "max_output_tokens", "half "), "cut off")
        cut = events(api)[-1]
        item = cut.response.output[0]
        check.equal((cut.type, item.status, item.arguments), ("response.incomplete", "incomplete", '{"quer'), "a call that is cut off")
        check.equal(respond(api).output[0].content[0].refusal, "I would rather not.", "refusal")
        spoken = "".join(one.delta for one in events(api) if one.type == "response.refusal.delta")
        check.equal(spoken, "I would rather not.", "refusal, streamed")
        with check.raises(openai.APIConnectionError, "a broken stream"):
            events(api)


def responses_client_search():
    asked = {"call": {"name": "tool_search", "arguments": {"query": "export"}}}
    called = {"call": {"name": "export", "arguments": {"query": "csv"}}}
    with serving([{"reply": [asked]}] * 2 + [{"reply": [called]}]) as url:
        api = client(url)
        tools = [search(), flat("read")]
        first = respond(api, tools=tools, store=False)
        item = first.output[0]
        check.equal((item.type, item.execution, item.arguments), ("tool_search_call", "client", {"query": "export"}), "the search")
        done = [one for one in events(api, tools=tools) if one.type == "response.output_item.done"]
        check.equal(done[0].item.arguments, {"query": "export"}, "the search, streamed")
        space = {"type": "namespace", "name": "files", "description": "Files.", "tools": [flat("export", defer_loading=True)]}
        found = {"type": "tool_search_output", "call_id": item.call_id, "execution": "client", "status": "completed", "tools": [space]}
        history = HI + [item, found]
        call = respond(api, tools=tools, store=False, input=history).output[0]
        check.equal((call.name, call.namespace), ("export", "files"), "a call of what was found")
        for items, what in ((HI + [item], "a search without a result"), (HI + [found], "a result without a search")):
            with check.raises(openai.BadRequestError, what, param="input", code=None):
                respond(api, tools=tools, store=False, input=items)


def responses_refusals():
    masked = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "other"}]}
    output = {"type": "function_call_output", "call_id": "c1", "output": "x"}
    refusals(respond, [
        ({"tools": [flat("a.b")]}, "tools[0].name", "invalid_value"),
        ({"tools": [nested("a")]}, "tools[0].name", "missing_required_parameter"),
        ({"tools": [flat("a", defer_loading=True)]}, "tools", None),
        ({"tools": [search(description=None)]}, "tools", None),
        ({"tools": [search()], "model": "gpt-5.1"}, "tools", None),
        ({"tools": [flat("a")], "tool_choice": masked}, "tool_choice", None),
        ({"input": HI + [output]}, "input", None),
        ({"input": [{"type": "other"}]}, "input[0]", "invalid_value"),
        ({"previous_response_id": "resp_1"}, "previous_response_id", "previous_response_not_found"),
        ({"extra_body": {"unknown": 1}}, "unknown", "unknown_parameter"),
        ({"temperature": 0.5}, "temperature", None),
    ])
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "a"}]}
    added = {"type": "additional_tools", "role": "developer", "tools": [flat("c")]}
    with serving([{"reply": [{"text": "ok"}]}]) as url:
        masked = respond(client(url), tools=[flat("a"), flat("b")], tool_choice=allowed, input=HI + [added])
        check.equal(masked.output_text, "ok", "a mask, and a tool that comes late")


def embed(api, **more):
    return api.embeddings.create(**{"model": "text-embedding-3-small", "input": ["a", "b"], **more})


def embeddings():
    with serving([{"reply": []}] * 4) as url:
        api = client(url)
        told = embed(api, dimensions=4, encoding_format="float")
        check.equal(CreateEmbeddingResponse.model_validate(told.to_dict()).model, "text-embedding-3-small", "the form")
        vectors = {one.index: one.embedding for one in told.data}
        check.equal(vectors, {0: [0.0, 1.0, 0.0, 0.0], 1: [0.0, 0.0, 1.0, 0.0]}, "vectors")
        # The library asks for bytes where nothing is said, and unpacks them.
        packed = {one.index: list(one.embedding) for one in embed(api, dimensions=4).data}
        check.equal(packed, vectors, "vectors as bytes")
        check.equal(len(embed(api, input="a", encoding_format="float").data[0].embedding), 1536, "whole width")
        check.equal(told.usage.prompt_tokens, 2, "usage")
    with serving([]) as url:
        bad = [
            ("no text", openai.BadRequestError, {"input": []}),
            ("an empty text", openai.BadRequestError, {"input": ["a", ""]}),
            ("too many texts", openai.BadRequestError, {"input": ["a"] * 2049}),
            ("too many numbers", openai.BadRequestError, {"dimensions": 1537}),
            ("an unknown model", openai.NotFoundError, {"model": "none"}),
        ]
        for what, kind, more in bad:
            with check.raises(kind, what):
                embed(client(url), encoding_format="float", **more)
    failures(embed)


def demonstration():
    """The program searches by itself, calls what it is shown, and tells what came of it."""
    with serving([], "--demo", "search") as url:
        api = client(url)
        tools = [search()]
        first = respond(api, tools=tools)
        found = {"type": "tool_search_output", "call_id": first.output[0].call_id, "execution": "client", "tools": [flat("export")]}
        history = HI + first.output + [found]
        second = respond(api, tools=tools, input=history)
        check.equal((second.output[0].name, second.output[0].arguments), ("export", '{"query":"example"}'), "the call")
        history += second.output + [{"type": "function_call_output", "call_id": second.output[0].call_id, "output": "3 rows"}]
        check.equal(respond(api, tools=tools, input=history).output_text, "export answered: 3 rows", "the end")


for scenario in (
    chat_texts_and_calls, chat_endings, chat_refusals, caches, responses_texts_and_calls,
    responses_endings, responses_client_search, responses_refusals, embeddings, demonstration,
):
    scenario()
failures(chat, chunks)
failures(respond, events)
sys.exit(check.done())
