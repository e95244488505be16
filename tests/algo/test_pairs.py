"""Pairs of systems: the forms of τ, win ratios, pairwise accuracies, against loops over all pairs."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from coheval.algo import pairs
from coheval.algo.pairs import (
    TAUS,
    accuracy_with_ties,
    compare,
    pairwise_accuracy,
    rated_pairs,
    soft_pairwise_accuracy,
    tau,
    win_ratio,
)
from coheval.errors import UsageError

NAN = float("nan")
seeds = st.integers(0, 2**32 - 1)


def table(rng: np.random.Generator, systems: int, items: int) -> np.ndarray:
    """Whole numbers with ties, or numbers without; some are missing."""
    whole, real = rng.integers(0, 4, size=(systems, items)).astype(float), rng.normal(size=(systems, items))
    found = whole if rng.random() < 0.5 else real
    found[rng.random(found.shape) < 0.1] = np.nan
    return found


def sign(gap: float) -> int:
    return int(gap > 0) - int(gap < 0)


# τ ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "expected"),
    [("wmt12", (6 - 2 - 4) / 12), ("darr", (6 - 2 - 4) / 12), ("wmt13", (6 - 2) / 8), ("wmt14", (6 - 2) / 12)],
)
def test_forms_of_tau_by_hand(form: str, expected: float) -> None:
    counts = (np.array(c, dtype=float) for c in ([6, 0, 0], [2, 0, 0], [4, 0, 5]))
    only_ties = {"wmt12": -1.0, "darr": -1.0, "wmt13": NAN, "wmt14": 0.0}[form]
    assert tau(form, *counts) == pytest.approx([expected, NAN, only_ties], nan_ok=True)


def test_an_unknown_tau_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'darr'"):
        tau("dar", np.ones(1), np.ones(1), np.ones(1))


def test_taus_equal_the_golden(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text())["kendall"]
    ordered = [(a, b) if verdict == ">" else (b, a) for verdict, a, b in golden["pairs"] if verdict != "="]
    better, worse = np.array(ordered).T
    counts = [side.sum(keepdims=True) for side in compare(better, worse)]
    for form in ("wmt12", "wmt13", "wmt14"):
        assert tau(form, *counts) == pytest.approx([golden[form]], abs=1e-12)


def test_compare() -> None:
    better = np.array([0.9, 0.5, 0.1, NAN, 0.3 + 1e-12, 0.2])
    worse = np.array([0.1, 0.5, 0.9, 0.5, 0.3, NAN])
    concordant, discordant, ties = compare(better, worse)
    assert concordant.tolist() == [1, 0, 0, 0, 0, 0]
    assert discordant.tolist() == [0, 0, 1, 0, 0, 0]
    assert ties.tolist() == [0, 1, 0, 0, 1, 0]
    assert [side.tolist() for side in compare(np.empty(0), np.empty(0))] == [[], [], []]
    assert [side.tolist() for side in compare(np.full(1, NAN), np.zeros(1))] == [[0], [0], [0]]


@given(seed=seeds, systems=st.integers(0, 5), items=st.integers(0, 5), least=st.sampled_from([0.0, 1.0, 2.0]))
def test_rated_pairs_equal_a_loop(seed: int, systems: int, items: int, least: float) -> None:
    human = table(np.random.default_rng(seed), systems, items)
    expected = [
        (a, b, item)
        for item in range(items)
        for a, b in itertools.product(range(systems), repeat=2)
        if human[a, item] > human[b, item] and human[a, item] - human[b, item] >= least
    ]
    assert list(zip(*(found.tolist() for found in rated_pairs(human, least=least)), strict=True)) == expected


def test_a_mean_of_ratings_just_25_apart_makes_a_pair() -> None:
    human = np.array([[(70.1 + 70.1 + 70.1) / 3], [45.1]])  # 24.999… in floats
    assert human[0, 0] - human[1, 0] < 25
    assert [found.tolist() for found in rated_pairs(human, least=25)] == [[0], [1], [0]]


def test_win_ratio_by_hand() -> None:
    # 0 beats 1 twice, 1 beats 0 once, 2 beats 1; 3 never plays
    found = win_ratio(np.array([0, 0, 1, 2]), np.array([1, 1, 0, 1]), 4)
    assert found == pytest.approx([2 / 3, 1 / 4, 1.0, NAN], nan_ok=True)
    assert np.isnan(win_ratio(np.empty(0, dtype=int), np.empty(0, dtype=int), 2)).all()


def test_weighted_win_ratios_are_those_of_repeated_pairs() -> None:
    rng = np.random.default_rng(3)
    better, worse = rng.integers(0, 5, size=(2, 30))
    weights = rng.integers(0, 3, size=(6, 30)).astype(float)
    weights[5] = 0
    found = win_ratio(better, worse, 6, weights)
    assert found.shape == (6, 6)
    for row, often in zip(found, weights.astype(int), strict=True):
        wins, losses = (np.repeat(side, often).tolist() for side in (better, worse))
        played = [(wins.count(s), wins.count(s) + losses.count(s)) for s in range(6)]
        assert row == pytest.approx([won / met if met else NAN for won, met in played], nan_ok=True)


def test_win_ratios_equal_the_golden(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text())["win_ratio"]
    systems = sorted(golden["scores"])
    judged = [(a, b) if verdict == ">" else (b, a) for a, b, verdict in golden["judgments"] if verdict != "="]
    better, worse = (np.array([systems.index(name) for name in side]) for side in zip(*judged, strict=True))
    expected = [golden["scores"][name] for name in systems]
    assert win_ratio(better, worse, len(systems)) == pytest.approx(expected, abs=1e-12)


# accuracies -------------------------------------------------------------------------------------------------------


@given(seed=seeds, systems=st.integers(0, 6))
def test_pairwise_accuracy_equals_a_loop(seed: int, systems: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = table(rng, 3, systems), table(rng, 3, systems)
    expected = []
    for metric, people in zip(x, y, strict=True):
        orders = [
            (sign(metric[a] - metric[b]), sign(people[a] - people[b]))
            for a, b in itertools.combinations(range(systems), 2)
            if not np.isnan(metric[[a, b]] + people[[a, b]]).any() and people[a] != people[b]
        ]
        expected.append(np.mean([m == p for m, p in orders]) if orders else NAN)
    assert pairwise_accuracy(x, y) == pytest.approx(expected, nan_ok=True)


def accuracy_at(epsilon: float, x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """acc-eq by its definition, one pair after the other."""
    total = weight = 0.0
    for metric, people, often in zip(x.T, y.T, weights, strict=True):
        right = []
        for a, b in itertools.combinations(range(len(metric)), 2):
            gap, wanted = metric[a] - metric[b], people[a] - people[b]
            if not math.isnan(gap + wanted):
                right.append((0 if abs(gap) <= epsilon else sign(gap)) == sign(wanted))
        if right:
            total, weight = total + often * np.mean(right), weight + often
    return total / weight if weight else NAN


@given(seed=seeds, systems=st.integers(0, 5), items=st.integers(0, 5))
def test_accuracy_with_ties_equals_a_search(seed: int, systems: int, items: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = table(rng, systems, items), table(rng, systems, items)
    weights = rng.integers(0, 3, size=(4, items)).astype(float)
    gaps = np.abs(x[:, None] - x[None]).ravel()
    thresholds = sorted({0.0, *gaps[~np.isnan(gaps)]})
    accuracy, epsilon = accuracy_with_ties(x, y, weights)
    for row, found, at in zip(weights, accuracy, epsilon, strict=True):
        every = [accuracy_at(threshold, x, y, row) for threshold in thresholds]
        assert found == pytest.approx(max(every), abs=1e-12, nan_ok=True)
        if math.isnan(found):
            assert math.isnan(at)
        else:
            assert at == next(t for t, a in zip(thresholds, every, strict=True) if a >= max(every) - 1e-12)


def test_accuracy_with_ties_by_hand() -> None:
    # one item; gaps of the metric: AB 1, AC 3, BC 2; people tie A and B, and put both above C
    x, y = np.array([[3.0], [2.0], [0.0]]), np.array([[1.0], [1.0], [0.0]])
    accuracy, epsilon = accuracy_with_ties(x, y)
    assert (accuracy.tolist(), epsilon.tolist()) == ([1.0], [1.0])
    # people turned round, but for the tie: only the tie can be right, and all else may as well be tied
    accuracy, epsilon = accuracy_with_ties(x, -y)
    assert accuracy == pytest.approx([1 / 3])
    assert epsilon.tolist() == [1.0]


def test_accuracy_with_ties_without_weights_counts_items_once() -> None:
    rng = np.random.default_rng(0)
    x, y = table(rng, 4, 6), table(rng, 4, 6)
    one, ones = accuracy_with_ties(x, y), accuracy_with_ties(x, y, np.ones((1, 6)))
    assert [found.tolist() for found in one] == [found.tolist() for found in ones]


def test_chunks_of_resamples_do_not_show() -> None:
    rng = np.random.default_rng(1)
    x, y, weights = table(rng, 4, 6), table(rng, 4, 6), rng.integers(0, 3, size=(9, 6)).astype(float)
    whole = accuracy_with_ties(x, y, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "_CHUNK", 80)
        some = accuracy_with_ties(x, y, weights)
    assert [found.tolist() for found in some] == [found.tolist() for found in whole]


# soft pairwise accuracy -------------------------------------------------------------------------------------------


def exact_p(differences: np.ndarray) -> float:
    """All sign changes; those that reach the observed sum exactly count half."""
    sums = [np.dot(signs, differences) for signs in itertools.product([1, -1], repeat=len(differences))]
    observed = differences.sum()
    return float(np.mean([1.0 if s > observed + 1e-9 else 0.5 if s > observed - 1e-9 else 0.0 for s in sums]))


def exact_soft_accuracy(x: np.ndarray, y: np.ndarray) -> float:
    distances = []
    for a, b in itertools.combinations(range(len(x)), 2):
        there = ~np.isnan(x[a] - x[b]) & ~np.isnan(y[a] - y[b])
        if there.any():
            distances.append(abs(exact_p((x[a] - x[b])[there]) - exact_p((y[a] - y[b])[there])))
    return 1 - float(np.mean(distances))


@pytest.mark.parametrize("seed", range(4))
def test_soft_pairwise_accuracy_comes_near_all_sign_changes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(4, 8)), rng.integers(0, 4, size=(4, 8)).astype(float)
    x[0, 3] = y[1, 5] = x[2, 5] = np.nan
    # each p has a standard error of at most √(1/4 / 20,000) = 0.0035; the mean distance of two has at most twice that
    found = soft_pairwise_accuracy(x, y, permutations=20_000, rng=rng)
    assert found == pytest.approx(exact_soft_accuracy(x, y), abs=4 * 0.0071)


def test_p_of_a_mean_equals_scipy() -> None:
    rng = np.random.default_rng(5)
    differences = rng.normal(0.3, 1.0, size=9)
    signs = np.array(list(itertools.product([1.0, -1.0], repeat=9)))
    oracle = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="greater"
    )
    # scipy counts the data as they are fully, here they count half; no other sum is equal to theirs
    sums = np.append(differences.sum(), signs @ differences)[None]
    assert pairs._p_of_sums(sums, 1e-9)[0] == pytest.approx(oracle.pvalue - 0.5 / 2**9, abs=1e-12)


def test_soft_pairwise_accuracy_of_people_themselves_is_1() -> None:
    y = np.random.default_rng(6).integers(0, 3, size=(5, 20)).astype(float)
    assert soft_pairwise_accuracy(y, y, permutations=50, rng=np.random.default_rng(0)) == 1.0
    assert soft_pairwise_accuracy(7 * y - 3, y, permutations=50, rng=np.random.default_rng(0)) == 1.0


def test_soft_pairwise_accuracy_does_not_depend_on_the_order_of_systems() -> None:
    x, y = np.random.default_rng(7).integers(0, 3, size=(2, 5, 6)).astype(float)
    x[3] = x[1]  # a metric that cannot tell two systems apart
    found = [
        soft_pairwise_accuracy(x[order], y[order], permutations=200, rng=np.random.default_rng(0))
        for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 3, 0, 4, 1])
    ]
    assert found == pytest.approx([found[0]] * 3, abs=1e-12)


def test_soft_pairwise_accuracy_is_the_same_whether_items_are_missing_or_not_there() -> None:
    """Items that nobody has rated: sums of systems. One that only some lack, and that no pair has: sums of pairs."""
    x, y = np.random.default_rng(8).normal(size=(2, 3, 8))
    here, gone = x.copy(), x.copy()
    here[:, 6] = gone[0, 6] = gone[1, 6] = np.nan  # the one that is left has no partner
    found = [soft_pairwise_accuracy(side, y, permutations=300, rng=np.random.default_rng(2)) for side in (here, gone)]
    assert found[0] == found[1]


def test_a_system_drawn_twice_makes_no_pair_with_itself() -> None:
    """Rows A A B C B: of the ten pairs, AA and BB are left out; AB counts four times, AC and BC twice."""
    x = np.array([[0.0, 4, 1, 2], [1, 2, 3, 5], [3, 0, 2, 2]])
    y = np.array([[1.0, 2, 3, 3], [1, 1, 3, 4], [2, 2, 1, 4]])
    drawn = np.array([0, 0, 1, 2, 1])
    a, b = zip(*[(0, 1)] * 4, *[(0, 2)] * 2, *[(1, 2)] * 2, strict=True)

    def at(epsilon: float) -> float:
        """The mean over items of the share of right pairs, each pair as often as it was drawn."""
        right = [
            [(0 if abs(x[i, n] - x[j, n]) <= epsilon else sign(x[i, n] - x[j, n])) == sign(y[i, n] - y[j, n])]
            for i, j in zip(a, b, strict=True)
            for n in range(4)
        ]
        return float(np.mean(right))

    expected = max(at(epsilon) for epsilon in range(5))
    assert accuracy_with_ties(x[drawn], y[drawn], same=drawn)[0] == pytest.approx([expected])
    assert accuracy_with_ties(x[drawn], y[drawn])[0][0] > expected  # what is always right would help

    distance = [abs(exact_p(x[i] - x[j]) - exact_p(y[i] - y[j])) for i, j in zip(a, b, strict=True)]
    found = soft_pairwise_accuracy(x[drawn], y[drawn], permutations=20_000, rng=np.random.default_rng(1), same=drawn)
    assert found == pytest.approx(1 - np.mean(distance), abs=4 * 0.0071)  # as above
    nothing = np.zeros(5, dtype=int)
    assert np.isnan(accuracy_with_ties(x[drawn], y[drawn], same=nothing)).all()
    assert math.isnan(soft_pairwise_accuracy(x[drawn], y[drawn], rng=np.random.default_rng(1), same=nothing))


@pytest.mark.parametrize("systems", [0, 1, 2])
def test_no_soft_pairwise_accuracy_without_a_pair(systems: int) -> None:
    x = np.full((systems, 3), np.nan)
    assert math.isnan(soft_pairwise_accuracy(x, x, rng=np.random.default_rng(0)))


def test_every_tau_has_a_formula() -> None:
    for form in TAUS:
        assert tau(form, np.ones(1), np.zeros(1), np.zeros(1)).tolist() == [1.0]


# scale ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-14, 1e-200, 1e300])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_depends_on_the_scale(scale: float, seed: int) -> None:
    """Whole numbers, with many ties; a product with such a scale is rounded, and so are its differences."""
    x, y = np.random.default_rng(seed).integers(0, 6, size=(2, 5, 9)).astype(float)
    x[1, 3] = y[2, 2] = np.nan
    for one, other in ((x * scale, y), (x, y * scale)):
        assert pairwise_accuracy(one.T, other.T) == pytest.approx(pairwise_accuracy(x.T, y.T), nan_ok=True)
        plain, found = accuracy_with_ties(x, y), accuracy_with_ties(one, other)
        assert found[0] == pytest.approx(plain[0])
        assert found[1] / (scale if one is not x else 1) == pytest.approx(plain[1])
        soft = [
            soft_pairwise_accuracy(*p, permutations=200, rng=np.random.default_rng(0)) for p in ((x, y), (one, other))
        ]
        assert soft[0] == pytest.approx(soft[1])
        assert [side.tolist() for side in rated_pairs(other)] == [side.tolist() for side in rated_pairs(y)]
        better, worse, item = rated_pairs(y)
        counts = [[side.sum() for side in compare(s[better, item], s[worse, item])] for s in (x, one)]
        assert counts[0] == counts[1]
        assert min(counts[0]) > 0


def test_sums_in_another_order_are_ties_on_any_scale() -> None:
    one, other = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert one != other
    for scale in (1e-14, 1.0, 1e300):
        x = np.array([[one * scale], [other * scale]])
        assert compare(x[0], x[1])[2].tolist() == [1]
        assert pairwise_accuracy(x.T, np.array([[2.0, 1.0]])).tolist() == [0.0]  # a tie is wrong
        assert pairwise_accuracy(np.array([[2.0, 1.0]]), x.T).tolist() == pytest.approx([NAN], nan_ok=True)
        assert accuracy_with_ties(x, np.ones((2, 1)))[1].tolist() == [0.0]
        soft = soft_pairwise_accuracy(x, np.ones((2, 1)), permutations=20, rng=np.random.default_rng(0))
        assert soft == 1.0


def test_an_outlier_in_another_row_does_not_make_ties() -> None:
    """Rows are samples of their own, such as items of different length."""
    x = np.array([[1e-14, 2e-14, 3e-14], [1.0, 3.0, 2.0]])
    assert pairwise_accuracy(x, np.array([[1.0, 2.0, 3.0]] * 2)) == pytest.approx([1.0, 2 / 3])
