"""What parsing gives back: trees, and where the text of each comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from coheval.data.rsttree import Constituent, RstTree
from coheval.data.treefiles.jsonfile import values_of
from coheval.errors import ResourceError

if TYPE_CHECKING:
    import pandas

COLUMNS = "name sentence number parent first last start stop role nuclearity relation probability text".split()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tree's text comes from."""

    name: str  # of the text
    sentence: int | None  # its number in the text, from 0; None: it is the whole text
    start: int  # the character of the text with which it begins

    def __str__(self) -> str:
        return self.name if self.sentence is None else f"{self.name}, sentence {self.sentence + 1}"


class Numbered(NamedTuple):
    """A constituent with its number in its tree, parents first, and that of its parent."""

    number: int
    parent: int | None
    constituent: Constituent


@dataclass(frozen=True, eq=False)
class Parses:
    """Trees in the order of their texts; iterating gives the trees."""

    trees: list[RstTree]
    places: list[Place]  # as many
    signature: str  # of the parser

    def __len__(self) -> int:
        return len(self.trees)

    def __iter__(self) -> Iterator[RstTree]:
        return iter(self.trees)

    def __getitem__(self, index: int) -> RstTree:
        return self.trees[index]

    def __repr__(self) -> str:
        edus = sum(map(len, self.trees))
        return f"<trees: {len(self):,}, EDUs: {edus:,}, by {self.signature}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """A record for each constituent of each tree. EDUs, sentences and characters are counted from 0, in the text
        as it was given; `last` belongs to the constituent, the character `stop` no longer does."""
        for tree, place in zip(self.trees, self.places, strict=True):
            for found in numbered(tree):
                yield _row(tree, place, found)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each EDU and node: see `rows`."""
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        frame = pandas.DataFrame(self.rows(), columns=COLUMNS)
        return frame.astype({"sentence": "Int64", "parent": "Int64", "probability": "float64"})  # with gaps

    def to_json(self) -> str:
        """A list of trees with their texts; spans of EDUs are characters of the `text` beside them."""
        content = [
            asdict(place) | {"text": tree.text} | values_of(tree)
            for tree, place in zip(self.trees, self.places, strict=True)
        ]
        return json.dumps(content, ensure_ascii=False, allow_nan=False)


def numbered(tree: RstTree) -> Iterator[Numbered]:
    """The constituents of a tree, each with its parent; nothing is held but the way to the root."""
    above: list[tuple[int, int]] = []  # number and stop of the nodes that are not over yet
    for number, constituent in enumerate(tree.constituents()):
        while above and above[-1][1] <= constituent.first:
            above.pop()
        yield Numbered(number, above[-1][0] if above else None, constituent)
        if constituent.node is not None:
            above.append((number, constituent.stop))


def _row(tree: RstTree, place: Place, found: Numbered) -> dict[str, Any]:
    first, stop, role, node = found.constituent
    start, end = tree.span(first, stop)
    return {
        "name": place.name,
        "sentence": place.sentence,
        "number": found.number,
        "parent": found.parent,
        "first": first,
        "last": stop - 1,
        "start": place.start + start,
        "stop": place.start + end,
        "role": role,
        "nuclearity": node.nuclearity if node else None,
        "relation": node.relation if node else None,
        "probability": node.probability if node else None,
        "text": None if node else tree.edu(first),  # of EDUs alone: those of all nodes would be long
    }
