"""The command line as users meet it: in a process of its own."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TEXTS = {
    "a.txt": "one red boat\na quiet street\n",
    "b.txt": "a boat\nstreets\n",
    "ref.txt": "one red boat\nthe quiet street\n",
    "docs.txt": "news\nnews\n",
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def coheval(folder: Path, *args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin, timeout=120)


def test_score_prints_a_table_with_signatures(files: Path) -> None:
    done = coheval(files, "score", "-c", "a.txt", "b.txt", "-r", "ref.txt", "-m", "chrf", "moverscore")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["system", "chrf", "↑", "moverscore", "↑"]
    assert [line.split()[0] for line in lines[2:4]] == ["a", "b"]
    assert "chrf: chrf(version=1" in done.stdout
    assert done.stderr == ""


def test_json_goes_to_standard_output_alone(files: Path) -> None:
    done = coheval(files, "score", "-c", "a.txt", "-r", "ref.txt", "-m", "chrf", "--format", "json")
    content = json.loads(done.stdout)
    assert content["metrics"]["chrf"]["segments"]["a"][0] == 100.0


def test_csv_by_level(files: Path) -> None:
    for level, expected in (("system", 2), ("document", 2), ("segment", 4)):
        done = coheval(
            files, *"score -c a.txt b.txt -r ref.txt -d docs.txt -m chrf --format csv --level".split(), level
        )
        assert len(list(csv.DictReader(io.StringIO(done.stdout)))) == expected


def test_latex_marks_the_best(files: Path) -> None:
    done = coheval(files, *"score -c a.txt b.txt -r ref.txt -m ter chrf(word_order=2) --format latex".split())
    assert r"ter $\downarrow$" in done.stdout
    assert r"chrf(word\_order=2) $\uparrow$" in done.stdout
    assert done.stdout.count(r"\textbf{") == 2
    assert next(line for line in done.stdout.splitlines() if r"\textbf{" in line).startswith("a &")


def test_gz_and_standard_input(files: Path) -> None:
    with gzip.open(files / "ref.txt.gz", "wt", encoding="utf-8") as file:
        file.write(TEXTS["ref.txt"])
    done = coheval(files, *"score -c - -r ref.txt.gz -m chrf --format csv".split(), stdin=TEXTS["a.txt"])
    assert done.returncode == 0, done.stderr
    line = json.dumps({"candidate": "one red boat", "references": ["one red boat"]})
    done = coheval(files, *"score - -m chrf --format csv".split(), stdin=line)
    assert done.stdout.splitlines()[1] == "system,100.0"


def test_run_folder_and_repeat(files: Path) -> None:
    args = "score -c a.txt b.txt -r ref.txt -d docs.txt -m moverscore -o runs/a --evidence".split()
    assert coheval(files, *args).returncode == 0
    line = json.loads((files / "runs/a/scores.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["evidence"]["moverscore"]["kind"] == "transport"
    (files / "elsewhere").mkdir()
    again = coheval(files / "elsewhere", *"score --repeat ../runs/a -o ../runs/b".split())
    assert again.returncode == 0, again.stderr
    assert "repeated: every system's score is what it was" in again.stderr
    assert (files / "runs/a/scores.jsonl").read_bytes() == (files / "runs/b/scores.jsonl").read_bytes()
    taken = coheval(files, *args)
    assert taken.returncode == 2
    assert "--overwrite" in taken.stderr


def test_repeat_tells_a_score_that_moved(files: Path) -> None:
    assert coheval(files, *"score -c a.txt -r ref.txt -m chrf -o runs/a".split()).returncode == 0
    manifest = files / "runs/a/manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content["metrics"]["chrf"]["systems"]["a"] = 1.5
    manifest.write_text(json.dumps(content), encoding="utf-8")
    again = coheval(files, *"score --repeat runs/a".split())
    assert "repeated: chrf of 'a' was 1.5, is " in again.stderr


def test_overwrite_through_a_link(files: Path) -> None:
    args = "score -c a.txt -r ref.txt -m chrf --overwrite -o".split()
    assert coheval(files, *args, "runs/real").returncode == 0
    (files / "link").symlink_to(files / "runs/real")
    done = coheval(files, *args, "link")
    assert done.returncode == 0, done.stderr
    assert (files / "link").is_symlink()
    assert sorted(p.name for p in (files / "runs").iterdir()) == ["real"]


def test_output_that_cannot_show_arrows(files: Path) -> None:
    command = [sys.executable, "-m", "coheval", *"score -c a.txt -r ref.txt -m chrf".split()]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, cwd=files, capture_output=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"chrf ?" in done.stdout


def test_a_full_disk_behind_standard_output(files: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "coheval", *"score -c a.txt -r ref.txt -m chrf".split()]
        done = subprocess.run(command, cwd=files, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 4
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_left_out_segments_are_marked(files: Path) -> None:
    """A system that leaves a line empty must not look better without a word."""
    (files / "lazy.txt").write_text("one red boat\n\n", encoding="utf-8")
    args = "score -c a.txt lazy.txt -r ref.txt -m moverscore".split()
    done = coheval(files, *args)
    assert "1.0000*" in done.stdout
    assert "1 of 2 segments of 'lazy' have no score" in done.stderr
    latex = coheval(files, *args, "--format", "latex").stdout
    assert "1.0000$^{*}$" in latex
    assert r"\textbf{1.0000" not in latex


def test_version(files: Path) -> None:
    assert coheval(files, "--version").stdout.startswith("coheval 0.")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("score", 2, "expected either a data file or candidates (-c), got neither"),
        ("score data.jsonl -c a.txt", 2, "got both"),
        ("score -c a.txt -r ref.txt -m moverscor", 2, "did you mean 'moverscore'?"),
        ("score -c a.txt -r ref.txt -m moverscore(ngram=0)", 2, "ngram must be at least 1"),
        ("score -c a.txt -r ref.txt -m moverscore(ngram", 2, "not a spec"),
        ("score -c a.txt -m moverscore", 3, "needs a reference for every segment"),
        ("score -c a.txt -r short.txt", 3, "short.txt"),
        ("score -c nowhere.txt -r ref.txt", 3, "nowhere.txt"),
        ("score broken.jsonl", 3, "broken.jsonl:1"),
        ("score -c a.txt -r ref.txt -m bertscore(encoder=onnx(path='no.onnx'))", 4, "no.onnx"),
        ("score -c a.txt -r ref.txt -m sbert(encoder=hf(model='no/such'))", 4, "--online"),
        ("score -c a.txt -r ref.txt --evidence", 2, "add -o"),
        ("score --repeat nowhere", 3, "nowhere: there is no such folder"),
        ("score --repeat runs/a -r ref.txt", 2, "drop the other arguments"),
        ("score -c a.txt -r ref.txt -m chrf,bleu", 2, "separate specs by blanks"),
        ("score -c a.txt -r ref.txt -m chrf(char_order=1000000000)", 2, "from 1 to 100"),
        ("score -c a.txt -r ref.txt -m chrf -o a.txt", 2, "not a run folder"),
        ("score -c a.txt -r ref.txt -m chrf -o a.txt/x", 4, "cannot be written there"),
        ("score empty.csv", 3, "empty.csv"),
        ("info moverscor", 2, "did you mean 'moverscore'?"),
        ("scor", 2, "scor"),
    ],
)
def test_mistakes_are_told_with_their_exit_code(files: Path, args: str, code: int, told: str) -> None:
    (files / "short.txt").write_text("only one\n", encoding="utf-8")
    (files / "broken.jsonl").write_text('{"candidate": "x"\n', encoding="utf-8")
    (files / "empty.csv").write_text("\n\n", encoding="utf-8")
    done = coheval(files, *args.split())
    assert done.returncode == code, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_list_and_info(files: Path) -> None:
    listed = coheval(files, "list")
    assert "moverscore" in listed.stdout
    assert json.loads(coheval(files, "list", "--format", "json").stdout)["encoders"]["minilm"]
    for name in json.loads(coheval(files, "list", "--format", "json").stdout)["metrics"]:
        assert name in listed.stdout
    told = coheval(files, "info", "bertscore").stdout
    for part in ("parameters", "direction: higher is better", "needs: references", "signature of the default"):
        assert part in told
    assert "file: text; required" in coheval(files, "info", "static").stdout


def test_demo_scores_the_example_and_writes_a_run(files: Path) -> None:
    done = coheval(files, "demo")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["careful", "literal", "scrambled"]
    assert (files / "runs/demo/manifest.json").is_file()
    assert coheval(files, "demo").returncode == 0  # again, in the same place


def test_python_module_and_command_are_one(files: Path) -> None:
    script = Path(sys.executable).parent / "coheval"
    if not script.exists():
        pytest.skip("coheval is not installed as a command here")
    done = subprocess.run([script, "list"], cwd=files, capture_output=True, text=True, timeout=60)
    assert done.stdout == coheval(files, "list").stdout


def _wait_until_encoding(pid: int) -> None:
    """Until the encoder's weights are in the process's memory, and a moment more: a busy machine starts slowly."""
    maps = Path(f"/proc/{pid}/maps")
    until = time.monotonic() + 120
    while maps.exists() and "onnxruntime" not in maps.read_text() and time.monotonic() < until:
        time.sleep(0.2)
    time.sleep(2)


def test_interrupt_ends_quietly_and_leaves_no_folder(files: Path) -> None:
    many = "".join(f"line number {i} of a long file about boats and streets\n" for i in range(20_000))
    (files / "many.txt").write_text(many, encoding="utf-8")
    args = "score -c many.txt -r many.txt -m moverscore -o runs/x".split()
    command = [sys.executable, "-m", "coheval", *args]
    process = subprocess.Popen(
        command,
        cwd=files,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    _wait_until_encoding(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert out == ""
    assert not list(files.glob("runs/*"))


def test_repeat_when_the_folder_it_ran_in_is_gone(files: Path) -> None:
    place = files / "gone"
    place.mkdir()
    done = coheval(place, "score", "-c", "../a.txt", "-r", "../ref.txt", "-m", "chrf", "-o", str(files / "run"))
    assert done.returncode == 0, done.stderr
    place.rmdir()
    again = coheval(files, "score", "--repeat", "run")
    assert again.returncode == 0, again.stderr
    assert "every system's score is what it was" in again.stderr


def test_every_command_is_offline_unless_told(files: Path) -> None:
    pytest.importorskip("transformers")
    for command in (["demo", "-o", "runs/x"], ["score", "-c", "a.txt", "-r", "ref.txt"]):
        done = coheval(files, *command, "-m", "sbert(encoder=hf(model='no/such-model'))")
        assert done.returncode == 4
        assert "--online" in done.stderr


def test_names_of_references_choose_within_a_test_set(files: Path) -> None:
    for name, text in {
        "sources/de-en.txt": "eins\n",
        "documents/de-en.docs": "news\tn1\n",
        "references/de-en.refA.txt": "one\n",
        "references/de-en.refB.txt": "two\n",
        "system-outputs/de-en/s.txt": "two\n",
    }.items():
        (files / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        (files / "set" / name).write_text(text, encoding="utf-8")
    best = coheval(files, *"score set -m chrf --format csv -r refB -o run".split())
    assert best.stdout.splitlines()[1] == "s,100.0"
    worst = coheval(files, *"score set -m chrf --format csv -r refA".split())
    assert worst.stdout.splitlines()[1] != "s,100.0"
    assert "every system's score is what it was" in coheval(files, "score", "--repeat", "run").stderr
    wrong = coheval(files, *"score set -m chrf -r refC".split())
    assert wrong.returncode == 3
    assert "there is no reference 'refC'" in wrong.stderr


def test_nothing_is_written_to_the_cache(files: Path) -> None:
    """ONNX Runtime would leave a device id and a queue of telemetry there."""
    cache = files / "cache"
    cache.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "coheval", "score", "-c", "a.txt", "-r", "ref.txt"],
        cwd=files,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "HOME": str(cache)} | {"ORT_DISABLE_TELEMETRY": "0"},
        check=True,
        capture_output=True,
    )
    assert done.stdout
    assert list(cache.rglob("*")) == []


@pytest.mark.parametrize("kept", ["thesis.tex", "manifest.json"])
def test_overwrite_spares_what_is_not_a_run(files: Path, kept: str) -> None:
    assert coheval(files, *"score -c a.txt -r ref.txt -m chrf -o run".split()).returncode == 0
    (files / "run" / kept).write_text('{"name": "something of the user"}', encoding="utf-8")
    done = coheval(files, *"score -c a.txt -r ref.txt -m chrf -o run --overwrite".split())
    assert done.returncode == 2
    assert "never overwritten" in done.stderr
    assert (files / "run" / kept).read_text("utf-8") == '{"name": "something of the user"}'


def test_a_reader_that_goes_away_loses_no_run_folder(files: Path) -> None:
    (files / "many.txt").write_text("a boat\n" * 5_000, encoding="utf-8")
    command = "score -c many.txt -r many.txt -m chrf --level segment -o run".split()
    with subprocess.Popen([sys.executable, "-m", "coheval", *command], cwd=files, stdout=subprocess.PIPE) as process:
        process.stdout.close()
    assert (files / "run" / "manifest.json").is_file()


def test_demo_replaces_only_a_demo(files: Path) -> None:
    assert coheval(files, *"score -c a.txt -r ref.txt -m chrf -o runs/demo".split()).returncode == 0
    refused = coheval(files, *"demo -m chrf".split())
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr
    assert coheval(files, *"demo -m chrf --overwrite".split()).returncode == 0
    assert coheval(files, *"demo -m chrf".split()).returncode == 0


def test_different_references_are_told(files: Path) -> None:
    lines = [
        {"system": "A", "document": "d", "candidate": "a b", "references": ["a b", "c d"]},
        {"system": "B", "document": "d", "candidate": "a b", "references": ["c d"]},
    ]
    (files / "d.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = coheval(files, "score", "d.jsonl", "-m", "chrf")
    assert "note: systems have different references: their scores are not comparable" in done.stderr


def test_info_of_a_spec_is_about_that_spec(files: Path) -> None:
    done = coheval(files, "info", "connectivity(form='discriminativeness')")
    assert "direction: lower is better" in done.stdout
    assert "needs: references" in done.stdout
    assert "form='discriminativeness'" in done.stdout.splitlines()[-1]
    assert "direction: higher is better" in coheval(files, "info", "connectivity").stdout
    assert coheval(files, "info", "dsfocus(threshold=3)").returncode == 2
