"""LC: how much of a text is held together by words that repeat or are related in meaning.

Wong & Kit (2012), Extending Machine Translation Evaluation Metrics with Lexical Cohesion to Document Level; taken up as
a baseline in Zhao, Strube, Eger (2023), DiscoScore. No reference is needed.

| variant | what is looked at | LC | text |
|---|---|---|---|
| `coheval` | foci (see `focus`) | foci with two or more mentions / foci | as it is |
| `paper` | content words | words that are repeated or related to another / content words | as it is |
| `code` | foci | as `coheval` | lower-cased |

`code` is DiscoScore's released program, which looks at nouns and at no relation but repetition; it fails on a text
without nouns, which has no score here. `paper` is Wong & Kit's form. Content words are nouns, names, verbs, adjectives
and adverbs, by their tags. A word is a device of cohesion if another word of the text

- has the same lemma (repetition; they compare stems),
- shares a WordNet synset with it (synonym),
- has an adjective's sense that WordNet calls similar to one of its senses (near-synonym),
- has a sense one step above or below one of its senses (superordinate, subordinate); instances count too.

Any sense in the word's part of speech will do. Near-synonyms by similarity (Wu & Palmer's measure, 0.96 or more, as in
a program made after the paper) add nothing: WordNet is not deep enough for any two synsets to be so similar, other than
one and its own superordinate. Collocations, which the authors name too, are left out. `paper` needs the extra `wordnet`
and English text; words that WordNet lacks are tied by repetition alone.

Higher is taken as better, as its authors do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from operator import attrgetter

from coheval.data.wordnet import POINTERS_DIGEST, Pos, Senses, wordnet
from coheval.metrics._cohesion import Cohesion, Share, Tie, Ties, mentions_of
from coheval.metrics._discourse import Text
from coheval.metrics._foci import Foci

_POS: Mapping[str, Pos] = {"NOUN": "noun", "PROPN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}

_POINTERS = (  # what the word at its end is to the one at its beginning, the converse, and where it leads to
    ("near-synonym", "near-synonym", attrgetter("similar")),
    ("superordinate", "subordinate", attrgetter("above")),
)


@dataclass(frozen=True, kw_only=True)
class LC(Cohesion):
    def digest(self) -> str | None:
        return POINTERS_DIGEST if self.variant == "paper" else None

    def ties(self, text: Text) -> Ties:
        repeated = super().ties(text)
        if self.variant != "paper":
            return repeated
        related = _related(_senses(text))
        return {key: [*repeated.get(key, ()), *related.get(key, ())] for key in chain(repeated, related)}

    def share(self, foci: Foci, ties: Ties) -> Share:
        if self.variant == "paper":
            return Share(sum(len(foci[key]) for key in ties), mentions_of(foci))
        return Share(len(ties), len(foci))


def _senses(text: Text) -> list[tuple[str, Senses]]:
    """What the content words can mean, in every part of speech that each has in the text."""
    look_up, tags = wordnet().senses, text.annotated.tags or ()
    parts = ((key, {_POS[tags[m.word]] for m in mentions}) for key, mentions in text.foci.items())
    return [(key, look_up(key, pos)) for key, found in parts for pos in found]


def _related(words: Sequence[tuple[str, Senses]]) -> dict[str, list[Tie]]:
    """The ties between different words; of several relations between two words the first that is found here counts."""
    owners: dict[str, list[str]] = {}  # the words that have a synset
    for word, senses in words:
        for synset in senses.own:
            owners.setdefault(synset, []).append(word)
    relations: dict[tuple[str, str], str] = {}
    for sharing in owners.values():
        if len(sharing) > 1:
            relations.update(dict.fromkeys(permutations(sharing, 2), "synonym"))
    for relation, converse, targets in _POINTERS:
        for word, senses in words:
            for synset in owners.keys() & targets(senses):
                for other in owners[synset]:
                    if other != word:
                        relations.setdefault((word, other), relation)
                        relations.setdefault((other, word), converse)
    ties: dict[str, list[Tie]] = {}
    for (word, other), relation in relations.items():
        ties.setdefault(word, []).append(Tie(relation, other))
    return ties
