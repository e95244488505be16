"""Several texts as one sequence, parted as the tokenizer parts a pair; each may stand among its neighbours.

A joint sequence cannot be read in windows: one that is too long loses its context, the oldest sentences first, and is
not read at all if the texts by themselves do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coheval.data import Passage
from coheval.encoders._tokens import frame_of, knows_any
from coheval.encoders._transformer import BATCH_TOKENS, batches
from coheval.errors import ResourceError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = NDArray[np.int64]
Token = tuple[int, int]  # id and type


@dataclass(frozen=True, slots=True)
class Joint:
    """A sequence of several texts."""

    tokens: list[Token]
    marks: Mapping[str, int]  # sentences of context for which the window had no room, tokens that are unknown


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the tokenizer puts around and between two texts, and the token types it gives them."""

    before: list[Token]
    between: list[Token]
    after: list[Token]
    first: int
    second: int


def joined(tokenizer: Tokenizer, window: int, rows: Sequence[Sequence[Passage]]) -> list[Joint | None]:
    """Each row's texts in one sequence of at most `window` tokens; None where they do not fit."""
    distinct = list(dict.fromkeys(s for row in rows for p in row for s in (*p.before, p.text, *p.after)))
    encodings = tokenizer.encode_batch(distinct, add_special_tokens=False)
    ids = {text: encoding.ids for text, encoding in zip(distinct, encodings, strict=True)}
    pair, unknown = _pair(tokenizer), frame_of(tokenizer).unknown
    return [_joint(row, ids, pair, unknown, window) for row in rows]


def flaws(tokenizer: Tokenizer, passages: Iterable[Passage]) -> dict[Passage, str]:
    """Why there is nothing to read in a text, if so, to be read behind its name: the candidate 'is empty'."""
    distinct = list(dict.fromkeys(passages))
    unknown = frame_of(tokenizer).unknown
    found = {}
    for passage, encoding in zip(
        distinct, tokenizer.encode_batch([p.text for p in distinct], add_special_tokens=False), strict=True
    ):
        if not passage.text.strip() or not encoding.ids:
            found[passage] = "is empty"
        elif not knows_any(encoding.ids, encoding.tokens, unknown):
            found[passage] = "has no word that the model knows"
    return found


def context_flaw(tokenizer: Tokenizer, window: int, sentences: int, *, texts: int = 2) -> str | None:
    """Why several texts with so many sentences around each can never be one sequence, if so."""
    least = len(_sequence([[0] * (1 + 2 * sentences)] * texts, _pair(tokenizer)))  # a token and a separator each
    if least > window:
        return (
            f"{sentences:,} sentences around each of {texts} texts take {least:,} tokens or more, its window {window:,}"
        )
    return None


def _joint(
    row: Sequence[Passage], ids: Mapping[str, list[int]], pair: _Pair, unknown: int, window: int
) -> Joint | None:
    asked = _around(row)
    while True:
        tokens = _sequence([_content(passage, ids, pair.after[0][0]) for passage in row], pair)
        if len(tokens) <= window:
            strange = sum(ids[passage.text].count(unknown) for passage in row)
            return Joint(tokens, {"dropped": asked - _around(row), "unknown": strange})
        if not _around(row):
            return None
        row = _shorter(row)


def _around(row: Sequence[Passage]) -> int:
    """How many sentences of context there are."""
    return sum(len(p.before) + len(p.after) for p in row)


def _shorter(row: Sequence[Passage]) -> list[Passage]:
    """Without the sentences that stand furthest before their texts, or, where none does, furthest behind: each text
    loses its own, so that none is read in more context than the others."""
    before, after = max(len(p.before) for p in row), max(len(p.after) for p in row)
    if before:
        return [replace(p, before=p.before[1:]) if len(p.before) == before else p for p in row]
    return [replace(p, after=p.after[:-1]) if len(p.after) == after else p for p in row]


def _content(passage: Passage, ids: Mapping[str, list[int]], separator: int) -> list[int]:
    first, *others = (ids[text] for text in (*passage.before, passage.text, *passage.after))
    return [*first, *(i for sentence in others for i in (separator, *sentence))]


def _sequence(parts: Sequence[list[int]], pair: _Pair) -> list[Token]:
    tokens = [*pair.before, *((i, pair.first) for i in parts[0])]
    for number, part in enumerate(parts[1:]):
        between = pair.between if number == 0 else [(i, pair.second) for i, _ in pair.between]
        tokens += [*between, *((i, pair.second) for i in part)]
    return tokens + pair.after


@lru_cache(maxsize=8)
def _pair(tokenizer: Tokenizer) -> _Pair:
    """Seen around any text that the vocabulary can say."""
    for text in chain(["a"], tokenizer.get_vocab()):
        seen = tokenizer.encode(text, text)
        whose = seen.sequence_ids
        if 0 in whose and 1 in whose:
            tokens = list(zip(seen.ids, seen.type_ids, strict=True))
            first, second = whose.index(0), whose.index(1)
            gap, end = second - whose[second::-1].index(0) + 1, len(whose) - whose[::-1].index(1)
            if gap < second and end < len(whose):
                around = tokens[:first], tokens[gap:second], tokens[end:]
                return _Pair(*around, tokens[first][1], tokens[second][1])
            break
    raise ResourceError(
        "the tokenizer does not part two texts",
        hint="it must be the tokenizer of a model that reads pairs, with separators between and behind them",
    )


def padded(sequences: Sequence[Joint], pad: int = 0) -> Iterator[tuple[list[int], Ids, Ids, Ids]]:
    """Batches of about equal length: which sequences they hold, and their ids, mask and token types [b, t]."""
    lengths = [len(sequence.tokens) for sequence in sequences]
    for batch in batches(sorted(range(len(lengths)), key=lengths.__getitem__), lengths, BATCH_TOKENS):
        shape = (len(batch), max(lengths[i] for i in batch))
        ids, mask, types = np.full(shape, pad), np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, i in enumerate(batch):
            ids[row, : lengths[i]], types[row, : lengths[i]] = np.array(sequences[i].tokens).T
            mask[row, : lengths[i]] = 1
        yield batch, ids, mask, types
