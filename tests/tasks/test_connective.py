"""Connectives: which words are some, what replaces them, gold senses, the check for bias."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from coheval.annotators import Annotator
from coheval.data import Document
from coheval.data.connectives import own_lexicon
from coheval.data.gum import read_gum_texts
from coheval.errors import DataError, SpecError
from coheval.rankers import Choice, Ranker
from coheval.spec import build
from coheval.tasks import Instances, task
from coheval.tasks._clauses import connectives
from coheval.tasks.connective import Connective, bias

CORPUS = {
    "a": ["I stayed at home because it rained.", "But she went out.", "However, he stayed too."],
    "b": ["It rained all day, but she went out.", "He left when it rained.", "So she was alone."],
    "c": ["He left and it was late.", "Therefore, she stayed.", "Then, he was alone."],
    "d": ["Although it rained, he left.", "When it rained, he stayed.", "Because it rained, she left."],
    "e": ["Bread and butter.", "Tea or coffee."],
}
DOCUMENTS = [Document.of(name, sentences) for name, sentences in CORPUS.items()]


@dataclass(frozen=True, kw_only=True)
class Anything(Ranker):
    """Finds everything equally natural, and notes what it was asked."""

    asked: list[Choice] = field(default_factory=list, compare=False, metadata={"state": True})

    def scores(self, choices):
        self.asked.extend(choices)
        return [np.zeros(len(choice.candidates)) for choice in choices]


def made(spec: str, seed: int = 1) -> Instances:
    return task(spec).instances(DOCUMENTS, np.random.default_rng(seed))


def found(text: str) -> list[tuple[str, str]]:
    (annotated,) = build(Annotator, "spacy").annotate([text], layers=("tags", "syntax"))
    return [(one.connective.text, one.role) for one in connectives(annotated, own_lexicon())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She has lived here since 2004.", []),
        ("She was happy since she had won.", [("since", "between")]),
        ("They sell bread and butter.", []),
        ("He asked if she was there.", []),
        ("If she comes, we will go.", [("if", "front")]),
        ("He was so tired.", []),
        ("So many people came.", []),
        ("So we went home.", [("so", "link")]),
        ("He was ill, so we went home.", [("so", "between")]),
        ("He was, however, ill.", [("however", "aside")]),
        ("However much he ate, he was hungry.", []),
        ("As soon as he came, they left.", [("as soon as", "front")]),
        ("He ate before noon.", []),
        ("She smiled as if she knew it.", []),
        ("When do you eat?", []),
        ("I liked it. But she did not like it.", [("but", "link")]),
    ],
)
def test_connectives_are_found_by_their_syntax(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_replacements_are_of_another_class() -> None:
    instances = made("connective")
    lexicon = own_lexicon()
    assert [group.id for group in instances.groups] == ["a", "b", "c", "d"]
    assert [one.where for one in instances.left_out] == ["e"]
    for group in instances.groups:
        assert group.right not in group.wrong
        assert len(set(group.wrong)) == len(group.wrong) <= 20
        for wrong in group.wrong:
            for old, new in zip(group.right, wrong, strict=True):
                if old != new:
                    before, after = differing(old, new)
                    assert not lexicon[before].tops & lexicon[after].tops
                    assert new[0] == new[0].upper()


def differing(old: str, new: str) -> tuple[str, str]:
    """The connective of each that the other does not have; here, no two of a sentence have a word in common."""
    return next(
        (a, b)
        for a in own_lexicon()
        for b in own_lexicon()
        if a != b and f" {a} " in spaced(old) and f" {b} " in spaced(new) and replaced(old, a, b) == spaced(new)
    )


def spaced(text: str) -> str:
    return f" {text.lower()} ".replace(",", " ,").replace(".", " .")


def replaced(text: str, a: str, b: str) -> str:
    return spaced(text).replace(f" {a} ", f" {b} ", 1)


def test_the_same_class_with_another_sub_class() -> None:
    """Of our adverbs, "then" (Temporal.Asynchronous) has only those of Temporal.Synchronous."""
    ranker = Anything()
    chosen = Connective(sense="same", ranker=ranker, top=100).instances(
        [Document.of("x", ["He came.", "Then, she left."])], np.random.default_rng(0)
    )
    assert {wrong[1] for wrong in chosen.groups[0].wrong} == {"Meanwhile, she left.", "In the meantime, she left."}
    (asked,) = ranker.asked
    assert (asked.before, asked.after) == ("", ", she left.")
    assert "However" in asked.candidates
    assert "Although" not in asked.candidates


def test_capitals_are_kept() -> None:
    text = Document.of("x", ["BUT she left.", "He was ill, BUT she left.", "But it was late."])
    (group,) = Connective(ranker=Anything()).instances([text], np.random.default_rng(0)).groups
    for loud, inside, usual in group.wrong:
        assert loud.removesuffix(" she left.").isupper()
        assert inside.removeprefix("He was ill, ").removesuffix(" she left.").isupper()
        assert usual.removesuffix(" it was late.").istitle() or " " in usual.removesuffix(" it was late.")


def test_top_is_ranked_before_senses_are_looked_at() -> None:
    """The best connective by far is of no other class: with top=1 nothing remains."""

    @dataclass(frozen=True, kw_only=True)
    class Afterwards(Ranker):
        def scores(self, choices):
            return [np.array([c == "Afterwards" for c in choice.candidates], float) for choice in choices]

    one = Document.of("x", ["He came.", "Then, she left."])
    other = Document.of("y", ["He came.", "However, she left."])
    chosen = Connective(ranker=Afterwards(), top=1).instances([one, other], np.random.default_rng(0))
    assert [group.id for group in chosen.groups] == ["y"]
    assert chosen.groups[0].wrong == (("He came.", "Afterwards, she left."),)


def test_half_replaces_in_half_of_the_sentences() -> None:
    text = Document.of("x", ["Then, she left.", "However, he stayed.", "Thus, it rained.", "So we left.", "It rained."])
    for amount, expected in (("full", 4), ("half", 2)):
        chosen = Connective(amount=amount, ranker=Anything()).instances([text], np.random.default_rng(0))
        (group,) = chosen.groups
        assert len(group.wrong) == 20
        assert {sum(a != b for a, b in zip(group.right, w, strict=True)) for w in group.wrong} == {expected}


def test_a_seed_gives_the_same_and_neighbours_do_not_matter() -> None:
    assert made("connective") == made("connective")
    texts = [Document.of(n, ["Then, she left.", "However, he stayed.", "Thus, it rained."]) for n in "xyz"]
    alone, among = (
        Connective(ranker=Anything()).instances(some, np.random.default_rng(4)) for some in (texts[1:2], texts)
    )
    assert alone.groups[0] == among.groups[1]
    assert among.groups[0].wrong != among.groups[1].wrong


def test_only_attested_connectives_are_taken() -> None:
    """By counts, "therefore," opens a sentence of this corpus and "moreover," does not."""
    words = {w for g in made("connective").groups for v in g.wrong for s in v for w in spaced(s).split()}
    assert {"therefore", "however", "then"} <= words
    assert not {"moreover", "nevertheless", "whereas"} & words


def test_the_check_for_bias() -> None:
    told = Counter({("and", "but"): 6, ("but", "so"): 3, ("then", "however"): 1})
    first, second = bias(told)
    assert first == (
        "10 connectives are replaced; the most frequent (and, but, then) are 100% of the replaced, "
        "60% of the replacements, and replace each other in 60%"
    )
    assert second == "the most frequent replacements are and -> but 60.0%, but -> so 30.0%, then -> however 10.0%"
    assert not list(bias(Counter()))
    assert list(made("connective").notes())[1:] == list(made("connective").facts)
    assert len(made("connective").facts) == 2


def test_marked_relations(tmp_path: Path) -> None:
    """Gold says that the only connective is "while", in contrast; "so" is not marked."""
    sentences = ["He sings while she dances.", "So they live."]
    for part, content in (
        ("raw", "He sings while she dances . So they live ."),
        ("gold", "Explicit|9..14||||||while|Comparison.Contrast||||||0..8||||||15..25|||||||||||||"),
    ):
        (tmp_path / part / "00").mkdir(parents=True)
        (tmp_path / part / "00" / "x").write_text(content, encoding="utf-8")
    documents = [Document.of("x", sentences), Document.of("y", sentences)]
    chosen = Connective(ranker=Anything(), relations=str(tmp_path), top=100, negatives=100).instances(
        documents, np.random.default_rng(0)
    )
    assert [one.reason for one in chosen.left_out] == ["no relations are marked in this text"]
    new = {wrong[0].removeprefix("He sings ").removesuffix(" she dances.") for wrong in chosen.groups[0].wrong}
    assert {wrong[1] for wrong in chosen.groups[0].wrong} == {"So they live."}
    assert {"when", "because"} <= new  # Temporal is another class, as "while" is marked as Comparison here
    assert not {"but", "although", "whereas"} & new


def test_gum(shared: Path) -> None:
    folder = shared / "data" / "gum_rst"
    documents = [Document(d.id, d.text, d.sentences) for d in read_gum_texts(folder)[::20]]
    lexicon = shared / "data" / "connectives" / "gdtb_connective_senses.tsv"
    spec = f"connective(relations={str(folder)!r}, lexicon={str(lexicon)!r}, negatives=5)"
    chosen = task(spec).instances(documents, np.random.default_rng(0))
    assert len(chosen.groups) >= len(documents) * 0.8
    assert task(spec).signature == task(task(spec).signature).signature


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="top must be"):
        task("connective(top=0)")
    with pytest.raises(DataError, match="gold and raw"):
        made(f"connective(relations={str(tmp_path)!r})")
    wrong = tmp_path / "a.tsv"
    wrong.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected the columns"):
        made(f"connective(lexicon={str(wrong)!r})")
