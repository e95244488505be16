"""`result.explain(…)`: one document with every system's text, the scores, and what moved them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from coheval.data import Document, Item
from coheval.errors import UnknownName, UsageError, did_you_mean
from coheval.report.explanation import Explanation, Told, explanations
from coheval.report.facts import Facts, facts
from coheval.run.explain import add_evidence
from coheval.run.result import Result
from coheval.run.tables import cell


@dataclass(frozen=True)
class Explained:
    """A document explained, for one system or several."""

    facts: list[Facts]
    explanations: list[Explanation]
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {"facts": self.facts, "explanations": [one.to_dict() for one in self.explanations], "notes": self.notes}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def __repr__(self) -> str:
        return "\n\n".join(map(_text, self.explanations))

    def _repr_html_(self) -> str:
        from coheval.report.notebook import explained_html

        return explained_html(self)


def explained(result: Result, which: int | str, system: str | None = None) -> Explained:
    """The document with this id, or the one that holds the segment at this place of the input.

    Evidence that the result did not keep is computed now, for this document alone.
    """
    if result.corpus is None:
        raise UsageError(
            "this result was read from a run folder, which has no texts",
            hint="coheval.report(folder) reads them from where the run read them",
        )
    if system is not None and system not in result.systems:
        raise UnknownName(f"the result has no system {system!r}", hint=did_you_mean(system, result.systems))
    document = which if isinstance(which, str) else _document_at(result, which, system or result.systems[0])
    if document not in result.corpus.documents:
        raise UnknownName(
            f"the result has no document {document!r}", hint=did_you_mean(document, result.corpus.documents)
        )
    items = [item for item in result.corpus.document(document) if system in (None, item.system)]
    if not _has_evidence(result, items):
        add_evidence(result, result.corpus, {spec: one.metric for spec, one in result.items()}, [document])
    return Explained(facts(result), explanations(result, items), list(result.notes))


def _document_at(result: Result, place: int, system: str) -> str:
    keys = result.keys_by_system[system]
    if isinstance(place, bool) or not isinstance(place, int) or not -len(keys) <= place < len(keys):
        raise UsageError(
            f"expected the place of one of {len(keys):,} segments, counted from 0, or a document's id, got {place!r}",
            hint="result.explain(0)",
        )
    return keys[place].document


def _has_evidence(result: Result, items: Sequence[Item]) -> bool:
    return any(part.evidence for one in explanations(result, items) for told in one.metrics for part in told.parts)


def _text(explanation: Explanation) -> str:
    item = explanation.item
    lines = [f"{cell(item.system)}, document {cell(item.document)}", f"  candidate  {_flat(item.candidate)}"]
    lines += [f"  reference  {_flat(reference)}" for reference in item.references]
    for told in explanation.metrics:
        lines.append(f"{told.metric}  {cell(told.score) if told.reason is None else f'no score: {told.reason}'}")
        if told.unit == "segment":
            lines += [f"  {_where(n, told)}no score: {why}" for n, why in enumerate(told.reasons) if why]
        lines += [f"  {_where(part.segment, told)}{words}" for part in told.parts for words in part.words]
    return "\n".join(lines)


def _flat(document: Document) -> str:
    return " / ".join("" if text is None else cell(text) for text in document)


def _where(segment: int | None, told: Told) -> str:
    return "" if segment is None or len(told.segments) == 1 else f"segment {segment + 1}: "
