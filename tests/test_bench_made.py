"""Benches of groups that tasks make: pairs counted by hand, columns by length, several tasks and files."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import coheval
from coheval.algo.resample import bootstrap_weights
from coheval.data import Item
from coheval.data.groups import Group, Instances
from coheval.errors import UsageError
from coheval.metrics import Measurement, Metric, Row, undefined
from coheval.run.benchtables import FORMATS


@dataclass(frozen=True, kw_only=True)
class Words(Metric):
    """How many words a document has; one that asks has no score."""

    needs: ClassVar[frozenset[str]] = frozenset()
    range: ClassVar[tuple[float, float]] = (0.0, 1e9)
    unit: ClassVar[str] = "document"  # type: ignore[assignment]
    read: ClassVar[list[str]] = []  # the systems whose documents were measured

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        self.read.extend(item.system for item in items)
        return [Measurement((self._row(item.candidate.text),)) for item in items]

    def _row(self, text: str) -> Row:
        return undefined("it asks") if "?" in text else Row((float(len(text.split())),))


@dataclass(frozen=True, kw_only=True)
class Ordered(Words):
    """How many sentences are followed by a later letter of the alphabet."""

    def _row(self, text: str) -> Row:
        return Row((float(sum(a < b for a, b in zip(text.split(), text.split()[1:], strict=False))),))


def group(id: str, right: str, *wrong: str, origin: str = "", phenomenon: str = "made") -> Group:
    """Variants whose segments are parted by |."""
    return Group(id, phenomenon, tuple(right.split("|")), tuple(tuple(w.split("|")) for w in wrong), origin=origin)


THREE = [
    group("1", "a b c", "a b", "c b a", origin="x"),  # right, tie
    group("2", "a b", "a", "a b c", "a b c d", origin="x"),  # right, wrong, wrong
    group("3", "a b", "why?", "b", origin="y"),  # left out, right
]


def made(groups: Sequence[Group], count: str = "pairs") -> Instances:
    return Instances(tuple(groups), count=count, made=True)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------- pairs and groups


def test_pairs_by_hand() -> None:
    found = coheval.bench(made(THREE), Words(), resamples=300, seed=7)
    figure = found.accuracy("words", "with")
    assert (figure.right, figure.ties, figure.wrong, figure.left_out) == (3, 1, 2, 1)
    assert figure.accuracy == 3 / 6
    assert figure.accuracy_ties_half == 3.5 / 6
    assert figure.chance == 1 / 2
    assert found.count() == 7
    assert found.outcomes["words"]["with"].reasons == {"3/wrong 1": "wrong 1: it asks"}
    assert "words with context: 1 of 7 pairs have no score and are left out; the first is '3/wrong 1'" in str(found)
    # x has 2 of 5 pairs right, y 1 of 1: origins are drawn, not pairs
    drawn = [(2 * x + y) / (5 * x + y) for x, y in bootstrap_weights(2, 300, np.random.default_rng(7))[1:]]
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_the_same_as_groups() -> None:
    found = coheval.bench(made(THREE), Words(), count="groups", resamples=0)
    figure = found.accuracy("words", "with")
    assert (figure.right, figure.ties, figure.wrong, figure.left_out) == (0, 1, 1, 1)
    assert figure.chance == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert found.chance() == pytest.approx((1 / 3 + 1 / 4 + 1 / 3) / 3)
    assert found.outcomes["words"]["with"].reasons == {"3": "wrong 1: it asks"}


def test_one_wrong_variant_each_is_the_same_counted_either_way() -> None:
    groups = [group("1", "a b", "a"), group("2", "a", "a b"), group("3", "a", "b"), group("4", "a", "b?")]
    pairs, whole = (coheval.bench(made(groups, count), Words(), resamples=0) for count in ("pairs", "groups"))
    assert pairs.accuracy("words", "with") == whole.accuracy("words", "with")
    assert any("1 of 4 pairs have no score" in note for note in pairs.notes)
    assert any("1 of 4 groups have no score" in note for note in whole.notes)


def test_nothing_has_a_score() -> None:
    figure = coheval.bench(made([group("1", "a", "b?", "c?")]), Words(), resamples=0).accuracy("words", "with")
    assert (figure.accuracy, figure.left_out) == (None, 2)
    assert figure.reason == "no pair has a score; wrong 1: it asks"


def test_verdicts_of_pairs_stand_beside_wrong_variants() -> None:
    rows = coheval.bench(made(THREE), Words(), resamples=0).rows("groups")
    assert [(row["group"], row["variant"], row["verdict"]) for row in rows][:7] == [
        ("1", "right", ""),
        ("1", "wrong 1", "right"),
        ("1", "wrong 2", "tie"),
        ("2", "right", ""),
        ("2", "wrong 1", "right"),
        ("2", "wrong 2", "wrong"),
        ("2", "wrong 3", "wrong"),
    ]


def test_made_groups_without_context_are_scored_once() -> None:
    Words.read.clear()
    found = coheval.bench(made(THREE), Words(), resamples=0)
    assert found.contexts == ["with"]
    assert Words.read == ["with"] * 10
    beside = Group("4", "made", ("a", "b c"), (("a", "b"),), before=1)
    assert coheval.bench(made([*THREE, beside]), Words(), resamples=0).contexts == ["with", "without"]


def test_what_is_counted_must_be_known() -> None:
    with pytest.raises(UsageError, match="count must be groups or pairs, got 'triples'"):
        coheval.bench(made(THREE), Words(), count="triples")


# -------------------------------------------------------------------------------------------------------- by length


@pytest.mark.parametrize(
    ("sentences", "column"),
    [(1, "1"), (2, "2 to 4"), (4, "2 to 4"), (5, "5 to 9"), (9, "5 to 9"), (10, "10 to 19"), (19, "10 to 19"),
     (20, "20 to 49"), (49, "20 to 49"), (50, "50 or more"), (7000, "50 or more")],
)  # fmt: skip
def test_lengths(sentences: int, column: str) -> None:
    text = "|".join(["a"] * sentences)
    found = coheval.bench(made([group("1", text, text + "|b")]), Words(), by="length", resamples=0)
    assert found.phenomena == [column]


def test_columns_by_length_are_in_order() -> None:
    groups = [group(str(n), "|".join(["a b"] * n), "|".join(["a"] * n), "a b c " * n) for n in (50, 3, 12, 2, 7, 20)]
    found = coheval.bench(made(groups), Words(), by="length", resamples=0)
    assert found.phenomena == ["2 to 4", "5 to 9", "10 to 19", "20 to 49", "50 or more"]
    assert [found.count(name) for name in found.phenomena] == [4, 2, 2, 2, 2]
    assert {found.accuracy("words", "with", name).accuracy for name in found.phenomena} == {0.5}


# ------------------------------------------------------------------------------------------ several tasks and files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six documents whose sentences stand in the order of the alphabet."""
    for name, letters in (("first", "abcdef"), ("second", "uvwxyz")):
        texts = "\n\n".join("\n".join(f"{letter}{n}" for letter in letters) for n in range(3))
        (tmp_path / f"{name}.txt").write_text(texts + "\n", encoding="utf-8")
    return tmp_path


def test_names_of_columns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    tasks = ["order(negatives=2)", "topic"]
    assert coheval.bench("first.txt", Ordered(), task="order", resamples=0).phenomena == ["order"]
    assert coheval.bench("first.txt", Ordered(), task=tasks, resamples=0).phenomena == tasks
    both = ["first.txt", "second.txt"]
    assert coheval.bench(both, Ordered(), task="order", resamples=0).phenomena == both
    found = coheval.bench(both, Ordered(), task=tasks, resamples=0)
    assert found.phenomena == [f"{file}, {task}" for task in tasks for file in both]
    assert found.instances.files.keys() == set(both)
    # the document is the only one of its orders that is in the order of the alphabet
    orders = found.accuracy("ordered", "with", "first.txt, order(negatives=2)")
    assert (orders.right, orders.ties, orders.wrong) == (6, 0, 0)


def test_what_tasks_make_of_one_text_has_one_origin(folder: Path) -> None:
    """So that it is drawn together, and no classifier of cues has seen it."""
    tasks = ["order(negatives=2)", "topic"]
    one = coheval.bench(folder / "first.txt", Ordered(), task=tasks, resamples=0).instances.groups
    assert len({group.id for group in one}) == 6
    assert len({group.origin for group in one}) == 3
    twins = [folder / "a" / "texts.txt", folder / "b" / "texts.txt"]
    for n, path in enumerate(twins):  # different texts, though their files have one name
        path.parent.mkdir()
        path.write_text(f"x{n}\ny{n}\nz{n}\n", encoding="utf-8")
    two = coheval.bench(twins, Ordered(), task="order", resamples=0).instances.groups
    assert len({group.origin for group in two}) == 2


def test_groups_are_judged_as_a_whole_where_one_task_does_so(folder: Path) -> None:
    tasks = ["order(negatives=2)", "order(kind=insertion)"]
    found = coheval.bench(folder / "first.txt", Ordered(), task=tasks, resamples=0)
    assert (found.settings.count, found.count()) == ("groups", 6)
    told = "order(negatives=2): by itself each pair is judged; beside order(kind='insertion') whole groups are"
    assert any(note.startswith(told) for note in found.notes)
    assert coheval.bench(folder / "first.txt", Ordered(), task=tasks, count="pairs", resamples=0).count() > 6
    alike = coheval.bench(folder / "first.txt", Ordered(), task=["order", "topic"], resamples=0)
    assert not any("by itself" in note for note in alike.notes)


def test_a_made_file_is_as_its_task(folder: Path) -> None:
    from coheval.run.make import make

    make(str(folder / "first.txt"), "order(negatives=4)", str(folder / "groups.jsonl"), seed=3)
    read = coheval.bench(folder / "groups.jsonl", [Ordered(), Words()], seed=3)
    direct = coheval.bench(folder / "first.txt", [Ordered(), Words()], task="order(negatives=4)", seed=3)
    assert read.rows("accuracy") == direct.rows("accuracy")
    assert [read.cue(name) for name in read.cues] == [direct.cue(name) for name in direct.cues]
    assert read.settings.count == "pairs"


@pytest.mark.parametrize(
    ("files", "tasks", "message"),
    [
        (["first.txt", "first.txt"], ["order"], "first.txt is given twice"),
        (["first.txt"], ["order", "order"], "order is given twice"),
        (["first.txt"], ["order", "contrastive"], "contrastive reads groups"),
    ],
)
def test_what_does_not_go_together(
    folder: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], tasks: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=message) as told:
        coheval.bench(files, Words(), task=tasks)
    assert told.value.hint


# ---------------------------------------------------------------------------------------------- differences, tables


def test_with_one_condition_metrics_are_compared() -> None:
    """The first less each other."""
    groups = [
        group("1", "a b", "b", origin="x"),
        group("2", "b a", "a", origin="y"),
        group("3", "b", "a b", origin="z"),
    ]
    found = coheval.bench(made(groups), [Words(), Ordered()], resamples=0)
    # words: right, right, wrong; ordered, 1 : 0, 0 : 0, 0 : 1: right, tie, wrong
    (gap,) = found.compared()
    assert (gap.first, gap.second, gap.groups) == ("words with", "ordered with", 3)
    assert (gap.difference, gap.only_first, gap.only_second, gap.p) == (pytest.approx(1 / 3), 1, 0, None)
    line = FORMATS["text"](found, "differences").splitlines()[-1]
    assert line.split()[:7] == ["words", "−", "ordered", "all", "pairs", "3", "+0.3333"]
    assert [row["first"] for row in csv.DictReader(io.StringIO(FORMATS["csv"](found, "differences")))] == [
        "words with",
        "words with",
    ]  # of the one phenomenon, and of all


def test_pairs_of_one_document_are_no_independent_observations() -> None:
    """Twelve pairs that only the first metric gets right: of one text they prove nothing, of twelve texts they do."""
    pairs = [group(str(n), f"b a{n}", f"a{n}", origin="one") for n in range(12)]
    (gap,) = coheval.bench(made(pairs), [Words(), Ordered()], resamples=99).compared()
    assert (gap.only_first, gap.p) == (12, None)
    apart = [replace(one, origin=one.id) for one in pairs]
    (gap,) = coheval.bench(made(apart), [Words(), Ordered()], resamples=99).compared()
    assert gap.p == pytest.approx(2 * 1 / 100)  # no resample of 99 is at 0 or below: 2 (1 + 0) / (1 + 99)


def test_tables_have_cues_chance_and_counts() -> None:
    found = coheval.bench(made(THREE), Words(), resamples=0)
    lines = FORMATS["text"](found, "accuracy").splitlines()
    assert lines[0] == "7 pairs of 3 groups; accuracy: the right variant is strictly the best"
    first = [line.split("  ")[0] for line in lines[3:] if line]
    assert first[2:] == ["words", "cue: length", "cue: words", "chance", "pairs"]
    assert lines[-2].split() == ["chance", "0.5000"]
    assert lines[-1].split() == ["pairs", "7"]
    latex = FORMATS["latex"](found, None)
    assert "cue: length" in latex
    assert r"\bottomrule" in latex
    content = json.loads(found.to_json())
    assert [(row["metric"], row["phenomenon"]) for row in content["cues"]] == [
        ("length", "made"),
        ("length", None),
        ("words", "made"),
        ("words", None),
    ]
    assert content["settings"]["count"] == "pairs"
    assert content["groups"][0]["scores"] == {"words": {"with": [3.0, 2.0, 3.0]}}


# -------------------------------------------------------------------------------------------------- the command line


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", "bench", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_command(folder: Path) -> None:
    tasks = ["--task", "order(negatives=3)", "topic", "--resamples", "0"]
    done = run(folder, "first.txt", "second.txt", "-m", "rc", *tasks, "--by", "length", "--format", "csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["phenomenon"] for row in rows] == ["5 to 9", ""]
    # 6 documents: 3 orders of each; two others of its file that give a half
    assert {int(row["right"]) + int(row["ties"]) + int(row["wrong"]) + int(row["left_out"]) for row in rows} == {30}
    done = run(folder, "first.txt", "-m", "rc", "--task", "order", "--count", "groups")
    assert "\ngroups" in done.stdout
    assert done.stdout.startswith("3 groups;")


def test_command_says_what_cannot_be_told_apart(folder: Path) -> None:
    """Documents in another order have no context, so one metric has nothing to be compared with."""
    done = run(folder, "first.txt", "-m", "rc", "--task", "order", "--table", "differences")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected two metrics or conditions to tell apart, got one" in done.stderr
