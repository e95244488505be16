"""The discourse of texts beside that of references as tables: plain text, CSV, LaTeX. Undefined figures are shown as
such, never as 0."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from coheval.algo.distributions import SMOOTHING
from coheval.run.discoursefigures import LOWER_IS_BETTER, Discourse, Figure, RelationFigures, Table
from coheval.run.tables import NOTHING, aligned, booktabs, cell, escape, head, latex_head, records

_NAMES = {
    "kl": "KL",
    "relation_f1": "relation F1",
    "nuclearity_f1": "nuclearity F1",
    "edu_f1": "EDU F1",
    "depth_rmse": "depth RMSE",
}
_MINUS = re.compile(r"(?<![^\s\[])-(?=\d+\.\d)")  # of a number, at the beginning or within an interval


def text(found: Discourse, table: Table | None) -> str:
    """What was done; all groups; all relations."""
    made = {"groups": _text_groups, "relations": _text_relations}
    return "\n".join([told(found), *(made[name](found) for name in made if table in (None, name))])


def comma_separated(found: Discourse, table: Table | None) -> str:
    """Full precision; an undefined figure is an empty cell. A file holds one table: groups, unless told otherwise."""
    rows = found.rows(table or "groups")
    return records(rows) if rows else ""


def latex(found: Discourse, table: Table | None) -> str:
    """Booktabs tables under a comment."""
    made = {"groups": _latex_groups, "relations": _latex_relations}
    comment = "".join(f"% {line}\n" for line in told(found).splitlines())
    return "\n".join([comment, *(made[name](found) for name in made if table in (None, name))])


def json_text(found: Discourse, table: Table | None) -> str:
    """Everything, whatever the table."""
    return found.to_json() + "\n"


FORMATS: dict[str, Callable[[Discourse, Table | None], str]] = {
    "text": text,
    "json": json_text,
    "csv": comma_separated,
    "latex": latex,
}


def told(found: Discourse) -> str:
    """What was done, in words."""
    return (
        f"{found.texts:,} texts; {found.resamples:,} resamples of them, seed {found.seed}; "
        f"[{100 * found.confidence:g} % interval]\n"
        f"KL: of relations, references ‖ group, in nats, {SMOOTHING:g} added to each count\n"
    )


def _text_groups(found: Discourse) -> str:
    heads = ["group", *(head(name, not LOWER_IS_BETTER[measure]) for measure, name in _NAMES.items())]
    return aligned(heads, list(_group_rows(found)), [False] * len(heads))


def _group_rows(found: Discourse) -> Iterator[list[str]]:
    """Figures of each group; of two groups their difference, too."""
    for group in found.groups:
        yield [cell(group), *(_shown(found.figure(measure, group)) for measure in _NAMES)]
    if len(found.groups) == 2:
        first, second = found.groups
        yield [f"{cell(first)} − {cell(second)}", *(_gap(found.difference(m, first, second)) for m in _NAMES)]


def _shown(figure: Figure) -> str:
    if figure.low is None:
        return cell(figure.value)
    return f"{cell(figure.value)} [{cell(figure.low)}, {cell(figure.high)}]"


def _gap(figure: Figure) -> str:
    if figure.value is None:
        return NOTHING
    return (
        f"{figure.value:+.4f}" if figure.low is None else f"{figure.value:+.4f} [{figure.low:+.4f}, {figure.high:+.4f}]"
    )


def _text_relations(found: Discourse) -> str:
    heads = ["relation", "references", *(f"{cell(group)} {what}" for group in found.groups for what in ("", "F1"))]
    body = list(_relation_rows(found))
    return aligned([h.rstrip() for h in heads], body, [False] + [True] * (len(heads) - 1))


def _relation_rows(found: Discourse) -> Iterator[list[str]]:
    """For each relation its share of the references, then its share and F1 in each group."""
    for row in found.relations:
        if row.group is None:
            cells = [cell(row.relation), _percent(row)]
        else:
            cells += [_percent(row), cell(row.f1)]
        if row.group == found.groups[-1]:
            yield cells


def _percent(row: RelationFigures) -> str:
    return NOTHING if row.share is None else f"{100 * row.share:.1f}%"


def _latex_groups(found: Discourse) -> str:
    heads = ["group", *(latex_head(name, not LOWER_IS_BETTER[measure]) for measure, name in _NAMES.items())]
    body = [[_latex(c) for c in row] for row in _group_rows(found)]
    return booktabs("l" + "r" * len(_NAMES), [heads], body)


def _latex_relations(found: Discourse) -> str:
    groups = [rf"\multicolumn{{2}}{{c}}{{{escape(cell(group))}}}" for group in found.groups]
    heads = [["", "", *groups], ["relation", "references", *(["share", "F1"] * len(groups))]]
    body = [[_latex(c) for c in row] for row in _relation_rows(found)]
    return booktabs("lr" + "rr" * len(groups), heads, body)


def _latex(figure: str) -> str:
    return _MINUS.sub("$-$", escape(figure).replace("−", "$-$").replace(NOTHING, "--"))
