"""`coheval.agree`: plain values in, a result out; intervals, differences, ranks, reasons, notes."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

import coheval
from coheval.data.judgements import Judgements, Preference, Rating
from coheval.errors import DataError, UnknownName, UsageError
from coheval.run.scoretable import ScoreTable

HUMAN = {"A": [1.0, 2, 3, 2], "B": [2.0, 3, 3, 4], "C": [5.0, 4, 4, 5], "D": [3.0, 3, 2, 4]}
GOOD = {"A": [0.1, 0.2, 0.3, 0.1], "B": [0.2, 0.4, 0.3, 0.5], "C": [0.9, 0.7, 0.6, 0.8], "D": [0.4, 0.3, 0.2, 0.6]}
ERRORS = {system: [1 - v for v in values] for system, values in GOOD.items()}


def test_plain_numbers_of_one_system() -> None:
    x, y = [0.1, 0.4, 0.2, 0.8, 0.5], [1, 3, 2, 5, 2]
    found = coheval.agree({"m": x}, y, statistic="pearson")
    assert found["m"]["human"] == pytest.approx(stats.pearsonr(x, y).statistic)
    assert str(found.conditions) == "pearson at segment level"


def test_systems_are_the_default_where_there_are_three() -> None:
    found = coheval.agree({"m": GOOD}, HUMAN)
    expected = stats.kendalltau([np.mean(v) for v in GOOD.values()], [np.mean(v) for v in HUMAN.values()]).statistic
    assert str(found.conditions) == "kendall at system level"
    assert found["m"]["human"] == pytest.approx(expected)


def test_means_of_the_same_numbers_in_another_order_are_tied() -> None:
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 for a computer. Both sides tie A and B: τ-b is 1."""
    scores = {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.1], "C": [0.5, 0.5, 0.5]}
    assert sum(scores["A"]) != sum(scores["B"])
    found = coheval.agree({"m": scores}, {"A": [1, 1, 1], "B": [1, 1, 1], "C": [2, 2, 2]})
    assert found["m"]["human"] == pytest.approx(1)


def test_a_metric_of_errors_is_turned() -> None:
    found = coheval.agree({"m": GOOD, "errors": ERRORS}, HUMAN, lower_is_better=["errors"], statistic="pearson")
    assert found["errors"]["human"] == pytest.approx(found["m"]["human"])
    assert found["m"]["human"] > 0


def test_a_scale_that_runs_the_other_way_is_turned() -> None:
    ratings = [Rating(s, str(n + 1), None, "errors", -v) for s, values in HUMAN.items() for n, v in enumerate(values)]
    turned = Judgements(ratings=ratings, lower_is_better=frozenset({"errors"}))
    found = coheval.agree({"m": GOOD}, turned, statistic="pearson")
    assert found["m"]["errors"] == pytest.approx(coheval.agree({"m": GOOD}, HUMAN, statistic="pearson")["m"]["human"])


def test_signs_are_kept_unless_absolute() -> None:
    signed = coheval.agree({"m": ERRORS}, HUMAN, statistic="pearson")["m"]["human"]
    assert signed < 0
    assert coheval.agree({"m": ERRORS}, HUMAN, statistic="pearson", absolute=True)["m"]["human"] == -signed


def test_aspects_and_their_mean() -> None:
    other = {s: v[::-1] for s, v in HUMAN.items()}
    found = coheval.agree({"m": GOOD}, {"x": HUMAN, "y": other}, level="segment", statistic="pearson")
    assert found["m"]["mean"] == pytest.approx((found["m"]["x"] + found["m"]["y"]) / 2)
    assert found.aspects == ["x", "y", "mean"]
    chosen = coheval.agree({"m": GOOD}, {"x": HUMAN, "y": other}, aspects=["y"], level="segment", statistic="pearson")
    assert chosen.aspects == ["y"]
    assert chosen["m"]["y"] == pytest.approx(found["m"]["y"])


def test_groups_are_averaged() -> None:
    """Documents 1, 2 are one group and 3, 4 another: the mean of the two correlations, by scipy."""
    ratings = [Rating(s, str(n + 1), None, "x", v) for s, values in HUMAN.items() for n, v in enumerate(values)]
    groups = {"1": "de", "2": "de", "3": "fr", "4": "fr"}
    found = coheval.agree({"m": GOOD}, Judgements(ratings=ratings, groups=groups), level="segment", statistic="pearson")
    x, y = (np.array(list(side.values())) for side in (GOOD, HUMAN))
    each = {g: stats.pearsonr(x[:, p].ravel(), y[:, p].ravel()).statistic for g, p in (("de", [0, 1]), ("fr", [2, 3]))}
    row = found.row("m", "x")
    assert row.groups == pytest.approx(each)
    assert row.value == pytest.approx(np.mean(list(each.values())))


def test_intervals_hold_the_value_and_do_not_depend_on_other_metrics() -> None:
    one = coheval.agree({"m": GOOD}, HUMAN, level="segment", statistic="pearson", seed=5).row("m", "human")
    two = coheval.agree({"n": ERRORS, "m": GOOD}, HUMAN, level="segment", statistic="pearson", seed=5).row("m", "human")
    assert (one.low, one.high) == (two.low, two.high)
    assert one.low <= one.value <= one.high
    other = coheval.agree({"m": GOOD}, HUMAN, level="segment", statistic="pearson", seed=6).row("m", "human")
    assert (other.low, other.high) != (one.low, one.high)


def test_no_resamples_no_interval() -> None:
    row = coheval.agree({"m": GOOD}, HUMAN, resamples=0).row("m", "human")
    assert row.value is not None
    assert (row.low, row.high) == (None, None)


def simulated(n: int = 60, seed: int = 0) -> tuple[dict, dict]:
    """Five systems; a metric that follows people, one that does not, and another that follows them as well."""
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(5, n))
    metrics = {"close": human + rng.normal(0, 0.5, human.shape), "noise": rng.normal(size=human.shape)}
    metrics["twin"] = human + rng.normal(0, 0.5, human.shape)
    as_lists = {m: {f"s{i}": row.tolist() for i, row in enumerate(values)} for m, values in metrics.items()}
    return as_lists, {f"s{i}": row.tolist() for i, row in enumerate(human)}


@pytest.mark.parametrize(
    ("test", "statistic"),
    [
        ("bootstrap", "pearson"),
        ("perm-both", "pearson"),
        ("perm-inputs", "kendall"),
        ("perm-both", "wmt13"),
        ("williams", "pearson"),
        ("randomisation", "wmt14"),
    ],
)
def test_metrics_that_differ_are_told_apart(test: str, statistic: str) -> None:
    """The metric that follows people is in a cluster of its own with its twin; 200 exchanges give p down to 1/201."""
    metrics, human = simulated()
    found = coheval.agree(metrics, human, level="segment", statistic=statistic, test=test, resamples=200)
    by_pair = {frozenset((d.metric, d.other)): d for d in found.differences}
    assert by_pair[frozenset(("close", "noise"))].significant
    assert by_pair[frozenset(("twin", "noise"))].significant
    assert not by_pair[frozenset(("close", "twin"))].significant
    clusters = {row.metric: row.cluster for row in found.rows}
    assert clusters == {"close": 1, "twin": 1, "noise": 2}
    assert {row.metric: row.rank for row in found.rows}["noise"] == (3, 3)


def test_one_sided_p_is_smaller() -> None:
    metrics, human = simulated(n=12, seed=2)
    two, one = (
        coheval.agree(metrics, human, level="segment", statistic="pearson", test="williams", one_sided=o)
        for o in (False, True)
    )
    for a, b in zip(two.differences, one.differences, strict=True):
        assert b.p == pytest.approx(a.p / 2)  # t is symmetric


def test_williams_is_the_test_of_the_pooled_correlations() -> None:
    from coheval.algo.significance import williams

    metrics, human = simulated(n=10)
    flat = {m: np.array(list(v.values())).ravel() for m, v in metrics.items()} | {
        "human": np.array(list(human.values())).ravel()
    }
    r = {(a, b): stats.pearsonr(flat[a], flat[b]).statistic for a in flat for b in flat}
    found = coheval.agree(metrics, human, level="segment", statistic="pearson", test="williams", correction="none")
    for d in found.differences:
        expected = williams(
            r["human", d.metric], r["human", d.other], r[d.metric, d.other], 50, alternative="two-sided"
        )
        assert d.p == pytest.approx(expected)


def test_exchanges_between_groups_do_not_mix_them() -> None:
    """Two groups with the same systems and other documents: p is that of both together, and defined."""
    metrics, human = simulated(n=20)
    ratings = [Rating(s, str(n + 1), None, "x", v) for s, values in human.items() for n, v in enumerate(values)]
    groups = {str(n + 1): "even" if n % 2 else "odd" for n in range(20)}
    found = coheval.agree(
        metrics,
        Judgements(ratings=ratings, groups=groups),
        level="segment",
        statistic="pearson",
        test="perm-both",
        resamples=100,
    )
    assert all(d.p is not None for d in found.differences)
    assert {row.metric: row.cluster for row in found.rows}["noise"] == 2


def test_exact_permutations_of_systems() -> None:
    """Four systems: 2^4 exchanges, all made. By hand: p is the share whose difference reaches the observed one."""
    metrics = {"a": GOOD, "b": {s: v[::-1] for s, v in ERRORS.items()}}
    found = coheval.agree(metrics, HUMAN, statistic="pearson", test="perm-systems", correction="none", resamples=1000)
    x1, x2, y = (np.array(list(side.values())) for side in (metrics["a"], metrics["b"], HUMAN))
    x1, x2 = ((x - x.mean()) / x.std() for x in (x1, x2))

    def r(x):
        return stats.pearsonr(x.mean(axis=1), y.mean(axis=1)).statistic

    observed = abs(r(x1) - r(x2))
    reached = 0
    for mask in range(16):
        swap = np.array([[bool(mask >> s & 1)] for s in range(4)])
        reached += abs(r(np.where(swap, x2, x1)) - r(np.where(swap, x1, x2))) >= observed - 1e-9
    assert found.differences[0].p == pytest.approx(reached / 16)


@pytest.mark.parametrize(
    ("scores", "human", "reason"),
    [
        ([1.0, 1, 1], [1, 2, 3], "all scores are the same"),
        ([1.0, 2, 3], [2, 2, 2], "all ratings are the same"),
        ([1.0, None, None], [1, 2, 3], "there is only one pair of values"),
    ],
)
def test_undefined_is_none_with_a_reason(scores, human, reason) -> None:
    found = coheval.agree({"m": scores, "fine": [1.0, 2, 4]}, human, statistic="pearson")
    row = found.row("m", "human")
    assert row.value is None
    assert row.reason == reason
    assert row.rank is None
    assert "no value, as " + reason in repr(found)
    assert "nan" not in found.to_json().lower()


def test_two_values_correlate_perfectly() -> None:
    found = coheval.agree({"m": [1.0, 2.0]}, [3, 5], statistic="spearman")
    assert found["m"]["human"] == 1


def test_scores_that_are_missing_are_counted() -> None:
    row = coheval.agree({"m": [1.0, None, 3, 2]}, [1, 2, 3, None], statistic="pearson").row("m", "human")
    assert (row.count, row.left_out) == (2, 1)


def test_comparisons_alone() -> None:
    """A is preferred twice; the metric agrees once, and ties once: wmt14 is (1 - 0) / 2."""
    pairs = [Preference("A", "B", "1", None, "x"), Preference("A", "B", "2", None, "x")]
    found = coheval.agree({"m": {"A": [0.9, 0.5], "B": [0.1, 0.5]}}, Judgements(preferences=pairs))
    assert str(found.conditions) == "wmt14 at segment level"
    assert found["m"]["x"] == pytest.approx(0.5)
    assert coheval.agree({"m": {"A": [0.9, 0.5], "B": [0.1, 0.5]}}, Judgements(preferences=pairs), statistic="wmt12")[
        "m"
    ] == {"x": 0.0}


def test_raters() -> None:
    """Two raters that always say the same: alpha 1."""
    ratings = [
        Rating(s, str(n + 1), None, "x", v, rater=r) for s, vs in HUMAN.items() for n, v in enumerate(vs) for r in "pq"
    ]
    (raters,) = coheval.agree({"m": GOOD}, Judgements(ratings=ratings)).reliability
    assert (raters.raters, raters.units, raters.alpha, raters.agreement) == (2, 16, 1.0, 1.0)


def test_a_result_of_score_and_a_run_folder(tmp_path) -> None:
    candidates = {"A": ["a cat sat", "it rained"], "B": ["the cat sat", "it was raining"], "C": ["dogs", "sun"]}
    result = coheval.score(candidates, ["the cat sat", "it was raining"], metrics=["chrf", "ter"])
    human = {"A": [3, 3], "B": [5, 5], "C": [1, 1]}
    found = coheval.agree(result, human)
    assert found["chrf"]["human"] == found["ter"]["human"] == 1  # both put B before A before C; TER counts errors


def test_result_as_json_and_pandas() -> None:
    found = coheval.agree({"m": GOOD, "e": ERRORS}, {"x": HUMAN})
    content = json.loads(found.to_json())
    assert {row["metric"]: row["value"] for row in content["agreement"]} == {"m": found["m"]["x"], "e": found["e"]["x"]}
    assert found.to_pandas().set_index("metric")["value"].to_dict() == pytest.approx(
        {"m": found["m"]["x"], "e": found["e"]["x"]}
    )
    assert all(math.isfinite(d["p"]) for d in content["differences"])


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"level": "sentence"}, UsageError, "no level is called 'sentence'"),
        ({"statistic": "kendal"}, UsageError, "did you mean 'kendall'"),
        ({"level": "system", "statistic": "wmt12"}, UsageError, "choose the level segment"),
        ({"level": "system", "average": "item"}, UsageError, "nothing to average over"),
        ({"level": "segment", "statistic": "spa"}, UsageError, "choose the level system"),
        ({"statistic": "kendall", "test": "williams"}, UsageError, "statistic pearson"),
        ({"test": "randomisation"}, UsageError, "forms of τ"),
        ({"test": "t-test"}, UsageError, "test must be one of"),
        ({"resamples": -1}, UsageError, "resamples"),
        ({"confidence": 95}, UsageError, "confidence must lie between 0 and 1"),
        ({"aspects": ["humn"]}, UnknownName, "did you mean 'human'"),
        ({"metrics": ["n"]}, UnknownName, "no metric is called 'n'"),
    ],
)
def test_what_does_not_go_together_is_refused(given, error, said) -> None:
    with pytest.raises(error, match="(?s)" + said.replace("(", r"\(")):
        coheval.agree({"m": GOOD}, HUMAN, **given)


@pytest.mark.parametrize(
    ("scores", "human", "said"),
    [
        ({"m": [1.0, 2]}, [1], "expected a list of 2 ratings, as many as scores, got 1"),
        ({"m": [1.0, 2]}, ["a", "b"], "expected a number or None"),
        ({"m": [1.0, 2]}, {}, "judgements must be"),
        ({"m": [1.0, 2]}, [math.nan, 1], "finite number"),
        ([1.0, 2], [1, 2], "scores must be a result"),
        ({"m": {"A": [1.0, 2]}}, {"B": [1, 2]}, "texts that the run does not have"),
    ],
)
def test_wrong_shapes_are_told(scores, human, said) -> None:
    with pytest.raises(DataError, match=said):
        coheval.agree(scores, human)


def test_a_preference_of_a_text_that_a_system_lacks_stops_the_run() -> None:
    """B has no text of document 1: it must not be taken for its neighbour."""
    table = ScoreTable.plain({"m": {"A": [0.5, 0.5], "B": [0.9, 0.9], "C": [0.1, 0.9]}})
    table.present[1, 0] = False
    pairs = [Preference("A", "B", "1", None, "x"), Preference("A", "C", "2", None, "x")]
    with pytest.raises(DataError, match="system 'A' and 'B', document '1'"):
        coheval.agree(table, Judgements(preferences=pairs))
    found = coheval.agree(table, Judgements(preferences=pairs), drop_unmatched=True)
    assert found.row("m", "x").count == 1
    assert found["m"]["x"] == -1  # A 0.5 against C 0.9, and people prefer A


def test_one_document_has_no_interval_and_no_p() -> None:
    metrics, human = simulated(n=10)
    found = coheval.agree(metrics, human, documents=["d"] * 10, level="segment", statistic="pearson")
    assert all((row.low, row.high) == (None, None) for row in found.rows)
    assert all(d.p is None and d.reason and not d.significant for d in found.differences)
    assert {row.cluster for row in found.rows} == {1}
    assert "only one of documents to draw from: no intervals" in found.notes


def test_few_documents_are_told() -> None:
    metrics, human = simulated(n=4)
    found = coheval.agree(metrics, human, level="segment", statistic="pearson")
    assert "only 4 documents to draw from: intervals and bootstrap p are too small" in found.notes


def test_a_metric_and_its_copy_do_not_differ() -> None:
    metrics, human = simulated(n=30)
    copy = {s: [3 * v + 1 for v in values] for s, values in metrics["close"].items()}
    for test in ("bootstrap", "williams", "perm-both"):
        found = coheval.agree(
            {"m": metrics["close"], "copy": copy}, human, level="segment", statistic="pearson", test=test, resamples=100
        )
        assert not found.differences[0].significant


def test_metrics_are_compared_on_texts_that_both_have() -> None:
    """`b` has scores only where ratings are near 0, and is better there; over all its texts, `a` looks better."""
    rng = np.random.default_rng(0)
    human = rng.normal(size=400)
    a = human + rng.normal(0, 1, 400)
    b = human + rng.normal(0, 0.5, 400)
    there = np.abs(human) < 0.6
    scores = {"a": a.tolist(), "b": [float(v) if t else None for v, t in zip(b, there, strict=True)]}
    found = coheval.agree(scores, human.tolist(), statistic="pearson")
    r = {m: stats.pearsonr(x[there], human[there]).statistic for m, x in (("a", a), ("b", b))}
    assert found["a"]["human"] > found["b"]["human"]
    assert r["b"] > r["a"]
    (difference,) = found.differences
    assert (difference.metric, difference.other) == ("b", "a")
    assert difference.difference == pytest.approx(r["b"] - r["a"])
    assert any(note.startswith("b, human: ") and "have no score" in note for note in found.notes)


def test_absolute_figures_are_tested_as_such() -> None:
    metrics, human = simulated(n=20)
    turned = {s: [-v for v in values] for s, values in metrics["close"].items()}
    found = coheval.agree(
        {"m": metrics["close"], "turned": turned},
        human,
        level="segment",
        statistic="pearson",
        absolute=True,
        test="perm-both",
        resamples=100,
    )
    assert found.differences[0].difference == 0
    assert found.differences[0].p == 1
    with pytest.raises(UsageError, match="absolute"):
        coheval.agree(
            {"m": metrics["close"]}, human, level="segment", statistic="pearson", absolute=True, test="williams"
        )


def test_randomisation_is_of_the_mean_of_groups() -> None:
    """Six items in one group, two in another: all 2^8 exchanges, counted here item by item; groups weigh alike."""
    rng = np.random.default_rng(1)
    human, a, b = rng.normal(size=(3, 3, 8))
    a = human + 0.6 * a
    ratings = [Rating(f"s{s}", str(n + 1), None, "x", human[s, n]) for s, n in np.ndindex(human.shape)]
    groups = {str(n + 1): "many" if n < 6 else "few" for n in range(8)}
    as_lists = {m: {f"s{i}": row.tolist() for i, row in enumerate(x)} for m, x in (("a", a), ("b", b))}
    found = coheval.agree(
        as_lists,
        Judgements(ratings=ratings, groups=groups),
        level="segment",
        statistic="wmt13",
        test="randomisation",
        resamples=256,
        correction="none",
    )

    def earned(x: np.ndarray, n: int) -> tuple[int, int]:
        pairs = [(i, j) for i in range(3) for j in range(3) if human[i, n] > human[j, n]]
        good = sum(x[i, n] > x[j, n] for i, j in pairs)
        return good, len(pairs) - good

    def mean_tau(counts: list[tuple[int, int]]) -> float:
        sums = [np.sum(counts[part], axis=0) for part in (slice(0, 6), slice(6, 8))]
        return float(np.mean([(c - d) / (c + d) for c, d in sums]))

    of_a, of_b = ([earned(x, n) for n in range(8)] for x in (a, b))
    observed = abs(mean_tau(of_a) - mean_tau(of_b))
    reached = 0
    for mask in range(256):
        one = [of_b[n] if mask >> n & 1 else of_a[n] for n in range(8)]
        other = [of_a[n] if mask >> n & 1 else of_b[n] for n in range(8)]
        reached += abs(mean_tau(one) - mean_tau(other)) >= observed - 1e-9
    (difference,) = found.differences
    assert difference.difference == pytest.approx(observed)
    assert difference.p == pytest.approx(reached / 256)


@pytest.mark.parametrize("scale", [1e-14, 1e300])
@pytest.mark.parametrize(
    ("level", "statistic"),
    [("segment", "pearson"), ("segment", "wmt14"), ("segment", "acc-eq"), ("system", "accuracy"), ("system", "spa")],
)
def test_the_size_of_scores_does_not_matter(level: str, statistic: str, scale: float) -> None:
    metrics, human = simulated(n=12)
    sized = {s: [scale * v for v in values] for s, values in metrics["close"].items()}
    one, other = (
        coheval.agree({"m": scores}, human, level=level, statistic=statistic, resamples=0)["m"]["human"]
        for scores in (metrics["close"], sized)
    )
    assert other == pytest.approx(one)


@pytest.mark.parametrize(("level", "statistic"), [("segment", "acc-eq"), ("system", "spa")])
def test_a_system_that_is_drawn_twice_is_not_compared_with_itself(level: str, statistic: str) -> None:
    """Otherwise resamples would be better than the data: copies always agree."""
    metrics, human = simulated(n=40)
    found = coheval.agree(
        {"m": metrics["noise"]}, human, level=level, statistic=statistic, resample="systems", resamples=200
    )
    drawn = found.resampled["m", "human"]
    assert np.nanmean(drawn[1:]) == pytest.approx(drawn[0], abs=0.03)


def test_an_aspect_called_mean_is_its_own() -> None:
    other = {s: v[::-1] for s, v in HUMAN.items()}
    found = coheval.agree({"m": GOOD}, {"x": HUMAN, "mean": other}, level="segment", statistic="pearson")
    assert found.aspects == ["x", "mean", "mean of aspects"]
    alone = coheval.agree({"m": GOOD}, {"mean": other}, level="segment", statistic="pearson")
    assert found["m"]["mean"] == alone["m"]["mean"]


def test_ratings_of_systems_are_not_used_for_texts() -> None:
    """System D is rated as such, two texts are rated by themselves: at segment level there are two, not all."""
    ratings = [Rating("D", None, None, "x", 5), Rating("A", "1", None, "x", 1), Rating("B", "1", None, "x", 3)]
    found = coheval.agree({"m": GOOD}, Judgements(ratings=ratings), level="segment", statistic="pearson")
    assert found.row("m", "x").count == 2
    assert "x: 1 judgements are of larger or smaller texts than are looked at and were not used" in found.notes


def test_items_in_which_a_metric_ties_everything_are_told() -> None:
    scores = {"A": [1.0, 5, 5, 5], "B": [2.0, 5, 5, 5], "C": [3.0, 5, 5, 5]}
    human = {"A": [1, 1, 1, 1], "B": [2, 2, 2, 1], "C": [3, 3, 3, 1]}
    found = coheval.agree({"m": scores}, human, level="segment", average="item")
    assert found["m"]["human"] == 1
    assert "m, human: all scores are the same in 2 of 3 items that people order; they are left out" in found.notes


def test_settings_are_in_the_output() -> None:
    found = coheval.agree({"m": GOOD}, HUMAN, resample="systems", resamples=50, confidence=0.9, seed=7)
    assert "[90% intervals], 50 resamples of systems, seed 7" in repr(found)
    settings = json.loads(found.to_json())["settings"]
    assert (settings["test"], settings["correction"], settings["confidence"]) == ("bootstrap", "holm", 0.9)


def test_raters_who_compare() -> None:
    """They agree on one pair and split 2 to 1 on the other: 3 of 3 and 1 of 3 pairs of votes are equal."""
    pairs = [
        *(Preference("A", "B", "1", None, "x", rater=r) for r in "pqr"),
        *(Preference("A", "B", "2", None, "x", rater=r) for r in "pq"),
        Preference("B", "A", "2", None, "x", rater="r"),
    ]
    (raters,) = coheval.agree({"m": {"A": [0.9, 0.5], "B": [0.1, 0.4]}}, Judgements(preferences=pairs)).reliability
    assert (raters.raters, raters.units) == (3, 2)
    assert raters.agreement == pytest.approx(4 / 6)
    # nominal α: D_o = 4/6 of … votes 5 × A, 1 × B; D_e = 2·5·1/(6·5) = 1/3; D_o = (0 + 2·2·1/2)/6 = 1/3; α = 0
    assert raters.alpha == pytest.approx(0, abs=1e-12)


def test_arrays_are_numbers_too() -> None:
    x, y = np.array([0.1, 0.4, 0.2]), np.array([1, 3, 2])
    assert coheval.agree({"m": x}, y, statistic="spearman")["m"]["human"] == pytest.approx(1)
    assert coheval.agree({"m": list(x)}, list(y), statistic="spearman")["m"]["human"] == pytest.approx(1)


def test_what_means_nothing_is_refused() -> None:
    result = coheval.score({"A": ["a b"], "B": ["a c"]}, ["a b"], metrics=["chrf"])
    for given in ({"lower_is_better": ["nonsense"]}, {"documents": ["d"]}):
        with pytest.raises(UsageError, match="go with plain numbers"):
            coheval.agree(result, {"A": [1], "B": [2]}, **given)
    with pytest.raises(UsageError, match="preferences only"):
        coheval.agree({"m": GOOD}, HUMAN, level="segment", statistic="pearson", least=1)
    with pytest.raises(UsageError, match="choose the level system"):
        coheval.agree({"m": GOOD}, HUMAN, level="segment", of_means=True)
    with pytest.raises(UsageError, match="needs ratings of texts"):
        coheval.agree(
            {"m": GOOD},
            Judgements(preferences=[Preference("A", "B", "1", None, "x")]),
            level="segment",
            statistic="pearson",
        )
    with pytest.raises(DataError, match="are ties"):
        coheval.agree({"m": GOOD}, Judgements(preferences=[Preference("A", "B", "1", None, "x", tie=True)]))


def test_unknown_names_of_a_result() -> None:
    found = coheval.agree({"m": GOOD}, HUMAN)
    with pytest.raises(UnknownName, match="no metric is called 'n'"):
        found["n"]
    with pytest.raises(UnknownName, match="no aspect is called 'fluency'"):
        found.row("m", "fluency")


def test_as_many_resamples_as_many_metrics_need() -> None:
    """30 metrics are 435 pairs: the smallest p, 2 / (1 + R), times 435 is below 0.05 from R = 17,400 on."""
    metrics, human = simulated(n=12)
    many = {f"m{n}": metrics["close" if n % 2 else "noise"] for n in range(30)}
    found = coheval.agree(many, human, level="segment", statistic="pearson")
    assert found.options.resamples == 17_400
    assert any(d.significant for d in found.differences)
    few = coheval.agree(many, human, level="segment", statistic="pearson", resamples=1000)
    assert not any(d.significant for d in few.differences)
    assert any("no p is small enough" in note for note in few.notes)


def test_metrics_of_documents_and_of_segments_are_compared_at_system_level() -> None:
    """Ratings of segments; one metric scores whole documents. Both have all of these: the figures differ by so much."""
    texts = {
        "A": [
            "The river rose. The river fell.",
            "The bridge held.",
            "Bread was brought. The bread was gone.",
            "It was over.",
        ],
        "B": ["A river rose. A river fell.", "Bridges hold.", "Bread came. Then bread was gone.", "All was over."],
        "C": ["Dogs ran. Cats ran.", "Sun shone.", "People ate. Birds sang.", "The end came."],
    }
    result = coheval.score(texts, texts["A"], documents=["x", "x", "y", "y"], metrics=["chrf", "rc"])
    found = coheval.agree(result, {"A": [5, 5, 4, 5], "B": [3, 4, 3, 4], "C": [1, 2, 1, 1]}, statistic="pearson")
    (difference,) = found.differences
    assert difference.difference == pytest.approx(abs(found["chrf"]["human"] - found["rc"]["human"]))
    assert difference.p is not None
    segments = coheval.agree(result, {"A": [5, 5, 4, 5], "B": [3, 4, 3, 4], "C": [1, 2, 1, 1]}, level="segment")
    assert segments.row("rc", "human").reason.startswith("it scores whole documents")


def test_preferences_at_the_other_level_are_no_ties() -> None:
    pairs = [Preference("A", "B", "d", 0, "x"), Preference("A", "B", "d", 1, "x", tie=True)]
    scores = {"m": {"A": [0.9, 0.5], "B": [0.1, 0.4]}}
    with pytest.raises(UsageError, match="people judged whole segments here"):
        coheval.agree(scores, Judgements(preferences=pairs), documents=["d", "d"], level="document")


def test_ratings_that_are_not_far_enough_apart_are_told() -> None:
    found = coheval.agree({"m": GOOD}, HUMAN, level="segment", statistic="darr")
    assert found.row("m", "human").reason == "no two ratings of an item are 25 apart (least=, --least)"
    assert coheval.agree({"m": GOOD}, HUMAN, level="segment", statistic="darr", least=1)["m"]["human"] is not None


def test_what_the_data_allow() -> None:
    """Comparisons at system level have Kendall of wins; ratings of one of three systems are looked at by segment."""
    pairs = [
        Preference("A", "B", "1", None, "x"),
        Preference("B", "C", "2", None, "x"),
        Preference("A", "C", "3", None, "x"),
    ]
    wins = coheval.agree({"m": GOOD}, Judgements(preferences=pairs), level="system")
    assert str(wins.conditions) == "kendall at system level"
    ratings = [Rating("A", str(n + 1), None, "x", v) for n, v in enumerate(HUMAN["A"])]
    assert str(coheval.agree({"m": GOOD}, Judgements(ratings=ratings)).conditions) == "kendall at segment level"


def test_other_tests_need_fewer_resamples() -> None:
    """6 metrics, 15 pairs: 2·15/0.05 = 600 for a bootstrap, 300 for exchanges, none for Williams."""
    metrics, human = simulated(n=12)
    many = {f"m{n}": metrics["close" if n % 2 else "noise"] for n in range(6)}
    for test, told in (("bootstrap", True), ("perm-both", False), ("williams", False)):
        found = coheval.agree(many, human, level="segment", statistic="pearson", test=test, resamples=400)
        assert any("no p is small enough" in note for note in found.notes) is told


def test_comparisons_of_other_texts_are_counted() -> None:
    pairs = [Preference("A", "B", "d", None, "x"), Preference("A", "B", "d", 0, "x"), Preference("B", "A", "d", 1, "x")]
    scores = {"m": {"A": [0.9, 0.5], "B": [0.1, 0.4]}}
    found = coheval.agree(scores, Judgements(preferences=pairs), documents=["d", "d"], level="document")
    assert found.row("m", "x").count == 1
    assert "x: 2 judgements are of larger or smaller texts than are looked at and were not used" in found.notes


def test_ratings_and_comparisons_of_one_aspect_are_refused() -> None:
    both = Judgements(ratings=[Rating("A", "1", None, "x", 1)], preferences=[Preference("A", "B", "1", None, "x")])
    with pytest.raises(DataError, match="'x' has ratings and comparisons"):
        coheval.agree({"m": GOOD}, both)
