"""The tree kernel against all fragments written down, against whole numbers of any size, and against closed forms."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo import treekernel, treematches
from coheval.algo.compiledtrees import CompiledTree, Vocabulary
from coheval.algo.treekernel import kernels, log_kernels, similarities
from coheval.algo.treekernel import shared as in_common
from trees import Nodes, bracketed, by_definition, common, enumerated, listed

Pair = tuple[CompiledTree, CompiledTree]
LEAF: Nodes = [("x", 0)]


@st.composite
def trees(draw: st.DrawFn, most: int = 6) -> Nodes:
    """A tree with at most so many inner nodes; labels repeat, and one label may be of a leaf and of an inner node."""
    nodes: Nodes = []
    missing, inner = 1, 0
    while missing:
        size = draw(st.integers(0, 3)) if inner < most else 0
        nodes.append((draw(st.sampled_from("ab")), size))
        missing += size - 1
        inner += size > 0
    return nodes


def pair(a: Nodes, b: Nodes) -> Pair:
    vocabulary = Vocabulary()
    return vocabulary.compile(a), vocabulary.compile(b)


def kernel(a: Nodes, b: Nodes, decay: float = 1.0) -> float:
    return float(kernels([pair(a, b)], decay)[0])


def log_kernel(a: Nodes, b: Nodes, decay: float = 1.0) -> float:
    return float(log_kernels([pair(a, b)], decay)[0])


def test_by_hand() -> None:
    a, b = listed("(S (A x) (B y))"), listed("(S (A x) (B z))")
    # A→x in both; S→A B alone; S→A B with A→x: three. With itself, also B→y, and S with B→y and with both: six.
    assert kernel(a, b) == 3
    assert kernel(a, a) == 6
    assert kernel(a, b, 0.5) == 0.5 + 0.5 + 0.25  # by their numbers of productions
    assert kernel(a, listed("(S (B y) (A x))")) == 2  # A→x and B→y; the order of children counts
    assert kernel(LEAF, LEAF) == 0
    assert log_kernel(a, LEAF) == -math.inf


def test_a_label_of_a_leaf_and_of_an_inner_node() -> None:
    """S→A holds in both; below it there is something to compare in one of them only."""
    assert kernel(listed("(S A)"), listed("(S (A x))")) == 1


@given(trees(), trees())
def test_equals_all_fragments(a: Nodes, b: Nodes) -> None:
    assert kernel(a, b) == enumerated(a, b, 1)
    assert kernel(a, a) == enumerated(a, a, 1)
    assert kernel(a, b, 0.4) == pytest.approx(enumerated(a, b, 0.4), rel=1e-12)


@given(trees(14), trees(14), st.sampled_from([0.01, 0.4, 1.0]))
def test_laws(a: Nodes, b: Nodes, decay: float) -> None:
    one, other = pair(a, b)
    leaves = len(a) == 1, len(b) == 1
    for normalise in ("none", "cosine", "log"):
        found = similarities([(one, other), (other, one), (one, one)], decay=decay, normalise=normalise)
        assert found[0] == pytest.approx(found[1], rel=1e-12, nan_ok=True)
        assert np.isnan(found).tolist() == (
            [False] * 3 if normalise == "none" else [any(leaves), any(leaves), leaves[0]]
        )
        if normalise != "none":
            assert np.isnan(found[0]) or 0 <= found[0] <= 1
            assert np.isnan(found[2]) or found[2] == 1


@given(st.lists(trees(10), min_size=2, max_size=8), st.randoms())
def test_together_as_alone(several: list[Nodes], random) -> None:
    """However trees are put together, and in whatever portions they are compared."""
    vocabulary = Vocabulary()
    compiled = [vocabulary.compile(tree) for tree in several]
    numbers = [(random.randrange(len(several)), random.randrange(len(several))) for _ in range(12)]
    pairs = [(compiled[i], compiled[k]) for i, k in numbers]
    expected = [by_definition(several[i], several[k], 0.4) for i, k in numbers]
    assert kernels(pairs, 0.4) == pytest.approx(expected, rel=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treekernel, "_TOGETHER", 5)
        patch.setattr(treematches, "_BLOCK", 3)
        assert kernels(pairs, 0.4) == pytest.approx(expected, rel=1e-12)
        assert np.exp(log_kernels(pairs, 0.4)) == pytest.approx(expected, rel=1e-12)


@given(trees(10), trees(10), st.sampled_from([0.4, 1.0]))
def test_in_logarithms(a: Nodes, b: Nodes, decay: float) -> None:
    """The way that is taken where floats overflow."""
    total = treekernel._log_total(*treekernel._in_logarithms(pair(a, b), decay))
    assert math.exp(total) == pytest.approx(by_definition(a, b, decay), rel=1e-12)


def test_no_pairs() -> None:
    assert kernels([], 1.0).tolist() == []
    assert similarities([], decay=1.0, normalise="cosine").tolist() == []


def test_trees_of_different_vocabularies_are_refused() -> None:
    with pytest.raises(ValueError, match="vocabularies"):
        kernels([(Vocabulary().compile(LEAF), Vocabulary().compile(LEAF))], 1.0)


@pytest.mark.parametrize("sizes", [[], [0, 0], [2, 0], [1], [0, 1]])
def test_lists_that_are_no_tree(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="one tree"):
        Vocabulary().compile([("x", size) for size in sizes])


def test_logarithms_are_cut_off_at_one() -> None:
    """A tree of one production, four times in another: ln 5 / √(ln 2 · ln 33) = 1.034."""
    one, other = pair(listed("(A x)"), listed("(S (A x) (A x) (A x) (A x))"))
    assert kernels([(one, one), (one, other), (other, other)], 1.0).tolist() == [1, 4, 16 + 16]
    assert similarities([(one, other)], decay=1.0, normalise="log")[0] == 1


def test_own_kernels_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = pair(listed("(S (A x) (B y))"), listed("(S (A x) (B z))"))
    first = similarities([(one, other)], decay=0.4, normalise="cosine")
    asked = []
    plain = treekernel.log_kernels
    monkeypatch.setattr(treekernel, "log_kernels", lambda pairs, decay: asked.append(len(pairs)) or plain(pairs, decay))
    assert similarities([(one, other)], decay=0.4, normalise="cosine") == first
    assert similarities([(one, other)], decay=1.0, normalise="cosine") == pytest.approx(3 / 6)
    assert asked == [1, 3]


# ------------------------------------------------------------------------------------------------- large trees


def flat(words: int) -> Nodes:
    return [("NGRAM", words), *(node for k in range(words) for node in ((f"w{k}", 1), ("d", 0)))]


def chain(labels: list[str]) -> Nodes:
    return [*((label, 1) for label in labels), ("leaf", 0)]


def test_whole_numbers_stay_whole() -> None:
    """Forty children with a leaf each: 2^40 fragments at the top, one for each child."""
    assert kernel(flat(40), flat(40)) == 2**40 + 40


def test_more_than_a_float_can_hold() -> None:
    one, other = pair(flat(1500), flat(1499))
    both, own, few = log_kernels([(one, other), (one, one), (other, other)], 1.0)
    assert both == pytest.approx(math.log(1499), rel=1e-12)  # the children alone: the productions above differ
    assert own == pytest.approx(math.log(2**1500 + 1500), rel=1e-12)
    assert few == pytest.approx(math.log(2**1499 + 1499), rel=1e-12)
    assert kernels([(one, one)], 1.0) == math.inf
    found = similarities([(one, one), (one, other)], decay=1.0, normalise="cosine")
    assert found[0] == 1
    assert found[1] == pytest.approx(0, abs=1e-300)
    by_logarithms = math.log(1500) / math.sqrt(math.log(2**1500 + 1501) * math.log(2**1499 + 1500))
    assert similarities([(one, other)], decay=1.0, normalise="log") == pytest.approx(by_logarithms, rel=1e-12)


def test_overflow_of_one_leaves_the_others_alone() -> None:
    vocabulary = Vocabulary()
    small, large = vocabulary.compile(flat(3)), vocabulary.compile(flat(1200))
    found = log_kernels([(small, small), (large, large), (small, large)], 1.0)
    assert found == pytest.approx([math.log(2**3 + 3), math.log(2**1200 + 1200), math.log(3)], rel=1e-12)


@pytest.mark.parametrize("decay", [1.0, 0.4])
def test_a_deep_tree_of_distinct_labels(decay: float) -> None:
    """3,000 nodes one below the other: at each, a fragment of every length down to the leaf."""
    tree = chain([f"n{k}" for k in range(3000)])
    expected = sum((3001 - length) * decay**length for length in range(1, 3001))
    assert kernel(tree, tree, decay) == pytest.approx(expected, rel=1e-12)


def test_a_deep_tree_of_one_label() -> None:
    """Nodes with h and k nodes down to the leaf: min(h, k) - 1 fragments end before the shorter way does, and one with
    its leaf, which the longer has not there."""
    size = 1200
    tree = chain(["n"] * size)
    expected = sum(h if h == k else min(h, k) - 1 for h in range(1, size + 1) for k in range(1, size + 1))
    assert kernel(tree, tree) == expected


def test_a_bushy_tree() -> None:
    """4,095 nodes, all alike: from height to height C has twice the digits. By heights, in whole numbers."""
    depth = 11
    tree: Nodes = []
    waiting = [depth]
    while waiting:
        height = waiting.pop()
        tree.append(("n", 2 if height else 0))
        waiting += [height - 1] * 2 if height else []
    c = {(h, k): 0 for h in range(depth + 1) for k in range(depth + 1)}
    for h, k in sorted(c):
        c[h, k] = (1 + c[h - 1, k - 1]) ** 2 if h and k else 0
    expected = sum(2 ** (depth - h) * 2 ** (depth - k) * value for (h, k), value in c.items())
    assert len(tree) == 4095
    assert kernel(tree, tree) == math.inf
    assert log_kernel(tree, tree) == pytest.approx(math.log(expected), rel=1e-12)


@given(st.integers(0, 2**32))
def test_trees_of_many_nodes(seed: int) -> None:
    a, b = (grown(np.random.default_rng(seed + k), 60) for k in (0, 1))
    for x, y in ((a, b), (a, a)):
        assert log_kernel(x, y) == pytest.approx(math.log(by_definition(x, y)), rel=1e-12)


def grown(rng: np.random.Generator, leaves: int) -> Nodes:
    nodes: Nodes = []
    waiting = [leaves]
    while waiting:
        width = waiting.pop()
        nodes.append((str(rng.choice(["x", "y"])), 2 if width > 1 else 0))
        split = int(rng.integers(1, width)) if width > 1 else 0
        waiting += [width - split, split] if split else []
    return nodes


# ------------------------------------------------------------------------------- what subtrees have in common


def test_in_common_by_hand() -> None:
    one, other = pair(listed("(S (A x) (B y))"), listed("(S (A x) (B z))"))
    ours, theirs = in_common((one, other), 1.0)
    places = one.subtree[[0, 1, 3]]  # S, A, B
    assert ours.share[places] == pytest.approx([2 / 3, 1 / 3, 0])  # of K = 3: two at S, one at A
    assert np.exp(ours.log_c[places]) == pytest.approx([2, 1, 0])
    assert ours.partner[places].tolist() == [*other.subtree[[0, 1]].tolist(), -1]
    assert theirs.partner[other.subtree[0]] == one.subtree[0]


@pytest.mark.parametrize(("a", "b"), [("x", "x"), ("(A x)", "x"), ("x", "(A x)"), ("(A x)", "(B x)")])
def test_nothing_in_common(a: str, b: str) -> None:
    for found in in_common(pair(listed(a), listed(b)), 0.4):
        assert not found.share.any()
        assert (found.partner == -1).all()


@given(trees(10), trees(10), st.sampled_from([0.4, 1.0]))
def test_shares_and_partners(a: Nodes, b: Nodes, decay: float) -> None:
    one, other = pair(a, b)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treematches, "_BLOCK", 3)
        ours, theirs = in_common((one, other), decay)
    assert theirs.share == pytest.approx(in_common((other, one), decay)[0].share)
    c = common(a, b, decay)
    total = sum(c.values())
    for x, subtree in enumerate(one.subtree.tolist()):
        row = {y: value for (node, y), value in c.items() if node == x}
        if subtree == -1:
            assert not row
            continue
        assert ours.share[subtree] == pytest.approx(sum(row.values()) / total if total else 0)
        assert math.exp(ours.log_c[subtree]) == pytest.approx(max(row.values(), default=0))
        partners = [y for y, found in enumerate(other.subtree.tolist()) if found == ours.partner[subtree] != -1]
        assert bool(partners) == bool(row)
        assert all(row[y] == pytest.approx(max(row.values())) for y in partners)


# ---------------------------------------------------------------------------------------------------- goldens


def test_brackets_are_read_and_written() -> None:
    text = "(S (NP she) (VP sleeps (ADV a lot)))"
    assert [label for label, _ in listed(text)] == ["S", "NP", "she", "VP", "sleeps", "ADV", "a", "lot"]
    assert [size for _, size in listed(text)] == [2, 1, 0, 2, 0, 2, 0, 0]
    assert bracketed(listed(text)) == text


VARIANTS = {"lambda_1.0": (1.0, "cosine"), "lambda_0.4": (0.4, "cosine"), "log": (1.0, "log")}


def test_golden_kernels(shared: Path) -> None:
    content = json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text(encoding="utf-8"))
    for name, found in content["representations"].items():
        vocabulary = Vocabulary()
        made = {key: vocabulary.compile(listed(text)) for key, text in found["bracketed"].items()}
        for names, expected in found["K"].items():
            one, other = (made[key] for key in names.split("|"))
            assert kernels([(one, other)], 1.0)[0] == int(expected)
            normalised = {"lambda_1.0": found["normalised"][names]}
            normalised |= content["decay_variants"]["values"].get(f"{name}:{names}", {})
            for variant, value in normalised.items():
                decay, normalise = VARIANTS[variant]
                alike = similarities([(one, other)], decay=decay, normalise=normalise)
                assert alike == pytest.approx(math.nan if value is None else value, rel=1e-12, nan_ok=True)
