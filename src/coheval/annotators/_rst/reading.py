"""What the discourse parser sees of a text, word by word.

vectors     layers of the encoder, which reads each line by itself; a word is the mean of its pieces
marks       how it is written: capitals, digits, signs, blanks, line ends; and whether a sentence begins with it
categories  its part of speech and place in the dependency tree, and the largest phrases that begin and end with it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coheval.annotators import LINE_END, Annotated
from coheval.encoders import Encoded, Encoder
from coheval.errors import SpecError

Array = NDArray[np.float32]
Places = NDArray[np.int64]

LAYERS = (1, 2, 4, 6)  # of the encoder: the lower ones know syntax, the last one what a text is about
MARKS = 9

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
_RELATIONS = (
    "ROOT acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj csubjpass dative "
    "dep det dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj "
    "predet prep prt punct quantmod relcl xcomp"
).split()
_TAG = {tag: number for number, tag in enumerate(_TAGS, start=1)}  # 0: none, or one that training never saw
_RELATION = {relation: number for number, relation in enumerate(_RELATIONS, start=1)}
_DISTANCES = (-20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 5, 10, 20)  # from a word to its head

# Tag, relation, head's tag, distance to the head; relation and head's tag of the largest phrase that begins with the
# word, and of the largest that ends with it.
CATEGORIES = tuple(len(_TAG if kind == "t" else _RELATION if kind == "r" else _DISTANCES) + 1 for kind in "trtdrtrt")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    annotated: Annotated  # words, sentences, tags and syntax
    lines: tuple[int, ...]  # words in each line that has any
    vectors: Array  # [n, len(LAYERS) d]
    marks: Array  # [n, MARKS]
    categories: Places  # [n, len(CATEGORIES)]

    def __len__(self) -> int:
        return len(self.annotated)

    def line_starts(self) -> Places:
        """The first word of each line."""
        return np.cumsum((0, *self.lines))[:-1]


def read(texts: Sequence[str], annotated: Sequence[Annotated], encoder: Encoder) -> Iterator[Reading]:
    """What there is to see of each text; `annotated` has tags and syntax."""
    lines = [_lines(text, found) for text, found in zip(texts, annotated, strict=True)]
    wanted = [text[start:stop] for text, spans in zip(texts, lines, strict=True) for _, _, start, stop in spans]
    encoded = iter(encoder.encode(wanted, layers=LAYERS))
    for text, found, spans in zip(texts, annotated, lines, strict=True):
        vectors = [_vectors(next(encoded), found.spans[a:b, 0] - start) for a, b, start, _ in spans]
        yield Reading(
            found,
            tuple(b - a for a, b, _, _ in spans),
            np.concatenate(vectors) if vectors else np.zeros((0, 0), np.float32),
            _marks(text, found, [a for a, *_ in spans], [b - 1 for _, b, *_ in spans]),
            _categories(found),
        )


def _lines(text: str, annotated: Annotated) -> list[tuple[int, int, int, int]]:
    """Of each line that has words: its first word, the one behind its last, and its characters."""
    ends = [match.span() for match in LINE_END.finditer(text)]
    bounds = [0, *(place for span in ends for place in span), len(text)]
    spans = list(zip(bounds[::2], bounds[1::2], strict=True))
    words = np.searchsorted(annotated.spans[:, 0], [start for start, _ in spans]).tolist()
    found = zip(pairwise([*words, len(annotated)]), spans, strict=True)
    return [(a, b, start, stop) for (a, b), (start, stop) in found if b > a]


def _vectors(encoded: Encoded, starts: NDArray[np.int32]) -> Array:
    """[n, len(LAYERS) d] the mean of each word's pieces; zeros for a word that the encoder does not see."""
    if encoded.overflow == "cut":
        raise SpecError(
            "the encoder cuts long texts, and the words behind the cut could not be parsed",
            where="annotator rst",
            hint="leave overflow out: long lines are read in windows",
        )
    own = np.flatnonzero(~encoded.special)
    word = np.maximum(np.searchsorted(starts, encoded.offsets[own, 0], side="right") - 1, 0)
    pieces = np.concatenate([encoded.vectors[layer][own] for layer in LAYERS], axis=1)
    counts = np.bincount(word, minlength=len(starts))
    seen = np.flatnonzero(counts)
    vectors = np.zeros((len(starts), pieces.shape[1]), np.float32)
    if len(seen):
        first = np.cumsum(counts[seen]) - counts[seen]
        vectors[seen] = np.add.reduceat(pieces, first) / counts[seen, None].astype(np.float32)
    return vectors


def _marks(text: str, annotated: Annotated, first: Sequence[int], last: Sequence[int]) -> Array:
    marks = np.zeros((len(annotated), MARKS), np.float32)
    for n, (word, start) in enumerate(zip(annotated.words, annotated.spans[:, 0].tolist(), strict=True)):
        letter = word[0]
        marks[n, 0] = letter.isupper()
        marks[n, 1] = len(word) > 1 and word.isupper()
        marks[n, 2] = letter.isdigit()
        marks[n, 3] = not letter.isalnum()
        marks[n, 4] = start == 0 or text[start - 1].isspace()
        marks[n, 7] = len(word) == 1
    marks[first, 5] = marks[last, 6] = 1
    marks[:, 8] = np.diff(annotated.sentence, prepend=-1) != 0
    return marks


def _categories(annotated: Annotated) -> Places:
    assert annotated.heads is not None
    assert annotated.tags is not None
    assert annotated.relations is not None
    heads = annotated.heads.tolist()
    tags = np.array([_TAG.get(tag, 0) for tag in annotated.tags], np.int64)
    relations = np.array([_RELATION.get(relation, 0) for relation in annotated.relations], np.int64)
    places = np.arange(len(heads))
    above = annotated.heads.astype(np.int64)
    columns = [tags, relations, tags[above], np.searchsorted(_DISTANCES, above - places)]
    for edge in _edges(heads):
        top = np.array(_largest(heads, edge), np.int64)
        found = top >= 0
        columns.append(np.where(found, relations[top], 0))
        columns.append(np.where(found & (above[top] != top), tags[above[top]], 0))
    return np.stack(columns, axis=1).astype(np.int64)


def _edges(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """The first and the last word of the phrase that each word heads."""
    left, right = list(range(len(heads))), list(range(len(heads)))
    for word in _children_first(heads):
        head = heads[word]
        left[head], right[head] = min(left[head], left[word]), max(right[head], right[word])
    return left, right


def _children_first(heads: Sequence[int]) -> Iterator[int]:
    """Words, each behind those that it governs; stored annotations may have circles, whose words are left out."""
    waiting = [0] * len(heads)
    for word, head in enumerate(heads):
        waiting[head] += word != head
    ready = [word for word, count in enumerate(waiting) if count == 0]
    while ready:
        word = ready.pop()
        yield word
        head = heads[word]
        waiting[head] -= 1
        if waiting[head] == 0 and head != word:
            ready.append(head)


def _largest(heads: Sequence[int], edge: Sequence[int]) -> list[int]:
    """The head of the largest phrase whose edge each word is; -1 for a word within its own phrase."""
    found = [-1] * len(heads)
    for word in _children_first(heads):  # so the largest comes last
        if found[edge[word]] != -1 or edge[word] == word:
            found[edge[word]] = word
    return found
