"""Connectives of English and their senses: coheval's own lexicon, or one of two files that others publish.

    own_lexicon()["since"].senses   ->  {Sense("Contingency", "Cause"), Sense("Temporal", "Asynchronous")}

A sense is a class and a sub-class as in the Penn Discourse Treebank (Prasad et al. 2008); further levels are not read.
The own lexicon, connectives.tsv, was written for coheval from the grammar of English; it is no copy of another. Read
are also gdtb_connective_senses.tsv (rel_type, connective, sense, count; explicit relations of GUM; Liu et al. 2024) and
en_dimlex as XML (Das et al. 2018). There, a sense that makes up less than a tenth of a connective's occurrences is left
out: nearly every connective has some that no reader would think of.

How a connective joins clauses (its kinds) is known from the own lexicon alone. Connectives of a file that it does not
have cannot be put into a sentence safely, and are not used.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from coheval.data.lines import FilePath, lines
from coheval.errors import DataError

Kind = Literal["coordinator", "subordinator", "adverb"]

OWN = Path(__file__).with_name("connectives.tsv")
_SHARE = 0.1  # of a connective's occurrences, which a sense must have
_COLUMNS = "rel_type\tconnective\tsense\tcount"


class Sense(NamedTuple):
    top: str  # the class: Temporal, Contingency, Comparison, Expansion
    sub: str  # the sub-class: Asynchronous, Cause, …


@dataclass(frozen=True, slots=True)
class Connective:
    text: str  # in lower case, words parted by blanks
    kinds: frozenset[Kind]
    senses: frozenset[Sense]

    @property
    def tops(self) -> frozenset[str]:
        return frozenset(sense.top for sense in self.senses)


Lexicon = dict[str, Connective]  # by text


def sense_of(text: str) -> Sense | None:
    """The first two levels of a sense; None where there is one only."""
    top, _, rest = text.partition(".")
    sub = rest.partition(".")[0]
    return Sense(top, sub) if top and sub else None


@cache
def own_lexicon() -> Lexicon:
    found: Lexicon = {}
    for line in lines(OWN):
        if not line.startswith("#"):
            text, kinds, senses = line.split("\t")
            found[text] = Connective(text, _kinds(kinds), frozenset(map(_whole_sense, senses.split())))
    return found


def read_lexicon(path: FilePath) -> Lexicon:
    """The connectives of a file that the own lexicon knows the kinds of, with the file's senses."""
    rows = _dimlex(path) if os.fspath(path).endswith(".xml") else _gdtb(path)
    senses = _frequent(rows)
    if not senses:
        raise DataError(
            "expected connectives with senses such as Contingency.Cause, got none",
            where=os.fspath(path),
            hint="give gdtb_connective_senses.tsv or en_dimlex.xml",
        )
    own = own_lexicon()
    return {text: Connective(text, own[text].kinds, found) for text, found in senses.items() if text in own}


def _frequent(rows: Iterable[tuple[str, str, int]]) -> dict[str, frozenset[Sense]]:
    counts: dict[str, Counter[Sense]] = defaultdict(Counter)
    for text, name, count in rows:
        if sense := sense_of(name):
            counts[text.lower()][sense] += count
    return {
        text: frozenset(sense for sense, count in found.items() if count >= _SHARE * found.total())
        for text, found in sorted(counts.items())
        if found.total()
    }


def _gdtb(path: FilePath) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(lines(path), start=1):
        if number == 1:
            if line != _COLUMNS:
                raise DataError(
                    f"expected the columns {_COLUMNS!r}, got {line[:80]!r}",
                    where=f"{os.fspath(path)}:1",
                    hint="give gdtb_connective_senses.tsv, or en_dimlex as XML",
                )
            continue
        fields = line.split("\t")
        if len(fields) != 4 or not fields[3].isdecimal():
            raise DataError(
                f"expected four columns, the last a count, got {line[:80]!r}",
                where=f"{os.fspath(path)}:{number}",
                hint="is the file whole?",
            )
        if fields[0] == "Explicit":
            yield fields[1], fields[2], int(fields[3])


def _dimlex(path: FilePath) -> Iterator[tuple[str, str, int]]:
    """Of each entry its canonical word and how often it has which sense, in PDTB 2 or 3."""
    try:
        entries = ElementTree.fromstring("\n".join(lines(path))).findall("entry")
    except ElementTree.ParseError as error:
        raise DataError(
            f"expected XML, got something else ({error})", where=os.fspath(path), hint="give en_dimlex.xml"
        ) from None
    for entry in entries:
        for relation in entry.iter():
            if relation.tag in ("pdtb2_relation", "pdtb3_relation"):
                count = relation.get("pdtb_freq") or relation.get("freq") or "0"
                yield entry.get("word", ""), relation.get("sense", ""), int(count) if count.isdecimal() else 0


def _kinds(text: str) -> frozenset[Kind]:
    known: tuple[Kind, ...] = ("coordinator", "subordinator", "adverb")
    return frozenset(kind for kind in known if kind in text.split())


def _whole_sense(text: str) -> Sense:
    top, sub = text.split(".")
    return Sense(top, sub)
