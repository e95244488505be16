"""How the discourse of texts differs from that of their references, after section 5 of Joty, Guzmán, Màrquez and Nakov,
Discourse Structure in Machine Translation Evaluation, Computational Linguistics 43 (2017).

For each group of texts (a system's, or those that people like best) beside the references:

    kl             KL(references ‖ group) of the distributions of relations
    relation_f1    micro F1 of relations, wherever they are in a tree
    nuclearity_f1  the same of the roles, nucleus or satellite, of all constituents but the root
    edu_f1         the same of the numbers of EDUs: 2 Σ min(c, r) / Σ (c + r)
    depth_rmse     root mean squared error of the depths of trees

The formulas are in `algo.distributions`. The distributions of a divergence are over the 18 classes of relations if the
references and the group have no others, otherwise over the relations that these two have: what other groups have does
not change it. Intervals are those of a bootstrap over texts, which is the same for all groups, so that groups can be
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.algo.distributions import kl_divergence, overlap_f1, rmse, shares
from coheval.algo.resample import bootstrap_weights
from coheval.annotators import Annotator
from coheval.data.lists import texts_of
from coheval.data.relations import CLASSES
from coheval.data.rsttree import RstTree
from coheval.errors import DataError, UsageError
from coheval.run.discoursefigures import Discourse, RelationFigures
from coheval.run.parse import Progress, annotator_of, trees_of

Array = NDArray[np.float64]

_AT_ONCE = 10_000_000  # weights held in memory
_GROUPS = '{"a": [text, …], "b": [text, …]}'


def discourse(
    candidates: Mapping[str, Sequence[str]],
    references: Sequence[str],
    *,
    parser: str | Annotator = "rst",
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    progress: Progress | None = None,
) -> Discourse:
    """Compare trees of groups of texts, {group: [text, …]}, with those of their references, text by text."""
    groups, gold = _given(candidates, references)
    _check_sampling(resamples, confidence, seed)
    annotator = annotator_of(parser)
    trees = trees_of([*gold, *(text for texts in groups.values() for text in texts)], annotator, progress=progress)
    labels = sorted({*CLASSES, *(node.relation for tree in trees.values() for node in tree.nodes)})
    reference = _Counts.of([trees[text] for text in gold], labels)
    counted = {group: _Counts.of([trees[text] for text in texts], labels) for group, texts in groups.items()}
    return Discourse(
        resampled={
            group: _resampled(counts, reference, _compared(labels, reference, counts), resamples, seed)
            for group, counts in counted.items()
        },
        relations=_relations(labels, reference, counted),
        texts=len(gold),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        signature=annotator.signature,
    )


def _given(candidates: object, references: object) -> tuple[dict[str, list[str]], list[str]]:
    if not isinstance(candidates, Mapping) or not candidates:
        got = type(candidates).__name__ if not isinstance(candidates, Mapping) else "no groups"
        raise DataError(f"expected a dict of groups of texts, got {got}", where="candidates", hint=_GROUPS)
    for group in candidates:
        if not isinstance(group, str):
            raise DataError(f"expected text as a group's name, got {group!r}", where="candidates", hint=_GROUPS)
    gold = texts_of(references, "references")
    if not gold:
        raise DataError("expected at least one text, got none", where="references", hint="give a list of texts")
    groups = {str(group): texts_of(texts, f"candidates[{group!r}]") for group, texts in candidates.items()}
    for group, texts in groups.items():
        if len(texts) != len(gold):
            raise DataError(
                f"expected {len(gold):,} texts as in references, got {len(texts):,}",
                where=f"candidates[{group!r}]",
                hint="position n of every list must belong to the same reference",
            )
    return groups, gold


def _check_sampling(resamples: int, confidence: float, seed: int) -> None:
    for name, number in (("resamples", resamples), ("seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise UsageError(f"{name} must be a whole number from 0, got {number!r}", hint=f"{name}=1000")
    if not isinstance(confidence, int | float | np.floating) or not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, got {confidence!r}", hint="0.95 gives 95 % intervals")


@dataclass(frozen=True, eq=False)
class _Counts:
    """What is counted in the trees of T texts."""

    relations: Array  # [T, L]
    roles: Array  # [T, 2], nuclei and satellites
    edus: Array  # [T, 1]
    depths: Array  # [T]

    @classmethod
    def of(cls, trees: Sequence[RstTree], labels: Sequence[str]) -> _Counts:
        return cls(
            relations=_counted([Counter(node.relation for node in tree.nodes) for tree in trees], labels),
            roles=_counted([Counter("".join(n.nuclearity for n in tree.nodes)) for tree in trees], "NS"),
            edus=np.array([[len(tree)] for tree in trees], dtype=np.float64),
            depths=np.array([tree.depth() for tree in trees], dtype=np.float64),
        )


def _counted(counters: Sequence[Counter[str]], labels: Sequence[str]) -> Array:
    rows = [[counter[label] for label in labels] for counter in counters]
    return np.array(rows, dtype=np.float64).reshape(len(counters), len(labels))


def _compared(labels: Sequence[str], gold: _Counts, group: _Counts) -> list[int]:
    """The labels over which a group's divergence is, by number. Each is smoothed, so that labels which only another
    group has would change it."""
    there = [n for n, counts in enumerate(zip(gold.relations.T, group.relations.T, strict=True)) if np.any(counts)]
    known = [n for n, label in enumerate(labels) if label in CLASSES]
    return known if set(there) <= set(known) else there


def _resampled(group: _Counts, gold: _Counts, compared: list[int], resamples: int, seed: int) -> dict[str, Array]:
    """Each measure for the data as they are, and for each resample: [1 + R]."""
    parts = [_measured(group, gold, compared, weights) for weights in _weights(len(gold.depths), resamples, seed)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _measured(group: _Counts, gold: _Counts, compared: list[int], weights: Array) -> dict[str, Array]:
    return {
        "kl": kl_divergence(weights @ gold.relations[:, compared], weights @ group.relations[:, compared]),
        "relation_f1": overlap_f1(group.relations, gold.relations, weights),
        "nuclearity_f1": overlap_f1(group.roles, gold.roles, weights),
        "edu_f1": overlap_f1(group.edus, gold.edus, weights),
        "depth_rmse": rmse(group.depths, gold.depths, weights),
    }


def _weights(size: int, resamples: int, seed: int) -> Iterator[Array]:
    """A row of ones, then resamples, some at a time."""
    rng = np.random.default_rng(seed)
    yield np.ones((1, size))
    step = max(1, _AT_ONCE // size)
    for start in range(0, resamples, step):
        yield bootstrap_weights(size, min(step, resamples - start), rng)[1:]


def _relations(labels: Sequence[str], gold: _Counts, groups: dict[str, _Counts]) -> list[RelationFigures]:
    """Every relation that occurs, in the references and in each group; what references have most comes first."""
    sides: dict[str | None, _Counts] = {None: gold} | dict(groups.items())
    totals = {side: counts.relations.sum(axis=0) for side, counts in sides.items()}
    parts = {side: shares(total) for side, total in totals.items()}
    once = np.ones((1, len(gold.depths)))
    there = np.flatnonzero(sum(totals.values())).tolist()
    order = sorted(there, key=lambda label: (-totals[None][label], labels[label]))
    return [
        RelationFigures(
            relation=labels[n],
            group=side,
            count=int(totals[side][n]),
            share=_number(parts[side][n]),
            f1=None if side is None else _number(overlap_f1(counts.relations[:, [n]], gold.relations[:, [n]], once)[0]),
        )
        for n in order
        for side, counts in sides.items()
    ]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
