"""DS-Sent against the formula written out with dense matrices; the released program is in test_goldens_discourse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import coheval
from coheval.encoders._transformer import TransformerEncoder
from coheval.metrics.dssent import DSSent
from discourse import annotations, vectors

CANDIDATE = "The tree grew. It was small. A river rose by the tree. The river fell."
REFERENCE = "By the river a tree stood. The tree grew. Later the river and the tree were gone."
# sentences that share a focus, and how many foci: tree 0-2, river 2-3; river 0-2, tree 0-1, tree 0-2, tree 1-2
LINKS = {CANDIDATE: {(0, 2): 1, (2, 3): 1}, REFERENCE: {(0, 1): 1, (0, 2): 2, (1, 2): 1}}


@pytest.fixture
def annotator(tmp_path: Path) -> str:
    return "annotator=" + annotations(tmp_path, CANDIDATE, REFERENCE, "Small.", "", nouns="tree river")


def sentences(text: str) -> NDArray[np.float64]:
    """The mean of the pieces of each sentence; sentences end with a full stop."""
    v, offsets = vectors(text)
    ends = np.array([i + 1 for i, c in enumerate(text) if c == "."])
    owner = np.searchsorted(ends, offsets[:, 1])
    return np.array([v[owner == k].mean(axis=0) for k in range(len(ends))])


def aggregated(text: str, *, weighted: bool, unit: bool) -> NDArray[np.float64]:
    s = sentences(text)
    adjacency = np.zeros((len(s), len(s)))
    for (i, j), shared in LINKS[text].items():
        adjacency[i, j] = (shared if weighted else 1) / (j - i)
    rows = (adjacency + np.eye(len(s))) @ s
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if unit else rows


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def pooled(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([rows.mean(0), rows.max(0), rows.min(0), rows.sum(0)])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("variant", ["coheval", "paper"])
def test_formula(annotator: str, score, weighted: bool, variant: str) -> None:
    x, y = (aggregated(t, weighted=weighted, unit=variant == "coheval") for t in (CANDIDATE, REFERENCE))
    spec = f"dssent(variant='{variant}', weighted={weighted}, layer=6, {annotator})"
    assert score(spec, CANDIDATE, REFERENCE) == pytest.approx(cosine(pooled(x), pooled(y)), abs=1e-6)


def test_without_aggregation(annotator: str, score) -> None:
    x, y = (sentences(t) for t in (CANDIDATE, REFERENCE))
    spec = f"dssent(variant='paper', aggregate=False, layer=6, {annotator})"
    assert score(spec, CANDIDATE, REFERENCE) == pytest.approx(cosine(pooled(x), pooled(y)), abs=1e-6)


def test_greedy_alignment(annotator: str, score) -> None:
    x, y = (aggregated(t, weighted=False, unit=True) for t in (CANDIDATE, REFERENCE))
    similarity = x @ y.T
    precision, recall = similarity.max(axis=1).mean(), similarity.max(axis=0).mean()
    spec = f"dssent(alignment='greedy', layer=6, {annotator})"
    assert score(spec, CANDIDATE, REFERENCE) == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)


def test_optimal_alignment(annotator: str, score) -> None:
    """4 sentences against 3: each is split into 3 and 4 equal parts, so that transport is an assignment of 12 to 12."""
    x, y = (aggregated(t, weighted=False, unit=True) for t in (CANDIDATE, REFERENCE))
    similarity = np.repeat(np.repeat(x @ y.T, 3, axis=0), 4, axis=1)
    best = similarity[linear_sum_assignment(-similarity)].mean()
    spec = f"dssent(alignment='optimal', layer=6, {annotator})"
    assert score(spec, CANDIDATE, REFERENCE) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("alignment", ["mean-max-min-sum", "greedy", "optimal"])
def test_one_sentence_and_none(annotator: str, score, alignment: str) -> None:
    spec = f"dssent(alignment='{alignment}', {annotator})"
    assert score(spec, "Small.", "Small.") == pytest.approx(1)
    assert -1 <= score(spec, "Small.", REFERENCE) < 1
    result = coheval.score([""], [REFERENCE], metrics=[spec])[spec]
    assert result.reasons == ["the candidate has no sentence that the encoder can read"]


def test_evidence_names_links_and_lonely_sentences(annotator: str) -> None:
    spec = f"dssent({annotator})"
    told = coheval.score([CANDIDATE], [REFERENCE], metrics=[spec], evidence=True)[spec].evidence[0]
    links = {(link["from"], link["to"]): link["weight"] for link in told["candidate"]["links"]}
    assert links == {(0, 2): 1 / 2, (2, 3): 1}
    assert told["candidate"]["isolated"] == [1]
    start, stop = told["candidate"]["sentences"][1]
    assert CANDIDATE[start:stop] == "It was small."
    assert told["reference"]["isolated"] == []


def test_a_part_of_a_reference_is_left_out_and_told() -> None:
    """The second reference has the first line only."""
    lines = ["The tree grew by the river.", "The river rose."]
    both = [[lines[0], "A tree."], [lines[1]]]
    result = coheval.score(lines, both, documents=["d", "d"], metrics=["dssent"])
    assert result["dssent"].documents["d"] == pytest.approx(1)
    assert result["dssent"].counts["partial"] == 1
    assert result.notes == ["dssent: 1 references lack segments of their document and are left out"]


def test_evidence_of_alignments_names_sentences(annotator: str) -> None:
    """Every sentence of either text is in a pair, and masses sum to one."""
    greedy, optimal = (f"dssent(alignment='{a}', {annotator})" for a in ("greedy", "optimal"))
    result = coheval.score([CANDIDATE], [REFERENCE], metrics=[greedy, optimal], evidence=True)
    for pairs in (result[greedy].evidence[0]["matches"], result[optimal].evidence[0]["moves"]):
        assert {c for c, _, _ in pairs} == {0, 1, 2, 3}
        assert {r for _, r, _ in pairs} == {0, 1, 2}
    assert sum(mass for _, _, mass in result[optimal].evidence[0]["moves"]) == pytest.approx(1)


def test_the_program_keeps_eight_layers() -> None:
    class Deep(TransformerEncoder):
        @property
        def depth(self) -> int:
            return 12

    layers = {variant: DSSent(variant=variant, encoder=Deep()).layer for variant in ("coheval", "paper", "code")}
    assert layers == {"coheval": 1, "paper": 12, "code": 8}
