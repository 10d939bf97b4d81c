"""Holds the rebuilt rankers of rivals against the originals.

usage: check.py ANSWERS SET...

ANSWERS are lines of `oncue eval rivals SET... --json --answers`; each SET is the folder of a data set.
Prints for every original and set how often the first five hits are the same, and the recall of both.
Fails where the recalls are more than a point apart.
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


def main(answers, *folders):
    ours = defaultdict(dict)
    for line in lines(Path(answers)):
        if "hits" in line:
            ours[line["searcher"], line["dataset"]][line["query"]] = line["hits"]
    is_apart = False
    print(f"{'searcher':12} {'data set':16} queries  same order  same five  recall: ours  original")
    for searcher, original in ORIGINALS.items():
        for folder in map(Path, folders):
            rebuilt = ours.get((searcher, folder.name))
            if not rebuilt:
                continue
            tools = lines(folder / "tools.jsonl")
            answer = original(tools)
            queries = [q for q in lines(folder / "queries.dev.jsonl") if q["id"] in rebuilt]
            order = five = 0
            recalls = [0.0, 0.0]
            for query in queries:
                theirs = [tools[place]["id"] for place in answer(query["query"])]
                mine = rebuilt[query["id"]]
                order += mine[:CUT] == theirs[:CUT]
                five += set(mine[:CUT]) == set(theirs[:CUT])
                recalls[0] += recall(query, mine)
                recalls[1] += recall(query, theirs)
            count = len(queries)
            percent = [100 * part / count for part in (order, five, *recalls)]
            is_apart |= abs(percent[2] - percent[3]) > POINTS
            row = f"{searcher:12} {folder.name:16} {count:7} {percent[0]:11.1f} {percent[1]:10.1f}"
            print(f"{row} {percent[2]:13.1f} {percent[3]:9.1f}", flush=True)
    return 1 if is_apart else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
