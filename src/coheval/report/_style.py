"""How all figures look: sizes for print, one font, colours that the colour-blind can tell apart.

Settings hold inside `style()` alone. matplotlib reads some of them as late as it draws, so whatever measures or saves a
figure does so inside `style()` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from coheval.errors import ResourceError
from coheval.report._text import points_wide, wrap

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.35, 6.9  # inches: the width of a column, and of a page with two
TEXT, SMALL = 7.5, 6.5  # points

# Okabe and Ito's palette without its yellow, which is too pale for a point on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P")  # six, so that 42 pairs with a colour come before one returns
BLUE, RED = COLOURS[:2]
INK, GREY, PALE = "#262626", "#666666", "#D9D9D9"

SETTINGS: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 300,
    "font.size": TEXT,
    "axes.labelsize": TEXT,
    "axes.titlesize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.handletextpad": 0.5,
    "legend.borderpad": 0.1,
    "legend.columnspacing": 1.2,
    "text.parse_math": False,  # a `$` in a name is a `$`
    "text.hinting": "none",  # letters keep their widths at any resolution, so the layout holds in every format
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

# For letters that DejaVu Sans, which comes with matplotlib, does not have: whichever of these are installed.
_FALLBACKS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Noto Sans Devanagari",
    "Arial Unicode MS",
    "Unifont",
)

_BOLD = 1.15  # how much wider bold letters are

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
        matplotlib.rcParams.update(SETTINGS | {"font.family": families()})
        yield


@cache
def families() -> list[str]:
    """The font, and those in which letters are looked for that it lacks."""
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    return ["DejaVu Sans", *(name for name in _FALLBACKS if name in installed)]


def blank(width: float, height: float) -> Figure:
    """An empty figure of a size in inches that makes room for its labels by itself."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.05))


def finish(
    figure: Figure, title: str | None, notes: list[str], *, keys: Sequence[Artist] = (), columns: int = 1
) -> None:
    """A title and a legend above, where they cover no point, and notes below; none wider than the figure."""
    room = figure.get_figwidth() - 0.15
    heading = wrap(title, room, TEXT * _BOLD) if title else None
    if keys:
        above = figure.legend(handles=keys, loc="outside upper left", ncols=columns, title=heading, alignment="left")
        above.get_title().set(fontsize=TEXT, weight="bold")
    elif heading:
        figure.suptitle(heading, x=0.01, ha="left", fontsize=TEXT, weight="bold")
    if notes:
        text = "\n".join(wrap(note, room, SMALL) for note in notes)
        figure.supxlabel(text, x=0.01, ha="left", fontsize=SMALL, color=GREY)


def fit(figure: Figure, axes: Axes, *, width: float | None = None, height: float, rows: int = 1) -> None:
    """Makes the axes, which are in one of so many rows, so many inches large; the figure grows or shrinks with them. It
    stays as wide as it is if no width is given."""
    figure.set_figheight(figure.get_figheight() + 6)  # whatever the texts are, there is room for axes to begin with
    for _ in range(3):  # what surrounds the axes changes a little with the figure's size
        figure.draw_without_rendering()
        now = axes.get_position()
        across, up = figure.get_size_inches()
        more = (width - now.width * across if width else 0.0), rows * (height - now.height * up)
        figure.set_size_inches(across + more[0], up + more[1])
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # another layout at each drawing would move everything by a hair


def columns_of(panels: int) -> int:
    """In how many columns panels stand."""
    return {1: 1, 2: 2, 4: 2}.get(panels, 3 if panels <= 9 else 4)


def oriented(metric: str, inches: float, *, higher_is_better: bool) -> str:
    """An axis label that says which scores are good, on a line of its own if the metric's name is long."""
    told = "(higher is better)" if higher_is_better else "(lower is better, axis reversed)"
    if points_wide(f"{metric} {told}", TEXT) <= inches * 72:
        return f"{metric} {told}"
    return f"{wrap(metric, inches, TEXT, most=3)}\n{wrap(told, inches, TEXT)}"
