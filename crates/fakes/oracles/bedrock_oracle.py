"""The fakes of the cloud's runtime against its own client library, which checks frames, shapes and signatures' form."""

import json
import sys

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError

from fake import Check, serving

MODEL = "us.anthropic.claude-opus-5-v1:0"
HI = [{"role": "user", "content": [{"text": "Hi"}]}]

check = Check("bedrock")


def client(url, **config):
    session = botocore.session.Session()
    return session.create_client(
        "bedrock-runtime", region_name="us-east-1", endpoint_url=url,
        aws_access_key_id="AKID", aws_secret_access_key="secret",
        config=Config(retries={"total_max_attempts": 1}, **config),
    )


def tool(name):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return {"toolSpec": {"name": name, "description": f"does {name}", "inputSchema": {"json": schema}}}


def shape(api, operation, body):
    """The parsed answer has the fields that the service's model requires, of the kinds that it names."""
    from botocore.validate import ParamValidator

    output = api.meta.service_model.operation_model(operation).output_shape
    body = {name: value for name, value in body.items() if name != "ResponseMetadata"}
    report = ParamValidator().validate(body, output)
    check.equal(report.generate_report(), "", f"the shape of {operation}")


def assembled(stream):
    """Puts the events of a stream together, as the documentation says."""
    content, inputs, ending = [], {}, {}
    for event in stream:
        (kind, event), = event.items()
        index = event.get("contentBlockIndex")
        if kind == "contentBlockStart":
            content.append({"toolUse": dict(event["start"]["toolUse"])})
            inputs[index] = ""
        elif kind == "contentBlockDelta":
            if index == len(content):
                content.append({})
            (name, delta), = event["delta"].items()
            if name == "text":
                content[index]["text"] = content[index].get("text", "") + delta
            elif name == "toolUse":
                inputs[index] += delta["input"]
            elif name == "reasoningContent":
                thoughts = content[index].setdefault("reasoningContent", {"reasoningText": {}})["reasoningText"]
                (part, more), = delta.items()
                thoughts[part] = thoughts.get(part, "") + more
        elif kind == "contentBlockStop" and index in inputs:
            content[index]["toolUse"]["input"] = json.loads(inputs[index])
        elif kind in ("messageStop", "metadata"):
            ending.update(event)
    return content, ending


def texts_and_calls():
    pieces = [
        {"reasoning": "I should search."},
        {"text": "Searching… 검색"},
        {"call": {"name": "search", "arguments": {"query": "rows \"x\""}}},
        {"call": {"name": "nothing", "arguments": {}}},
    ]
    with serving([{"reply": pieces}] * 2 + [{"reply": [{"text": "ok"}]}]) as url:
        api = client(url)
        config = {"tools": [tool("search"), tool("nothing")], "toolChoice": {"auto": {}}}
        plain = api.converse(modelId=MODEL, messages=HI, toolConfig=config)
        shape(api, "Converse", plain)
        message = plain["output"]["message"]
        check.equal(plain["stopReason"], "tool_use", "stop reason")
        check.equal(message["content"][2]["toolUse"]["input"], {"query": 'rows "x"'}, "input")
        content, ending = assembled(api.converse_stream(modelId=MODEL, messages=HI, toolConfig=config)["stream"])
        for block in content + message["content"]:
            block.get("toolUse", {}).pop("toolUseId", None)
        check.equal(content, message["content"], "the stream put together")
        check.equal((ending["stopReason"], ending["usage"]), (plain["stopReason"], plain["usage"]), "ending")

        calls = [dict(b["toolUse"], toolUseId=f"t{n}") for n, b in enumerate(message["content"]) if "toolUse" in b]
        history = HI + [
            {"role": "assistant", "content": [{"toolUse": call} for call in calls]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": call["toolUseId"], "content": [{"json": {"rows": 3}}]}}
                for call in calls
            ]},
        ]
        after = api.converse(modelId=MODEL, messages=history, toolConfig=config)
        check.equal(after["output"]["message"]["content"], [{"text": "ok"}], "after the results")


def caches():
    with serving([{"reply": [{"text": "ok"}]}] * 2) as url:
        api = client(url)
        system = [{"text": "s" * 8_000}, {"cachePoint": {"type": "default"}}]
        ask = lambda: api.converse(modelId=MODEL, messages=HI, system=system)["usage"]
        first, second = ask(), ask()
        written = first["cacheWriteInputTokens"]
        check.true(written > 2_000, "the system prompt is written")
        check.equal(first["cacheDetails"], [{"ttl": "5m", "inputTokens": written}], "for how long")
        # The signatures differ, the key does not.
        check.equal(second["cacheReadInputTokens"], written, "and read")
        check.equal(second["cacheDetails"], [], "nothing is written")


def failures():
    kinds = [
        (400, "ValidationException"), (403, "AccessDeniedException"), (404, "ResourceNotFoundException"),
        (408, "ModelTimeoutException"), (424, "ModelErrorException"), (429, "ThrottlingException"),
        (500, "InternalServerException"), (503, "ServiceUnavailableException"),
    ]
    script = [{"error": {"status": status}} for status, _ in kinds]
    script.append({"error": {"status": 429, "kind": "ModelNotReadyException"}})
    script += [{"error": {"status": 429, "mid_stream": True}}] * 2
    with serving(script) as url:
        api = client(url)
        for status, kind in kinds + [(429, "ModelNotReadyException")]:
            with check.raises(getattr(api.exceptions, kind), f"status {status}"):
                try:
                    api.converse(modelId=MODEL, messages=HI)
                except ClientError as error:
                    meta = error.response["ResponseMetadata"]
                    check.equal(meta["HTTPStatusCode"], status, "status")
                    check.true(meta["RequestId"], "request id")
                    raise
        body = json.dumps({"anthropic_version": "bedrock-2023-05-31", "max_tokens": 10, "messages": [{"role": "user", "content": "Hi"}]})
        for stream in (
            lambda: api.converse_stream(modelId=MODEL, messages=HI)["stream"],
            lambda: api.invoke_model_with_response_stream(modelId=MODEL, body=body)["body"],
        ):
            with check.raises(EventStreamError, "in mid-stream"):
                try:
                    list(stream())
                except EventStreamError as error:
                    check.equal(error.response["Error"]["Code"], "throttlingException", "the kind in mid-stream")
                    raise


def refusals():
    with serving([]) as url:
        api = client(url, parameter_validation=False)
        call = {"toolUse": {"toolUseId": "t1", "name": "search", "input": {}}}
        bad = [
            {"toolConfig": {"tools": []}},
            {"toolConfig": {"tools": [tool("a.b")]}},
            {"toolConfig": {"tools": [tool("a"), tool("a")]}},
            {"messages": HI + HI},
            {"messages": HI + [{"role": "assistant", "content": [call]}] + HI},
            {"messages": [{"role": "user", "content": [{"text": ""}]}]},
        ]
        for more in bad:
            with check.raises(api.exceptions.ValidationException, str(more)):
                api.converse(**{"modelId": MODEL, "messages": HI, **more})
        with check.raises(api.exceptions.InternalServerException, "empty script"):
            api.converse(modelId=MODEL, messages=HI)


def invoked():
    pieces = [{"text": "Searching"}, {"call": {"name": "search", "arguments": {"query": "x"}}}]
    with serving([{"reply": pieces}] * 2) as url:
        api = client(url)
        body = {
            "anthropic_version": "bedrock-2023-05-31", "max_tokens": 10,
            "messages": [{"role": "user", "content": "Hi"}],
            "tools": [
                {"name": "search", "input_schema": {"type": "object"}},
                {"name": "export", "input_schema": {"type": "object"}, "defer_loading": True},
            ],
        }
        plain = json.loads(api.invoke_model(modelId=MODEL, body=json.dumps(body))["body"].read())
        check.equal(plain["stop_reason"], "tool_use", "stop reason")
        stream = api.invoke_model_with_response_stream(modelId=MODEL, body=json.dumps(body))
        events = [json.loads(event["chunk"]["bytes"]) for event in stream["body"]]
        check.equal((events[0]["type"], events[-1]["type"]), ("message_start", "message_stop"), "events")
        text = "".join(e["delta"].get("text", "") for e in events if e["type"] == "content_block_delta")
        check.equal(text, "Searching", "text")
        metrics = events[-1]["amazon-bedrock-invocationMetrics"]
        check.equal(metrics["outputTokenCount"], plain["usage"]["output_tokens"], "metrics")
        with check.raises(api.exceptions.ValidationException, "a model in the body"):
            api.invoke_model(modelId=MODEL, body=json.dumps({**body, "model": "claude-opus-5"}))


for scenario in (texts_and_calls, caches, failures, refusals, invoked):
    scenario()
sys.exit(check.done())
