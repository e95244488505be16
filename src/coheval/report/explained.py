"""`result.explain(…)`: one document with every system's text, the scores, and what moved them."""

from __future__ import annotations

import json
import operator
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, SupportsIndex

from coheval.data import Document
from coheval.errors import UnknownName, UsageError, did_you_mean
from coheval.report.explanation import Explanation, evidence_of, explanations
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
    """The document with this id, or the one that holds the segment at this place of the input (of the first system's,
    unless one is named).

    Evidence that the result did not keep is computed now, for this document alone.
    """
    if result.corpus is None:
        raise UsageError(
            "this result was read from a run folder, which has no texts",
            hint="coheval.report(folder) reads them from where the run read them",
        )
    if system is not None and system not in result.systems:
        raise UnknownName(f"the result has no system {system!r}", hint=did_you_mean(str(system), result.systems))
    document = which if isinstance(which, str) else _document_at(result, which, system or result.systems[0])
    known = _documents(result, result.systems if system is None else [system])
    if document not in known:
        whose = "the result" if system is None else f"system {system!r}"
        raise UnknownName(f"{whose} has no document {document!r}", hint=_near(document, known))
    items = [item for item in result.corpus.document(document) if system in (None, item.system)]
    if not any(True for item in items for one in result.values() for _ in evidence_of(one, item)):
        add_evidence(result, result.corpus, {spec: one.metric for spec, one in result.items()}, [document])
    return Explained(facts(result), explanations(result, items), list(result.notes))


def _documents(result: Result, systems: Sequence[str]) -> dict[str, None]:
    return dict.fromkeys(key.document for system in systems for key in result.keys_by_system[system])


def _near(document: str, known: Collection[str]) -> str:
    """There may be too many documents to name them all."""
    near = get_close_matches(document, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"such as {next(iter(known))!r}; there are {len(known):,}"


def _document_at(result: Result, place: object, system: str) -> str:
    keys = result.keys_by_system[system]
    number = _whole_number(place)
    if number is None or not -len(keys) <= number < len(keys):
        raise UsageError(
            f"expected the place of one of {len(keys):,} segments, counted from 0, or a document's id, got {place!r}",
            hint="result.explain(0)",
        )
    return keys[number].document


def _whole_number(value: object) -> int | None:
    """numpy's and pandas' numbers too."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array has an index only if it is one number
        return None


def _text(explanation: Explanation) -> str:
    item = explanation.item
    lines = [f"{item.system}, document {item.document}", f"  candidate  {_flat(item.candidate)}"]
    lines += [f"  reference  {_flat(reference)}" for reference in item.references]
    for told in explanation.metrics:
        lines.append(f"{told.metric}  {cell(told.score) if told.reason is None else f'no score: {told.reason}'}")
        if told.unit == "segment":
            lines += [f"  {explanation.begin(n)}no score: {why}" for n, why in enumerate(told.reasons) if why]
        lines += [f"  {explanation.begin(part.segment)}{words}" for part in told.parts for words in part.words]
    return "\n".join(map(cell, lines))


def _flat(document: Document) -> str:
    return " / ".join("" if text is None else text for text in document)
