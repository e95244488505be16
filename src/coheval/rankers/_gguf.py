"""GGUF, the file format of llama.cpp: named facts, and tensors that may be kept in few bits.

    "GGUF", version, number of tensors, number of facts, facts, where each tensor is, the tensors

Blocks of 32 numbers share a scale d, and in Q4_1 a least value m: Q8_0 is d·q of bytes q, Q4_0 d·(q − 8) and Q4_1
d·q + m of half bytes, the low halves first. All become single precision. Nothing in such a file is executed.
"""

from __future__ import annotations

import math
import mmap
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.errors import ResourceError

Array = NDArray[np.float32]

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9
_MOST_AXES = 4
_HINT = "download the file again"


@dataclass(frozen=True, slots=True)
class _Stored:
    shape: tuple[int, ...]
    kind: int
    offset: int  # behind the beginning of all tensors


@dataclass(frozen=True, slots=True, eq=False)
class GGUF:
    path: Path
    facts: dict[str, Any]
    _content: memoryview
    _tensors: dict[str, _Stored]
    _data: int  # where the tensors begin
    _read: set[str] = field(default_factory=set)  # names of tensors that were asked for

    @classmethod
    def read(cls, path: Path) -> GGUF:
        """Facts, and where the tensors are; a file that is no GGUF or only half of one is refused."""
        try:
            with path.open("rb") as file:
                content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:  # a file without a byte cannot be mapped
            raise ResourceError(f"the model cannot be read: {error}", where=str(path), hint="check the path") from None
        try:
            return _read(path, content)
        except (struct.error, UnicodeDecodeError, OverflowError):
            raise _half(path) from None

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def fact(self, name: str, kind: type) -> Any:
        value = self.facts.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ResourceError(
                f"the fact {name!r} must be of type {kind.__name__}, got {type(value).__name__}",
                where=str(self.path),
                hint="it must be a causal language model with its vocabulary",
            )
        return value

    def positive(self, name: str) -> float:
        value = float(self.fact(name, float))
        self.require(0 < value < math.inf, f"the fact {name!r} must be a positive number, got {value}")
        return value

    def require(self, holds: bool, message: str) -> None:
        """Refuses a file of another kind than those that are read."""
        if not holds:
            raise ResourceError(message, where=str(self.path), hint="read other models with hf_lm(model=…)")

    def all_are_read(self) -> None:
        """Refuses a file that holds tensors nobody asked for: without them it would be another model."""
        left = sorted(self._tensors.keys() - self._read)
        self.require(not left, f"the tensors {', '.join(left[:3])} are not part of the architecture that is read here")

    def tensor(self, name: str, *shape: int) -> Array:
        """[*shape] in single precision."""
        self._read.add(name)
        stored = self._tensors.get(name)
        if stored is None or stored.shape != shape:
            got = "none" if stored is None else f"one of shape {stored.shape}"
            raise ResourceError(
                f"expected a tensor {name!r} of shape {shape}, got {got}",
                where=str(self.path),
                hint="it must be a model of the architecture llama",
            )
        if stored.kind not in _KINDS:
            raise ResourceError(
                f"the tensor {name!r} is kept as number {stored.kind} of GGUF's kinds, which is not read here",
                where=str(self.path),
                hint="take a file in Q8_0 or F16; others mix kinds",
            )
        block, size, unpacked = _KINDS[stored.kind]
        blocks, rest = divmod(math.prod(shape), block)
        start = self._data + stored.offset
        packed = self._content[start : start + blocks * size]
        if rest or len(packed) < blocks * size:
            raise _half(self.path)
        found = unpacked(np.frombuffer(packed, dtype=np.uint8).reshape(-1, size)).reshape(shape)
        if not np.isfinite(found).all():
            raise _half(self.path)
        return found


def _half(path: Path) -> ResourceError:
    return ResourceError("the file is damaged or ends too early", where=str(path), hint=_HINT)


def _read(path: Path, content: memoryview) -> GGUF:
    reader = _Reader(content)
    if bytes(content[:4]) != b"GGUF":
        raise ResourceError("expected a file that begins with GGUF", where=str(path), hint="give a .gguf file")
    reader.at = 4
    version = reader.number("I")
    if version not in (2, 3):
        raise ResourceError(f"expected GGUF of version 2 or 3, got {version}", where=str(path), hint=_HINT)
    tensors, facts = reader.number("Q"), reader.number("Q")
    found = {}
    for _ in range(facts):
        name = reader.text()
        found[name] = reader.value(reader.number("I"))
    places = {}
    for _ in range(tensors):
        name, axes = reader.text(), reader.number("I")
        if axes > _MOST_AXES:
            raise struct.error
        shape = tuple(reader.number("Q") for _ in range(axes))[::-1]  # the last axis stands first
        places[name] = _Stored(shape, reader.number("I"), reader.number("Q"))
    step = found.get("general.alignment", 32)
    if not isinstance(step, int) or step < 1:
        raise struct.error
    return GGUF(path, found, content, places, -(-reader.at // step) * step)


class _Reader:
    def __init__(self, content: memoryview) -> None:
        self.content = content
        self.at = 0

    def number(self, code: str) -> Any:
        (value,) = struct.unpack_from("<" + code, self.content, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def text(self) -> str:
        size = self.number("Q")
        if size > len(self.content) - self.at:
            raise struct.error
        self.at += size
        return str(self.content[self.at - size : self.at], "utf-8")

    def value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self.text()
        if kind != _LIST:
            return self.number(self._code(kind))
        of, count = self.number("I"), self.number("Q")
        if count > len(self.content) - self.at:  # each takes a byte or more
            raise struct.error
        if of == _TEXT:
            return [self.text() for _ in range(count)]
        return list(struct.unpack_from(f"<{count}{self._code(of)}", self.content, self._passed(count, of)))

    def _passed(self, count: int, kind: int) -> int:
        """Where so many numbers begin; goes on behind them."""
        start = self.at
        self.at += count * struct.calcsize("<" + self._code(kind))
        return start

    def _code(self, kind: int) -> str:
        if kind not in _SCALARS:
            raise struct.error
        return _SCALARS[kind]


# ------------------------------------------------------------------------------ blocks of 32 numbers as bytes [b, size]


def _f32(blocks: NDArray[np.uint8]) -> Array:
    return blocks.view("<f4").astype(np.float32)


def _f16(blocks: NDArray[np.uint8]) -> Array:
    return blocks.view("<f2").astype(np.float32)


def _q8_0(blocks: NDArray[np.uint8]) -> Array:
    return _half_float(blocks, 0) * blocks[:, 2:].view(np.int8)


def _q4_0(blocks: NDArray[np.uint8]) -> Array:
    return _half_float(blocks, 0) * (_nibbles(blocks[:, 2:]) - np.float32(8))


def _q4_1(blocks: NDArray[np.uint8]) -> Array:
    return _half_float(blocks, 0) * _nibbles(blocks[:, 4:]) + _half_float(blocks, 2)


def _half_float(blocks: NDArray[np.uint8], at: int) -> Array:
    """[b, 1]"""
    return np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2").astype(np.float32)


def _nibbles(halves: NDArray[np.uint8]) -> Array:
    """[b, 32]"""
    return np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32)


# by GGUF's numbers: how many numbers stand together, in how many bytes
_KINDS = {0: (1, 4, _f32), 1: (1, 2, _f16), 2: (32, 18, _q4_0), 3: (32, 20, _q4_1), 8: (32, 34, _q8_0)}
