"""Our own tree files keep all that a tree has."""

from __future__ import annotations

import json

import pytest

from coheval.data.rsttree import Node, RstTree
from coheval.data.treefiles import jsonfile
from coheval.errors import DataError

TREE = RstTree(" a,\nb  c", ((1, 4), (4, 8)), (Node(0, 1, 2, "NN", "any name (at all)", 0.25),))
VALUES = {"edus": [[1, 4], [4, 8]], "nodes": [[0, 1, 2, "NN", "any name (at all)", 0.25]]}


def test_what_is_written():
    assert json.loads(jsonfile.written(TREE)) == {"text": TREE.text, **VALUES}


def test_probabilities_and_white_space_come_back():
    assert jsonfile.read(jsonfile.written(TREE), text=None, path="a.json") == TREE
    assert jsonfile.read(jsonfile.written(TREE), text=TREE.text, path="a.json") == TREE


def test_a_list_of_one_tree_is_that_tree():
    entry = {"name": "a.txt", "sentence": None, "start": 0, "text": TREE.text, **VALUES}  # as it is printed
    assert jsonfile.read(json.dumps([entry]), text=None, path="a.json") == TREE
    with pytest.raises(DataError, match=r"a\.json: expected one tree, got a list of 2\nhint: .* -o FOLDER writes each"):
        jsonfile.read(json.dumps([entry, entry]), text=None, path="a.json")
    with pytest.raises(DataError, match="no tree with its text"):
        jsonfile.read("[[]]", text=None, path="a.json")


def test_another_text_with_the_same_characters():
    found = jsonfile.read(jsonfile.written(TREE), text="a , b c", path="a.json")
    assert found == RstTree("a , b c", ((0, 3), (4, 7)), TREE.nodes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "no tree with its text"),
        ({"text": 1}, "no tree with its text"),
        (VALUES, "no tree with its text"),
        ({"text": "a b"}, "EDUs or nodes are missing"),
        ({"text": "a b", "edus": 1, "nodes": []}, "no lists of lists"),
        ({"text": "a b", "edus": [[0, 1, 2]], "nodes": []}, "no lists of lists"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NN"]]}, "no lists of lists"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NN", "x", 1, 1]]}, "no lists of lists"),
        ({"text": "a b", "edus": [[0, True], [2, 3]], "nodes": []}, "expected whole numbers .* got True"),
        ({"text": "a b", "edus": [[0, 1.0], [2, 3]], "nodes": []}, r"expected whole numbers .* got 1\.0"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": ["abcde"]}, "expected whole numbers"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NN", None]]}, "a relation is a text"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NN", "x", 2]]}, "from 0 to 1, got 2"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NN", "x", float("nan")]]}, "got nan"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, "NX", "x"]]}, "must be NS, SN or NN"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": [[0, 1, 2, [], "x"]]}, "must be NS, SN or NN"),
        ({"text": "a b", "edus": [[0, 1], [2, 3]], "nodes": []}, "has 1 nodes, got 0"),
        ({"text": "a b", "edus": [[0, 1], [2, 9]], "nodes": [[0, 1, 2, "NN", "x"]]}, "EDU 2 spans characters 2 to 9"),
        ({"text": "a b", "edus": [[2, 3], [0, 1]], "nodes": [[0, 1, 2, "NN", "x"]]}, "EDU 2 spans"),
    ],
)
def test_wrong_values(values, message):
    with pytest.raises(DataError, match=message) as error:
        jsonfile.read(json.dumps(values), text=None, path="a.json")
    assert error.value.where == "a.json"
    assert error.value.hint


def test_deep_and_long_json():
    for source in ("[" * 100_000, '{"text": ' + "9" * 5000 + "}"):
        with pytest.raises(DataError, match="not JSON"):
            jsonfile.read(source, text=None, path="a.json")
