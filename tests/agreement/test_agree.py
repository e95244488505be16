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

HUMAN = {"A": [1.0, 2, 3, 2], "B": [2.0, 3, 3, 4], "C": [5.0, 4, 4, 5], "D": [3.0, 3, 2, 4]}
GOOD = {"A": [0.1, 0.2, 0.3, 0.1], "B": [0.2, 0.4, 0.3, 0.5], "C": [0.9, 0.7, 0.6, 0.8], "D": [0.4, 0.3, 0.2, 0.6]}
ERRORS = {system: [1 - v for v in values] for system, values in GOOD.items()}


def test_plain_numbers_of_one_system() -> None:
    x, y = [0.1, 0.4, 0.2, 0.8, 0.5], [1, 3, 2, 5, 2]
    found = coheval.agree({"m": x}, y, statistic="pearson")
    assert found["m"]["human"] == pytest.approx(stats.pearsonr(x, y).statistic)
    assert found.conditions == "pearson at segment level"


def test_systems_are_the_default_where_there_are_three() -> None:
    found = coheval.agree({"m": GOOD}, HUMAN)
    expected = stats.kendalltau([np.mean(v) for v in GOOD.values()], [np.mean(v) for v in HUMAN.values()]).statistic
    assert found.conditions == "kendall at system level"
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
    assert found.conditions == "wmt14 at segment level"
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
        ({"level": "system", "statistic": "wmt12"}, UsageError, "level='segment'"),
        ({"level": "system", "average": "item"}, UsageError, "nothing to average over"),
        ({"level": "segment", "statistic": "spa"}, UsageError, "level='system'"),
        ({"statistic": "kendall", "test": "williams"}, UsageError, "statistic='pearson'"),
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
