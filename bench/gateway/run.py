#!/usr/bin/env python3
"""Measures the gateway beside others over the same servers; see README.md."""

import argparse
import json
import sys
from pathlib import Path

import house
import measure
import peers
import place
import report
from client import Failed

PARTS = ("starts", "calls", "memory", "load")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be repeated")
    parser.add_argument("--peer", action="append", metavar="NAME", help="one gateway; may be repeated")
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that it runs, measures little")
    parser.add_argument("--no-build", action="store_true", help="take our binaries as they are")
    parser.add_argument("--profile", default="release", help="the profile our binaries are built in")
    parser.add_argument("--out", type=Path, default=place.PLACE / "results.json", help="where the JSON goes")
    return parser.parse_args()


def prepared(args: argparse.Namespace) -> tuple[list[peers.Peer], dict[str, str]]:
    """Returns the gateways that can run, and why others cannot."""
    every = peers.all_peers(args.profile)
    chosen = [peer for peer in every if not args.peer or peer.name in args.peer]
    if not args.no_build and (fault := place.build(args.profile)):
        sys.exit(f"our own binaries cannot be built: {fault}")
    if not {"starts", "calls"} & set(args.only or PARTS):
        return [], {}
    missing = place.install([peer.needs for peer in chosen])
    # Without node there are no servers either.
    faults = {peer.name: fault for peer in chosen for need in {peer.needs, "node"} if (fault := missing.get(need))}
    return [peer for peer in chosen if peer.name not in faults], faults


def main() -> None:
    args = arguments()
    parts = args.only or PARTS
    quick = args.quick
    chosen, faults = prepared(args)
    results: dict = {
        "machine": place.machine(),
        "versions": place.versions([peer.needs for peer in chosen]),
        "peers": {peer.name: peer.about for peer in chosen},
        "quick": quick,
    }
    print(json.dumps(results["machine"]))
    if "starts" in parts and chosen:
        results["starts"] = {}
        for peer in list(chosen):
            try:
                results["starts"][peer.name] = measure.starts(peer, 2 if quick else 5)
            except (Failed, OSError, AssertionError) as error:
                faults[peer.name] = str(error)
                chosen.remove(peer)
        print("\n" + report.starts(results["starts"]))
    if "calls" in parts and chosen:
        rounds, a_round, warm = (4, 25, 5) if quick else (25, 40, 30)
        results["calls"], results["own_memory"], more = measure.calls(chosen, rounds, a_round, warm)
        faults |= more
        print("\n" + report.calls(results["calls"], results["own_memory"]))
    if "memory" in parts:
        results["memory"] = house.memory(args.profile, 2 if quick else 10)
        print("\n" + report.many(results["memory"]))
    if "load" in parts:
        clients, seconds = (200, 3) if quick else (1_000, 20)
        results["load"] = {kind: house.load(args.profile, kind, clients, seconds) for kind in ("stdio", "http")}
        print("\n" + report.load(results["load"]))
    results["not_run"] = faults
    for name, why in faults.items():
        print(f"\n{name} was not run: {why}")
    results["machine"]["load_average_after"] = place.machine()["load_average"]
    print("\n" + report.targets(results))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\n{args.out}")


if __name__ == "__main__":
    main()
