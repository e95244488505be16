"""Nouns and verbs replaced by related ones: "She bought a dog" becomes "She sold a dog".

Pishdad, Fancellu, Zhang, Fazly (2020), How Coherent are Neural Models of Coherence? One noun or verb of each sentence
(amount=full), or of half of them, is replaced by an antonym, hypernym or hyponym from WordNet. The language model ranks
these by how likely they make the sentence, and one of the best five is drawn. Needs the extra `wordnet`.

The paper says nothing of forms, senses and frequency. Here the new word takes the form of the old one, and "a" before
it becomes "an" where it must. Of the old word the most frequent sense is meant; the new ones are common words, of which
it is one of the first two senses, and from each the same way leads back to the old one. In the task's documents neither
is more than `band` times as frequent as the other: otherwise frequent words would become rare ones, and a model could
tell wrong variants by these. Verbs with a particle, the verbs be, have, do, let and get, nouns that stand in set
phrases ("time", "way"), parts of compounds, and forms that may be one of several ("put") are left as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from coheval.annotators import Annotated
from coheval.data.wordnet import POINTERS_DIGEST, Relation, wordnet
from coheval.rankers import Ranker
from coheval.spec import build
from coheval.tasks import LeftOut
from coheval.tasks._forms import Inflected, Words
from coheval.tasks._made import Text
from coheval.tasks._replaced import Place, ReplacingTask, Told

_WORD = re.compile(r"\w+")
_BACK: dict[Relation, Relation] = {"antonym": "antonym", "hypernym": "hyponym", "hyponym": "hypernym"}


@dataclass(frozen=True, kw_only=True)
class Cloze(ReplacingTask):
    relations: tuple[Literal["antonym", "hypernym", "hyponym"], ...] = ("antonym", "hypernym", "hyponym")
    ranker: Ranker = field(default_factory=lambda: build(Ranker, "counts(attested=neighbour)"))
    band: float | None = 3.0  # how many times as frequent one of the two words may be; None: any number
    top: int = 5  # replacements that the ranker likes best, among which one is drawn

    nothing: ClassVar[str] = "no noun or verb has a related word that is natural in its place"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(bool(self.relations), "relations must name at least one of antonym, hypernym, hyponym")
        self.require(self.band is None or self.band >= 1, f"band must be at least 1, got {self.band}")

    def digest(self) -> str:
        return POINTERS_DIGEST

    def places(self, texts: Sequence[Text]) -> Iterator[list[Place] | LeftOut]:
        wordnet()  # tells what is missing before texts are read
        counts = Counter(w for text in texts for sentence in text.sentences for w in _WORD.findall(sentence.lower()))
        for text in texts:
            annotated = self.annotator.annotate(text.sentences, layers=("tags", "syntax"))
            yield [place for number, one in enumerate(annotated) for place in self._of(number, one, counts)]

    def _of(self, number: int, sentence: Annotated, counts: Counter[str]) -> Iterator[Place]:
        for word in Words.of(sentence).inflected():
            own = counts[sentence.words[word.last].lower()]
            related = {
                lemma: relation
                for lemma, relation in self._related(word).items()
                if self._is_alike(own, counts[word.form(lemma).lower()])
            }
            if related:
                yield Place(
                    number,
                    int(sentence.spans[word.first, 0]),
                    int(sentence.spans[word.last, 1]),
                    options=tuple(word.text(lemma, sentence) for lemma in related),
                    wanted=(True,) * len(related),
                    original=word.pos,
                    names=tuple(related.values()),
                )

    def _is_alike(self, one: int, other: int) -> bool:
        return self.band is None or max(one, other) <= self.band * min(one, other)

    def _related(self, word: Inflected) -> dict[str, Relation]:
        """Lemmas by what they are to the word; the first relation counts if there are several."""
        found = wordnet().related(word.lemma, word.pos)
        wanted: list[Relation] = [relation for relation in found if relation in self.relations]
        return {
            lemma: relation
            for relation in reversed(wanted)
            for lemma in found[relation]
            if word.lemma in wordnet().related(lemma, word.pos)[_BACK[relation]]
        }

    def facts(self, told: Told) -> Iterator[str]:
        total = told.total()
        if not total:
            return
        for name, place in (("parts of speech", 0), ("relations", 1)):
            counts: Counter[str] = Counter()
            for pair, count in told.items():
                counts[pair[place]] += count
            shares = ", ".join(f"{key} {count / total:.0%}" for key, count in counts.most_common())
            yield f"{total:,} words are replaced, by {name}: {shares}"
