"""Judgements put beside the scores of the same texts.

Every judgement must have its text in the run: otherwise names do not match, and the run stops, or drops and counts
what has none where that was asked for. A rating of a document is one of its segment where it has just one; where only
segments were rated, a document's rating is their mean. Texts that nobody judged are left out of everything and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from coheval.algo.correlation import ratio
from coheval.data.judgements import Judgements
from coheval.errors import DataError, UsageError
from coheval.run.agreement.conditions import Level
from coheval.run.agreement.grid import Array, Grid, ItemLevel, Mask, Pairs, Places, rounded
from coheval.run.scoretable import ScoreTable


@dataclass(frozen=True)
class Matched:
    """The grids of one aspect, and what did not match."""

    grids: list[Grid]
    dropped: int  # judgements without a text
    unused: int  # judgements of whole documents or systems, where smaller texts are looked at
    ties: int  # comparisons in which people found both equal
    unjudged: int  # segments that nobody judged


def match(table: ScoreTable, judgements: Judgements, aspect: str, level: Level, *, drop: bool) -> Matched:
    """The grids of an aspect at a level; `drop` judgements that have no text."""
    if judgements.means(aspect) and judgements.preferences_of(aspect):
        raise DataError(
            f"{aspect!r} has ratings and comparisons, of which only one kind can be looked at",
            hint="give the comparisons an aspect of their own",
        )
    found = _Found(table)
    found.take(judgements, aspect)
    if found.unmatched and not drop:
        raise _no_text(found.unmatched, table)
    items = found.items(level)
    of_systems = level == "system" and not np.isnan(found.systems).all()
    if not of_systems and not found.at(items):
        raise _no_judgement(found, aspect, items)
    groups: dict[str, list[int]] = {}
    for number, document in enumerate(table.documents):
        groups.setdefault(judgements.groups.get(document, ""), []).append(number)
    judged = found.everything() if of_systems else found.judged(items)
    grids = [found.grid(name, members, items, judged, of_systems) for name, members in groups.items()]
    grids = [grid for grid in grids if len(grid.items) and len(grid.systems)]
    unjudged = int((table.present & ~judged["segment"]).sum())
    return Matched(grids, len(found.unmatched), found.unused(items, of_systems), found.ties, unjudged)


@dataclass
class _Comparisons:
    """Preferences as places in the table; -1 where the judgement says nothing at that level."""

    better: list[int] = field(default_factory=list)
    worse: list[int] = field(default_factory=list)
    segment: list[int] = field(default_factory=list)
    document: list[int] = field(default_factory=list)


class _Found:
    """What people said, at the places of a table."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        size, units, documents = len(table.systems), len(table.units), len(table.documents)
        self.segments: Array = np.full((size, units), np.nan)
        self.documents: Array = np.full((size, documents), np.nan)
        self.systems: Array = np.full(size, np.nan)
        self.compared = _Comparisons()
        self.unmatched: list[tuple[str, str]] = []  # where the judgement is, and what it is of
        self.ties = 0
        self._system = {name: n for n, name in enumerate(table.systems)}
        self._document = {name: n for n, name in enumerate(table.documents)}
        self._unit = {unit: n for n, unit in enumerate(table.units)}
        counts = np.bincount(table.document_of, minlength=documents)
        self._has = self._any_segment(table.present)
        self._only = {int(d): n for n, d in enumerate(table.document_of) if counts[d] == 1}

    def take(self, judgements: Judgements, aspect: str) -> None:
        where = {rating.unit: rating.where for rating in judgements.ratings if rating.aspect == aspect}
        for (system, document, segment), value in judgements.means(aspect).items():
            if not self._rated(system, document, segment, value):
                self.unmatched.append((where[system, document, segment], _named([system], document, segment)))
        for judged in judgements.preferences_of(aspect):
            if not self._preferred(judged.better, judged.worse, judged.document, judged.segment, judged.tie):
                of = _named([judged.better, judged.worse], judged.document, judged.segment)
                self.unmatched.append((judged.where, of))
        self._complete()

    def items(self, level: Level) -> ItemLevel:
        """What a level looks at; systems are looked at through the smallest texts that were judged."""
        return "segment" if level == "segment" or (level == "system" and self.at("segment")) else "document"

    def at(self, level: ItemLevel) -> bool:
        """Whether anything was judged at a level."""
        values, compared = (
            (self.segments, self.compared.segment) if level == "segment" else (self.documents, self.compared.document)
        )
        return bool((~np.isnan(values)).any()) or any(place >= 0 for place in compared)

    def judged(self, items: ItemLevel) -> dict[str, Mask]:
        """By unit, the texts that people judged when texts of this size are looked at: [systems, units]."""
        values, places = (
            (self.segments, self.compared.segment) if items == "segment" else (self.documents, self.compared.document)
        )
        found = ~np.isnan(values)
        for side in (self.compared.better, self.compared.worse):
            there = [(system, place) for system, place in zip(side, places, strict=True) if place >= 0]
            found[tuple(np.array(there, dtype=np.intp).reshape(-1, 2).T)] = True
        if items == "segment":
            return {"segment": found, "document": self._any_segment(found)}
        return {"segment": found[:, self.table.document_of] & self.table.present, "document": found}

    def everything(self) -> dict[str, Mask]:
        """Where systems were rated as such, all texts of those that were count."""
        rated = ~np.isnan(self.systems)[:, None] & self.table.present
        return {"segment": rated, "document": self._any_segment(rated)}

    def unused(self, items: ItemLevel, of_systems: bool) -> int:
        """Judgements that say nothing about what is looked at."""
        whole = int((~np.isnan(self.systems)).sum())
        texts = int((~np.isnan(self._rated_segments)).sum() + (~np.isnan(self._rated_documents)).sum())
        if of_systems:
            return texts + len(self.compared.better)
        places = self.compared.segment if items == "segment" else self.compared.document
        elsewhere = sum(place < 0 for place in places)
        several = [d not in self._only for d in range(len(self.table.documents))]
        of_documents = int((~np.isnan(self._rated_documents[:, several])).sum())
        return whole + elsewhere + (of_documents if items == "segment" else 0)

    def grid(
        self, group: str, members: Sequence[int], level: ItemLevel, judged: Mapping[str, Mask], of_systems: bool
    ) -> Grid:
        document_of = self.table.document_of if level == "segment" else np.arange(len(self.table.documents))
        inside = np.isin(document_of, members)
        systems = np.flatnonzero(judged[level][:, inside].any(axis=1))
        items = np.flatnonzero(judged[level].any(axis=0) & inside)
        documents, block = np.unique(document_of[items], return_inverse=True)
        values = self.segments if level == "segment" else self.documents
        rated_as_such = self.systems[systems] if of_systems else None
        return Grid(
            group,
            level,
            systems,
            items,
            documents,
            block,
            rounded(values[np.ix_(systems, items)]),
            self._pairs(level, systems, items),
            rated_as_such,
            dict(judged),
        )

    def _rated(self, system: str, document: str | None, segment: int | None, value: float) -> bool:
        s = self._system.get(system)
        if s is None:
            return False
        if document is None:
            self.systems[s] = value
            return True
        if segment is None:
            d = self._document.get(document)
            known = d is not None and bool(self._has[s, d])
            if known:
                self.documents[s, d] = value
            return known
        u = self._unit.get((document, segment))
        known = u is not None and bool(self.table.present[s, u])
        if known:
            self.segments[s, u] = value
        return known

    def _preferred(self, better: str, worse: str, document: str, segment: int | None, tie: bool) -> bool:
        one, other = self._system.get(better), self._system.get(worse)
        u = self._unit.get((document, segment)) if segment is not None else None
        d = self._document.get(document)
        if one is None or other is None or d is None or (segment is not None and u is None):
            return False
        if not all(self._has[s, d] if u is None else self.table.present[s, u] for s in (one, other)):
            return False
        if tie:
            self.ties += 1
            return True
        self.compared.better.append(one)
        self.compared.worse.append(other)
        self.compared.segment.append(self._only.get(d, -1) if u is None else u)
        self.compared.document.append(d if u is None or d in self._only else -1)
        return True

    def _complete(self) -> None:
        """Give each level what the other says of it."""
        self._rated_documents, self._rated_segments = self.documents.copy(), self.segments.copy()
        for d, u in self._only.items():
            self.segments[:, u] = np.where(np.isnan(self.segments[:, u]), self.documents[:, d], self.segments[:, u])
        count = self._summed(~np.isnan(self.segments))
        total = self._summed(np.nan_to_num(self.segments))
        self.documents = np.where(np.isnan(self.documents), ratio(total, count), self.documents)

    def _summed(self, values: Array | Mask) -> Array:
        """Over the segments of each document: [systems, documents]."""
        size = len(self.table.documents)
        return np.stack([np.bincount(self.table.document_of, weights=row, minlength=size) for row in values])

    def _any_segment(self, segments: Mask) -> Mask:
        return self._summed(segments) > 0

    def _pairs(self, level: ItemLevel, systems: Places, items: Places) -> Pairs | None:
        places = np.array(self.compared.segment if level == "segment" else self.compared.document, dtype=np.intp)
        if not len(places):
            return None
        kept = np.isin(places, items)
        sides = (np.array(side)[kept] for side in (self.compared.better, self.compared.worse))
        better, worse = (np.searchsorted(systems, side) for side in sides)
        return Pairs(better, worse, np.searchsorted(items, places[kept]))


def _named(systems: Sequence[str], document: str | None, segment: int | None) -> str:
    parts = ["system " + " and ".join(repr(system) for system in systems)]
    parts += [f"document {document!r}"] if document is not None else []
    parts += [f"segment {segment}"] if segment is not None else []
    return ", ".join(parts)


def _no_text(unmatched: Sequence[tuple[str, str]], table: ScoreTable) -> DataError:
    where, of = unmatched[0]
    return DataError(
        f"{len(unmatched):,} judgements are of texts that the run does not have; the first is of {of}; the run has "
        f"systems {_some(table.systems)} and documents {_some(table.documents)}",
        where=where or None,
        hint="make the names match, or add --drop-unmatched (drop_unmatched=True) to leave such judgements out",
    )


def _no_judgement(found: _Found, aspect: str, level: ItemLevel) -> DataError | UsageError:
    other: ItemLevel = "document" if level == "segment" else "segment"
    if found.ties and not found.compared.better:
        return DataError(
            f"all {found.ties:,} comparisons of {aspect!r} are ties, which say nothing of what is better",
            hint="give comparisons in which people preferred one, or ratings",
        )
    if not np.isnan(found.systems).all():
        return UsageError(f"people rated systems here, not texts (aspect {aspect!r})", hint="choose the level system")
    if found.at(other):
        return UsageError(
            f"people judged whole {other}s here, so that there is nothing to say of {level}s (aspect {aspect!r})",
            hint=f"choose the level {other}",
        )
    return DataError(
        f"no text of the run has a judgement of {aspect!r}",
        where=found.unmatched[0][0] if found.unmatched else None,
        hint=f"the run has systems {_some(found.table.systems)} and documents {_some(found.table.documents)}",
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:3]) + (f" … ({len(names):,})" if len(names) > 3 else "")
