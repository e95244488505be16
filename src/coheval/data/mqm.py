"""MQM error annotations: a row for each error that a rater marked, made into a penalty for each rater and segment.

    system  doc  doc_id  seg_id  rater  source  target  category              severity
    A       d1   1       1       r1     …       …       Fluency/Punctuation   Minor

The penalty is the sum of the errors' weights; a segment that a rater found free of errors has a row that says so
(No-error) and the penalty 0. Weights are Google's (Freitag et al. 2021, "Experts, Errors, and Context"): a major error
5, a minor one 1, minor punctuation 0.1, a segment that is no translation 25, neutral remarks 0. The most specific entry
counts: severity/category/subcategory, severity/category, severity; upper and lower case and a "!" are alike. An error
that no entry covers is refused; in mt-metrics-eval's score_mqm it costs nothing.

`doc_id` is the number of the segment in its document and `seg_id` its number in the whole test set, both counted from
1 (google/wmt-mqm-human-evaluation). Since 2023 they are called docSegId and globalSegId; MQM Viewer's page calls them
doc_seg_id and global_seg_id. Segments here count from 0, so a row is of segment doc_id - 1. In TSV, quotes are
characters as any other: that is how these files are written.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from coheval.data.csvfile import delimiter, table
from coheval.data.judgedrows import Found, Place, counted
from coheval.data.lines import FilePath, lines, shown
from coheval.errors import DataError, UsageError

ASPECT = "mqm"
WEIGHTS: Mapping[str, float] = {
    "major": 5,
    "minor": 1,
    "neutral": 0,
    "no-error": 0,
    "major/non-translation": 25,
    "minor/fluency/punctuation": 0.1,
}
COLUMNS = ("system", "doc", "rater", "category", "severity")
SEGMENT_COLUMNS = ("docSegId", "doc_seg_id", "doc_id")  # one of them


def is_mqm(names: Iterable[str]) -> bool:
    return {"category", "severity"} <= set(names)


def read_mqm(path: FilePath, *, weights: Mapping[str, float] | None = None) -> Found:
    """Penalties by rater and segment, aspect "mqm"; less is better."""
    cost = _checked(WEIGHTS if weights is None else weights)
    penalties: defaultdict[tuple[str, str, int, str], list[float]] = defaultdict(list)
    where_of: dict[tuple[str, str, int, str], str] = {}
    for where, row in _rows(path):
        key = _key(row, where=where)
        penalties[key].append(_penalty(cost, row["severity"], row["category"], where=where))
        where_of.setdefault(key, where)
    found = Found()
    for (system, document, segment, rater), costs in penalties.items():
        where = where_of[system, document, segment, rater]
        found.rate(Place(system, document, segment, ASPECT, rater, None, where), ASPECT, math.fsum(costs))
    return found


def _key(row: Mapping[str, str], *, where: str) -> tuple[str, str, int, str]:
    for name in ("system", "doc", "rater"):
        if not row[name].strip():
            raise DataError(f"expected a {name}, got an empty field", where=where, hint="is the row whole?")
    hint = "it is the number of the segment in its document; the name of the document is 'doc'"
    name = next(name for name in SEGMENT_COLUMNS if name in row)
    segment = counted(row[name], name, where=where, hint=hint) - 1
    return row["system"], row["doc"], segment, row["rater"]


def _checked(weights: Mapping[str, float]) -> dict[str, float]:
    for name, weight in weights.items():
        if not math.isfinite(weight):
            raise UsageError(f"the weight of {name!r} must be a finite number, got {weight}", hint="for example 5")
    return {_plain(name): float(weight) for name, weight in weights.items()}


def _penalty(cost: Mapping[str, float], severity: str, category: str, *, where: str) -> float:
    parts = [_plain(severity), *_plain(category).split("/")]
    for size in range(len(parts), 0, -1):
        if "/".join(parts[:size]) in cost:
            return cost["/".join(parts[:size])]
    raise DataError(
        f"there is no weight for the severity {severity!r} of {category!r}",
        where=where,
        hint=f'give a weight for it: --weights {_plain(severity)}=0 (weights={{…, "{_plain(severity)}": 0}}); '
        f"known: {', '.join(sorted(cost))}",
    )


def _plain(name: str) -> str:
    return "/".join(part.strip() for part in name.casefold().replace("!", "").split("/"))


def _rows(path: FilePath) -> Iterator[tuple[str, dict[str, str]]]:
    where, names, rows = _unquoted(path) if delimiter(path, "") == "\t" else table(path)
    _check_columns(names, where=where)
    for where, cells in rows:
        if len(cells) != len(names):
            raise DataError(
                f"expected {len(names)} fields as in the header, got {len(cells)}",
                where=where,
                hint="is the row whole?",
            )
        yield where, dict(zip(names, cells, strict=True))


def _unquoted(path: FilePath) -> tuple[str, list[str], Iterator[tuple[str, list[str]]]]:
    """What `csvfile.table` gives, for a file in which quotes are no quotes."""
    numbered = ((number, line) for number, line in enumerate(lines(path), start=1) if line)
    rows = ((f"{shown(path)}:{number}", line.split("\t")) for number, line in numbered)
    where, names = next(rows)
    return where, names, rows


def _check_columns(names: list[str], *, where: str) -> None:
    wanted = [(name,) for name in COLUMNS] + [SEGMENT_COLUMNS]
    lacking = [" or ".join(either) for either in wanted if set(either).isdisjoint(names)]
    if lacking:
        raise DataError(
            f"expected {', '.join(' or '.join(either) for either in wanted)} as columns, got no {', '.join(lacking)}",
            where=where,
            hint="name them in the first line as Google's MQM files do",
        )
