"""Discourse trees of texts, or of their sentences."""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from coheval.annotators import Annotated, Annotator, Layer
from coheval.data.batches import batches
from coheval.data.lists import texts_of
from coheval.data.rsttree import RstTree
from coheval.errors import DataError, ResourceError, UnknownName, UsageError
from coheval.run.parses import Parses, Place
from coheval.spec import build

Level = Literal["document", "sentence"]
Progress = Callable[[int], None]  # is told how many characters are done

_AT_ONCE = 200_000  # characters that are parsed together


def parse(
    texts: str | Sequence[str],
    *,
    parser: str | Annotator = "rst",
    level: Level = "document",
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Parses:
    """Discourse trees after Rhetorical Structure Theory.

    `texts` is a text or a list of them, `parser` an annotator that gives trees: `rst`, or `replay(file=…)` for stored
    ones. At the level "document" each text has one tree; at the level "sentence" each of its sentences is parsed by
    itself, as if it were the whole text. `names` has a name for each text; they are numbered otherwise.
    """
    given = [texts] if isinstance(texts, str) else texts_of(texts, "texts")
    called = _names(names, len(given))
    annotator = annotator_of(parser)
    if level not in typing.get_args(Level):
        raise UnknownName(f"no level is called {level!r}", hint=f"one of {', '.join(typing.get_args(Level))}")
    places = [Place(name, None, 0) for name in called]
    if level == "sentence":
        given, places = _sentences(annotator, given, called)
    trees = trees_of(given, annotator, progress=progress)
    return Parses([trees[text] for text in given], places, annotator.signature)


def trees_of(texts: Sequence[str], annotator: Annotator, *, progress: Progress | None = None) -> Mapping[str, RstTree]:
    """The tree of each distinct text."""
    trees: dict[str, RstTree] = {}
    for text, annotated in _annotated(annotator, texts, ("rst",), progress):
        if annotated.tree is None:
            raise ResourceError(
                "this annotator gives no discourse trees",
                where=f"annotator {annotator.name()}",
                hint="use rst, or replay(file=…) with stored trees; `coheval info replay` shows their form",
            )
        trees[text] = annotated.tree
    return trees


def annotator_of(parser: str | Annotator) -> Annotator:
    """The annotator that a spec names."""
    if isinstance(parser, Annotator):
        return parser
    if not isinstance(parser, str):
        raise UsageError(f"parser must be the spec of an annotator, got {type(parser).__name__}", hint='parser="rst"')
    return build(Annotator, parser)


def _names(names: Sequence[str] | None, count: int) -> list[str]:
    if names is None:
        return [str(n) for n in range(1, count + 1)]
    given = texts_of(names, "names")
    if len(given) != count:
        raise DataError(f"expected {count:,} names, one a text, got {len(given):,}", where="names", hint="name each")
    twice = next((name for name, times in Counter(given).items() if times > 1), None)
    if twice is not None:
        raise DataError(f"two texts are called {twice!r}", where="names", hint="give each text a name of its own")
    return given


def _sentences(annotator: Annotator, texts: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[Place]]:
    """The text of each sentence, and where it comes from."""
    spans = {text: annotated.sentences.tolist() for text, annotated in _annotated(annotator, texts, ())}
    sentences, places = [], []
    for text, name in zip(texts, names, strict=True):
        for number, (start, stop) in enumerate(spans[text]):
            sentences.append(text[start:stop])
            places.append(Place(name, number, start))
    return sentences, places


def _annotated(
    annotator: Annotator, texts: Sequence[str], layers: Sequence[Layer], progress: Progress | None = None
) -> Iterator[tuple[str, Annotated]]:
    """Each distinct text with its annotation; some at a time, so that progress can be told."""
    for block in batches(list(dict.fromkeys(texts)), _AT_ONCE):
        yield from zip(block, annotator.annotate(block, layers=layers), strict=True)
        if progress:
            progress(sum(map(len, block)))
