"""`coheval agree` as users call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import coheval

TEXTS = {  # by system: the best first
    "good": ["the cat sat on the mat", "it was raining all day", "the old bridge held"],
    "fair": ["a cat sat on a mat", "it rained the day", "an old bridge did hold"],
    "poor": ["dogs run", "sun", "bread and water"],
}
REFERENCES = TEXTS["good"]
OPINIONS = {"good": [5, 5, 4], "fair": [3, 4, 4], "poor": [1, 1, 2]}


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coheval", *args]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("agree")
    with (place / "data.jsonl").open("w", encoding="utf-8") as data, (place / "human.jsonl").open("w") as human:
        for system, texts in TEXTS.items():
            for n, text in enumerate(texts):
                key = {"system": system, "document": f"d{n}"}
                line = {**key, "candidate": text, "reference": REFERENCES[n]}
                data.write(json.dumps(line) + "\n")
                human.write(json.dumps({**key, "human": {"fluency": OPINIONS[system][n], "errors": 5 - n}}) + "\n")
    done = run("score", "data.jsonl", "-m", "chrf", "ter", "-o", "runs/a", cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def test_a_run_folder_and_a_file(folder) -> None:
    done = run("agree", "runs/a", "human.jsonl", "--aspects", "fluency", "--format", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = {row["metric"]: row for row in json.loads(done.stdout)["agreement"]}
    assert rows["chrf"]["value"] == rows["ter"]["value"] == 1  # both order the three systems as people do
    assert rows["ter"]["count"] == 3


def test_command_and_function_say_the_same(folder) -> None:
    args = ("--aspects", "fluency", "--level", "segment", "--statistic", "pearson")
    done = run("agree", "runs/a", "human.jsonl", *args, "--format", "json", cwd=folder)
    result = coheval.score(TEXTS, REFERENCES, documents=["d0", "d1", "d2"], metrics=["chrf", "ter"])
    found = coheval.agree(result, OPINIONS, level="segment", statistic="pearson")
    told = {row["metric"]: row["value"] for row in json.loads(done.stdout)["agreement"]}
    assert told == pytest.approx({metric: found[metric]["human"] for metric in ("chrf", "ter")})


def test_texts_are_scored_first(folder) -> None:
    done = run(
        "agree", "data.jsonl", "human.jsonl", "-m", "chrf", "--aspects", "fluency", "--format", "csv", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("chrf,fluency,1.0,")


@pytest.mark.parametrize("format", ["text", "latex", "csv", "json"])
def test_formats(folder, format: str) -> None:
    done = run("agree", "runs/a", "human.jsonl", "--format", format, "--lower-is-better", "errors", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "nan" not in done.stdout.lower()
    assert "fluency" in done.stdout
    if format == "latex":
        assert done.stdout.count("\\begin{tabular}") == done.stdout.count("\\end{tabular}") == 1


def test_a_constant_aspect_is_told(folder) -> None:
    """People give every system the same mean of errors: there is no correlation, and the reason is said."""
    done = run("agree", "runs/a", "human.jsonl", cwd=folder)
    assert "errors: no value, as all ratings are the same" in done.stdout


def test_all_pairs_of_metrics(folder) -> None:
    args = ("--aspects", "fluency", "--level", "segment", "--statistic", "pearson", "--differences")
    done = run("agree", "runs/a", "human.jsonl", *args, cwd=folder)
    assert "difference" in done.stdout
    assert "adjusted" in done.stdout


def test_metrics_with_each_other(folder) -> None:
    done = run("agree", "runs/a", "--between", "--format", "json", cwd=folder)
    content = json.loads(done.stdout)
    assert sorted(content["metrics"]) == ["chrf", "ter"]
    assert content["values"][0][1] > 0  # TER is turned


def test_figures(folder) -> None:
    pytest.importorskip("matplotlib")
    done = run("agree", "runs/a", "human.jsonl", "--aspects", "fluency", "--figures", "figures", cwd=folder)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (folder / "figures").iterdir()}
    assert {"intervals-fluency.svg", "agreement-chrf-fluency.svg", "metrics.svg"} <= names
    again = run(
        *("agree", "runs/a", "human.jsonl", "--aspects", "errors", "fluency", "--level", "segment"),
        *("--figures", "figures2"),
        cwd=folder,
    )
    assert again.returncode == 0, again.stderr
    assert (folder / "figures2" / "distributions-fluency.svg").exists()


def test_a_figure_that_cannot_be_drawn_is_told(folder) -> None:
    pytest.importorskip("matplotlib")
    lines = [json.loads(line) for line in (folder / "human.jsonl").read_text().splitlines()]
    same = [json.dumps({**line, "human": {"x": 3}}) + "\n" for line in lines]
    (folder / "same.jsonl").write_text("".join(same))
    done = run("agree", "runs/a", "same.jsonl", "--level", "segment", "--figures", "figures3", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "note: the figure 'distributions x' was not drawn: " in done.stderr
    assert (folder / "figures3" / "metrics.svg").exists()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["runs/a"], 2, "a run folder has no judgements"),
        (["runs/a", "humen.jsonl"], 3, "did you mean 'human.jsonl'?"),
        (["runs/a", "human.jsonl", "--aspects", "fluencey"], 2, "fluency"),
        (["runs/a", "human.jsonl", "-m", "bleu"], 2, "no metric is called 'bleu' here"),
        (["runs/a", "human.jsonl", "--level", "system", "--statistic", "wmt14"], 2, "level='segment'"),
        (["runs/a", "stray.jsonl"], 3, "texts that the run does not have"),
        (["runs/a", "half.jsonl"], 3, "half.jsonl:1"),
        (["nowhere", "human.jsonl"], 3, "nowhere"),
    ],
)
def test_mistakes(folder, args, code, said) -> None:
    (folder / "stray.jsonl").write_text('{"system": "good", "document": "d9", "human": {"fluency": 1}}\n')
    (folder / "half.jsonl").write_text('{"system": "good", "docu')
    done = run("agree", *args, cwd=folder)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


def test_dropping_is_counted(folder) -> None:
    text = (folder / "human.jsonl").read_text() + '{"system": "good", "document": "d9", "human": {"fluency": 1}}\n'
    (folder / "more.jsonl").write_text(text)
    done = run("agree", "runs/a", "more.jsonl", "--aspects", "fluency", "--drop-unmatched", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "note: fluency: 1 judgements have no text in the run and were dropped" in done.stderr
