"""The fake of the Messages API against the vendor's own client library."""

import sys

import anthropic
from anthropic.types import ErrorResponse, Message, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage
from pydantic import TypeAdapter

from fake import Check, serving

MODEL = "claude-opus-5"
HI = [{"role": "user", "content": "Hi"}]
INLINE = ["inline-tools-2026-09-15"]

check = Check("anthropic")
whole = TypeAdapter(Message)
event = TypeAdapter(RawMessageStreamEvent)


def client(url, **more):
    return anthropic.Anthropic(base_url=url, api_key="k", max_retries=0, **more)


def tool(name, **more):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return {"name": name, "description": f"does {name}", "input_schema": schema, **more}


def request(**more):
    return {"model": MODEL, "max_tokens": 100, "messages": HI, **more}


def plain_and_strict(api, **more):
    """Asks, validates the bytes without leniency, and gives the parsed message."""
    raw = api.messages.with_raw_response.create(**request(**more))
    check.true(raw.headers.get("request-id"), "the answer has a request id")
    return whole.validate_json(raw.text(), strict=False)


def streamed(api, **more):
    """Streams, validates every event, and gives what the library puts together."""
    with api.messages.stream(**request(**more)) as stream:
        return stream.get_final_message()


def events(api, **more):
    seen = []
    with api.messages.with_raw_response.create(**request(**more), stream=True).parse() as stream:
        for one in stream:
            seen.append(event.validate_python(one.model_dump()).type)
    return seen


def texts_and_calls():
    pieces = [
        {"reasoning": "I should search."},
        {"text": "Searching… 검색"},
        {"call": {"name": "search", "arguments": {"query": "rows \"x\""}}},
        {"call": {"name": "nothing", "arguments": {}}},
    ]
    with serving([{"reply": pieces}] * 3) as url:
        api = client(url)
        tools = [tool("search"), tool("nothing")]
        plain = plain_and_strict(api, tools=tools)
        stream = streamed(api, tools=tools)
        check.equal([b.type for b in plain.content], ["thinking", "text", "tool_use", "tool_use"], "blocks")
        check.equal(plain.stop_reason, "tool_use", "stop reason")
        check.equal(plain.content[2].input, {"query": 'rows "x"'}, "input")
        check.equal(plain.content[0].thinking, "I should search.", "thoughts")
        same = lambda message: [
            {k: v for k, v in block.model_dump().items() if k not in ("id", "parsed_output")}
            for block in message.content
        ]
        check.equal(same(stream), same(plain), "the stream put together")
        check.equal(stream.stop_reason, plain.stop_reason, "stop reason of the stream")
        check.equal(stream.usage.output_tokens, plain.usage.output_tokens, "output tokens")
        kinds = events(api, tools=tools)
        check.equal((kinds[0], kinds[-2:]), ("message_start", ["message_delta", "message_stop"]), "events")
        check.equal(kinds.count("content_block_stop"), 4, "ends of blocks")


def endings():
    script = [
        {"cut_off": [{"text": "half of it"}]},
        {"cut_off": [{"call": {"name": "search", "arguments": {"query": "x"}}}]},
        {"refusal": "I would rather not."},
        {"broken": {"pieces": [{"text": "never heard to its end"}], "bytes": 400}},
    ]
    with serving(script) as url:
        api = client(url)
        plain = plain_and_strict(api)
        check.equal((plain.stop_reason, plain.content[0].text), ("max_tokens", "half "), "cut off")
        stream = streamed(api, tools=[tool("search")])
        check.equal(stream.stop_reason, "max_tokens", "a call that is cut off")
        refused = streamed(api)
        check.equal((refused.stop_reason, refused.content), ("refusal", []), "refusal")
        check.equal(refused.stop_details.explanation, "I would rather not.", "why")
        try:
            streamed(api)
            check.true(False, "a broken stream is an error")
        except Exception as error:
            check.true("chunked" in str(error) or "closed" in str(error), f"broken: {error!r}")


def failures():
    kinds = [
        (400, anthropic.BadRequestError), (401, anthropic.AuthenticationError),
        (403, anthropic.PermissionDeniedError), (404, anthropic.NotFoundError),
        (429, anthropic.RateLimitError), (500, anthropic.InternalServerError),
    ]
    from anthropic import _exceptions as more
    kinds += [
        (402, more.PaymentRequiredError), (413, more.ContentTooLargeError),
        (504, more.GatewayTimeoutError), (529, more.OverloadedError),
    ]
    script = [{"error": {"status": status, "retry_after": {"secs": 3, "nanos": 0}}} for status, _ in kinds]
    script.append({"error": {"status": 529, "mid_stream": True}})
    with serving(script) as url:
        api = client(url)
        for status, kind in kinds:
            with check.raises(kind, f"status {status}", status_code=status):
                try:
                    api.messages.create(**request())
                except anthropic.APIStatusError as error:
                    # The library has no type for the error of 413, which the documentation names.
                    if status != 413:
                        ErrorResponse.model_validate(error.body)
                    check.equal(error.body["request_id"], error.request_id, "request id")
                    check.equal(error.response.headers["retry-after"], "3", "retry-after")
                    raise
        # The stream began with 200, so that the library has no class for the status.
        with check.raises(anthropic.APIStatusError, "in mid-stream"):
            try:
                streamed(api)
            except anthropic.APIStatusError as error:
                check.equal(error.body["error"]["type"], "overloaded_error", "the kind in mid-stream")
                raise


def refusals():
    with serving([]) as url:
        with check.raises(anthropic.AuthenticationError, "no key"):
            anthropic.Anthropic(base_url=url, auth_token="", api_key=None, max_retries=0).with_options(
                default_headers={"Authorization": anthropic.Omit(), "X-Api-Key": ""}
            ).messages.create(**request())
        api = client(url)
        bad = [
            {"tools": [tool("a.b")]},
            {"tools": [tool("a"), tool("a")]},
            {"tools": [tool("a", defer_loading=True)]},
            {"tool_choice": {"type": "any"}},
            {"messages": [{"role": "user", "content": [{"type": "text", "text": ""}]}]},
            {"extra_body": {"unknown": 1}},
            {"model": "claude-sonnet-5", "messages": HI + [{"role": "system", "content": "x"}]},
        ]
        for more in bad:
            with check.raises(anthropic.BadRequestError, str(more)):
                api.messages.create(**request(**more))
        with check.raises(anthropic.NotFoundError, "unknown model"):
            api.messages.create(**request(model="other"))
        with check.raises(anthropic.InternalServerError, "empty script", status_code=500):
            api.messages.create(**request())


def found_by_reference():
    search = {"call": {"name": "search", "arguments": {"query": "export"}}}
    with serving([{"reply": [search]}, {"reply": [{"text": "ok"}]}]) as url:
        api = client(url)
        tools = [
            tool("search", cache_control={"type": "ephemeral"}, description="d" * 4_000),
            tool("export", defer_loading=True, description="e" * 4_000),
        ]
        first = plain_and_strict(api, tools=tools)
        written = first.usage.cache_creation_input_tokens
        check.true(written > 1_000, "the visible tool is written")
        result = {
            "type": "tool_result",
            "tool_use_id": first.content[0].id,
            "content": [{"type": "tool_reference", "tool_name": "export"}],
        }
        history = HI + [
            {"role": "assistant", "content": first.content},
            {"role": "user", "content": [result]},
        ]
        second = plain_and_strict(api, tools=tools, messages=history)
        check.equal(second.usage.cache_read_input_tokens, written, "the tools are read")
        check.true(second.usage.input_tokens > 1_000, "the tool that was shown is new input")
        with check.raises(anthropic.BadRequestError, "a reference to a lost tool"):
            api.messages.create(**request(tools=tools[:1], messages=history))


def found_by_value():
    with serving([{"reply": [{"text": "ok"}]}] * 2) as url:
        api = client(url).beta
        definition = {"type": "tool_definition", "definition": tool("export")}
        added = {"role": "system", "content": [{"type": "tool_addition", "tool": definition}]}
        more = {"tools": [tool("search")], "messages": HI + [added]}
        raw = api.messages.with_raw_response.create(**request(**more), betas=INLINE)
        TypeAdapter(BetaMessage).validate_json(raw.text())
        with api.messages.stream(**request(**more), betas=INLINE) as stream:
            check.equal(stream.get_final_message().content[0].text, "ok", "by value, streamed")
        with check.raises(anthropic.BadRequestError, "no beta"):
            api.messages.create(**request(**more))
        unknown = {"type": "tool_reference", "name": "other"}
        lost = {"role": "system", "content": [{"type": "tool_removal", "tool": unknown}]}
        try:
            api.messages.create(**request(tools=[tool("search")], messages=HI + [lost]), betas=INLINE)
            check.true(False, "an unresolved reference is refused")
        except anthropic.BadRequestError as error:
            code = error.body["error"]["details"]["error_code"]
            check.equal(code, "tool_reference_unresolved", "the code of the error")


def misses_are_explained():
    with serving([{"reply": [{"text": "ok"}]}] * 4) as url:
        api = client(url)
        system = [{"type": "text", "text": "s" * 8_000, "cache_control": {"type": "ephemeral"}}]
        ask = lambda before, tools: plain_and_strict(
            api, system=system, tools=tools, diagnostics={"previous_message_id": before}
        )
        first = ask(None, [tool("a")])
        check.equal(first.diagnostics, None, "nothing to compare with")
        same = ask(first.id, [tool("a")])
        check.equal(same.diagnostics, None, "nothing differs")
        check.true(same.usage.cache_read_input_tokens > 2_000, "the prefix is read")
        other = ask(same.id, [tool("a"), tool("b")])
        reason = other.diagnostics.cache_miss_reason
        check.equal(reason.type, "tools_changed", "why the cache was missed")
        check.equal(reason.cache_missed_input_tokens, same.usage.cache_read_input_tokens, "how much")
        lost = ask("msg_unknown", [tool("a"), tool("b")])
        check.equal(lost.diagnostics.cache_miss_reason.type, "previous_message_not_found", "unknown")


for scenario in (
    texts_and_calls, endings, failures, refusals, found_by_reference, found_by_value,
    misses_are_explained,
):
    scenario()
sys.exit(check.done())
