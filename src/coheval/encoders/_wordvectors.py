"""Files of word vectors: GloVe and word2vec text, word2vec binary, `.npy` with a vocabulary, JSON.

    word 0.1 0.2 …                       GloVe text, also .gz; word2vec text begins with a line `count dimension`
    count dimension, word <floats> …     word2vec binary, .bin
    array [words, d] and words           .npy and a vocabulary: .txt (one word a line) or .json (a list)
    {"word": [0.1, 0.2, …], …}           .json, also as {"vectors": {…}}

A file with a broken entry is refused, and the error says where it is.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coheval.data.lines import lines
from coheval.errors import DataError

Matrix = NDArray[np.float32]

_REPAIR = "repair or remove the entry, or fetch the file again"
_FLOAT_BYTES = 4
_BLOCK = 10_000  # lines of text parsed at once


@dataclass(frozen=True, eq=False, slots=True)
class WordVectors:
    rows: dict[str, int]
    matrix: Matrix  # [words, d]


def read(file: Path, vocabulary: Path | None) -> WordVectors:
    """The vectors of a file, read once a process as long as it does not change."""
    try:
        modified = tuple(p.stat().st_mtime_ns for p in (file, vocabulary) if p is not None)
        return _read(file, vocabulary, modified)
    except OSError as error:
        raise DataError(
            f"the file cannot be read: {error.strerror}", where=error.filename, hint="check the path"
        ) from None


@lru_cache(maxsize=4)
def _read(file: Path, vocabulary: Path | None, modified: tuple[int, ...]) -> WordVectors:
    if file.suffix == ".npy":
        return _read_npy(file, vocabulary)
    if vocabulary is not None:
        raise DataError("only an .npy file has a vocabulary beside it", where=str(file), hint="leave out vocabulary=…")
    if file.name.endswith((".npy.gz", ".json.gz", ".bin.gz")):
        raise DataError("only text may be compressed", where=str(file), hint=f"gunzip {file.name}")
    readers = {".json": _read_json, ".bin": _read_binary}
    return readers.get(file.suffix, _read_text)(file)


def indexed(words: Sequence[str], matrix: Matrix, place: Callable[[int], str]) -> WordVectors:
    """Words and their vectors, if every number is finite and no word comes twice; `place` says where a row stands."""
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise DataError(f"the vector of {words[row]!r} has a number that is not finite", where=place(row), hint=_REPAIR)
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        if rows.setdefault(word, row) != row:
            raise DataError(f"the word {word!r} was at {place(rows[word])} already", where=place(row), hint=_REPAIR)
    matrix.setflags(write=False)  # one table for all who ask
    return WordVectors(rows, matrix)


# ------------------------------------------------------------------------------------------------------------ text


def _read_text(path: Path) -> WordVectors:
    entries: Iterator[str] = lines(path)
    first = next(entries)
    header = _header(first)
    if header is None:
        entries = chain([first], entries)
    dimension = header[1] if header else first.rstrip(" ").count(" ")
    offset = 2 if header else 1  # from a row to its line
    words: list[str] = []
    numbers = bytearray()  # grows in place
    while block := list(islice(entries, _BLOCK)):
        some_words, vectors = _entries(block, dimension, path, len(words) + offset)
        words += some_words
        numbers += vectors.tobytes()
    _expect_count(header, len(words), path)
    matrix = np.frombuffer(numbers, dtype=np.float32).reshape(-1, dimension)
    return indexed(words, matrix, lambda row: f"{path}:{row + offset}")


def _entries(block: list[str], dimension: int, path: Path, first_line: int) -> tuple[list[str], Matrix]:
    """The words and vectors of some lines: all at once, or one by one where something is not as usual."""
    words, numbers = zip(*(line.partition(" ")[::2] for line in block), strict=True)
    if all(numbers):
        try:
            vectors = np.loadtxt(numbers, dtype=np.float32, comments=None, ndmin=2)
            if vectors.shape == (len(block), dimension):
                return list(words), vectors
        except ValueError:
            pass  # the careful way finds the line
    pairs = [_entry(line, dimension, f"{path}:{number}") for number, line in enumerate(block, first_line)]
    return [word for word, _ in pairs], _float32([vector for _, vector in pairs])


def _header(line: str) -> tuple[int, int] | None:
    """Count and dimension, if that is what a first line says."""
    fields = line.split()
    return (int(fields[0]), int(fields[1])) if len(fields) == 2 and all(f.isdecimal() for f in fields) else None


def _entry(line: str, dimension: int, where: str) -> tuple[str, list[float]]:
    """A line's word, which may have spaces inside (GloVe's 840B table has some), and its numbers."""
    word, *fields = line.rstrip(" ").rsplit(" ", dimension)
    try:
        vector = [float(field) for field in fields]
    except ValueError:
        vector = []
    if len(vector) != dimension or not dimension or _ends_with_number(word):
        raise DataError(f"expected a word and {dimension} numbers, got {line[:60]!r}", where=where, hint=_REPAIR)
    return word, vector


def _ends_with_number(word: str) -> bool:
    """Whether a word with a space inside is rather a word and one number too many."""
    try:
        return " " in word and float(word.rpartition(" ")[2]) is not None
    except ValueError:
        return False


def _expect_count(header: tuple[int, int] | None, count: int, path: Path) -> None:
    if header and header[0] != count:
        raise DataError(
            f"the header says {header[0]:,} words, got {count:,}", where=str(path), hint="is the file whole?"
        )


# ---------------------------------------------------------------------------------------------------------- binary


def _read_binary(path: Path) -> WordVectors:
    if not path.stat().st_size:
        raise DataError("the file is empty", where=str(path), hint="fetch it again")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        header = _header(data.readline()[:64].decode("ascii", errors="replace"))
        if header is None:
            raise DataError("expected a first line `count dimension`", where=str(path), hint="is it word2vec binary?")
        count, dimension = header
        size, at = dimension * _FLOAT_BYTES, data.tell()
        if count * (size + 1) > len(data) - at:
            raise _truncated(path, f"{count:,} words of {dimension} dimensions need more than its {len(data):,} bytes")
        words, starts = [], []
        matrix = np.empty((count, dimension), dtype=np.float32)
        for row in range(count):
            space = data.find(b" ", at)
            if space < 0 or space + 1 + size > len(data):
                raise _truncated(path, f"word {row + 1:,} of {count:,}, from byte {at:,} on, is not whole")
            words.append(_decoded(data[at:space].lstrip(b"\n"), f"{path}, byte {at:,}"))  # some writers end with \n
            starts.append(at)
            matrix[row] = np.frombuffer(data, dtype="<f4", count=dimension, offset=space + 1)
            at = space + 1 + size
        if data[at : at + 2].strip(b"\n"):
            raise DataError(f"bytes are left after {count:,} words", where=f"{path}, byte {at:,}", hint=_REPAIR)
    return indexed(words, matrix, lambda row: f"{path}, byte {starts[row]:,}")


def _truncated(path: Path, message: str) -> DataError:
    return DataError(message, where=str(path), hint="the file is not whole: fetch it again")


def _decoded(word: bytes, where: str) -> str:
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"the word {word[:40]!r} is not UTF-8", where=where, hint=_REPAIR) from None


# ---------------------------------------------------------------------------------------------------- npy and JSON


def _read_npy(path: Path, vocabulary: Path | None) -> WordVectors:
    if vocabulary is None:
        raise DataError("an .npy file has no words", where=str(path), hint="name them: vocabulary='words.txt'")
    words = _read_vocabulary(vocabulary)
    matrix = read_array(path)
    if len(matrix) != len(words):
        raise DataError(
            f"{len(matrix):,} vectors for {len(words):,} words of {vocabulary}", where=str(path), hint="a line a vector"
        )
    return indexed(words, matrix, lambda row: f"{path} with {vocabulary}, row {row + 1:,}")


def read_array(path: Path) -> Matrix:
    """The float32 rows of an .npy file; nothing in it is unpickled."""
    try:
        matrix = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise DataError(
            f"this is no array of numbers: {error}", where=str(path), hint="numpy.save writes one"
        ) from None
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.floating):
        raise DataError(
            f"expected floats of the shape [words, dimensions], got {matrix.dtype} {list(matrix.shape)}",
            where=str(path),
            hint="save the matrix alone: numpy.save(path, vectors)",
        )
    return _float32(matrix)


def _read_vocabulary(path: Path) -> list[str]:
    if path.suffix != ".json":
        return list(lines(path))
    words = _parsed(path)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise DataError("expected a JSON list of words", where=str(path), hint='["one", "two", …], a word a vector')
    return words


def _read_json(path: Path) -> WordVectors:
    content = _parsed(path)
    if isinstance(content, dict) and isinstance(content.get("vectors"), dict):
        content = content["vectors"]
    if not isinstance(content, dict) or not content:
        raise DataError('expected {"word": [numbers], …}', where=str(path), hint=_REPAIR)
    words, vectors = list(content), list(content.values())
    for word, vector in content.items():
        if not (_is_vector(vector) and len(vector) == len(vectors[0])):
            raise DataError(
                f"the vector of {word!r} is no list of numbers as long as the others", where=str(path), hint=_REPAIR
            )
    return indexed(words, _float32(vectors), lambda row: f"{path}, entry {row + 1:,}")


def _is_vector(value: object) -> TypeGuard[list[float]]:
    return isinstance(value, list) and bool(value) and all(type(number) is float for number in value)


def _parsed(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_int=float, object_pairs_hook=_without_repeats)
    except ValueError as error:  # not JSON, or not UTF-8
        raise DataError(f"this is not JSON: {error}", where=str(path), hint=_REPAIR) from None


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"the key {twice!r} comes twice")
    return found


def _float32(numbers: ArrayLike) -> Matrix:
    with np.errstate(over="ignore"):  # too large becomes infinite, which `indexed` reports with its place
        return np.ascontiguousarray(numbers, dtype=np.float32)
