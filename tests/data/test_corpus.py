"""A corpus gives every record back exactly once, in its document, whatever the order it came in."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data import Corpus, Record, spool
from coheval.errors import DataError

texts = st.text(st.sampled_from("ab\n\r\t\u2028\x00\U0001f600"), max_size=5)
references = st.lists(texts | st.none(), max_size=3).map(tuple)
places = st.lists(
    st.tuples(st.sampled_from(["A", "B"]), st.sampled_from(["x", "y", "é"]), st.integers(0, 3)), min_size=1, unique=True
)


@given(places, st.data())
def test_every_record_comes_back_once(where: list[tuple[str, str, int]], data: st.DataObject) -> None:
    records = [
        Record(system, data.draw(texts), data.draw(references), data.draw(texts | st.none()), document, segment)
        for system, document, segment in where
    ]
    corpus = Corpus.of(records)
    of_system = {name: [r for r in records if r.system == name] for name in corpus.systems}
    found = []
    for item in corpus:
        assert item.labels == tuple(sorted(item.labels))
        for index, (label, position) in enumerate(zip(item.labels, item.positions, strict=True)):
            record = of_system[item.system][position]
            assert (record.document, record.segment) == (item.document, label)
            assert item.candidate_text(index) == record.candidate
            assert item.reference_texts(index) == [text for text in record.references if text is not None]
            assert (item.source and item.source[index]) == (record.source if item.source else None)
            found.append(record)
    assert len(found) == len(records)
    assert all(record in found for record in records)


@given(places, st.integers(1, 30))
def test_blocks_hold_whole_documents_and_all_items(where: list[tuple[str, str, int]], characters: int) -> None:
    corpus = Corpus.of(Record(system, "word", (), None, document, n) for system, document, n in where)
    blocks = list(corpus.blocks(characters))
    assert [item for block in blocks for item in block] == list(corpus)
    assert all(sum(len(item.candidate.text) for item in block) >= characters for block in blocks[:-1])
    ids = [{item.document for item in block} for block in blocks]
    assert sum(map(len, ids)) == len(set().union(*ids)) == len(corpus.documents)


def test_documents_and_systems_keep_their_order_of_appearance() -> None:
    records = [Record(system, "text", (), None, document, n) for system in "BA" for document in "yx" for n in (1, 0)]
    corpus = Corpus.of(records)
    assert [(item.document, item.system, item.labels, item.positions) for item in corpus] == [
        ("y", "B", (0, 1), (1, 0)),
        ("y", "A", (0, 1), (1, 0)),
        ("x", "B", (0, 1), (3, 2)),
        ("x", "A", (0, 1), (3, 2)),
    ]
    assert [item.system for item in corpus.items("A")] == ["A", "A"]
    assert (corpus.systems, corpus.documents, corpus.counts) == (["B", "A"], ["y", "x"], {"B": 4, "A": 4})


def test_without_documents_equal_lines_of_systems_meet() -> None:
    corpus = Corpus.of([Record("A", "a1"), Record("A", "a2"), Record("B", "b1"), Record("B", "b2")])
    assert [(i.document, i.system, i.candidate.text) for i in corpus] == [
        ("1", "A", "a1"),
        ("1", "B", "b1"),
        ("2", "A", "a2"),
        ("2", "B", "b2"),
    ]
    assert corpus.characters == 8


def test_a_missing_reference_keeps_its_place() -> None:
    rows: list[tuple[str | None, ...]] = [("r1", None, "t1"), ("r2", None), ("r3", None, "t3")]
    (item,) = Corpus.of(Record("A", "c", refs, None, "d", n) for n, refs in enumerate(rows))
    assert [list(document) for document in item.references] == [["r1", "r2", "r3"], ["t1", None, "t3"]]


def test_where_references_and_sources_are_missing() -> None:
    corpus = Corpus.of(
        [Record("A", "c", ("r",), "s"), Record("A", "c", (None,), "s", where="a.txt:2"), Record("A", "c")]
    )
    assert corpus.without_references == "a.txt:2"
    assert corpus.without_source == "segment 3 of system 'A'"


def test_the_digest_is_of_the_texts_not_of_their_files() -> None:
    records = [Record("A", "one", ("r",)), Record("A", "two", ("r",))]
    digest = Corpus.of(records).sha256
    assert digest == Corpus.of(Record("A", r.candidate, r.references, where="x:1") for r in records).sha256
    assert digest != Corpus.of(reversed(records)).sha256
    assert digest != Corpus.of([records[0], Record("A", "two", ("q",))]).sha256


@pytest.mark.parametrize(
    ("records", "where", "says", "hint"),
    [
        ([], None, "nothing to score", "files you named"),
        (
            [Record("A", "c", document="d", where="f:1"), Record("A", "c", document="d", where="f:9")],
            "f:9",
            "system 'A' has document 'd' twice; the other is at f:1",
            "'segment'",
        ),
        (
            [Record("A", "c", document="d", segment=4, where=f"f:{n}") for n in (1, 2)],
            "f:2",
            "system 'A' has segment 4 of document 'd' twice; the other is at f:1",
            "'segment'",
        ),
        (
            [Record("A", "c", document="d", segment=4, where="f:1"), Record("A", "c", document="d", where="f:2")],
            "f:1",
            "system 'A' has document 'd' as a whole and by segments; the other is at f:2",
            "'segment'",
        ),
        (
            [Record("A", "c"), Record("A", "c", document="2")],
            "segment 2 of system 'A'",
            "those before have none",
            "or of",
        ),
        (
            [Record("A", "c", document="2"), Record("B", "c")],
            "segment 1 of system 'B'",
            "those before have one",
            "or of",
        ),
        ([Record("A", "c", segment=1, where="f:1")], "f:1", "a segment number needs a document", "name the document"),
        ([Record("A", "c", document="d", segment=-1, where="f:1")], "f:1", "from 0 to … got -1", "0, 1, 2"),
        ([Record("A", "c", document="d", segment=2**63, where="f:1")], "f:1", "from 0 to … got 92233", "0, 1, 2"),
        ([Record("A", "ab\ud83d", where="f:1")], "f:1", "'\\ud83d' … character 3 of the candidate", "UTF-8"),
        ([Record("A", "c", ("r", "\udc00"), where="f:1")], "f:1", "character 1 of the reference 2", "UTF-8"),
    ],
)
def test_refused(refused: Any, records: list[Record], where: str | None, says: str, hint: str) -> None:
    refused(lambda: Corpus.of(records), where=where, says=says, hint=hint)


def test_texts_beyond_memory_go_to_disk_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 1000)
    records = [Record("A", f"text {n} " * 9, where=f"f:{n}") for n in range(200)]
    with Corpus.of(records) as corpus:
        items = list(corpus)
        random.Random(1).shuffle(items)
        assert all(item.candidate.text == records[item.positions[0]].candidate for item in items)
        assert len(items) == len(records)
    with pytest.raises(ValueError, match="closed"):
        list(corpus)


def test_a_dropped_corpus_closes_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 10)
    corpus = Corpus.of([Record("A", "a text that is longer")])
    closed = corpus._spool.close
    assert closed.alive
    del corpus
    gc.collect()
    assert not closed.alive


FULL_DISK = """
import resource, tempfile
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))  # the system refuses to write more, as a full disk does
from coheval.data import Corpus, Record, spool
from coheval.errors import ResourceError
spool.IN_MEMORY = 1000
for count in (300, 60):  # refused while writing, and only when the last bytes are flushed
    try:
        Corpus.of(Record("A", f"text {n}" * 9) for n in range(count))
    except ResourceError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="file sizes cannot be limited there")
def test_a_full_disk() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FULL_DISK], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.count("cannot be kept in a temporary file") == done.stdout.count("TMPDIR") == 2
    assert done.stderr == ""


def test_errors_of_readers_are_not_taken_for_a_full_disk() -> None:
    def broken() -> Any:
        yield Record("A", "text")
        raise DataError("the file cannot be read", where="a.txt")

    with pytest.raises(DataError, match="cannot be read"):
        Corpus.of(broken())
