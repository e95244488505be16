"""A comparison as tables: plain text, CSV, LaTeX. Undefined figures are shown as such, never as 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coheval.run.comparison import Comparison, PairFigures, Settings, SystemFigures, Table
from coheval.run.result import Score
from coheval.run.tables import NOTHING, aligned, booktabs, cell, escape, head, latex_head, records


def text(comparison: Comparison, table: Table | None) -> str:
    """What was done; all metrics side by side, two lines a system; then all pairs."""
    made = {"systems": _text_systems, "pairs": _text_pairs}
    return "\n".join([told(comparison), *(made[name](comparison) for name in made if table in (None, name))])


def comma_separated(comparison: Comparison, table: Table | None) -> str:
    """Full precision; an undefined figure is an empty cell. A file holds one table: systems, unless told otherwise."""
    return records(comparison.rows(table or "systems"))


def latex(comparison: Comparison, table: Table | None) -> str:
    """Booktabs tables under a comment that says what their signs mean."""
    made = {"systems": _latex_systems, "pairs": _latex_pairs}
    signs = told(comparison, of_best="bold: the best, and what is not significantly worse")
    comment = "".join(f"% {line}\n" for line in signs.splitlines())
    return "\n".join([comment, *(made[name](comparison) for name in made if table in (None, name))])


def json_text(comparison: Comparison, table: Table | None) -> str:
    """Everything, whatever the table."""
    return comparison.to_json() + "\n"


FORMATS: dict[str, Callable[[Comparison, Table | None], str]] = {
    "text": text,
    "json": json_text,
    "csv": comma_separated,
    "latex": latex,
}

_CORRECTIONS = {"holm": "Holm", "benjamini-hochberg": "Benjamini and Hochberg"}


def told(comparison: Comparison, *, of_best: str = "#: cluster and ranks") -> str:
    """What was done, and what the signs of tables mean; `of_best` is told of tables that look for the best system."""
    s = comparison.settings
    best = "the best" if s.baseline is None else cell(s.baseline)
    more = f"; {of_best}" if s.baseline is None else ""
    return f"{resampled(comparison)}\nΔ: difference from {best}; p: {tested(comparison)}; * p < {s.alpha:g}{more}\n"


def resampled(comparison: Comparison) -> str:
    s = comparison.settings
    return (
        f"{comparison.documents:,} documents; {s.resamples:,} resamples of them, seed {s.seed}; "
        f"[{100 * s.confidence:g} % interval]"
    )


def tested(comparison: Comparison) -> str:
    """The test, and for how many pairs its p values are corrected."""
    s = comparison.settings
    pairs = len(next(iter(comparison.values())).pairs)
    if s.correction not in _CORRECTIONS or pairs < 2:
        return s.test
    return f"{s.test} corrected for {pairs:,} pairs after {_CORRECTIONS[s.correction]}"


def _text_systems(comparison: Comparison) -> str:
    heads = ["system", *(head(name, one.higher_is_better) for name, one in comparison.items())]
    widths = [max(len(_place(f)) for f in one.systems) for one in comparison.values()]
    body = []
    for figures in _by_system(comparison):
        of_metrics = list(zip(figures, widths, strict=True))
        body.append([cell(figures[0].system), *(f"{_place(f):<{w}}{_score(f)}" for f, w in of_metrics)])
        if any(f.difference is not None for f in figures):
            body.append(["", *(f"{'':<{w}}{_difference(f)}" for f, w in of_metrics)])
    return aligned(heads, body, [False] * len(heads))


def _by_system(comparison: Comparison) -> Iterator[list[SystemFigures]]:
    """Each system's figures under all metrics, in the order of the first metric."""
    by_name = [{f.system: f for f in one.systems} for one in comparison.values()]
    for system in by_name[0]:
        yield [of_metric[system] for of_metric in by_name]


def _place(figures: SystemFigures) -> str:
    """Cluster and ranks."""
    if figures.cluster is None:
        return ""
    ranks = {figures.best_rank: None, figures.worst_rank: None}  # one or two
    return f"#{figures.cluster} {'-'.join(map(str, ranks))}  "


def _score(figures: SystemFigures) -> str:
    return f"{cell(figures.score)} {_interval(figures)}"


def _difference(figures: SystemFigures) -> str:
    if figures.difference is None:
        return ""
    return f"Δ {figures.difference:+.4f}  p {_p(figures.p)}{'*' if figures.significant else ''}"


def _interval(figures: SystemFigures | PairFigures) -> str:
    return "" if figures.low is None else f"[{cell(figures.low)}, {cell(figures.high)}]"


def _p(p: Score) -> str:
    return NOTHING if p is None else f"{p:.4f}" if p >= 0.0001 else "<0.0001"


_PAIR_HEADS = ["metric", "system", "compared with", "difference", "interval", "bootstrap p", "randomisation p"]
_EFFECT_HEADS = ["d", "won", "tied", "lost"]


def _text_pairs(comparison: Comparison) -> str:
    body = [
        [head(name, one.higher_is_better), cell(pair.first), cell(pair.second), *_pair_cells(pair, comparison.settings)]
        for name, one in comparison.items()
        for pair in one.pairs
    ]
    return aligned([*_PAIR_HEADS, *_EFFECT_HEADS], body, [False] * 3 + [True] * 8)


def _pair_cells(pair: PairFigures, settings: Settings) -> list[str]:
    star = "*" if pair.significant else " "
    return [
        NOTHING if pair.difference is None else f"{pair.difference:+.4f}",
        _interval(pair) or NOTHING,
        _p(pair.bootstrap_p) + (star if settings.test == "bootstrap" else ""),
        _p(pair.randomisation_p) + (star if settings.test == "randomisation" else ""),
        NOTHING if pair.effect is None else f"{pair.effect:+.2f}",
        *(NOTHING if share is None else f"{100 * share:.0f}%" for share in (pair.won, pair.tied, pair.lost)),
    ]


def _latex_systems(comparison: Comparison) -> str:
    groups = [
        rf"\multicolumn{{3}}{{c}}{{{latex_head(name, one.higher_is_better)}}}" for name, one in comparison.items()
    ]
    heads = [["", *groups], ["system", *(["score", r"$\Delta$", "$p$"] * len(groups))]]
    body = [
        [escape(cell(figures[0].system)), *(c for f in figures for c in _latex_cells(f, comparison.settings))]
        for figures in _by_system(comparison)
    ]
    return booktabs("l" + "rrr" * len(groups), heads, body)


def _latex_cells(figures: SystemFigures, settings: Settings) -> list[str]:
    score = _latex(cell(figures.score))
    if figures.score is not None and settings.baseline is None and not figures.significant:
        score = rf"\textbf{{{score}}}"
    if figures.low is not None:
        score += rf" {{\scriptsize {_latex(_interval(figures))}}}"
    difference = NOTHING if figures.difference is None else f"{figures.difference:+.4f}"
    return [score, _latex(difference), _latex(_p(figures.p) + ("*" if figures.significant else ""))]


def _latex_pairs(comparison: Comparison) -> str:
    body = [
        [
            latex_head(name, one.higher_is_better),
            escape(cell(pair.first)),
            escape(cell(pair.second)),
            *(_latex(c.strip()) for c in _pair_cells(pair, comparison.settings)),
        ]
        for name, one in comparison.items()
        for pair in one.pairs
    ]
    heads = [*_PAIR_HEADS[:5], "bootstrap $p$", "randomisation $p$", "$d$", *_EFFECT_HEADS[1:]]
    return booktabs("lllrrrrrrrr", [heads], body)


_LATEX_SIGNS = {"+": "$+$", "-": "$-$", "<": "$<$", "%": r"\%", "*": "$^{*}$", NOTHING: "--"}


def _latex(figure: str) -> str:
    """A figure of the text table as LaTeX writes it: with true minus signs."""
    return "".join(_LATEX_SIGNS.get(c, c) for c in figure)
