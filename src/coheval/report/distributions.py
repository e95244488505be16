"""Scores of the texts that people like best and least (figure 2 of MoverScore): the less the two histograms overlap,
the better the metric. Both have the same bins and an area of 1; ticks at the top are the medians."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from coheval.errors import DataError, UsageError
from coheval.report._style import BLUE, PAGE, RED, SMALL, blank, columns_of, finish, fit, oriented, style
from coheval.report._text import short, wrap
from coheval.report._values import Array, Mask, Values, enough, left_out, numbers, same_length

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BINS = (6, 30)  # the fewest and the most; between them, the root of the number of scores
_LINES: dict[str, Any] = {
    "best": {"edgecolor": BLUE, "linestyle": "-"},
    "worst": {"edgecolor": RED, "linestyle": (0, (3, 1.2))},
}
_FILLS: dict[str, Any] = {"best": {"facecolor": BLUE + "33"}, "worst": {"facecolor": "none", "hatch": "/////"}}


def draw_distributions(
    scores: Mapping[str, Values],
    ratings: Values,
    *,
    share: float = 1 / 3,
    aspect: str = "rating",
    lower_is_better: Collection[str] = (),
    lower_ratings_are_better: bool = False,
    title: str | None = None,
) -> Figure:
    """A panel for each metric with its scores [n] of the best and of the worst third, or other share, of texts by
    rating [n]. Texts rated alike are never parted, so a group may be larger or smaller than its share; then its real
    size is told."""
    enough(len(scores), 1, "metric")
    rated = numbers(ratings, "ratings")
    groups = _groups(rated, share, lower_ratings_are_better)
    values = {metric: numbers(own, f"scores of {metric}") for metric, own in scores.items()}
    for metric, own in values.items():
        same_length({f"scores of {metric}": own, "ratings": rated})
        _check_scored(metric, own, groups)
    with style():
        figure, grid = _grid(len(values))
        for axes, (metric, own) in zip(grid, values.items(), strict=False):
            _histograms(axes, own, groups)
            _name(
                axes,
                metric,
                PAGE / max(columns_of(len(values)), 2) - 0.5,
                higher_is_better=metric not in lower_is_better,
            )
        for axes in grid[len(values) :]:
            axes.remove()
        texts = _described(rated, groups, share, aspect, lower_ratings_are_better)
        keys = _keys(texts, figure.get_figwidth())
        finish(figure, title, _notes(rated, values, groups), keys=keys)
        fit(figure, grid[0], height=1.5, rows=-(-len(values) // columns_of(len(values))))
    return figure


def _groups(given: Array, share: float, lower_is_better: bool) -> dict[str, Mask]:
    """The best and the worst, by quantiles; a rating that both quantiles have goes to neither if it can be spared."""
    if not 0 < share <= 0.5:
        raise UsageError(f"the share of texts in a group must be above 0 and at most 0.5, got {share}", hint="try 0.25")
    enough(int((~np.isnan(given)).sum()), 2, "rated texts")
    ratings = -given if lower_is_better else given
    low, high = np.nanquantile(ratings, [share, 1 - share])
    if low < high:
        return {"best": ratings >= high, "worst": ratings <= low}
    if np.nanmin(ratings) == np.nanmax(ratings):
        raise DataError(
            f"all texts are rated {short(np.nanmin(given))}, so none is better than another",
            hint="leave this figure out, or add ratings",
        )
    above, below = ratings > high, ratings < low
    return {"best": above if above.any() else ratings >= high, "worst": below if below.any() else ratings <= low}


def _check_scored(metric: str, scores: Array, groups: Mapping[str, Mask]) -> None:
    for group, members in groups.items():
        if np.isnan(scores[members]).all():
            raise DataError(f"none of the {group} texts has a score of {metric}", hint="leave this metric out")


def _grid(panels: int) -> tuple[Figure, list[Axes]]:
    columns = columns_of(panels)
    rows = -(-panels // columns)
    figure = blank(PAGE / max(columns, 2) * columns, rows * 2.0)
    grid: list[Axes] = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for axes in grid[::columns]:
        axes.set_ylabel("density")
    return figure, grid


def _histograms(axes: Axes, scores: Array, groups: Mapping[str, Mask]) -> None:
    sides = {group: scores[members & ~np.isnan(scores)] for group, members in groups.items()}
    together = np.concatenate(list(sides.values()))
    bins = int(np.clip(np.sqrt(len(together)), *_BINS))
    edges = np.histogram_bin_edges(together, bins=bins)
    for group, own in sides.items():
        axes.hist(
            own,
            bins=edges.tolist(),
            density=True,
            histtype="stepfilled",
            linewidth=1.0,
            **_LINES[group],
            **_FILLS[group],
        )
        line = _LINES[group]
        axes.axvline(
            float(np.median(own)), 0.93, 1.0, color=line["edgecolor"], linestyle=line["linestyle"], linewidth=1.8
        )
    axes.set_ylim(top=axes.get_ylim()[1] * 1.08)  # the medians' ticks stand above the bars
    axes.set_yticks([])


def _name(axes: Axes, metric: str, inches: float, *, higher_is_better: bool) -> None:
    axes.set_xlabel(oriented(metric, inches, higher_is_better=higher_is_better))
    if not higher_is_better:
        axes.invert_xaxis()


def _described(
    ratings: Array, groups: Mapping[str, Mask], share: float, aspect: str, lower_is_better: bool
) -> dict[str, str]:
    """Which texts are in each group, and how many."""
    total = int((~np.isnan(ratings)).sum())
    texts = {}
    for group, members in groups.items():
        own = ratings[members]
        high = (group == "best") != lower_is_better
        bound = f"{aspect} ≥ {short(own.min())}" if high else f"{aspect} ≤ {short(own.max())}"
        if abs(len(own) - share * total) < 1 - 1e-9:  # it is the share, as near as whole texts allow
            texts[group] = f"{group} {_part(share)}: {bound} (n = {len(own)})"
        else:
            texts[group] = f"{group} {len(own)} of {total}: {bound}"
    return texts


def _part(share: float) -> str:
    return "third" if abs(share - 1 / 3) < 0.005 else "half" if share == 0.5 else f"{share:.0%}"


def _keys(texts: Mapping[str, str], inches: float) -> list[Artist]:
    from matplotlib.patches import Patch

    return [
        Patch(label=wrap(text, inches - 0.6, SMALL), linewidth=1.0, **_LINES[group], **_FILLS[group])
        for group, text in texts.items()
    ]


def _notes(ratings: Array, values: Mapping[str, Array], groups: Mapping[str, Mask]) -> list[str]:
    notes = ["Ticks at the top are medians."]
    notes += left_out(int(np.isnan(ratings).sum()), len(ratings), "texts", "no rating")
    shown = groups["best"] | groups["worst"]
    for metric, scores in values.items():
        notes += left_out(int(np.isnan(scores[shown]).sum()), int(shown.sum()), "texts", f"no score of {metric}")
    return notes
