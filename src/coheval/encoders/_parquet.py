"""The texts of a Parquet file that is one column of distinct texts, without pyarrow's weight.

A column is a row of pages, each a header (Thrift's compact form) and a body (Snappy). The first page may be a
dictionary; the data pages after it refer to it until it is full, and the rest spell their texts out. Since no text
comes twice, the pages that refer to the dictionary say no more than the dictionary does: every entry, once, in order.
"""

from __future__ import annotations

from itertools import count
from typing import Any

_MAGIC = b"PAR1"
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN = 0  # the encoding that spells texts out
_TYPE, _SIZE, _DATA_HEADER = 1, 3, 5  # fields of a page's header: its body's size in the file, its kind's own header
_ENCODING = 2  # a field of a data page's own header
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _BINARY, _STRUCT = 1, 2, 3, 4, 5, 6, 8, 12  # Thrift's types


def distinct_texts(file: bytes, total: int) -> list[str]:
    """The column's texts; ValueError or IndexError where the file is not of this kind."""
    if not file.startswith(_MAGIC):
        raise ValueError("this is not a Parquet file")
    texts: list[str] = []
    at = len(_MAGIC)
    while len(texts) < total:
        header, at = _struct(file, at)
        body = file[at : at + header[_SIZE]]
        at += header[_SIZE]
        if header[_TYPE] == _DICTIONARY_PAGE:
            texts += _spelled_out(_snappy(body), 0)
        elif header[_TYPE] != _DATA_PAGE:
            raise ValueError(f"pages of type {header[_TYPE]} are not known here")
        elif header[_DATA_HEADER][_ENCODING] == _PLAIN:
            page = _snappy(body)
            levels = int.from_bytes(page[:4], "little")  # bytes that say which texts are missing: none is
            texts += _spelled_out(page, 4 + levels)
    if len(texts) != total:
        raise ValueError(f"expected {total} texts, got {len(texts)}")
    return texts


def _spelled_out(page: bytes, at: int) -> list[str]:
    texts = []
    while at < len(page):
        start = at + 4
        at = start + int.from_bytes(page[at:start], "little")
        texts.append(page[start:at].decode("utf-8"))
    return texts


def _snappy(data: bytes) -> bytes:
    """Snappy's raw format: the length, then literals and copies of what came before."""
    length, at = _varint(data, 0)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        kind, high = tag & 3, tag >> 2
        at += 1
        if kind == 0:
            width = max(0, high - 59)  # of the length, if it does not fit into the tag
            size = (int.from_bytes(data[at : at + width], "little") if width else high) + 1
            at += width
            out += data[at : at + size]
            at += size
            continue
        width = (0, 1, 2, 4)[kind]
        back = int.from_bytes(data[at : at + width], "little")
        at += width
        size = high + 1
        if kind == 1:
            back, size = back | (high >> 3) << 8, (high & 7) + 4
        start = len(out) - back
        piece = out[start : start + size]
        out += (piece * (size // len(piece) + 1))[:size]  # a copy may reach into itself: then it repeats
    if len(out) != length:
        raise ValueError(f"a page has {len(out)} bytes, expected {length}")
    return bytes(out)


def _struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    """A Thrift struct as field number -> value."""
    fields: dict[int, Any] = {}
    number = 0
    while head := data[at]:  # a zero ends the struct
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _zigzag(data, at)
        fields[number], at = _value(data, at, head & 15)
    return fields, at + 1


def _value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (_TRUE, _FALSE):
        return kind == _TRUE, at
    if kind == _BYTE:
        return data[at], at + 1
    if kind in (_I16, _I32, _I64):
        return _zigzag(data, at)
    if kind == _BINARY:
        size, at = _varint(data, at)
        return data[at : at + size], at + size
    if kind == _STRUCT:
        return _struct(data, at)
    raise ValueError(f"a header has a value of type {kind}, not known here")


def _zigzag(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return value >> 1 ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in count(0, 7):
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            break
    return value, at
