"""A zip archive of plain text: each member that ends in .txt is a document, each of its lines a paragraph.

A member that is not UTF-8 is left out, and told. An archive is read in memory, so that its unpacked size is bounded.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator

from coheval.data.groups import LeftOut
from coheval.data.texts._source import Source, with_layers
from coheval.data.types import Document
from coheval.errors import DataError

_LARGEST = 512 * 1024 * 1024  # bytes of all members together


def fits(source: Source) -> bool:
    return source.path.is_file() and zipfile.is_zipfile(source.path)


def documents(source: Source) -> Iterator[Document | LeftOut]:
    left = _LARGEST
    try:
        with zipfile.ZipFile(source.path) as archive:
            members = [member for member in archive.infolist() if member.filename.lower().endswith(".txt")]
            if not members:
                raise DataError(
                    f"expected members that end in .txt, got none of {len(archive.infolist())}",
                    where=source.name,
                    hint="put plain text into the archive",
                )
            for member in members:
                with archive.open(member) as file:
                    raw = file.read(left + 1)  # the size that the archive states may be another than the true one
                left -= len(raw)
                if left < 0:
                    raise DataError(
                        f"expected at most {_LARGEST >> 20} MB of text, got more",
                        where=source.name,
                        hint="unpack the archive, and name some of its files",
                    )
                yield _document(source, member.filename, raw)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise DataError(
            f"expected a whole zip archive without a password, got another ({error})",
            where=source.name,
            hint="fetch the archive again; `unzip -t` checks it",
        ) from None


def _document(source: Source, member: str, raw: bytes) -> Document | LeftOut:
    where = f"{source.name}:{member}"
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return LeftOut(where, f"the text is not UTF-8: the byte 0x{raw[error.start]:02x}")
    paragraphs = [line.strip() for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    if not paragraphs:
        return LeftOut(where, "the text is empty")
    return with_layers(Document.of(f"{source.title}:{member}", paragraphs), unsplit=True)
