"""The small Parquet reader: pages written here byte by byte, broken ones, and pyarrow where it is installed."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.encoders._parquet import _snappy, distinct_texts


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def literal(data: bytes) -> bytes:
    """Snappy without any compression: pieces of at most 60 bytes."""
    pieces = [data[i : i + 60] for i in range(0, len(data), 60)]
    return varint(len(data)) + b"".join(bytes([(len(p) - 1) << 2]) + p for p in pieces)


def test_snappy_copies_may_reach_into_themselves() -> None:
    """ "ab", then six more bytes from two back: a repetition."""
    assert _snappy(bytes([8, 1 << 2]) + b"ab" + bytes([2 << 2 | 1, 2])) == b"abababab"


def test_snappy_copies_with_wide_offsets() -> None:
    body = bytes([6, 2 << 2]) + b"xyz"
    assert _snappy(body + bytes([2 << 2 | 2, 3, 0])) == b"xyzxyz"
    assert _snappy(body + bytes([2 << 2 | 3, 3, 0, 0, 0])) == b"xyzxyz"


def test_snappy_long_literal() -> None:
    data = bytes(range(200))
    assert _snappy(varint(200) + bytes([60 << 2, 199]) + data) == data


@given(st.binary(max_size=300))
def test_snappy_literals(data: bytes) -> None:
    assert _snappy(literal(data)) == data


def test_snappy_of_the_wrong_length() -> None:
    with pytest.raises(ValueError, match="expected 9"):
        _snappy(varint(9) + literal(b"abc")[1:])


@pytest.mark.parametrize("content", [b"", b"PAR0", b"PAR1", b"PAR1\x19\x00"])
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        distinct_texts(content, 1)


@pytest.mark.parametrize("limit", [50, 1_000_000])
def test_files_that_pyarrow_writes(limit: int) -> None:
    """With a dictionary that is full after a while, and one that holds everything."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    words = [f"wörd-{i * i}" for i in range(20_000)]
    file = io.BytesIO()
    parquet.write_table(
        pyarrow.table({"word": words}), file, compression="snappy", dictionary_pagesize_limit=limit, data_page_size=4096
    )
    assert distinct_texts(file.getvalue(), len(words)) == words
