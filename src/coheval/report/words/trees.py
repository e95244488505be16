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
        f"{_relations(ours)} beside {_relations(theirs)}.",
        f"Subtrees with a counterpart: {_matched(ours)} of the candidate, {_matched(theirs)} of the reference.",
    ]
    for name, side, text in (("candidate", ours, candidate), ("reference", theirs, reference)):
        alone = [node for node in side["subtrees"] if node["partner"] is None]
        largest = sorted(alone, key=lambda node: node["span"][0] - node["span"][1])[:_SHOWN]
        if largest:
            told.append(f"Largest of the {name} without one: {listed([_named(node, text) for node in largest])}.")
    return told


def _named(node: Any, text: str) -> str:
    """A production names all children, which may be all words of a sentence; its label says enough."""
    return f"{node['production'].partition(' →')[0]} over {at(text, node['span'])}"


def _matched(side: Any) -> str:
    return f"{sum(node['partner'] is not None for node in side['subtrees']):,} of {len(side['subtrees']):,}"


def _relations(side: Any) -> str:
    found = list(dict.fromkeys(node[4] for node in side["nodes"]))
    return listed(found) if found else "none"
