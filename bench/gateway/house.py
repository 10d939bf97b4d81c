"""Our own gateway alone: its memory with many servers, and many clients over HTTP."""

import json
import re
import shutil
import subprocess
import time
import zlib
from pathlib import Path

import place
from client import Failed, Process, Stdio, within
from measure import memory_of, own_memory, quantile, spread, tree
from peers import environment

SERVERS = 40
TOOLS_A_SERVER = 75
PRINCIPALS = 16


# What is called to measure calls.
ECHO = {
    "name": "echo",
    "description": "Says what it is told",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def definitions() -> list[dict]:
    """Real definitions, from the catalog that the program carries along."""
    packed = (place.ROOT / "crates" / "cli" / "data" / "catalog.jsonl.zlib").read_bytes()
    servers = [json.loads(line) for line in zlib.decompress(packed).decode().splitlines()]
    return [tool for server in servers for tool in server["tools"]]


def many_servers(profile: str, folder: Path) -> tuple[Path, int]:
    """Writes settings with 40 scripted servers of 75 tools each; returns them and the bytes of the definitions."""
    tools, program = definitions(), str(place.binary(profile, "oncue-fake-upstream"))
    text, size = "", 0
    for n in range(SERVERS):
        own, names = [ECHO] if n == 0 else [], {ECHO["name"]}
        for tool in tools[n * TOOLS_A_SERVER:(n + 1) * TOOLS_A_SERVER]:
            # Neighbours may come from two servers that use the same name.
            name = tool["name"] if tool["name"] not in names else f"{tool['name'][:50]}_{len(names)}"
            names.add(name)
            own.append({**tool, "name": name})
        file = folder / f"tools-{n}.json"
        data = json.dumps({"tools": own}, ensure_ascii=False, separators=(",", ":"))
        file.write_text(data)
        size += len(data.encode())
        script = json.dumps({"catalog": str(file)})
        text += f"[upstream.s{n}]\ncommand = {json.dumps(program)}\nargs = [{json.dumps(script)}]\n"
    settings = folder / "oncue.toml"
    settings.write_text(text)
    return settings, size


def fresh(name: str) -> Path:
    folder = place.STATE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def serve(profile: str, settings: Path, folder: Path, *more: str, piped: bool = True) -> Process:
    command = [str(place.binary(profile, "oncue")), "serve", "--config", str(settings)]
    command += ["--state-dir", str(folder / "state"), *more]
    return Process(command, environment(folder), folder, folder / "stderr.log", piped)


def memory(profile: str, times: int) -> dict:
    """Memory of our own processes with 40 servers and 3,000 tools."""
    folder = fresh("many")
    settings, size = many_servers(profile, folder)
    told = {"servers": SERVERS, "tools": SERVERS * TOOLS_A_SERVER, "definitions_mb": size / 1e6}
    with within(300, "the catalog of all servers is read"):
        process = serve(profile, settings, folder)
        client = Stdio(process)
        client.begin()
        catalogs = folder / "state" / "catalogs"
        while not catalogs.is_dir() or len(list(catalogs.glob("*.json*"))) < SERVERS:
            time.sleep(0.05)
        time.sleep(2)
        told["cold"] = own_memory(process.pid)
        client.close()
    lists, firsts = [], []
    for _ in range(times):
        begun = time.perf_counter()
        with within(60, "what was kept is served"):
            client = Stdio(serve(profile, settings, folder))
            client.begin()
            client.list_tools()
            lists.append((time.perf_counter() - begun) * 1e3)
            begun = time.perf_counter()
            client.call("search_tools", {"query": "create an issue"})
            firsts.append((time.perf_counter() - begun) * 1e3)
            client.close()
    told["list_ms"], told["first_search_ms"] = spread(lists), spread(firsts)
    with within(120, "what was kept is served"):
        client = Stdio(serve(profile, settings, folder))
        client.begin()
        client.list_tools()
        time.sleep(2)
        told["kept"] = own_memory(client.process.pid)
        took = []
        for query in ["create an issue", "read a file", "send a message", "list all tables"] * 25:
            begun = time.perf_counter()
            # Another number of results each time, so that no search counts as one that was made before.
            client.call("search_tools", {"query": f"{query} {len(took)}"})
            took.append((time.perf_counter() - begun) * 1e3)
        told["search_p50_ms"], told["search_p99_ms"] = quantile(took, 0.5), quantile(took, 0.99)
        for n in range(200):
            client.call("call_tool", {"name": "s0__echo", "arguments": {"n": n}})
        time.sleep(2)
        told["used"] = own_memory(client.process.pid)
        told["processes"] = [
            {"command": Path(line.split(" ")[0]).name + " " + line.split(" ")[1], **memory_of(pid)}
            for pid, line in tree(client.process.pid)
            if "fake-upstream" not in line
        ]
        client.close()
    return told


def tokens(profile: str, folder: Path) -> list[str]:
    made = []
    for n in range(PRINCIPALS):
        command = [str(place.binary(profile, "oncue")), "token", "create", f"client{n}", "--scope", "write"]
        done = subprocess.run([*command, "--json", "--state-dir", str(folder / "state")], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(done.stderr)
        made.append(json.loads(done.stdout)["token"])
    return made


def listening(log: Path, process: Process) -> str:
    """Waits until a process says where it listens."""
    with within(30, "it listens"):
        while True:
            found = re.search(r"http://([0-9.:]+)/mcp", log.read_text(errors="replace"))
            if found:
                return found[1]
            if process.popen.poll() is not None:
                raise Failed(log.read_text(errors="replace")[-300:])
            time.sleep(0.02)


def load(profile: str, kind: str, clients: int, seconds: float) -> dict:
    """Clients over HTTP, of 16 principals, over one scripted server; `kind` is how that is reached."""
    folder = fresh(f"load-{kind}")
    program = str(place.binary(profile, "oncue-fake-upstream"))
    script, upstream, pids = json.dumps({"tools": ["echo"]}), None, {}
    if kind == "http":
        log = folder / "upstream.log"
        upstream = Process([program, script, "127.0.0.1:0"], environment(folder), folder, log, piped=False)
        way = f"url = \"http://{listening(log, upstream)}/mcp\"\n"
        pids["upstream"] = upstream.pid
    else:
        way = f"command = {json.dumps(program)}\nargs = [{json.dumps(script)}]\n"
    settings = folder / "oncue.toml"
    settings.write_text(f"[[grant]]\nprincipal = \"*\"\nscope = \"write\"\n\n[upstream.fake]\n{way}")
    made = tokens(profile, folder)
    gateway = serve(profile, settings, folder, "--http", "127.0.0.1:0", piped=False)
    try:
        address = listening(folder / "stderr.log", gateway)
        time.sleep(1)
        pids["gateway"] = gateway.pid
        pids |= {"upstream": pid for pid, line in tree(gateway.pid) if "fake-upstream" in line}
        task = {
            "address": address, "tokens": made, "clients": clients, "seconds": seconds,
            "call": {"name": "call_tool", "arguments": {"name": "fake__echo", "arguments": {"message": "hello"}}},
            "expect": "hello", "pids": pids,
        }
        program = str(place.binary(profile, place.LOAD))
        done = subprocess.run([program], input=json.dumps(task), capture_output=True, text=True, timeout=seconds + 120, check=False)
        if done.returncode != 0:
            raise Failed(done.stderr[-300:])
        return {**json.loads(done.stdout), "memory": own_memory(gateway.pid)}
    finally:
        gateway.stop()
        if upstream:
            upstream.stop()
