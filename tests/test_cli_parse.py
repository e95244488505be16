"""`coheval parse` and `coheval discourse` in a process of their own, with a parser that is a plug-in."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from coheval.data.treefiles import read_tree, write_tree
from rsttrees import chain, tree

TESTS = Path(__file__).parent
FILES = {
    "bridge.txt": "If the pier sinks, the bridge closes.\nTrams go on, but slowly.\n",
    "lines.txt": "Rain fell, because wind blew.\n\nWe left.\n",
    "a.txt": "Rain fell, because wind blew\nWe left, but you stayed\n",
    "b.txt": "Rain fell\nWe left, you stayed\n",
}
TREE = """\
Condition
├─S 1 If the pier sinks,
└─N Elaboration
  ├─N 2 the bridge closes.
  └─S Contrast
    ├─N 3 Trams go on,
    └─N 4 but slowly.
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    plug_in = tmp_path / "site" / "commas-1.dist-info"
    plug_in.mkdir(parents=True)
    (plug_in / "METADATA").write_text("Metadata-Version: 2.1\nName: commas\nVersion: 1\n")
    (plug_in / "entry_points.txt").write_text("[coheval.annotators]\ncommas = toyparser:Commas\n")
    made = tree("Rain fell so we left", ["Rain fell", "so we left"], ("NS", "Cause", 0, 1))
    write_tree(made, tmp_path / "trees" / "rain.rs3")
    write_tree(made, tmp_path / "trees" / "wind.dis")
    return tmp_path


def coheval(folder: Path, *args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", *args]
    path = os.pathsep.join([str(TESTS), str(folder / "site"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, input=stdin, timeout=120, env=environment
    )


def parsed(folder: Path, line: str, stdin: str | None = None) -> str:
    done = coheval(folder, "parse", *line.split(), stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_text_is_one_tree(files: Path) -> None:
    assert parsed(files, "bridge.txt --parser commas") == TREE
    assert parsed(files, "- --parser commas", stdin=FILES["bridge.txt"]) == TREE
    with gzip.open(files / "bridge.txt.gz", "wt", encoding="utf-8") as file:
        file.write(FILES["bridge.txt"].replace("\n", "\r\n"))
    assert parsed(files, "bridge.txt.gz --parser commas") == TREE


def test_sentences_and_lines(files: Path) -> None:
    assert parsed(files, "bridge.txt --level sentence --parser commas") == (
        "bridge.txt, sentence 1\nCondition\n├─S 1 If the pier sinks,\n└─N 2 the bridge closes.\n\n"
        "bridge.txt, sentence 2\nContrast\n├─N 1 Trams go on,\n└─N 2 but slowly.\n"
    )
    assert parsed(files, "lines.txt --lines --parser commas") == (
        "lines.txt:1\nCause\n├─N 1 Rain fell,\n└─S 2 because wind blew.\n\n"
        "lines.txt:2\n(no words)\n\nlines.txt:3\n1 We left.\n"
    )


def test_width_and_several_files(files: Path) -> None:
    shown = parsed(files, "trees bridge.txt trees/rain.rs3 --parser commas --width 40")
    assert [line for line in shown.splitlines() if "." in line and "─" not in line] == [
        "trees/rain.rs3",
        "trees/wind.dis",
        "bridge.txt",
        "trees/rain.rs3",
    ]


def test_tree_files_need_no_parser(files: Path) -> None:
    assert parsed(files, "trees/rain.rs3") == "Cause\n├─N 1 Rain fell\n└─S 2 so we left\n"
    (files / "again.dis").write_text(parsed(files, "trees/rain.rs3 --format dis"), encoding="utf-8")
    (files / "again.rs3").write_text(parsed(files, "again.dis --format rs3"), encoding="utf-8")
    (files / "again.brackets").write_text(parsed(files, "again.rs3 --format brackets"), encoding="utf-8")
    assert read_tree(files / "again.brackets") == read_tree(files / "trees/rain.rs3")


def test_json_holds_all_trees(files: Path) -> None:
    content = json.loads(parsed(files, "lines.txt --lines --parser commas(chance=0.5) --format json"))
    assert [entry["name"] for entry in content] == ["lines.txt:1", "lines.txt:2", "lines.txt:3"]
    assert content[0]["nodes"] == [[0, 1, 2, "NS", "Cause", 0.5]]
    assert content[1] == {"name": "lines.txt:2", "sentence": None, "start": 0, "text": "", "edus": [], "nodes": []}


@pytest.mark.parametrize("ending", ["dis", "rs3", "brackets", "json"])
def test_a_folder_of_trees(files: Path, ending: str) -> None:
    line = f"parse lines.txt --lines --parser commas --format {ending} -o out".split()
    done = coheval(files, *line)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    names = {"lines-1", "lines-3"} | ({"lines-2"} if ending == "json" else set())
    assert {path.name for path in (files / "out").iterdir()} == {f"{name}.{ending}" for name in names}
    assert ("note: lines.txt:2 has no words and so no file" in done.stderr) == (ending != "json")
    assert read_tree(files / f"out/lines-1.{ending}").nodes[0].relation == "Cause"
    again = coheval(files, *line)
    assert again.returncode == 2
    assert "--overwrite" in again.stderr
    assert coheval(files, *line, "--overwrite").returncode == 0


@pytest.mark.parametrize("format", ["rs3", "dis"])
def test_a_folder_is_written_whole_or_not_at_all(files: Path, format: str) -> None:
    # XML has no NUL, and a text of .dis ends with _!)
    (files / "odd.txt").write_text("We left.\nRain \0 fell _!), but you stayed.\n")
    done = coheval(files, *f"parse lines.txt odd.txt --lines --parser commas --format {format} -o out".split())
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("error: odd.txt:2: ")
    assert "cannot" in done.stderr
    assert not (files / "out").exists()


def test_json_of_one_tree_is_read_again(files: Path) -> None:
    (files / "rain.json").write_text(parsed(files, "trees/rain.rs3 --format json"), encoding="utf-8")
    assert read_tree(files / "rain.json") == read_tree(files / "trees/rain.rs3")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("parse a.txt --format dis -o b.txt", "b.txt: expected a folder for the trees, got a file"),
        ("parse a.txt --format dis -o b.txt/in/it", "b.txt: expected a folder for the trees, got a file"),
        ("parse rain.txt --format dis -o full", "full/rain.dis: the file exists already"),
        ("parse rain.txt twin/rain.txt -o out", "would both be called rain"),
        ("parse a.txt b.txt --format dis", "a file of the format dis holds one tree, got 2"),
        ("discourse -c a.txt -r a.txt --figure x.bmp", "x.bmp: a figure's file must end with .svg, .pdf, .png"),
    ],
)
def test_what_cannot_be_written_is_told_before_texts_are_parsed(files: Path, line: str, told: str) -> None:
    for name in ("rain.txt", "twin/rain.txt", "full/rain.dis"):
        (files / name).parent.mkdir(exist_ok=True)
        (files / name).write_text("Rain")
    (files / "none.json").write_text("{}")  # whatever is parsed, there is no annotation of it
    done = coheval(files, *line.split(), "--parser", "replay(file='none.json')")
    assert done.returncode == 2, done.stderr
    assert told in done.stderr


def test_a_folder_of_texts(files: Path) -> None:
    parsed(files, "bridge.txt --level sentence --parser commas -o out")
    assert sorted(path.name for path in (files / "out").iterdir()) == ["bridge-s1.txt", "bridge-s2.txt"]
    assert (files / "out/bridge-s2.txt").read_text(encoding="utf-8").startswith("Contrast\n")


def test_a_drawing(files: Path) -> None:
    done = coheval(files, *"parse bridge.txt trees/rain.rs3 --parser commas --svg new/tree.svg".split())
    assert done.returncode == 0, done.stderr
    assert done.stderr == "drawing: new/tree.svg\n"
    drawn = (files / "new/tree.svg").read_bytes()
    assert "bridge.txt; trees/rain.rs3" in "".join(ET.fromstring(drawn).itertext())
    coheval(files, *"parse bridge.txt trees/rain.rs3 --parser commas --svg again.svg".split())
    assert (files / "again.svg").read_bytes() == drawn


def test_deep_trees(files: Path) -> None:
    write_tree(chain(3000), files / "deep.json")
    shown = parsed(files, "deep.json --svg deep.svg")
    assert len(shown.splitlines()) == 2 * 3000 - 1
    assert ET.parse(files / "deep.svg").getroot() is not None


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("", 2, "Missing argument"),
        ("trees/rain.rs3 --lines", 2, "about texts, got files of trees alone"),
        ("trees --level sentence", 2, "about texts, got files of trees alone"),
        ("trees --format rs3", 2, "a file of the format rs3 holds one tree, got 2"),
        ("bridge.txt --svg tree.png", 2, "must end with .svg, got 'tree.png'"),
        ("bridge.txt --parser spacy", 4, "gives no discourse trees"),
        ("bridge.txt --parser comas", 2, "did you mean 'commas'"),
        ("data.jsonl", 2, "got a file of records by its name"),
        ("brdge.txt --parser commas", 3, "did you mean 'bridge.txt'"),
        ("empty.txt --parser commas", 3, "the file has no lines"),
        ("half.dis", 3, "half.dis"),
        ("half.json", 3, "half.json"),
        ("latin.txt --parser commas", 3, "expected UTF-8"),
        ("tree.rs3.gz", 2, "expected a file of a tree that ends in"),
        ("trees/rain.rs3 trees/wind.dis twin/rain.txt --parser commas -o out", 2, "would both be called rain"),
    ],
)
def test_mistakes(files: Path, line: str, code: int, told: str) -> None:
    (files / "empty.txt").write_bytes(b"")
    (files / "latin.txt").write_bytes("é".encode("latin-1"))
    (files / "half.dis").write_text("( Root (span 1 2)\n ( Nucleus (leaf 1)")
    (files / "half.json").write_text('{"text": "a", "edus": [[0,')
    (files / "twin").mkdir()
    (files / "twin/rain.txt").write_text("Rain")
    done = coheval(files, "parse", *line.split())
    assert done.returncode == code, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (files / "out").exists()


def test_discourse_of_systems(files: Path) -> None:
    line = "discourse -c same=a.txt b.txt -r a.txt --parser commas --resamples 20".split()
    done = coheval(files, *line)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[3].startswith("group")
    assert [line.split()[0] for line in lines[5:8]] == ["same", "b", "same"]
    assert lines[7].startswith("same − b")
    content = json.loads(coheval(files, *line, "--format", "json").stdout)
    assert content["groups"]["same"]["relation_f1"]["value"] == 1
    # EDUs: 2 and 2 of references; 1 and 2 here: 2 · 3 / 7
    assert content["groups"]["b"]["edu_f1"]["value"] == pytest.approx(6 / 7)


def test_discourse_of_the_best_and_the_worst(files: Path) -> None:
    judged = [("a", 0, 1), ("b", 0, 3), ("a", 1, 5), ("b", 1, 4)]
    with open(files / "judged.jsonl", "w", encoding="utf-8") as file:
        for system, segment, value in judged:
            file.write(json.dumps({"system": system, "document": "d", "segment": segment, "adequacy": value}) + "\n")
    (files / "docs.txt").write_text("d\nd\n")
    texts = "-c a.txt b.txt -r a.txt -d docs.txt --judgements judged.jsonl --aspect adequacy --parser commas"
    done = coheval(files, *f"discourse {texts} --format csv --table relations --resamples 0".split())
    assert done.returncode == 0, done.stderr
    rows = [line.split(",")[:3] for line in done.stdout.splitlines()[1:]]
    # good: b's first line, which has no relation, and a's second: Contrast; bad: a's first, Cause, b's second
    assert rows == [
        ["Cause", "", "1"],
        ["Cause", "good", "0"],
        ["Cause", "bad", "1"],
        ["Contrast", "", "1"],
        ["Contrast", "good", "1"],
        ["Contrast", "bad", "0"],
        ["Elaboration", "", "0"],
        ["Elaboration", "good", "0"],
        ["Elaboration", "bad", "1"],
    ]


def test_discourse_draws_relations(files: Path) -> None:
    pytest.importorskip("matplotlib")
    line = "discourse -c b.txt -r a.txt --parser commas --resamples 0 --figure new/relations.svg".split()
    done = coheval(files, *line)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "figure: new/relations.svg\n"
    assert (files / "new/relations.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("", 2, "expected either a data file, or candidates (-c) and their references (-r)"),
        ("-c a.txt", 2, "expected either a data file, or candidates (-c) and their references (-r)"),
        ("data.jsonl -c a.txt -r a.txt", 2, "expected either a data file"),
        ("-c a.txt -r lines.txt --parser commas", 3, "expected 2 lines as in a.txt, got 3"),
        ("-c a.txt -r a.txt --parser commas --aspect x", 2, "go with --judgements"),
        ("-c a.txt -r a.txt --parser commas --judgements none.jsonl", 3, "there is no such file"),
        ("-c a.txt -r a.txt --parser commas --confidence 2", 2, "confidence must lie between 0 and 1"),
    ],
)
def test_mistakes_of_discourse(files: Path, line: str, code: int, told: str) -> None:
    done = coheval(files, "discourse", *line.split())
    assert done.returncode == code, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_text_is_never_replaced_by_its_tree(files: Path) -> None:
    done = coheval(files, *"parse bridge.txt --parser commas -o . --overwrite".split())
    assert done.returncode == 2
    assert "would replace the text itself" in done.stderr
    assert (files / "bridge.txt").read_text(encoding="utf-8") == FILES["bridge.txt"]


def test_no_sentence_no_drawing(files: Path) -> None:
    (files / "blank.txt").write_text(" \n", encoding="utf-8")
    done = coheval(files, *"parse blank.txt --level sentence --parser commas --svg none.svg".split())
    assert (done.returncode, done.stdout) == (0, "")
    assert "no words" in done.stderr
    assert not (files / "none.svg").exists()
