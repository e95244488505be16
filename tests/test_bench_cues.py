"""Cues that give wrong variants away: planted ones are found, and what is not there is not."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import coheval
from coheval.data import Document
from coheval.data.groups import Group, Instances
from coheval.errors import UnknownName
from coheval.run import benchcues
from coheval.run.bench import outcome
from coheval.run.benchcues import cues
from coheval.run.benchunits import units
from coheval.tasks import task

WORDS = "river stone bread light field horse tower glass chair table plant grass".split()  # of five letters each


def text(chance: random.Random, words: int = 6) -> str:
    return " ".join(chance.choices(WORDS, k=words))


def accuracies(groups: list[Group]) -> dict[str, float]:
    judged = units(groups, "pairs")
    return {name: float(found.verdicts.mean()) for name, found in cues(groups, judged, outcome).items()}


def test_a_word_that_only_wrong_variants_have() -> None:
    chance = random.Random(1)
    groups = [
        Group(str(n), "x", (text(chance), text(chance)), ((text(chance), f"crown {text(chance, 5)}"),))
        for n in range(60)
    ]
    found = accuracies(groups)
    assert found["words"] > 0.9
    assert found["length"] == 0.5  # all have twelve words of five letters


def test_wrong_variants_that_are_longer() -> None:
    chance = random.Random(2)
    groups = [Group(str(n), "x", (text(chance, 5 + n % 3),), ((text(chance, 9 + n % 3),),)) for n in range(60)]
    assert accuracies(groups)["length"] > 0.95


def test_there_is_nothing_to_be_seen() -> None:
    chance = random.Random(3)
    groups = [Group(str(n), "x", (text(chance, 8),), ((text(chance, 8),),)) for n in range(300)]
    for found in accuracies(groups).values():
        assert abs(found - 0.5) < 3 * np.sqrt(0.25 / 300)


def test_orders_tie_exactly() -> None:
    """With weights that are not zero: they come from groups that can be told."""
    chance = random.Random(4)
    documents = [Document.of(f"d{n}", [f"{text(chance)} {k}." for k in range(7)]) for n in range(20)]
    made = list(task("order").instances(documents, np.random.default_rng(0)).groups)
    told = [Group(f"t{n}", "x", (text(chance),), ((f"crown crown {text(chance)}",),)) for n in range(20)]
    judged = units(made + told, "pairs")
    for found in cues(made + told, judged, outcome).values():
        orders = [verdict for verdict, unit in zip(found.verdicts, judged, strict=True) if unit.group < 20]
        assert set(orders) == {0.5}
        assert found.verdicts[-20:].mean() > 0.8


def test_no_classifier_has_seen_a_groups_origin() -> None:
    """A word of one origin only gives its groups away to who has seen one of them; to who has not, it says nothing."""
    groups = [
        Group(f"{origin} {n}", "x", ("the same",), (("the same", f"word{origin}"),), origin=f"o{origin}")
        for origin in range(12)
        for n in range(3)
    ]
    assert accuracies(groups)["words"] == 0.5


MIXED = ["topic(negatives=5)", "topic(negatives=1)", "story(ending=random, negatives=5)", "intrusion(negatives=5)"]


@pytest.mark.parametrize("spec", MIXED)
def test_words_of_mixed_documents_are_no_cue(spec: str) -> None:
    """Each document has words of its own, which other groups have in wrong variants."""
    documents = [Document.of(f"d{n}", [f"name{n} {k} said." for k in "abcdef"]) for n in range(100)]
    made = list(task(spec).instances(documents, np.random.default_rng(0)).groups)
    assert accuracies(made)["words"] == pytest.approx(0.5, abs=0.07)  # three errors of 500 pairs


def noise(seed: int) -> list[Document]:
    """Documents of random words: each has ten of sixty."""
    chance = random.Random(seed)
    words = [f"w{n}" for n in range(60)]
    made = []
    for n in range(80):
        own = chance.sample(words, 10)
        made.append(Document.of(f"d{n}", [" ".join(chance.choices(own, k=6)) + f" {k}" for k in range(6)]))
    return made


@pytest.mark.parametrize("spec", MIXED)
def test_noise_is_at_chance_where_documents_are_mixed(spec: str) -> None:
    """Sixteen corpora of which each has other documents: their mean, within three of its standard errors."""
    found = [
        accuracies(list(task(spec).instances(noise(seed), np.random.default_rng(seed)).groups))["words"]
        for seed in range(16)
    ]
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert error < 0.015
    assert abs(np.mean(found) - 0.5) < 3 * error


@pytest.mark.parametrize("spec", MIXED)
def test_a_planted_word_is_found_where_documents_are_mixed(spec: str) -> None:
    """Foreign sentences that are marked, as by a careless program."""
    made = task(spec).instances(noise(0), np.random.default_rng(0)).groups
    marked = [
        replace(group, wrong=tuple(tuple(s if s in group.right else f"{s} crown" for s in w) for w in group.wrong))
        for group in made
    ]
    assert accuracies(marked)["words"] > 0.9


def test_what_is_judged_has_folds_of_both_documents() -> None:
    """Groups 1 to 3 are in folds 0 to 2. No document has z; of the last but one, two sentences are of fold 1."""
    groups = [
        Group("1", "x", ("a1", "a2"), (("a1", "b2"), ("a2", "a1"), ("a1", "c2"))),
        Group("2", "x", ("b1", "b2"), (("b1", "a2"), ("b1", "z"))),
        Group("3", "x", ("c1", "c2", "c3"), (("b1", "b2", "a1"), ("c1", "c2"))),
    ]
    folds = benchcues._folds_of_pairs(benchcues.Pairs.of(groups), groups)
    assert folds.tolist() == [[0, 1], [0, 0], [0, 2], [1, 0], [1, 1], [2, 1], [2, 2]]


def test_no_classifier_has_seen_either_of_two_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are numbered by their only feature: what was fitted and what it judged share no fold."""
    folds = np.array([[a, b] for a in range(5) for b in range(5)])
    seen: list[set[int]] = []

    def noted(differences: csr_matrix, *_: object) -> benchcues.Array:
        seen.append(set(differences.indices.tolist()))
        return np.ones(differences.shape[0])

    monkeypatch.setattr(benchcues, "_fitted", noted)
    monkeypatch.setattr(benchcues, "_margins", noted)
    margins = benchcues._cross_validated(csr_matrix(np.eye(25)), np.arange(25), folds)
    assert margins.tolist() == [1.0] * 25
    for fitted, judged in zip(seen[::2], seen[1::2], strict=True):
        assert fitted
        assert not {f for n in fitted for f in divmod(n, 5)} & {f for n in judged for f in divmod(n, 5)}


def test_of_each_group_the_first_few_are_fitted() -> None:
    chosen = benchcues._first(np.array([1, 2, 3, 5, 6]), np.array([0, 0, 0, 0, 1, 2, 2]))
    assert chosen.tolist() == [1, 2, 5, 6]


def test_folds_keep_origins_together() -> None:
    groups = [Group(str(n), "x", ("a",), (("b",),), origin=f"o{n % 7}") for n in range(35)]
    folds = benchcues._folds(groups)
    assert len(set(folds)) == benchcues.FOLDS
    assert all(len({folds[n] for n in range(35) if n % 7 == origin}) == 1 for origin in range(7))


def test_a_single_origin_has_nothing_to_learn_from() -> None:
    groups = [Group(str(n), "x", ("a",), (("b c",),), origin="one") for n in range(4)]
    assert accuracies(groups) == {"length": 0.5, "words": 0.5}


def test_weights_are_where_the_loss_is_smallest() -> None:
    """One feature: the derivative of 2·log(1 + e^-w) + w² is zero where w = 1 / (1 + e^w), by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < 1 / (1 + np.exp(middle)) else (low, middle)
    assert benchcues._fitted(csr_matrix([[1.0], [1.0]])) == pytest.approx([low], abs=1e-4)


def test_only_what_a_program_made_is_looked_at() -> None:
    groups = (Group("1", "x", ("a b",), (("a",),)), Group("2", "x", ("c d",), (("c",),)))
    assert coheval.bench(Instances(groups), "rc", resamples=0).cues == {}
    found = coheval.bench(Instances(groups, made=True), "rc", resamples=0)
    assert list(found.cues) == ["length", "words"]
    assert found.cue("length").accuracy == 1.0  # of two origins, each is judged by the other: right ones are longer
    with pytest.raises(UnknownName, match="no cue is called 'topics'"):
        found.cue("topics")
