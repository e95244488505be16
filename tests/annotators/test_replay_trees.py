"""Stored discourse trees: in annotation files, and as files of other parsers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from coheval.annotators import Annotated
from coheval.annotators.replay import Replay, stored
from coheval.data.rsttree import Node, RstTree
from coheval.data.treefiles import write_tree
from coheval.errors import DataError
from rsttrees import tree, trees

Make = Callable[[object], Replay]

TEXT = "It rained,\nso we left."
TREE = {"edus": [[0, 10], [11, 22]], "nodes": [[0, 1, 2, "NS", "Cause", 0.5]]}
TOKENS = [[token] for token in ("It", "rained", ",", "so", "we", "left", ".")]
EXPECTED = RstTree(TEXT, ((0, 10), (11, 22)), (Node(0, 1, 2, "NS", "Cause", 0.5),))


def entry(**more: Any) -> dict[str, Any]:
    return {"sentences": [{"tokens": TOKENS}], **more}


def rst(annotator: Replay, text: str = TEXT) -> Annotated:
    (found,) = annotator.annotate([text], layers=["rst"])
    return found


def test_a_stored_tree(replay: Make) -> None:
    annotator = replay({TEXT: entry(tree=TREE)})
    found = rst(annotator)
    assert found.tree == EXPECTED
    assert found.words == ("It", "rained", ",", "so", "we", "left", ".")
    (without,) = annotator.annotate([TEXT])
    assert without.tree is None


def test_what_is_stored_is_what_comes_out(replay: Make) -> None:
    first = rst(replay({TEXT: entry(tree=TREE)}))
    again = rst(replay({TEXT: stored(TEXT, first)}))
    assert again.tree == first.tree == EXPECTED
    assert again.words == first.words


def test_blank_texts_have_an_empty_tree(replay: Make) -> None:
    annotator = replay({TEXT: entry(tree=TREE)})
    for blank in ("", " \n\t"):
        assert rst(annotator, blank).tree == RstTree(blank, (), ())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({}, 'has no "tree", and rst was asked for'),
        ({"tree": None}, 'has a "tree" that is none: EDUs or nodes are missing'),
        ({"tree": {**TREE, "nodes": []}}, "none joins EDUs 1 to 2"),
        ({"tree": {**TREE, "edus": [[0, 10], [11, 23]]}}, "EDU 2 spans characters 11 to 23"),
        ({"tree": {**TREE, "edus": [[0, 9], [11, 22]]}}, "the word ',' at character 9 in none of the tree's EDUs"),
        ({"tree": {**TREE, "edus": [[0, 10], [14, 22]]}}, "the word 'so' at character 11 in none"),
        ({"tree": {**TREE, "edus": [[3, 10], [11, 22]]}}, "the word 'It' at character 0 in none"),
        ({"tree": {"edus": [], "nodes": []}}, "the word 'It' at character 0 in none"),
    ],
)
def test_wrong_trees(replay: Make, more: dict[str, Any], message: str) -> None:
    annotator = replay({TEXT: entry(**more)})
    with pytest.raises(DataError, match=message) as error:
        rst(annotator)
    assert "annotation of the text 'It rained" in str(error.value)
    annotator.annotate([TEXT])  # who does not ask for trees is not told


RAIN = tree("It rained ,  so we left .", ["It rained ,", "so we left ."], ("NS", "Cause", 0, 1))
YES = tree("Yes .", ["Yes ."])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tree(RAIN, tmp_path / "any name.dis")
    write_tree(YES, tmp_path / "other.rs3")
    return tmp_path


def test_a_folder_of_trees(folder: Path) -> None:
    annotator = Replay(file=str(folder))
    rained, blank, yes = annotator.annotate([TEXT, " ", "Yes."], layers=["rst"])
    assert rained.tree == RstTree(TEXT, ((0, 10), (11, 22)), RAIN.nodes)
    assert rained.words == ("It", "rained", ",", "so", "we", "left", ".")  # as the file has them
    assert rained.spans.tolist() == [[0, 2], [3, 9], [9, 10], [11, 13], [14, 16], [17, 21], [21, 22]]
    assert rained.sentence.tolist() == [0, 0, 0, 1, 1, 1, 1]  # a line is a sentence
    assert rained.sentences.tolist() == [[0, 10], [11, 22]]
    assert (blank.words, blank.tree) == ((), RstTree(" ", (), ()))
    assert yes.tree == RstTree("Yes.", ((0, 4),), ())
    (without,) = annotator.annotate([TEXT])
    assert without.words == rained.words
    assert without.tree is None


def test_one_tree_file(folder: Path) -> None:
    assert rst(Replay(file=str(folder / "any name.dis"))).tree == RstTree(TEXT, ((0, 10), (11, 22)), RAIN.nodes)


def test_other_texts_and_layers_are_refused(folder: Path) -> None:
    annotator = Replay(file=str(folder))
    with pytest.raises(DataError, match=r"there is no tree for the text 'It snowed\.'"):
        rst(annotator, "It snowed.")
    with pytest.raises(DataError, match="files of trees have no layer 'tags'"):
        annotator.annotate([TEXT], layers=["rst", "tags"])


def test_two_trees_of_one_text(folder: Path) -> None:
    write_tree(RAIN, folder / "same.dis")
    assert rst(Replay(file=str(folder))).tree is not None
    write_tree(tree(RAIN.text, ["It rained ,", "so we left ."], ("NN", "Joint", 0, 1)), folder / "same.dis")
    with pytest.raises(DataError, match="'any name' and 'same' are different trees of the same text"):
        rst(Replay(file=str(folder)))


def test_folders_that_change_are_read_again(folder: Path) -> None:
    annotator = Replay(file=str(folder))
    before = annotator.digest()
    rst(annotator)
    write_tree(tree("It snowed .", ["It snowed ."]), folder / "snow.brackets")
    assert rst(annotator, "It snowed.").tree == RstTree("It snowed.", ((0, 10),), ())
    assert annotator.digest() != before


def test_edus_beside_a_file_belong_to_the_digest(tmp_path: Path) -> None:
    (tmp_path / "a.brackets").write_text("((1, 1), 'Root', 'span')")
    (tmp_path / "a.edus").write_text("one two\n")
    before = Replay(file=str(tmp_path)).digest()
    (tmp_path / "a.edus").write_text("one three\n")
    assert Replay(file=str(tmp_path)).digest() != before


def test_folders_without_trees(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no tree")
    with pytest.raises(DataError, match="expected files that end in"):
        rst(Replay(file=str(tmp_path)))
    (tmp_path / "a.dis").write_text("( Root")
    with pytest.raises(DataError, match=r"a\.dis:1"):
        rst(Replay(file=str(tmp_path)))


@given(found=trees())
def test_any_tree_by_both_ways(tmp_path_factory: pytest.TempPathFactory, found: RstTree) -> None:
    """From a tree file, and from what `stored` makes of that, the same tree over the same text."""
    folder = tmp_path_factory.mktemp("trees")
    write_tree(found, folder / "a.dis")
    once = rst(Replay(file=str(folder)), found.text)
    assert once.tree == found
    path = folder / "annotations.json"
    path.write_text(json.dumps({found.text: stored(found.text, once)}))
    assert rst(Replay(file=str(path)), found.text).tree == found
