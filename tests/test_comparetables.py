"""Tables of a comparison, and `coheval compare` in a process of its own."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coheval.run.compare import compare
from coheval.run.comparetables import FORMATS
from coheval.run.comparison import Comparison

NUMBERS = {"good": [9.0, 8.5, 9.5, 9.0, 8.0, 9.1], "so_so": [9.0, 8.4, 9.4, 9.1, 8.1, 9.1], "b&d": [1, 2, 1, 0, -1, 2]}
NEGATIVE = {system: [-x for x in values] for system, values in NUMBERS.items()}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    values = {"up": NUMBERS, "down": NEGATIVE}
    return compare(values, lower_is_better=["down"], test="bootstrap", correction="none")


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_undefined_is_printed_as_a_number(format: str) -> None:
    for values in ({"a": [None, None], "b": [1, 2], "c": [3, 5]}, {"a": [1], "b": [2]}, {"a": [1, 1], "b": [1, 1]}):
        printed = FORMATS[format](compare({"m": values}), None)
        assert "nan" not in re.sub("significan", "", printed).lower()
        assert "inf" not in printed.lower()
        assert "None" not in printed


def test_text_shows_metrics_side_by_side_then_pairs(comparison: Comparison) -> None:
    told, systems, pairs = FORMATS["text"](comparison, None).split("\n\n")
    assert told.splitlines()[0] == "6 documents; 1,000 resamples of them, seed 1; [95 % interval]"
    assert told.splitlines()[1] == "Δ: difference from the best; p: bootstrap; * p < 0.05; #: cluster and ranks"
    head, _, *lines = systems.splitlines()
    assert head.split() == ["system", "up", "↑", "down", "↓"]
    assert [line.split()[0] for line in lines] == ["good", "so_so", "Δ", "b&d", "Δ"]
    # means: 53.1 / 6 = 8.85, the same for so_so; 5 / 6 = 0.8333
    assert lines[0].split()[1:4] == ["#1", "1-2", "8.8500"]
    assert lines[3].split()[1:4] == ["#2", "3", "0.8333"]
    assert lines[4].split()[:2] == ["Δ", "-8.0167"]
    assert lines[4].count("0.0020*") == 2  # 2 / 1001
    body = pairs.splitlines()[2:]
    assert len(body) == 6
    assert body[0].split()[:5] == ["up", "↑", "good", "so_so", "+0.0000"]
    assert body[1].split()[:5] == ["up", "↑", "good", "b&d", "+8.0167"]
    assert body[4].split()[:5] == ["down", "↓", "good", "b&d", "-8.0167"]
    assert body[4].split()[-3:] == ["100%", "0%", "0%"]


def test_text_of_a_baseline_and_of_one_table() -> None:
    found = compare({"m": NUMBERS}, baseline="so_so")
    told, systems = FORMATS["text"](found, "systems").split("\n\n")
    assert "difference from so_so; p: randomisation corrected for 2 pairs after Holm" in told
    assert "cluster" not in told
    assert "#" not in systems
    assert "compared with" in FORMATS["text"](found, "pairs")
    assert "compared with" not in systems
    alone = compare({"m": {"a": [1, 2], "b": [2, 1]}})
    assert "corrected" not in FORMATS["text"](alone, None)  # one pair needs none


def test_names_cannot_move_the_cursor_or_break_latex() -> None:
    values = {"m_1%": {"[a]": [1, 2, 4], "*b\x1b[31m": [2, 3, 4], "c_d & {e}": [0, 0, 0]}}
    found = compare(values)
    assert "\x1b" not in FORMATS["text"](found, None)
    latex = FORMATS["latex"](found, None)
    assert "\x1b" not in latex
    assert r"m\_1\% $\uparrow$" in latex
    assert r"c\_d \& \{e\}" in latex
    assert "{}[a] &" in latex
    assert not re.search(r"^[\[*]", latex, re.MULTILINE)


@pytest.mark.parametrize("table", [None, "systems", "pairs"])
def test_latex_is_whole(comparison: Comparison, table: str | None) -> None:
    latex = FORMATS["latex"](comparison, table)
    assert latex.startswith("% 6 documents")
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*?)\\bottomrule\n\\end\{tabular\}", latex, re.S)
    assert len(tables) == latex.count(r"\begin{tabular}") == (2 if table is None else 1)
    for columns, body in tables:
        for line in body.replace("\\midrule\n", "").splitlines():
            assert line.endswith(r" \\")
            cells = re.split(r"(?<!\\)&", line)
            spanned = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d)\}", line))
            assert len(cells) + spanned == len(columns)
            assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0
            assert len(re.findall(r"(?<!\\)\{", line)) == len(re.findall(r"(?<!\\)\}", line))


def test_latex_marks_the_best_and_what_is_no_worse(comparison: Comparison) -> None:
    latex = FORMATS["latex"](comparison, "systems").splitlines()
    assert r"\textbf{8.8500}" in latex[-5]
    assert r"\textbf{8.8500}" in latex[-4]
    assert r"\textbf{$-$8.8500}" in latex[-4]
    assert r"\textbf" not in latex[-3]
    assert "0.0020$^{*}$" in latex[-3]
    assert "$-$8.0167 &" in latex[-3]
    assert r"{\scriptsize [" in latex[-3]


def test_csv_holds_one_table(comparison: Comparison) -> None:
    systems = list(csv.DictReader(io.StringIO(FORMATS["csv"](comparison, None))))
    assert len(systems) == 6
    assert float(systems[2]["score"]) == pytest.approx(5 / 6)
    assert systems[0]["difference"] == ""
    pairs = list(csv.DictReader(io.StringIO(FORMATS["csv"](comparison, "pairs"))))
    assert [pair["second"] for pair in pairs[:3]] == ["so_so", "b&d", "b&d"]


# ------------------------------------------------------------------------------------------------ the command


def coheval(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    lines = [f"the {word} boat is on the {word} water" for word in "red old big new sad low dry hot wet raw".split()]
    files = {
        "ref.txt": lines,
        "a.txt": lines,
        "b.txt": [line.replace("boat", "ship") for line in lines],
        "c.txt": [line.replace("the", "that one") for line in lines],
    }
    for name, content in files.items():
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    done = coheval(folder, *"score -c a.txt b.txt c.txt -r ref.txt -m bleu ter rc -o runs/a".split())
    assert done.returncode == 0, done.stderr
    assert coheval(folder, *"score -c a.txt -r ref.txt -m bleu -o runs/one".split()).returncode == 0
    return folder


def test_compare_prints_tables(runs: Path) -> None:
    done = coheval(runs, "compare", "runs/a")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("10 documents; 1,000 resamples of them, seed 1; [95 % interval]\n")
    assert "nan" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[3].split() == ["system", "bleu", "↑", "ter", "↓", "rc", "↑"]
    assert [line[0] for line in lines[5:] if line[:2] in ("a ", "b ", "c ")] == ["a", "b", "c"]
    assert sum(line.startswith(("bleu", "ter", "rc")) for line in lines) == 9


def test_compare_formats_and_choices(runs: Path) -> None:
    args = (
        "compare runs/a -m ter bleu --systems a c --test bootstrap --correction none --seed 5 --resamples 200".split()
    )
    done = coheval(runs, *args, "--confidence", "0.9", "--format", "json")
    content = json.loads(done.stdout)
    assert list(content["metrics"]) == ["ter", "bleu"]
    assert content["metrics"]["bleu"]["signature"].startswith("bleu(version=1")
    assert content["settings"] == {
        "test": "bootstrap",
        "correction": "none",
        "confidence": 0.9,
        "resamples": 200,
        "seed": 5,
        "baseline": None,
        "documents": 10,
    }
    (pair,) = content["metrics"]["ter"]["pairs"]
    assert (pair["first"], pair["second"]) == ("a", "c")
    assert pair["difference"] < 0
    assert coheval(runs, *args, "--confidence", "0.9", "--format", "json").stdout == done.stdout
    rows = list(csv.DictReader(io.StringIO(coheval(runs, *args, "--format", "csv", "--table", "pairs").stdout)))
    assert [row["metric"] for row in rows] == ["ter", "bleu"]
    latex = coheval(runs, *"compare runs/a --baseline b --format latex --table systems".split()).stdout
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 1


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("compare", 2, "FOLDER"),
        ("compare nowhere", 3, "nowhere: there is no such folder"),
        ("compare runs", 3, "name a folder that coheval score -o made"),
        ("compare ref.txt", 3, "not a run folder"),
        ("compare runs/one", 3, "expected two systems or more, got a"),
        ("compare runs/a -m blue", 2, "did you mean 'bleu'?"),
        ("compare runs/a --systems a d", 2, "no system 'd'"),
        ("compare runs/a --baseline d", 2, "no system is called 'd'"),
        ("compare runs/a --confidence 95", 2, "0.95 gives 95 % intervals"),
        ("compare runs/a --resamples 0", 2, "from 1 on, got 0"),
        ("compare runs/a --test t", 2, "randomisation"),
        ("compare runs/a --correction bonferroni", 2, "holm"),
    ],
)
def test_mistakes_are_told(runs: Path, args: str, code: int, told: str) -> None:
    done = coheval(runs, *args.split())
    assert done.returncode == code, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_notes_go_to_standard_error(runs: Path) -> None:
    done = coheval(runs, *"score -c a.txt b.txt -r ref.txt -d docs.txt -m chrf -o runs/few".split())
    assert done.returncode == 3  # no such file yet
    (runs / "docs.txt").write_text("x\n" * 5 + "y\n" * 5, encoding="utf-8")
    done = coheval(runs, *"score -c a.txt b.txt -r ref.txt -d docs.txt -m chrf -o runs/few".split())
    assert done.returncode == 0
    found = coheval(runs, "compare", "runs/few")
    assert "note: only 2 documents" in found.stderr
    assert "note: nothing can be significant at 0.05: randomisation over 2 documents" in found.stderr
    assert "note" not in found.stdout


# ------------------------------------------------------------------------------------------------ the page about it

PAGE = (Path(__file__).parents[1] / "docs" / "comparing.md").read_text(encoding="utf-8")


def test_commands_of_the_page_work(runs: Path, tmp_path: Path) -> None:
    for name, ours in {"sysA": "a", "sysB": "b", "sysC": "c", "ref": "ref"}.items():
        (tmp_path / f"{name}.txt").write_bytes((runs / f"{ours}.txt").read_bytes())
    (tmp_path / "docs.txt").write_text("".join(f"d{n // 2}\n" for n in range(10)), encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()]
    assert len(commands) == 9
    for command in commands:
        done = coheval(tmp_path, *command.split()[1:])
        assert done.returncode == 0, done.stderr
    shown = re.findall(r"```\n(3 documents.*?)```", PAGE, re.S)
    assert [done.stdout] == shown  # of the last command


def test_python_of_the_page_works() -> None:
    names: dict[str, object] = {}
    exec(re.findall(r"```python\n(.*?)```", PAGE, re.S)[0], names)
    assert names["c"]["chrf"].systems[0].system == "a"
