"""A program on a Python client library: it does what a plan says and tells what it saw, as one line of JSON.

    python sdk.py PLAN.json LIBRARY ERA URL
    python sdk.py PLAN.json LIBRARY ERA PROGRAM ARGUMENT...

LIBRARY is `mcp` or `fastmcp`, ERA `sessions` or `stateless`. The plan is that of `vendor.mjs`.
"""

import asyncio
import json
import os
import sys
from importlib.metadata import version

ERAS = {"sessions": "legacy", "stateless": "2026-07-28"}


def client(library, era, target, on_message):
    about = {"mode": ERAS[era], "message_handler": on_message}
    if library == "mcp":
        from mcp import Client, StdioServerParameters

        is_url = target[0].startswith("http")
        server = target[0] if is_url else StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
        return Client(server, **about)
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    is_url = target[0].startswith("http")
    server = target[0] if is_url else StdioTransport(command=target[0], args=target[1:], env=dict(os.environ))
    return Client(server, **about)


async def tools(connected):
    listed = await connected.list_tools()
    return [tool.name for tool in getattr(listed, "tools", listed)]


def text(result):
    return "\n".join(part.text for part in result.content if hasattr(part, "text"))


def spoken(connected):
    for holder in (connected, getattr(connected, "session", None)):
        for name in ("protocol_version", "negotiated_protocol_version"):
            if holder is not None and getattr(holder, name, None):
                return str(getattr(holder, name))
    told = getattr(connected, "initialize_result", None)
    return str(told.protocol_version) if told is not None else None


async def run(plan, library, era, target):
    seen = {"client": library, "version": version(library), "steps": []}
    names = []

    async def on_message(message):
        # As a program does that keeps its list fresh.
        if "tools/list_changed" in str(getattr(getattr(message, "root", message), "method", "")):
            names[:] = await tools(connected)
            seen["relists"] = seen.get("relists", 0) + 1

    connected = client(library, era, target, on_message)
    async with connected:
        seen["speaks"] = spoken(connected)
        names[:] = await tools(connected)
        seen["shown"] = list(names)
        for step in plan["steps"]:
            is_listed = plan["tool"] in names
            if step == "search":
                name, arguments = "search_tools", {"query": plan["query"]}
            elif step == "tool" and is_listed:
                name, arguments = plan["tool"], plan["arguments"]
            else:
                name, arguments = "call_tool", {"name": plan["tool"], "arguments": plan["arguments"]}
            result = text(await connected.call_tool(name, arguments))
            seen["steps"].append({"step": step, "called": name, "listed": is_listed, "result": result})
    return seen


plan_file, library, era, *target = sys.argv[1:]
with open(plan_file) as file:
    plan = json.load(file)
print(json.dumps(asyncio.run(run(plan, library, era, target))))
