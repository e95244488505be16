"""Python lists in, records out: position n of every list belongs to the same segment.

Lists, tuples, arrays and columns of a data frame are taken alike, as long as they have one dimension. How many
references a segment has is the length of its list; an empty list is none. What document ids mean is in `segments`.
"""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Set, Sized
from dataclasses import dataclass
from numbers import Integral
from typing import TypeGuard

from coheval.data.corpus import Record
from coheval.data.segments import Numbering
from coheval.errors import DataError


def from_lists(
    candidates: Iterable[str] | Mapping[str, Iterable[str]],
    *,
    references: Iterable[str] | Iterable[Iterable[str]] | None = None,
    sources: Iterable[str] | None = None,
    documents: Iterable[str | int] | None = None,
    system: str = "system",
) -> Iterator[Record]:
    """A record for each text of each system; everything is checked before the first one is given."""
    outputs = _outputs(candidates, system=system)
    shape = _Shape(len(outputs[0].texts), outputs[0].name)
    for output in outputs:
        shape.check(output.texts, output.name)
    reference_lists = [()] * shape.count if references is None else _references(references, shape)
    source_texts = [None] * shape.count if sources is None else texts_of(sources, "sources")
    shape.check(source_texts, "sources")
    places = [(None, None)] * shape.count if documents is None else _places(documents)
    shape.check(places, "documents")
    return (
        Record(
            system=output.system,
            candidate=output.texts[n],
            references=reference_lists[n],
            source=source_texts[n],
            document=places[n][0],
            segment=places[n][1],
            where=f"{output.name}[{n}]",
        )
        for n in range(shape.count)
        for output in outputs
    )


@dataclass(frozen=True, slots=True)
class _Output:
    system: str
    name: str  # what the user calls this list
    texts: list[str]


@dataclass(frozen=True, slots=True)
class _Shape:
    """How long every list must be, and which list says so."""

    count: int
    name: str

    def check(self, values: Sized, name: str) -> None:
        if len(values) != self.count:
            raise DataError(
                f"expected {self.count:,} entries as in {self.name}, got {len(values):,}",
                where=name,
                hint="position n of every list must belong to the same segment",
            )


def _outputs(candidates: object, *, system: str) -> list[_Output]:
    if isinstance(candidates, Mapping):
        outputs = [_output(key, f"candidates[{key!r}]", texts) for key, texts in candidates.items()]
    else:
        outputs = [_output(system, "candidates", candidates)]
    if not outputs or not outputs[0].texts:
        raise DataError("expected at least one text, got none", where="candidates", hint="give a list of texts")
    return outputs


def _output(system: object, name: str, texts: object) -> _Output:
    if not isinstance(system, str) or not system.strip():
        raise DataError(
            f"a system's name must be text that is not empty, got {_shown(system)}", where=name, hint="give it a name"
        )
    return _Output(system, name, texts_of(texts, name))


def _references(references: object, shape: _Shape) -> list[tuple[str, ...]]:
    given = _listed(references, "references")
    if given and len(given) != shape.count and all(is_list(texts) and len(texts) == shape.count for texts in given):
        raise DataError(
            f"expected {shape.count} lists, one for each text of {shape.name}, got {len(given)} lists of {shape.count}",
            where="references",
            hint="they are the other way round: list(zip(*references)) turns them",
        )
    shape.check(given, "references")
    if is_list(given[0]):
        return [tuple(texts_of(texts, f"references[{n}]")) for n, texts in enumerate(given)]
    return [(text,) for text in texts_of(given, "references")]


def _places(documents: object) -> list[tuple[str, int]]:
    numbering = Numbering()
    return [
        numbering.place(_document(value, where=f"documents[{n}]"), where=f"documents[{n}]")
        for n, value in enumerate(_listed(documents, "documents"))
    ]


def _document(value: object, *, where: str) -> str:
    if isinstance(value, str | Integral) and not isinstance(value, bool):
        return str(value)
    raise DataError(
        f"a document id must be text or a whole number, got {_shown(value)}", where=where, hint="name every document"
    )


def texts_of(values: object, name: str) -> list[str]:
    """A list of texts; what is none is refused with its name and place."""
    texts: list[str] = []
    for n, value in enumerate(_listed(values, name)):
        if not isinstance(value, str):
            hint = "either every entry is a text or every entry is a list" if is_list(value) else 'an empty text is ""'
            raise DataError(f"expected text, got {_shown(value)}", where=f"{name}[{n}]", hint=hint)
        texts.append(str(value))  # numpy has a text type of its own
    return texts


def _listed(values: object, name: str) -> list[object]:
    if is_list(values):
        return list(values)
    hint = "put it in a list: [text]" if isinstance(values, str) else "list(…) or .tolist() may make one of it"
    raise DataError(f"expected a list with one dimension, got {_shown(values)}", where=name, hint=hint)


def is_list(value: object) -> TypeGuard[Collection[object]]:
    """Anything with an order and one dimension; a data frame would give its columns' names, a set any order."""
    if isinstance(value, str | bytes | bytearray | Mapping | Set) or getattr(value, "ndim", 1) != 1:
        return False
    return isinstance(value, Collection)


def _shown(value: object) -> str:
    return f"{type(value).__name__} {reprlib.repr(value)}"
