"""A bench as tables: plain text, CSV, LaTeX. Undefined figures are shown as such, never as 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coheval.run.benchfigures import Accuracy, Bench, Difference, Table
from coheval.run.tables import NOTHING, aligned, booktabs, cell, escape, records

_DIFFERENCES = ["difference", "phenomenon", "{count}", "of accuracies", "only first", "only second", "p"]


def text(found: Bench, table: Table | None = None) -> str:
    """What was done; accuracies by phenomenon; what context changes."""
    made: dict[Table, Callable[[Bench], str]] = {"accuracy": _text_accuracies, "differences": _text_differences}
    if table == "groups":
        rows = found.rows("groups")
        return aligned(list(rows[0]), [list(map(cell, row.values())) for row in rows], [n == "score" for n in rows[0]])
    parts = [part(found) for name, part in made.items() if table in (None, name)]
    return "\n".join([told(found), *filter(None, parts)])


def comma_separated(found: Bench, table: Table | None = None) -> str:
    """Full precision; one table: accuracies, unless told otherwise. An empty phenomenon is all groups."""
    rows = found.rows(table or "accuracy")
    return records(rows) if rows else ""


def latex(found: Bench, table: Table | None = None) -> str:
    """A booktabs table of accuracies under a comment."""
    comment = "".join(f"% {line}\n" for line in told(found).splitlines())
    body = [[_latex(c) for c in row] for row in _rows(found)]
    return comment + booktabs("ll" + "r" * (len(_heads(found)) - 2), [[escape(h) for h in _heads(found)]], body)


def json_text(found: Bench, table: Table | None = None) -> str:
    """Everything, whatever the table."""
    return found.to_json() + "\n"


FORMATS: dict[str, Callable[[Bench, Table | None], str]] = {
    "text": text,
    "json": json_text,
    "csv": comma_separated,
    "latex": latex,
}


def told(found: Bench) -> str:
    """What was done, in words."""
    settings = found.settings
    source = "; the text before is the source" if settings.source == "context" else ""
    return (
        f"{_counted(found)}; accuracy: the right variant is strictly the best{source}\n"
        f"[{100 * settings.confidence:g} % interval] of {settings.resamples:,} resamples, seed {settings.seed}\n"
    )


def _counted(found: Bench) -> str:
    if found.settings.count == "groups":
        return f"{found.count():,} groups"
    return f"{found.count():,} pairs of {len(found.instances.groups):,} groups"


def _text_accuracies(found: Bench) -> str:
    heads = _heads(found)
    return aligned(heads, list(_rows(found)), [False, False] + [True] * (len(heads) - 2))


def _heads(found: Bench) -> list[str]:
    return [
        "metric",
        "context",
        *_columns(found),
        f"all {found.settings.count}",
        "interval",
        "ties half",
        "ties",
        "left out",
    ]


def _columns(found: Bench) -> list[str]:
    """The phenomena, where there are several."""
    return [cell(name) for name in found.phenomena] if len(found.phenomena) > 1 else []


def _rows(found: Bench) -> Iterator[list[str]]:
    names = found.phenomena if len(found.phenomena) > 1 else []
    for metric in found.metrics:
        for context in found.contexts:
            total = found.accuracy(metric, context)
            single = [cell(found.accuracy(metric, context, name).accuracy) for name in names]
            yield [
                cell(metric),
                context,
                *single,
                cell(total.accuracy),
                _interval(total),
                cell(total.accuracy_ties_half),
                str(total.ties),
                str(total.left_out),
            ]
    for cue in found.cues:
        total = found.cue(cue)
        single = [cell(found.cue(cue, name).accuracy_ties_half) for name in names]
        half = cell(total.accuracy_ties_half)
        yield [f"cue: {cue}", "", *single, half, "", half, str(total.ties), str(total.left_out)]
    yield ["chance", "", *(cell(found.chance(name)) for name in [*names, None]), "", "", "", ""]
    yield [found.settings.count, "", *(f"{found.count(name):,}" for name in [*names, None]), "", "", "", ""]


def _interval(figure: Accuracy) -> str:
    return NOTHING if figure.low is None else f"[{cell(figure.low)}, {cell(figure.high)}]"


def _text_differences(found: Bench) -> str:
    body = [_difference(found, one) for name in _compared(found) for one in found.compared(name)]
    heads = [head.format(count=found.settings.count) for head in _DIFFERENCES]
    return aligned(heads, body, [False, False] + [True] * (len(heads) - 2)) if body else ""


def _compared(found: Bench) -> list[str | None]:
    return [*found.phenomena, None] if len(found.phenomena) > 1 else [None]


def _difference(found: Bench, gain: Difference) -> list[str]:
    if gain.difference is None:
        shown = NOTHING
    elif gain.low is None:
        shown = f"{gain.difference:+.4f}"
    else:
        shown = f"{gain.difference:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]"
    name = f"all {found.settings.count}" if gain.phenomenon is None else cell(gain.phenomenon)
    counts = [str(gain.only_first), str(gain.only_second)]
    return [_named(found, gain), name, f"{gain.groups:,}", shown, *counts, _p(gain.p)]


def _named(found: Bench, gain: Difference) -> str:
    """With − without, or two metrics."""
    if len(found.contexts) == 2:
        return f"{cell(gain.first)} − without"
    return " − ".join(cell(side.removesuffix(f" {found.contexts[0]}")) for side in (gain.first, gain.second))


def _p(p: float | None) -> str:
    return "<0.0001" if p is not None and p < 0.0001 else cell(p)


def _latex(figure: str) -> str:
    return escape(figure).replace(NOTHING, "--")
