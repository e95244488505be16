"""Coherence of documents: which sentences are read, what is told of them, and strange and long texts."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from typing import Any

import pytest

import coheval
from coheval.data import Document, Item
from coheval.metrics import Metric, Row
from coheval.models import model

pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="needs the extra torch")

from tinycoherence import STEPS, THINGS, encoder, tiny_boundary

SENTENCES = [f"{step}." for step in STEPS]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_boundary(tmp_path_factory.mktemp("coherence"))


def spec(file: Path, **more: str) -> str:
    params = {"model": f"boundary(file={str(file)!r})", **more}
    return f"coherence({', '.join(f'{name}={value}' for name, value in params.items())})"


def row(metric: Metric, *segments: str) -> Row:
    (measured,) = metric.measure([Item("system", Document.of("d", list(segments)))], evidence=True)
    (only,) = measured.rows
    return only


def sentences(row: Row) -> list[str]:
    """Those that were read, as the evidence tells them."""
    assert row.evidence is not None
    evidence: Any = row.evidence
    return [evidence["text"][a:b] for a, b in evidence["sentences"]]


def value(row: Row) -> float:
    assert row.values is not None
    return row.values[0]


def test_segments_are_sentences(file: Path) -> None:
    metric = coheval.metric(spec(file))
    (expected,) = model(f"boundary(file={str(file)!r})").score([tuple(SENTENCES)])
    found = row(metric, *SENTENCES)
    assert value(found) == expected.value
    assert sentences(found) == SENTENCES


def test_split(file: Path) -> None:
    auto, always, never = (coheval.metric(spec(file, split=how)) for how in ("auto", "always", "never"))
    whole, halves = [" ".join(SENTENCES)], [" ".join(SENTENCES[:2]), " ".join(SENTENCES[2:])]
    assert sentences(row(auto, *whole)) == sentences(row(always, *whole)) == SENTENCES
    assert sentences(row(auto, *halves)) == sentences(row(never, *halves)) == halves
    assert sentences(row(always, *halves)) == SENTENCES
    assert value(row(auto, *whole)) == pytest.approx(value(row(auto, *SENTENCES)), abs=1e-6)
    assert row(never, *whole).reason == "coherence needs two sentences, the document has fewer"


def test_blank_segments_are_no_sentences(file: Path) -> None:
    metric = coheval.metric(spec(file))
    found = row(metric, SENTENCES[0], "", *SENTENCES[1:3], " \t", *SENTENCES[3:])
    assert sentences(found) == SENTENCES
    assert value(found) == value(row(metric, *SENTENCES))
    assert found.marks == {"blank": 2}
    alone = row(metric, "", " ".join(SENTENCES))  # a single segment that is none of them
    assert sentences(alone) == SENTENCES
    result = coheval.score([SENTENCES[0], "", *SENTENCES[1:]], documents=["d"] * 6, metrics=[metric])
    assert [note for note in result.notes if "blank" in note] == [
        f"{next(iter(result))}: 1 segments are blank and no sentences"
    ]


def test_evidence(file: Path) -> None:
    found = row(coheval.metric(spec(file)), *SENTENCES)
    assert found.evidence is not None
    assert found.evidence["kind"] == "boundaries"
    local: Any = found.evidence["local"]
    assert len(local) == len(SENTENCES) + 1
    assert value(found) == pytest.approx(1 / (1 + math.exp(-sum(local) / len(local))), abs=1e-9)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the candidate is empty"),
        (" \t ", "the candidate is empty"),
        ("boat", "coherence needs two sentences, the document has fewer"),
        ("The boat left.", "coherence needs two sentences, the document has fewer"),
    ],
)
def test_no_score_and_why(file: Path, text: str, reason: str) -> None:
    found = row(coheval.metric(spec(file)), text)
    assert (found.values, found.reason) == (None, reason)


@pytest.mark.parametrize(
    "text",
    [
        "?!... --- ,, ... !!",
        "The boat\x00 left. A\x07 storm\x1b[31m came.\x85 They\u2028 slept. \ufeffThen.",
        "Лодка ушла. A storm came. 嵐が来た。船は戻った。 نامت المدينة. 👩‍👩‍👧 e\u0301.",
        "\n\nThe boat left.\n\n\nA storm came.\r\n",
    ],
)
def test_strange_texts_have_a_score_or_a_reason(file: Path, text: str) -> None:
    found = row(coheval.metric(spec(file)), text)
    assert (found.values is None) == (found.reason is not None)
    if found.values is not None:
        assert 0 <= value(found) <= 1
        assert all(sentence.strip() for sentence in sentences(found))


def test_a_hundred_thousand_words(file: Path) -> None:
    chance = random.Random(5)
    text = " ".join(" ".join(chance.choices(THINGS, k=9)) + " ship." for _ in range(10_000))
    found = row(coheval.metric(spec(file, annotator="spacy(model='blank:en')")), text)
    assert len(text.split()) == 100_000
    assert len(sentences(found)) == 10_000
    assert 0 <= value(found) <= 1


def test_a_shared_encoder_gives_the_same(file: Path) -> None:
    lines, documents = [*SENTENCES, *SENTENCES[::-1]], ["a"] * 5 + ["b"] * 5
    name = spec(file)
    beside = f"sbert(encoder={encoder(file.parent)})"
    alone = coheval.score(lines, lines, documents=documents, metrics=[name])[name]
    shared = coheval.score(lines, lines, documents=documents, metrics=[beside, name])[name]
    assert shared.documents == alone.documents
    assert alone.documents["a"] == value(row(coheval.metric(name), *SENTENCES))


def test_another_model(file: Path, tmp_path: Path) -> None:
    """One without local scores, on a scale of its own."""
    from coheval.run.coherence.train import Lesson, learner, train_coherence

    taught = learner(f"parseq(encoder={encoder(file.parent)})")
    output = tmp_path / "parseq.onnx"
    lesson = Lesson.of([file.parent / "texts.txt"], ["order(negatives=2)"])
    train_coherence(lesson, taught, output, recipe=taught.recipe.changed(epochs=1, hidden=4))
    metric = coheval.metric(f"coherence(model=parseq(file={str(output)!r}))")
    found = row(metric, *SENTENCES)
    (expected,) = model(f"parseq(file={str(output)!r})").score([tuple(SENTENCES)])
    assert value(found) == expected.value
    assert found.evidence is not None
    assert found.evidence["local"] is None
    assert metric.range == (-math.inf, math.inf)
    assert coheval.metric(spec(file)).range == (0.0, 1.0)
    assert coheval.metric(metric.signature) == metric


def test_what_is_missing_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(coheval.CohevalError, match="the model cannot be read") as told:
        coheval.score(["a"], metrics=[spec(tmp_path / "none.onnx")])
    assert "hint" in str(told.value)


# --------------------------------------------------------------------------------------------------- the embedded one


TEXTS = (
    "Our street has a new bakery. It opens at six, long before anyone else is awake. The baker, a quiet man from the "
    "coast, bakes rye bread in a stone oven. His bread is sold out by nine. Late risers have to wait for the next day.",
    "The ferry leaves the island at seven. It carries two cars and a post bag. The cars belong to the doctor and the "
    "vet. The bag belongs to everyone. By eight all three are on the mainland.",
    "Our choir lost its conductor in May. For a month nobody wanted the job. Then the youngest alto raised her hand. "
    "She had never conducted anything. Since June the choir has sung in tune.",
    "A heron stood in the ditch this morning. The ditch had frozen overnight. It looked at the ice as if that were "
    "a mistake. After an hour it gave up. Then it flew to the river.",
)


def test_embedded() -> None:
    """Of texts of our own, most other orders of their five sentences hang together worse."""
    metric = coheval.metric("coherence")
    better = total = 0
    for text in TEXTS:
        whole = row(metric, text)
        assert len(sentences(whole)) == 5
        orders = [Document.of("d", list(order)) for order in list(itertools.permutations(sentences(whole)))[1:]]
        others = metric.measure([Item("system", order) for order in orders])
        better += sum(value(whole) > value(other.rows[0]) for other in others)
        total += len(others)
    assert better / total > 0.6
