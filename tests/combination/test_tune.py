"""Training from a table of scores and judgements, and from the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from coheval.data.judgements import Judgements, Preference, Rating
from coheval.errors import DataError, UsageError
from coheval.metrics import metric
from coheval.run.agreement.grid import Grid, Pairs
from coheval.run.combine import Combiner
from coheval.run.recipes import expanded, party
from coheval.run.score import named, score
from coheval.run.scoretable import ScoreTable
from coheval.run.tune import _Part, train

SYSTEMS, DOCUMENTS, SEGMENTS = ["x", "y", "z"], 6, 4
NAMES = [f"d{n // SEGMENTS}" for n in range(DOCUMENTS * SEGMENTS)]  # of the 24 segments


def made() -> tuple[ScoreTable, np.ndarray, np.ndarray]:
    """A table with two members, the second one better when lower; its scores [72, 2] system by system; ratings [72]."""
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=(3, 24))
    good, bad = ratings + rng.normal(size=(3, 24)), -ratings + rng.normal(size=(3, 24))
    columns = {"good": good, "bad": bad}
    values = {name: dict(zip(SYSTEMS, rows.tolist(), strict=True)) for name, rows in columns.items()}
    table = ScoreTable.plain(values, NAMES, lower_is_better=["bad"])
    return table, np.column_stack([good.ravel(), bad.ravel()]), ratings.ravel()


def rated(ratings: np.ndarray, aspect: str = "adequacy") -> list[Rating]:
    places = [(system, n) for system in SYSTEMS for n in range(24)]
    return [
        Rating(system, NAMES[n], n % SEGMENTS, aspect, float(value))
        for (system, n), value in zip(places, ratings, strict=True)
    ]


ITEMS = np.tile(np.arange(24), 3)
GROUPS = ITEMS // SEGMENTS


@pytest.mark.parametrize("method", ["uniform", "logistic", "ridge"])
def test_ratings_of_segments(method: str) -> None:
    table, scores, ratings = made()
    found = train(table, Judgements(ratings=rated(ratings)), method=method)
    expected = Combiner(["good", "bad"], method=method, lower_is_better=["bad"])
    expected.fit(scores, ratings, items=ITEMS, groups=GROUPS)
    assert found.coef_ == pytest.approx(expected.coef_)
    assert found.cross_validation_["held_out"] == pytest.approx(expected.cross_validation_["held_out"])
    assert found.cross_validation_["alone"] == pytest.approx(expected.cross_validation_["alone"])
    assert found.predict(scores) == pytest.approx(expected.predict(scores))
    assert found.feature_names_in_ == ["good", "bad"]


def test_preferences() -> None:
    table, scores, ratings = made()
    preferences, better, worse = [], [], []
    for n in range(24):
        for one, other in ((0, 1), (1, 2)):
            rows = sorted([one * 24 + n, other * 24 + n], key=lambda row: -ratings[row])
            better.append(rows[0])
            worse.append(rows[1])
            names = [SYSTEMS[row // 24] for row in rows]
            preferences.append(Preference(*names, document=NAMES[n], segment=n % SEGMENTS, aspect="rank"))
            preferences.append(Preference(*names, document=NAMES[n], segment=n % SEGMENTS, aspect="rank", rater="b"))
    preferences.append(Preference("x", "z", document="d0", segment=0, aspect="rank", tie=True))
    found = train(table, Judgements(preferences=preferences), method="logistic")
    expected = Combiner(["good", "bad"], method="logistic", lower_is_better=["bad"])
    expected.fit(scores, pairs=(better, worse), groups=GROUPS)
    assert found.coef_ == pytest.approx(expected.coef_)
    assert found.model_.tuned_on["pairs"] == 48
    with pytest.raises(UsageError, match="people compared these texts and did not rate them"):
        train(table, Judgements(preferences=preferences), method="ridge")


def test_texts_that_nobody_judged_do_not_count() -> None:
    table, scores, ratings = made()
    judged = np.random.default_rng(1).random(72) < 0.6
    some = [rating for rating, kept in zip(rated(ratings), judged, strict=True) if kept]
    found = train(table, Judgements(ratings=some), method="ridge")
    expected = Combiner(["good", "bad"], method="ridge", lower_is_better=["bad"])
    expected.fit(scores[judged], ratings[judged], groups=GROUPS[judged])
    assert found.coef_ == pytest.approx(expected.coef_)
    assert found.left_out_ == 0


def test_whole_groups_are_held_out() -> None:
    table, scores, ratings = made()
    groups = {f"d{k}": "de-en" if k < 3 else "cs-en" for k in range(DOCUMENTS)}
    judgements = Judgements(ratings=rated(ratings), groups=groups)
    found = train(table, judgements, method="ridge", hold_out="group", penalties=[1.0])
    assert found.cross_validation_["folds"] == 2
    expected = Combiner(["good", "bad"], method="ridge", lower_is_better=["bad"], penalties=[1.0])
    expected.fit(scores, ratings, groups=GROUPS < 3)
    assert found.cross_validation_["held_out"] == pytest.approx(expected.cross_validation_["held_out"])


def test_ratings_of_documents() -> None:
    """A plain table's score of a document is the mean of its segments'."""
    table, scores, ratings = made()
    means = ratings.reshape(3, DOCUMENTS, SEGMENTS).mean(axis=2)
    opinions = [Rating(s, f"d{k}", None, "a", float(means[i, k])) for i, s in enumerate(SYSTEMS) for k in range(6)]
    found = train(table, Judgements(ratings=opinions), method="ridge", level="document", penalties=[1.0])
    by_document = scores.reshape(3, DOCUMENTS, SEGMENTS, 2).mean(axis=2).reshape(18, 2)
    expected = Combiner(["good", "bad"], method="ridge", lower_is_better=["bad"], penalties=[1.0])
    expected.fit(by_document, means.ravel())
    assert found.coef_ == pytest.approx(expected.coef_)


def test_one_member_of_several_and_one_aspect_of_several() -> None:
    table, scores, ratings = made()
    judgements = Judgements(ratings=rated(ratings) + rated(-ratings, "clumsiness"), lower_is_better={"clumsiness"})
    with pytest.raises(UsageError, match="2 aspects, and none was named"):
        train(table, judgements)
    found = train(table, judgements, aspect="clumsiness", members=["bad"], method="ridge")
    assert found.predict(scores[:, 1:]) == pytest.approx(
        Combiner(["bad"], method="ridge", lower_is_better=["bad"])
        .fit(scores[:, 1:], ratings, groups=GROUPS)
        .predict(scores[:, 1:])
    )
    with pytest.raises(UsageError, match="no scores by 'god'"):
        train(table, judgements, aspect="clumsiness", members=["god"])


def test_judgements_without_a_text() -> None:
    table, _, ratings = made()
    judgements = Judgements(ratings=[*rated(ratings), Rating("nobody", "d0", 0, "adequacy", 1.0)])
    with pytest.raises(DataError, match="nobody"):
        train(table, judgements)
    found = train(table, judgements, drop_unmatched=True, method="ridge")
    assert found.left_out_ == 0
    assert found.notes_ == ["adequacy: 1 judgements have no text in the run and were dropped"]


def test_everything_that_was_left_out_is_told() -> None:
    table, _, _ = made()
    at = {"document": "d0", "segment": 0, "aspect": "rank"}
    preferences = [
        Preference("x", "y", **at),
        Preference("x", "y", document="d1", segment=0, aspect="rank"),
        Preference("x", "z", tie=True, **at),
        Preference("y", "z", tie=True, **at),
        Preference("x", "nobody", **at),
    ]
    judgements = Judgements(preferences=preferences, missing=3)
    found = train(table, judgements, drop_unmatched=True, method="logistic", penalties=[1.0])
    assert found.notes_ == [
        "rank: 1 judgements have no text in the run and were dropped",
        "rank: 2 comparisons are ties and were left out",
        "rank: 68 segments of the run were judged by nobody and are left out",  # 72 but those of two pairs
        "3 judgements are missing (None) and were left out",
    ]


def test_a_pair_whose_text_is_not_kept_is_no_pair() -> None:
    """Systems x, y on two items; nobody judged y's text of the second, and yet a pair names it."""
    judged = np.array([[True, True], [True, False]])
    pairs = Pairs(*(np.array(side) for side in ([0, 0, 1], [1, 1, 0], [0, 1, 1])))
    places = np.arange(2)
    human = np.full((2, 2), np.nan)
    grid = Grid("", "segment", places, places, places, places, human, pairs, None, {"segment": judged})
    table = ScoreTable.plain({"m": {"x": [1, 2], "y": [3, 4]}})
    part = _Part(grid, [table.columns["m"]])
    assert part.scores.ravel().tolist() == [1, 2, 3]  # x, x, y
    better, worse = part.pairs(10)
    assert (better.tolist(), worse.tolist()) == ([10], [12])


def test_ratings_of_systems_alone() -> None:
    table, _, _ = made()
    judgements = Judgements(ratings=[Rating(system, None, None, "a", float(n)) for n, system in enumerate(SYSTEMS)])
    for method in ("ridge", "logistic", "uniform"):
        with pytest.raises(DataError, match="people rated systems, not texts") as error:
            train(table, judgements, method=method)
        assert "level" not in str(error.value.hint)  # there is none that would help


def test_groups_that_there_are_not() -> None:
    table, _, ratings = made()
    with pytest.raises(UsageError, match="the judgements name no groups"):
        train(table, Judgements(ratings=rated(ratings)), method="ridge", hold_out="group")


def test_the_level_is_the_unit_of_the_model() -> None:
    table, _, ratings = made()
    for level in ("segment", "document"):
        found = train(table, Judgements(ratings=rated(ratings)), method="ridge", level=level)
        assert found.model_.unit == level
        assert json.loads(found.model_.to_json())["unit"] == level


def test_metrics_of_documents_need_scores_of_documents(tmp_path: Path) -> None:
    """Learnt on documents, used on documents: the metric gives what `predict` gives for its members' scores."""
    candidates = {s: [f"{word} {text}" for text in TEXTS[s] for word in ("so", "then")] for s in TEXTS}
    references = [f"{word} {text}" for text in REFERENCE for word in ("so", "then")]
    documents = [f"d{n // 2}" for n in range(8)]
    result = score(candidates, references, documents=documents, metrics=["chrf", "dssent"])
    opinions = [Rating(s, f"d{n}", None, "a", 5.0 - i + n / 9) for i, s in enumerate(TEXTS) for n in range(4)]
    opinions += [Rating(s, d, k, "b", 5.0 - i) for i, s in enumerate(TEXTS) for d in set(documents) for k in (0, 1)]
    judgements = Judgements(ratings=opinions)
    table = ScoreTable.of(result)
    with pytest.raises(UsageError, match="'dssent' measures documents, and has no score of any segment") as error:
        train(table, judgements, aspect="b", method="ridge")
    assert "--level document" in str(error.value.hint)
    for members in (["chrf"], ["chrf", "dssent"]):
        found = train(table, judgements, aspect="a", method="ridge", level="document", members=members, scaling="rank")
        found.save(tmp_path / "model.json")
        spec = f"combination(model={str(tmp_path / 'model.json')!r})"
        combined = score(candidates, references, documents=documents, metrics=[spec])[spec]
        for system in TEXTS:
            columns = [list(result[member].by_system[system].documents.values()) for member in members]
            expected = found.predict(np.array(columns).T)
            assert list(combined.by_system[system].documents.values()) == pytest.approx(expected)


# ----------------------------------------------------------------------------------------------- the command line

TEXTS = {
    "good": ["the red boat left", "a quiet street at night", "two dogs ran home", "rain fell on the town"],
    "fair": ["a red boat goes", "quiet street in the night", "dogs ran to a home", "the town had some rain"],
    "poor": ["boats", "the street", "a dog", "it was wet today and there was a town"],
}
REFERENCE = ["the red boat left", "a quiet street by night", "two dogs ran home", "rain fell over the town"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    for name, lines in {**TEXTS, "ref": REFERENCE}.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = ["good.txt", "fair.txt", "poor.txt"]
    done = coheval(folder, "score", "-c", *files, "-r", "ref.txt", "-m", "chrf", "ter", "bleu", "-o", "run")
    assert done.returncode == 0, done.stderr
    rows = [
        {"system": system, "document": str(n), "segment": 0, "value": value + 0.1 * n}
        for system, value in (("good", 5), ("fair", 3), ("poor", 1))
        for n in range(1, 5)
    ]
    (folder / "human.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def coheval(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_from_scores_to_a_metric(run: Path) -> None:
    done = coheval(run, "train", "combination", "run", "human.jsonl", "-o", "model.json", "--members", "chrf", "ter")
    assert done.returncode == 0, done.stderr
    table = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in table[:3]] == ["member", "chrf", "ter"]
    assert any("on held-out texts (mean of 4 folds)" in line for line in done.stdout.splitlines())
    again = coheval(run, "train", "combination", "run", "human.jsonl", "-o", "model.json")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr

    content = json.loads((run / "model.json").read_text())
    assert content["format"] == 1
    assert content["tuned_on"]["text"] == "run with human.jsonl"
    assert [member["spec"] for member in content["members"]] == ["chrf", "ter"]
    signature = json.loads((run / "run" / "manifest.json").read_text())["metrics"]["chrf"]["signature"]
    assert content["members"][0]["signature"] == signature

    spec = "combination(model='model.json')"
    scored = coheval(run, "score", "-c", "good.txt", "-r", "ref.txt", "-m", spec, "chrf", "ter", "--format", "json")
    assert scored.returncode == 0, scored.stderr
    metrics = json.loads(scored.stdout)["metrics"]
    chrf, ter = (metrics[name]["segments"]["good"] for name in ("chrf", "ter"))
    one, other = content["members"]
    for k, combined in enumerate(metrics[spec]["segments"]["good"]):
        scaled = (chrf[k] - one["scale"]["low"]) / (one["scale"]["high"] - one["scale"]["low"])
        turned = 1 - (ter[k] - other["scale"]["low"]) / (other["scale"]["high"] - other["scale"]["low"])
        assert combined == pytest.approx(one["weight"] * scaled + other["weight"] * turned)
    assert "sha256=" in metrics[spec]["signature"]

    shown = coheval(run, "info", spec)
    assert shown.returncode == 0, shown.stderr
    for line in done.stdout.splitlines():
        if not line.startswith("tuned on"):  # which the file tells in words too
            assert line in shown.stdout


def test_what_is_dropped_is_told(run: Path) -> None:
    foreign = {"system": "nobody", "document": "1", "segment": 0, "value": 1.0}
    (run / "more.jsonl").write_text((run / "human.jsonl").read_text() + json.dumps(foreign) + "\n")
    done = coheval(run, "train", "combination", "run", "more.jsonl", "-o", "more.json", "--drop-unmatched")
    assert done.returncode == 0, done.stderr
    assert "1 judgements have no text in the run and were dropped" in done.stderr


def test_a_combination_of_combinations_is_refused(run: Path) -> None:
    texts = (["the red boat", "a street"], ["the red boat", "one street"])
    result = score(*texts, metrics=["chrf", "combination(members=[chrf, bleu])"])
    judgements = Judgements(ratings=[Rating("system", str(n), 0, "a", float(n)) for n in (1, 2)])
    with pytest.raises(UsageError, match="is a combination itself"):
        train(ScoreTable.of(result), judgements)


def test_ridge_from_the_command_line(run: Path) -> None:
    options = ["--method", "ridge", "--scaling", "rank", "--penalties", "1", "10", "--folds", "2", "--nonnegative"]
    done = coheval(run, "train", "combination", "run", "human.jsonl", "-o", "ridge.json", *options)
    assert done.returncode == 0, done.stderr
    content = json.loads((run / "ridge.json").read_text())
    assert (content["method"], content["scaling"], content["cross_validation"]["folds"]) == ("ridge", "rank", 2)
    assert content["penalty"] in (1, 10)
    assert all(member["weight"] >= 0 for member in content["members"])


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["run", "human.jsonl", "-o", "x.json", "--members", "charf"], 2, "did you mean 'chrf'"),
        (["run", "human.jsonl", "-o", "x.json", "--aspect", "tone"], 2, "tone"),
        (["none", "human.jsonl", "-o", "x.json"], 3, "none: there is no such folder"),
        (["run", "human.jsonl", "-o", "human.jsonl/x.json"], 4, "the file cannot be written there"),
        (["run", "human.jsonl"], 2, "output"),
    ],
)
def test_mistakes(run: Path, args: list[str], code: int, message: str) -> None:
    done = coheval(run, "train", "combination", *args)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (run / "x.json").exists()


def test_the_page_on_combinations_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "combinations.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["metric"].signature.startswith("combination(version=1, model='model.json'")


# --------------------------------------------------------------------------------------------------------- recipes


def test_party_has_every_metric_that_needs_nothing() -> None:
    found = party()
    assert found == sorted(found)
    assert {"bleu", "chrf", "moverscore", "dsfocus", "rc"} <= set(found)
    assert "combination" not in found


def test_recipes_expand_in_their_place() -> None:
    assert expanded(["chrf", "discotk-party", "ter"]) == ["chrf", *party(), "ter"]
    assert expanded(["chrf"]) == ["chrf"]


def test_recipes_from_python() -> None:
    found = score(TEXTS["fair"], REFERENCE, metrics=["discotk-party", "combination(members=[chrf])"])
    assert list(found) == [*party(), "combination(members=[chrf])"]
    assert list(score(TEXTS["fair"], REFERENCE, metrics="discotk-party")) == party()
    assert list(named(["chrf", metric("bleu")]).values()) == [
        metric("chrf"),
        metric("bleu"),
    ]  # metrics stay what they are


def test_the_party_of_documents(tmp_path: Path) -> None:
    """The commands of the page on combinations, on documents of two segments."""
    things = ("river", "bridge", "house", "garden", "horse", "ship")
    forms = {
        "ref": ("The {0} of a child was old, the {0} was wide.", "Every child knew the {0}, for a {0} is a friend{1}."),
        "good": (
            "The {0} of a child was old, the {0} was broad.",
            "Each child knew the {0}, for a {0} is a friend{1}.",
        ),
        "fair": ("The {0} was old.", "A child knew this {0} and another {0} in the town{1}."),
        "poor": ("Old {0}s, wide {0}s.", "It is a {0}. This {0} has a child{1}, and the child a {0}."),
    }
    for name, lines in forms.items():
        texts = [line.format(thing, " indeed" * n) for n, thing in enumerate(things) for line in lines]
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    (tmp_path / "docs.txt").write_text("".join(f"{thing}\n" * 2 for thing in things))
    rows = [
        {"system": system, "document": thing, "value": value + 0.1 * n}
        for value, system in enumerate(("poor", "fair", "good"))
        for n, thing in enumerate(things)
    ]
    (tmp_path / "human.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = ["-c", "good.txt", "fair.txt", "poor.txt", "-r", "ref.txt", "--documents", "docs.txt"]
    done = coheval(tmp_path, "score", *texts, "-m", "discotk-party", "-o", "party")
    assert done.returncode == 0, done.stderr
    done = coheval(tmp_path, "train", "combination", "party", "human.jsonl", "-o", "m.json", "--level", "document")
    assert done.returncode == 0, done.stderr
    content = json.loads((tmp_path / "m.json").read_text())
    assert content["unit"] == "document"
    assert [member["spec"] for member in content["members"]] == party()


def test_the_party_from_the_command_line(run: Path) -> None:
    done = coheval(run, "score", "-c", "good.txt", "-r", "ref.txt", "-m", "discotk-party", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)["metrics"]) == party()
