"""Figures of every kind, and what can be read off a figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from coheval import report
from coheval.report._style import style

LONG = "moverscore(variant='v1', ngram=2, idf='none', encoder=hf(model='some-organisation/some-very-long-name'))"


def texts(figure: Figure) -> list[str]:
    """Everything that is written on a figure."""
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def written(figure: Figure) -> str:
    """All of it in one line, without the ends of lines."""
    return " ".join(" ".join(texts(figure)).split())


def offsets(axes: Any) -> np.ndarray:
    """[n, 2] all points of the axes' scatters."""
    return np.concatenate([collection.get_offsets() for collection in axes.collections])


def overhang(figure: Figure) -> float:
    """By how many inches what is drawn reaches beyond the figure's edges."""
    with style():
        figure.draw_without_rendering()
        box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    return float(max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))


def _makers() -> dict[str, Callable[..., Figure]]:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=60)
    noise = rng.normal(size=60)
    of_three = [f"system {i % 3}" for i in range(60)]
    correlations = np.corrcoef(rng.normal(size=(5, 40)))
    return {
        "agreement": lambda name, title: report.draw_agreement(
            quality + noise, quality, systems=of_three, metric=name, aspect=name, title=title
        ),
        "named": lambda name, title: report.draw_agreement(
            (quality + noise)[:14], quality[:14], systems=[f"{name} {i}" for i in range(14)], metric=name, title=title
        ),
        "by system": lambda name, title: report.draw_agreement_by_system(
            quality + noise, quality, systems=[f"{name} {s}" for s in of_three], metric=name, aspect=name, title=title
        ),
        "matrix": lambda name, title: report.draw_matrix([f"{i} {name}" for i in range(5)], correlations, title=title),
        "distributions": lambda name, title: report.draw_distributions(
            {name: quality + noise, name + " too": noise}, quality, aspect=name, lower_is_better=[name], title=title
        ),
        "features without ratings": lambda name, title: report.draw_features(
            np.exp(quality), np.exp(noise), feature=name, title=title
        ),
        "features": lambda name, title: report.draw_features(
            np.exp(quality), np.exp(noise), systems=of_three, ratings=quality, feature=name, aspect=name, title=title
        ),
        "intervals": lambda name, title: report.draw_intervals(
            [name, "b", "c"], [0.3, 0.5, 0.1], [0.2, 0.4, None], [0.4, 0.6, None],
            clusters=[1, 1, 2], papers=[0.35, None, None], statistic=name, title=title,
        ),
        "relations": lambda name, title: report.draw_relations(
            [name, "b", "c"], [0.5, 0.3, 0.2], {"good": [0.4, 0.3, 0.3], name: [0.1, None, 0.9]}, title=title
        ),
    }  # fmt: skip


MAKERS = _makers()


@pytest.fixture(params=list(MAKERS))
def maker(request: pytest.FixtureRequest) -> Callable[..., Figure]:
    """Draws one kind of figure, with a name for whatever has one, and a title."""
    return MAKERS[request.param]
