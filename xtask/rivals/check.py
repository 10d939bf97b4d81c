"""Holds the rebuilt rankers of rivals against the originals.

usage: check.py ANSWERS RECORDED SET...

ANSWERS are lines of `oncue eval rivals SET... --json --answers`; each SET is the folder of a data set.
RECORDED is a file with answers that an original gave before, under the name of the rebuilt one; it may be missing.
Prints for every original and set how often the first five hits are the same and in the same order, the share of its hits that the rebuilt one has too, and the recall of both.
Fails where a library's recall is more than a point from that of the rebuilt one; a recorded client also has tools of its own among its hits.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

from originals import ORIGINALS

CUT = 5

# Points of recall by which a rebuilt ranker may differ from its original.
POINTS = 1.0


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def recall(query, hits):
    groups = query.get("groups") or [[tool] for tool in query["relevant"]]
    return sum(any(tool in group for tool in hits[:CUT]) for group in groups) / len(groups)


def by_searcher(lines):
    answers = defaultdict(dict)
    for line in lines:
        if "hits" in line:
            answers[line["searcher"], line["dataset"]][line["query"]] = line["hits"]
    return answers


def row(searcher, folder, rebuilt, queries, answer):
    """Prints how far the answers agree; returns the points between the recalls."""
    order = five = shared = theirs_all = 0
    recalls = [0.0, 0.0]
    for query in queries:
        theirs, mine = answer(query)[:CUT], rebuilt[query["id"]][:CUT]
        order += mine == theirs
        five += set(mine) == set(theirs)
        shared += len(set(mine) & set(theirs))
        theirs_all += len(theirs)
        recalls[0] += recall(query, mine)
        recalls[1] += recall(query, theirs)
    count = len(queries)
    order, five, mine, theirs = (100 * part / count for part in (order, five, *recalls))
    shares = f"{order:11.1f} {five:10.1f} {100 * shared / max(theirs_all, 1):7.1f}"
    print(f"{searcher:12} {folder.name:16} {count:7} {shares} {mine:13.1f} {theirs:9.1f}", flush=True)
    return abs(mine - theirs)


def main(answers, recorded, *folders):
    ours = by_searcher(lines(Path(answers)))
    recorded = Path(recorded)
    clients = by_searcher(lines(recorded)) if recorded.exists() else {}
    apart = 0.0
    print("searcher     data set         queries  same order  same five  shared  recall: ours  original")
    for searcher in dict.fromkeys(searcher for searcher, _ in ours):
        for folder in map(Path, folders):
            rebuilt = ours.get((searcher, folder.name))
            if not rebuilt:
                continue
            queries = [q for q in lines(folder / "queries.dev.jsonl") if q["id"] in rebuilt]
            client = clients.get((searcher, folder.name))
            if searcher in ORIGINALS:
                tools = lines(folder / "tools.jsonl")
                original = ORIGINALS[searcher](tools)
                places = lambda query: original(query["query"])
                answer = lambda query: [tools[place]["id"] for place in places(query)]
                apart = max(apart, row(searcher, folder, rebuilt, queries, answer))
            elif client:
                row(searcher, folder, rebuilt, queries, lambda query: client[query["id"]])
    return 1 if apart > POINTS else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
