"""Parsing: one tree a text or a sentence, where each comes from, and the forms that trees come out in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coheval
from coheval.data.rsttree import Node
from coheval.data.treefiles import write_tree
from coheval.errors import DataError, ResourceError, SpecError, UnknownName, UsageError
from coheval.run.parses import COLUMNS, Parses, Place, numbered
from rsttrees import chain, tree
from toyparser import Commas

BRIDGE = "If the pier sinks, the bridge closes, but trams go on. Nobody knows."


def test_a_tree_for_each_text() -> None:
    found = coheval.parse([BRIDGE, "Rain fell."], parser=Commas())
    assert len(found) == 2
    assert list(found) == found.trees
    assert found[0].edu(2) == "but trams go on."
    assert found[0].nodes == (
        Node(0, 1, 4, "SN", "Condition"),
        Node(1, 2, 4, "NN", "Contrast"),
        Node(2, 3, 4, "NS", "Elaboration"),
    )
    assert found.places == [Place("1", None, 0), Place("2", None, 0)]
    assert found.signature == Commas().signature


def test_one_text_needs_no_list() -> None:
    assert coheval.parse("Rain fell.", parser=Commas()).trees == coheval.parse(["Rain fell."], parser=Commas()).trees


def test_each_sentence_by_itself() -> None:
    text = f"  {BRIDGE}\nBut if it rains, trams stop"
    found = coheval.parse([text, "", "Rain."], parser=Commas(), level="sentence", names=["a", "b", "c"])
    assert [(place.name, place.sentence) for place in found.places] == [("a", 0), ("a", 1), ("a", 2), ("c", 0)]
    assert [t.text for t in found] == [
        "If the pier sinks, the bridge closes, but trams go on.",
        "Nobody knows.",
        "But if it rains, trams stop",
        "Rain.",
    ]
    for place, parsed in zip(found.places, found, strict=True):
        whole = text if place.name == "a" else "Rain."
        assert whole[place.start : place.start + len(parsed.text)] == parsed.text
    assert [len(t.nodes) for t in found] == [2, 0, 1, 0]
    assert [str(place) for place in found.places[:2]] == ["a, sentence 1", "a, sentence 2"]


@pytest.mark.parametrize("text", ["", " \n\t ", "…!?", "\x00\x1b", "\u200b"])
def test_texts_without_words_have_empty_trees(text: str) -> None:
    found = coheval.parse([text], parser=Commas())
    assert [len(t) for t in found] == [0]
    assert len(found.to_pandas()) == 0
    assert json.loads(found.to_json()) == [
        {"name": "1", "sentence": None, "start": 0, "text": text, "edus": [], "nodes": []}
    ]


def test_nothing_to_parse() -> None:
    found = coheval.parse([], parser=Commas())
    assert len(found) == 0
    assert found.to_json() == "[]"
    assert list(found.to_pandas().columns) == COLUMNS


def test_equal_texts_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    annotate = Commas.annotate

    def counting(self: Commas, texts, **more):
        seen.extend(texts)
        return annotate(self, texts, **more)

    monkeypatch.setattr(Commas, "annotate", counting)
    found = coheval.parse(["a, b", "c", "a, b"], parser=Commas())
    assert seen == ["a, b", "c"]
    assert found[0] is found[2]


def test_progress_counts_characters_of_distinct_texts() -> None:
    done: list[int] = []
    coheval.parse(["ab" * 100_000, "cd", "cd"], parser=Commas(), progress=done.append)
    assert done == [200_000, 2]


def test_as_a_table() -> None:
    frame = coheval.parse(
        ["Rain.", "We left, because rain fell"], names=["x", "y"], parser=Commas(chance=0.5)
    ).to_pandas()
    assert list(frame.columns) == COLUMNS
    # EDUs of "y" end with the comma; counting: "We left," is 0 to 8, "because rain fell" 9 to 26
    assert frame.astype(object).where(frame.notna(), None).values.tolist() == [
        ["x", None, 0, None, 0, 0, 0, 5, "Root", None, None, None, "Rain."],
        ["y", None, 0, None, 0, 1, 0, 26, "Root", "NS", "Cause", 0.5, None],
        ["y", None, 1, 0, 0, 0, 0, 8, "Nucleus", None, None, None, "We left,"],
        ["y", None, 2, 0, 1, 1, 9, 26, "Satellite", None, None, None, "because rain fell"],
    ]


def test_characters_of_sentences_are_those_of_the_text() -> None:
    text = "Rain fell. We left, because rain fell"
    frame = coheval.parse(text, parser=Commas(), level="sentence").to_pandas()
    assert frame["sentence"].tolist() == [0, 1, 1, 1]
    for row in frame[frame["text"].notna()].itertuples():
        assert text[row.start : row.stop] == row.text


def test_parents() -> None:
    made = tree("a b c d", list("abcd"), ("NS", "x", ("NS", "y", 0, 1), ("NN", "z", 2, 3)))
    # root 0; y 1 with its EDUs 2, 3; z 4 with its EDUs 5, 6
    assert [found.parent for found in numbered(made)] == [None, 0, 1, 1, 0, 4, 4]


@pytest.mark.parametrize("left", [True, False])
def test_chains_of_thousands(left: bool) -> None:
    made = chain(3000, left=left)
    found = Parses([made], [Place("long", None, 0)], "")
    frame = found.to_pandas()
    assert len(frame) == 2 * 3000 - 1
    assert frame["parent"].isna().sum() == 1
    assert len(json.loads(found.to_json())[0]["nodes"]) == 2999


def test_json_is_what_replay_stores() -> None:
    (content,) = json.loads(coheval.parse("We left, because rain fell", parser=Commas(chance=0.25)).to_json())
    assert content["edus"] == [[0, 8], [9, 26]]
    assert content["nodes"] == [[0, 1, 2, "NS", "Cause", 0.25]]
    assert content["text"] == "We left, because rain fell"
    (without,) = json.loads(coheval.parse("We left, because rain fell", parser=Commas()).to_json())
    assert without["nodes"] == [[0, 1, 2, "NS", "Cause"]]


def test_trees_of_another_parser_by_files(tmp_path: Path) -> None:
    texts = [BRIDGE, "We left, because rain fell", ""]
    found = coheval.parse(texts, parser=Commas())
    write_tree(found[0], tmp_path / "bridge.dis")
    write_tree(found[1], tmp_path / "rain.rs3")
    again = coheval.parse(texts, parser=f"replay(file={str(tmp_path)!r})")
    assert again.trees == found.trees
    with pytest.raises(DataError, match=r"there is no tree for the text 'Another\.'"):
        coheval.parse(["Another."], parser=f"replay(file={str(tmp_path)!r})")


def test_trees_of_another_parser_by_annotations(tmp_path: Path) -> None:
    text = "We left, because rain fell"
    (tree_of_text,) = json.loads(coheval.parse(text, parser=Commas()).to_json())
    stored = {"sentences": [{"tokens": [["We"], ["left"], ["because"], ["rain"], ["fell"]]}], "tree": tree_of_text}
    (tmp_path / "stored.json").write_text(json.dumps({text: stored}), encoding="utf-8")
    found = coheval.parse(text, parser=f"replay(file={str(tmp_path / 'stored.json')!r})")
    assert found.trees == coheval.parse(text, parser=Commas()).trees


def test_wrong_types() -> None:
    for texts in (b"bytes", 7, {"a": "b"}, {"a", "b"}, None):
        with pytest.raises(DataError, match="texts: expected a list with one dimension"):
            coheval.parse(texts, parser=Commas())  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"texts\[1\]: expected text, got NoneType"):
        coheval.parse(["a", None], parser=Commas())  # type: ignore[list-item]
    with pytest.raises(UsageError, match="parser must be the spec of an annotator, got int"):
        coheval.parse("a", parser=7)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no level is called 'paragraph'"):
        coheval.parse("a", parser=Commas(), level="paragraph")  # type: ignore[arg-type]


def test_names() -> None:
    with pytest.raises(DataError, match="names: expected 2 names, one a text, got 1"):
        coheval.parse(["a", "b"], parser=Commas(), names=["x"])
    with pytest.raises(DataError, match="names: two texts are called 'x'"):
        coheval.parse(["a", "b"], parser=Commas(), names=["x", "x"])


def test_parsers() -> None:
    with pytest.raises(ResourceError, match="annotator spacy: this annotator gives no discourse trees"):
        coheval.parse("Rain fell.", parser="spacy")
    with pytest.raises(UnknownName, match="did you mean 'spacy'"):
        coheval.parse("Rain fell.", parser="spcy")
    with pytest.raises(SpecError, match="'file' must be given"):
        coheval.parse("Rain fell.", parser="replay")
