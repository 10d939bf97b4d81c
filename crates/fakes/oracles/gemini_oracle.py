"""The fake of Gemini against the vendor's own client library."""

import sys

from google import genai
from google.genai import errors, types

from fake import Check, serving

MODEL = "gemini-3-pro"
PIECES = [
    {"reasoning": "I should search."},
    {"text": "Searching… 검색"},
    {"call": {"name": "search", "arguments": {"query": "rows \"x\""}}},
    {"call": {"name": "nothing", "arguments": {}}},
]

check = Check("gemini")


def client(url, **more):
    return genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url, **more))


def declared(name, **more):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"name": name, "description": f"does {name}", "parameters_json_schema": schema, **more}


def config(*names, declarations=(), **more):
    declarations = [declared(name) for name in names] + list(declarations)
    tools = [{"function_declarations": declarations}] if declarations else None
    calling = types.AutomaticFunctionCallingConfig(disable=True)
    return types.GenerateContentConfig(tools=tools, automatic_function_calling=calling, **more)


def ask(api, contents="Hi", model=MODEL, settings=None):
    return api.models.generate_content(model=model, contents=contents, config=settings or config())


def stream(api, contents="Hi", model=MODEL, settings=None):
    return list(api.models.generate_content_stream(model=model, contents=contents, config=settings or config()))


def joined(chunks):
    """Puts texts and calls of a stream together."""
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or []]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    thoughts = "".join(part.text for part in parts if part.text and part.thought)
    return text, thoughts, [part for part in parts if part.function_call]


def texts_and_calls():
    thinking = types.ThinkingConfig(include_thoughts=True)
    settings = config("search", "nothing", thinking_config=thinking)
    with serving([{"reply": PIECES}] * 2 + [{"reply": [{"text": "ok"}]}]) as url:
        api = client(url)
        plain = ask(api, settings=settings)
        content = plain.candidates[0].content
        thought, text, search, nothing = content.parts
        check.equal((thought.thought, thought.text, text.text), (True, "I should search.", "Searching… 검색"), "texts")
        check.equal((search.function_call.name, search.function_call.args), ("search", {"query": 'rows "x"'}), "a call")
        check.true(search.thought_signature and not nothing.thought_signature, "the first call is signed")
        check.true(search.function_call.id != nothing.function_call.id, "calls have ids")
        check.equal(plain.candidates[0].finish_reason, types.FinishReason.STOP, "end")
        usage = plain.usage_metadata
        total = usage.prompt_token_count + usage.candidates_token_count + usage.thoughts_token_count
        check.equal(usage.total_token_count, total, "thoughts are apart from the rest")
        chunks = stream(api, settings=settings)
        words, thoughts, calls = joined(chunks)
        check.equal((words, thoughts), (text.text, thought.text), "the texts put together")
        same = lambda parts: [(part.function_call.name, part.function_call.args, part.function_call.id) for part in parts]
        check.equal([call[:2] for call in same(calls)], [call[:2] for call in same((search, nothing))], "the calls put together")
        check.equal(chunks[-1].usage_metadata, usage, "usage of the stream")
        check.equal(chunks[-1].candidates[0].finish_reason, types.FinishReason.STOP, "end of the stream")

        results = [
            types.Part(function_response=types.FunctionResponse(id=part.function_call.id, name=part.function_call.name, response={"output": "3 rows"}))
            for part in (search, nothing)
        ]
        user = types.UserContent("Hi")
        history = [user, content, types.Content(role="user", parts=results)]
        check.equal(ask(api, history, settings=settings).text, "ok", "after the results")
        bare = content.model_copy(deep=True)
        bare.parts[2].thought_signature = None
        for contents, what in (
            ([user, bare, history[2]], "without the signature"),
            ([user, content, types.Content(role="user", parts=results[:1])], "without a result"),
            ([user, history[2]], "without the calls"),
        ):
            with check.raises(errors.ClientError, what, code=400, status="INVALID_ARGUMENT"):
                ask(api, contents, settings=settings)


def endings():
    script = [
        {"cut_off": [{"text": "half of it"}]},
        {"cut_off": [{"text": "half of it"}]},
        {"refusal": "I would rather not."},
        {"reply": [{"raw_call": {"name": "search", "arguments": "not json"}}]},
        {"broken": {"pieces": [{"text": "never heard to its end"}], "bytes": 300}},
    ]
    with serving(script) as url:
        api = client(url)
        cut = ask(api)
        check.equal((cut.candidates[0].finish_reason, cut.text), (types.FinishReason.MAX_TOKENS, "half "), "cut off")
        cut = stream(api)
        check.equal((cut[-1].candidates[0].finish_reason, joined(cut)[0]), (types.FinishReason.MAX_TOKENS, "half "), "cut off, streamed")
        refused = ask(api).candidates[0]
        check.equal(refused.finish_reason, types.FinishReason.SAFETY, "refusal")
        malformed = ask(api).candidates[0]
        check.equal(malformed.finish_reason, types.FinishReason.MALFORMED_FUNCTION_CALL, "a call that is none")
        try:
            stream(api)
            check.true(False, "a broken stream is an error")
        except Exception as error:
            check.true("chunked" in str(error) or "closed" in str(error), f"broken: {error!r}")


def failures():
    kinds = [
        (400, errors.ClientError, "INVALID_ARGUMENT"), (401, errors.ClientError, "UNAUTHENTICATED"),
        (403, errors.ClientError, "PERMISSION_DENIED"), (404, errors.ClientError, "NOT_FOUND"),
        (429, errors.ClientError, "RESOURCE_EXHAUSTED"), (500, errors.ServerError, "INTERNAL"),
        (503, errors.ServerError, "UNAVAILABLE"), (504, errors.ServerError, "DEADLINE_EXCEEDED"),
    ]
    script = [{"error": {"status": status, "retry_after": {"secs": 3, "nanos": 0}}} for status, _, _ in kinds]
    script.append({"error": {"status": 503, "mid_stream": True}})
    with serving(script) as url:
        # Whoever asks for retries gets them; here every failure is to be seen.
        api = client(url, retry_options=types.HttpRetryOptions(attempts=1))
        for code, kind, status in kinds:
            with check.raises(kind, f"status {code}", code=code, status=status):
                try:
                    ask(api)
                except errors.APIError as error:
                    (retry,) = error.details["error"]["details"]
                    check.equal(retry["retryDelay"], "3s", "how long to wait")
                    raise
        with check.raises(errors.ServerError, "in mid-stream", code=503, status="UNAVAILABLE"):
            stream(api)


def refusals():
    with serving([]) as url:
        with check.raises(errors.ClientError, "no key", code=403, status="PERMISSION_DENIED"):
            ask(client(url, headers={"x-goog-api-key": ""}))
        api = client(url)
        named = {"mode": "ANY", "allowed_function_names": ["other"]}
        loose = {"mode": "AUTO", "allowed_function_names": ["search"]}
        both = declared("search", parameters={"type": "OBJECT", "properties": {"a": {"type": "STRING"}}})
        closed = {"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "additional_properties": False}}
        bad = [
            ("a b", config("a b")),
            ("twice", config("search", "search")),
            ("a mask of other functions", config("search", tool_config={"function_calling_config": named})),
            ("a mask that binds nobody", config("search", tool_config={"function_calling_config": loose})),
            ("two schemas", config(declarations=[both])),
            ("a word without a field", config(declarations=[closed])),
        ]
        for what, settings in bad:
            with check.raises(errors.ClientError, what, code=400, status="INVALID_ARGUMENT"):
                ask(api, settings=settings)
        with check.raises(errors.ServerError, "empty script", code=500):
            ask(api)
    with serving([{"reply": [{"text": "ok"}]}]) as url:
        allowed = {"mode": "ANY", "allowed_function_names": ["search"]}
        masked = ask(client(url), settings=config("search", "read", tool_config={"function_calling_config": allowed}))
        check.equal(masked.text, "ok", "a mask")


def caches():
    with serving([{"reply": [{"text": "ok"}]}] * 3) as url:
        api = client(url)
        told = "s" * 8_000
        first = ask(api, settings=config("search", system_instruction=told)).usage_metadata
        second = ask(api, settings=config("search", system_instruction=told)).usage_metadata
        third = ask(api, settings=config("read", "search", system_instruction=told)).usage_metadata
        check.equal(first.cached_content_token_count, None, "nothing is read at first")
        check.equal(second.cached_content_token_count, first.prompt_token_count, "then all of it")
        check.equal(third.cached_content_token_count, None, "a function before it loses it")


def demonstration():
    with serving([], "--demo", "search") as url:
        api = client(url)
        settings = config("ToolSearch", "export")
        history = [types.UserContent("export my rows")]
        for name, result in (("ToolSearch", "found: export"), ("export", "3 rows")):
            content = ask(api, history, settings=settings).candidates[0].content
            call = content.parts[0].function_call
            check.equal(call.name, name, "the call")
            response = types.FunctionResponse(id=call.id, name=name, response={"output": result})
            history += [content, types.Content(role="user", parts=[types.Part(function_response=response)])]
        check.equal(ask(api, history, settings=settings).text, "export answered: 3 rows", "the end")


for scenario in (texts_and_calls, endings, failures, refusals, caches, demonstration):
    scenario()
sys.exit(check.done())
