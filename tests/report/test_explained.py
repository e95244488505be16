"""`result.explain(…)`: which document, with what evidence, and that it changes no score."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import coheval
from coheval.data import Corpus, Record
from coheval.errors import UnknownName, UsageError
from coheval.run.score import evaluate, named
from coheval.run.stored import read_run

from .conftest import CANDIDATES, DOCUMENTS, REFERENCES, run_folder, scored


def documents_of(explained: Any) -> set[str]:
    return {one.item.document for one in explained.explanations}


@pytest.mark.parametrize(
    ("which", "document"),
    [(0, "sea"), (3, "town"), (-1, "sky"), (-6, "sea"), (np.int64(2), "town"), ("sky", "sky")],
)
def test_a_document_is_chosen_by_its_id_or_by_the_place_of_a_segment(which: Any, document: str) -> None:
    assert documents_of(scored().explain(which)) == {document}


def test_all_systems_are_explained_unless_one_is_named() -> None:
    result = scored()
    assert [one.item.system for one in result.explain("sea").explanations] == ["first", "second"]
    assert [one.item.system for one in result.explain("sea", system="second").explanations] == ["second"]


@pytest.mark.parametrize("which", [6, -7, True, 1.0, None, np.array([1, 2]), np.True_], ids=str)
def test_a_place_that_is_none_is_refused(which: Any) -> None:
    with pytest.raises(UsageError, match="expected the place of one of 6 segments, counted from 0, or a document's id"):
        scored().explain(which)


@pytest.mark.parametrize(
    ("which", "system", "told"),
    [
        ("see", None, "the result has no document 'see'\nhint: did you mean 'sea'?"),
        ("moon landing", None, "the result has no document 'moon landing'\nhint: such as 'sea'; there are 3"),
        (0, "frist", "the result has no system 'frist'\nhint: did you mean 'first'?"),
        (0, 5, "the result has no system 5\nhint: known: first, second"),
    ],
)
def test_names_that_are_none_are_refused_with_the_nearest(which: Any, system: Any, told: str) -> None:
    with pytest.raises(UnknownName) as refused:
        scored().explain(which, system=system)
    assert str(refused.value) == told


def test_a_system_without_the_document_is_told() -> None:
    records = [Record("a", "x y", ("x",), document="1"), Record("a", "x", ("x",), document="2")]
    records += [Record("b", "x y z", ("x",), document="1")]
    result = evaluate(Corpus.of(records), named("chrf"))
    assert [one.item.system for one in result.explain("2").explanations] == ["a"]
    with pytest.raises(UnknownName, match="system 'b' has no document '2'"):
        result.explain("2", system="b")
    assert documents_of(result.explain(-1, system="b")) == {"1"}  # its own last segment


def test_a_result_of_a_run_folder_has_no_texts(tmp_path: Any) -> None:
    with pytest.raises(UsageError, match="read from a run folder, which has no texts"):
        read_run(run_folder(tmp_path), evidence=True).explain(0)


SPECS = [
    "moverscore(idf='references')", "bertscore(idf=True)", "chrf", "nist", "meteor", "dsfocus", "lc", "ter", "dr",
]  # fmt: skip


def specs() -> list[str]:
    known = []
    for spec in SPECS:
        try:
            coheval.metric(spec)
        except coheval.CohevalError:
            continue
        known.append(spec)
    return known


def evidence_of(result: Any, document: str) -> dict[str, Any]:
    return {
        spec: {
            system: [scores.document_evidence.get(document)]
            + [
                e
                for key, e in zip(result.keys_by_system[system], scores.evidence, strict=True)
                if key.document == document
            ]
            for system, scores in one.by_system.items()
        }
        for spec, one in result.items()
    }


def test_evidence_on_demand_is_the_evidence_that_score_keeps() -> None:
    """With facts such as idf from the whole corpus; to 1e-5, as batches differ."""
    chosen = specs()
    kept = coheval.score(CANDIDATES, REFERENCES, documents=DOCUMENTS, metrics=chosen, evidence=True)
    result = coheval.score(CANDIDATES, REFERENCES, documents=DOCUMENTS, metrics=chosen)
    result.explain("town")
    assert approximate(evidence_of(result, "town")) == approximate(evidence_of(kept, "town"))
    assert evidence_of(result, "sea")["chrf"] == {"first": [None] * 3, "second": [None] * 3}


def approximate(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4) + 0.0
    if isinstance(value, dict):
        return {key: approximate(inner) for key, inner in value.items()}
    return [approximate(inner) for inner in value] if isinstance(value, list | tuple) else value


def test_explaining_changes_no_score() -> None:
    result = scored(specs())
    before = result.to_json()
    result.explain(0)
    result.explain("sky", system="second")
    assert result.to_json() == before


def test_plain_data_say_what_the_result_says() -> None:
    result = scored()
    found = json.loads(result.explain("town").to_json())
    assert [facts["metric"] for facts in found["facts"]] == ["chrf", "ter"]
    assert [facts["higher_is_better"] for facts in found["facts"]] == [True, False]
    first = found["explanations"][0]
    assert (first["system"], first["document"], first["source"]) == ("first", "town", None)
    assert first["labels"] == [0, 1]
    assert first["candidate"] == {"text": "a silent street\ntwo cats slept", "segments": [[0, 15], [16, 30]]}
    assert first["references"][0]["text"] == "a quiet street\ntwo cats slept"
    chrf = first["metrics"][0]
    assert chrf["score"] == result["chrf"].documents["first"]["town"]
    assert chrf["segments"] == result["chrf"].segments["first"][2:4]
    assert [part["segment"] for part in chrf["parts"]] == [0, 1]
    assert chrf["parts"][0]["references"] == [0]


def test_undefined_scores_have_their_reasons() -> None:
    result = coheval.score(["", "a dog"], ["x", "a cat"], documents=["d", "d"], metrics=["moverscore", "lc"])
    mover, lc = result.explain(0).explanations[0].metrics
    assert mover.segments[0] is None
    assert mover.reasons == ["the candidate is empty", None]
    assert mover.reason is None
    assert lc.unit == "document"
    alone = coheval.score([""], ["x"], metrics=["moverscore"]).explain(0)
    assert alone.explanations[0].metrics[0].reason == "none of its segments has a score"
    assert "no score: the candidate is empty" in repr(alone)


def test_words_come_with_the_text_in_a_terminal() -> None:
    told = repr(scored(["ter"]).explain("sea", system="first"))
    assert told.splitlines()[:4] == [
        "first, document sea",
        "  candidate  the red boat sank / nobody saw him",
        "  reference  the red boat sank / nobody saw it",
        "ter  14.2857",  # 1 edit for 7 words
    ]
    assert "segment 1: 1 edit for 3 words of reference" in told


def test_control_characters_do_not_reach_the_terminal() -> None:
    result = coheval.score(
        {"s\x1b[31m": ["a \x1b[31mred\x07 dog"]}, ["a \x1b]0;title\x07cat"], metrics=["meteor", "chrf"]
    )
    told = repr(result.explain(0))
    assert all(character.isprintable() or character == "\n" for character in told)


def test_a_metric_of_the_users_own_is_explained() -> None:
    from dataclasses import dataclass

    from coheval.metrics import Metric, Row, each_segment

    @dataclass(frozen=True, kw_only=True)
    class Length(Metric):
        """How long the candidate is."""

        def measure(self, items: Any, *, evidence: bool = False) -> Any:
            return [each_segment(item, lambda candidate, _: Row((float(len(candidate)),))) for item in items]

    explained = coheval.score(["four"], ["x"], metrics=[Length()]).explain(0)
    assert explained.facts[0]["summary"] == "How long the candidate is."
    assert explained.explanations[0].metrics[0].score == 4.0


def test_many_documents_are_explained_as_each_by_itself() -> None:
    """Small documents are read together; what they rest on does not depend on that."""
    from coheval.run.explain import add_evidence

    texts = [f"the {a} saw {b} dogs" for a in ("cat", "bird", "man") for b in ("two", "three", "no")]
    together, alone = (coheval.score(texts, texts[::-1], metrics=["moverscore", "chrf"]) for _ in range(2))
    told: list[int] = []
    assert together.corpus is not None
    add_evidence(
        together,
        together.corpus,
        {s: one.metric for s, one in together.items()},
        together.corpus.documents,
        told.append,
    )
    for n in range(len(texts)):
        alone.explain(n)
    for spec in together:
        assert approximate(together[spec].evidence) == approximate(alone[spec].evidence)
    assert sum(told) == sum(map(len, texts))
