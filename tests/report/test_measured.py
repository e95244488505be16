"""The figures of a measurement show what its table says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

import coheval
from coheval.data.judgements import Judgements, Rating
from coheval.report import measured
from coheval.report.measured import draw_measured
from coheval.run.agreement import agree
from coheval.run.scoretable import ScoreTable

from .conftest import offsets, texts, written

HUMAN = {"A": [1.0, 2, 3, 2], "B": [2.0, 3, 3, 4], "C": [5.0, 4, 4, 5], "D": [3.0, 3, 2, 4]}
GOOD = {"A": [0.1, 0.2, 0.3, 0.1], "B": [0.2, 0.4, 0.3, 0.5], "C": [0.9, 0.7, 0.6, 0.8], "D": [0.4, 0.3, 0.2, 0.6]}
SCORES, RATINGS = (np.array(list(side.values())) for side in (GOOD, HUMAN))  # [systems, documents]
DOCUMENTS = ["1", "2", "3", "4"]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Measures and draws; the figures by the names of their files."""

    def draw(table: ScoreTable, judgements: Judgements, **options) -> dict[str, Figure]:
        figures: dict[str, Figure] = {}

        def keep(figure: Figure, path: Path) -> Path:
            assert path.name not in figures
            figures[path.name] = figure
            return path

        monkeypatch.setattr(measured, "save", keep)
        found = agree(table, judgements, resamples=20, **options)
        assert draw_measured(tmp_path, table, judgements, found).left_out == {}
        return figures

    return draw


def opinions(aspect: str = "x", *, turn: bool = False, groups: dict[str, str] | None = None) -> Judgements:
    """HUMAN as ratings; turned, as errors out of 5."""
    ratings = [
        Rating(system, document, None, aspect, 5 - value if turn else value)
        for system, values in HUMAN.items()
        for document, value in zip(DOCUMENTS, values, strict=True)
    ]
    return Judgements(ratings, lower_is_better=frozenset([aspect] if turn else []), groups=groups or {})


def table_of(*metrics: str) -> ScoreTable:
    return ScoreTable.plain(dict.fromkeys(metrics, GOOD), DOCUMENTS)


@pytest.mark.parametrize(("confidence", "told"), [(0.95, "95%"), (0.8, "80%"), (0.999, "99.9%")])
def test_intervals_name_their_confidence(drawn, confidence: float, told: str) -> None:
    figures = drawn(table_of("m"), opinions(), confidence=confidence)
    assert f"measured, with its {told} interval" in texts(figures["intervals-x.svg"])


def test_the_corner_tells_what_the_table_tells(drawn) -> None:
    """Two groups: the mean of their correlations by scipy, not the correlation of all points."""
    groups = {"1": "de", "2": "de", "3": "fr", "4": "fr"}
    figures = drawn(table_of("m"), opinions(groups=groups), level="segment", statistic="pearson")
    each = [stats.pearsonr(SCORES[:, own].ravel(), RATINGS[:, own].ravel()).statistic for own in ([0, 1], [2, 3])]
    pooled = stats.pearsonr(SCORES.ravel(), RATINGS.ravel()).statistic
    assert f"{np.mean(each):.2f}" != f"{pooled:.2f}"
    assert f"mean pearson = {np.mean(each):.2f}\nn = 16" in texts(figures["agreement-m-x.svg"])


def test_the_corner_of_one_group(drawn) -> None:
    expected = stats.kendalltau(SCORES.mean(axis=1), RATINGS.mean(axis=1)).statistic
    figures = drawn(table_of("m"), opinions())
    assert f"kendall = {expected:.2f}\nn = 4" in texts(figures["agreement-m-x.svg"])


def test_the_corner_without_signs(drawn) -> None:
    table = ScoreTable.plain({"m": {s: [-v for v in values] for s, values in GOOD.items()}}, DOCUMENTS)
    expected = stats.pearsonr(SCORES.ravel(), RATINGS.ravel()).statistic
    figures = drawn(table, opinions(), level="segment", statistic="pearson", absolute=True)
    assert f"|pearson| = {expected:.2f}" in written(figures["agreement-m-x.svg"])


@pytest.mark.parametrize("level", ["system", "segment"])
def test_ratings_are_drawn_as_people_gave_them(drawn, level: str) -> None:
    figures = drawn(table_of("m"), opinions("errors", turn=True), level=level, statistic="pearson")
    own = (lambda side: side.mean(axis=1)) if level == "system" else np.ravel
    (axes,) = figures["agreement-m-errors.svg"].axes
    points = sorted(map(tuple, np.round(offsets(axes), 9)))
    assert points == sorted(zip(np.round(own(5 - RATINGS), 9), np.round(own(SCORES), 9), strict=True))
    assert axes.xaxis_inverted()
    expected = stats.pearsonr(own(SCORES), own(RATINGS)).statistic
    assert f"pearson = {expected:.2f}" in written(figures["agreement-m-errors.svg"])


def test_the_best_texts_have_the_fewest_errors(drawn) -> None:
    """Of 16 texts rated 1, 2, 2, 2, 2, 3 (5 times), 4 (4 times), 5, 5: the six from 4 on are the best third."""
    figures = drawn(table_of("m"), opinions("errors", turn=True), level="segment")
    assert "best third: errors ≤ 1 (n = 6)" in texts(figures["distributions-errors.svg"])
    best = np.median(SCORES[RATINGS >= 4])
    assert float(figures["distributions-errors.svg"].axes[0].lines[0].get_xdata()[0]) == pytest.approx(best)


@pytest.mark.parametrize("of_means", [True, False])
def test_systems_scores_are_those_of_the_table(drawn, of_means: bool) -> None:
    """BLEU of a system is not the mean of its texts'."""
    references = ["the cat sat on the mat today", "it was raining all day in the old town"]
    systems = {
        "A": ["the cat sat on the mat today", "it was sunny"],
        "B": ["a cat sat on the mat", "it was raining all day"],
        "C": ["the cat sat on a mat today", "it was raining all day in the town"],
    }
    result = coheval.score(systems, references, documents=["1", "2"], metrics=["bleu"])
    ratings = [
        Rating(s, d, None, "x", v + n) for s, v in zip("ABC", (1, 2, 4), strict=True) for n, d in enumerate("12")
    ]
    figures = drawn(ScoreTable.of(result), Judgements(ratings), level="system", of_means=of_means)
    scored = result["bleu"].by_system
    expected = {s: np.mean(scored[s].segments) if of_means else scored[s].system for s in systems}
    assert any(abs(np.mean(scored[s].segments) - scored[s].system) > 1e-3 for s in systems)
    np.testing.assert_allclose(
        sorted(offsets(figures["agreement-bleu-x.svg"].axes[0])[:, 1]), sorted(expected.values())
    )


def test_files_of_similar_names_do_not_overwrite_each_other(drawn) -> None:
    table = table_of("bertscore(layer=1)", "bertscore(layer=-1)")
    judgements = Judgements([*opinions("Fluency").ratings, *opinions("fluency").ratings])
    figures = drawn(table, judgements)
    assert sorted(figures) == sorted(
        [
            *("intervals-fluency.svg", "intervals-fluency-2.svg", "intervals-mean.svg", "metrics.svg"),
            *(f"agreement-bertscore-layer-1-fluency{n}.svg" for n in ("", "-2", "-3", "-4")),
        ]
    )


def test_long_names_are_cut(tmp_path: Path) -> None:
    """File systems allow 255 bytes; the letters here have two each."""
    long = [f"combination(members=({'я' * 200}{n}))" for n in range(2)]
    table, judgements = table_of(*long), opinions()
    found = agree(table, judgements, resamples=20)
    files = draw_measured(tmp_path, table, judgements, found).files
    assert len({file.name for file in files}) == len(files) == len(list(tmp_path.iterdir()))
    cut = sorted(file.stem for file in files if file.stem.startswith("agreement"))
    assert [name[-2:] for name in cut] == ["-1", "-2"]
    assert all(file.stat().st_size > 0 for file in files)
