"""How all figures look: sizes for print, one font, colours that the colour-blind can tell apart.

Settings hold inside `style()` alone. matplotlib reads some of them as late as it draws, so whatever measures or saves a
figure does so inside `style()` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from coheval.errors import ResourceError
from coheval.report._text import wrap

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.35, 6.9  # inches: the width of a column, and of a page with two
TEXT, SMALL = 7.5, 6.5  # points

# Okabe and Ito's palette without its yellow, which is too pale for a point on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P")  # six, so that 42 pairs with a colour come before one returns
BLUE, RED = COLOURS[:2]
INK, GREY, PALE = "#262626", "#737373", "#D9D9D9"

SETTINGS: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 300,
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": TEXT,
    "axes.labelsize": TEXT,
    "axes.titlesize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.handletextpad": 0.5,
    "text.parse_math": False,  # a `$` in a name is a `$`
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "axes.titlelocation": "left",
    "lines.linewidth": 1.1,
    "hatch.linewidth": 0.5,
    "svg.fonttype": "path",  # letters look the same wherever the file is opened
    "svg.hashsalt": "coheval",  # otherwise names inside the file are random
    "pdf.fonttype": 42,  # publishers refuse Type 3
}

_LOCK = RLock()  # two threads that change and restore settings at once would leave one's behind


@contextmanager
def style() -> Iterator[None]:
    """matplotlib's defaults with the settings above, whatever the user has set; theirs are back afterwards."""
    try:
        import matplotlib
    except ImportError as error:
        raise ResourceError(
            f"figures are drawn by matplotlib, which cannot be imported: {error}",
            hint="pip install 'coheval[figures]'",
        ) from None
    with _LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def blank(width: float, height: float) -> Figure:
    """An empty figure of a size in inches that makes room for its labels by itself."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.03))


def finish(figure: Figure, title: str | None, notes: list[str]) -> Figure:
    """A title above and notes below, as wide as the figure."""
    room = figure.get_figwidth() - 0.1
    if title:
        figure.suptitle(wrap(title, room, TEXT), x=0.01, ha="left", fontsize=TEXT, weight="bold")
    if notes:
        text = "\n".join(wrap(note, room, SMALL) for note in notes)
        figure.supxlabel(text, x=0.01, ha="left", fontsize=SMALL, color=GREY)
    return figure


def legend(figure: Figure, handles: list[Artist], columns: int) -> None:
    """Above the figure, where it covers no point."""
    figure.legend(handles=handles, loc="outside upper left", ncols=columns, borderpad=0.1, columnspacing=1.2)


def oriented(name: str, *, higher_is_better: bool) -> str:
    """An axis label that says which scores are good."""
    return f"{name} (higher is better)" if higher_is_better else f"{name} (lower is better, axis reversed)"
