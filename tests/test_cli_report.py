"""`coheval report` in a subprocess: what it writes and prints, its exit codes, its errors read aloud."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TEXTS = {
    "a.txt": "a red boat\na quiet street\nthe cat slept\n",
    "b.txt": "a boat\nstreets\na cat\n",
    "ref.txt": "one red boat\nthe quiet street\nthe cat slept\n",
    "docs.txt": "news\nnews\npets\n",
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    lines = [
        {"system": system, "document": document, "segment": segment, "aspect": "fluency", "value": value}
        for system, values in (("a", (4, 5, 5)), ("b", (3, 1, 2)))
        for (document, segment), value in zip((("news", 0), ("news", 1), ("pets", 0)), values, strict=True)
    ]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = coheval(tmp_path, *"score -c a.txt b.txt -r ref.txt -d docs.txt -m chrf ter -o run".split())
    assert done.returncode == 0, done.stderr
    return tmp_path


def coheval(
    folder: Path, *args: str, limit: Callable[[], None] | None = None, stdout: object = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", *args]
    return subprocess.run(
        command, cwd=folder, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, preexec_fn=limit
    )


def test_tables_are_printed(files: Path) -> None:
    for format, begin in (("markdown", "# run\n"), ("latex", "% "), ("json", "{")):
        done = coheval(files, "report", "run", "--format", format)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(begin)
        assert "note: nothing can be significant" in done.stderr
    assert not (files / "run" / "report.html").exists()


def test_json_is_everything_but_texts(files: Path) -> None:
    content = json.loads(coheval(files, "report", "run", "--format", "json").stdout)
    scores = json.loads(coheval(files, *"score -c a.txt b.txt -r ref.txt -m chrf --format json".split()).stdout)
    by_system = {row["system"]: row["metrics"]["chrf"]["score"] for row in content["overview"]["rows"]}
    assert by_system == pytest.approx(scores["metrics"]["chrf"]["system"], rel=1e-5)
    assert content["explained"] == [0, 1]
    assert content["reproducibility"]["report"] == "coheval report run --format json"
    one = json.loads(coheval(files, *"report run --format json --explain 1".split()).stdout)
    assert one["explained"] == [1]  # "pets": a is perfect there, b has two of three words wrong


def test_judgements_come_beside(files: Path) -> None:
    args = "report run judged.jsonl --format markdown --level segment --statistic pearson --aspects fluency".split()
    done = coheval(files, *args)
    assert done.returncode == 0, done.stderr
    expected = coheval(files, *"agree run judged.jsonl --level segment --statistic pearson --format json".split())
    (value,) = (row["value"] for row in json.loads(expected.stdout)["agreement"] if row["metric"] == "chrf")
    assert f"| chrf | {value:.3f} " in done.stdout


def test_the_command_that_keeps_evidence_of_all_does(files: Path) -> None:
    """The note of a run without evidence names it; NEW stands for a name."""
    note = json.loads(coheval(files, *"report run --format json --explain 1".split()).stdout)["explained_note"]
    command = note.partition("`coheval ")[2].partition("`")[0]
    assert coheval(files, *command.split()).returncode == 0
    content = json.loads(coheval(files, *"report NEW --format json".split()).stdout)
    assert (content["explained"], content["explained_note"]) == ([0, 1], None)


def test_a_file_is_written_once_unless_told(files: Path) -> None:
    args = "report run --format markdown -o new/tables.md".split()
    done = coheval(files, *args)
    assert (done.returncode, done.stdout) == (0, f"{Path('new/tables.md')}\n")
    assert (files / "new" / "tables.md").read_text(encoding="utf-8").startswith("# run")
    again = coheval(files, *args)
    assert again.returncode == 2
    assert "new/tables.md: the file exists already" in again.stderr
    assert "--overwrite" in again.stderr
    assert coheval(files, *args, "--overwrite").returncode == 0


def test_the_page_is_in_the_run_folder_which_stays_a_run(files: Path) -> None:
    for _ in range(2):  # it is made of the run, so it may be made again
        done = coheval(files, "report", "run")
        assert (done.returncode, done.stdout) == (0, f"{Path('run/report.html')}\n"), done.stderr
    assert (files / "run" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert coheval(files, "compare", "run").returncode == 0
    over = coheval(files, *"score -c a.txt -r ref.txt -m chrf -o run --overwrite".split())
    assert over.returncode == 0, over.stderr
    assert coheval(files, "report", "run", "-o", "page.html").returncode == 0
    assert (files / "page.html").exists()


def test_texts_that_are_gone_are_told(files: Path) -> None:
    (files / "b.txt").unlink()
    done = coheval(files, *"report run --format markdown".split())
    assert done.returncode == 0, done.stderr
    assert "note: the texts cannot be shown: " in done.stderr
    assert "b.txt" in done.stderr
    assert "| b | " in done.stdout


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("report gone", 3, "gone: there is no such folder"),
        ("report .", 3, "manifest.json: not a run folder: No such file or directory"),
        ("report a.txt", 3, "not a run folder"),
        ("report run --explain -1", 2, "'--explain': -1 is not in the range x>=0"),
        ("report run --explain -1 --format latex", 2, "'--explain': -1 is not in the range x>=0"),
        ("report run -o .", 2, "expected the name of a file, got a folder hint: name a file in it"),
        ("report run -o . --overwrite", 2, "expected the name of a file, got a folder"),
        ("report run --format pdf", 2, "'pdf' is not one of"),
        ("report run --level system", 2, "level goes with judgements, and there are none"),
        ("report run --drop-unmatched", 2, "drop_unmatched goes with judgements"),
        ("report run --raters expert", 2, "go with judgements"),
        ("report run gone.jsonl", 3, "gone.jsonl"),
        ("report run judged.jsonl --aspects beauty", 2, "beauty"),
        ("report run -o a.txt", 2, "a.txt: the file exists already"),
        ("report run -o a.txt/page.html", 4, "a.txt/page.html: the file cannot be written there"),
    ],
)
def test_mistakes_are_told_with_their_exit_code(files: Path, args: str, code: int, told: str) -> None:
    done = coheval(files, *args.split())
    assert done.returncode == code, done.stderr
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (files / "gone").exists()


def test_judgements_of_other_texts_are_told(files: Path) -> None:
    other = {"system": "a", "document": "moon", "segment": 0, "aspect": "fluency", "value": 1}
    with (files / "judged.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(other) + "\n")
    done = coheval(files, *"report run judged.jsonl --format markdown".split())
    assert done.returncode == 3
    assert "moon" in done.stderr
    assert "--drop-unmatched" in done.stderr or "drop_unmatched" in done.stderr
    dropped = coheval(files, *"report run judged.jsonl --format markdown --drop-unmatched".split())
    assert dropped.returncode == 0, dropped.stderr


def test_a_manifest_that_is_half_written_is_told(files: Path) -> None:
    manifest = files / "run" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text[: len(text) // 2], encoding="utf-8")
    done = coheval(files, "report", "run")
    assert done.returncode == 3
    assert "manifest.json: not a manifest (JSONDecodeError" in done.stderr


def test_a_full_disk_leaves_nothing_behind(files: Path) -> None:
    """Files may have 100 bytes, which Python is told of as it is of a full disk."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # noqa: E731
    for args in (["-o", "page.html"], ["--format", "markdown", "-o", "page.md"], []):
        done = coheval(files, "report", "run", *args, limit=limit)
        assert done.returncode == 4, done.stderr
        assert "the report could not be written: File too large" in done.stderr
        assert "hint: free disk space" in done.stderr
    assert sorted(path.name for path in files.iterdir()) == sorted([*TEXTS, "judged.jsonl", "run"])
    assert {path.name for path in (files / "run").iterdir()} == {"manifest.json", "scores.jsonl", "documents.jsonl"}


def test_a_full_disk_behind_standard_output(files: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = coheval(files, *"report run --format markdown".split(), stdout=full)
    assert done.returncode == 4
    assert "the output could not be written" in done.stderr


def test_a_run_folder_that_is_read_only_is_told_before_the_work(files: Path) -> None:
    folder = files / "run"
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("whoever runs this may write anywhere")
        done = coheval(files, "report", "run")
    finally:
        folder.chmod(0o755)
    assert done.returncode == 4
    assert "the file cannot be written there" in done.stderr
