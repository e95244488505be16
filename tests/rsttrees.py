"""Discourse trees for tests: from a nested tuple, random ones, and long chains."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from coheval.data.rsttree import Node, RstTree

RELATIONS = ("Contrast", "joint-list", "elaboration-additional")
WORDS = st.sampled_from(
    ["rain", "fell", ",", "(so", "we)", "\\", "left.", "-LRB-", "naïve", "雨", "<P>", "&amp;", "_!", "שלום", "1"]
)


def tree(text: str, edus: list[str], nested: Any = 0) -> RstTree:
    """A tree over a text whose EDUs are found one behind the other.

    `nested` is (nuclearity, relation, left, right), in which a number stands for an EDU.
    """
    spans, at = [], 0
    for edu in edus:
        start = text.index(edu, at)
        at = start + len(edu)
        spans.append((start, at))
    return RstTree(text, tuple(spans), tuple(_nodes(nested)))


def _nodes(nested: Any) -> list[Node]:
    if isinstance(nested, int):
        return []
    nuclearity, relation, left, right = nested
    return [Node(_first(left), _first(right), _last(right) + 1, nuclearity, relation), *_nodes(left), *_nodes(right)]


def _first(nested: Any) -> int:
    return nested if isinstance(nested, int) else _first(nested[2])


def _last(nested: Any) -> int:
    return nested if isinstance(nested, int) else _last(nested[3])


@st.composite
def trees(draw: st.DrawFn, relations: tuple[str, ...] = RELATIONS) -> RstTree:
    """Any tree of a few EDUs, whose words have any white space between them."""
    spaces = st.sampled_from([" ", "\n", "  ", "\t", "\u2003", "\r\n"])
    edus = draw(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=7))
    text, spans = draw(st.sampled_from(["", " "])), []
    for words in edus:
        start = len(text)
        text += draw(spaces).join(words)
        spans.append((start, len(text)))
        text += draw(st.one_of(spaces, st.just("")))
    nested = draw(_parts(0, len(edus), relations))
    return RstTree(text, tuple(spans), tuple(_nodes(nested)))


@st.composite
def _parts(draw: st.DrawFn, first: int, stop: int, relations: tuple[str, ...]) -> Any:
    if stop - first == 1:
        return first
    split = draw(st.integers(first + 1, stop - 1))
    labels = draw(st.sampled_from(["NS", "SN", "NN"])), draw(st.sampled_from(relations))
    return *labels, draw(_parts(first, split, relations)), draw(_parts(split, stop, relations))


def chain(size: int, nuclearity: str = "NS", *, left: bool = False) -> RstTree:
    """A tree that branches to one side only, over the words w0 w1 …"""
    words = [f"w{number}" for number in range(size)]
    text = " ".join(words)
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    steps = range(size - 1)
    nodes = [
        Node(0, size - 1 - k, size - k, nuclearity, "Joint") if left else Node(k, k + 1, size, nuclearity, "Joint")
        for k in steps
    ]
    return RstTree(text, tuple(spans), tuple(nodes))
