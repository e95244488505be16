"""The lexical graph by hand, over vectors on the unit circle; the released program is in the goldens."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import coheval
from discourse import annotations

TEXT = "north it is. no northish. some east. elsewhere. eastish and elsewhere."
# north and northish are 10° apart (cosine 0.985), east and eastish too; elsewhere has no vector.
NOUNS = "north northish east eastish elsewhere"


@pytest.fixture
def setting(tmp_path: Path, compass: str) -> str:
    return f"{compass.replace('encoder', 'vectors')}, annotator={annotations(tmp_path, TEXT, nouns=NOUNS)}"


@pytest.mark.parametrize(("variant", "sentences"), [("coheval", 5), ("paper", 25), ("code", 5)])
def test_by_hand(setting: str, score, variant: str, sentences: int) -> None:
    """0-1 by north, 2-4 by east, 3-4 by elsewhere."""
    expected = (1 + 1 / 2 + 1) / sentences
    assert score(f"lexicalgraph(variant={variant!r}, {setting})", TEXT) == pytest.approx(expected, abs=1e-12)


def test_without_similar_nouns_it_is_the_entity_graph(setting: str, score) -> None:
    assert math.cos(math.radians(10)) < 0.99
    assert score(f"lexicalgraph(threshold=0.99, {setting})", TEXT) == pytest.approx(1 / 5, abs=1e-12)
    assert score(f"lexicalgraph(focus='noun', {setting})", TEXT) == pytest.approx(1 / 5, abs=1e-12)
    assert score(f"entitygraph({setting})", TEXT) == pytest.approx(1 / 5, abs=1e-12)


def test_all_nouns_one_entity(setting: str, score) -> None:
    """Above -1, but for elsewhere: all of the sentences 0, 1, 2, 4; and 3-4 by elsewhere."""
    expected = (1 + 1 / 2 + 1 / 4 + 1 + 1 / 3 + 1 / 2 + 1) / 5
    assert score(f"lexicalgraph(threshold=-1, {setting})", TEXT) == pytest.approx(expected, abs=1e-12)


def test_weights_count_entities(tmp_path: Path, compass: str, score) -> None:
    """Two nouns of one entity link two sentences once."""
    text = "north and northish. northish and north."
    setting = f"{compass.replace('encoder', 'vectors')}, annotator={annotations(tmp_path, text, nouns=NOUNS)}"
    assert score(f"lexicalgraph(weighted=True, {setting})", text) == pytest.approx(1 / 2, abs=1e-12)
    assert score(f"entitygraph(weighted=True, {setting})", text) == pytest.approx(2 / 2, abs=1e-12)


def test_evidence_names_entities(setting: str) -> None:
    (found,) = coheval.score([TEXT], metrics=[f"lexicalgraph({setting})"], evidence=True).values()
    told = found.evidence[0]
    assert [(link["from"], link["to"], link["shared"]) for link in told["links"]] == [
        (0, 1, ["north + northish"]),
        (2, 4, ["east + eastish"]),
        (3, 4, ["elsewhere"]),
    ]
    assert told["isolated"] == []


def test_defaults() -> None:
    metric = coheval.metric("lexicalgraph")
    assert "focus='entity', vectors=static(version=1, file='glove-6b-50d'" in metric.signature
    assert "threshold=0.7" in metric.signature
    assert metric.needs == frozenset()


def test_with_the_default_vectors(score) -> None:
    """Of GloVe's cosines, that of boat and ship is above 0.7."""
    assert score("lexicalgraph", "They built a boat. The ship sank.") == pytest.approx(1 / 2)
    assert score("entitygraph", "They built a boat. The ship sank.") == 0


def test_degenerate_texts() -> None:
    (found,) = coheval.score(["", "dog", "?!", "it was. they did."], metrics=["lexicalgraph"]).values()
    assert found.segments == [None, 0, 0, 0]
    assert found.reasons[0] == "the text has no sentence"
