"""What RC and LC share: a text's foci or content words, and which of them hold it together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from coheval.annotators import Annotated
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._discourse import Text
from coheval.metrics._features import Feature, spans_of
from coheval.metrics._foci import Foci, Mention

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})  # auxiliaries are tagged AUX


class Tie(NamedTuple):
    """What makes a word a device of cohesion: how it relates to which other word, or to itself where it is repeated."""

    relation: str
    focus: str


Ties = Mapping[str, Sequence[Tie]]  # by focus; only those that have some


class Share(NamedTuple):
    counted: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Cohesion(Feature):
    """The share of a text's words that are tied to others."""

    variant: Literal["coheval", "paper", "code"] = "coheval"  # whose definition; the table tells them apart

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            self.variant != "paper" or self.focus == "noun",
            "variant 'paper' looks at all content words, so focus cannot be chosen",
        )

    def ties(self, text: Text) -> Ties:
        """Foci that are mentioned more than once."""
        return {key: [Tie("repetition", key)] for key, mentions in text.foci.items() if len(mentions) > 1}

    def share(self, foci: Foci, ties: Ties) -> Share:
        """What the score counts, of how much."""
        raise NotImplementedError(type(self).__name__)

    def foci(self, annotated: Annotated) -> Foci:
        return content_words(annotated) if self.variant == "paper" else super().foci(annotated)

    def feature(self, text: Text) -> Row:
        ties = self.ties(text)  # first, so that a missing WordNet is told whatever the text
        if not text.foci:
            return undefined(self._lack())
        share = self.share(text.foci, ties)
        return Row((share.counted / share.of,))

    def explain(self, text: Text) -> Evidence:
        """Every focus with its mentions and its ties; those with ties are the devices."""
        ties = self.ties(text)
        share = self.share(text.foci, ties)
        told = [
            {
                "focus": key,
                "candidate": spans_of(mentions),
                "sentences": [m.sentence for m in mentions],
                "ties": [tie._asdict() for tie in sorted(ties.get(key, ()))],
            }
            for key, mentions in text.foci.items()
        ]
        return {"kind": "foci", "counted": share.counted, "of": share.of, "foci": told}

    def _lack(self) -> str:
        if self.variant == "paper":
            return "the text has no content word"
        return "the text has no focus" + ("; the released program divides by zero" if self.variant == "code" else "")


def mentions_of(foci: Foci) -> int:
    return sum(map(len, foci.values()))


def content_words(annotated: Annotated) -> Foci:
    """The content words by their lemma, whatever their part of speech."""
    words = annotated.lemmas or annotated.words
    found: Foci = {}
    for i, (tag, word, sentence, (start, stop)) in enumerate(
        zip(annotated.tags or (), words, annotated.sentence.tolist(), annotated.spans.tolist(), strict=True)
    ):
        if tag in CONTENT:
            found.setdefault(word.lower(), []).append(Mention(sentence, start, stop, i))
    return found
