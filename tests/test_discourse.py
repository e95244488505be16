"""The discourse of texts beside that of references: figures by hand, groups from people's judgements, tables."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

import coheval
from coheval.algo.resample import bootstrap_weights
from coheval.annotators import Annotated, Layer
from coheval.data import Corpus
from coheval.data.corpus import Record
from coheval.data.judgements import Judgements, Preference, Rating
from coheval.data.rsttree import RstTree
from coheval.errors import DataError, ResourceError, UnknownName, UsageError
from coheval.run import discourse as module
from coheval.run.discoursefigures import LOWER_IS_BETTER
from coheval.run.discoursegroups import by_system, good_and_bad
from coheval.run.discoursetables import FORMATS
from toyparser import Commas

REFERENCES = ["Rain fell, because wind blew", "We left, but you stayed"]  # Cause; Contrast
OTHER = ["Rain fell", "We left, but you stayed, because rain fell"]  # no relation; Contrast, Cause
VAGUE = ["Rain fell, wind blew", "We left, you stayed"]  # Elaboration; Elaboration


@pytest.fixture
def found():
    groups = {"same": REFERENCES, "other": OTHER, "vague": VAGUE}
    return coheval.discourse(groups, REFERENCES, parser=Commas(), resamples=50)


def values(found, group: str) -> dict[str, float | None]:
    return {measure: found.figure(measure, group).value for measure in LOWER_IS_BETTER}


def test_equal_texts(found) -> None:
    expected = {"kl": 0, "relation_f1": 1, "nuclearity_f1": 1, "edu_f1": 1, "depth_rmse": 0}
    assert values(found, "same") == expected


def test_figures_by_hand(found) -> None:
    assert values(found, "other") == {
        "kl": 0,  # the same relations, over all texts
        "relation_f1": 0.5,  # Contrast is found; 2 + 2 are there
        "nuclearity_f1": 0.5,  # nuclei 1 and 2 of references, 0 and 3 here; satellites 1, 0 and 0, 1: 2 · 2 / (4 + 4)
        "edu_f1": 0.75,  # 2 and 2 of references, 1 and 3 here: 2 · 3 / (4 + 4)
        "depth_rmse": 1,  # 1 and 1 of references, 0 and 2 here
    }
    vague = values(found, "vague")
    # 18 classes and 2 relations, so that counts add up to 2 + 18 / 2 = 11. References: Cause 1.5, Contrast 1.5,
    # Elaboration 0.5; here 0.5, 0.5, 2.5; the others 0.5 on both sides
    assert vague["kl"] == pytest.approx(2 * 1.5 / 11 * math.log(3) + 0.5 / 11 * math.log(1 / 5))
    assert vague["relation_f1"] == 0
    assert vague["edu_f1"] == 1
    assert vague["nuclearity_f1"] == 2 * 3 / 8  # nuclei 1, 2 and 1, 1; satellites 1, 0 and 1, 1: 2 + 1 are found


@dataclass(frozen=True, kw_only=True)
class Renamed(Commas):
    """The toy parser with names that are none of the 18 classes."""

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        found = super().annotate(texts, layers=layers)
        return [one if one.tree is None else replace(one, tree=self._renamed(one.tree)) for one in found]

    def _renamed(self, tree: RstTree) -> RstTree:
        return RstTree(
            tree.text, tree.edus, tuple(node._replace(relation=f"my-{node.relation}") for node in tree.nodes)
        )


@pytest.mark.parametrize("parser", [Commas(), Renamed()])
def test_other_groups_do_not_change_a_divergence(parser: Commas) -> None:
    alone = coheval.discourse({"other": OTHER[:1] * 2, "vague": VAGUE}, REFERENCES, parser=parser, resamples=20)
    more = ["If rain fell, we left", "If wind blew, you stayed"]  # Condition, which nobody else has
    beside = coheval.discourse({"vague": VAGUE, "more": more}, REFERENCES, parser=parser, resamples=20)
    assert alone.figure("kl", "vague") == beside.figure("kl", "vague")


def test_a_divergence_of_other_labels_is_over_those_of_references_and_group() -> None:
    found = coheval.discourse({"vague": VAGUE}, REFERENCES, parser=Renamed(), resamples=0)
    # references: Cause 1.5, Contrast 1.5, Elaboration 0.5 of 3.5; here 0.5, 0.5, 2.5 of 3.5
    assert values(found, "vague")["kl"] == pytest.approx(6 / 7 * math.log(3) + math.log(1 / 5) / 7)
    assert list(found.shares()) == ["my-Cause", "my-Contrast", "my-Elaboration"]


def test_relations(found) -> None:
    assert list(found.shares()) == ["Cause", "Contrast", "Elaboration"]  # by frequency, then by name
    assert found.shares() == {"Cause": 0.5, "Contrast": 0.5, "Elaboration": 0}
    assert found.shares("vague") == {"Cause": 0, "Contrast": 0, "Elaboration": 1}
    rows = {(row["relation"], row["group"]): row for row in found.rows("relations")}
    assert rows["Cause", None] == {"relation": "Cause", "group": None, "count": 1, "share": 0.5, "f1": None}
    assert rows["Cause", "other"]["f1"] == 0  # both have one, but not in the same text
    assert rows["Contrast", "other"]["f1"] == 1
    assert rows["Elaboration", "same"]["f1"] is None  # nobody has any


def test_intervals_are_those_of_resampled_texts() -> None:
    rng = np.random.default_rng(5)
    words = ["a", "but a", "because a", "if a"]
    texts = [[", ".join(rng.choice(words, size=rng.integers(1, 5))) for _ in range(12)] for _ in range(3)]
    found = coheval.discourse({"x": texts[0], "y": texts[1]}, texts[2], parser=Commas(), resamples=40, seed=3)
    edus = [[text.count(",") + 1 for text in side] for side in texts]
    weights = bootstrap_weights(12, 40, np.random.default_rng(3))

    def f1(side: list[int], times: np.ndarray) -> float:
        both = sum(w * min(c, r) for w, c, r in zip(times, side, edus[2], strict=True))
        return 2 * both / sum(w * (c + r) for w, c, r in zip(times, side, edus[2], strict=True))

    drawn = [[f1(side, times) for times in weights] for side in edus[:2]]
    figure = found.figure("edu_f1", "x")
    assert figure.value == pytest.approx(drawn[0][0])
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(drawn[0][1:], [0.025, 0.975])))
    gaps = np.array(drawn[0]) - np.array(drawn[1])
    difference = found.difference("edu_f1", "x", "y")
    assert (difference.low, difference.high) == pytest.approx(tuple(np.quantile(gaps[1:], [0.025, 0.975])))
    below, above = 1 + (gaps[1:] <= 0).sum(), 1 + (gaps[1:] >= 0).sum()
    assert difference.p == pytest.approx(min(1, 2 * min(below, above) / 41))


def test_many_texts_are_resampled_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 6)  # weights of 2 texts: 3 resamples at once
    found = coheval.discourse({"other": OTHER}, REFERENCES, parser=Commas(), resamples=10)
    assert len(found.resampled["other"]["kl"]) == 11
    # with both texts, with the first twice and with the second twice: 6 / 8, 2 · 2 / 6 and 2 · 4 / 10
    assert set(np.round(found.resampled["other"]["edu_f1"], 6)) <= {0.75, 0.666667, 0.8}


def test_undefined_figures() -> None:
    found = coheval.discourse({"x": ["Rain", ""]}, ["Wind", ""], parser=Commas(), resamples=5)
    figure = found.figure("kl", "x")
    assert figure.value is figure.low is figure.p is None
    assert figure.reason == "no relations in the references or in the group"
    assert found.figure("relation_f1", "x").reason == "no such labels in any text"
    assert found.figure("edu_f1", "x").value == 1
    assert found.relations == []
    assert found.to_pandas("relations").empty
    assert json.loads(found.to_json())["groups"]["x"]["kl"]["value"] is None
    assert "–" in repr(found)


def test_undefined_resamples_leave_no_interval(found) -> None:
    """A quarter of all draws of two texts takes the first one twice, which has no relation in the group `other`."""
    figure = found.figure("kl", "other")
    assert figure.value is not None
    assert (figure.low, figure.high) == (None, None)
    assert figure.reason is not None
    assert "of 50 resamples" in figure.reason
    assert found.difference("kl", "same", "other").p is None
    assert found.figure("edu_f1", "other").low is not None


def test_one_text_has_no_interval() -> None:
    found = coheval.discourse({"x": ["Rain, but wind"], "y": ["Rain"]}, ["Rain, wind"], parser=Commas())
    assert found.figure("edu_f1", "x").value == 1
    assert found.figure("edu_f1", "x").low is None
    assert found.difference("edu_f1", "x", "y").value == pytest.approx(1 - 2 / 3)
    assert found.difference("edu_f1", "x", "y").p is None


def test_wrong_input() -> None:
    with pytest.raises(DataError, match="candidates: expected a dict of groups of texts, got list"):
        coheval.discourse(["a"], ["a"], parser=Commas())  # type: ignore[arg-type]
    with pytest.raises(DataError, match="candidates: expected a dict of groups of texts, got no groups"):
        coheval.discourse({}, ["a"], parser=Commas())
    with pytest.raises(DataError, match="candidates: expected text as a group's name, got 1"):
        coheval.discourse({"1": ["a"], 1: ["b"]}, ["a"], parser=Commas())  # type: ignore[dict-item]
    with pytest.raises(DataError, match=r"candidates\['x'\]: expected 2 texts as in references, got 1"):
        coheval.discourse({"x": ["a"]}, ["a", "b"], parser=Commas())
    with pytest.raises(DataError, match=r"candidates\['x'\]: expected a list with one dimension"):
        coheval.discourse({"x": "a"}, ["a"], parser=Commas())
    with pytest.raises(DataError, match="references: expected at least one text"):
        coheval.discourse({"x": []}, [], parser=Commas())
    with pytest.raises(UsageError, match="resamples must be a whole number from 0, got -1"):
        coheval.discourse({"x": ["a"]}, ["a"], parser=Commas(), resamples=-1)
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        coheval.discourse({"x": ["a"]}, ["a"], parser=Commas(), confidence=95)
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1, got 'x'"):
        coheval.discourse({"x": ["a"]}, ["a"], parser=Commas(), confidence="x")  # type: ignore[arg-type]
    with pytest.raises(ResourceError, match="gives no discourse trees"):
        coheval.discourse({"x": ["a"]}, ["a"], parser="spacy")


def test_unknown_names(found) -> None:
    with pytest.raises(UnknownName, match="no group is called 'sane'"):
        found.shares("sane")
    with pytest.raises(UnknownName, match="did you mean 'other'"):
        found.figure("kl", "othr")
    with pytest.raises(UnknownName, match="did you mean 'edu_f1'"):
        found.difference("edu_f", "same", "other")
    with pytest.raises(UnknownName, match="no table is called 'systems'"):
        found.to_pandas("systems")


def record(system: str, document: str, text: str, segment: int | None = None, reference: str = "r") -> Record:
    return Record(system, text, (f"{reference} {document} {segment}",), None, document, segment)


def test_systems_are_compared_on_what_all_have() -> None:
    corpus = Corpus.of([record("a", "1", "x"), record("b", "1", "y"), record("a", "2", "z")])
    groups = by_system(corpus)
    assert groups.candidates == {"a": ["x"], "b": ["y"]}
    assert groups.references == ["r 1 None"]
    assert groups.notes == ["1 of 2 segments are left out: not all systems have them"]
    with pytest.raises(DataError, match="no segment is there of all systems"):
        by_system(Corpus.of([record("a", "1", "x"), record("b", "2", "y")]))
    with pytest.raises(DataError, match="every segment needs a reference"):
        by_system(Corpus.of([Record("a", "x")]))


def three(texts: int) -> Corpus:
    return Corpus.of(record(s, "d", f"{s}{n}", n) for n in range(texts) for s in ("a", "b", "c"))


def rating(system: str, segment: int | None, value: float, document: str = "d") -> Rating:
    return Rating(system, document, segment, "adequacy", value)


def test_the_best_and_the_worst_by_ratings() -> None:
    ratings = [rating("a", 0, 1), rating("b", 0, 3), rating("c", 0, 2), rating("a", 1, 5), rating("c", 1, 4)]
    ratings += [rating("a", 2, 2), rating("b", 2, 2), rating("b", 3, 1)]  # equals, and one alone
    groups = good_and_bad(three(5), Judgements(ratings))
    assert groups.candidates == {"good": ["b0", "a1"], "bad": ["a0", "c1"]}
    assert groups.references == ["r d 0", "r d 1"]
    assert groups.notes == ["2 of 4 judged texts are left out: no system is better than another"]
    turned = good_and_bad(three(5), Judgements(ratings, lower_is_better=frozenset({"adequacy"})))
    assert turned.candidates == {"good": ["a0", "c1"], "bad": ["b0", "a1"]}


def test_the_best_and_the_worst_by_comparisons() -> None:
    # a won 1 of 3, b 2 of 2, c 1 of 3
    pairs = [("b", "a"), ("b", "c"), ("a", "c"), ("c", "a")]
    preferences = [Preference(better, worse, "d", 0, "rank", rater=str(n)) for n, (better, worse) in enumerate(pairs)]
    groups = good_and_bad(three(1), Judgements((), [*preferences, Preference("c", "b", "d", 0, "rank", tie=True)]))
    assert groups.candidates["good"] == ["b0"]
    assert groups.candidates["bad"][0] in ("a0", "c0")


def test_equals_are_drawn_by_the_seed() -> None:
    ratings = [rating(system, n, value) for n in range(60) for system, value in (("a", 2), ("b", 2), ("c", 1))]
    judged = Judgements(ratings)
    first = good_and_bad(three(60), judged, seed=1)
    assert {text[0] for text in first.candidates["good"]} == {"a", "b"}
    assert first == good_and_bad(three(60), judged, seed=1)
    assert first != good_and_bad(three(60), judged, seed=2)


def test_whole_documents() -> None:
    corpus = Corpus.of(record(s, "d", f"{s}{n}", n) for n in range(2) for s in ("a", "b"))
    groups = good_and_bad(corpus, Judgements([rating("a", None, 1), rating("b", None, 3)]))
    assert groups.candidates == {"good": ["b0\nb1"], "bad": ["a0\na1"]}
    assert groups.references == ["r d 0\nr d 1"]


def with_references(document: str, *references: tuple[str | None, ...]) -> list[Record]:
    """Two systems; each of their segments has such references."""
    return [
        Record(system, f"{system}{n}", own, None, document, n)
        for n, own in enumerate(references)
        for system in ("a", "b")
    ]


def test_a_part_of_a_reference_is_not_compared_with_a_document() -> None:
    records = with_references("d", ("one", "two"), (None, "three"))  # the first reference lacks the second segment
    records += with_references("e", ("four", None), (None, "five"))  # none has both
    judged = Judgements([rating(s, None, value, d) for d in "de" for s, value in (("a", 1), ("b", 3))])
    groups = good_and_bad(Corpus.of(records), judged)
    assert groups.references == ["two\nthree"]
    assert groups.candidates == {"good": ["b0\nb1"], "bad": ["a0\na1"]}
    assert groups.notes == [
        "of several references the first whole one is taken",
        "1 of 2 judged texts are left out: no reference has all their segments",
    ]
    with pytest.raises(DataError, match="expected a reference that has all segments of a judged document, got none"):
        good_and_bad(Corpus.of(records[4:]), Judgements([rating("a", None, 1, "e"), rating("b", None, 3, "e")]))


def test_judgements_that_do_not_fit() -> None:
    several = [rating("a", 0, 1), Rating("a", "d", 0, "fluency", 1)]
    with pytest.raises(UsageError, match="people judged several aspects, got none of adequacy, fluency"):
        good_and_bad(three(1), Judgements(several))
    with pytest.raises(UsageError, match="nothing is judged for the aspect 'fluncy'"):
        good_and_bad(three(1), Judgements(several), aspect="fluncy")
    with pytest.raises(DataError, match="1 judgements are of texts that the run does not have"):
        good_and_bad(three(1), Judgements([rating("a", 0, 1), rating("z", 0, 1)]))
    with pytest.raises(DataError, match="people found no text better than another"):
        good_and_bad(three(1), Judgements([rating("a", 0, 1), rating("z", 0, 1)]), drop_unmatched=True)


def test_several_references() -> None:
    corpus = Corpus.of([Record("a", "x", ("one", "two"))])
    groups = by_system(corpus)
    assert groups.references == ["one"]
    assert groups.notes == ["of several references the first is taken"]


def test_tables(found) -> None:
    shown = FORMATS["text"](found, None)
    assert repr(found) == shown
    lines = shown.splitlines()
    assert lines[0] == "2 texts; 50 resamples of them, seed 1; [95 % interval]"
    assert lines[3].split() == "group KL ↓ relation F1 ↑ nuclearity F1 ↑ EDU F1 ↑ depth RMSE ↓".split()
    assert next(line for line in lines if line.startswith("Cause")).split() == (
        "Cause 50.0% 50.0% 1.0000 50.0% 0.0000 0.0% 0.0000".split()
    )
    csv = FORMATS["csv"](found, None).splitlines()
    assert csv[0].startswith("group,texts,kl,kl_low,kl_high,relation_f1,")
    assert csv[2].startswith("other,2,0.0,")
    assert FORMATS["csv"](found, "relations").splitlines()[0] == "relation,group,count,share,f1"
    latex = FORMATS["latex"](found, "relations")
    assert r"50.0\%" in latex
    assert latex.startswith("% 2 texts")
    assert json.loads(FORMATS["json"](found, None))["settings"]["smoothing"] == 0.5
    frame = found.to_pandas()
    assert frame["group"].tolist() == ["same", "other", "vague"]
    assert frame["edu_f1"].tolist() == [1, 0.75, 1]


def test_two_groups_are_compared() -> None:
    found = coheval.discourse({"good": REFERENCES, "bad": OTHER}, REFERENCES, parser=Commas(), resamples=20)
    line = next(line for line in FORMATS["text"](found, "groups").splitlines() if line.startswith("good − bad"))
    assert "+0.2500 [+0.2000, +0.3333]" in line  # EDU F1: 1 − 0.75; of resamples 1 − 0.8 and 1 − 2 / 3
    assert r"good $-$ bad" in FORMATS["latex"](found, "groups")


def test_every_minus_is_one_in_latex() -> None:
    found = coheval.discourse({"a-1": OTHER, "-good": REFERENCES}, REFERENCES, parser=Commas(), resamples=20)
    line = next(line for line in FORMATS["latex"](found, "groups").splitlines() if "$-$ -good" in line)
    assert "& $-$0.2500 [$-$0.3333, $-$0.2000] &" in line  # EDU F1, as above the other way round
    assert line.startswith("a-1 $-$ -good &")  # names stay as they are
