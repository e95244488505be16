"""DiscoEval: sentences between tabs. Chen, Chu, Gimpel (2019), Evaluation Benchmarks and Learning Criteria for
Discourse-Aware Sentence Representations.

    SP   5 sentences, before them the true position (from 0) of the one that was moved to the front
    BSO  2 sentences, in their true order
    DC   6 sentences, before them 1 if they are a coherent document; those with 0 have a foreign one and are left out

Of SP's Wikipedia part only the first sentence's position can be known: the released files have the other four in random
order (a first sentence such as "… is a …" is at each place equally often; in the part from arXiv it stands first). So
it is refused. SSP has single sentences and is refused, too. The parts are those of the files' names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coheval.data.groups import LeftOut
from coheval.data.texts._source import Source, with_layers
from coheval.data.types import Document
from coheval.errors import DataError

_MOVED, _COHERENT, _PAIR, _LABELLED = "SP", "DC", "BSO", "SSP"
_GENRES = ("wiki", "arxiv", "abs")
_DIGIT = re.compile("[0-9]")


def fits(source: Source) -> bool:
    return source.is_text and _kind(source.first.split("\t")) is not None


def documents(source: Source) -> Iterator[Document | LeftOut]:
    kind = _kind(source.first.split("\t"))
    genre = next((name for name in _GENRES if name in source.title.lower()), None)
    if kind == _LABELLED:
        raise _refused(source, "SSP, single sentences, which are no documents")
    if kind == _MOVED and genre == "wiki":
        raise _refused(source, "SP of Wikipedia, whose other sentences are in random order")
    width = len(source.first.split("\t"))
    for where, line in source.numbered():
        cells = line.split("\t")
        if len(cells) != width or _kind(cells) != kind:
            raise DataError(
                f"expected {width} columns of {kind} as in the first line, got {len(cells)}: {line[:40]!r}",
                where=where,
                hint="is the file whole?",
            )
        if kind == _COHERENT and cells[0] == "0":
            yield LeftOut(where, "the document has a sentence of another one")
            continue
        id = f"{source.title}:{where.rpartition(':')[2]}"
        yield with_layers(Document.of(id, _ordered(kind, cells)), genre=genre, part=source.part)


def _kind(cells: Sequence[str]) -> str | None:
    label = cells[0] if _DIGIT.fullmatch(cells[0]) else None
    if label is None:
        return _PAIR if len(cells) == 2 else None
    if len(cells) == 6 and label in "01234":
        return _MOVED
    if label in "01":
        return {7: _COHERENT, 2: _LABELLED}.get(len(cells))
    return None


def _ordered(kind: str | None, cells: Sequence[str]) -> list[str]:
    if kind == _PAIR:
        return list(cells)
    label, moved, *rest = cells
    position = int(label) if kind == _MOVED else 0
    return [*rest[:position], moved, *rest[position:]]


def _refused(source: Source, what: str) -> DataError:
    return DataError(
        f"expected sentences in their true order, got DiscoEval's {what}",
        where=source.name,
        hint="take SP_arxiv, BSO or DC",
    )
