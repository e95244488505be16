"""What a notebook shows of a result and of an explanation: static HTML, as scripts are not run there reliably.

Everything from data is escaped. Styles are inline, so that they reach nothing else of the notebook, and colours are its
own or translucent, so that they suit a light and a dark one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from coheval.data import Document
from coheval.report.explanation import Explanation, Part, Told
from coheval.report.words.quoting import count
from coheval.run.result import Level, Result
from coheval.run.tables import cell, head

if TYPE_CHECKING:
    from coheval.report.explained import Explained

Spans = list[tuple[int, int]]

_SIDES = ("candidate", "reference")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ROWS = 20  # documents or segments of a preview
_LINE = "1px solid rgba(128,128,128,.4)"
_CELL = f"padding:.2em .6em;border-bottom:{_LINE};text-align:left"
_NUMBER = f"padding:.2em .6em;border-bottom:{_LINE};text-align:right;font-variant-numeric:tabular-nums"
_TEXT = "margin:.2em 0;padding:0 .6em;border-left:3px solid rgba(128,128,128,.5);white-space:pre-wrap"
_MARK = "background:rgba(230,160,0,.3);color:inherit;border-radius:.2em"


def result_html(result: Result) -> str:
    """Systems × metrics, and below them documents or segments, if they are few."""
    level: Level = "segment" if result.corpus is None or not result.corpus.names_documents else "document"
    parts = [_table(result, "system")]
    size = _size(result, level)
    if size <= _ROWS:
        parts.append(_details(count(size, level), _table(result, level)))
    if result.notes:
        parts.append(_details(count(len(result.notes), "note"), _list(result.notes)))
    signatures = [one.signature for one in result.values()]
    return _whole([*parts, _details(count(len(signatures), "signature"), _list(signatures))])


def _size(result: Result, level: Level) -> int:
    """Counted by keys: a result of a million segments is shown at once."""
    keys = result.keys_by_system.values()
    return sum(len(own) if level == "segment" else len({key.document for key in own}) for own in keys)


def explained_html(explained: Explained) -> str:
    """Each system's texts, and every score with what moved it."""
    higher = {str(one["metric"]): bool(one["higher_is_better"]) for one in explained.facts}
    parts = [part for one in explained.explanations for part in _explanation(one, higher)]
    if explained.notes:
        parts.append(_details(count(len(explained.notes), "note"), _list(explained.notes)))
    return _whole(parts)


def _explanation(one: Explanation, higher: dict[str, bool]) -> Iterator[str]:
    item = one.item
    yield f"<p><b>{_inline(item.system)}</b>, document {_inline(item.document)}</p>"
    if item.source is not None:
        yield _text("source", item.source)
    yield _text("candidate", item.candidate)
    for n, reference in enumerate(item.references):
        yield _text(_reference(one, n), reference)
    for told in one.metrics:
        yield _score(told, one, higher[told.metric])


def _score(told: Told, one: Explanation, higher_is_better: bool) -> str:
    score = f"<b>{cell(told.score)}</b>" if told.reason is None else _inline(f"no score: {told.reason}")
    direction = "higher is better" if higher_is_better else "lower is better"
    lines = [*_segments(told, one), *_words(told, one)]
    marked = "".join(text for part in told.parts for text in _marked(part, one))
    return (
        f"<p>{_shown(head(told.metric, higher_is_better))} {score} ({direction})</p>"
        + (_list(lines) if lines else "")
        + (_details("what it looked at, marked in the texts", marked) if marked else "")
    )


def _segments(told: Told, one: Explanation) -> Iterator[str]:
    """Scores of segments that are not the document's own."""
    if told.unit == "segment":
        for n, (score, reason) in enumerate(zip(told.segments, told.reasons, strict=True)):
            if reason is not None or len(told.segments) > 1:
                yield f"{one.begin(n)}{cell(score) if reason is None else f'no score: {reason}'}"


def _words(told: Told, one: Explanation) -> Iterator[str]:
    for part in told.parts:
        yield from (one.begin(part.segment) + sentence for sentence in part.words)


def _marked(part: Part, one: Explanation) -> Iterator[str]:
    """Texts with marks, where evidence says which places of them count."""
    for number, evidence in _by_reference(part):
        ours, theirs = _spans(evidence)
        if ours:
            yield _paragraph("candidate", _with_marks(_part_of(one.item.candidate, part.segment), ours))
        if theirs and number < len(one.item.references):
            text = _part_of(one.item.references[number], part.segment)
            yield _paragraph(_reference(one, number), _with_marks(text, theirs))


def _by_reference(part: Part) -> Iterator[tuple[int, Any]]:
    """Evidence with the number of the document's reference that it is about."""
    evidence: Any = part.evidence
    if evidence["kind"] == "references":
        yield from zip(part.references, evidence["each"], strict=False)
    elif part.references:
        chosen = evidence.get("reference")
        yield part.references[chosen if isinstance(chosen, int) else 0], evidence
    else:
        yield 0, evidence


def _spans(evidence: Any) -> tuple[Spans, Spans]:
    """Foci, or aligned words, of the candidate and of the reference."""
    kind = evidence["kind"]
    if kind == "foci":
        sides = [[span for focus in evidence["foci"] for span in focus.get(side, ())] for side in _SIDES]
    elif kind == "alignment":
        sides = [[evidence[f"{side}_spans"][pair[n]] for pair in evidence["pairs"]] for n, side in enumerate(_SIDES)]
    else:
        sides = [[], []]
    ours, theirs = ([(start, stop) for start, stop in spans] for spans in sides)
    return ours, theirs


def _part_of(document: Document, segment: int | None) -> str:
    return document.text if segment is None else document[segment] or ""


def _with_marks(text: str, spans: Spans) -> str:
    """Overlapping spans are marked once."""
    inside = [False] * (len(text) + 1)
    for start, stop in spans:
        inside[start:stop] = [True] * len(inside[start:stop])
    edges = [0, *(n for n in range(1, len(text)) if inside[n] != inside[n - 1]), len(text)]
    pieces = ((_shown(text[start:stop]), inside[start]) for start, stop in pairwise(edges))
    return "".join(f'<mark style="{_MARK}">{piece}</mark>' if marked else piece for piece, marked in pieces)


def _table(result: Result, level: Level) -> str:
    rows = result.rows(level)
    heads = [head(name, result[name].higher_is_better) if name in result else name for name in rows[0]]
    styles = [_NUMBER if name in result else _CELL for name in rows[0]]
    tops = "".join(
        f'<th scope="col" style="{style}">{_shown(text)}</th>' for text, style in zip(heads, styles, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{s}">{_shown(cell(v))}</td>' for v, s in zip(row.values(), styles, strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse"><thead><tr>{tops}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _reference(one: Explanation, number: int) -> str:
    return "reference" if len(one.item.references) == 1 else f"reference {number + 1}"


def _text(name: str, document: Document) -> str:
    return _paragraph(name, "\n".join("(none)" if text is None else _shown(text) for text in document))


def _paragraph(name: str, markup: str) -> str:
    return f'<div><i>{escape(name)}</i><div dir="auto" style="{_TEXT}">{markup}</div></div>'


def _details(summary: str, markup: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{markup}</details>"


def _list(lines: Iterable[str]) -> str:
    entries = "".join(f'<li style="overflow-wrap:anywhere">{_inline(line)}</li>' for line in lines)
    return f'<ul style="margin:.2em 0">{entries}</ul>'


def _whole(parts: Sequence[str]) -> str:
    return f'<div style="line-height:1.5">{"".join(parts)}</div>'


def _shown(text: str) -> str:
    """Without control characters, which HTML cannot hold."""
    return escape(_CONTROLS.sub("�", text))


def _inline(text: str) -> str:
    """What stands in a line with other words: set apart, and without signs that would turn the direction of these."""
    return f"<bdi>{_shown(_DIRECTIONS.sub('�', text))}</bdi>"
