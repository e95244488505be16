"""Nouns and verbs replaced by related ones: "She bought a dog" becomes "She sold a dog".

Pishdad, Fancellu, Zhang, Fazly (2020), How Coherent are Neural Models of Coherence? One noun or verb of each sentence
(amount=full), or of half of them, is replaced by an antonym, hypernym or hyponym from WordNet. The language model ranks
these by how likely they make the sentence, and one of the best five is drawn. Needs the extra `wordnet`.

The paper says nothing of forms and senses. Here the new word takes the form of the old one, and "a" before it becomes
"an" where it must. Of the old word the most frequent sense is meant; the new ones are common words, of which it is one
of the first two senses. Verbs with a particle, the verbs be, have, do, let and get, nouns that stand in set phrases
("time", "way"), parts of compounds, and forms that may be one of several ("put") are left as they are.
"""

from __future__ import annotations

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


@dataclass(frozen=True, kw_only=True)
class Cloze(ReplacingTask):
    relations: tuple[Literal["antonym", "hypernym", "hyponym"], ...] = ("antonym", "hypernym", "hyponym")
    ranker: Ranker = field(default_factory=lambda: build(Ranker, "counts(attested=neighbour)"))
    top: int = 5  # replacements that the ranker likes best, among which one is drawn

    nothing: ClassVar[str] = "no noun or verb has a related word that is natural in its place"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(bool(self.relations), "relations must name at least one of antonym, hypernym, hyponym")

    def digest(self) -> str:
        return POINTERS_DIGEST

    def places(self, texts: Sequence[Text]) -> Iterator[list[Place] | LeftOut]:
        wordnet()  # tells what is missing before texts are read
        for text in texts:
            annotated = self.annotator.annotate(text.sentences, layers=("tags", "syntax"))
            yield [place for number, one in enumerate(annotated) for place in self._of(number, one)]

    def _of(self, number: int, sentence: Annotated) -> Iterator[Place]:
        for word in Words.of(sentence).inflected():
            related = self._related(word)
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

    def _related(self, word: Inflected) -> dict[str, Relation]:
        """Lemmas by what they are to the word; the first relation counts if there are several."""
        found = wordnet().related(word.lemma, word.pos)
        wanted: list[Relation] = [relation for relation in found if relation in self.relations]
        return {lemma: relation for relation in reversed(wanted) for lemma in found[relation]}

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
