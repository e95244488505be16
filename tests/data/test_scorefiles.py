"""People's scores in mt-metrics-eval's trees: every level, None, and the same numbers as the texts have."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from coheval.data import Corpus
from coheval.data.files import read_mt_metrics_eval
from coheval.data.judged import read_judgements


@pytest.fixture
def tree(write: Any, tmp_path: Path) -> Path:
    """Two systems, three documents of which one is interrupted."""
    write("wmt/documents/en-de.docs", "news\td1\nnews\td2\nnews\td1\ntalk\td3\n")
    write("wmt/sources/en-de.txt", "a\nb\nc\nd\n")
    write("wmt/references/en-de.refA.txt", "a\nb\nc\nd\n")
    for system in "AB":
        write(f"wmt/system-outputs/en-de/{system}.txt", "".join(f"{system}{n}\n" for n in range(4)))
    write("wmt/human-scores/en-de.mqm.seg.score", "B\t0\nA\t-1.5\nA\tNone\nB  -2\nB\t-3\nA\t-4\nA\t-5\nB\tNone\n")
    write("wmt/human-scores/en-de.mqm.doc.score", "A\t1\nA\t2\nA\t3\nB\t4\nB\tNone\nB\t6\n")
    write("wmt/human-scores/en-de.wmt-z.sys.score", "A\t0.25\nB\t-0.5\n")
    write("wmt/human-scores/en-de.mqm.domain.score", "news\tA\t0.25\n")
    return tmp_path / "wmt"


def test_all_levels_and_aspects(tree: Path) -> None:
    judged = read_judgements(tree)
    assert judged.aspects() == ["mqm", "wmt-z"]
    assert judged.missing == 3
    assert judged.means("wmt-z") == {("A", None, None): 0.25, ("B", None, None): -0.5}
    assert judged.means("mqm") == {
        ("A", "d1", None): 1.0,
        ("A", "d2", None): 2.0,
        ("A", "d3", None): 3.0,
        ("B", "d1", None): 4.0,
        ("B", "d3", None): 6.0,
        ("A", "d1", 0): -1.5,
        ("A", "d1", 1): -4.0,
        ("A", "d3", 0): -5.0,
        ("B", "d1", 0): 0.0,
        ("B", "d2", 0): -2.0,
        ("B", "d1", 1): -3.0,
    }


def test_segments_have_the_keys_of_their_texts(tree: Path) -> None:
    corpus = Corpus.of(read_mt_metrics_eval(tree))
    known = {(key.system, key.document, key.segment) for item in corpus for key in map(item.key, range(len(item)))}
    segments = [r.unit for r in read_judgements(tree, aspects=["mqm"]).ratings if r.segment is not None]
    assert len(segments) == 6
    assert set(segments) <= known


def test_one_file_with_the_tree_around_it(tree: Path, write: Any) -> None:
    judged = read_judgements(tree / "human-scores" / "en-de.mqm.seg.score")
    assert len(judged.ratings) == 6
    assert judged.ratings[0].where.endswith("en-de.mqm.seg.score:1")
    alone = write("other/en-de.mqm.merged.seg.score.gz", gzip.compress(b"A 1\nA 2\n"))
    judged = read_judgements(alone, documents=write("docs.txt", "x\nx\n"))
    assert [(r.aspect, r.unit, r.value) for r in judged.ratings] == [
        ("mqm.merged", ("A", "x", 0), 1.0),
        ("mqm.merged", ("A", "x", 1), 2.0),
    ]


def test_scores_of_systems_need_no_tree(write: Any) -> None:
    path = write("en-de.da.sys.score", "A 1\nB None\n")
    judged = read_judgements(path)
    assert judged.means("da") == {("A", None, None): 1.0}
    assert judged.missing == 1


def test_language_pairs(tree: Path, write: Any, refused: Any) -> None:
    write("wmt/human-scores/zh-en.mqm.sys.score", "A\t1\n")
    refused(lambda: read_judgements(tree).ratings, where=str(tree), says="found en-de, zh-en", hint="name the pair")
    assert len(read_judgements(tree, pair="zh-en").ratings) == 1
    refused(lambda: read_judgements(tree, pair="zn-en").ratings, where=str(tree), says="'zn-en'", hint="'zh-en'?")


def test_folders_without_scores(tmp_path: Path, refused: Any) -> None:
    refused(lambda: read_judgements(tmp_path).ratings, where=str(tmp_path), says="human-scores, found none", hint="")


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("A\t1\nA\t2\nA\t3\nA\t4\nA\t5\n", 5, "more than 4 scores, expected one for each line of the test set"),
        ("A\t1\nA\t2\nA\t3\nA\t4\nB\t1\n", None, "system 'B' has 1 scores, expected 4"),
        ("A\t1\nA\tx\nA\t3\nA\t4\n", 2, "expected a system and a score, got 'A\\tx'"),
        ("A\t1\nA\n", 2, "expected a system and a score, got 'A'"),
        ("A\t1\nA\tnan\nA\t3\nA\t4\n", 2, "expected a finite number"),
    ],
)
def test_refused(tree: Path, write: Any, refused: Any, content: str, line: int | None, says: str) -> None:
    path = write("wmt/human-scores/en-de.da.seg.score", content)
    where = str(path) if line is None else f"{path}:{line}"
    refused(lambda: read_judgements(path).ratings, where=where, says=says, hint="")


def test_names_that_do_not_say_what_they_hold(tree: Path, write: Any, refused: Any) -> None:
    path = write("mqm.score", "A\t1\n")
    refused(lambda: read_judgements(path).ratings, where=str(path), says="such as en-de.mqm.seg.score", hint="level")
    path = write("en-de.mqm.seg.score", "A\t1\n")
    refused(
        lambda: read_judgements(path).ratings, where=str(path), says="documents of its lines", hint="documents file"
    )
    path = write("wmt/human-scores/en-de.mqm.segment.score", "A\t1\n")
    refused(lambda: read_judgements(tree).ratings, where=str(path), says="such as en-de.mqm.seg.score", hint="level")
