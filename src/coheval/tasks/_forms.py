"""Which form of a noun or verb stands in a sentence, so that another word can take the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coheval.algo.article import article
from coheval.algo.inflection import FORMS, Form, plural, verb_form
from coheval.annotators import Annotated
from coheval.data.wordnet import Pos

_AUXILIARIES = frozenset({"aux", "auxpass", "aux:pass"})
_BEFORE_PARTICIPLES = frozenset({"have", "be", "get"})  # auxiliaries
_MODIFIERS = frozenset({"acl", "amod"})  # a participle: "the man called Bob"
_PARTICLES = frozenset({"prt", "compound:prt"})  # "give up" means something else than "give"
_NO_CONTENT = frozenset({"be", "have", "do", "let", "get"})
_IN_PHRASES = frozenset("bit case course day end fact kind lot night part point sort thing time way".split())


@dataclass(frozen=True, slots=True)
class Inflected:
    """A word of a sentence, and how another lemma is brought to its form."""

    lemma: str
    pos: Pos
    first: int  # the first word that is replaced: "a" or "an", if it stands before
    last: int
    form: Callable[[str], str]  # of a lemma

    def text(self, lemma: str, sentence: Annotated) -> str:
        """What stands in the place of the words first..last, with a capital where they have one."""
        made = self.form(lemma)
        if self.first < self.last:
            made = f"{article(made)} {made}"
        return made[0].upper() + made[1:] if sentence.words[self.first][0].isupper() else made


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a sentence that has tags and syntax."""

    sentence: Annotated
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    relations: tuple[str, ...]
    heads: tuple[int, ...]

    @classmethod
    def of(cls, sentence: Annotated) -> Words:
        heads = () if sentence.heads is None else tuple(sentence.heads.tolist())
        return cls(sentence, sentence.tags or (), sentence.lemmas or (), sentence.relations or (), heads)

    def inflected(self) -> Iterator[Inflected]:
        """Nouns and verbs with content that stand on their own, and whose form is one that can be made."""
        for word, tag in enumerate(self.tags):
            if self._is_plain(word):
                found = self._noun(word) if tag == "NOUN" else self._verb(word) if tag == "VERB" else None
                if found:
                    yield found

    def _is_plain(self, word: int) -> bool:
        """In letters, of which only the first may be a capital: no abbreviation, and nothing that is shouted."""
        text = self.sentence.words[word]
        return text.isalpha() and text[1:] == text[1:].lower()

    def _noun(self, word: int) -> Inflected | None:
        lemma, text = self.lemmas[word].lower(), self.sentence.words[word].lower()
        if self.relations[word] == "compound" or lemma in _IN_PHRASES:
            return None
        if text == lemma:
            article_before = word > 0 and self.sentence.words[word - 1].lower() in ("a", "an")
            return Inflected(lemma, "noun", word - article_before, word, str)
        return Inflected(lemma, "noun", word, word, plural) if text == plural(lemma) else None

    def _verb(self, word: int) -> Inflected | None:
        lemma, text = self.lemmas[word].lower(), self.sentence.words[word].lower()
        if lemma in _NO_CONTENT or any(self.relations[child] in _PARTICLES for child in self._children(word)):
            return None
        fitting: list[Form] = [form for form in FORMS if verb_form(lemma, form) == text]
        if fitting == ["past", "participle"]:
            fitting = ["participle" if self._is_participle(word) else "past"]
        if len(fitting) != 1:  # "put" may be any of three
            return None
        form = fitting[0]
        return Inflected(lemma, "verb", word, word, lambda verb: verb_form(verb, form))

    def _is_participle(self, word: int) -> bool:
        auxiliaries = {self.lemmas[c].lower() for c in self._children(word) if self.relations[c] in _AUXILIARIES}
        return bool(auxiliaries & _BEFORE_PARTICIPLES) or self.relations[word] in _MODIFIERS

    def _children(self, head: int) -> list[int]:
        return [word for word, governor in enumerate(self.heads) if governor == head != word]
