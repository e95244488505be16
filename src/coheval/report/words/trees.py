"""In words: two discourse trees."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import at, count, listed

_SHOWN = 3


def subtrees(evidence: Any, candidate: str, reference: str) -> list[str]:
    """How many subtrees have a counterpart, and the largest ones on each side that have none."""
    ours, theirs = evidence["candidate"], evidence["reference"]
    told = [
        f"The candidate has {count(len(ours['edus']), 'unit')} and the reference {len(theirs['edus']):,}; relations: "
        f"{_relations(ours)} beside {_relations(theirs)}."
    ]
    for name, side, text in (("candidate", ours, candidate), ("reference", theirs, reference)):
        alone = [node for node in side["subtrees"] if node["partner"] is None]
        shared = len(side["subtrees"]) - len(alone)
        told.append(f"{shared:,} of the {name}'s {count(len(side['subtrees']), 'subtree')} have a counterpart.")
        largest = sorted(alone, key=lambda node: node["span"][0] - node["span"][1])[:_SHOWN]
        if largest:
            names = [f"{node['production']} over {at(text, node['span'])}" for node in largest]
            told.append(f"Largest without one: {listed(names)}.")
    return told


def _relations(side: Any) -> str:
    found = list(dict.fromkeys(node[4] for node in side["nodes"]))
    return listed(found) if found else "none"
