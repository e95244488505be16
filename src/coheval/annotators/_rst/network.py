"""The network of the discourse parser: scores for beginnings of units, for nodes and for their labels.

    word    w = LSTM(relu(vectors, marks, categories)), both directions, line by line
    border  softmax(B w): no EDU begins here, an EDU, a sentence
    EDU     e = relu(E [first word, last word, mean of the words]);  u = LSTM([e, kind of its border])
    span    s(i, j) = relu(D (u_j - u_i) + O [e_i, u_i] + C [e_j-1, u_j-1] + size, sentences, lines, kinds)
    node    s(k, j) · P s(i, k) / √g + l·s(i, k) + r·s(k, j) + m·s(i, j)   the score of joining i..k with k..j
    label   softmax(L relu(U s(i, k) + V s(k, j) + W s(i, j) + kinds of i, k, j + [e, u] of the EDUs i, k-1, k, j-1))

u_i is the state between EDUs: forward before i, backward behind it, so that differences stand for spans (Wang & Chang
2016; Cross & Huang 2016). Members of an ensemble, which differ in their seeds, stand side by side as the first axis M.
They are trained by `coheval train rst`; weights have the names that they have there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coheval.algo.recurrent import Recurrence
from coheval.annotators._rst.reading import CATEGORIES, Reading

Array = NDArray[np.float32]
Places = NDArray[np.int64]
Line = tuple[Array, Array, Places]  # vectors, marks and categories of its words

_AT_ONCE = 4096  # words

KINDS = 3  # of borders: within a sentence, between sentences, between lines
SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100)  # where counts of EDUs, sentences and lines become larger ones
EXTENTS = (*(len(SIZES) + 1,) * 3, KINDS**2)  # values of each thing that is told of a span
OFFSETS = tuple(np.cumsum((0, *EXTENTS))[:-1].tolist())


@dataclass(frozen=True, slots=True)
class Words:
    """Of each word of some texts."""

    inputs: Array  # [M, n, d]
    states: Array  # [M, n, 2 h]
    borders: Array  # [n, 3] probabilities: no EDU begins here, an EDU, a sentence


@dataclass(frozen=True, slots=True)
class Units:
    """EDUs, and the places between them."""

    opening: Array  # [M, n + 1, g] what an EDU adds to spans that begin with it, and the place before it
    closing: Array  # [M, n + 1, g] what the EDU before a place adds to spans that end with it
    kinds: Places  # [n + 1] of the borders
    sentences: Places  # [n + 1] sentences that began up to and at each place
    lines: Places  # [n + 1]
    edges: Array  # [M, n, 4, l] what an EDU adds to labels: as the first and last of the left span, and of the right


class Network:
    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._weights = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        self._words, self._units = self._recurrence("words"), self._recurrence("units")
        self._offsets = np.cumsum((0, *CATEGORIES))[:-1]

    def words(self, readings: Sequence[Reading]) -> Words:
        """Of all words of some texts, one text behind the other; some lines at a time, to bound memory."""
        parts = [self._some_words(lines) for lines in _together([line for r in readings for line in _by_line(r)])]
        inputs, states = (np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True))
        return Words(inputs, states, _softmax(self._linear("border", states)).mean(axis=0))

    def _some_words(self, lines: Sequence[Line]) -> tuple[Array, Array]:
        vectors, marks, categories = (np.concatenate(arrays) for arrays in zip(*lines, strict=True))
        inputs = self._linear("read", np.concatenate([vectors, marks], axis=1)[None])
        for column, offset in enumerate(self._offsets):
            inputs += self._weights["categories.weight"][:, categories[:, column] + offset]
        np.maximum(inputs, 0, out=inputs)
        return inputs, self._words.run(inputs, [len(line[0]) for line in lines])

    def units(self, words: Words, starts: Places, kinds: Places) -> Units:
        """EDUs that begin with the words `starts`; `kinds` [n + 1] are those of their borders, the last among them."""
        inputs, states = words.inputs, words.states
        sums = np.add.reduceat(inputs, starts, axis=1)
        stops = np.append(starts[1:], inputs.shape[1])
        means = sums / (stops - starts)[:, None].astype(np.float32)
        edus = self._linear("unit", np.concatenate([states[:, starts], states[:, stops - 1], means], axis=2))
        np.maximum(edus, 0, out=edus)
        told = np.concatenate([edus, self._weights["kind.weight"][:, kinds[:-1]]], axis=2)
        context = self._units.run(told, [len(starts)])
        both = np.concatenate([edus, context], axis=2)
        between = self._between(context)
        return Units(
            self._padded(self._linear("opening", both), last=True) - between + self._weights["between.bias"][:, None],
            self._padded(self._linear("closing", both), last=False) + between,
            kinds,
            np.cumsum(kinds >= 1),
            np.cumsum(kinds == 2),
            self._linear("edges", both).reshape(*both.shape[:2], 4, -1),
        )

    def _between(self, context: Array) -> Array:
        """[M, n + 1, g] of the places between EDUs: the forward state before each, and minus the backward one."""
        half = context.shape[2] // 2
        forward = self._padded(context[:, :, :half], last=False)
        backward = self._padded(context[:, :, half:], last=True)
        weight = self._weights["between.weight"]
        found: Array = np.concatenate([forward, -backward], axis=2) @ weight.swapaxes(1, 2)
        return found

    def spans(self, units: Units, places: Places) -> Array:
        """[M, p, p, g] of the spans between any two of p places; only those from left to right mean anything."""
        spans = units.opening[:, places, None] + units.closing[:, None, places]
        extent = self._weights["extent.weight"]
        counts = (
            places[None] - places[:, None],
            *(c[np.maximum(places - 1, 0)][None] - c[places][:, None] for c in (units.sentences, units.lines)),
        )
        kinds = units.kinds[places]
        numbers = [np.searchsorted(SIZES, count, side="right") for count in counts]
        numbers.append(kinds[:, None] * KINDS + kinds[None])
        for offset, number in zip(OFFSETS, numbers, strict=True):
            spans += extent[:, offset + number]
        np.maximum(spans, 0, out=spans)
        return spans

    def nodes(self, spans: Array) -> Array:
        """[M, p, p, p] the score of each node, at [k, i, j]."""
        left: Array = spans @ self._weights["pair.weight"].swapaxes(1, 2)[:, None]
        scores: Array = left.swapaxes(1, 2) @ spans.swapaxes(2, 3)
        scores /= np.float32(math.sqrt(spans.shape[3]))
        alone = (
            spans @ self._weights["alone.weight"].swapaxes(1, 2)[:, None] + self._weights["alone.bias"][:, None, None]
        )
        scores += alone[..., 0].swapaxes(1, 2)[:, :, :, None]
        scores += alone[..., 1][:, :, None]
        scores += alone[..., 2][:, None]
        return scores

    def labels(self, units: Units, places: Places, spans: Array, i: Places, k: Places, j: Places) -> Array:
        """[nodes, labels] probabilities for nodes that join i..k with k..j of the places, mean over the members."""
        kinds = units.kinds[places]
        hidden = self._linear("left", spans[:, i, k]) + self._linear("right", spans[:, k, j])
        hidden += self._linear("whole", spans[:, i, j])
        hidden += self._weights["borders.weight"][:, (kinds[i] * KINDS + kinds[k]) * KINDS + kinds[j]]
        for role, edu in enumerate((places[i], places[k] - 1, places[k], places[j] - 1)):
            hidden += units.edges[:, edu, role]
        np.maximum(hidden, 0, out=hidden)
        found: Array = _softmax(self._linear("label", hidden)).mean(axis=0)
        return found

    def _linear(self, name: str, x: Array) -> Array:
        found: Array = x @ self._weights[f"{name}.weight"].swapaxes(1, 2)
        if f"{name}.bias" in self._weights:
            found += self._weights[f"{name}.bias"][:, None]
        return found

    def _padded(self, values: Array, *, last: bool) -> Array:
        """A row of zeros in front or behind."""
        row = np.zeros_like(values[:, :1])
        return np.concatenate([values, row] if last else [row, values], axis=1)

    def _recurrence(self, name: str) -> Recurrence:
        def both(part: str) -> Array:
            found = [self._weights[f"{name}.{part}_l0{direction}"] for direction in ("", "_reverse")]
            return np.stack(found)

        return Recurrence.of(both("weight_ih"), both("weight_hh"), both("bias_ih") + both("bias_hh"))


def _by_line(reading: Reading) -> Iterator[Line]:
    stop = 0
    for size in reading.lines:
        own = slice(stop, stop := stop + size)
        yield reading.vectors[own], reading.marks[own], reading.categories[own]


def _together(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Some lines with about _AT_ONCE words."""
    behind = np.cumsum([len(line[0]) for line in lines])
    cuts = [0, *(np.flatnonzero(np.diff(behind // _AT_ONCE)) + 1).tolist(), len(lines)]
    return (lines[a:b] for a, b in pairwise(cuts))


def _softmax(x: Array) -> Array:
    found: Array = np.exp(x - x.max(axis=-1, keepdims=True))
    found /= found.sum(axis=-1, keepdims=True)
    return found
