"""The bench: accuracies by hand, ties and undefined scores, context, resampling and tests against scipy, tables."""

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
from scipy.stats import binomtest

import coheval
from coheval.algo.resample import bootstrap_means, bootstrap_weights
from coheval.algo.significance import sign_test
from coheval.data import Item
from coheval.data.groups import Group, Instances, LeftOut
from coheval.errors import DataError, UnknownName, UsageError
from coheval.metrics import Measurement, Metric, Row, undefined
from coheval.run.benchtables import FORMATS


@dataclass(frozen=True, kw_only=True)
class Words(Metric):
    """How many words a segment has; a question has none that could be counted."""

    needs: ClassVar[frozenset[str]] = frozenset()
    range: ClassVar[tuple[float, float]] = (0.0, 1e9)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        return [Measurement(tuple(self._row(text or "") for text in item.candidate)) for item in items]

    def _row(self, text: str) -> Row:
        return undefined("it is a question") if "?" in text else Row((float(len(text.split())),))


@dataclass(frozen=True, kw_only=True)
class Letters(Words):
    def _row(self, text: str) -> Row:
        return Row((float(len(text)),))


@dataclass(frozen=True, kw_only=True)
class Brevity(Words):
    higher_is_better: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class Repeats(Words):
    """Words that the segment before has, by words: its rows are sums of both."""

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        return [Measurement(tuple(self._repeats(item, i) for i in range(len(item)))) for item in items]

    def _repeats(self, item: Item, index: int) -> Row:
        words = item.candidate_text(index).split()
        before = item.candidate_text(index - 1).split() if index else []
        return Row((float(sum(word in before for word in words)), float(len(words))))

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        return totals[0] / totals[1]


@dataclass(frozen=True, kw_only=True)
class Lines(Words):
    """Distinct lines of a whole document."""

    unit: ClassVar[str] = "document"  # type: ignore[assignment]

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        return [Measurement((Row((float(len(set(item.candidate))),)),)) for item in items]


@dataclass(frozen=True, kw_only=True)
class FromSource(Words):
    """Words that stand in the source, too."""

    needs: ClassVar[frozenset[str]] = frozenset({"source"})

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        return [Measurement(tuple(self._found(item, i) for i in range(len(item)))) for item in items]

    def _found(self, item: Item, index: int) -> Row:
        source = (item.source[index] or "" if item.source else "").split()
        return Row((float(sum(w in source for w in item.candidate_text(index).split())),))


def group(id: str, phenomenon: str, right: str, *wrong: str, **more: object) -> dict[str, object]:
    return {"id": id, "phenomenon": phenomenon, "right": right, "wrong": list(wrong), **more}


FIVE = [
    group("1", "a", "one two three", "one two"),  # right
    group("2", "a", "one two", "one two three"),  # wrong
    group("3", "a", "one two", "two one", "one"),  # a tie with the best wrong one
    group("4", "b", "one two three four", "one", "one two", "one two three"),  # right
    group("5", "b", "one", "is it?"),  # left out
]


@pytest.fixture(scope="module")
def found() -> coheval.run.benchfigures.Bench:
    return coheval.bench(FIVE, [Words(), Brevity()], resamples=50)


def test_accuracies_by_hand(found) -> None:
    a = found.accuracy("words", "with", "a")
    assert (a.right, a.ties, a.wrong, a.left_out) == (1, 1, 1, 0)
    assert a.accuracy == pytest.approx(1 / 3)
    assert a.accuracy_ties_half == pytest.approx(1 / 2)
    assert a.chance == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    b = found.accuracy("words", "with", "b")
    assert (b.accuracy, b.chance, b.left_out) == (1.0, 1 / 4, 1)
    total = found.accuracy("words", "with")
    assert (total.accuracy, total.accuracy_ties_half, total.left_out) == (2 / 4, 2.5 / 4, 1)
    assert total.chance == pytest.approx((1 / 2 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert found.chance() == pytest.approx((1 / 2 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 2) / 5)  # of all, scored or not


def test_lower_may_be_better(found) -> None:
    turned = found.accuracy("brevity", "with")
    # of group 3 the shortest variant is wrong, so that the tie is no tie for the best
    assert (turned.right, turned.ties, turned.wrong) == (1, 0, 3)


def test_what_is_left_out_is_told(found) -> None:
    assert found.notes[0] == "5 of 5 groups have no context: they are the same with and without"
    told = "1 of 5 groups have no score and are left out; the first is '5', wrong 1: it is a question"
    assert f"words with context: {told}" in found.notes
    assert f"words without context: {told}" in found.notes


def test_the_order_of_wrong_variants_does_not_count() -> None:
    turned = [one | {"wrong": one["wrong"][::-1]} for one in FIVE]
    one, other = (coheval.bench(data, Words(), resamples=0) for data in (FIVE, turned))
    assert one.outcomes["words"]["with"].verdicts.tolist()[:4] == other.outcomes["words"]["with"].verdicts.tolist()[:4]


def test_scores_that_differ_by_rounding_are_a_tie() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Tenths(Words):
        def _row(self, text: str) -> Row:
            return Row((sum([0.1] * 3) if "a" in text else 0.3,))

    outcome = coheval.bench([group("1", "x", "a", "b"), group("2", "x", "b", "a")], Tenths(), resamples=0)
    assert outcome.outcomes["tenths"]["with"].verdicts.tolist() == [0.5, 0.5]


def test_context_is_read_and_not_scored() -> None:
    data = [
        group("1", "x", "the boat", "a car", context=["see the boat"]),  # repeats 2 of 2 words, 0 of 2
        group("2", "x", "a car", "the boat", context=["see the boat"]),
        group("3", "x", "one", "two", context=["red", "blue"], after=["red"]),
    ]
    found = coheval.bench(data, Repeats(), resamples=0)
    assert found.outcomes["repeats"]["with"].scores == ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))
    assert found.outcomes["repeats"]["without"].scores == ((0.0, 0.0),) * 3
    gain = found.gain("repeats")
    assert (gain.only_first, gain.only_second, gain.groups, gain.difference) == (1, 0, 3, 1 / 3)
    assert [found.accuracy("repeats", "without").ties, found.accuracy("repeats", "with").ties] == [3, 1]


def test_rows_of_several_scored_segments_are_summed() -> None:
    one = Group(
        id="1", phenomenon="x", right=("a b", "b c d e", "z"), wrong=(("a b", "q", "r", "z"),), before=1, after=1
    )
    two = Group(id="2", phenomenon="x", right=("a b", "b c", "c d e e"), wrong=(("a b", "b", "x y"),), before=1)
    found = coheval.bench([one, two], Repeats(), context="with", resamples=0)
    # 1 of 4 words; 0 of 2. Then (1 + 1) of (2 + 4) words; (1 + 0) of (1 + 2)
    assert found.outcomes["repeats"]["with"].scores == ((1 / 4, 0.0), (2 / 6, 1 / 3))
    assert found.outcomes["repeats"]["with"].verdicts.tolist() == [1.0, 0.5]


def test_one_undefined_segment_leaves_a_variant_without_score() -> None:
    one = Group(id="1", phenomenon="x", right=("a b", "what?"), wrong=(("a", "b"),))
    two = Group(id="2", phenomenon="x", right=("why?", "a b"), wrong=(("why?", "b"),), before=1)  # only context is
    found = coheval.bench([one, two], Words(), resamples=0)
    assert found.outcomes["words"]["with"].scores == ((None, 1.0), (2.0, 1.0))
    assert found.outcomes["words"]["with"].reasons == {"1": "right: it is a question"}


def test_metrics_of_whole_documents() -> None:
    found = coheval.bench([group("1", "x", "c", "b", context=["a", "b"])], Lines(), resamples=0)
    assert found.outcomes["lines"]["with"].scores == ((3.0, 2.0),)
    assert found.outcomes["lines"]["without"].scores == ((1.0, 1.0),)


def test_comparisons_are_over_groups_that_both_score() -> None:
    found = coheval.bench(FIVE, [Words(), Lines()], resamples=20)
    gap = found.difference(("words", "with"), ("lines", "with"))
    assert (gap.groups, gap.only_first, gap.only_second, gap.difference) == (4, 2, 0, 0.5)
    nothing = found.difference(("words", "with"), ("words", "without"), "b")
    assert (nothing.groups, nothing.difference, nothing.p) == (1, 0.0, 1.0)


def test_nothing_has_a_score() -> None:
    found = coheval.bench([group("1", "x", "a", "why?")], Words(), resamples=9)
    figure = found.accuracy("words", "with")
    assert figure.accuracy is figure.low is figure.accuracy_ties_half is figure.chance is None
    assert figure.reason == "no group has a score; wrong 1: it is a question"
    assert found.gain("words").reason == "no group has both scores"
    assert found.gain("words").p is None
    assert "–" in repr(found)
    json.loads(found.to_json())


def test_the_reason_is_that_of_its_own_groups() -> None:
    groups = [group("1", "x", "why?", "a"), group("2", "y", "a", "who?")]
    found = coheval.bench(groups, Words(), resamples=9)
    assert found.accuracy("words", "with", "y").reason == "no group has a score; wrong 1: it is a question"


def test_corpus_facts_are_the_same_with_and_without_context() -> None:
    """A metric that reads no context is the same with it, whatever it counts over the corpus; and alone as beside."""
    groups = [
        group(
            "1", "x", "a red boat", "a blue boat", context=["a boat a boat", "it came late"], references=["red boat"]
        ),
        group("2", "x", "it was late", "it was early", context=["the boat again"], references=["late it was"]),
    ]
    specs = ["bertscore(idf='corpus')", "nist"]
    both = coheval.bench(groups, specs, resamples=0)
    for spec in specs:
        assert both.outcomes[spec]["with"].scores == both.outcomes[spec]["without"].scores
    for context in ("with", "without"):
        alone = coheval.bench(groups, specs, context=context, resamples=0)
        for spec in specs:
            assert alone.contexts == [context]
            assert alone.outcomes[spec][context].scores == both.outcomes[spec][context].scores


def test_context_that_is_not_there_is_told() -> None:
    told = "5 of 5 groups have no context: they are the same with and without"
    assert told in coheval.bench(FIVE, Words(), resamples=0).notes
    assert told not in coheval.bench(FIVE, Words(), context="with", resamples=0).notes  # nothing is compared
    groups = [
        group(str(n), "x", "a boat", "a goat", context=["it came"], source="ein boot", references=["boat"], **more)
        for n, more in enumerate([{}, {"source_context": ["es kam"]}])
    ]
    spec = "bertscore(context=1, context_from=source)"
    notes = coheval.bench(groups, [spec, "bertscore(context=1)"], resamples=0).notes
    assert notes == [f"{spec}: the context of 1 of 2 groups has no source to be read instead"]


# ------------------------------------------------------------------------------------------------------ statistics


def test_intervals_are_those_of_resampled_origins() -> None:
    origins = ["x", "x", "y", "z", "z", "z"]
    lengths = [(2, 1), (1, 2), (2, 1), (1, 2), (2, 1), (1, 1)]
    data = [
        group(str(n), "p", "a " * right, "b " * wrong, origin=origin)
        for n, ((right, wrong), origin) in enumerate(zip(lengths, origins, strict=True))
    ]
    found = coheval.bench(data, Words(), resamples=200, seed=4)
    weights = bootstrap_weights(3, 200, np.random.default_rng(4))[1:]
    drawn = [(x * 1 + y * 1 + z * 1) / (x * 2 + y * 1 + z * 3) for x, y, z in weights]
    figure = found.accuracy("words", "with")
    assert figure.accuracy == 1 / 2
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_one_origin_has_no_interval() -> None:
    data = [group("1", "p", "a b", "a", origin="x"), group("2", "p", "a b", "a", origin="x")]
    figure = coheval.bench(data, Words()).accuracy("words", "with")
    assert (figure.accuracy, figure.low, figure.high) == (1.0, None, None)


def test_means_of_blocks_are_resampled_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from coheval.algo import resample

    values, blocks = np.array([1.0, 0, 1, 1]), np.array([0, 0, 1, 2])
    whole = bootstrap_means(values, blocks, 30, np.random.default_rng(1))
    monkeypatch.setattr(resample, "_AT_ONCE", 7)  # two resamples at once
    assert bootstrap_means(values, blocks, 30, np.random.default_rng(1)) == pytest.approx(whole)
    assert whole[0] == 3 / 4
    assert len(whole) == 31
    # draws of three blocks: sums over (1 of 2, 1 of 1, 1 of 1)
    assert set(whole[1:]) <= {3 / n for n in (3, 4, 5, 6)}


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (3, 3), (8, 2), (0, 9), (40, 61), (900, 1004)])
def test_sign_test_is_the_exact_binomial_test(wins: int, losses: int) -> None:
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_gain_has_the_test_of_its_counts() -> None:
    data = [group(str(n), "x", "boat", "car", context=["a boat"]) for n in range(6)]
    gain = coheval.bench(data, Repeats(), resamples=20).gain("repeats")
    assert gain.p == pytest.approx(binomtest(6, 6).pvalue)
    assert (gain.low, gain.high) == (1.0, 1.0)


# ----------------------------------------------------------------------------------------------- sources, references


def test_the_text_before_as_source() -> None:
    data = [group("1", "x", "a boat", "a car", context=["see", "one boat"], after=["car"])]
    found = coheval.bench(data, FromSource(), source="context", resamples=0)
    assert found.outcomes["fromsource"]["with"].scores == ((1.0, 0.0),)
    assert found.outcomes["fromsource"]["without"].scores == ((1.0, 0.0),)  # the source stays
    with pytest.raises(DataError, match="needs a source for every segment"):
        coheval.bench(data, FromSource())
    with pytest.raises(UsageError, match="group '1' has a source of its own"):
        coheval.bench([data[0] | {"source": "s"}], FromSource(), source="context")


def test_missing_references_name_the_group() -> None:
    with pytest.raises(DataError, match=r"data\[0\]: group 'g': chrf needs a reference for every segment"):
        coheval.bench([group("g", "x", "a", "b")], "chrf")


def test_a_metric_with_references_reads_context() -> None:
    """A pronoun is right by what stands before; chrF, which reads nothing around, is the same with and without."""
    data = [group("1", "x", "It was red.", "He was red.", context=["The car came."], references=["It was a red one."])]
    found = coheval.bench(data, ["chrf", "bertscore(context=1)"], resamples=0)
    chrf = found.outcomes["chrf"]
    assert chrf["with"].scores == chrf["without"].scores
    alone = coheval.score(["It was red.", "He was red."], ["It was a red one."] * 2, metrics=["chrf"])
    assert list(chrf["with"].scores[0]) == pytest.approx(alone["chrf"].segments)
    bert = found.outcomes["bertscore(context=1)"]
    assert bert["with"].scores != bert["without"].scores
    twin = coheval.score(["It was red.", "He was red."], ["It was a red one."] * 2, metrics=["bertscore"])
    assert list(bert["without"].scores[0]) == pytest.approx(twin["bertscore"].segments, abs=1e-5)


# ------------------------------------------------------------------------------------------------- input and output


def test_wrong_input(tmp_path: Path) -> None:
    for data in (3, {"right": "a"}, None):
        with pytest.raises(DataError, match="data: expected files or a list of groups, got"):
            coheval.bench(data, Words())
    with pytest.raises(DataError, match="expected at least one group, got none"):
        coheval.bench([], Words())
    with pytest.raises(DataError, match=r"data\[1\]: expected a group or a dict, got int"):
        coheval.bench([FIVE[0], 3], Words())
    with pytest.raises(DataError, match=r"data\[0\]: right must be text"):
        coheval.bench([{"right": 1, "wrong": "b"}], Words())
    with pytest.raises(DataError, match=r"data\[1\]: the id '1' is given twice; the other is at data\[0\]"):
        coheval.bench([FIVE[0], FIVE[0]], Words())
    with pytest.raises(UsageError, match="no metric was asked for"):
        coheval.bench(FIVE, [])
    with pytest.raises(UnknownName, match="no task is called 'contrastiv'"):
        coheval.bench(FIVE, Words(), task="contrastiv")
    for wrong, message in {
        "context": "context must be one of both, with, without, got 1",
        "source": "source must be None or 'context', got 1",
        "by": "by must be one of phenomenon, label, length, got 1",
        "confidence": "confidence must lie between 0 and 1, got 1",
    }.items():
        with pytest.raises(UsageError, match=message):
            coheval.bench(FIVE, Words(), **{wrong: 1})
    with pytest.raises(DataError, match="expected wrong variants that differ, got one of them twice"):
        coheval.bench([group("1", "x", "a", "b", "b")], Words())
    with pytest.raises(DataError, match='wrong must be one or several texts that are not blank, got a list of "x", ""'):
        coheval.bench([group("1", "x", "a", "x", "")], Words())
    with pytest.raises(DataError, match=r"id must be text that is not blank, or a whole number, got 1\.5"):
        coheval.bench([group(1.5, "x", "a", "b")], Words())
    with pytest.raises(UsageError, match="resamples must be a whole number from 0, got -1"):
        coheval.bench(FIVE, Words(), resamples=-1)


def test_unknown_names(found) -> None:
    with pytest.raises(UsageError, match=r"expected a metric and a context, got 'words'\nhint: \('words', 'with'\)"):
        found.difference("words", "brevity")
    with pytest.raises(UnknownName, match="did you mean 'words'"):
        found.accuracy("word", "with")
    with pytest.raises(UnknownName, match="no phenomenon is called 'c'"):
        found.accuracy("words", "with", "c")
    with pytest.raises(UnknownName, match="no table is called 'metrics'"):
        found.to_pandas("metrics")
    only = coheval.bench(FIVE, Words(), context="with", resamples=0)
    with pytest.raises(UnknownName, match="no result 'without' context"):
        only.gain("words")


def test_instances_and_groups_are_taken_as_they_are() -> None:
    one = Group(id="1", phenomenon="x", right=("a b",), wrong=(("a",),))
    made = Instances.of([one, LeftOut("f:2", "too short")])
    found = coheval.bench(made, Words(), resamples=0)
    assert found.notes[0] == "1 of 2 groups are left out: too short; the first is at f:2"
    assert coheval.bench([one], Words(), resamples=0).count() == 1
    assert replace(made, left_out=()).groups == (one,)


def test_tables(found) -> None:
    frame = found.to_pandas()
    assert len(frame) == 2 * 2 * 3  # metrics, conditions, phenomena and all
    assert frame["phenomenon"].isna().sum() == 4
    assert len(found.to_pandas("differences")) == 2 * 3
    groups = found.to_pandas("groups")
    assert groups.query("metric == 'words' and context == 'with' and group == '3'")["score"].tolist() == [2, 2, 1]
    assert groups["verdict"].unique().tolist() == ["right", "wrong", "tie", "left out"]
    lines = FORMATS["text"](found, None).splitlines()
    assert lines[0] == "5 groups; accuracy: the right variant is strictly the best"
    head = next(line for line in lines if line.startswith("metric"))
    assert head.split() == "metric context a b all groups interval ties half ties left out".split()
    row = next(line for line in lines if line.startswith("words"))
    assert row.split()[:5] == ["words", "with", "0.3333", "1.0000", "0.5000"]
    assert row.split()[-3:] == ["0.6250", "1", "1"]
    assert next(line for line in lines if line.startswith("chance")).split()[1:4] == ["0.4444", "0.3750", "0.4167"]
    assert repr(found).startswith("\n".join(lines))
    assert "note: words with context" in repr(found)
    assert "with − without" in FORMATS["text"](found, "differences")
    assert "with − without" not in FORMATS["text"](found, "accuracy")
    assert FORMATS["text"](found, "groups").splitlines()[0].split() == list(groups.columns)
    assert FORMATS["csv"](found, "groups").startswith("group,phenomenon,")
    assert FORMATS["csv"](coheval.bench(FIVE, Words(), context="with", resamples=0), "differences") == ""
    content = json.loads(found.to_json())
    assert content["groups"][2]["scores"]["words"]["with"] == [2.0, 2.0, 1.0]
    assert content["settings"]["resamples"] == 50
    assert content["task"].startswith("contrastive(version=1")


def test_columns_by_label() -> None:
    data = [group("1", "p", "a b", "a", label="m"), group("2", "p", "a", "a b", label="f"), group("3", "q", "a b", "a")]
    found = coheval.bench(data, Words(), by="label", resamples=0)
    assert found.phenomena == ["p: m", "p: f", "q"]
    assert found.accuracy("words", "with", "p: f").accuracy == 0


# ------------------------------------------------------------------------------------------------- the command line

OWN = [
    group("1", "pronoun", "They sang.", "It sang.", context=["The birds came."], references=["They were singing."]),
    group("2", "word", "A tent.", "A house.", "A hut.", context=["We had a tent."], references=["The tent."]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = "".join(json.dumps(one) + "\n" for one in OWN)
    (tmp_path / "own.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "bare.jsonl").write_text('{"right": "The tent fell.", "wrong": "It fell."}\n', encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "twice.jsonl").write_text(text + text, encoding="utf-8")
    (tmp_path / "nan.jsonl").write_text('{"right": NaN, "wrong": ["b"]}\n', encoding="utf-8")
    return tmp_path


def run(folder: Path, *args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "coheval", "bench", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin, timeout=120)


def test_command_prints_a_table(folder: Path) -> None:
    done = run(folder, "own.jsonl", "-m", "chrf", "rouge", "-o", "out/found.json")
    assert done.returncode == 0, done.stderr
    assert "chrf: chrf(version=1" in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith("chrf"))
    assert row.split()[:5] == ["chrf", "with", "1.0000", "1.0000", "1.0000"]
    assert done.stderr == "written: out/found.json\n"
    assert json.loads((folder / "out/found.json").read_text(encoding="utf-8"))["metrics"].keys() == {"chrf", "rouge"}
    again = run(folder, "own.jsonl", "-m", "chrf", "-o", "out/found.json")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr
    assert run(folder, "own.jsonl", "-m", "chrf", "-o", "out/found.json", "--overwrite").returncode == 0


def test_command_formats(folder: Path) -> None:
    done = run(folder, "own.jsonl", "bare.jsonl", "-m", "rc", "--format", "csv", "--context", "with")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["phenomenon"] for row in rows] == ["pronoun", "word", "all", ""]
    done = run(folder, "own.jsonl", "-m", "chrf", "--format", "latex")
    assert r"\toprule" in done.stdout
    done = run(folder, "-", "-m", "chrf", "--format", "json", stdin=json.dumps(OWN[0]))
    content = json.loads(done.stdout)
    assert content["accuracy"][0]["right"] == 1
    assert content["files"].keys() == {"standard input"}
    done = run(folder, "own.jsonl", "-m", "chrf", "--format", "csv", "--table", "groups")
    assert len(done.stdout.splitlines()) == 1 + 2 * (2 + 3)
    done = run(folder, "own.jsonl", "-m", "chrf", "--table", "groups")
    assert len(done.stdout.splitlines()) == 2 + 2 * (2 + 3)
    assert done.stdout.startswith("group ")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ("own.jsonl", 2, "expected metrics (-m), got none"),
        ("-m chrf", 2, "expected a file of groups, got none"),
        ("own.jsonl -m chrv", 2, "did you mean 'chrf'?"),
        ("own.jsonl -m chrf --task orders", 2, "no task is called 'orders'"),
        ("own.jsonl -m chrf -o found.txt", 2, "the file must end with .json, got '.txt'"),
        ("own.jsonl -m chrf -o own.jsonl/found.json", 4, "the file cannot be written there"),
        ("own.jsonl -m chrf --format latex --table groups", 2, "has no LaTeX form"),
        ("own.jsonl -m chrf --format json --table groups", 2, "JSON holds all tables"),
        ("own.jsonl -m chrf --resamples -1", 2, "resamples must be a whole number"),
        ("bare.jsonl -m chrf", 3, "bare.jsonl:1: group 'bare:1': chrf needs a reference for every segment"),
        ("empty.jsonl -m chrf", 3, "empty.jsonl: the file has no lines"),
        ("twice.jsonl -m chrf", 3, "twice.jsonl:3: the id '1' is given twice"),
        ("nan.jsonl -m chrf", 3, "nan.jsonl:1: right must be text that is not blank, got NaN"),
        (". -m chrf", 3, "expected a file, got a folder"),
        ("own.json -m chrf", 3, "did you mean 'own.jsonl'?"),
        ("own.jsonl -m chrf --documents .", 2, "documents are for sets without context of their own"),
        ("own.jsonl -m chrf --table differences --context with", 2, "expected two metrics or conditions"),
        ("own.jsonl -m chrf --documents nowhere", 3, "nowhere: there is no such folder"),
    ],
)
def test_command_says_what_is_wrong(folder: Path, args: str, code: int, message: str) -> None:
    done = run(folder, *args.split())
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "hint: " in done.stderr
    assert done.stdout == ""


def test_catalogue_has_tasks(folder: Path) -> None:
    command = [sys.executable, "-m", "coheval"]
    listed = subprocess.run([*command, "list"], capture_output=True, text=True, check=True).stdout
    assert "  contrastive" in listed
    told = subprocess.run([*command, "info", "contrastive"], capture_output=True, text=True, check=True).stdout
    assert "documents: text or None; default None" in told


def test_discevalmt_by_hand(shared: Path) -> None:
    """The longer variant of each pair, counted without the bench."""
    path = shared / "data/discevalmt/test-sets/anaphora.json"
    blocks = json.loads(path.read_text(encoding="utf-8")).values()
    pairs = [
        (len((t.get("correct") or t["semi-correct"])[1]), len(t["incorrect"][1]))
        for block in blocks
        for t in block["trg"]
    ]
    figure = coheval.bench(path, Letters(), resamples=100).accuracy("letters", "with")
    assert len(pairs) == 200
    assert figure.right == sum(right > wrong for right, wrong in pairs)
    assert figure.ties == sum(right == wrong for right, wrong in pairs)
