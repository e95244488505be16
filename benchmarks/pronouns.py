"""Pairs of a sentence and the same with a wrong pronoun, from a corpus with gold coreference (GUM's conllu files).

    groups = made(read_conllu("../shared/data/gum_rst"))

A form of he, she or it is taken where all of this holds:

- no other mention of its entity is in the sentence, so that nothing there says which pronoun is right;
- the nearest earlier mention that is not a pronoun is in one of the `BEFORE` sentences before, which are the context,
  has one head, a noun in the singular, and at most `LONGEST` words;
- he and she are persons, it is neither a person nor an animal.

The right variant is the sentence as it was written. He and she give two groups, with the other gender and with it; it
gives one, with he and she in turn. Agreement does not change, therefore they is left out. The reference is the sentence
with the antecedent's words in place of the pronoun, and so is equal to neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coheval.data.groups import Group

BEFORE = 2
LONGEST = 8
GENDER, AS_THING, AS_PERSON = "he or she swapped", "person as it", "thing as he or she"
CUED, UNCUED = "the same pronoun before", "no such pronoun before"

_FORMS = (  # of he, she, it
    {"Nom": "he", "Acc": "him", "Gen": "his"},
    {"Nom": "she", "Acc": "her", "Gen": "her"},
    {"Nom": "it", "Acc": "it", "Gen": "its"},
)
_HE, _SHE, _IT = range(3)
_ENTITY = re.compile(r"\((?P<opened>\d+)-(?P<says>[^()]*)(?P<whole>\))?|(?P<closed>\d+)\)")


@dataclass(frozen=True, slots=True)
class Word:
    form: str
    upos: str
    xpos: str
    case: str
    start: int  # in the sentence's text
    stop: int


@dataclass(frozen=True, slots=True)
class Mention:
    entity: str
    kind: str  # person, object …
    first: int
    last: int
    heads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    id: str
    text: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]

    @property
    def whole(self) -> bool:
        """Whether its words make its text."""
        return all(self.text[w.start : w.stop] == w.form for w in self.words)


def made(files: Mapping[str, str]) -> list[Group]:
    """The groups of all documents, by name."""
    return [group for name, conllu in files.items() for group in _of_document(name, sentences(conllu))]


def sentences(conllu: str) -> list[Sentence]:
    return [_sentence(block.splitlines()) for block in conllu.split("\n\n") if "# text = " in block]


# --------------------------------------------------------------------------------------------------------------- groups


def _of_document(name: str, found: Sequence[Sentence]) -> Iterator[Group]:
    things = 0  # so far, so that he and she take turns
    for n, sentence in enumerate(found):
        for mention in sentence.mentions:
            person = _person(sentence, mention)
            if person is None or not sentence.whole:
                continue
            antecedent = _antecedent(found, n, mention)
            if antecedent is None:
                continue
            context = found[max(n - BEFORE, 0) : n]
            label = CUED if any(_same(s, m, mention.entity, person) for s in context for m in s.mentions) else UNCUED
            for phenomenon, other in _changes(person, things):
                yield Group(
                    id=f"{sentence.id}:{mention.first + 1} {_FORMS[other]['Nom']}",
                    phenomenon=phenomenon,
                    label=label,
                    origin=name,
                    right=(*(s.text for s in context), sentence.text),
                    wrong=((*(s.text for s in context), _with(sentence, mention, other)),),
                    before=len(context),
                    references=(*((s.text,) for s in context), (_resolved(sentence, mention, antecedent),)),
                )
            things += person == _IT


def _changes(person: int, things: int) -> list[tuple[str, int]]:
    """Of which kind, and to which pronoun."""
    if person == _IT:
        return [(AS_PERSON, things % 2)]
    return [(GENDER, _SHE if person == _HE else _HE), (AS_THING, _IT)]


def _person(sentence: Sentence, mention: Mention) -> int | None:
    """He, she or it, if the mention is a form of these and nothing else in the sentence is the entity."""
    found = _pronoun(sentence, mention)
    fits = mention.kind not in ("person", "animal") if found == _IT else mention.kind == "person"
    alone = sum(m.entity == mention.entity for m in sentence.mentions) == 1
    return found if fits and alone else None


def _pronoun(sentence: Sentence, mention: Mention) -> int | None:
    word = sentence.words[mention.first]
    if mention.first != mention.last or word.xpos not in ("PRP", "PRP$"):
        return None
    forms = (n for n, own in enumerate(_FORMS) if own.get(word.case) == word.form.lower())
    return next(forms, None)


def _same(sentence: Sentence, mention: Mention, entity: str, person: int) -> bool:
    return mention.entity == entity and _pronoun(sentence, mention) == person


def _antecedent(found: Sequence[Sentence], n: int, mention: Mention) -> str | None:
    """The words of the nearest mention before that is not a pronoun, if it is near and fits."""
    for before in range(n - 1, max(n - BEFORE, 0) - 1, -1):
        sentence = found[before]
        own = [m for m in sentence.mentions if m.entity == mention.entity and not _is_pronoun(sentence, m)]
        if own:
            last = max(own, key=lambda m: (m.first, -m.last))
            return _words(sentence, last) if sentence.whole else None
    return None


def _is_pronoun(sentence: Sentence, mention: Mention) -> bool:
    return all(w.upos in ("PRON", "DET") for w in sentence.words[mention.first : mention.last + 1])


def _words(sentence: Sentence, mention: Mention) -> str | None:
    words = list(sentence.words[mention.first : mention.last + 1])
    if len(mention.heads) != 1 or sentence.words[mention.heads[0]].xpos not in ("NN", "NNP") or len(words) > LONGEST:
        return None
    while words[-1].xpos == "POS":
        words.pop()
    text = sentence.text[words[0].start : words[-1].stop]
    small = mention.first == 0 and words[0].upos != "PROPN" and words[0].form != "I"
    return text[0].lower() + text[1:] if small else text


def _with(sentence: Sentence, mention: Mention, other: int) -> str:
    return _put(sentence, mention, _FORMS[other][sentence.words[mention.first].case])


def _resolved(sentence: Sentence, mention: Mention, antecedent: str) -> str:
    ending = "'s" if sentence.words[mention.first].case == "Gen" else ""
    return _put(sentence, mention, antecedent + ending)


def _put(sentence: Sentence, mention: Mention, text: str) -> str:
    word = sentence.words[mention.first]
    shown = text[0].upper() + text[1:] if word.form[0].isupper() else text
    return sentence.text[: word.start] + shown + sentence.text[word.stop :]


# --------------------------------------------------------------------------------------------------------------- conllu


def _sentence(lines: Sequence[str]) -> Sentence:
    says = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("# ") and " = " in line)
    words: list[Word] = []
    mentions: list[Mention] = []
    opened: dict[str, list[tuple[int, list[str]]]] = {}
    at, joined, space = 0, 0, False  # where the next word begins; the last word of one that is written together
    for line in lines:
        columns = line.split("\t")
        if len(columns) != 10 or "." in columns[0]:
            continue
        after = "SpaceAfter=No" not in columns[9].split("|")
        if "-" in columns[0]:
            joined, space = int(columns[0].split("-")[1]), after
            continue
        number = int(columns[0])
        form, upos, xpos, features = columns[1], columns[3], columns[4], columns[5]
        words.append(Word(form, upos, xpos, _feature(features, "Case"), at, at + len(form)))
        at += len(form) + (after if number > joined else number == joined and space)
        mentions += _mentions(_feature(columns[9], "Entity"), number - 1, opened)
    mentions.sort(key=lambda m: (m.first, -m.last))
    return Sentence(says["sent_id"], says["text"], tuple(words), tuple(mentions))


def _feature(column: str, name: str) -> str:
    return next((one.partition("=")[2] for one in column.split("|") if one.startswith(f"{name}=")), "")


def _mentions(text: str, place: int, opened: dict[str, list[tuple[int, list[str]]]]) -> Iterator[Mention]:
    """Those that end at a word; those that begin are put down in `opened`."""
    for match in _ENTITY.finditer(text):
        entity = match["opened"] or match["closed"]
        if match["opened"]:
            opened.setdefault(entity, []).append((place, match["says"].split("-")))
        if (match["whole"] or match["closed"]) and opened.get(entity):
            first, (kind, _, _, _, heads, *_) = opened[entity].pop()
            yield Mention(entity, kind, first, place, tuple(first + int(n) - 1 for n in heads.split(",")))
