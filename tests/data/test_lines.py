"""Lines: only line feeds split, whatever else the text holds; unreadable files say why."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.lines import lines, lines_with_ends

# Everything that str.splitlines, universal newlines or a careless reader would split at or drop.
TRAPS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x00\x1a\ufeff\u200b\t \U0001f600e\u0301"
texts = st.text(st.sampled_from(TRAPS) | st.characters(exclude_characters="\n", exclude_categories=["Cs"]))


@given(st.lists(texts.filter(lambda text: not text.endswith("\r")), min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_any_lines_come_back_unchanged(tmp_path_factory: pytest.TempPathFactory, written: list[str], end: str) -> None:
    folder = tmp_path_factory.mktemp("lines")
    content = "".join(line + end for line in written).encode()
    mark = b"\xef\xbb\xbf"  # so that a text which begins with one of its own keeps it
    (folder / "plain.txt").write_bytes(mark + content)
    (folder / "packed.txt.gz").write_bytes(gzip.compress(mark + content))
    assert list(lines(folder / "plain.txt")) == written
    assert list(lines(folder / "packed.txt.gz")) == written


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),
        (b"one\r\n\r\ntwo\r\n", ["one", "", "two"]),
        (b"a\rb\nc\r", ["a\rb", "c\r"]),
        (b"\n", [""]),
        (b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n", ["one", "\ufefftwo"]),
        (b"\x00\x01\x7f\n", ["\x00\x01\x7f"]),
    ],
)
def test_ends_of_lines(write: Any, content: bytes, expected: list[str]) -> None:
    assert list(lines(write("a.txt", content))) == expected


def test_ends_are_kept_on_request(write: Any) -> None:
    assert list(lines_with_ends(write("a.txt", b"one\r\ntwo\nthree"))) == ["one\r\n", "two\n", "three"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BytesIO(b"\xef\xbb\xbfone\ntwo")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    assert list(lines("-")) == ["one", "two"]
    assert not stream.closed


def test_empty_standard_input(monkeypatch: pytest.MonkeyPatch, refused: Any) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO()))
    refused(lambda: lines("-"), where="standard input", says="has no lines", hint="pipe")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(write: Any, refused: Any, content: bytes) -> None:
    path = write("a.txt", content)
    refused(lambda: lines(path), where=str(path), says="has no lines", hint="check the program")


@pytest.mark.parametrize(
    ("content", "line", "byte", "offset", "hint"),
    [
        (b"fine\ncaf\xe9 noir\n", 2, "0xe9", 8, "iconv -f LATIN1"),
        (b"\xef\xbb\xbfcut \xe2\x82", 1, "0xe2", 7, "iconv"),
        ("text".encode("utf-16"), 1, "0xff", 0, "UTF-16"),
        (gzip.compress(b"text", mtime=0), 1, "0x8b", 1, ".gz"),
    ],
)
def test_bytes_that_are_not_utf8(
    write: Any, refused: Any, content: bytes, line: int, byte: str, offset: int, hint: str
) -> None:
    path = write("a.txt", content)
    says = f"expected UTF-8 … {byte} … offset {offset} "
    refused(lambda: lines(path), where=f"{path}:{line}", says=says, hint=hint)


@pytest.mark.parametrize("damage", ["cut", "cut at the end", "flipped", "never compressed"])
def test_broken_gzip(write: Any, refused: Any, damage: str) -> None:
    whole = gzip.compress(b"one\ntwo\n")
    flipped = whole[:-5] + bytes([whole[-5] ^ 0xFF]) + whole[-4:]  # in the checksum
    broken = {"cut": whole[:12], "cut at the end": whole[:-6], "flipped": flipped, "never compressed": b"one\ntwo\n"}
    path = write("a.txt.gz", broken[damage])
    refused(lambda: lines(path), where=str(path), says="expected a whole gzip file", hint="gzip -t")


def test_a_missing_file_names_its_neighbour(write: Any, refused: Any, tmp_path: Path) -> None:
    write("candidates.txt", "text\n")
    path = tmp_path / "candidate.txt"
    refused(
        lambda: lines(path), where=str(path), says="no such file", hint=f"did you mean '{tmp_path}/candidates.txt'?"
    )
    path = tmp_path / "zzz"
    refused(lambda: lines(path), where=str(path), says="no such file", hint="holds no similar name")
    path = tmp_path / "nowhere" / "a.txt"
    refused(lambda: lines(path), where=str(path), says="no such file", hint=f"'{tmp_path}/nowhere' does not exist")


def test_a_folder_is_not_a_file(refused: Any, tmp_path: Path) -> None:
    refused(lambda: lines(tmp_path), where=str(tmp_path), says="expected a file, got a folder", hint="inside it")


def test_no_permission(monkeypatch: pytest.MonkeyPatch, refused: Any) -> None:
    def locked(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", locked)
    refused(lambda: lines("a.txt"), where="a.txt", says="no permission", hint="ls -l")
