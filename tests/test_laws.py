"""Laws that every registered metric obeys, found by name: a new file in metrics/ is tested without being listed."""

from __future__ import annotations

import math
import random

import pytest

import coheval
from coheval import registry
from coheval.metrics import Metric
from support import runnable

METRICS = registry.names("metrics")

CANDIDATES = [
    "The river rose by a metre last night. Nobody had ever seen the river so high.",
    "Nobody expected the bridge to hold, but it did. The bridge is old.",
    "Two bakers from the village brought bread to the helpers. The bread was gone at once.",
    "By noon the water had gone. The water left mud, and the mud stayed.",
    "Ein Satz auf Deutsch, mit Umlauten: Äpfel, Öl, Übung. Der Satz ist zu Ende.",
    "The mayor said: “never again”. She is a mayor of few words.",
    "It was over.",
]
REFERENCES = [
    ["Last night the river rose one metre. Such a river had not been seen before."],
    [
        "No one thought the bridge would hold; it did. It is an old bridge.",
        "The bridge held, which surprised everyone.",
    ],
    ["Two of the village's bakers came. They gave bread to those who helped. Their bread did not last."],
    [
        "The water was gone by noon. Only mud was left of the water.",
        "At noon the water was gone. The mud was not, but then mud never is.",
        "By midday there was no water left.",
    ],
    ["A sentence in German, with umlauts."],
    ["The mayor said it would never happen again. A mayor has to be short."],
    ["It had ended."],
]
STRANGE = {
    "empty": "",
    "blank": " \t ",
    "word": "dog",
    "punctuation": "?!... --- ,,",
    "control": "a\x00b\x07c\x1b[31m d\x85e\u2028f",
    "scripts": "Привет мир 你好世界 مرحبا بالعالم नमस्ते 👩‍👩‍👧 é e\u0301",
    "joined": "z" * 2000,
}


def near(a: object, b: object) -> bool:
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-5 * max(1, abs(a))


@pytest.fixture(scope="module", params=METRICS)
def metric(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Metric:
    pairs = {"better": (CANDIDATES[0], CANDIDATES[0]), "worse": (REFERENCES[2][0], CANDIDATES[2])}
    return coheval.metric(runnable(request.param, tmp_path_factory.mktemp(request.param), **pairs))


@pytest.fixture(scope="module")
def together(metric: Metric) -> list[float | None]:
    return scores(metric, CANDIDATES, REFERENCES)


def scores(metric: Metric, candidates: list[str], references: list[list[str]]) -> list[float | None]:
    result = coheval.score(candidates, references, sources=candidates, metrics=[metric])
    (only,) = result.values()
    return only.segments


def test_declares_its_nature(metric: Metric) -> None:
    low, high = metric.range
    assert low < high
    assert metric.unit in ("segment", "document")
    assert metric.needs <= {"references", "source"}
    assert metric.several_references or "references" not in metric.needs
    assert metric.version >= 1
    assert registry.summary("metrics", metric.name())


def test_signature_round_trip(metric: Metric) -> None:
    again = coheval.metric(metric.signature)
    assert again == metric
    assert again.signature == metric.signature


def test_scores_are_in_range(metric: Metric, together: list[float | None]) -> None:
    low, high = metric.range
    defined = [s for s in together if s is not None]
    assert len(defined) >= 5  # the short ones may lack what a metric looks at
    assert all(math.isfinite(s) and low - 1e-9 <= s <= high + 1e-9 for s in defined)


def test_unrelated_words_are_in_range(metric: Metric) -> None:
    """Where vectors point away from each other, formulas may leave their bounds."""
    low, high = metric.range
    found = scores(
        metric, ["knowledge", "putting", "taxon"], [["ionic alias handler"], ["spies traps"], ["flash concluded"]]
    )
    assert all(s is None or low - 1e-9 <= s <= high + 1e-9 for s in found)


def test_identical_text_is_perfect(metric: Metric) -> None:
    if metric.perfect is None:
        pytest.skip("declares no perfect score")
    texts = [c for c in CANDIDATES if len(c.split()) > 4]
    for score in scores(metric, texts, [[t] for t in texts]):
        assert score == pytest.approx(metric.perfect, abs=1e-9)


def test_identical_beats_different(metric: Metric, together: list[float | None]) -> None:
    if "references" not in metric.needs:
        pytest.skip("looks at no reference")
    same = scores(metric, CANDIDATES[:1] * 2, [[CANDIDATES[0]]] * 2)[0]
    other = together[2]
    assert same is not None
    assert other is not None
    assert (same > other) == metric.higher_is_better


def test_alone_as_in_company(metric: Metric, together: list[float | None]) -> None:
    """A score does not depend on the batch, unless the metric says that it counts over the corpus."""
    if metric.needs_fit:
        pytest.skip("counts over the corpus")
    alone = [scores(metric, [c], [r])[0] for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert all(near(a, b) for a, b in zip(alone, together, strict=True))


def test_order_of_input_changes_nothing(metric: Metric, together: list[float | None]) -> None:
    order = list(range(len(CANDIDATES)))
    random.Random(3).shuffle(order)
    shuffled = scores(metric, [CANDIDATES[i] for i in order], [REFERENCES[i] for i in order])
    assert all(near(shuffled[k], together[i]) for k, i in enumerate(order))


def test_other_systems_change_nothing(metric: Metric, together: list[float | None]) -> None:
    systems = {f"s{k}": CANDIDATES[k:] + CANDIDATES[:k] for k in range(3)}
    result = coheval.score(systems, REFERENCES, sources=CANDIDATES, metrics=[metric])
    (only,) = result.values()
    assert all(near(a, b) for a, b in zip(only.segments["s0"], together, strict=True))


def test_order_of_references_changes_nothing(metric: Metric, together: list[float | None]) -> None:
    turned = scores(metric, CANDIDATES, [r[::-1] for r in REFERENCES])
    assert all(near(a, b) for a, b in zip(turned, together, strict=True))


@pytest.mark.parametrize("side", ["candidate", "reference", "both"])
def test_strange_text_gives_a_score_or_a_reason(metric: Metric, side: str) -> None:
    plain = "The boat came home before the storm."
    candidates = [plain if side == "reference" else text for text in STRANGE.values()]
    references = [[plain if side == "candidate" else text] for text in STRANGE.values()]
    result = coheval.score(candidates, references, sources=candidates, metrics=[metric])
    (only,) = result.values()
    for name, score, reason in zip(STRANGE, only.segments, only.reasons, strict=True):
        assert (score is None) == (reason is not None), name
        assert score is None or math.isfinite(score), name


def test_evidence_is_plain_data_and_moves_no_score(metric: Metric, together: list[float | None]) -> None:
    result = coheval.score(CANDIDATES, REFERENCES, sources=CANDIDATES, metrics=[metric], evidence=True)
    (only,) = result.values()
    assert all(near(a, b) for a, b in zip(only.segments, together, strict=True))
    for score, evidence in zip(only.segments, only.evidence, strict=True):
        if score is not None:
            assert evidence is not None
            assert isinstance(evidence["kind"], str)
    result.to_json()


def test_documents_and_systems_are_made_of_rows(metric: Metric) -> None:
    documents = ["a", "a", "a", "b", "b", "c", "c"]
    result = coheval.score(CANDIDATES, REFERENCES, sources=CANDIDATES, documents=documents, metrics=[metric])
    (only,) = result.values()
    (system,) = only.by_system.values()
    if metric.unit == "document":
        pytest.skip("rows are whole documents")
    rows = [row for row in system.rows.tolist() if not any(map(math.isnan, row))]
    totals = tuple(map(sum, zip(*rows, strict=True)))
    assert system.system == pytest.approx(metric.combine(totals, len(rows)))
