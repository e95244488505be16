"""Every answer is what `coheval.score` gives for the same body, also when requests are scored together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import coheval
from coheval.serve.scoring import Scorer, Scoring
from serve.running import Here, here

WORDS = "the old harbour was closed in may when one of its piers began to sink which nobody had expected".split()


def offline(body: dict[str, Any]) -> Any:
    return json.loads(coheval.score(**body).to_json())


def same(found: Any, expected: Any) -> None:
    """Equal but for the last digits of numbers, which may depend on what stood beside a text in a batch."""
    if isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-5)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for key, value in expected.items():
            same(found[key], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    else:
        assert found == expected


def text(seed: int, words: int = 12) -> str:
    return " ".join(WORDS[(seed * 7 + n * (seed + 3)) % len(WORDS)] for n in range(words)) + "."


BODIES: dict[str, dict[str, Any]] = {
    "one": {"candidates": [text(1)], "references": [text(2)]},
    "several references": {"candidates": [text(1), text(3)], "references": [[text(2), text(4)], [text(5)]]},
    "same references, other documents": {
        "candidates": [text(6), text(7), text(8)],
        "references": [text(2), text(4), text(5)],
        "documents": ["b", "a", "b"],
    },
    "same references, none": {
        "candidates": [text(16), text(7), text(9)],
        "references": [text(2), text(4), text(5)],
    },
    "systems": {
        "candidates": {"0.0": [text(1), ""], "<b>&": [text(9), text(2)]},
        "references": [text(3), text(4)],
        "documents": ["1", "1"],
    },
    "empty": {"candidates": [""], "references": [text(2)], "system": "<script>alert(1)</script>"},
    "empty reference": {"candidates": [text(1)], "references": [""]},
    "no word known": {"candidates": ["𐍈𐍈𐍈"], "references": [text(11)]},
    "control": {"candidates": ["a\u0000b\n\u2028c"], "references": ["a b c"], "system": "\u0000"},
    "long": {"candidates": [text(1, 700)], "references": [text(2, 30)]},
}
METRICS = ["chrf", "bleu", "nist", "moverscore(idf='corpus')", "moverscore", "rc", "ter"]


@pytest.mark.parametrize("name", BODIES)
def test_an_answer_is_the_offline_score(served: Here, name: str) -> None:
    body = BODIES[name] | {"metrics": METRICS}
    answer = served.score(**body)
    assert answer.status_code == 200
    same(answer.json(), offline(body))


def test_without_metrics_the_default_is_used(served: Here) -> None:
    body = BODIES["one"]
    same(served.score(**body).json(), offline(body))


def together(served: Here, bodies: Sequence[dict[str, Any]], metrics: Sequence[str]) -> list[Any]:
    """Scored as one batch, for certain."""
    form = {"references": None, "sources": None, "documents": None, "system": "system"}
    requests = [Scoring(**form | body, metrics=tuple(metrics)) for body in bodies]
    answers = Scorer(served.engine.offer).scores(requests)
    return [json.loads(one) if isinstance(one, bytes) else one for one in answers]


@pytest.mark.parametrize("metric", [*METRICS, "all"])
def test_a_batch_is_each_by_itself(served: Here, metric: str) -> None:
    asked = METRICS if metric == "all" else [metric]
    found = together(served, list(BODIES.values()), asked)
    for answer, body in zip(found, BODIES.values(), strict=True):
        same(answer, offline(body | {"metrics": asked}))


def test_a_batch_without_odd_texts_is_cut_apart(served: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    from coheval.serve import joining

    monkeypatch.setattr(joining, "_each", lambda *_: pytest.fail("scored one by one"))
    bodies = [BODIES[name] for name in BODIES if name not in ("no word known", "long", "control")]
    for answer, body in zip(together(served, bodies, METRICS), bodies, strict=True):
        same(answer, offline(body | {"metrics": METRICS}))


@pytest.fixture(scope="module")
def many() -> Iterator[Here]:
    offered = ("dsfocus", "bertscore(idf='corpus')", "coherence", "dr", "cometqe", "comet", "bertscore(context=1)")
    with here(metrics=offered) as running:
        yield running


@pytest.mark.parametrize("metric", ["dsfocus", "bertscore(idf='corpus')", "coherence", "dr", "cometqe", "comet"])
def test_other_families_in_a_batch(many: Here, metric: str) -> None:
    bodies = [
        {"candidates": [text(n), text(n + 1)], "references": [text(n + 2), text(5)], "documents": ["d", "d"]}
        | ({"sources": [text(n + 9), ""]} if n % 2 or metric == "cometqe" else {})
        for n in range(4)
    ]
    for answer, body in zip(together(many, bodies, [metric]), bodies, strict=True):
        same(answer, offline(body | {"metrics": [metric]}))


def test_a_metric_that_needs_documents_refuses_who_names_none(many: Here) -> None:
    spec = "bertscore(context=1)"
    named = BODIES["systems"]
    unnamed, found = together(many, [BODIES["one"], named], [spec])
    assert "does not say which segments are of one document" in str(unnamed)
    same(found, offline(named | {"metrics": [spec]}))


def test_one_users_error_is_that_users_alone(served: Here) -> None:
    bodies = [
        BODIES["one"],
        {"candidates": [text(1)]},
        {"candidates": [text(1)], "references": [text(2), text(3)]},
        {"candidates": [text(1)], "references": [text(2)], "documents": [" "]},
        BODIES["systems"],
    ]
    first, *wrong, last = together(served, bodies, ["chrf"])
    same(first, offline(bodies[0] | {"metrics": ["chrf"]}))
    same(last, offline(bodies[-1] | {"metrics": ["chrf"]}))
    for error, body in zip(wrong, bodies[1:4], strict=True):
        with pytest.raises(type(error)) as raised:
            coheval.score(**body, metrics=["chrf"])
        assert str(error) == str(raised.value)


def test_an_explanation_is_that_of_the_result(served: Here) -> None:
    body = BODIES["same references, other documents"] | {"metrics": ["chrf", "moverscore", "rc"]}
    answer = served.client.post("/v1/explain", json=body)
    assert answer.status_code == 200
    result = coheval.score(**body)
    expected = [result.explain(document).to_dict() for document in ("b", "a")]
    assert [one["document"] for one in answer.json()["explanations"]] == ["b", "a"]
    for found, one in zip(answer.json()["explanations"], expected, strict=True):
        same(found, json.loads(json.dumps(one["explanations"][0])))
    same(answer.json()["facts"], json.loads(json.dumps(expected[0]["facts"])))


def test_trees_are_those_of_parse(served: Here) -> None:
    texts = ["It rained, so we left. Nobody knew why.", "", "<script>alert(1)</script>"]
    for level in ("document", "sentence"):
        answer = served.client.post("/v1/parse", json={"texts": texts, "level": level})
        assert answer.json() == json.loads(coheval.parse(texts, level=level).to_json())


def test_trees_in_a_batch() -> None:
    from coheval.serve.parsing import Parsing, trees

    requests = [["It rained, so we left. Nobody knew why.", "No."], [], ["It rained, so we left. Nobody knew why."]]
    for level in ("document", "sentence"):
        answers = trees([Parsing(texts, level) for texts in requests])
        for answer, texts in zip(answers, requests, strict=True):
            assert isinstance(answer, bytes)
            same(json.loads(answer), json.loads(coheval.parse(texts, level=level).to_json()))
