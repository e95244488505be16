"""From scores to a tree: the one whose spans, nuclearities and relations are expected to be right most often.

The scores of nodes make a distribution over all trees, P(tree) ∝ exp Σ scores. With p(i, j, y) the probability that
the tree has a constituent from i to j with the label y, a constituent with nuclearity u and relation r is worth

    p(i, j) + p(i, j, u) + p(i, j, r) + p(i, j, u, r)

the expected number of matches of span, nuclearity, relation and both, and the tree of the largest sum is taken: the
best of all for texts of up to `LARGEST` EDUs. Longer ones are cut into blocks where lines or sentences end; blocks are
parsed, and then joined in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coheval.algo.treechart import Split, all_trees, best_tree
from coheval.annotators._rst.network import Network, Units
from coheval.data.rsttree import Node, Nuclearity

Places = NDArray[np.int64]
Label = tuple[Nuclearity, str]

LARGEST = 240  # EDUs or blocks that are joined at once: the largest text of the training data has 250 EDUs
_LIKELY = 1e-4  # less probable nodes are not labelled, and count as 0


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels of nodes, and which of them have the same nuclearity or relation."""

    names: Sequence[Label]
    alike: NDArray[np.float64]  # [K, K] 1 + the same nuclearity + the same relation + both

    @classmethod
    def of(cls, names: Sequence[Label]) -> Labels:
        alike = [[1 + (a[0] == b[0]) + (a[1] == b[1]) + (a == b) for b in names] for a in names]
        return cls(names, np.array(alike, np.float64))


def decode(network: Network, units: Units, labels: Labels) -> list[Node]:
    """The nodes of a tree over all units, parents first and left before right."""
    found = [
        node
        for places in _charts(np.arange(len(units.kinds)), units.kinds)
        for node in _joined(network, units, labels, places)
    ]
    return sorted(found, key=lambda node: (node.first, -node.stop))


def _charts(places: Places, kinds: Places) -> Iterator[Places]:
    """Places between which constituents are joined at once: those of each block, then those between blocks."""
    while len(places) - 1 > LARGEST:
        cuts = _cuts(kinds[places])
        yield from (places[a : b + 1] for a, b in pairwise(cuts))
        places = places[cuts]
    yield places


def _cuts(kinds: Places) -> list[int]:
    """Where blocks of at most LARGEST begin: as late as can be, at the end of a line or sentence if there is one."""
    cuts = [0]
    while (rest := len(kinds) - 1 - cuts[-1]) > 0:
        window = np.arange(min(rest, LARGEST // 2), min(rest, LARGEST) + 1) + cuts[-1]
        best = window[-1] if rest <= LARGEST else window[::-1][kinds[window[::-1]].argmax()]
        cuts.append(int(best))
    return cuts


def _joined(network: Network, units: Units, labels: Labels, places: Places) -> Iterator[Node]:
    if len(places) < 3:
        return
    spans = network.spans(units, places)
    chances = _chances(network, units, labels, places, spans)
    values = chances @ labels.alike
    best = values.argmax(axis=2)
    for i, k, j in best_tree(values.max(axis=2)):
        nuclearity, relation = labels.names[best[i, j]]
        yield Node(*_numbers(places, (i, k, j)), nuclearity, relation, float(chances[i, j, best[i, j]]))


def _chances(
    network: Network, units: Units, labels: Labels, places: Places, spans: NDArray[np.float32]
) -> NDArray[np.float64]:
    """[p, p, K] the probability that a constituent lies between two places and has a label."""
    nodes = all_trees(network.nodes(spans).mean(axis=0, dtype=np.float64)).nodes
    k, i, j = np.nonzero(nodes > _LIKELY)
    found = network.labels(units, places, spans, i, k, j)
    chances = np.zeros((len(places), len(places), len(labels.names)))
    np.add.at(chances, (i, j), found * nodes[k, i, j, None])
    return chances


def _numbers(places: Places, split: Split) -> tuple[int, int, int]:
    first, middle, stop = places[list(split)].tolist()
    return first, middle, stop
