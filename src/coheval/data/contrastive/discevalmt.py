"""DiscEvalMT: English-French pairs that only the sentence before can decide.

Bawden, Sennrich, Birch, Haddow (2018), Evaluating Discourse Phenomena in Neural Machine Translation. A file is an
object of numbered blocks. A block of `anaphora.json` has one English pair of sentences and translations of it that
differ in their first sentence; each is right with one form of the pronoun, and wrong with the other. Translations whose
first sentence is an odd one are called semi-correct. A block of `lexical-choice.json` has two examples, for which the
two words change places. Each such pair is a group: 200 of either kind, in the order of the files that list them line
by line. The groups of a block share texts, so that they have one origin.
"""

from __future__ import annotations

from collections.abc import Iterator

from coheval.data.contrastive import Surroundings
from coheval.data.contrastive._content import Content
from coheval.data.contrastive._entry import Entry
from coheval.data.groups import SAME, Group, LeftOut, shared_ends
from coheval.errors import DataError

_RIGHT = ("correct", "semi-correct")

NEEDS_DOCUMENTS = False


def fits(content: Content) -> bool:
    return content.keyed and (content.has("src", "trg") or content.has("examples"))


def groups(content: Content, around: Surroundings) -> Iterator[Group | LeftOut]:
    for block in content.entries:
        anaphora = "trg" in block.values
        for entry in block.entries("trg" if anaphora else "examples"):
            target, holder = (entry, block) if anaphora else (entry.entry("trg"), entry)
            kind = _kind(target)
            labels = [entry.name("type", ""), kind] if anaphora else [block.name("type", "")]
            yield _group(
                target,
                kind,
                sources=_sentences(holder, "src"),
                phenomenon="anaphora" if anaphora else "lexical choice",
                label=" ".join(filter(None, labels)),
                id=content.id_of(entry),
                origin=content.id_of(block),
            )


def _kind(target: Entry) -> str:
    kinds = [name for name in _RIGHT if name in target.values]
    if len(kinds) != 1:
        raise DataError(
            f"expected either 'correct' or 'semi-correct', got {' and '.join(kinds) or 'neither'}",
            where=target.where,
            hint="is this a file of DiscEvalMT, and whole?",
        )
    return kinds[0]


def _group(
    target: Entry, kind: str, *, sources: tuple[str, ...], phenomenon: str, label: str, id: str, origin: str
) -> Group | LeftOut:
    right, wrong = _sentences(target, kind), _sentences(target, "incorrect")
    if right == wrong:
        return LeftOut(target.where, SAME)
    before, after = shared_ends([right, wrong])
    return Group(
        id=id,
        phenomenon=phenomenon,
        right=right,
        wrong=(wrong,),
        before=before,
        after=after,
        label=label,
        origin=origin,
        sources=sources,
        where=target.where,
    )


def _sentences(entry: Entry, name: str) -> tuple[str, ...]:
    texts = entry.texts(name)
    if not texts or not all(text.strip() for text in texts):
        raise entry.error(name, "a list of sentences")
    return texts
