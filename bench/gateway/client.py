"""One client for all: JSON-RPC over standard input and output, or over the older HTTP with an event stream.

It does as little as it can between sending and receiving, so that a difference between two gateways is theirs.
"""

import json
import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

PROTOCOL = "2025-06-18"


class Failed(Exception):
    """A gateway does not do what is needed."""


@contextmanager
def within(seconds: float, what: str):
    """Gives up after some time, wherever it waits."""

    def fire(*_):
        raise Failed(f"{what}: nothing within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, fire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Client:
    """A session. What carries its messages is in `write` and `read`."""

    def __init__(self):
        self.last = 0

    def request(self, method: str, params: dict) -> dict:
        """Asks, and returns the result; questions from the other side are answered meanwhile."""
        self.last += 1
        wanted = self.last
        self.write({"jsonrpc": "2.0", "id": wanted, "method": method, "params": params})
        while True:
            message = self.read()
            if "method" in message:
                self.answer(message)
            elif message.get("id") == wanted:
                if "error" in message:
                    raise Failed(f"{method}: {message['error'].get('message')}")
                return message["result"]

    def answer(self, message: dict) -> None:
        if "id" not in message:
            return
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            answer["result"] = {}
        else:
            answer["error"] = {"code": -32601, "message": "Method not found"}
        self.write(answer)

    def begin(self) -> dict:
        about = {"name": "bench", "version": "1"}
        result = self.request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": about})
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def list_tools(self) -> list[dict]:
        tools, params = [], {}
        while True:
            page = self.request("tools/list", params)
            tools += page["tools"]
            if page.get("nextCursor") is None:
                return tools
            params = {"cursor": page["nextCursor"]}

    def call(self, name: str, arguments: dict) -> str:
        """Calls a tool and returns the first text of its result."""
        result = self.request("tools/call", {"name": name, "arguments": arguments})
        content = result.get("content") or [{}]
        text = content[0].get("text") or ""
        if result.get("isError"):
            raise Failed(f"{name}: {text[:300]}")
        return text

    def write(self, message: dict) -> None:
        raise NotImplementedError

    def read(self) -> dict:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class Process:
    """A program in a session of its own, with its standard error in a file."""

    def __init__(self, command: list[str], env: dict[str, str], folder: Path, log: Path, piped: bool):
        pipe = subprocess.PIPE if piped else subprocess.DEVNULL
        self.log = log
        with log.open("wb") as err:
            self.popen = subprocess.Popen(
                command, stdin=pipe, stdout=subprocess.PIPE if piped else err, stderr=err,
                env=env, cwd=folder, start_new_session=True, bufsize=0,
            )

    @property
    def pid(self) -> int:
        return self.popen.pid

    def stop(self, seconds: float = 5) -> None:
        """Ends it as a client does, by the end of its input, and by force if that is not enough."""
        if self.popen.stdin:
            self.popen.stdin.close()
        else:
            self.popen.terminate()
        try:
            self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        # What it leaves behind in its session goes too.
        try:
            os.killpg(self.popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.popen.wait()


class Stdio(Client):
    """A message a line over the pipes of a process."""

    def __init__(self, process: Process):
        super().__init__()
        self.process = process
        self.to = process.popen.stdin.fileno()
        self.of = process.popen.stdout.fileno()
        self.buffer = b""

    def write(self, message: dict) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.to, data):]

    def read(self) -> dict:
        while True:
            line, end, rest = self.buffer.partition(b"\n")
            if not end:
                more = os.read(self.of, 1 << 16)
                if not more:
                    raise Failed("it ended: " + self.process.log.read_text(errors="replace")[-300:])
                self.buffer += more
                continue
            self.buffer = rest
            if line.startswith(b"{"):
                return json.loads(line)

    def close(self) -> None:
        self.process.stop()


class EventStream(Client):
    """HTTP with an event stream as of 2024-11-05: requests are posted, answers arrive as events."""

    def __init__(self, process: Process, port: int, path: str, seconds: float = 60):
        super().__init__()
        self.process, self.port = process, port
        end = time.monotonic() + seconds
        while (fault := self.open(path)) is not None:
            if time.monotonic() > end:
                raise Failed(f"{fault}: " + process.log.read_text(errors="replace")[-300:])
            time.sleep(0.005)
        self.posts = socket.create_connection(("127.0.0.1", port))
        self.posts.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.target = self.event()

    def open(self, path: str) -> str | None:
        """Opens the stream; returns why not where it cannot yet be."""
        try:
            self.events = socket.create_connection(("127.0.0.1", self.port))
        except ConnectionRefusedError as error:
            return str(error)
        self.buffer = b""
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept: text/event-stream\r\n\r\n"
        self.events.sendall(head.encode())
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        status = self.buffer.split(b"\r\n", 1)[0]
        if b" 200 " in status:
            return None
        self.events.close()
        return status.decode()

    def more(self) -> None:
        data = self.events.recv(1 << 16)
        if not data:
            raise Failed("the stream ended")
        self.buffer += data

    def event(self) -> str:
        # Chunk sizes stand on lines of their own, and are skipped with all that is no data.
        while True:
            line, end, rest = self.buffer.partition(b"\n")
            if not end:
                self.more()
                continue
            self.buffer = rest
            if line.startswith(b"data:"):
                return line[5:].strip().decode()

    def write(self, message: dict) -> None:
        body = json.dumps(message).encode()
        head = (
            f"POST {self.target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.posts.sendall(head.encode() + body)
        answer = self.posts.recv(1 << 16)
        if b" 20" not in answer[:16]:
            raise Failed(answer[:200].decode(errors="replace"))

    def read(self) -> dict:
        return json.loads(self.event())

    def close(self) -> None:
        self.events.close()
        self.posts.close()
        self.process.stop()
