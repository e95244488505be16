"""Every statistic at every level, against loops over scipy and over pairs, on data with ties and missing values; and
every resampled value against the same statistic of data that really were repeated."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from coheval.algo.resample import bootstrap_weights
from coheval.data.judgements import Judgements, Preference, Rating
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.grid import Grid
from coheval.run.agreement.match import match
from coheval.run.agreement.statistics import Draws, measured, of_scores
from coheval.run.scoretable import ScoreTable

SYSTEMS, DOCUMENTS, SEGMENTS = 6, 5, 3  # segments of each document
ORACLES = {
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: stats.kendalltau(x, y).statistic,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
}


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Scores and ratings [S, N] with ties, some missing, and the document of each segment."""
    rng = np.random.default_rng(3)
    human = rng.integers(1, 6, size=(SYSTEMS, DOCUMENTS * SEGMENTS)).astype(float)
    scores = np.round(human + rng.normal(0, 1.5, human.shape), 1)
    scores[2, 4] = np.nan
    human[1, 7] = human[5, 0] = np.nan
    return scores, human, [f"d{n // SEGMENTS}" for n in range(DOCUMENTS * SEGMENTS)]


@pytest.fixture(scope="module")
def table(data) -> ScoreTable:
    scores, _, documents = data
    by_system = {f"s{n}": [None if np.isnan(v) else float(v) for v in row] for n, row in enumerate(scores)}
    return ScoreTable.plain({"m": by_system}, documents)


@pytest.fixture(scope="module")
def judgements(data, table) -> Judgements:
    _, human, _ = data
    return Judgements(
        ratings=[
            Rating(f"s{s}", *table.units[n], "human", human[s, n])
            for s, n in np.ndindex(human.shape)
            if not np.isnan(human[s, n])
        ]
    )


def grid_of(table: ScoreTable, judgements: Judgements, level: str) -> Grid:
    (grid,) = match(table, judgements, "human", level, drop=False).grids
    return grid


def ones(grid: Grid, resamples: int = 0) -> Draws:
    return Draws(np.ones((1 + resamples, len(grid.documents))), np.ones((1 + resamples, len(grid.systems))))


def both(x, y):
    there = ~np.isnan(x) & ~np.isnan(y)
    return x[there], y[there]


def mean_of(values):
    return np.nanmean([v for v in values if v is not None])


def brute(statistic: str, average: str, x: np.ndarray, y: np.ndarray) -> float:
    """By scipy, list after list; lists without a correlation are left out."""
    if average == "pooled":
        return ORACLES[statistic](*both(x.ravel(), y.ravel()))
    pairs = zip(x, y, strict=True) if average == "system" else zip(x.T, y.T, strict=True)
    found = [both(a, b) for a, b in pairs]
    return mean_of(ORACLES[statistic](a, b) for a, b in found if len(a) > 1 and len(set(a)) > 1 and len(set(b)) > 1)


@pytest.mark.parametrize("average", ["pooled", "item", "system"])
@pytest.mark.parametrize("statistic", ORACLES)
def test_segments(data, table, judgements, statistic: str, average: str) -> None:
    scores, human, _ = data
    grid = grid_of(table, judgements, "segment")
    found = measured(Conditions("segment", statistic, average), grid, table.columns["m"], ones(grid))[0]
    assert found == pytest.approx(brute(statistic, average, scores, human), abs=1e-12)


@pytest.mark.parametrize("statistic", ORACLES)
def test_documents_without_ratings_of_their_own_have_their_segments_mean(data, table, judgements, statistic) -> None:
    scores, human, _ = data
    means = [np.nanmean(a.reshape(SYSTEMS, DOCUMENTS, SEGMENTS), axis=2) for a in (scores, human)]
    by_document = [np.round(a, 12) for a in means]  # equal means of different numbers may differ in their last bit
    grid = grid_of(table, judgements, "document")
    found = measured(Conditions("document", statistic), grid, table.columns["m"], ones(grid))[0]
    assert found == pytest.approx(brute(statistic, "pooled", *by_document), abs=1e-12)


@pytest.mark.parametrize("statistic", [*ORACLES, "accuracy"])
def test_systems_are_compared_on_what_people_rated(data, table, judgements, statistic: str) -> None:
    scores, human, _ = data
    x = np.nanmean(np.where(np.isnan(human), np.nan, scores), axis=1)
    y = np.nanmean(human, axis=1)
    grid = grid_of(table, judgements, "system")
    found = measured(Conditions("system", statistic), grid, table.columns["m"], ones(grid))[0]
    assert found == pytest.approx(_accuracy(x, y) if statistic == "accuracy" else ORACLES[statistic](x, y), abs=1e-12)


def _accuracy(x, y) -> float:
    pairs = [(a, b) for a, b in combinations(range(len(x)), 2) if y[a] != y[b]]
    return np.mean([(x[a] - x[b]) * (y[a] - y[b]) > 0 for a, b in pairs])


def counts(x, y, least: float = 0.0) -> tuple[int, int, int]:
    """Concordant, discordant, tied by the metric: over pairs of systems of one item that people order."""
    found = [0, 0, 0]
    for item in range(x.shape[1]):
        for a, b in combinations(range(len(x)), 2):
            gap, people = x[a, item] - x[b, item], y[a, item] - y[b, item]
            if np.isnan(gap) or np.isnan(people) or people == 0 or abs(people) < least:
                continue
            found[2 if gap == 0 else 0 if gap * people > 0 else 1] += 1
    return tuple(found)


@pytest.mark.parametrize("least", [0.0, 2.0])
@pytest.mark.parametrize("form", ["wmt12", "wmt13", "wmt14", "darr"])
def test_forms_of_tau(data, table, judgements, form: str, least: float) -> None:
    scores, human, _ = data
    c, d, t = counts(scores, human, least)
    assert t  # scores are rounded, so that the forms differ
    expected = {
        "wmt12": (c - d - t) / (c + d + t),
        "wmt13": (c - d) / (c + d),
        "wmt14": (c - d) / (c + d + t),
        "darr": (c - d - t) / (c + d + t),
    }
    grid = grid_of(table, judgements, "segment")
    found = measured(Conditions("segment", form, least=least), grid, table.columns["m"], ones(grid))[0]
    assert found == pytest.approx(expected[form])


def test_preferences_are_pairs_as_ratings_are(data, table, judgements) -> None:
    """Comparisons that say what ratings imply give what these give; a tie is left out."""
    _, human, _ = data
    pairs = [
        Preference(f"s{a}", f"s{b}", *table.units[n], "human", tie=human[a, n] == human[b, n])
        for n in range(human.shape[1])
        for a, b in np.ndindex(SYSTEMS, SYSTEMS)
        if human[a, n] > human[b, n] or (a < b and human[a, n] == human[b, n])
    ]
    matched = match(table, Judgements(preferences=pairs), "human", "segment", drop=False)
    (compared,) = matched.grids
    assert matched.ties == sum(p.tie for p in pairs)
    rated = grid_of(table, judgements, "segment")
    conditions = Conditions("segment", "wmt14")
    found = [measured(conditions, g, table.columns["m"], ones(g))[0] for g in (compared, rated)]
    assert found[0] == pytest.approx(found[1])


def repeated(x, y, systems, documents):
    """The data themselves, drawn as often as weights say."""
    rows = np.repeat(np.arange(SYSTEMS), systems.astype(int))
    columns = np.repeat(np.arange(DOCUMENTS * SEGMENTS), np.repeat(documents.astype(int), SEGMENTS))
    return x[np.ix_(rows, columns)], y[np.ix_(rows, columns)]


@pytest.mark.parametrize("what", ["documents", "systems", "both"])
@pytest.mark.parametrize("average", ["pooled", "item", "system"])
@pytest.mark.parametrize("statistic", ORACLES)
def test_resampled_segments(data, table, judgements, statistic: str, average: str, what: str) -> None:
    scores, human, _ = data
    grid = grid_of(table, judgements, "segment")
    draws = drawn(grid, what)
    found = measured(Conditions("segment", statistic, average), grid, table.columns["m"], draws)
    for value, documents, systems in zip(found, draws.documents, draws.systems, strict=True):
        expected = brute(statistic, average, *repeated(scores, human, systems, documents))
        assert value == pytest.approx(expected, abs=1e-9)


def drawn(grid: Grid, what: str, resamples: int = 6) -> Draws:
    rng = np.random.default_rng(1)
    sizes = (("documents", len(grid.documents)), ("systems", len(grid.systems)))
    return Draws(
        *(
            bootstrap_weights(size, resamples, rng) if what in (name, "both") else np.ones((1 + resamples, size))
            for name, size in sizes
        )
    )


@pytest.mark.parametrize("what", ["documents", "systems", "both"])
@pytest.mark.parametrize("statistic", ["pearson", "kendall"])
def test_resampled_systems(data, table, judgements, statistic: str, what: str) -> None:
    scores, human, _ = data
    grid = grid_of(table, judgements, "system")
    draws = drawn(grid, what)
    found = measured(Conditions("system", statistic), grid, table.columns["m"], draws)
    for value, documents, systems in zip(found, draws.documents, draws.systems, strict=True):
        x, y = repeated(np.where(np.isnan(human), np.nan, scores), human, systems, documents)
        assert value == pytest.approx(ORACLES[statistic](np.nanmean(x, 1), np.nanmean(y, 1)), abs=1e-9)


@pytest.mark.parametrize("what", ["documents", "systems", "both"])
def test_resampled_pairs(data, table, judgements, what: str) -> None:
    scores, human, _ = data
    grid = grid_of(table, judgements, "segment")
    draws = drawn(grid, what)
    found = measured(Conditions("segment", "wmt14"), grid, table.columns["m"], draws)
    for value, documents, systems in zip(found, draws.documents, draws.systems, strict=True):
        c, d, t = counts(*repeated(scores, human, systems, documents))
        assert value == pytest.approx((c - d) / (c + d + t))


def test_other_scores_of_the_same_texts(data, table, judgements) -> None:
    """What permutation tests ask for is what is measured, for the scores as they are."""
    for level, statistic, average in (
        ("system", "kendall", None),
        ("system", "accuracy", None),
        ("segment", "pearson", "pooled"),
        ("segment", "spearman", "item"),
        ("segment", "kendall", "system"),
        ("document", "pearson", "pooled"),
        ("segment", "wmt12", None),
        ("segment", "acc-eq", None),
    ):
        conditions = Conditions(level, statistic, average)
        grid = grid_of(table, judgements, level)
        x = grid.scores(table.columns["m"])
        twice = of_scores(conditions, grid, np.stack([x, 3 * x + 1]))
        once = measured(conditions, grid, table.columns["m"], ones(grid))[0]
        assert twice == pytest.approx([once, once]), conditions


@pytest.mark.parametrize("level", ["summary", "segment"])
def test_numbers_that_were_added_in_another_order_are_ties(level) -> None:
    """Of the three pairs of systems, one is tied in the metric: (2 − 0) / √(2 · 3)."""
    one, same = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert one != same
    table = ScoreTable.plain({"m": {"a": [one], "b": [same], "c": [1.0]}})
    judged = Judgements([Rating(system, "1", 0, "human", float(n)) for n, system in enumerate("abc")])
    conditions = Conditions(level, "kendall")
    grid = grid_of(table, judged, conditions.level)
    assert measured(conditions, grid, table.columns["m"], ones(grid)) == pytest.approx(2 / np.sqrt(2 * 3))
