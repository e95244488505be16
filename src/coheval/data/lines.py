"""Lines of a file: UTF-8, plain or gzip (by the ending `.gz`), or standard input (`-`).

Only a line feed ends a line, with or without a carriage return before it. Whatever else Unicode or Python count as a
line end (a lone carriage return, form feed, U+0085, U+2028, …) stays inside the line: it is a part of the user's text,
and a split there would shift every line after it against the other files. A byte order mark is dropped, a last line
without a line feed counts, and nothing else is changed.
"""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from pathlib import Path

from coheval.errors import DataError

FilePath = str | os.PathLike[str]

STDIN = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def lines(path: FilePath) -> Generator[str, None, None]:
    """The lines without their ends; a file without any is refused."""
    for line in lines_with_ends(path):
        if line.endswith("\r\n"):
            yield line[:-2]
        else:
            yield line.removesuffix("\n")


def lines_with_ends(path: FilePath) -> Generator[str, None, None]:
    name, number, offset = shown(path), 0, 0
    try:
        with _opened(path) as stream:
            for raw in stream:
                text_start = len(BYTE_ORDER_MARK) if number == 0 and raw.startswith(BYTE_ORDER_MARK) else 0
                if text_start == len(raw):
                    break  # nothing but a byte order mark is an empty file
                number += 1
                yield _decoded(raw[text_start:], where=f"{name}:{number}", offset=offset + text_start)
                offset += len(raw)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"expected a whole gzip file, got a broken one ({error})",
            where=name,
            hint="fetch or write the file again; `gzip -t` checks it",
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    if not number:
        raise DataError("the file has no lines", where=name, hint="check the program that wrote it, or the pipe")


def shown(path: FilePath) -> str:
    """A file's name as errors give it."""
    return "standard input" if is_stdin(path) else os.fspath(path)


def is_stdin(path: FilePath) -> bool:
    return os.fspath(path) == STDIN


def _opened(path: FilePath) -> AbstractContextManager[Iterable[bytes]]:
    if is_stdin(path):
        if sys.stdin is None:
            raise DataError("standard input is closed", where=STDIN, hint="pipe the text in, or name a file")
        return nullcontext(sys.stdin.buffer)  # not ours to close
    if os.fspath(path).lower().endswith(".gz"):
        return gzip.open(path, "rb")
    return open(path, "rb")


def _decoded(raw: bytes, *, where: str, offset: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"expected UTF-8, got the byte 0x{raw[error.start]:02x} at offset {offset + error.start} of the file",
            where=where,
            hint=_encoding_hint(raw) if offset == 0 else _encoding_hint(b""),
        ) from None


def _encoding_hint(start: bytes) -> str:
    if start.startswith(b"\x1f\x8b"):
        return "this is gzip: let the file's name end in .gz, or pipe it through `gunzip -c`"
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16: `iconv -f UTF-16 -t UTF-8` converts it"
    return "if the file has another encoding, convert it: `iconv -f LATIN1 -t UTF-8`, for example"


def _unreadable(path: FilePath, error: OSError) -> DataError:
    match error:
        case FileNotFoundError():
            return DataError("there is no such file", where=shown(path), hint=near_names(Path(path)))
        case IsADirectoryError():
            return DataError("expected a file, got a folder", where=shown(path), hint="name a file inside it")
        case PermissionError():
            return DataError("no permission to read the file", where=shown(path), hint="`ls -l` shows who may read it")
    return DataError(f"the file cannot be read ({error.strerror or error})", where=shown(path), hint="try a copy of it")


def near_names(path: Path) -> str:
    """A hint for a path that does not exist: the most similar name beside it."""
    try:
        beside = [p.name for p in path.parent.iterdir()]
    except OSError:
        return f"the folder {str(path.parent)!r} does not exist or cannot be read"
    near = get_close_matches(path.name, beside, n=1)
    if near:
        return f"did you mean {str(path.with_name(near[0]))!r}?"
    return f"the folder {str(path.parent)!r} holds no similar name; a relative path starts at {os.getcwd()!r}"
