"""Documents of 10,000 words: every discourse metric scores them whole, and nothing of them is cut."""

from __future__ import annotations

import re

import pytest

import coheval

pytestmark = pytest.mark.xdist_group("long documents")  # scored once, for all tests

THINGS = (
    "river tree stone bridge garden house road field mountain lake farmer baker teacher doctor painter writer "
    "captain sailor soldier hunter horse sheep rabbit pigeon apple pear bread cheese butter honey candle mirror "
    "table chair window door ladder hammer basket bottle"
).split()
LENGTH = 10_000


def story(shift: int) -> str:
    """Each sentence speaks of two things, and the next but one of the second of them again."""
    sentences, words = [], 0
    while words < LENGTH:
        k = len(sentences)
        first, second = THINGS[(k + shift) % len(THINGS)], THINGS[(k + 2 + shift) % len(THINGS)]
        sentences.append(f"Then the {first} was seen again, and it stood near the {second} until it was late.")
        words += len(sentences[-1].split())
    return " ".join(sentences)


METRICS = (
    "dsfocus", "dssent", "rc", "lc", "focusfrequency", "connectivity", "entitygraph", "lexicalchain",
    "lexicalgraph(threshold=0.95)",
)  # fmt: skip


@pytest.fixture(scope="module")
def result() -> coheval.Result:
    return coheval.score([story(0)], [story(7)], metrics=list(METRICS), evidence=True)


@pytest.mark.parametrize("name", METRICS)
def test_has_a_score(result: coheval.Result, name: str) -> None:
    metric = coheval.metric(name)
    (score,) = result[name].segments
    assert score is not None
    assert metric.range[0] <= score <= metric.range[1]


def test_every_mention_counts(result: coheval.Result) -> None:
    told = {focus["focus"]: focus for focus in result["dsfocus"].evidence[0]["foci"]}
    for side, text in (("candidate", story(0)), ("reference", story(7))):
        for thing in ("river", "bottle", "captain"):
            expected = [list(match.span()) for match in re.finditer(rf"\b{thing}\b", text)]
            assert len(expected) > 20
            assert told[thing][side] == expected


def test_every_sentence_counts(result: coheval.Result) -> None:
    text = story(0)
    told = result["dssent"].evidence[0]["candidate"]
    assert len(told["sentences"]) == text.count(".")
    assert told["sentences"][-1][1] == len(text)
    # A thing comes second two sentences before it comes first: each sentence is linked to the next but one.
    links = {(link["from"], link["to"]) for link in told["links"]}
    assert {(k, k + 2) for k in range(len(told["sentences"]) - 2)} <= links


def test_windows_are_told(result: coheval.Result) -> None:
    assert any("window" in note for note in result.notes)
