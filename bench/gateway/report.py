"""The figures as a text, and held against what is aimed at."""

from collections.abc import Callable


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    # The first column is a name, the rest are numbers.
    text = lambda line: "  ".join(it.ljust(w) if n == 0 else it.rjust(w) for n, (it, w) in enumerate(zip(line, widths)))  # noqa: E731
    return "\n".join(text(line).rstrip() for line in lines)


def ms(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"


def starts(told: dict) -> str:
    head = ["median ms", "cold list", "kept list", "best", "second list", "cold call", "kept call", "tools", "bytes"]
    rows = [
        [
            name, ms(it["cold"]["list_ms"]["median"]), ms(it["kept"]["list_ms"]["median"]), ms(it["kept"]["list_ms"]["min"]),
            ms(it["kept"]["second_list_ms"]["median"]), ms(it["cold"]["called_ms"]["median"]),
            ms(it["kept"]["called_ms"]["median"]), str(it["kept"]["tools"]), str(it["kept"]["bytes"]),
        ]
        for name, it in told.items()
    ]
    return "from the start of the process to the first list and the first answered call\n" + table(head, rows)


def calls(told: dict, memory: dict) -> str:
    head = ["ms a call", "p50", "p99", "best round", "over direct p50", "p99", "pairs: median", "min", "CPU µs", "sleeps", "calls", "own RSS MB", "PSS", "with servers"]
    rows = []
    for name, it in told.items():
        pairs, used = it.get("over_direct_round_p50_ms") or {}, memory.get(name) or {}
        mb = lambda key: f"{used[key]:.1f}" if key in used else "-"  # noqa: E731
        rows.append([
            name, ms(it["p50_ms"]), ms(it["p99_ms"]), ms(it["best_round_p50_ms"]), ms(it.get("over_direct_p50_ms")),
            ms(it.get("over_direct_p99_ms")), ms(pairs.get("median")), ms(pairs.get("min")),
            ms(it.get("cpu_us_a_call")), ms(it.get("sleeps_a_call")), str(it["calls"]),
            mb("rss_mb"), mb("pss_mb"), mb("with_servers_pss_mb"),
        ])
    return "calls of `echo`, all gateways in turns\n" + table(head, rows)


def many(told: dict) -> str:
    head = [f"{told['servers']} servers, {told['tools']} tools", "RSS MB", "PSS", "dirty"]
    rows = [
        [what, *(f"{told[key][it]:.1f}" for it in ("rss_mb", "pss_mb", "dirty_mb"))]
        for key, what in (("cold", "all lists just read"), ("kept", "from what was kept"), ("used", "after 100 searches, 200 calls"))
    ]
    rest = (
        f"first list {ms(told['list_ms']['median'])} ms (best {ms(told['list_ms']['min'])}), "
        f"first search {ms(told['first_search_ms']['median'])} ms, "
        f"searches p50 {ms(told['search_p50_ms'])} ms, p99 {ms(told['search_p99_ms'])} ms; "
        f"definitions {told['definitions_mb']:.1f} MB"
    )
    return "memory of our own processes\n" + table(head, rows) + "\n" + rest


def load(told: dict) -> str:
    head = ["server behind", "clients", "calls/s", "errors", "p50 ms", "p99 ms", "gateway cores", "upstream", "clients'", "own RSS MB"]
    rows = [
        [
            kind, str(it["clients"]), f"{it['calls_a_second']:.0f}", str(it["errors"]), ms(it["p50_ms"]), ms(it["p99_ms"]),
            *(f"{it['processors'].get(who, 0):.2f}" for who in ("gateway", "upstream", "clients")), f"{it['memory']['rss_mb']:.1f}",
        ]
        for kind, it in told.items()
    ]
    kinds = [f"  {kind}: {count} × {what}" for kind, it in told.items() for what, count in it["kinds"].items()]
    return "clients over HTTP\n" + table(head, rows) + "".join("\n" + line for line in kinds)


def targets(results: dict) -> str:
    """Holds what was measured against what is aimed at."""
    rows: list[list[str]] = []

    def hold(what: str, value: Callable[[], float], limit: float, at_least: bool = False, text: str = "{:.2f}") -> None:
        try:
            found = value()
        except KeyError:
            return
        is_met = found >= limit if at_least else found <= limit
        sign = "≥" if at_least else "≤"
        rows.append([what, text.format(found), f"{sign} {text.format(limit)}", "met" if is_met else "MISSED"])

    for name in ("oncue", "oncue-flat"):
        one = lambda key, name=name: results["calls"][name][key]  # noqa: E731
        hold(f"{name}: first list, kept catalog, ms", lambda name=name: results["starts"][name]["kept"]["list_ms"]["median"], 100)
        hold(f"{name}: second list, ms", lambda name=name: results["starts"][name]["kept"]["second_list_ms"]["median"], 50)
        hold(f"{name}: over direct p50, ms", lambda one=one: one("over_direct_p50_ms"), 0.5)
        hold(f"{name}: over direct p99, ms", lambda one=one: one("over_direct_p99_ms"), 2)
        others = [it for it in results.get("calls", {}) if not it.startswith("oncue") and it != "direct"]
        if others:
            best = min(others, key=lambda it: results["calls"][it]["p50_ms"])
            hold(f"{name}: p50 below {best}'s, ms", lambda one=one: one("p50_ms"), results["calls"][best]["p50_ms"])
            best = min(others, key=lambda it: results["calls"][it]["p99_ms"])
            hold(f"{name}: p99 below {best}'s, ms", lambda one=one: one("p99_ms"), results["calls"][best]["p99_ms"])
    for state in ("cold", "kept", "used"):
        hold(f"own RSS with 3,000 tools, {state}, MB", lambda state=state: results["memory"][state]["rss_mb"], 25)
    hold("first list with 3,000 tools, ms", lambda: results["memory"]["list_ms"]["median"], 100)
    for kind in ("stdio", "http"):
        hold(f"load, {kind}: calls/s", lambda kind=kind: results["load"][kind]["calls_a_second"], 2_000, at_least=True, text="{:.0f}")
        hold(f"load, {kind}: errors", lambda kind=kind: results["load"][kind]["errors"], 0, text="{:.0f}")
    return table(["what is aimed at", "found", "wanted", ""], rows)
