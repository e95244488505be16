"""Where connectives join clauses: words that are in the lexicon, in a place where the syntax says that they are one.

"and" between nouns, "since" with a year, "so" before an adjective or "if" behind "ask" are no connectives. What counts:

    front    a subordinator that opens the sentence; its clause has a subject and depends on another
    between  a coordinator or subordinator behind the clause that its own one is joined to; its own one has a subject
    link     a coordinator or adverb that opens a sentence; behind it a comma, or the subject's first word
    aside    an adverb between commas

In the same place another connective of the same kind, or of the other kind that the place allows, keeps the grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from coheval.annotators import Annotated
from coheval.data.connectives import Connective, Kind, Lexicon
from coheval.data.types import Span

Role = Literal["front", "between", "link", "aside"]

KINDS: dict[Role, frozenset[Kind]] = {
    "front": frozenset({"subordinator"}),
    "between": frozenset({"coordinator", "subordinator"}),
    "link": frozenset({"coordinator", "adverb"}),
    "aside": frozenset({"adverb"}),
}
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "expl"})
_VERBS = frozenset({"VERB", "AUX"})
_OPENERS = frozenset({"PRON", "DET", "PROPN", "NOUN"})  # a subject's first word
_MODIFIERS = frozenset({"as", "even", "for", "just", "not", "only", "what"})  # "as if", "just because" are one phrase
_STOPS = frozenset({",", ";", "—", "–", "--"})


@dataclass(frozen=True, slots=True)
class Found:
    """A connective in a sentence."""

    connective: Connective
    role: Role
    span: Span


def connectives(sentence: Annotated, lexicon: Lexicon) -> Iterator[Found]:
    """Those of a text with tags and syntax, the longest match at each word."""
    longest = max((len(text.split()) for text in lexicon), default=0)
    lower = [word.lower() for word in sentence.words]
    first = 0
    while first < len(lower):
        stops = range(min(first + longest, len(lower)), first, -1)
        stop = next((stop for stop in stops if " ".join(lower[first:stop]) in lexicon), None)
        if stop is None:
            first += 1
            continue
        connective = lexicon[" ".join(lower[first:stop])]
        role = _Syntax(sentence, first, stop).role(connective.kinds)
        if role is not None:
            yield Found(connective, role, (int(sentence.spans[first, 0]), int(sentence.spans[stop - 1, 1])))
        first = stop


@dataclass(frozen=True, slots=True)
class _Syntax:
    """What the syntax says of the words first..stop of a sentence."""

    sentence: Annotated
    first: int
    stop: int

    def role(self, kinds: frozenset[Kind]) -> Role | None:
        opens = self._opens()
        if "subordinator" in kinds and self._subordinates():
            return "front" if opens else "between"
        if "coordinator" in kinds and not opens and self._coordinates():
            return "between"
        if opens and kinds & {"coordinator", "adverb"} and self._introduces(comma="adverb" in kinds):
            return "link"
        return "aside" if "adverb" in kinds and not opens and self._set_off() else None

    def _opens(self) -> bool:
        """No word of its sentence is before it; a text may have several sentences."""
        numbers, words = self.sentence.sentence, self.sentence.words
        own = [w for w, n in zip(words, numbers, strict=True) if n == numbers[self.first]]
        before = self.first - int((numbers < numbers[self.first]).sum())
        return not any(word[0].isalnum() for word in own[:before])

    def _subordinates(self) -> bool:
        """Its last word marks an adverbial clause with a subject; the clause it depends on comes before or after."""
        if (self.first > 0 and self.sentence.words[self.first - 1].lower() in _MODIFIERS) or self._next() == "AUX":
            return False  # with an auxiliary behind it, a question: "When do you eat?"
        verb = self._head(self.stop - 1)
        governor, own = self._head(verb), range(self.first, self.stop)
        if not (self._relation(verb) == "advcl" or governor in own) or verb < self.stop:
            return False
        while governor in own and self._head(governor) != governor:  # "as soon as": the clause depends on "soon"
            governor = self._head(governor)
        placed = governor > verb if self._opens() else governor < self.first
        return placed and self._tag(verb) in _VERBS and self._has_subject(verb)

    def _coordinates(self) -> bool:
        """It stands between a clause and a verb with a subject of its own."""
        if self._relation(self.first) == "cc":
            head = self._head(self.first)
            joined = [c for c in self._children(head, "conj") if c >= self.stop]
            return (
                bool(joined)
                and self._next() != "AUX"
                and self._has_subject(joined[0])
                and self._tag(joined[0]) in _VERBS
            )
        comma = self.first > 0 and self.sentence.words[self.first - 1] in _STOPS
        verb = self._head(self.stop - 1)
        clause = verb >= self.stop and self._has_subject(verb) and self._tag(verb) in _VERBS
        return comma and clause and self._next() in _OPENERS

    def _introduces(self, *, comma: bool) -> bool:
        """Behind it, the sentence's own subject begins; or there is a comma, if it may have one."""
        if comma and self.stop < len(self.sentence) and self.sentence.words[self.stop] == ",":
            return True
        own = range(self.stop, len(self.sentence))
        root = next((n for n in own if self._head(n) == n), self.first)  # of the connective's own sentence
        return self._next() in _OPENERS and self._tag(root) in _VERBS and self._has_subject(root)

    def _set_off(self) -> bool:
        words = self.sentence.words
        return words[self.first - 1] in _STOPS and self.stop < len(words) and words[self.stop] == ","

    def _has_subject(self, verb: int) -> bool:
        """Between the connective and the verb."""
        return any(self._relation(child) in _SUBJECTS for child in range(self.stop, verb) if self._head(child) == verb)

    def _children(self, head: int, relation: str) -> list[int]:
        return [n for n in range(len(self.sentence)) if self._head(n) == head and self._relation(n) == relation]

    def _next(self) -> str:
        return self._tag(self.stop) if self.stop < len(self.sentence) else ""

    def _head(self, word: int) -> int:
        return int(self.sentence.heads[word]) if self.sentence.heads is not None else word

    def _relation(self, word: int) -> str:
        return self.sentence.relations[word] if self.sentence.relations is not None else ""

    def _tag(self, word: int) -> str:
        return self.sentence.tags[word] if self.sentence.tags is not None else ""
