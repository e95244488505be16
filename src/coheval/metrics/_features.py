"""Discourse features: one number that a document has by itself, with what it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from coheval.algo.graphs import Edges
from coheval.data import Item
from coheval.metrics import Evidence, Measurement, Row, undefined
from coheval.metrics._discourse import PARTIAL, DiscourseMetric, Text
from coheval.metrics._foci import Mention

_LISTED = 10_000  # links in the evidence of one text


@dataclass(frozen=True, kw_only=True)
class Feature(DiscourseMetric):
    """A measure of the candidate alone."""

    needs: ClassVar[frozenset[str]] = frozenset()

    def feature(self, text: Text) -> Row:
        """The number of one text, or the reason why it has none. Evidence is asked for by itself."""
        raise NotImplementedError(type(self).__name__)

    def explain(self, text: Text) -> Evidence:
        """What the number of a text rests on."""
        raise NotImplementedError(type(self).__name__)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        texts = self.read(items, references=False)
        rows = {plain: self._told(text, evidence) for plain, text in texts.items()}
        return [Measurement((rows[self.plain(item.candidate)],)) for item in items]

    def _told(self, text: Text, evidence: bool) -> Row:
        row = self.feature(text)
        return Row(row.values, row.reason, self.explain(text)) if evidence else row


@dataclass(frozen=True, kw_only=True)
class ComparableFeature(Feature):
    """A feature that can also tell candidates from references."""

    form: Literal["value", "discriminativeness"] = "value"  # or how far it is from the reference's value

    several_references: ClassVar[str] = "mean over the references for which it is defined"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form == "discriminativeness":
            self.settle(needs=frozenset({"references"}), higher_is_better=False, range=(0.0, math.inf), perfect=0.0)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        if self.form == "value":
            return super().measure(items, evidence=evidence)
        texts = self.read(items, references=True)
        rows = {plain: self._told(text, evidence) for plain, text in texts.items()}
        return [Measurement((self._apart(item, rows, evidence),)) for item in items]

    def _apart(self, item: Item, rows: Mapping[str, Row], evidence: bool) -> Row:
        references = [
            _of_reference(rows[self.plain(document)]) if document.whole else undefined(PARTIAL)
            for document in item.references
        ]
        return _apart(rows[self.plain(item.candidate)], references, evidence)


def _of_reference(row: Row) -> Row:
    """The same with mentions told as the reference's."""
    if row.evidence is None:
        return row
    foci: Any = row.evidence["foci"]
    renamed = [{"reference" if key == "candidate" else key: value for key, value in f.items()} for f in foci]
    return Row(row.values, row.reason, row.evidence | {"foci": renamed})


def _apart(candidate: Row, references: Sequence[Row], evidence: bool) -> Row:
    """The mean distance between the candidate's value and those of its references."""
    if candidate.values is None:
        return Row(None, f"candidate: {candidate.reason}", candidate.evidence)
    known = [row.values[0] for row in references if row.values is not None]
    if not known:
        return undefined(f"reference: {references[0].reason}" if references else "no reference")
    value = candidate.values[0]
    told: Evidence = {
        "kind": "comparison",
        "value": value,
        "references": [row.values[0] if row.values else None for row in references],
        "candidate": candidate.evidence,
        "each": [row.evidence for row in references],
    }
    return Row((sum(abs(value - other) for other in known) / len(known),), evidence=told if evidence else None)


def told_foci(foci: Mapping[str, Sequence[Mention]], side: str = "candidate") -> Evidence:
    """Every focus with the character spans of its mentions in a text, and the sentences that they are in."""
    return {
        "kind": "foci",
        "foci": [
            {"focus": key, side: spans_of(mentions), "sentences": [m.sentence for m in mentions]}
            for key, mentions in foci.items()
        ],
    }


def told_links(text: Text, edges: Edges, side: str = "candidate") -> Evidence:
    """The sentences with their spans, the links between them with their weights, and the sentences without a link.

    A link names the foci that make it. Of very many links the strongest are listed, and the number of the others.
    """
    links = edges.strongest(_LISTED)
    spoken_of: list[dict[str, None]] = [{} for _ in range(text.sentences)]
    for key, mentions in text.foci.items():
        for mention in mentions:
            spoken_of[mention.sentence][key] = None
    return {
        "kind": "links",
        "sentences": text.annotated.sentences.tolist(),
        "links": [
            {"from": i, "to": j, "weight": w, "shared": [key for key in spoken_of[i] if key in spoken_of[j]]}
            for i, j, w in links
        ],
        "left_out": edges.count() - len(links),
        "isolated": edges.isolated(),
        "foci": told_foci(text.foci, side)["foci"],
    }


def spans_of(mentions: Sequence[Mention]) -> list[list[int]]:
    return [[m.start, m.stop] for m in mentions]
