"""What decoders with a sub-word tokenizer share: the tokens of both sides, what does not fit, each distinct pair once.

Subclasses bring a tokenizer, what stands around a text on either side, and the probabilities of token ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data import Passage
from coheval.decoders import Decoded, Decoder, Pair, Refusal
from coheval.encoders._tokens import BLANKS, Content, Frame, knows_any

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Ids = tuple[int, ...]
Side = Literal["source", "target"]
Separator = Literal["end", "none"]
Read = dict[Passage, Content | str]  # a passage's tokens, or why it cannot be read


@dataclass(frozen=True, kw_only=True)
class ForcedDecoder(Decoder):
    separator: Separator = "end"  # between sentences in context: the end of text, or 'none'

    def tokenizer(self) -> Tokenizer:
        """A tokenizer that neither pads nor truncates."""
        raise NotImplementedError(type(self).__name__)

    def frame(self, side: Side) -> Frame:
        """What stands around a text; the first token behind it is the end of text."""
        raise NotImplementedError(type(self).__name__)

    def logprobs(self, pairs: Sequence[tuple[Ids, Ids]]) -> list[NDArray[np.float64]]:
        """For each source and target, complete with specials, the log-probability [t] of each token of the target."""
        raise NotImplementedError(type(self).__name__)

    def ready(self) -> None:
        _ = self.frame("source"), self.frame("target")

    def context_flaw(self, sentences: int) -> str | None:
        frames = self.frame("source"), self.frame("target")
        if self._parts and not all(frame.after for frame in frames):
            return "its tokenizer closes no text, so there is no separator"
        if not self._parts and any(frame.opening != BLANKS[0] for frame in frames):
            return "its tokenizer puts no blank before a text, so that words would run together; use separator='end'"
        least = max(map(len, frames)) + 1 + (1 + self._parts) * sentences  # each has a token, and a separator or not
        if least > self.window:
            return f"{sentences:,} sentences around a text take {least:,} tokens or more, its window {self.window:,}"
        return None

    def force(self, pairs: Sequence[Pair]) -> list[Decoded | Refusal]:
        distinct = list(dict.fromkeys(pairs))
        frames = self.frame("source"), self.frame("target")
        read = self._tokenized(distinct)
        sources: Read = {source: self._content(source, read, frames[0]) for source, _ in distinct}
        targets: Read = {target: self._content(target, read, frames[1]) for _, target in distinct}
        found: dict[Pair, Decoded | Refusal] = {}
        jobs: dict[Pair, tuple[Content, Content]] = {}
        for pair in distinct:
            source, target = sources[pair[0]], targets[pair[1]]
            if isinstance(source, str):
                found[pair] = Refusal("source", source)
            elif isinstance(target, str):
                found[pair] = Refusal("target", target)
            else:
                jobs[pair] = source, target
        ids = [(tuple(frames[0].around(s.ids)), tuple(frames[1].around(t.ids))) for s, t in jobs.values()]
        for (pair, contents), logprobs in zip(jobs.items(), self.logprobs(ids), strict=True):
            found[pair] = _decoded(contents, frames, logprobs, parted=self._parts)
        return [found[pair] for pair in pairs]

    def _tokenized(self, pairs: Sequence[Pair]) -> dict[str, Encoding]:
        passages = [passage for pair in pairs for passage in pair]
        distinct = list(dict.fromkeys(s for p in passages for s in (*p.before, p.text, *p.after)))
        encodings = self.tokenizer().encode_batch(distinct, add_special_tokens=False)
        return dict(zip(distinct, encodings, strict=True))

    def _content(self, passage: Passage, read: Mapping[str, Encoding], frame: Frame) -> Content | str:
        """A passage's tokens with as much of its context as fits, or why it cannot be read."""
        encoding = read[passage.text]
        room = self.window - len(frame)
        if not passage.text.strip() or not encoding.ids:
            return "is empty"
        if len(encoding.ids) > room:
            return f"has {len(encoding.ids):,} tokens, and the decoder reads at most {max(0, room):,} at once"
        if not knows_any(encoding.ids, encoding.tokens, frame.unknown):
            return "has no word that the decoder knows"
        own = Content(passage.text, encoding.ids, encoding.tokens, encoding.offsets)
        if passage.alone:
            return own
        before, after = [read[s] for s in passage.before], [read[s] for s in passage.after]
        return own.among(before, after, frame.after[0] if self._parts else None, room)

    @property
    def _parts(self) -> bool:
        return self.separator == "end"


def _decoded(
    contents: tuple[Content, Content], frames: tuple[Frame, Frame], logprobs: NDArray[np.float64], *, parted: bool
) -> Decoded:
    source, target = contents
    frame = frames[1]
    lead = len(frame.before)
    start, stop, whole = lead + target.own.start, lead + target.own.stop, lead + len(target.ids)
    places = np.arange(len(logprobs))
    tag = (places < lead) | (places > whole)  # some tokenizers put a language behind the end
    own = (start <= places) & (places < stop)
    end = (places == stop) & (parted or not target.behind)  # the next sentence's first token closes nothing
    offsets = [(0, 0)] * lead + target.offsets + [(0, 0)] * len(frame.after)
    return Decoded(
        logprobs=logprobs,
        pieces=frame.pieces(target.tokens),
        offsets=np.array(offsets, dtype=np.int32).reshape(-1, 2),
        tag=tag,
        context=~(tag | own | end),
        end=end,
        dropped=(source.dropped, target.dropped),
        unknown=(_unknown(source, frames[0]), _unknown(target, frame)),
    )


def _unknown(content: Content, frame: Frame) -> int:
    return content.ids[content.own].count(frame.unknown)
