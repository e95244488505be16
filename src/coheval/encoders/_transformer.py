"""What encoders with a sub-word tokenizer and a window share: tokens, windows, batches by length.

Subclasses bring a tokenizer and one forward pass over a padded batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.algo.windows import Window, windows
from coheval.data import Passage
from coheval.encoders import Encoded, Encoder, Overflow
from coheval.encoders._tokens import Content, Frame, case_keeping, continues, frame_of, knows_any
from coheval.errors import SpecError, TextError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

BATCH_TOKENS = 384  # padded tokens of one forward pass: on a CPU 2% faster than 512, 4% than 1,024, 10% than 2,048

Layers = dict[int, NDArray[np.float32]]  # layer -> [batch, tokens, d]


@dataclass(frozen=True, slots=True)
class _Reading:
    """How texts become the model's input."""

    tokenizer: Tokenizer
    frame: Frame
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

    def forward_at(
        self, where: NDArray[np.bool_], ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]
    ) -> Layers:
        """As `forward`, but only what is found at `where` [b, t] will be looked at, so that the rest may be spared."""
        return self.forward(ids, mask, layers)

    def ready(self, layers: Sequence[int]) -> None:
        self._checked(layers)
        self._room(self._usual().frame)

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        reading = self._usual()
        return [reading.frame.pieces(c.tokens) for c in self._read([Passage(text) for text in texts], reading)]

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return self._encode([Passage(text) for text in texts], layers, self._usual())

    def context_flaw(self, sentences: int) -> str | None:
        frame = self._usual().frame
        if not frame.after:
            return "its tokenizer closes no text, so there is no separator"
        least = len(frame) + 1 + 2 * sentences  # each of them has a token and a separator
        if least > self.window:
            return f"{sentences:,} sentences around a text take {least:,} tokens or more, its window {self.window:,}"
        return None

    def encode_passages(self, passages: Sequence[Passage], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return self._encode(passages, layers, self._usual())

    def encode_unclosed(
        self, texts: Sequence[str], *, layers: Sequence[int] | None = None, attentive: bool = True
    ) -> list[Encoded]:
        """As DiscoScore's program does: case and accents kept, the specials before the text but none behind it.

        Without `attentive`, all tokens are masked: each then attends to all others alike.
        """
        tokenizer = case_keeping(self.tokenizer())
        frame = replace(frame_of(tokenizer), after=[])
        reading = _Reading(tokenizer, frame, attentive, BATCH_TOKENS if attentive else 1)
        return self._encode([Passage(text) for text in texts], layers, reading)

    def _usual(self) -> _Reading:
        return _Reading(self.tokenizer(), frame_of(self.tokenizer()))

    def _encode(self, texts: Sequence[Passage], layers: Sequence[int] | None, reading: _Reading) -> list[Encoded]:
        wanted = self._checked(layers)
        frame = reading.frame
        contents = self._read(texts, reading)
        room = self._room(frame)
        jobs = [(t, w) for t, c in enumerate(contents) for w in windows(len(c.ids), room)]
        parts: list[list[Layers]] = [[] for _ in texts]
        order = sorted(range(len(jobs)), key=lambda j: jobs[j][1].stop - jobs[j][1].start)
        states: list[Layers] = [{} for _ in jobs]
        for batch in batches(order, [w.stop - w.start + len(frame) for _, w in jobs], reading.budget):
            rows = [frame.around(contents[jobs[j][0]].ids[jobs[j][1].start : jobs[j][1].stop]) for j in batch]
            ids, mask = padded(rows)
            where = mask.astype(np.bool_)
            for row, j in enumerate(batch):
                text = jobs[j][0]
                if not texts[text].with_neighbours:
                    where[row, contents[text].neighbours(frame)] = False
            out = self.forward_at(where, ids, mask if reading.attentive else np.zeros_like(mask), wanted)
            for row, j in enumerate(batch):
                states[j] = {layer: out[layer][row, : len(rows[row])] for layer in wanted}
        for (text, window), state in zip(jobs, states, strict=True):
            last = window.stop == len(contents[text].ids)
            parts[text].append(_spoken_for(state, window, frame, last))
        found = (_assemble(c, frame, p) for c, p in zip(contents, parts, strict=True))
        return [e if t.with_neighbours else e.without_context() for t, e in zip(texts, found, strict=True)]

    def _read(self, texts: Sequence[Passage], reading: _Reading) -> list[Content]:
        distinct = list(dict.fromkeys(s for text in texts for s in (*text.before, text.text, *text.after)))
        encodings = reading.tokenizer.encode_batch(distinct, add_special_tokens=False)
        read = dict(zip(distinct, encodings, strict=True))
        return [self._content(text, read, reading.frame) for text in texts]

    def _room(self, frame: Frame) -> int:
        """How many of a text's own tokens the model reads at once."""
        room = self.window - len(frame)
        if room < 1:
            raise SpecError(
                f"a window of {self.window} tokens has no room beside the {len(frame)} specials",
                where=type(self).name(),
                hint="use a model with more positions",
            )
        return room

    def _content(self, passage: Passage, read: Mapping[str, Encoding], frame: Frame) -> Content:
        room = self._room(frame)
        text, encoding = passage.text, read[passage.text]
        if len(encoding.ids) <= room or self.overflow == "window":
            fits = len(encoding.ids) <= room
            own = Content(text, encoding.ids, encoding.tokens, encoding.offsets, "" if fits else "windowed")
        elif self.overflow == "truncate":
            own = Content(text, encoding.ids[:room], encoding.tokens[:room], encoding.offsets[:room], "cut")
        else:
            raise TextError(
                f"a text has {len(encoding.ids):,} pieces, the encoder reads at most {room}: {text[:40]!r}…",
                text=text,
                where=type(self).name(),
                hint="use overflow='window' to read it in overlapping windows, or give shorter segments",
            )
        if passage.alone:
            return own
        before, after = [read[s] for s in passage.before], [read[s] for s in passage.after]
        among = own.among(before, after, frame.after[0], room)
        if among.dropped and self.overflow == "error":
            size = len(own.ids) + sum(len(s.ids) + 1 for s in (*before, *after))
            raise TextError(
                f"a text and its context have {size:,} pieces, the encoder reads at most {room}: {text[:40]!r}…",
                text=text,
                where=type(self).name(),
                hint="use overflow='window' to leave out the oldest context, or ask for less of it",
            )
        return among

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


def batches(order: Sequence[int], lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Jobs of about equal length in batches whose padded size stays within the budget."""
    batch: list[int] = []
    for job in order:
        if batch and (len(batch) + 1) * lengths[job] > budget:
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


def padded(rows: Sequence[Sequence[int]], pad: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of ids side by side, and which of them are no padding."""
    width = max(map(len, rows))
    ids = np.full((len(rows), width), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return ids, mask


def _spoken_for(state: Layers, window: Window, frame: Frame, last: bool) -> Layers:
    """The rows that this window contributes: its share of the tokens, and the specials at the text's two ends."""
    shift = len(frame.before) - window.start
    start = 0 if window.start == 0 else window.first + shift
    stop = None if last else window.last + shift
    return {layer: vectors[start:stop] for layer, vectors in state.items()}


def _assemble(content: Content, frame: Frame, parts: Sequence[Layers]) -> Encoded:
    before, after = len(frame.before), len(frame.after)
    own = content.ids[content.own]
    unknown = own.count(frame.unknown)
    offsets = [(0, 0)] * before + content.offsets + [(0, 0)] * after
    special = np.array([True] * before + [False] * len(content.ids) + [True] * after)
    ahead, behind = content.ahead, content.behind
    context = np.array([False] * before + [True] * ahead + [False] * len(own) + [True] * behind + [False] * after)
    return Encoded(
        vectors={layer: np.concatenate([part[layer] for part in parts]) for layer in parts[0]},  # frees the batch
        pieces=frame.pieces(content.tokens),
        offsets=np.array(offsets, dtype=np.int32).reshape(-1, 2),
        special=special,
        continues=np.array([False] * before + continues(content, frame.opening) + [False] * after),
        overflow=content.mark,
        unknown=unknown,
        nothing_known=bool(own) and not knows_any(own, content.tokens[content.own], frame.unknown),
        context=context if ahead or behind else None,
        dropped=content.dropped,
    )
