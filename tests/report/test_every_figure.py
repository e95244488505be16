"""What holds for every kind of figure: nothing is cut off, files do not change, matplotlib's state is left alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from coheval import report
from coheval.errors import ResourceError, UsageError

from .conftest import LONG, overhang, written

Maker = Callable[..., Figure]


@pytest.mark.parametrize("name", ["bleu", LONG, "a_b{c}^d$e$\\frac" + "x" * 150])
def test_no_text_is_cut_off(maker: Maker, name: str) -> None:
    figure = maker(name, "A title that is much longer than a column of text could ever be wide, so it has two lines")
    assert overhang(figure) <= 0.005


def test_title_is_written(maker: Maker) -> None:
    assert "SummEval, 12 systems" in written(maker("bleu", "SummEval, 12 systems"))


def test_bytes_are_the_same_each_time(maker: Maker, tmp_path: Path) -> None:
    def files(figure: Figure) -> list[bytes]:
        return [report.save(figure, tmp_path / f"figure{ending}").read_bytes() for ending in report.FORMATS]

    figure = maker("bleu", None)
    assert files(figure) == files(figure) == files(maker("bleu", None))


def test_bytes_are_the_same_in_another_process(tmp_path: Path) -> None:
    code = """
import hashlib, json, sys
from coheval import report
figure = report.draw_agreement([1, 2, 3], [1, 3, 2], systems=["a", "b", "c"])
files = [report.save(figure, sys.argv[1] + ending) for ending in report.FORMATS]
print(json.dumps([hashlib.sha256(file.read_bytes()).hexdigest() for file in files]))
"""
    digests = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", code, str(tmp_path / seed)],
                env=os.environ | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]


def test_users_settings_neither_matter_nor_change(maker: Maker, tmp_path: Path) -> None:
    plain = report.save(maker("bleu", None), tmp_path / "plain.svg").read_bytes()
    with matplotlib.rc_context(
        {"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "red", "text.parse_math": True}
    ):
        before = dict(matplotlib.rcParams)
        assert report.save(maker("bleu", None), tmp_path / "again.svg").read_bytes() == plain
        assert dict(matplotlib.rcParams) == before


def test_pyplot_is_never_loaded() -> None:
    code = """
import sys
import coheval.report
assert "matplotlib" not in sys.modules
coheval.report.draw_agreement([1, 2], [1, 2])
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_threads_leave_settings_as_they_were() -> None:
    before = dict(matplotlib.rcParams)
    threads = [threading.Thread(target=report.draw_intervals, args=(["a"], [0.5])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(matplotlib.rcParams) == before


def test_without_matplotlib(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ResourceError, match=r"pip install 'coheval\[figures\]'"):
        maker("bleu", None)


def test_formats(tmp_path: Path) -> None:
    figure = report.draw_intervals(["a"], [0.5])
    begins = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    for ending, magic in begins.items():
        path = report.save(figure, tmp_path / "new" / "folder" / f"figure{ending.upper()}")
        assert path.read_bytes().startswith(magic)
    assert sorted(begins) == sorted(report.FORMATS)


@pytest.mark.parametrize("name", ["figure.jpg", "figure"])
def test_unknown_format(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end with \.svg, \.pdf, \.png, got .*\nhint: call it figure\.svg"):
        report.save(report.draw_intervals(["a"], [0.5]), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure, path = report.draw_intervals(["a"], [0.5]), tmp_path / "figure.svg"
    path.write_text("old")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ResourceError, match="No space left on device"):
        report.save(figure, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError, match="could not be written"):
        report.save(report.draw_intervals(["a"], [0.5]), tmp_path / "file" / "figure.svg")


def test_no_dates_and_no_versions(tmp_path: Path) -> None:
    figure = report.draw_intervals(["a"], [0.5])
    for ending in report.FORMATS:
        content = report.save(figure, tmp_path / f"figure{ending}").read_bytes()
        assert b"Date" not in content.replace(b"DCTDecode", b"")
        assert matplotlib.__version__.encode() not in content
