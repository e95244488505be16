"""Llama (Touvron et al. 2023): a causal transformer in numpy, read from a GGUF file. No torch.

    x ← x + attention(norm(x));  x ← x + W_down(silu(W_gate norm(x)) · W_up norm(x));  norm(x) = w · x / rms(x)

Positions turn pairs of numbers (RoPE), and several heads share keys and values. Texts are read as a tree: what several
begin with is read once, and each token sees those on its way from the root. So four endings of a story cost one reading
of the story, and the numbers are those of each text by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.rankers._gguf import GGUF

Array = NDArray[np.float32]
Places = NDArray[np.int64]

_NOT_SEEN = np.float32(-1e30)  # added to what attention makes of a token
_ROWS = 64  # of logits, as wide as the vocabulary, in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Rows of tokens, those that begin alike on one way."""

    tokens: Places  # [t]
    parents: Places  # [t] the token before each, -1 before the first of a row
    depths: Places  # [t] how many stand before each on its way
    seen: NDArray[np.bool_]  # [t, t] True where the second is on the way to the first, or is it
    rows: tuple[Places, ...]  # for each row its tokens' places


def tree(rows: Sequence[Sequence[int]]) -> Tree:
    places: dict[tuple[int, int], int] = {}  # of a token behind another
    ways = []
    for row in rows:
        way, at = [], -1
        for token in row:
            at = places.setdefault((at, token), len(places))
            way.append(at)
        ways.append(np.array(way, dtype=np.int64))
    parents, tokens = np.array(list(places), dtype=np.int64).reshape(-1, 2).T
    seen = np.eye(len(tokens), dtype=np.bool_)
    for place, parent in enumerate(parents):
        if parent >= 0:
            seen[place] |= seen[parent]
    return Tree(tokens, parents, seen.sum(axis=1) - 1, seen, tuple(ways))


@dataclass(frozen=True, slots=True)
class Sizes:
    vocabulary: int
    blocks: int
    width: int
    feed: int  # width of what is between gate and down
    heads: int
    shared: int  # heads of keys and values
    window: int  # tokens of a text, at most

    @property
    def head(self) -> int:
        return self.width // self.heads


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    attention_norm: Array  # [d]
    qkv: Array  # [(heads + 2·shared)·head, d]
    output: Array  # [d, heads·head]
    feed_norm: Array  # [d]
    gate_up: Array  # [2·feed, d]
    down: Array  # [d, feed]


@dataclass(frozen=True, slots=True, eq=False)
class Llama:
    sizes: Sizes
    embedding: Array  # [v, d]
    unembedding: Array  # [v, d]
    blocks: tuple[_Block, ...]
    closing_norm: Array  # [d]
    epsilon: np.float32
    base: float  # of the angles by which positions turn

    @classmethod
    def read(cls, file: GGUF) -> Llama:
        sizes = _sizes(file)
        shape = sizes.vocabulary, sizes.width
        embedding = file.tensor("token_embd.weight", *shape)
        found = cls(
            sizes,
            embedding,
            file.tensor("output.weight", *shape) if "output.weight" in file else embedding,
            tuple(_block(file, f"blk.{number}", sizes) for number in range(sizes.blocks)),
            file.tensor("output_norm.weight", sizes.width),
            np.float32(file.positive("llama.attention.layer_norm_rms_epsilon")),
            file.positive("llama.rope.freq_base"),
        )
        file.all_are_read()
        return found

    def states(self, read: Tree) -> Iterator[Array]:
        """[t, d] The embedding, and what is behind each block; behind the last, its closing norm."""
        x = self.embedding[read.tokens]
        yield x
        turn = self._turn(read.depths)
        hidden = np.where(read.seen, np.float32(0), _NOT_SEEN)
        for number, block in enumerate(self.blocks, start=1):
            x = x + self._attention(block, _norm(x, block.attention_norm, self.epsilon), turn, hidden)
            gate, up = np.split(_norm(x, block.feed_norm, self.epsilon) @ block.gate_up.T, 2, axis=1)
            x = x + (gate / (1 + np.exp(-np.maximum(gate, -80))) * up) @ block.down.T
            yield x if number < len(self.blocks) else _norm(x, self.closing_norm, self.epsilon)

    def logprobs(self, closing: Array, read: Tree) -> NDArray[np.float64]:
        """[t] of each token after those on its way, given the last of `states`; 0 for those that begin a row."""
        found = np.zeros(len(read.tokens))
        behind = np.flatnonzero(read.parents >= 0)
        for at in range(0, len(behind), _ROWS):
            places = behind[at : at + _ROWS]
            logits = closing[read.parents[places]] @ self.unembedding.T
            most = logits.max(axis=1)
            total = np.exp(logits - most[:, None]).sum(axis=1, dtype=np.float64)
            chosen = logits[np.arange(len(places)), read.tokens[places]]
            found[places] = np.minimum(chosen - most - np.log(total), 0.0)
        return found

    def _turn(self, depths: Places) -> NDArray[np.complex64]:
        """[t, 1, head/2] as complex numbers of length 1"""
        angles = depths[:, None] * self.base ** (-np.arange(0, self.sizes.head, 2) / self.sizes.head)
        return np.asarray(np.exp(1j * angles), dtype=np.complex64)[:, None]

    def _attention(self, block: _Block, x: Array, turn: NDArray[np.complex64], hidden: Array) -> Array:
        heads, shared, head = self.sizes.heads, self.sizes.shared, self.sizes.head
        qkv = (x @ block.qkv.T).reshape(len(x), heads + 2 * shared, head)
        turned = (qkv[:, : heads + shared].copy().view(np.complex64) * turn).view(np.float32)
        q = turned[:, :heads].reshape(len(x), shared, heads // shared, head).transpose(1, 2, 0, 3)  # [s, h/s, t, head]
        keys = turned[:, heads:].transpose(1, 2, 0)[:, None]  # [s, 1, head, t]
        values = qkv[:, heads + shared :].transpose(1, 0, 2)[:, None]  # [s, 1, t, head]
        weights = q @ keys * np.float32(head**-0.5) + hidden  # [s, h/s, t, t]
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        found = (weights @ values).transpose(2, 0, 1, 3).reshape(len(x), heads * head)
        return np.asarray(found @ block.output.T)


def _norm(x: Array, weight: Array, epsilon: np.float32) -> Array:
    return np.asarray(weight * x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + epsilon))


def _sizes(file: GGUF) -> Sizes:
    """Checked: a file that says what cannot be, or what is not computed here, is refused."""
    architecture = file.fact("general.architecture", str)
    file.require(architecture == "llama", f"expected the architecture llama, got {architecture!r}")

    def size(name: str, *, least: int = 1) -> int:
        found = int(file.fact(f"llama.{name}", int))
        file.require(found >= least, f"the fact 'llama.{name}' must be at least {least}, got {found}")
        return found

    sizes = Sizes(
        vocabulary=len(file.fact("tokenizer.ggml.tokens", list)),
        blocks=size("block_count"),
        width=size("embedding_length"),
        feed=size("feed_forward_length"),
        heads=size("attention.head_count"),
        shared=size("attention.head_count_kv"),
        window=size("context_length", least=2),
    )
    parted = sizes.width % (2 * sizes.heads) == 0 and sizes.heads % sizes.shared == 0
    told = f"{sizes.width} numbers, {sizes.heads} heads and {sizes.shared} that share keys"
    file.require(parted, f"expected heads of an even width, as many to each that shares keys, got {told}")
    turned = file.facts.get("llama.rope.dimension_count", sizes.head)
    file.require(turned == sizes.head, f"expected positions that turn heads of {sizes.head} whole, got {turned}")
    scaling = file.facts.get("llama.rope.scaling.type", "none")
    file.require(scaling == "none", f"expected positions that are not scaled, got scaling {scaling!r}")
    return sizes


def _block(file: GGUF, name: str, sizes: Sizes) -> _Block:
    d, heads, shared = sizes.width, sizes.heads * sizes.head, sizes.shared * sizes.head

    def weight(of: str, *shape: int) -> Array:
        return file.tensor(f"{name}.{of}.weight", *shape)

    return _Block(
        weight("attn_norm", d),
        np.concatenate([weight("attn_q", heads, d), weight("attn_k", shared, d), weight("attn_v", shared, d)]),
        weight("attn_output", d, heads),
        weight("ffn_norm", d),
        np.concatenate([weight("ffn_gate", sizes.feed, d), weight("ffn_up", sizes.feed, d)]),
        weight("ffn_down", d, sizes.feed),
    )
