"""Connectives replaced by others: "I stayed because it rained" becomes "I stayed but it rained".

Pishdad, Fancellu, Zhang, Fazly (2020), How Coherent are Neural Models of Coherence? One connective of each sentence
that has one (amount=full), or of half of them, is replaced by one that a language model likes in the place; with
sense=different its top-level class is another (Contingency, Comparison, …), with sense=same only its sub-class is.

A connective's senses are those of the lexicon: coheval's own, or a file's (`lexicon`). As many connectives have more
than one, two differ if no class of the one is a class of the other; they are the same if both have one class, the same,
and no sub-class in common. With `relations`, only connectives are replaced that people have marked, and only the sense
that they marked counts.

The ranker ranks all connectives that the grammar of the place allows, and the best 20 are looked at, as in the paper,
whose masked language model ranks its whole vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from coheval.annotators import Annotated
from coheval.data import weights
from coheval.data.connectives import OWN, Lexicon, Sense, own_lexicon, read_lexicon
from coheval.data.pdtb import Relations, read_explicit, relation_files
from coheval.tasks import LeftOut
from coheval.tasks._clauses import KINDS, Found, connectives
from coheval.tasks._made import Text
from coheval.tasks._replaced import Place, ReplacingTask, Told

_FREQUENT = 5  # connectives, and pairs of them, that the check for bias names


@dataclass(frozen=True, kw_only=True)
class Connective(ReplacingTask):
    sense: Literal["different", "same"] = "different"  # another class, or another sub-class of the same
    lexicon: str | None = None  # gdtb_connective_senses.tsv or en_dimlex.xml; without, coheval's own
    relations: str | None = None  # a folder with relations that people have marked, such as GUM's

    nothing: ClassVar[str] = "no connective has another of the wanted sense that is natural in its place"

    def digest(self) -> str:
        marked = relation_files(self.relations) if self.relations else []
        return weights.digest(Path(self.lexicon) if self.lexicon else OWN, *marked)

    def places(self, texts: Sequence[Text]) -> Iterator[list[Place] | LeftOut]:
        lexicon = self._lexicon()
        marked = read_explicit(self.relations) if self.relations else None
        for text in texts:
            senses = None if marked is None else _senses(text, marked.get(text.id))
            if marked is not None and senses is None:
                yield LeftOut(text.id, "no relations are marked in this text")
                continue
            annotated = self.annotator.annotate(text.sentences, layers=("tags", "syntax"))
            yield [place for n, one in enumerate(annotated) for place in self._of(n, one, lexicon, senses)]

    def _lexicon(self) -> Lexicon:
        return read_lexicon(self.lexicon) if self.lexicon else own_lexicon()

    def _of(self, number: int, annotated: Annotated, lexicon: Lexicon, marked: _Marked | None) -> Iterator[Place]:
        """The places of one sentence; of those that are marked, if there are marks."""
        for found in connectives(annotated, lexicon):
            own = found.connective.senses
            if marked is not None:
                sense = marked.get((number, *found.span))
                own = frozenset({sense} if sense else ())
            if own:
                yield self._place(number, annotated, found, own, lexicon)

    def _place(self, number: int, annotated: Annotated, found: Found, own: frozenset[Sense], lexicon: Lexicon) -> Place:
        others = [c for c in lexicon.values() if c.kinds & KINDS[found.role] and c != found.connective]
        first = annotated.words[annotated.spans[:, 0].tolist().index(found.span[0])]
        return Place(
            number,
            *found.span,
            options=tuple(_spelled(c.text, first) for c in others),
            wanted=tuple(_differ(own, c.senses, self.sense) for c in others),
            original=found.connective.text,
            names=tuple(c.text for c in others),
        )

    def facts(self, told: Told) -> Iterator[str]:
        return bias(told)


_Marked = dict[tuple[int, int, int], Sense]  # by sentence, start and stop


def _senses(text: Text, relations: Relations | None) -> _Marked | None:
    """Where people marked which sense; None where they did not look, or looked at another text."""
    marked = relations.in_text("\n".join(text.sentences)) if relations else None
    if marked is None:
        return None
    starts = np.cumsum([0, *(len(sentence) + 1 for sentence in text.sentences)])
    found: _Marked = {}
    for one in marked:
        number = int(np.searchsorted(starts, one.span[0], side="right")) - 1
        found[number, one.span[0] - int(starts[number]), one.span[1] - int(starts[number])] = one.sense
    return found


def _spelled(text: str, first: str) -> str:
    """A connective in capitals, or with one, as the first word of another is."""
    if first.isupper() and len(first) > 1:
        return text.upper()
    return text[0].upper() + text[1:] if first[0].isupper() else text


def _differ(own: frozenset[Sense], other: frozenset[Sense], how: Literal["different", "same"]) -> bool:
    tops, others = ({sense.top for sense in senses} for senses in (own, other))
    if how == "different":
        return not tops & others
    return len(tops) == 1 and tops == others and not own & other


def bias(told: Told) -> Iterator[str]:
    """How often the connectives that are replaced most often replace each other: the paper's check for bias.

    If the same few made up the wrong variants, a model could learn them and nothing about coherence.
    """
    total = told.total()
    if not total:
        return
    replaced: Counter[str] = Counter()
    for (old, _), count in told.items():
        replaced[old] += count
    frequent = {word for word, _ in replaced.most_common(_FREQUENT)}
    old_share = sum(count for (old, _), count in told.items() if old in frequent) / total
    new_share = sum(count for (_, new), count in told.items() if new in frequent) / total
    each_other = sum(count for pair, count in told.items() if set(pair) <= frequent) / total
    names = ", ".join(word for word, _ in replaced.most_common(_FREQUENT))
    yield (
        f"{total:,} connectives are replaced; the most frequent ({names}) are {old_share:.0%} of the replaced, "
        f"{new_share:.0%} of the replacements, and replace each other in {each_other:.0%}"
    )
    pairs = ", ".join(f"{old} -> {new} {count / total:.1%}" for (old, new), count in told.most_common(_FREQUENT))
    yield f"the most frequent replacements are {pairs}"
