"""`coheval agree` as users call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

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
        (["runs/a", "human.jsonl", "--level", "system", "--statistic", "wmt14"], 2, "choose the level segment"),
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


MQM = (  # good has no error, fair a minor and poor a critical one
    "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    "good\td0\t1\t1\tr\t\t\tNo-error\tNo-error\t{}\n"
    "fair\td0\t1\t1\tr\t\t\tStyle\tMinor\t{}\n"
    "poor\td0\t1\t1\tr\t\t\tAccuracy\tCritical\t{}\n"
)


@pytest.mark.parametrize(("critical", "expected"), [("10", 1.0), ("0.5", 1 / 3), ("-3", -1 / 3)])
def test_weights_of_errors(folder, critical: str, expected: float) -> None:
    """chrF ranks good, fair, poor. Penalties 0, 1 and w rank the same way if w > 1; one of three pairs is wrong if w
    lies between 0 and 1, and two if w is below 0."""
    (folder / "mqm.tsv").write_text(MQM)
    args = ("runs/a", "mqm.tsv", "-m", "chrf", "--level", "system", "--format", "json")
    done = run("agree", *args, "--weights", f"critical={critical}", "no-error=0", cwd=folder)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["agreement"]
    assert row["value"] == pytest.approx(expected)
    refused = run("agree", *args, cwd=folder)
    assert refused.returncode == 3
    assert "--weights critical=0" in refused.stderr


@pytest.mark.parametrize("entry", ["critical", "critical=much", "=3", "critical=inf"])
def test_weights_that_are_none(folder, entry: str) -> None:
    (folder / "mqm.tsv").write_text(MQM)
    done = run("agree", "runs/a", "mqm.tsv", "--weights", entry, cwd=folder)
    assert done.returncode == 2
    assert "weight" in done.stderr
    assert "hint:" in done.stderr


def test_documents_of_rankings(folder) -> None:
    """Line 2 is the second segment of d0 in this documents file, which the run does not have; line 1 is the first."""
    (folder / "a.docs").write_text("news\td0\nnews\td0\n")
    head = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank\n"
    (folder / "ranks.csv").write_text(head + "x,y,1,j,good,1,poor,2\nx,y,2,j,good,1,poor,2\n")
    args = ("agree", "runs/a", "ranks.csv", "-m", "chrf", "--documents", "a.docs", "--format", "json")
    refused = run(*args, cwd=folder)
    assert refused.returncode == 3
    assert "document 'd0', segment 1" in refused.stderr
    done = run(*args, "--drop-unmatched", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agreement"][0]["value"] == 1  # the pair that is left is ordered as people do


def test_a_scale_that_is_not_asked_for(folder) -> None:
    done = run(
        "agree", "runs/a", "human.jsonl", "--aspects", "fluency", "--lower-is-better", "errors", "--format", "csv",
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def judged_set(folder) -> str:
    """The folder of a judged set in SummEval's form, with a part of experts."""
    place = folder / "set"
    place.mkdir()
    rows = [(s, f"d{n}", text, OPINIONS[s][n]) for s, texts in TEXTS.items() for n, text in enumerate(texts)]
    documents = [{"doc_id": f"d{n}", "src": "s", "refs": [text]} for n, text in enumerate(REFERENCES)]
    systems = [{"doc_id": d, "system": s, "hyp": text, "human": {"fluency": v}} for s, d, text, v in rows]
    experts = [
        {"doc_id": d, "system": s, "expert": [{"fluency": v}], "turker": [{"fluency": -v}]} for s, d, _, v in rows
    ]
    for name, content in (("docs", documents), ("systems", systems), ("annotators_12sys", experts)):
        text = "".join(json.dumps(row) + "\n" for row in content)
        (place / f"summeval_{name}.jsonl").write_text(text, encoding="utf-8")
    return "set"


def test_a_scale_of_a_judged_set_can_be_turned(folder, judged_set) -> None:
    """The three systems are ordered as people do: τ is 1, and −1 when their scale is turned."""
    args = ("agree", judged_set, "-m", "chrf", "--format", "json")
    for options, expected in (((), 1), (("--lower-is-better", "fluency"), -1), (("--part", "turkers"), -1)):
        done = run(*args, *options, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["agreement"][0]["value"] == expected
    done = run(*args, "--lower-is-better", "fluencey", cwd=folder)
    assert done.returncode == 2
    assert "did you mean 'fluency'?" in done.stderr


@pytest.mark.parametrize(
    ("command", "option", "said"),
    [
        ("agree", ["--raters", "turker"], "choose a part: --part experts or --part turkers"),
        ("agree", ["--weights", "major=5"], "leave it out"),
        ("agree", ["--documents", "a.docs"], "leave it out"),
        ("score", ["-r", "refA"], "leave out the references"),
    ],
)
def test_options_that_mean_nothing_for_a_judged_set(folder, judged_set, command, option, said) -> None:
    done = run(command, judged_set, "-m", "chrf", *option, cwd=folder)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_part_has_one_name_in_all_commands(folder, judged_set) -> None:
    for option in ("--part", "--pair"):
        done = run("score", judged_set, "-m", "chrf", option, "turkrs", cwd=folder)
        assert done.returncode == 2
        assert "did you mean 'turkers'?" in done.stderr


def test_training_takes_weights_too(folder) -> None:
    (folder / "mqm.tsv").write_text(MQM)
    args = ("train", "combination", "runs/a", "mqm.tsv", "-o", "model.json", "--method", "uniform")
    refused = run(*args, cwd=folder)
    assert refused.returncode == 3
    assert "--weights critical=0" in refused.stderr
    done = run(*args, "--weights", "critical=10", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "model.json").exists()


def test_dropping_is_counted(folder) -> None:
    text = (folder / "human.jsonl").read_text() + '{"system": "good", "document": "d9", "human": {"fluency": 1}}\n'
    (folder / "more.jsonl").write_text(text)
    done = run("agree", "runs/a", "more.jsonl", "--aspects", "fluency", "--drop-unmatched", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "note: fluency: 1 judgements have no text in the run and were dropped" in done.stderr


def test_the_command_knows_what_the_function_knows() -> None:
    """The command names its choices without loading what it calls, so that it starts quickly."""
    from coheval.cli import agree, compare, train
    from coheval.run import comparison, weighing
    from coheval.run.agreement import conditions, differences

    for here, there in (
        (agree.Level, conditions.Level),
        (agree.Statistic, conditions.Statistic),
        (agree.Test, differences.Test),
        (compare.Correction, comparison.Correction),
        (train.Method, weighing.Method),
        (train.Scaling, weighing.Scaling),
    ):
        assert get_args(here) == get_args(there)


def test_latex_of_pairs_is_refused_before_anything_is_read(folder) -> None:
    for option in ("--between", "--differences"):
        done = run("agree", "nowhere", option, "--format", "latex", cwd=folder)
        assert done.returncode == 2
        assert "no LaTeX form" in done.stderr
