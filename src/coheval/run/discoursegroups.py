"""Which texts of a corpus are compared with their references: each system's, or those that people like best and least.

A text is a segment; where people judged whole documents, a document. Of several references the first is taken that has
the text: for a document, all its segments. A document without such a reference is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import ratio
from coheval.data import Corpus
from coheval.data.judgements import Judgements
from coheval.errors import DataError, UsageError
from coheval.run.agreement.grid import Grid, ItemLevel
from coheval.run.agreement.match import match
from coheval.run.scoretable import ScoreTable

Unit = tuple[str, int]  # document and segment
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Groups:
    """What `discourse` takes."""

    candidates: dict[str, list[str]]
    references: list[str]
    notes: list[str] = field(default_factory=list)


def by_system(corpus: Corpus) -> Groups:
    """Every system, over the segments that all of them have."""
    texts = _Texts(corpus, "segment")
    shared = [unit for unit in texts.references if all(unit in own for own in texts.candidates.values())]
    if not shared:
        raise DataError("no segment is there of all systems", hint="give files of the same lines")
    left = len(texts.references) - len(shared)
    notes = [f"{left:,} of {len(texts.references):,} segments are left out: not all systems have them"] if left else []
    candidates = {system: [own[unit] for unit in shared] for system, own in texts.candidates.items()}
    return Groups(candidates, [texts.references[unit] for unit in shared], notes + texts.notes)


def good_and_bad(
    corpus: Corpus, judgements: Judgements, *, aspect: str | None = None, drop_unmatched: bool = False, seed: int = 1
) -> Groups:
    """For each text that people judged of several systems, the best one ("good") and the worst one ("bad").

    Where people compared systems, the best has won the largest share of its comparisons. Among equals one is drawn.
    A text whose systems are all equally good is left out, and so is one without a whole reference.
    """
    table = _table(corpus)
    level: ItemLevel = "segment" if _of_segments(judgements, table) else "document"
    matched = match(table, judgements, _aspect(judgements, aspect), level, drop=drop_unmatched)
    texts = _Texts(corpus, level)
    groups = Groups({"good": [], "bad": []}, [], texts.notes)
    rng = np.random.default_rng(seed)
    alone = 0  # texts without a whole reference
    for grid in matched.grids:
        for place, values in zip(grid.items.tolist(), _values(grid).T, strict=True):
            unit = table.units[place] if level == "segment" else (table.documents[place], 0)
            if unit not in texts.references:
                alone += 1
                continue
            ends = _ends(values, rng)
            for group, system in zip(groups.candidates, ends, strict=False):
                groups.candidates[group].append(texts.candidates[table.systems[grid.systems[system]]][unit])
            groups.references.extend([texts.references[unit]] if ends else [])
    judged = sum(len(grid.items) for grid in matched.grids)
    if alone == judged:
        raise DataError(
            "expected a reference that has all segments of a judged document, got none",
            hint="give a reference without blank lines, or judgements of segments",
        )
    left = judged - alone - len(groups.references)
    if left == judged - alone:
        raise DataError("people found no text better than another", hint="give judgements of several systems")
    if alone:
        groups.notes.append(f"{alone:,} of {judged:,} judged texts are left out: no reference has all their segments")
    if left:
        groups.notes.append(f"{left:,} of {judged:,} judged texts are left out: no system is better than another")
    return groups


def _ends(values: Array, rng: np.random.Generator) -> tuple[int, ...]:
    """Where the highest value is and where the lowest, drawn among equals; nothing where all are equal."""
    high, low = np.nanmax(values), np.nanmin(values)
    return tuple(int(rng.choice(np.flatnonzero(values == end))) for end in (high, low)) if high > low else ()


class _Texts:
    """The texts of a corpus, by system and unit; a document is its first unit."""

    def __init__(self, corpus: Corpus, level: ItemLevel) -> None:
        self.candidates: dict[str, dict[Unit, str]] = {system: {} for system in corpus.systems}
        self.references: dict[Unit, str] = {}
        several = False
        if corpus.without_references is not None:
            raise DataError(
                "every segment needs a reference, and this one has none",
                where=corpus.without_references,
                hint="give references (-r), or leave such segments out",
            )
        for item in corpus:
            own = self.candidates[item.system]
            several |= len(item.references) > 1
            if level == "document":
                own[item.document, 0] = item.candidate.text
                # A part of a reference would differ from every whole text.
                whole = next((reference for reference in item.references if reference.whole), None)
                if whole is not None:
                    self.references.setdefault((item.document, 0), whole.text)
                continue
            for n, label in enumerate(item.labels):
                own[item.document, label] = item.candidate_text(n)
                self.references.setdefault((item.document, label), item.reference_texts(n)[0])
        first = "the first whole one" if level == "document" else "the first"
        self.notes = [f"of several references {first} is taken"] if several else []


def _table(corpus: Corpus) -> ScoreTable:
    """The places of a corpus's texts, without scores."""
    places = {system: [(i.document, n) for i in corpus.items(system) for n in i.labels] for system in corpus.systems}
    units = list(dict.fromkeys(unit for own in places.values() for unit in own))
    documents = {document: n for n, document in enumerate(dict.fromkeys(document for document, _ in units))}
    present = np.array([[unit in own for unit in units] for own in map(set, places.values())], dtype=np.bool_)
    document_of = np.array([documents[document] for document, _ in units], dtype=np.intp)
    return ScoreTable(corpus.systems, units, list(documents), document_of, present, columns={})


def _of_segments(judgements: Judgements, table: ScoreTable) -> bool:
    """Whether segments were judged, or every document has just one."""
    segments = [*(r.segment for r in judgements.ratings), *(p.segment for p in judgements.preferences)]
    return any(segment is not None for segment in segments) or len(table.units) == len(table.documents)


def _aspect(judgements: Judgements, asked: str | None) -> str:
    known = judgements.aspects()
    if asked is None and len(known) > 1:
        raise UsageError(
            f"people judged several aspects, got none of {', '.join(known)}", hint=f"choose one: --aspect {known[0]}"
        )
    return asked or known[0]


def _values(grid: Grid) -> Array:
    """What people think of each text, higher is better: [S, N], NaN where they say nothing."""
    if grid.preferred is None:
        return grid.human
    won, judged = (np.zeros((len(grid.systems), len(grid.items))) for _ in range(2))
    np.add.at(won, (grid.preferred.better, grid.preferred.item), 1)
    for side in (grid.preferred.better, grid.preferred.worse):
        np.add.at(judged, (side, grid.preferred.item), 1)
    return ratio(won, judged)
