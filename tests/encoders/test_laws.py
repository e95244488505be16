"""Laws that every encoder obeys, on the real default and on tiny models of the other kinds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from coheval.algo.windows import windows
from coheval.encoders import Encoded, Encoder
from coheval.errors import DataError, SpecError
from coheval.spec import build

pytestmark = pytest.mark.xdist_group("encoders")  # one process loads torch

KINDS = ("minilm", "onnx", "bert", "roberta", "t5", "static")
WINDOWED = ("bert", "roberta")  # kinds with a window so small that a test can fill it
SENTENCE = "The cat sat on a mat , while two dogs ran after it ."
STRANGE = {
    "empty": "",
    "blank": " \t\n ",
    "word": "dog",
    "punctuation": "?!... --- ,,",
    "control": "a\x00b\x07c\x1b[31m d\x85e\u2028f",
    "scripts": "Привет мир 你好世界 مرحبا नमस्ते 👩‍👩‍👧 é e\u0301",
}


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def encoder(kind: str, request: pytest.FixtureRequest) -> Encoder:
    return build(Encoder, spec_of(kind, request))


def spec_of(kind: str, request: pytest.FixtureRequest, options: str = "") -> str:
    if kind == "minilm":
        return f"minilm({options.lstrip(', ')})"
    if kind == "onnx":
        return f"onnx(path={str(request.getfixturevalue('minilm_onnx'))!r}{options})"
    if kind == "static":
        return f"static(file={str(request.getfixturevalue('word_vectors'))!r})"
    return f"hf(model={str(request.getfixturevalue('tiny_' + kind))!r}{options})"


def same(left: Encoded, right: Encoded) -> bool:
    return (
        left.pieces == right.pieces
        and (left.offsets == right.offsets).all()
        and left.vectors.keys() == right.vectors.keys()
        and all(np.allclose(left.vectors[k], right.vectors[k], rtol=1e-5, atol=1e-5) for k in left.vectors)
    )


def test_signature_round_trip(encoder: Encoder) -> None:
    again = build(Encoder, encoder.signature)
    assert again == encoder
    assert again.signature == encoder.signature
    assert encoder.digest()


def test_shapes_agree(encoder: Encoder) -> None:
    for encoded in encoder.encode([SENTENCE, *STRANGE.values()]):
        (vectors,) = encoded.vectors.values()
        assert vectors.dtype == np.float32
        assert np.isfinite(vectors).all()
        assert len(encoded) == len(vectors) == len(encoded.offsets) == len(encoded.special) == len(encoded.continues)
        assert not encoded.offsets[encoded.special].any()


def test_company_does_not_matter(encoder: Encoder) -> None:
    """1, 7 or 64 texts in a call, in any order: the same vectors."""
    words = SENTENCE.split()
    texts = [" ".join(words[i % 5 :] * (1 + i % 3)) for i in range(60)] + list(STRANGE.values())[:4]
    together = encoder.encode(texts)
    for size in (1, 7):
        parts = [e for i in range(0, 14, size) for e in encoder.encode(texts[i : i + size])]
        assert all(same(a, b) for a, b in zip(parts, together, strict=False))
    order = random.Random(0).sample(range(len(texts)), len(texts))
    shuffled = encoder.encode([texts[i] for i in order])
    assert all(same(e, together[i]) for i, e in zip(order, shuffled, strict=True))


def test_no_texts_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]) == []
    assert encoder.tokenize([]) == []


def test_pieces_without_vectors_are_the_same(encoder: Encoder) -> None:
    texts = [SENTENCE, *STRANGE.values()]
    assert encoder.tokenize(texts) == [e.pieces for e in encoder.encode(texts)]


@pytest.mark.parametrize("name", ["empty", "blank"])
def test_empty_text_has_specials_only(encoder: Encoder, name: str) -> None:
    (encoded,) = encoder.encode([STRANGE[name]])
    said = [p for p, s in zip(encoded.pieces, encoded.special, strict=True) if not s]
    assert all(not piece.strip("ĠĉĊ") for piece in said)  # byte-level pieces spell blanks out


def test_offsets_point_at_the_words(encoder: Encoder) -> None:
    (encoded,) = encoder.encode([SENTENCE])
    for piece, (start, stop), special in zip(encoded.pieces, encoded.offsets, encoded.special, strict=True):
        if not special:
            assert SENTENCE[start:stop].lower().strip() == piece.removeprefix("##").lstrip("Ġ").lower()


def test_layers_are_numbered_to_the_depth(encoder: Encoder) -> None:
    layers = list(range(1, encoder.depth + 1))
    (encoded,) = encoder.encode([SENTENCE], layers=layers)
    assert sorted(encoded.vectors) == layers
    (last,) = encoder.encode([SENTENCE])
    assert list(last.vectors) == [encoder.depth]
    assert np.allclose(last.vectors[encoder.depth], encoded.vectors[encoder.depth], atol=1e-5)
    for layer in (-1, encoder.depth + 1):
        with pytest.raises(SpecError, match="layer"):
            encoder.encode([SENTENCE], layers=[layer])


# Beyond the window: the tiny models read 24 tokens, two of them specials, and have a piece for each of these words.
LONG = " ".join(["the cat sat on a mat"] * 10)
ROOM = 22
AT_THE_LIMIT = " ".join(LONG.split()[:ROOM])


@pytest.fixture
def overflowing(request: pytest.FixtureRequest):
    return lambda kind, overflow: build(Encoder, spec_of(kind, request, f", overflow={overflow!r}"))


@pytest.mark.parametrize("kind", WINDOWED)
def test_windowed_text_is_whole_and_marked(kind: str, overflowing) -> None:
    encoder = overflowing(kind, "window")
    plain, windowed = encoder.encode([AT_THE_LIMIT, LONG])
    assert (plain.overflow, windowed.overflow) == ("", "windowed")
    assert (len(plain), len(windowed)) == (ROOM + 2, 60 + 2)
    assert encoder.tokenize([LONG]) == [windowed.pieces]
    assert windowed.vectors[encoder.depth].shape == (62, 16)
    assert (np.diff(windowed.offsets[1:-1, 0]) > 0).all()


@pytest.mark.parametrize("kind", WINDOWED)
def test_windowed_tokens_come_from_their_windows(kind: str, overflowing) -> None:
    encoder = overflowing(kind, "window")
    words = LONG.split(" ")
    (windowed,) = encoder.encode([LONG])
    starts = [int(a) for a in windowed.offsets[1:-1, 0]]
    for window in windows(len(words), ROOM):
        stop = starts[window.stop] - 1 if window.stop < len(words) else None
        (alone,) = encoder.encode([LONG[starts[window.start] - (kind == "roberta" and window.start > 0) : stop]])
        spoken = alone.vectors[encoder.depth][1 + window.first - window.start : 1 + window.last - window.start]
        found = windowed.vectors[encoder.depth][1 + window.first : 1 + window.last]
        assert np.allclose(found, spoken, atol=1e-5)


@pytest.mark.parametrize("kind", WINDOWED)
def test_cut_text_is_marked(kind: str, overflowing) -> None:
    encoder = overflowing(kind, "truncate")
    cut, short, plain = encoder.encode([LONG, "the cat", AT_THE_LIMIT])
    assert (cut.overflow, short.overflow, plain.overflow) == ("cut", "", "")
    assert encoder.tokenize([LONG]) == [cut.pieces]
    assert same(cut, plain)


@pytest.mark.parametrize("kind", WINDOWED)
def test_long_text_can_be_refused(kind: str, overflowing) -> None:
    encoder = overflowing(kind, "error")
    assert encoder.encode([AT_THE_LIMIT])[0].overflow == ""
    with pytest.raises(DataError, match=r"60 pieces.*at most 22"):
        encoder.encode(["the cat", LONG])
