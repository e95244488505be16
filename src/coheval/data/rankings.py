"""Preferences in rows: better and worse systems, and rankings, which are all their pairs.

    {"document": "d1", "segment": 0, "better": "A", "worse": "B", "rater": "r1"}
    {"document": "d1", "better": "A", "worse": "B", "tie": true}       equally good
    {"document": "d1", "ranks": {"A": 1, "B": 2, "C": 2}}              1 is best; B and C are a tie

WMT's ranking files are tables with a row for each ranking: srclang, trglang, srcIndex (a line of the test set, counted
from 1), judgeId, system1Id … system5Id, system1rank … system5rank. 1 is best, and -1 says that no rank was given. Their
documentId and segmentId repeat srcIndex or come from another year, so that a judgement is of the n-th document: what
the n-th line is in files without documents. With a documents file, it is of the line's document and segment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from coheval.data.fields import name_of, shown_value
from coheval.data.judgedrows import PREFERENCE, Found, Place, counted, names_of, number
from coheval.errors import DataError, did_you_mean

SYSTEM_COLUMN = re.compile(r"system(\d+)(id|rank)", re.IGNORECASE)
NO_RANK = "-1"
RANKS = "ranks"


def is_preference(names: Iterable[str]) -> bool:
    return not {"better", "worse", RANKS}.isdisjoint(names)


def is_wmt_ranking(names: Iterable[str]) -> bool:
    return {"system1id", "system1rank", "system2id", "system2rank"} <= {name.lower() for name in names}


def take_preferences(found: Found, place: Place, values: Mapping[str, object]) -> None:
    """The pair or the ranking of a row."""
    if RANKS in values:
        ranks = names_of(values, RANKS, where=place.where)
        _take_ranks(found, place, {s: number(r, f"ranks.{s}", where=place.where) for s, r in ranks.items()})
        return
    for name in ("better", "worse"):
        if name not in values:
            raise DataError(
                f"expected a pair, got no {name!r}", where=place.where, hint="a pair names both: 'better' and 'worse'"
            )
    better, worse = (name_of(values[name], name, where=place.where) for name in ("better", "worse"))
    found.prefer(place, better, worse, tie=_tie(values.get("tie"), where=place.where))


def take_wmt_rankings(
    rows: Sequence[tuple[str, Mapping[str, str]]],
    places: Sequence[tuple[str, int]] | None,
    *,
    pair: str | None,
    where: str,
) -> Found:
    """The rankings of one language pair; `places` are the document and segment of each line of the test set."""
    plain = [(at, {name.lower(): cell.strip() for name, cell in cell_of.items()}) for at, cell_of in rows]
    pair = _chosen({_pair(cell_of) for _, cell_of in plain}, pair, where=where)
    found = Found()
    for at, cell_of in plain:
        if _pair(cell_of) == pair:
            cell = cell_of.get("srcindex", cell_of.get("segmentid", ""))
            line = counted(cell, "srcIndex", where=at, hint="it counts the lines of the test set")
            document, segment = _unit(line, places, where=at)
            place = Place("", document, segment, None, cell_of.get("judgeid") or None, None, at)
            _take_ranks(found, place, _ranks(cell_of, where=at))
    return found


def _pair(cell_of: Mapping[str, str]) -> str:
    """The language pair of a row, in the file's own words: cze-eng, Czech-English."""
    return f"{cell_of.get('srclang', '')}-{cell_of.get('trglang', '')}"


def _chosen(pairs: Collection[str], pair: str | None, *, where: str) -> str:
    if pair is None and len(pairs) == 1:
        return next(iter(pairs))
    if pair is None:
        raise DataError(
            f"expected one language pair, found {', '.join(sorted(pairs))}",
            where=where,
            hint="name the pair: the same line is another text in each",
        )
    if pair not in pairs:
        raise DataError(f"there is no language pair {pair!r}", where=where, hint=did_you_mean(pair, pairs))
    return pair


def _unit(line: int, places: Sequence[tuple[str, int]] | None, *, where: str) -> tuple[str, int | None]:
    if places is None:
        return str(line), None
    if line > len(places):
        raise DataError(
            f"srcIndex is {line:,}, but the documents file has {len(places):,} lines",
            where=where,
            hint="are these the documents of this test set?",
        )
    return places[line - 1]


def _ranks(cell_of: Mapping[str, str], *, where: str) -> dict[str, float | None]:
    ranks: dict[str, float | None] = {}
    numbers = sorted({int(match[1]) for name in cell_of if (match := SYSTEM_COLUMN.fullmatch(name))})
    for n in numbers:
        system, rank = cell_of.get(f"system{n}id", ""), cell_of.get(f"system{n}rank", "")
        if not system and rank in ("", NO_RANK):
            continue  # fewer systems were shown than there are columns
        if rank != NO_RANK and not rank.isdecimal():
            raise DataError(
                f"system{n}rank must be a whole number, got {rank!r}", where=where, hint="where there is none, write -1"
            )
        if not system or system in ranks:
            raise DataError(
                f"expected the name of another system in system{n}Id, got {system!r}",
                where=where,
                hint="name each system of a ranking once",
            )
        ranks[system] = None if rank == NO_RANK else float(rank)
    return ranks


def _take_ranks(found: Found, place: Place, ranks: Mapping[str, float | None]) -> None:
    """All pairs of ranked systems; a system without a rank is in none of them."""
    if len(ranks) < 2:
        raise DataError(
            f"expected the ranks of two systems or more, got {len(ranks)}", where=place.where, hint="leave the row out"
        )
    found.missing[place.aspect or PREFERENCE] += sum(rank is None for rank in ranks.values())
    given = [(system, rank) for system, rank in ranks.items() if rank is not None]
    for (one, first), (other, second) in combinations(given, 2):
        better, worse = (one, other) if first <= second else (other, one)
        found.prefer(place, better, worse, tie=first == second)


def _tie(value: object, *, where: str) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise DataError(f"tie must be true or false, got {shown_value(value)}", where=where, hint="leave it out for false")
