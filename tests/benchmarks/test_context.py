"""Pairs with a wrong pronoun, from a text whose coreference is written here by hand, and the section's own parts."""

from __future__ import annotations

import pytest

import context
import pronouns
from coheval.data.groups import Group


def conllu(*sentences: str) -> str:
    """Words as form/xpos/features/misc, of which the last two may be left out; `_` at the end: no blank behind."""
    blocks = []
    for n, sentence in enumerate(sentences, 1):
        words = [[*word.split("/"), "", ""] for word in sentence.split()]
        text = "".join(form.rstrip("_") + ("" if form.endswith("_") else " ") for form, *_ in words).rstrip()
        lines = [f"# sent_id = d-{n}", f"# text = {text}"]
        for number, (form, xpos, case, entity, *_) in enumerate(words, 1):
            misc = [f"Entity={entity}"] if entity else []
            misc += ["SpaceAfter=No"] if form.endswith("_") else []
            upos = {"NNP": "PROPN", "PRP": "PRON", "PRP$": "PRON", "DT": "DET", "NN": "NOUN"}.get(xpos, "X")
            columns = [number, form.rstrip("_"), "_", upos, xpos, f"Case={case}" if case else "_", 0, "_", "_"]
            lines.append("\t".join(map(str, [*columns, "|".join(misc) or "_"])))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n\n"


MARY = "Mary/NNP//(1-person-new-s-cf-1-coref) slept_/VBD ./."
BOAT = "The/DT//(2-object-new-s-cf-2-coref boat/NN//2) sank_/VBD ./."
SHE = "She/PRP/Nom/(1-person-giv-s-cf-1-ana) saw/VBD a/DT//(3-animal-new-s-cf-2-coref fox/NN//3) today_/RB ./."
ITS = "Then/RB its/PRP$/Gen/(2-object-giv-s-cf-1-ana) mast/NN broke_/VBD ./."


def shown(groups: list[Group]) -> list[tuple[str, str, str]]:
    return [(g.phenomenon, g.wrong[0][-1], g.references[-1][0]) for g in groups]


def test_pronouns_are_changed_and_resolved() -> None:
    groups = pronouns.made({"d": conllu(MARY, BOAT, SHE, ITS)})
    assert shown(groups) == [
        (pronouns.GENDER, "He saw a fox today.", "Mary saw a fox today."),
        (pronouns.AS_THING, "It saw a fox today.", "Mary saw a fox today."),
        (pronouns.AS_PERSON, "Then his mast broke.", "Then the boat's mast broke."),
    ]
    assert groups[0].right == ("Mary slept.", "The boat sank.", "She saw a fox today.")
    assert groups[2].right == ("The boat sank.", "She saw a fox today.", "Then its mast broke.")
    assert {(g.origin, g.before, g.label) for g in groups} == {("d", 2, pronouns.UNCUED)}
    assert groups[0].references[:2] == (("Mary slept.",), ("The boat sank.",))


def test_a_pronoun_before_is_told_and_things_take_turns() -> None:
    groups = pronouns.made({"d": conllu(BOAT, ITS, ITS)})
    assert [g.wrong[0][-1] for g in groups] == ["Then his mast broke.", "Then her mast broke."]
    assert [g.label for g in groups] == [pronouns.UNCUED, pronouns.CUED]


@pytest.mark.parametrize(
    "sentences",
    [
        (MARY, BOAT, BOAT, SHE),  # too far
        (SHE,),  # nothing before
        (MARY, "She/PRP/Nom/(1-person-giv-s-cf-1-ana) is/VBZ Mary_/NNP//(1-person-giv-s-cf-1-coref) ./."),
        (MARY, "Ann/NNP//(4-person-new-s-cf-1,3-coref and/CC Mary/NNP//4) ran_/VBD ./.", SHE.replace("(1-", "(4-")),
        (
            "A/DT//(3-animal-new-s-cf-2-coref fox/NN//3) ran_/VBD ./.",
            "It/PRP/Nom/(3-animal-giv-s-cf-1-ana) hid_/VBD ./.",
        ),
    ],
    ids=["far", "first", "twice", "several heads", "animal"],
)
def test_what_makes_no_pair(sentences) -> None:
    assert pronouns.made({"d": conllu(*sentences)}) == []


def test_words_written_together() -> None:
    said = conllu(MARY, "She_/PRP/Nom/(1-person-giv-s-cf-1-ana) 's/VBZ ill_/JJ ./.").replace("SpaceAfter=No", "_", 0)
    lines = said.replace("1\tShe", "1-2\tShe's" + "\t_" * 8 + "\n1\tShe").replace("|SpaceAfter=No\n2\t's", "\n2\t's")
    assert [g.wrong[0][-1] for g in pronouns.made({"d": lines})] == ["He's ill.", "It's ill."]


def test_the_control_reads_what_stands_before_another_documents_pair() -> None:
    groups = pronouns.made(
        {name: conllu(own, BOAT, SHE) for name, own in (("d", MARY), ("e", MARY.replace("slept", "ran")))}
    )
    groups = [Group(g.origin + g.id, g.phenomenon, g.right, g.wrong, g.before, origin=g.origin) for g in groups]
    other = context._given(groups[0], context._next(groups, 0))
    assert other.sources == ("Mary ran. The boat sank.",)
    assert other.variants == (("She saw a fox today.",), ("He saw a fox today.",))
    assert context._given(groups[0], groups[0]).sources == ("Mary slept. The boat sank.",)
