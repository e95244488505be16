"""Comparing systems: intervals and tests against brute force, sacreBLEU and simulation; what is left out is told."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest

import coheval
from coheval.algo.resample import bootstrap_weights
from coheval.data import Corpus, Record
from coheval.errors import DataError, UnknownName, UsageError
from coheval.run.compare import compare
from coheval.run.comparison import PairFigures
from coheval.run.score import evaluate, named
from coheval.run.scoretable import ScoreTable

WORDS = "river stone garden winter letter market engine silver window forest carries opens under slowly again".split()


def texts(count: int, seed: int, noise: float) -> tuple[list[str], list[str]]:
    """References, and candidates in which each word is another one with some probability."""
    rng = np.random.default_rng(seed)
    references = [list(rng.choice(WORDS, size=rng.integers(5, 12))) for _ in range(count)]
    other = np.random.default_rng(seed + 1000 + int(100 * noise))
    candidates = [[str(other.choice(WORDS)) if other.random() < noise else w for w in line] for line in references]
    return [" ".join(line) for line in references], [" ".join(line) for line in candidates]


def two_systems(count: int, *, seed: int = 1, noise: tuple[float, float] = (0.25, 0.4)) -> tuple[list[str], dict]:
    references, first = texts(count, seed, noise[0])
    return references, {"first": first, "second": texts(count, seed, noise[1])[1]}


def bleu(candidates: Sequence[str], references: Sequence[str]) -> float:
    score = coheval.score(candidates, references, metrics=["bleu"])["bleu"].system
    assert isinstance(score, float)
    return score


def only_pair(data: object, **options: object) -> PairFigures:
    """The figures of two systems under one metric."""
    (found,) = compare(data, **options).values()
    (pair,) = found.pairs
    return pair


# ----------------------------------------------------------------------------------- tests against brute force


def test_bootstrap_of_bleu_is_scoring_again_what_was_drawn() -> None:
    """Documents of two lines: each resample is written out as texts and scored."""
    references, candidates = two_systems(12)
    documents = [f"d{n // 2}" for n in range(12)]
    result = coheval.score(candidates, references, documents=documents, metrics=["bleu"])
    pair = only_pair(result, resamples=40, seed=7, confidence=0.9)
    drawn = bootstrap_weights(6, 40, np.random.default_rng([7, 0])).astype(int)
    scores = []
    for weights in drawn:
        lines = [2 * d + half for d in range(6) for _ in range(weights[d]) for half in (0, 1)]
        again = [references[n] for n in lines]
        scores.append([bleu([candidates[s][n] for n in lines], again) for s in ("first", "second")])
    first, second = np.array(scores).T
    assert (pair.first, pair.second) == ("first", "second")
    gaps = first - second
    assert pair.difference == pytest.approx(gaps[0])
    assert [pair.low, pair.high] == pytest.approx(np.quantile(gaps[1:], [0.05, 0.95]).tolist())
    p = 2 * (1 + min((gaps[1:] <= 0).sum(), (gaps[1:] >= 0).sum())) / 41
    assert pair.bootstrap_p_alone == pytest.approx(min(1, p))
    ours = compare(result, resamples=40, seed=7, confidence=0.9)["bleu"].systems[0]
    assert ours.score == pytest.approx(first[0])
    assert [ours.low, ours.high] == pytest.approx(np.quantile(first[1:], [0.05, 0.95]).tolist())


def test_randomisation_of_bleu_is_scoring_again_what_was_exchanged() -> None:
    """All 2⁶ ways to exchange six documents, written out as texts and scored."""
    references, candidates = two_systems(6, noise=(0.3, 0.35))
    pair = only_pair(coheval.score(candidates, references, metrics=["bleu"]))
    reached = 0
    for swap in product([False, True], repeat=6):
        sides = [
            bleu([candidates[s if not moved else o][n] for n, moved in enumerate(swap)], references)
            for s, o in (("first", "second"), ("second", "first"))
        ]
        reached += abs(sides[0] - sides[1]) >= abs(pair.difference or 0) - 1e-9
    assert pair.randomisation_p_alone == reached / 64
    assert 0 < reached < 64


@pytest.mark.parametrize(("noise", "seed"), [((0.3, 0.35), 5), ((0.25, 0.35), 3), ((0.3, 0.36), 2)])
def test_p_values_and_intervals_are_near_those_of_sacrebleu(noise: tuple[float, float], seed: int) -> None:
    """Other random numbers: 4,000 resamples give a p of up to 0.2 a standard error of at most 0.0063, the difference
    of two one of 0.009. sacreBLEU's bootstrap counts |d| − mean(|d|) > |observed|, which is one-sided where d hardly
    ever has another sign than observed: half of ours."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    references, candidates = two_systems(80, seed=seed, noise=noise)
    found = compare(coheval.score(candidates, references, metrics=["bleu"]), resamples=4000)["bleu"]
    (pair,), ours = found.pairs, next(s for s in found.systems if s.system == "second")
    theirs = {}
    for kind in ("ar", "bs"):
        test = PairedTest(list(candidates.items()), {"BLEU": BLEU()}, [references], test_type=kind, n_samples=4000)
        theirs[kind] = test()[1]["BLEU"][1]
        assert theirs[kind].score == pytest.approx(ours.score)
    assert pair.randomisation_p_alone == pytest.approx(theirs["ar"].p_value, abs=0.03)
    assert pair.bootstrap_p_alone == pytest.approx(2 * theirs["bs"].p_value, abs=0.03)
    assert (ours.high - ours.low) / 2 == pytest.approx(theirs["bs"].ci, rel=0.06)


def test_randomisation_of_means_by_hand() -> None:
    """Differences by document are 3, 1, −1: sums of ±3 ±1 ±1 are at least 3 in size in 6 of 8 ways (not ±1)."""
    pair = only_pair({"m": {"a": [5, 2, 1], "b": [2, 1, 2]}})
    assert pair.difference == pytest.approx(1)
    assert pair.randomisation_p_alone == pytest.approx(6 / 8)
    assert pair.effect == pytest.approx(1 / 2)  # mean 1, deviation √((4 + 0 + 4) / 2) = 2
    assert (pair.won, pair.tied, pair.lost) == pytest.approx((2 / 3, 0, 1 / 3))
    assert pair.documents == 3


def test_documents_are_blocks() -> None:
    """Four numbers in two documents: 2² exchanges, 3 resamples; nothing comes of lines inside a document."""
    pair = only_pair({"m": {"a": [3, 4, 5, 6], "b": [1, 2, 3, 4]}}, documents=["x", "x", "y", "y"])
    assert pair.randomisation_p_alone == 2 / 4
    assert (pair.low, pair.high) == (2, 2)
    assert pair.documents == 2


# ------------------------------------------------------------------------------------------ corrections, clusters


def several(shifts: dict[str, float], count: int = 40, seed: int = 2) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=count)
    return {system: (shared + shift + 0.5 * rng.normal(size=count)).tolist() for system, shift in shifts.items()}


def test_corrections_by_hand() -> None:
    values = {"m": several({"a": 0.5, "b": 0.25, "c": 0.0})}
    alone = {
        kind: [getattr(pair, f"{kind}_p_alone") for pair in compare(values)["m"].pairs]
        for kind in ("bootstrap", "randomisation")
    }
    for correction in ("holm", "benjamini-hochberg", "none"):
        pairs = compare(values, correction=correction)["m"].pairs
        for kind, raw in alone.items():
            low, middle, high = sorted(raw)
            expected = {
                "none": [low, middle, high],
                "holm": [3 * low, max(3 * low, 2 * middle), max(3 * low, 2 * middle, high)],
                "benjamini-hochberg": [min(3 * low, 1.5 * middle, high), min(1.5 * middle, high), high],
            }[correction]
            found = sorted(getattr(pair, f"{kind}_p") for pair in pairs)
            assert found == pytest.approx([min(1, p) for p in expected])


def test_clusters_and_ranks() -> None:
    """Far apart: a and a2 share the first cluster, then b, then c."""
    found = compare({"m": several({"c": 0, "a": 4, "b": 2, "a2": 4})}, seed=3)["m"]
    assert [s.system for s in found.systems][2:] == ["b", "c"]
    assert {s.system for s in found.systems[:2]} == {"a", "a2"}
    assert [s.cluster for s in found.systems] == [1, 1, 2, 3]
    assert [(s.best_rank, s.worst_rank) for s in found.systems] == [(1, 2), (1, 2), (3, 3), (4, 4)]
    best, second, *others = found.systems
    assert best.difference is None
    assert best.p is None
    assert best.reason == "the others are compared with it"
    assert second.significant is False
    assert all(s.significant and s.difference < -1 for s in others)


def test_the_test_that_decides() -> None:
    """With six documents no corrected p of exact randomisation falls below 3 · 2/64; the bootstrap's do."""
    values = {"m": several({"a": 2, "b": 1, "c": 0}, count=6)}
    exact, drawn = compare(values), compare(values, test="bootstrap")
    assert [s.cluster for s in exact["m"].systems] == [1, 1, 1]
    assert min(pair.randomisation_p for pair in exact["m"].pairs) == pytest.approx(6 / 64)
    assert [s.cluster for s in drawn["m"].systems] == [1, 2, 3]
    assert "nothing can be significant at 0.05" in "\n".join(exact.notes)
    assert "nothing can be significant" not in "\n".join(drawn.notes)
    assert "only 6 documents" in "\n".join(drawn.notes)


def test_lower_is_better_turns_the_order_and_not_the_figures() -> None:
    values = {"up": several({"a": 0, "b": 2}), "down": several({"a": 0, "b": 2})}
    found = compare(values, lower_is_better=["down"])
    assert [s.system for s in found["up"].systems] == ["b", "a"]
    assert [s.system for s in found["down"].systems] == ["a", "b"]
    (up,), (down,) = found["up"].pairs, found["down"].pairs
    assert (up.first, up.second, down.first, down.second) == ("b", "a", "a", "b")
    assert up.difference == pytest.approx(-(down.difference or 0))
    assert up.effect == pytest.approx(-(down.effect or 0))
    assert (up.low, up.high) == pytest.approx((-down.high, -down.low))
    assert (up.won, up.lost) == (down.won, down.lost)
    assert up.won > 0.9
    assert up.randomisation_p == down.randomisation_p
    assert found["down"].systems[1].cluster == 2


def test_a_baseline_is_all_that_others_are_compared_with() -> None:
    values = {"m": several({"a": 0, "b": 1, "c": 2})}
    found = compare(values, baseline="b")["m"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [("c", "b"), ("a", "b")]
    assert found.pairs[0].difference > 0 > found.pairs[1].difference
    by_name = {s.system: s for s in found.systems}
    assert by_name["b"].difference is None
    assert by_name["c"].difference == pytest.approx(by_name["c"].score - by_name["b"].score)
    assert {s.cluster for s in found.systems} == {None}
    everything = compare(values)["m"]
    alone = {pair.first + pair.second: pair.randomisation_p_alone for pair in everything.pairs}
    assert found.pairs[0].randomisation_p_alone == alone["cb"]


def test_figures_do_not_depend_on_what_else_is_compared() -> None:
    values = {"m": several({"a": 0, "b": 0.2, "c": 0.1}), "n": several({"a": 1, "b": 0.9, "c": 1.1}, seed=9)}
    everything = compare(values)
    alone = compare(values, metrics=["n"], systems=["c", "a"], resamples=everything.settings.resamples)
    assert list(alone) == ["n"]
    (pair,) = alone["n"].pairs
    (same,) = [p for p in everything["n"].pairs if {p.first, p.second} == {"a", "c"}]
    for name in ("difference", "low", "high", "bootstrap_p_alone", "randomisation_p_alone", "effect", "won"):
        assert getattr(pair, name) == pytest.approx(getattr(same, name))
    again = compare(values)
    assert again.to_json() == everything.to_json()
    assert compare(values, seed=2).to_json() != everything.to_json()


def test_equal_systems_tie_in_any_company() -> None:
    """Rounding in a product of matrices must not make a difference of two equal systems."""
    values = several({str(n): n / 50 for n in range(13)}, count=37)
    values["copy"] = values["3"]
    pair = only_pair({"m": values}, systems=["3", "copy"])
    found = next(p for p in compare({"m": values})["m"].pairs if {p.first, p.second} == {"3", "copy"})
    for figures in (pair, found):
        assert figures.difference == 0
        assert (figures.low, figures.high) == (0, 0)
        assert (figures.bootstrap_p, figures.randomisation_p) == (1, 1)
        assert (figures.won, figures.tied, figures.lost) == (0, 1, 0)
        assert figures.effect is None
        assert figures.reason == "no effect size: the differences of documents are all the same"
        assert figures.significant is False


def test_more_resamples_where_many_pairs_are_corrected() -> None:
    few, many = {"m": several({str(n): n for n in range(3)})}, {"m": several({str(n): n for n in range(12)})}
    assert compare(few).settings.resamples == 1000
    assert compare(many).settings.resamples == 3000  # 66 pairs: 2 · 66 / 0.05 = 2640
    assert compare(many, correction="none").settings.resamples == 1000
    assert compare(many, baseline="0").settings.resamples == 1000
    assert compare(many)["m"].systems[-1].cluster == 12
    assert "Holm's correction raises it for 66 pairs" in compare(many, resamples=500).notes[0]


def test_error_rates_of_simulated_comparisons() -> None:
    """No difference: about 5 % are called significant (300 trials: 5 % ± 3 standard errors of 1.26 %). A true one of
    half a standard deviation over 40 documents is found nearly always: a t-test has a power of 0.87."""
    found = {"randomisation": [0, 0], "bootstrap": [0, 0]}
    for trial in range(300):
        rng = np.random.default_rng([trial, 11])
        shared, noise = rng.normal(size=40), rng.normal(size=(2, 40)) / math.sqrt(2)
        for case, shift in enumerate((0.0, 0.5)):
            values = {"m": {"a": shared + noise[0] + shift, "b": shared + noise[1]}}
            pair = only_pair(values, resamples=399, seed=trial)
            found["randomisation"][case] += pair.randomisation_p < 0.05
            found["bootstrap"][case] += pair.bootstrap_p < 0.05
    for false, true in found.values():
        assert 0.012 <= false / 300 <= 0.088
        assert 0.80 <= true / 300 <= 0.94


# ------------------------------------------------------------------------------------ what is missing is told


def records(systems: dict[str, dict[str, int]]) -> list[Record]:
    """Systems with some segments of some documents."""
    return [
        Record(system, f"one {name} dog {n}", ("one dog",), document=name, segment=n)
        for system, documents in systems.items()
        for name, count in documents.items()
        for n in range(count)
    ]


def test_only_common_documents_are_compared() -> None:
    have = {"A": {"x": 2, "y": 2, "z": 1, "w": 1}, "B": {"x": 2, "y": 1, "z": 1, "v": 1}, "C": {"x": 2, "z": 1, "y": 2}}
    table = ScoreTable.of(evaluate(Corpus.of(records(have)), named(["chrf"])))
    found = compare(table)
    assert found.documents == 2  # x and z; B lacks a segment of y
    told = "3 of 5 documents are left out, as not every system has all of their segments (missing: A 1, B 2, C 2)"
    assert any(told in note and "over the other 2" in note for note in found.notes)
    same = evaluate(Corpus.of(records({s: {"x": 2, "z": 1} for s in have})), named(["chrf"]))
    for figures in found["chrf"].systems:
        assert figures.score == pytest.approx(same["chrf"].by_system[figures.system].system)
    assert compare(table, systems=["A", "C"]).documents == 3  # x, y and z
    assert not [note for note in compare(same).notes if "left out" in note]


def test_nothing_in_common() -> None:
    table = ScoreTable.of(evaluate(Corpus.of(records({"A": {"x": 1}, "B": {"y": 1}})), named(["chrf"])))
    with pytest.raises(DataError, match="no document in common"):
        compare(table)


def test_one_system_is_nothing_to_compare() -> None:
    with pytest.raises(DataError, match="expected two systems or more, got system"):
        coheval.compare(coheval.score(["a"], ["b"], metrics=["chrf"]))
    with pytest.raises(DataError, match="two systems or more, got a"):
        compare({"m": {"a": [1], "b": [2]}}, systems=["a"])
    with pytest.raises(DataError, match="two systems or more, got none"):
        compare({"m": {"a": [1], "b": [2]}}, systems=[])


def test_one_document_has_no_interval() -> None:
    found = compare({"m": {"a": [1, 2], "b": [2, 4]}}, documents=["x", "x"])
    (pair,) = found["m"].pairs
    assert pair.difference == pytest.approx(1.5)
    undefined = (pair.low, pair.high, pair.bootstrap_p, pair.randomisation_p, pair.significant, pair.effect)
    assert undefined == (None,) * 6
    assert pair.reason == "there is only one document to compare"
    assert (pair.won, pair.tied, pair.lost) == (1, 0, 0)
    for figures in found["m"].systems:
        assert figures.score in (1.5, 3)
        assert (figures.low, figures.high, figures.p, figures.cluster, figures.best_rank) == (None,) * 5
        assert figures.reason == "there is only one document to compare"
    assert "no intervals, no p-values" in found.notes[0]


def test_a_system_without_any_score() -> None:
    result = coheval.score(
        {"a": ["one dog", "a cat"], "none": ["", ""], "b": ["two", "x"]}, ["one dog", "a cat"], metrics=["moverscore"]
    )
    found = compare(result)["moverscore"]
    assert [s.system for s in found.systems] == ["a", "b", "none"]
    last = found.systems[-1]
    assert (last.score, last.low, last.difference, last.p, last.significant, last.cluster) == (None,) * 6
    assert last.reason == "'none' has no score: the metric is undefined for all its texts"
    assert found.systems[1].cluster == 1
    pair = next(p for p in found.pairs if p.second == "none")
    assert (pair.difference, pair.low, pair.bootstrap_p, pair.effect, pair.won, pair.documents) == (None,) * 5 + (0,)
    against = compare(result, baseline="none")["moverscore"].systems
    assert against[0].reason == last.reason
    assert any("2 of 2 segments of 'none' have no score" in note for note in compare(result).notes)


def test_nothing_at_all_is_defined() -> None:
    found = compare({"m": {"a": [None, None], "b": [None, None]}})
    assert [s.score for s in found["m"].systems] == [None, None]
    assert "–" in repr(found)
    assert "nan" not in repr(found).replace("can", "")


def test_undefined_numbers_are_left_out_and_told() -> None:
    """a has 2 of 4 numbers: resamples without either hold no score of it."""
    found = compare({"m": {"a": [1, 2, None, None], "b": [1, 1, 1, 2]}}, resamples=500)
    score = {s.system: s.score for s in found["m"].systems}
    assert score == {"a": pytest.approx(1.5), "b": pytest.approx(1.25)}
    (pair,) = found["m"].pairs
    assert pair.documents == 2
    assert "m: 2 of 4 numbers of 'a' are missing and are left out of its means" in found.notes
    drawn = bootstrap_weights(4, 500, np.random.default_rng([1, 0]))
    missing = int((drawn[:, :2].sum(axis=1) == 0).sum())
    assert f"m: {missing} resamples hold no text of 'a' with a score and are left out of its intervals" in found.notes
    one = compare({"m": {"a": [1, None, None], "b": [2, 1, 1]}})["m"].pairs[0]
    assert one.reason == "there is only one document to compare"  # that both have a score of
    assert (one.difference, one.low, one.bootstrap_p, one.randomisation_p) == (1, None, None, None)  # b, 2 − 1


def test_a_system_without_scores_of_hard_texts_does_not_win() -> None:
    """As good as the other on the six texts that both have a score of; the other's three hard ones do not count."""
    skips = [0.9, 0.8, 0.85, None, 0.95, None, 0.7, None, 0.75]
    scores = [0.85, 0.9, 0.8, 0.1, 0.9, 0.2, 0.75, 0.1, 0.8]
    shared = [0, 1, 2, 4, 6, 8]
    found = compare({"m": {"skips": skips, "all": scores}}, resamples=600)
    pair = found["m"].pairs[0]
    gaps = np.array([skips[n] - scores[n] for n in shared])  # ±0.05 and ±0.1: their sum is −0.05
    assert pair.difference == pytest.approx(gaps.mean())
    sums = [abs(np.dot(signs, gaps)) for signs in product([1, -1], repeat=6)]
    assert pair.randomisation_p_alone == np.mean(np.array(sums) >= abs(gaps.sum()) - 1e-9)
    weights = bootstrap_weights(9, 600, np.random.default_rng([1, 0]))[1:, shared]
    drawn = weights @ gaps / weights.sum(axis=1)  # no resample is without all six
    assert [pair.low, pair.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist())
    rarer = min((drawn <= 1e-12).sum(), (drawn >= -1e-12).sum())
    assert pair.bootstrap_p_alone == pytest.approx(2 * (1 + rarer) / 601)
    assert (pair.won, pair.tied, pair.lost, pair.documents) == (3 / 6, 0, 3 / 6, 6)
    by_name = {s.system: s for s in found["m"].systems}
    assert by_name["skips"].score == pytest.approx(4.95 / 6)
    assert by_name["all"].score == pytest.approx(5.4 / 9)
    assert by_name["all"].difference == pytest.approx(-gaps.mean())
    assert [s.cluster for s in found["m"].systems] == [1, 1]
    assert "m: the difference of 'skips' and 'all' is over the 6 units that both have scores for" in found.notes


def test_a_pair_is_compared_over_segments_that_both_have() -> None:
    """Each lacks another segment of a document; every pair is as if the two had been given without them."""
    rng = np.random.default_rng(4)
    values = {name: rng.normal(size=24).tolist() for name in "abc"}
    documents = [f"d{n // 3}" for n in range(24)]
    values["a"][1] = values["a"][20] = values["b"][2] = values["b"][3] = None
    found = compare({"m": values}, documents=documents, correction="none")
    for pair in found["m"].pairs:
        one, other = values[pair.first], values[pair.second]
        both = [n for n in range(24) if one[n] is not None and other[n] is not None]
        alone = {pair.first: [one[n] for n in both], pair.second: [other[n] for n in both]}
        same = compare({"m": alone}, documents=[documents[n] for n in both], baseline=pair.second)["m"].pairs[0]
        for name in ("difference", "low", "high", "bootstrap_p", "randomisation_p", "effect", "won", "tied", "lost"):
            assert getattr(pair, name) == pytest.approx(getattr(same, name))
    told = [note for note in found.notes if "units that both have scores for" in note]
    assert [note.split("over the ")[1].split()[0] for note in told] == ["20", "22", "22"]
    fixed = compare({"m": values}, documents=documents, correction="none", baseline="c")["m"].pairs
    alone = {(p.first, p.second): p for p in found["m"].pairs}
    for pair in fixed:
        turned = alone.get(("c", pair.first))
        assert pair.difference == pytest.approx(-turned.difference if turned else alone[pair.first, "c"].difference)


def test_who_is_better_is_said_by_what_both_have() -> None:
    """b scores higher only because it has no scores of the hard half; on the other half a is always ahead."""
    easy = np.linspace(0.7, 0.9, 20)
    a, b = [*easy, *(easy - 0.6)], [*(easy - 0.05), *([None] * 20)]
    found = compare({"m": {"a": a, "b": b}})["m"]
    assert [s.system for s in found.systems] == ["b", "a"]
    (pair,) = found.pairs
    assert pair.difference == pytest.approx(-0.05)
    assert pair.significant
    assert [(s.best_rank, s.worst_rank) for s in found.systems] == [(2, 2), (1, 1)]
    assert [s.cluster for s in found.systems] == [1, 1]  # the order of scores and that of the test are not one


def test_systems_without_a_text_in_common() -> None:
    found = compare({"m": {"a": [1, 2, None, None], "b": [None, None, 3, 4], "c": [1, 2, 3, 5]}})
    pair = next(p for p in found["m"].pairs if {p.first, p.second} == {"a", "b"})
    assert (pair.difference, pair.low, pair.bootstrap_p, pair.randomisation_p, pair.documents) == (None,) * 4 + (0,)
    assert pair.reason == "no text has scores of both"
    worst = next(s for s in found["m"].systems if s.system == "a")
    assert (worst.score, worst.difference, worst.reason) == (1.5, None, "no text has scores of both")
    assert sum("units that both have scores for" in note for note in found.notes) == 2  # of c with a and with b


def test_many_pairs_over_fewer_units_are_one_note() -> None:
    """Each of four systems lacks another of six numbers: all six pairs share four."""
    values = {str(s): [None if n == s else n + s for n in range(6)] for s in range(4)}
    told = [note for note in compare({"m": values}).notes if "both have scores for" in note]
    assert told == ["m: the differences of 6 pairs are over the units that both have scores for, 4 to 4"]


def test_bleu_of_what_both_have() -> None:
    """A metric that is no mean: its rows of shared lines are summed up, which is scoring those lines alone."""
    references, candidates = two_systems(8)
    table = ScoreTable.of(coheval.score(candidates, references, metrics=["bleu"]))
    table.columns["bleu"].rows[table.systems.index("second"), 5] = np.nan
    pair = only_pair(table)
    kept = [n for n in range(8) if n != 5]
    without = {system: [lines[n] for n in kept] for system, lines in candidates.items()}
    same = only_pair(coheval.score(without, [references[n] for n in kept], metrics=["bleu"]))
    assert (pair.first, pair.second) == (same.first, same.second)
    assert pair.difference == pytest.approx(same.difference)
    assert pair.randomisation_p_alone == same.randomisation_p_alone


# ------------------------------------------------------------------------------------------ rounding and scale


def test_the_same_numbers_in_another_order_are_ties() -> None:
    """Each document's mean is 0.2 for both, but not as floats add it up."""
    a = [0.1, 0.2, 0.3] * 6
    b = [0.1, 0.2, 0.3] * 3 + [0.3, 0.2, 0.1] * 3
    assert sum(a[9:12]) != sum(b[9:12])
    pair = only_pair({"m": {"a": a, "b": b}}, documents=[f"d{n // 3}" for n in range(18)])
    assert (pair.difference, pair.low, pair.high, pair.bootstrap_p, pair.randomisation_p) == (0, 0, 0, 1, 1)
    assert (pair.won, pair.tied, pair.lost, pair.effect) == (0, 1, 0, None)
    assert pair.reason == "no effect size: the differences of documents are all the same"


def test_a_constant_difference_of_large_scores_has_no_effect_size() -> None:
    scores = np.random.default_rng(1).uniform(10, 100, size=12)
    pair = only_pair({"m": {"a": scores + 1e-6, "b": scores}})
    assert len(np.unique((scores + 1e-6) - scores)) > 1  # by rounding
    assert (pair.effect, pair.won) == (None, 1)


@pytest.mark.parametrize("scale", [1e-14, 1e-200, 1e300])
def test_figures_do_not_depend_on_the_scale_of_scores(scale: float) -> None:
    """Ratings of whole numbers, with many ties, one of them missing."""
    ratings = np.random.default_rng(6).integers(1, 6, size=(3, 12)).astype(float)
    ratings[1, 4] = np.nan
    values, scaled = ({"m": dict(zip("abc", rows, strict=True))} for rows in (ratings, ratings * scale))
    plain, found = compare(values)["m"], compare(scaled)["m"]
    for one, other in zip((*plain.systems, *plain.pairs), (*found.systems, *found.pairs), strict=True):
        for name, figure in asdict(one).items():
            again = asdict(other)[name]
            if name in ("score", "difference", "low", "high") and figure is not None:
                again /= scale
            assert again == (pytest.approx(figure) if isinstance(figure, float) else figure)


def test_notes_of_the_run_are_passed_on() -> None:
    lines = [
        Record("A", "a b", ("a b",), document="d"),
        Record("B", "a b", ("c d",), document="d"),
    ]
    result = evaluate(Corpus.of(lines), named(["chrf"]))
    assert any("different references" in note for note in compare(result).notes)


# -------------------------------------------------------------------------------------------- what goes in and out


def test_results_folders_tables_and_numbers_are_taken() -> None:
    references, candidates = two_systems(6)
    result = coheval.score(candidates, references, metrics=["chrf"])
    table = ScoreTable.of(result)
    assert coheval.compare(result).to_json() == compare(table).to_json()
    with pytest.raises(UsageError, match="expected a result, a run folder"):
        compare([1, 2])
    with pytest.raises(UsageError, match="go with plain numbers"):
        compare(result, lower_is_better=["chrf"])


def test_numpy_arrays_are_plain_numbers() -> None:
    pair = only_pair({"m": {"a": np.array([1.0, 2.0, np.nan]), "b": np.arange(3)}})
    assert pair.documents == 2


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"metrics": "mm"}, UnknownName, "no metric 'mm'"),
        ({"metrics": []}, UsageError, "no metric was asked for"),
        ({"systems": ["a", "z"]}, UnknownName, "no system 'z'"),
        ({"baseline": "z"}, UnknownName, "no system is called 'z'"),
        ({"test": "t"}, UnknownName, "no test is called 't'"),
        ({"correction": "bonferroni"}, UnknownName, "no correction is called 'bonferroni'"),
        ({"confidence": 1}, UsageError, "confidence must lie between 0 and 1, got 1"),
        ({"confidence": 95}, UsageError, "got 95"),
        ({"confidence": math.nan}, UsageError, "got nan"),
        ({"resamples": 0}, UsageError, "resamples must be a whole number from 1 on, got 0"),
        ({"resamples": 1e3}, UsageError, "resamples must be a whole number from 1 on, got 1000.0"),
        ({"seed": -1}, UsageError, "seed must be a whole number from 0 on, got -1"),
    ],
)
def test_options_that_cannot_be(options: dict, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match="hint:") as caught:
        compare({"m": {"a": [1, 2], "b": [2, 3]}}, **options)
    assert told in str(caught.value)


def test_json_and_records_and_pandas() -> None:
    found = compare({"m": several({"a": 0, "b": 1, "c": 2}), "n": several({"a": 0, "b": 0, "c": 0})})
    content = json.loads(found.to_json())
    assert content["settings"] == asdict(found.settings) | {"documents": 40}
    assert content["notes"] == found.notes
    for name, one in found.items():
        assert content["metrics"][name] == asdict(one)
    systems, pairs = found.to_pandas(), found.to_pandas("pairs")
    assert systems["system"].tolist()[:3] == ["c", "b", "a"]
    assert len(systems) == len(pairs) == 6
    assert pairs["metric"].tolist() == ["m"] * 3 + ["n"] * 3
    with pytest.raises(UnknownName, match="no table is called 'rows'"):
        found.to_pandas("rows")
    with pytest.raises(UnknownName, match="no comparison by 'x'"):
        found["x"]
    assert len(found) == 2


def test_progress_counts_pairs() -> None:
    done: list[int] = []
    compare({"m": several({"a": 0, "b": 1, "c": 2})}, progress=done.append)
    assert done == [1, 1, 1]


def test_importing_compare_loads_no_scipy() -> None:
    from test_contract import modules_after

    loaded = modules_after("import coheval\ncoheval.compare({'m': {'a': [1, 2], 'b': [3, 4]}})")
    assert not loaded & {"scipy", "pandas", "onnxruntime", "torch", "spacy"}
