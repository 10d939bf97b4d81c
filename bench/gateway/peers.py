"""The gateways, each with how it is started over the same three servers and how one of their tools is called through it."""

import json
import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import place
from client import Client, EventStream, Process, Stdio

MESSAGE = {"message": "hello"}
SAID = "Echo: hello"


KINDS = ("everything", "memory", "filesystem")


def tail(name: str) -> str:
    return f"@modelcontextprotocol/server-{name}/dist/index.js"


def servers(state: Path) -> dict[str, dict]:
    """The three servers, as most clients write them down."""
    # A path of its own for each gateway: pmcp kills processes of others that have the command line of its servers.
    modules = state / "node_modules"
    if not modules.is_symlink():
        modules.symlink_to(place.NODE_MODULES)
    at = {name: str(modules / tail(name)) for name in KINDS}
    node = str(place.NODE)
    return {
        "everything": {"command": node, "args": [at["everything"]], "env": {}},
        "memory": {"command": node, "args": [at["memory"]], "env": {"MEMORY_FILE_PATH": str(state / "memory.json")}},
        "filesystem": {"command": node, "args": [at["filesystem"], str(place.FILES)], "env": {}},
    }


def is_upstream(command_line: str) -> bool:
    """Says whether a process is one of the servers behind the gateways."""
    return any(tail(name) in command_line for name in KINDS) or "oncue-fake-upstream" in command_line


def environment(state: Path) -> dict[str, str]:
    """A home of its own, so that nothing kept by one run or by a person is met by another."""
    path = os.pathsep.join([str(place.NODE.parent), os.environ.get("PATH", "")])
    return {"PATH": path, "HOME": str(state), "XDG_CACHE_HOME": str(state / "cache"), "LANG": "C.UTF-8"}


def written(state: Path, name: str, value: dict) -> str:
    file = state / name
    file.write_text(json.dumps(value, indent=1))
    return str(file)


def standard(state: Path) -> str:
    return written(state, "servers.json", {"mcpServers": servers(state)})


def spawn(command: list[str], state: Path, piped: bool = True) -> Process:
    return Process(command, environment(state), state, state / "stderr.log", piped)


@dataclass(frozen=True)
class Peer:
    """A way to the tools."""

    name: str
    # What must be installed: the name of its requirements, `node`, or nothing.
    needs: str
    about: str
    start: Callable[[Path], Client]
    # The call that reaches `echo` of the server `everything`.
    echo: tuple[str, dict]
    # Whether it is measured for comparison and is no gateway.
    is_direct: bool = False

    def state(self, is_fresh: bool) -> Path:
        """Its folder; a fresh one is empty."""
        folder = place.STATE / self.name
        if is_fresh:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def call(self, client: Client) -> None:
        text = client.call(*self.echo)
        if SAID not in text:
            raise AssertionError(f"{self.name} answers: {text[:200]}")


def direct(state: Path) -> Client:
    one = servers(state)["everything"]
    return Stdio(spawn([one["command"], *one["args"]], state))


def oncue(profile: str, mode: str) -> Callable[[Path], Client]:
    def start(state: Path) -> Client:
        command = [str(place.binary(profile, "oncue")), "serve", "--config", standard(state), "--mode", mode]
        return Stdio(spawn([*command, "--state-dir", str(state / "state")], state))

    return start


def compressor(state: Path) -> Client:
    program = str(place.venv("mcp-compressor") / "bin" / "mcp-compressor")
    return Stdio(spawn([program, "--config", standard(state)], state))


def lazy(state: Path) -> Client:
    program = str(place.venv("lazy-mcp") / "bin" / "lazy-mcp")
    listed = [
        {"name": name, "description": name, "command": [it["command"], *it["args"]], "env": it["env"]}
        for name, it in servers(state).items()
    ]
    return Stdio(spawn([program, "--config", written(state, "lazy.json", {"servers": listed})], state))


def fastmcp(state: Path) -> Client:
    python = str(place.venv("fastmcp") / "bin" / "python")
    return Stdio(spawn([python, str(place.HERE / "fastmcp_search.py"), standard(state)], state))


def pmcp(state: Path) -> Client:
    program = str(place.venv("pmcp") / "bin" / "pmcp")
    own = ["--lock-dir", str(state / "lock"), "--project", str(state)]
    return Stdio(spawn([program, "--quiet", "--config", standard(state), *own], state))


def hub(state: Path) -> Client:
    program = str(place.NODE_MODULES / "mcp-hub" / "dist" / "cli.js")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(place.NODE), program, "--port", str(port), "--config", standard(state)]
    return EventStream(spawn(command, state, piped=False), port, "/mcp")


def all_peers(profile: str) -> list[Peer]:
    by_call = {"name": "everything__echo", "arguments": MESSAGE}
    return [
        Peer("direct", "node", "the server `everything`, without a gateway", direct, ("echo", MESSAGE), is_direct=True),
        Peer("oncue", "", "`oncue serve`: search and call", oncue(profile, "search"), ("call_tool", by_call)),
        Peer("oncue-flat", "", "`oncue serve --mode passthrough`: every tool", oncue(profile, "passthrough"), ("everything__echo", MESSAGE)),
        Peer("mcp-compressor", "mcp-compressor", "a pair of tools for each server, no ranking", compressor,
             ("everything_invoke_tool", {"tool_name": "echo", "tool_input": MESSAGE})),
        Peer("lazy-mcp", "lazy-mcp", "lists, describes and invokes by server, no ranking", lazy,
             ("invoke_command", {"server": "everything", "command_name": "echo", "parameters": MESSAGE})),
        Peer("fastmcp", "fastmcp", "a proxy with BM25SearchTransform over a shared client", fastmcp,
             ("call_tool", {"name": "everything_echo", "arguments": MESSAGE})),
        Peer("pmcp", "pmcp", "its own 26 tools, servers on demand", pmcp,
             ("gateway.invoke", {"tool_id": "everything::echo", "arguments": MESSAGE})),
        Peer("mcp-hub", "node", "every tool, over HTTP with an event stream", hub, ("everything__echo", MESSAGE)),
    ]
