"""What is measured of one gateway at a time, and of all in turns: starting, calling, memory."""

import gc
import json
import os
import random
import time
from pathlib import Path

import peers
from client import Client, Failed, within
from peers import Peer

START_SECONDS = 90
ROUND_SECONDS = 60


def quantile(values: list[float], q: float) -> float:
    """The nearest rank."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(q * len(ranked)))]


def spread(values: list[float]) -> dict[str, float]:
    return {"min": min(values), "median": quantile(values, 0.5), "max": max(values)}


def start_once(peer: Peer, state: Path) -> dict:
    """Starts it and does what a client does first; times in ms from the start of the process."""
    begun = time.perf_counter()
    with within(START_SECONDS, f"{peer.name} starts"):
        client = peer.start(state)
        try:
            client.begin()
            initialized = time.perf_counter()
            tools = client.list_tools()
            listed = time.perf_counter()
            client.list_tools()
            again = time.perf_counter()
            called = None
            end = listed + START_SECONDS / 2
            while called is None:
                try:
                    peer.call(client)
                    called = time.perf_counter()
                except Failed:
                    # A gateway that answers before it knows its servers is asked again, as a model would.
                    if time.perf_counter() > end:
                        raise
                    time.sleep(0.01)
            ms = lambda at, since=begun: (at - since) * 1e3  # noqa: E731
            return {
                "initialize_ms": ms(initialized),
                "list_ms": ms(listed),
                "second_list_ms": ms(again, listed),
                "called_ms": ms(called),
                "tools": len(tools),
                "bytes": len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode()),
            }
        finally:
            client.close()


def starts(peer: Peer, times: int) -> dict:
    """Starts it with nothing kept, and again with whatever it keeps."""
    told = {}
    for kind in ("cold", "kept"):
        runs = [start_once(peer, peer.state(is_fresh=kind == "cold")) for _ in range(times)]
        told[kind] = {key: spread([run[key] for run in runs]) for key in runs[0] if key.endswith("_ms")}
        told[kind] |= {"tools": runs[-1]["tools"], "bytes": runs[-1]["bytes"]}
    return told


class Opened:
    """A gateway that runs, and how long its calls took, by round."""

    def __init__(self, peer: Peer):
        self.peer = peer
        with within(START_SECONDS, f"{peer.name} starts"):
            self.client: Client = peer.start(peer.state(is_fresh=False))
            self.client.begin()
            self.client.list_tools()
            for left in reversed(range(200)):
                try:
                    peer.call(self.client)
                except Failed:
                    if left == 0:
                        raise
                    time.sleep(0.05)
        self.rounds: list[list[float]] = []
        # What the gateway itself did for a call, by round.
        self.work: list[dict[str, float]] = []

    def warm(self, times: int, a_round: int) -> None:
        took = self.call(times)
        # A slow one is called less often: about half a second a round.
        self.times = max(5, min(a_round, int(500 / quantile(took, 0.5))))

    def call(self, times: int) -> list[float]:
        took = []
        before = own_work(self.client.process.pid)
        with within(ROUND_SECONDS, f"{self.peer.name} is called"):
            for _ in range(times):
                begun = time.perf_counter()
                self.peer.call(self.client)
                took.append((time.perf_counter() - begun) * 1e3)
        after = own_work(self.client.process.pid)
        self.work.append({key: (after[key] - before[key]) / times for key in after})
        return took


def calls(chosen: list[Peer], rounds: int, a_round: int, warm: int) -> tuple[dict, dict, dict]:
    """Calls all in turns, in another order each round, so that what else the machine does meets all of them.

    Returns figures, memory and faults, each by name.
    """
    opened, faults = [], {}
    for peer in chosen:
        try:
            opened.append(Opened(peer))
        except (Failed, OSError, AssertionError) as error:
            faults[peer.name] = str(error)
    chance = random.Random(1)

    def attempt(it: Opened, what) -> None:
        if it.peer.name not in faults:
            try:
                what(it)
            except (Failed, OSError, AssertionError) as error:
                faults[it.peer.name] = f"{error}: {it.client.process.log.read_text(errors='replace')[-300:]}"

    running = list(opened)
    gc.disable()
    try:
        for it in running:
            attempt(it, lambda it: it.warm(warm, a_round))
        for _ in range(rounds):
            for it in chance.sample(opened, len(opened)):
                attempt(it, lambda it: it.rounds.append(it.call(it.times)))
        opened = [it for it in opened if it.peer.name not in faults]
        memory = {it.peer.name: own_memory(it.client.process.pid) for it in opened if not it.peer.is_direct}
    finally:
        gc.enable()
        for it in running:
            it.client.close()
    return figures(opened), memory, faults


def figures(opened: list[Opened]) -> dict:
    base = next((it for it in opened if it.peer.is_direct), None)
    told = {}
    for it in opened:
        all_calls = [ms for one in it.rounds for ms in one]
        medians = [quantile(one, 0.5) for one in it.rounds]
        told[it.peer.name] = {
            "calls": len(all_calls),
            "p50_ms": quantile(all_calls, 0.5),
            "p99_ms": quantile(all_calls, 0.99),
            "best_round_p50_ms": min(medians),
        }
        if not it.peer.is_direct:
            for key in ("cpu_us", "sleeps"):
                told[it.peer.name][f"{key}_a_call"] = quantile([one[key] for one in it.work], 0.5)
        if base is None or it is base:
            continue
        own, bases = told[it.peer.name], [ms for one in base.rounds for ms in one]
        pairs = [quantile(mine, 0.5) - quantile(theirs, 0.5) for mine, theirs in zip(it.rounds, base.rounds)]
        own["over_direct_p50_ms"] = own["p50_ms"] - quantile(bases, 0.5)
        own["over_direct_p99_ms"] = own["p99_ms"] - quantile(bases, 0.99)
        # Both of a pair ran within the same seconds.
        own["over_direct_round_p50_ms"] = spread(pairs)
    return told


def tree(pid: int) -> list[tuple[int, str]]:
    """Returns a process and all that it has started, each with its command line."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        try:
            line = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        found.append((one, line))
        waiting += children.get(one, [])
    return found


def own_work(pid: int) -> dict[str, float]:
    """What a gateway's own processes have done so far: microseconds of processor time, and how often a thread went to sleep."""
    micros = sleeps = 0
    for one, line in tree(pid):
        if peers.is_upstream(line):
            continue
        for thread in Path(f"/proc/{one}/task").iterdir():
            try:
                micros += int((thread / "schedstat").read_text().split()[0]) / 1e3
                status = (thread / "status").read_text()
            except OSError:
                continue
            sleeps += int(status.split("voluntary_ctxt_switches:")[1].split()[0])
    return {"cpu_us": micros, "sleeps": sleeps}


def memory_of(pid: int) -> dict[str, float]:
    """Resident and proportional memory of a process, in MB of 10^6 bytes."""
    values = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in ("Rss", "Pss", "Private_Dirty"):
            values[name] = int(rest.split()[0]) * 1024 / 1e6
    return values


def own_memory(pid: int) -> dict:
    """Memory of a gateway's own processes, and with the servers behind it."""
    own, whole = [], []
    for one, line in tree(pid):
        try:
            used = memory_of(one)
        except OSError:
            continue
        whole.append(used["Pss"])
        if not peers.is_upstream(line):
            own.append(used)
    return {
        "processes": len(own),
        "rss_mb": sum(it["Rss"] for it in own),
        "pss_mb": sum(it["Pss"] for it in own),
        "dirty_mb": sum(it["Private_Dirty"] for it in own),
        "with_servers_pss_mb": sum(whole),
    }
