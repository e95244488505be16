"""What people look at. `coheval.report(run)`, or from here `report(run)`, makes the page about a run (`making`).

Figures: plain values in, a matplotlib figure out, `save` writes it to a file.

    draw_agreement            score against rating, a point for each text or a named point for each system
    draw_agreement_by_system  the same, a panel for each system
    draw_matrix               correlation between metrics, like ones side by side
    draw_distributions        scores of the best and of the worst texts
    draw_features             a feature of candidates against that of their references
    draw_intervals            metrics with their agreement and its interval, best first
    draw_relations            how frequent relations are in references and in groups of texts
    save                      .svg, .pdf or .png; the same figure always gives the same bytes

Discourse trees need no matplotlib: a tree in, text out.

    draw_tree, draw_trees     SVG
    tree_text                 lines for a terminal

Colours are never alone: markers, line styles, hatches and numbers say the same. A missing value is None or NaN; what
lacks one is left out and counted in a note under the figure. Figures need the extra `coheval[figures]`, which is
imported when one is drawn; nothing of matplotlib's global state changes.
"""

import sys
from types import ModuleType
from typing import Any

from coheval.report.agreement import draw_agreement, draw_agreement_by_system
from coheval.report.distributions import draw_distributions
from coheval.report.features import draw_features
from coheval.report.intervals import draw_intervals
from coheval.report.matrix import draw_matrix
from coheval.report.relations import draw_relations
from coheval.report.saving import FORMATS, save
from coheval.report.treedrawing import draw_tree, draw_trees
from coheval.report.treetext import tree_text

__all__ = [
    "FORMATS",
    "draw_agreement",
    "draw_agreement_by_system",
    "draw_distributions",
    "draw_features",
    "draw_intervals",
    "draw_matrix",
    "draw_relations",
    "draw_tree",
    "draw_trees",
    "save",
    "tree_text",
]


class _Callable(ModuleType):
    """This folder and the function that it is named for are both `coheval.report`."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        from coheval.report.making import report

        return report(*args, **named)


sys.modules[__name__].__class__ = _Callable
