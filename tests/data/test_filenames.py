from __future__ import annotations

from pathlib import Path

import pytest

from coheval.data.filenames import short_names, with_short_names


def test_folders_only_where_names_are_the_same() -> None:
    paths = ["/home/one/a.txt", "/home/one/b.txt", "/data/two/b.txt", "/data/x/deep/c.txt", "/data/y/deep/c.txt"]
    assert short_names(paths) == ["a.txt", "one/b.txt", "two/b.txt", "x/deep/c.txt", "y/deep/c.txt"]
    assert short_names([]) == []


def test_the_folder_one_is_in_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "one"
    inside.mkdir()
    monkeypatch.chdir(inside)
    assert short_names(["a.txt", "../two/a.txt", "."]) == ["one/a.txt", "two/a.txt", "one"]
    assert short_names(["a.txt", "./a.txt", str(inside / "a.txt")]) == ["a.txt"] * 3


def test_one_path_is_the_end_of_another() -> None:
    assert short_names(["/a/x", "/b/a/x"]) == ["/a/x", "b/a/x"]


def test_what_is_known_of_files() -> None:
    assert with_short_names({"/home/one/a.txt": "12", "/home/two/a.txt": "34"}) == {
        "one/a.txt": "12",
        "two/a.txt": "34",
    }
