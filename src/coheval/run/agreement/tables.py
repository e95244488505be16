"""Agreement as a table: plain text, CSV, LaTeX, JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from coheval.run.agreement.result import Agreed, Agreement, Difference
from coheval.run.tables import NOTHING, aligned, booktabs, escape, records


def text(agreement: Agreement) -> str:
    """Each metric's values by aspect, then how the metrics rank in the last one, then the raters."""
    aspects = agreement.aspects
    values = [[m, *(_interval(agreement.row(m, aspect)) for aspect in aspects)] for m in _ordered(agreement)]
    parts = [
        f"{agreement.conditions}\n{agreement.options.told(tests=bool(agreement.differences))}\n",
        aligned(["metric", *aspects], values, [False, *(True for _ in aspects)]),
        _ranking(agreement, aspects[-1]),
    ]
    if agreement.reliability:
        heads = ["raters' aspect", "raters", "units", "alpha", "equal"]
        rows = [
            [r.aspect, f"{r.raters}", f"{r.units}", _figure(r.alpha), _figure(r.agreement)]
            for r in agreement.reliability
        ]
        parts.append(aligned(heads, rows, [False, True, True, True, True]))
    parts += [f"{row.metric}, {row.aspect}: no value, as {row.reason}\n" for row in agreement.rows if row.reason]
    return "\n".join(parts)


def differences(agreement: Agreement) -> str:
    """Every pair of metrics in every aspect."""
    heads = ["aspect", "metric", "other", "difference", "interval", "p", "adjusted"]
    body = [
        [d.aspect, d.metric, d.other, _figure(d.difference), _between(d.low, d.high), _figure(d.p), _starred(d)]
        for d in agreement.differences
    ]
    return aligned(heads, body, [False, False, False, True, True, True, True])


def differences_csv(agreement: Agreement) -> str:
    return records([asdict(row) for row in agreement.differences])


def comma_separated(agreement: Agreement) -> str:
    """A line for each metric and aspect, in full precision; an undefined value is an empty cell."""
    rows = [asdict(row) for row in agreement.rows]
    for row in rows:
        row["groups"] = " ".join(f"{group}={value}" for group, value in row["groups"].items())
        row["rank"] = "" if row["rank"] is None else "-".join(map(str, row["rank"]))
    return records(rows)


def latex(agreement: Agreement) -> str:
    """A booktabs table; the highest value of each aspect is bold, a star marks what is significantly below it."""
    aspects = agreement.aspects
    behind = {a: agreement.behind(a) for a in aspects}
    best = {
        a: max((r.value for r in agreement.rows if r.aspect == a and r.value is not None), default=None)
        for a in aspects
    }
    body = [
        [escape(m), *(_latex(agreement.row(m, a), best[a], behind[a].get(m)) for a in aspects)]
        for m in _ordered(agreement)
    ]
    head = f"% {agreement.conditions}; {agreement.options.told(tests=bool(agreement.differences))}\n"
    return head + booktabs("l" + "r" * len(aspects), [["metric", *map(escape, aspects)]], body)


def json_text(agreement: Agreement) -> str:
    return agreement.to_json() + "\n"


FORMATS: dict[str, Callable[[Agreement], str]] = {
    "text": text,
    "json": json_text,
    "csv": comma_separated,
    "latex": latex,
}


def _ordered(agreement: Agreement) -> list[str]:
    """The metrics, best first in the last aspect; those without a value last."""
    values = {m: agreement.row(m, agreement.aspects[-1]).value for m in agreement.metrics}
    return sorted(values, key=lambda m: -values[m] if values[m] is not None else float("inf"))  # type: ignore[operator]


def _ranking(agreement: Agreement, aspect: str) -> str:
    best, *_ = _ordered(agreement)
    behind = agreement.behind(aspect)
    rows = [_ranked(agreement.row(metric, aspect), behind.get(metric)) for metric in _ordered(agreement)]
    heads = ["metric", aspect, f"behind {best}", "p", "rank", "cluster", "n"]
    return aligned(heads, rows, [False, *(True for _ in heads[1:])])


def _ranked(row: Agreed, behind: Difference | None) -> Sequence[str]:
    lag = f"{_figure(behind.difference)} {_between(behind.low, behind.high)}" if behind else ""
    rank = NOTHING if row.rank is None else "–".join(dict.fromkeys(map(str, row.rank)))
    cluster = NOTHING if row.cluster is None else str(row.cluster)
    return [row.metric, _figure(row.value), lag, _starred(behind) if behind else "", rank, cluster, f"{row.count:,}"]


def _interval(row: Agreed) -> str:
    return NOTHING if row.value is None else f"{_figure(row.value)} {_between(row.low, row.high)}"


def _latex(row: Agreed, best: float | None, behind: Difference | None) -> str:
    if row.value is None:
        return "--"
    figure = rf"\textbf{{{row.value:.3f}}}" if row.value == best else f"{row.value:.3f}"
    figure += "$^{*}$" if behind and behind.significant else ""
    return figure if row.low is None else f"{figure} {{\\small[{row.low:.3f}, {row.high:.3f}]}}"


def _starred(difference: Difference) -> str:
    return _figure(difference.adjusted) + ("*" if difference.significant else " ")


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def _figure(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"
