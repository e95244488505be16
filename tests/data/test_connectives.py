"""Lexicons of connectives, and marked relations in the format of PDTB 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from coheval.data.connectives import Sense, own_lexicon, read_lexicon, sense_of
from coheval.data.gum import read_gum_texts
from coheval.data.pdtb import Marked, Relations, read_explicit
from coheval.errors import DataError

CLASSES = {"Temporal", "Contingency", "Comparison", "Expansion"}


def test_the_own_lexicon_is_whole() -> None:
    lexicon = own_lexicon()
    assert len(lexicon) >= 60
    for text, connective in lexicon.items():
        assert text == connective.text == " ".join(text.lower().split())
        assert connective.kinds
        assert connective.senses
        assert connective.tops <= CLASSES
    assert lexicon["since"].tops == {"Contingency", "Temporal"}
    assert lexicon["though"].kinds == {"subordinator", "adverb"}


def test_senses_have_two_levels() -> None:
    assert sense_of("Contingency.Cause.Reason") == Sense("Contingency", "Cause")
    assert sense_of("Comparison") is None


def test_a_table_with_counts(tmp_path: Path) -> None:
    path = tmp_path / "senses.tsv"
    rows = [
        "rel_type\tconnective\tsense\tcount",
        "Explicit\tSince\tContingency.Cause.Reason\t12",
        "Explicit\tsince\tTemporal.Asynchronous.Succession\t7",
        "Explicit\tsince\tExpansion.Conjunction\t1",  # a twentieth
        "Implicit\tsince\tComparison.Contrast\t90",
        "Explicit\tbe that as it may\tComparison.Concession\t3",  # kinds unknown
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    lexicon = read_lexicon(path)
    assert lexicon.keys() == {"since"}
    assert lexicon["since"].senses == {Sense("Contingency", "Cause"), Sense("Temporal", "Asynchronous")}


def test_dimlex(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.xml"
    path.write_text(
        '<dimlex><entry word="but"><syn><sem><pdtb2_relation sense="Comparison.Contrast" pdtb_freq="9"/></sem>'
        '<sem><pdtb2_relation sense="Comparison" pdtb_freq="5"/></sem></syn></entry></dimlex>',
        encoding="utf-8",
    )
    assert read_lexicon(path)["but"].senses == {Sense("Comparison", "Contrast")}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.tsv", "a\tb", "expected the columns"),
        ("a.tsv", "rel_type\tconnective\tsense\tcount\nExplicit\tbut\tx", r"a\.tsv:2: expected four columns"),
        ("a.tsv", "rel_type\tconnective\tsense\tcount\nExplicit\tbut\tComparison\t3", "got none"),
        ("a.xml", "but", "expected XML"),
    ],
)
def test_broken_lexicons(tmp_path: Path, name: str, content: str, told: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=told):
        read_lexicon(tmp_path / name)


def relations(folder: Path, raw: str, gold: str) -> Path:
    for part, content in (("raw", raw), ("gold", gold)):
        (folder / part / "00").mkdir(parents=True)
        (folder / part / "00" / "x").write_text(content, encoding="utf-8")
    return folder


def row(span: str, sense: str = "Contingency.Cause.Result", kind: str = "Explicit") -> str:
    return f"{kind}|{span}||||||so|{sense}|||||||||||||||||||||||"


def test_relations_in_a_text_as_it_is_written(tmp_path: Path) -> None:
    raw = "It rained , so we left . On the other hand , no ."
    gold = "\n".join(
        [row("12..14"), row("25..42", "Comparison.Contrast"), row("0..2;3..9"), row(""), row("", "x", "NoRel")]
    )
    read = read_explicit(relations(tmp_path, raw, gold))["x"]
    text = "It rained, so we left.\nOn the other  hand, no."
    found = read.in_text(text)
    assert found is not None
    assert [text[slice(*one.span)] for one in found] == ["so", "On the other  hand"]
    assert found[0] == Marked((11, 13), Sense("Contingency", "Cause"))
    assert read.in_text(text + "!") is None
    assert read == Relations(raw, read.marked)


@pytest.mark.parametrize(
    ("raw", "gold", "told"),
    [
        ("It rained .", row("90..95"), "with a place in the text"),
        ("It rained .", row("0..2", "Cause"), "with a place in the text"),
        ("It rained .", "Explicit", "with a place in the text"),
    ],
)
def test_broken_relations(tmp_path: Path, raw: str, gold: str, told: str) -> None:
    with pytest.raises(DataError, match=rf"gold/x:1: .*{told}"):
        read_explicit(relations(tmp_path, raw, gold))


def test_a_document_without_its_text(tmp_path: Path) -> None:
    folder = relations(tmp_path, "It rained .", row("0..2"))
    (folder / "gold" / "00" / "y").write_text(row("0..2"), encoding="utf-8")
    with pytest.raises(DataError, match="got 1 and 2, such as 'y'"):
        read_explicit(folder)


def test_gum(shared: Path) -> None:
    """All 237 documents; the raw texts of the relations are those of the sentences, white space apart."""
    folder = shared / "data" / "gum_rst"
    read = read_explicit(folder)
    for document in read_gum_texts(folder):
        marked = read[document.id].in_text(document.text)
        assert marked is not None
        assert all(document.text[slice(*one.span)].strip() for one in marked)


def test_published_lexicons(shared: Path) -> None:
    for name in ("gdtb_connective_senses.tsv", "en_dimlex.xml"):
        lexicon = read_lexicon(shared / "data" / "connectives" / name)
        assert len(lexicon) > 50
        assert lexicon["because"].tops == {"Contingency"}
