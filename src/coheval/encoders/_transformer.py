"""What encoders with a sub-word tokenizer and a window share: tokens, windows, batches by length.

Subclasses bring a tokenizer and one forward pass over a padded batch.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.windows import Window, windows
from coheval.data.scripts import UNSPACED
from coheval.encoders import Encoded, Encoder, Overflow
from coheval.errors import DataError, ResourceError, SpecError

if TYPE_CHECKING:
    import regex
    from tokenizers import Encoding, Tokenizer

BATCH_TOKENS = 512  # padded tokens of one forward pass: 5% faster on a CPU than 2,048, twice as fast as 8,192

Layers = dict[int, NDArray[np.float32]]  # layer -> [batch, tokens, d]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The specials that the tokenizer puts around a text, and how it marks pieces."""

    before: list[tuple[int, str]]
    after: list[tuple[int, str]]
    opening: str | None  # the mark of pieces that begin a word; None: "##" marks those that continue one
    unknown: int  # the id that stands for whatever the vocabulary does not have; -1 if none does

    def __len__(self) -> int:
        return len(self.before) + len(self.after)

    def around(self, ids: list[int]) -> list[int]:
        return [i for i, _ in self.before] + ids + [i for i, _ in self.after]


@dataclass(frozen=True, slots=True)
class _Reading:
    """How texts become the model's input."""

    tokenizer: Tokenizer
    frame: _Frame
    attentive: bool = True  # False: the mask is 0 for every token, and so attention is uniform
    budget: int = BATCH_TOKENS


@dataclass(frozen=True, kw_only=True)
class TransformerEncoder(Encoder):
    overflow: Overflow = "window"

    first_layer: ClassVar[int] = 0  # 1 where the embedding layer cannot be had

    @property
    def window(self) -> int:
        """The most tokens, specials included, that the model reads at once."""
        raise NotImplementedError(type(self).__name__)

    def tokenizer(self) -> Tokenizer:
        """A tokenizer that neither pads nor truncates."""
        raise NotImplementedError(type(self).__name__)

    def forward(self, ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        """Hidden states of a padded batch [b, t] at the given layers."""
        raise NotImplementedError(type(self).__name__)

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        reading = self._usual()
        return [_pieces(reading.frame, c.tokens) for c in self._read(texts, reading)]

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return self._encode(texts, layers, self._usual())

    def encode_unclosed(
        self, texts: Sequence[str], *, layers: Sequence[int] | None = None, attentive: bool = True
    ) -> list[Encoded]:
        """As DiscoScore's program does: case and accents kept, the specials before the text but none behind it.

        Without `attentive`, all tokens are masked: each then attends to all others alike.
        """
        tokenizer = _case_keeping(self.tokenizer())
        frame = replace(_frame(tokenizer), after=[])
        return self._encode(texts, layers, _Reading(tokenizer, frame, attentive, BATCH_TOKENS if attentive else 1))

    def _usual(self) -> _Reading:
        return _Reading(self.tokenizer(), _frame(self.tokenizer()))

    def _encode(self, texts: Sequence[str], layers: Sequence[int] | None, reading: _Reading) -> list[Encoded]:
        wanted = self._checked(layers)
        frame = reading.frame
        contents = self._read(texts, reading)
        room = self._room(frame)
        jobs = [(t, w) for t, c in enumerate(contents) for w in windows(len(c.ids), room)]
        parts: list[list[Layers]] = [[] for _ in texts]
        order = sorted(range(len(jobs)), key=lambda j: jobs[j][1].stop - jobs[j][1].start)
        states: list[Layers] = [{} for _ in jobs]
        for batch in _batches(order, [w.stop - w.start + len(frame) for _, w in jobs], reading.budget):
            rows = [frame.around(contents[jobs[j][0]].ids[jobs[j][1].start : jobs[j][1].stop]) for j in batch]
            ids, mask = _padded(rows)
            out = self.forward(ids, mask if reading.attentive else np.zeros_like(mask), wanted)
            for row, j in enumerate(batch):
                states[j] = {layer: out[layer][row, : len(rows[row])] for layer in wanted}
        for (text, window), state in zip(jobs, states, strict=True):
            last = window.stop == len(contents[text].ids)
            parts[text].append(_spoken_for(state, window, frame, last))
        return [_assemble(c, frame, p) for c, p in zip(contents, parts, strict=True)]

    def _read(self, texts: Sequence[str], reading: _Reading) -> list[_Content]:
        encodings = reading.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [self._content(text, encoding, reading.frame) for text, encoding in zip(texts, encodings, strict=True)]

    def _room(self, frame: _Frame) -> int:
        """How many of a text's own tokens the model reads at once."""
        room = self.window - len(frame)
        if room < 1:
            raise SpecError(
                f"a window of {self.window} tokens has no room beside the {len(frame)} specials",
                where=type(self).name(),
                hint="use a model with more positions",
            )
        return room

    def _content(self, text: str, encoding: Encoding, frame: _Frame) -> _Content:
        room = self._room(frame)
        if len(encoding.ids) <= room or self.overflow == "window":
            fits = len(encoding.ids) <= room
            return _Content(text, encoding.ids, encoding.tokens, encoding.offsets, "" if fits else "windowed")
        if self.overflow == "truncate":
            return _Content(text, encoding.ids[:room], encoding.tokens[:room], encoding.offsets[:room], "cut")
        raise DataError(
            f"a text has {len(encoding.ids):,} pieces, the encoder reads at most {room}: {text[:40]!r}…",
            where=type(self).name(),
            hint="use overflow='window' to read it in overlapping windows, or give shorter segments",
        )

    def _checked(self, layers: Sequence[int] | None) -> list[int]:
        wanted = [self.depth] if layers is None else list(layers)
        for layer in wanted:
            if not self.first_layer <= layer <= self.depth:
                raise SpecError(
                    f"layer must be {self.first_layer} to {self.depth}, got {layer}",
                    where=type(self).name(),
                    hint="layers are counted from the bottom; leave it out for the last",
                )
        return wanted


@dataclass(frozen=True, slots=True)
class _Content:
    """A text's own tokens, without specials."""

    text: str
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    mark: Literal["", "windowed", "cut"]


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a tokenizer.json, with the padding and truncation that many of them switch on switched off."""
    try:
        return _read_tokenizer(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ResourceError(
            f"the tokenizer cannot be read: {error.strerror}", where=str(path), hint="check the path"
        ) from None


@cache
def _read_tokenizer(path: Path, modified: int) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises Exception itself
        raise ResourceError(
            f"this is not a tokenizer: {error}", where=str(path), hint="it must be a tokenizer.json of `tokenizers`"
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=8)
def _case_keeping(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer without a BERT normaliser's lower-casing and stripping of accents; others are as they are."""
    content = json.loads(tokenizer.to_str())
    if (content.get("normalizer") or {}).get("type") != "BertNormalizer":
        return tokenizer
    content["normalizer"] |= {"lowercase": False, "strip_accents": False}
    return type(tokenizer).from_str(json.dumps(content))


@lru_cache(maxsize=8)
def _frame(tokenizer: Tokenizer) -> _Frame:
    """Seen around any text that the vocabulary can say."""
    for text in chain(["a"], tokenizer.get_vocab()):
        framed = tokenizer.encode(text)
        special = framed.special_tokens_mask
        if 0 in special:
            pairs = list(zip(framed.ids, framed.tokens, strict=True))
            stop = len(special) - special[::-1].index(0)
            opening, unknown = _opening(tokenizer.get_vocab()), _unknown(tokenizer)
            return _Frame(pairs[: special.index(0)], pairs[stop:], opening, unknown)
    raise ResourceError("the tokenizer has no vocabulary", hint="use the tokenizer.json that the model was made with")


def _opening(vocabulary: Iterable[str]) -> str | None:
    """SentencePiece and byte-level BPE mark pieces that begin a word, WordPiece those that continue one."""
    counts = Counter(piece[0] for piece in vocabulary if piece[:1] in ("▁", "Ġ") or piece[:2] == "##")
    return next((mark for mark, _ in counts.most_common(1) if mark != "#"), None)


def _unknown(tokenizer: Tokenizer) -> int:
    model = tokenizer.model
    token = getattr(model, "unk_token", None)
    number = getattr(model, "unk_id", None) if token is None else tokenizer.token_to_id(token)
    return -1 if number is None else number


def _continues(content: _Content, opening: str | None) -> list[bool]:
    """Which pieces go on with the word before them.

    Where only beginnings behind a blank are marked, the text tells: a word also begins behind a sign, as in (this), and
    with each character of a script that writes no blanks.
    """
    if opening is None:
        return ["##" in token for token in content.tokens]
    within = _within_word()
    return [
        not token.startswith(opening) and start > 0 and within.match(content.text, start - 1) is not None
        for token, (start, _) in zip(content.tokens, content.offsets, strict=True)
    ]


@cache
def _within_word() -> regex.Pattern[str]:
    """Two characters of one word side by side."""
    import regex  # not needed for the default encoder, and slow to load

    return regex.compile(rf"[[\p{{L}}\p{{N}}\p{{M}}_]--[{UNSPACED}]]" * 2, regex.V1)


def _pieces(frame: _Frame, tokens: Sequence[str]) -> tuple[str, ...]:
    return (*(t for _, t in frame.before), *tokens, *(t for _, t in frame.after))


def _batches(order: Sequence[int], lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Jobs of about equal length in batches whose padded size stays within the budget."""
    batch: list[int] = []
    for job in order:
        if batch and (len(batch) + 1) * lengths[job] > budget:
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


def _padded(rows: Sequence[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return ids, mask


def _spoken_for(state: Layers, window: Window, frame: _Frame, last: bool) -> Layers:
    """The rows that this window contributes: its share of the tokens, and the specials at the text's two ends."""
    shift = len(frame.before) - window.start
    start = 0 if window.start == 0 else window.first + shift
    stop = None if last else window.last + shift
    return {layer: vectors[start:stop] for layer, vectors in state.items()}


def _assemble(content: _Content, frame: _Frame, parts: Sequence[Layers]) -> Encoded:
    before, after = len(frame.before), len(frame.after)
    unknown = content.ids.count(frame.unknown)
    offsets = [(0, 0)] * before + content.offsets + [(0, 0)] * after
    special = np.array([True] * before + [False] * len(content.ids) + [True] * after)
    return Encoded(
        vectors={layer: np.concatenate([part[layer] for part in parts]) for layer in parts[0]},  # frees the batch
        pieces=_pieces(frame, content.tokens),
        offsets=np.array(offsets, dtype=np.int32).reshape(-1, 2),
        special=special,
        continues=np.array([False] * before + _continues(content, frame.opening) + [False] * after),
        overflow=content.mark,
        unknown=unknown,
        nothing_known=0 < unknown == len(content.ids),
    )
