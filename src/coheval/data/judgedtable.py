"""Tables of judgements (CSV, TSV), each row made into the object that JSONL would have on a line.

    system,document,aspect,rater,value      long: a rating a row
    system,document,coherence,fluency       wide: every column that is no key and holds numbers is an aspect
    system,document,better,worse,tie        pairs
    A<TAB>0.5                               no header: system and score

An empty cell, or None, NA, NaN, null in any case, is no rating. Without a column called value, score, rating or human
the table is wide: a column counts whose first cell that is there is a number, and then all of them must be numbers. One
that has numbers below a first cell that is none is refused: it could be either. `aspects` names the columns otherwise.
Rows of WMT's rankings are in `rankings`, those of MQM in `mqm`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain

from coheval.data.fields import FIELD_OF
from coheval.data.judgedrows import KEY_OF, ROW_ID, refuse_misspelt
from coheval.data.rankings import RANKS, is_preference
from coheval.data.ratings import NUMBERS
from coheval.errors import DataError

Row = tuple[str, dict[str, str]]  # file:line, cell by column
MISSING = ("", "none", "na", "nan", "null")  # in any case, as Python, R, pandas and databases write it
TIES = {"": None, "true": True, "false": False, "1": True, "0": False}


def rows_of(where: str, names: Sequence[str], rows: Iterator[tuple[str, list[str]]]) -> list[Row]:
    """The rows of a table with its cells by column; a table without header has the columns system and score."""
    if len(names) == 2 and (_is_number(names[1]) or (_is_missing(names[1]) and names[0] not in KEY_OF)):
        rows, names = chain([(where, list(names))], rows), ("system", "score")
    twice = next((name for n, name in enumerate(names) if name in names[:n]), None)
    if twice is not None:
        raise DataError(f"the column {twice!r} is given twice", where=where, hint="keep one of them")
    return [(where, dict(zip(names, cells, strict=True))) for where, cells in rows]


def objects(
    rows: Sequence[Row], aspects: Sequence[str] | None, also: Collection[str] = ()
) -> Iterator[tuple[str, dict[str, object]]]:
    """Each row as JSONL would write it; where columns are chosen by `aspects`, those of `also` come with them."""
    where, names = rows[0]
    refuse_misspelt(names, where=where)
    keys = [name for name in names if name in KEY_OF or name == ROW_ID]
    rest = _rest(rows, keys, aspects, also)
    for where, cell_of in rows:
        yield where, {name: _key(name, cell_of[name]) for name in keys} | rest(where, cell_of)


def _rest(
    rows: Sequence[Row], keys: Sequence[str], aspects: Sequence[str] | None, also: Collection[str]
) -> Callable[[str, Mapping[str, str]], dict[str, object]]:
    """What a row says besides its key: decided once, by the columns."""
    names = [name for name in rows[0][1] if name not in keys]
    if RANKS in names:
        raise DataError(
            f"expected ratings, or better and worse, got {', '.join(map(repr, rows[0][1]))}",
            where=rows[0][0],
            hint=f'a cell holds no ranking; in JSONL it is "{RANKS}": {{"A": 1, "B": 2}}',
        )
    if is_preference(names):
        return _pair
    chosen = [name for name in names if name in (aspects or ())]
    if chosen:
        chosen += [name for name in names if name in also and name not in chosen]
    if not chosen or "aspect" in keys:
        values = [name for name in names if name in NUMBERS]
        if values:
            return lambda where, cell_of: {name: _number(name, cell_of[name], where=where) for name in values}
        chosen = _numeric(rows, [name for name in names if name not in FIELD_OF])
    if not chosen:
        raise DataError(
            f"expected a column with ratings, got {', '.join(map(repr, rows[0][1]))}",
            where=rows[0][0],
            hint=f"call it {', '.join(NUMBERS)}, or name the columns that are aspects",
        )
    return lambda where, cell_of: {"ratings": {name: _number(name, cell_of[name], where=where) for name in chosen}}


def _numeric(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The columns whose first cell that is there is a number."""
    chosen = []
    for name in names:
        cells = [(where, cell_of[name]) for where, cell_of in rows if not _is_missing(cell_of[name])]
        if cells and _is_number(cells[0][1]):
            chosen.append(name)
        elif numbers := [cell for _, cell in cells if _is_number(cell)]:
            where, first = cells[0]
            raise DataError(
                f"{name} must be numbers or none, got {first[:40]!r} and, below it, {numbers[0][:40]!r}",
                where=where,
                hint="where there is no rating, leave the cell empty; if this is no aspect, name the columns that are",
            )
    return chosen


def _pair(where: str, cell_of: Mapping[str, str]) -> dict[str, object]:
    tie = cell_of.get("tie", "").strip().lower()
    if tie not in TIES:
        raise DataError(f"tie must be true or false, got {tie!r}", where=where, hint="leave it empty for false")
    return {name: cell_of[name] for name in ("better", "worse") if name in cell_of} | {"tie": TIES[tie]}


def _key(name: str, cell: str) -> object:
    """An empty cell says that there is none."""
    if not cell.strip():
        return None
    return int(cell) if name == "segment" and cell.isdecimal() and len(cell) < 19 else cell


def _number(name: str, cell: str, *, where: str) -> float | None:
    if _is_missing(cell):
        return None
    try:
        return float(cell)
    except ValueError:
        raise DataError(
            f"{name} must be a number, got {cell[:40]!r}",
            where=where,
            hint="where there is no rating, leave the cell empty; or name the columns that are aspects",
        ) from None


def _is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
