"""What holds for every format of tree files: what is written comes back, and bad files are refused with a reason."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coheval.data.rsttree import Node, RstTree
from coheval.data.treefiles import READERS, read_tree, read_trees, write_tree
from coheval.errors import CohevalError, DataError, UsageError
from rsttrees import chain, tree, trees

FORMATS = sorted(READERS)
WORDLESS = [name for name in FORMATS if name != ".json"]

RAIN = tree(
    "It rained\nall day, so we\tleft (early).",
    ["It rained", "all day,", "so we\tleft (early)."],
    ("NS", "causal-result", ("NN", "same-unit", 0, 1), 2),
)


@pytest.fixture(params=FORMATS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of each format."""
    return tmp_path / f"a.tree{request.param}"


def test_what_is_written_comes_back(path: Path) -> None:
    write_tree(RAIN, path)
    assert read_tree(path, text=RAIN.text) == RAIN
    assert read_tree(path).nodes == RAIN.nodes


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=trees())
def test_any_tree_comes_back(path: Path, found: RstTree) -> None:
    write_tree(found, path)
    assert read_tree(path, text=found.text) == found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=trees(), blanks=st.sampled_from(["", " ", "\n\n", "\u3000"]))
def test_white_space_of_the_text_does_not_matter(path: Path, found: RstTree, blanks: str) -> None:
    """The same characters with other white space between them: same EDUs, same nodes."""
    write_tree(found, path)
    text = blanks.join("".join(found.text.split()))
    read = read_tree(path, text=text)
    assert read.nodes == found.nodes
    assert ["".join(read.edu(k).split()) for k in range(len(read))] == [
        "".join(found.edu(k).split()) for k in range(len(found))
    ]


@pytest.mark.parametrize("name", WORDLESS)
def test_without_a_text_edus_are_joined_by_blanks(name: str, tmp_path: Path) -> None:
    write_tree(RAIN, tmp_path / f"a{name}")
    read = read_tree(tmp_path / f"a{name}")
    assert read.text == "It rained all day, so we left (early)."
    assert read.edus == ((0, 9), (10, 18), (19, 38))


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("nuclearity", ["NS", "SN", "NN"])
def test_chains_of_thousands_of_edus(path: Path, nuclearity: str, left: bool) -> None:
    found = chain(3000, nuclearity, left=left)
    write_tree(found, path)
    assert read_tree(path) == found
    assert path.stat().st_size < 3000 * 400  # indents do not grow with the depth


def test_one_edu(path: Path) -> None:
    found = tree("Yes.", ["Yes."])
    write_tree(found, path)
    assert read_tree(path) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("It rained all day, so we left (late).", r"EDU 3 goes on with 'early\)\.' where the text has 'late\)\.'"),
        ("It rained all day, so we left", r"EDU 3 goes on with '\(early\)\.' where the text has ''"),
        ("It rained all day, so we left (early). Then", r"goes on behind the last EDU, at character 39: 'Then'"),
        ("", "EDU 1 goes on with 'Itrained' where the text has ''"),
    ],
)
def test_another_text_is_refused(path: Path, text: str, message: str) -> None:
    write_tree(RAIN, path)
    with pytest.raises(DataError, match=message) as error:
        read_tree(path, text=text)
    assert str(path) in str(error.value)


def test_half_a_file_is_refused(path: Path) -> None:
    """Whatever is missing at the end, there is an error of ours that names the file."""
    write_tree(RAIN, path)
    whole = path.read_bytes().rstrip()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError) as error:
            read_tree(path)
        assert str(path) in str(error.value)
        assert error.value.hint


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"\x00", b"hello", b"[]", b"{}", b"(", b")", b"<rst/>", b"((", b" \n"]
)
def test_other_files_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_tree(path)
    assert error.value.hint


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_give_a_tree_or_our_error(path: Path, data: st.DataObject) -> None:
    """One character more, less or another never leads to an error of Python's."""
    write_tree(RAIN, path)
    whole = path.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(whole) - 1))
    path.write_text(whole[:at] + data.draw(st.sampled_from(["", "(", ")", "1", "<", '"', "N", " "])) + whole[at + 1 :])
    with suppress(CohevalError):
        read_tree(path)


@pytest.mark.parametrize("name", WORDLESS)
def test_texts_without_words_need_json(name: str, tmp_path: Path) -> None:
    for wordless in (RstTree("", (), ()), RstTree("a   b", ((0, 1), (2, 3)), (Node(0, 1, 2, "NN", "Joint"),))):
        with pytest.raises(DataError, match="without words") as error:
            write_tree(wordless, tmp_path / f"a{name}")
        assert error.value.where == str(tmp_path / f"a{name}")
        write_tree(wordless, tmp_path / "a.json")
        assert read_tree(tmp_path / "a.json") == wordless
    assert not (tmp_path / f"a{name}").exists()


@pytest.mark.parametrize("relation", ["", "two words", "(x)", "span", "tab\t"])
@pytest.mark.parametrize("name", WORDLESS)
def test_odd_relations_need_json(name: str, relation: str, tmp_path: Path) -> None:
    odd = tree("a b", ["a", "b"], ("NN", relation, 0, 1))
    with pytest.raises(DataError, match="cannot be written") as error:
        write_tree(odd, tmp_path / f"a{name}")
    assert error.value.where == str(tmp_path / f"a{name}")
    write_tree(odd, tmp_path / "a.json")
    assert read_tree(tmp_path / "a.json") == odd


def test_half_characters_are_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"half a character|XML cannot hold"):
        write_tree(tree("a\ud800", ["a\ud800"]), path)


def test_unknown_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.dis, \.rs3") as error:
        read_tree(tmp_path / "a.diss")
    assert "'.dis'" in (error.value.hint or "")
    with pytest.raises(UsageError, match="got 'tree'"):
        write_tree(RAIN, tmp_path / "tree")


def test_missing_files_are_refused(path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_tree(path)


def test_a_folder_of_trees(tmp_path: Path) -> None:
    for name in ("b.dis", "a.RS3", "c.json"):
        write_tree(RAIN, tmp_path / name)
    (tmp_path / "readme.txt").write_text("not a tree")
    found = read_trees(tmp_path)
    assert list(found) == ["a", "b", "c"]
    assert {name: read.nodes for name, read in found.items()} == dict.fromkeys("abc", RAIN.nodes)
    assert read_trees(tmp_path / "b.dis") == {"b": found["b"]}


def test_folders_without_trees_or_with_two_of_a_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="got none"):
        read_trees(tmp_path)
    write_tree(RAIN, tmp_path / "a.dis")
    write_tree(RAIN, tmp_path / "a.rs3")
    with pytest.raises(DataError, match=r"a\.dis and a\.rs3 have the same name"):
        read_trees(tmp_path)
