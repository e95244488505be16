"""Line-aligned text files: line n of every file belongs to the same segment.

The files are read side by side, so standard input can be one of them. A documents file has a document id on each line,
or `domain<TAB>document` as mt-metrics-eval writes it. With several reference files an empty line means that this
reference is missing (see `references`); what document ids mean is in `segments`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice, zip_longest
from pathlib import Path

from coheval.data.corpus import Record
from coheval.data.lines import FilePath, is_stdin, lines, shown
from coheval.data.references import present
from coheval.data.segments import Numbering
from coheval.errors import DataError, UsageError


def read_aligned(
    candidates: Mapping[str, FilePath],
    *,
    references: Sequence[FilePath] = (),
    source: FilePath | None = None,
    documents: FilePath | None = None,
) -> Iterator[Record]:
    """A record for each line of each system; `candidates` maps systems to files."""
    paths = [*candidates.values(), *references]
    paths += [path for path in (source, documents) if path is not None]
    _check(candidates, paths)
    numbering = Numbering()
    for number, row in enumerate(_side_by_side(paths), start=1):
        column = iter(row)
        texts = list(islice(column, len(candidates)))
        reference_texts = present(list(islice(column, len(references))))
        source_text = None if source is None else next(column)
        document, segment = None, None
        if documents is not None:
            document, segment = _place(numbering, next(column), where=f"{shown(documents)}:{number}")
        for (system, path), text in zip(candidates.items(), texts, strict=True):
            where = f"{shown(path)}:{number}"
            yield Record(system, text, reference_texts, source_text, document, segment, where)


def document_places(documents: FilePath) -> list[tuple[str, int]]:
    """The document and segment number of each line of a documents file."""
    numbering = Numbering()
    return [
        _place(numbering, line, where=f"{shown(documents)}:{number}")
        for number, line in enumerate(lines(documents), start=1)
    ]


def system_files(arguments: Iterable[str]) -> dict[str, str]:
    """System -> file for each `path` or `NAME=path`; a system is named after its file unless a name is given."""
    files: dict[str, str] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals or os.path.exists(argument):  # a file's own name may have an '=' in it
            name, path = system_name(argument), argument
        if not name or not path:
            raise UsageError(f"expected path or NAME=path, got {argument!r}", hint="for example baseline=out/base.txt")
        if name in files:
            raise DataError(
                f"two files give the system name {name!r}: {shown(files[name])} and {shown(path)}",
                hint=f"name one of them yourself with NAME=path: {name}2={path}",
            )
        files[name] = path
    return files


def system_name(path: FilePath) -> str:
    """A file's name without the endings `.txt` and `.gz`."""
    return "stdin" if is_stdin(path) else Path(path).name.removesuffix(".gz").removesuffix(".txt")


def _check(candidates: Mapping[str, FilePath], paths: Sequence[FilePath]) -> None:
    if not candidates:
        raise DataError("expected a candidates file for each system, got none", hint="name at least one file")
    if sum(is_stdin(path) for path in paths) > 1:
        raise DataError(
            "standard input ('-') is named more than once, expected at most once", hint="write the other text to a file"
        )
    structured = next((p for p in paths if str(p).removesuffix(".gz").endswith((".jsonl", ".csv", ".tsv"))), None)
    if structured is not None:
        raise UsageError(
            "expected plain text, a segment a line, got a file of records by its name",
            where=shown(structured),
            hint="give it without -c and -r: coheval score data.jsonl",
        )


def _side_by_side(paths: Sequence[FilePath]) -> Iterator[tuple[str, ...]]:
    with ExitStack() as stack:
        streams = [stack.enter_context(closing(lines(path))) for path in paths]
        for number, row in enumerate(zip_longest(*streams)):
            if None in row:
                rest = [_count_rest(line, stream) for line, stream in zip(row, streams, strict=True)]
                raise _unequal([(path, number + more) for path, more in zip(paths, rest, strict=True)])
            yield row


def _count_rest(line: str | None, stream: Iterator[str]) -> int:
    """Errors give whole counts, because people know their files by them; so read on."""
    return 0 if line is None else 1 + sum(1 for _ in stream)


def _unequal(counts: Sequence[tuple[FilePath, int]]) -> DataError:
    path, expected = counts[0]
    other, got = next((path, count) for path, count in counts if count != expected)
    return DataError(
        f"expected {expected:,} lines as in {shown(path)}, got {got:,}",
        where=shown(other),
        hint="files must match line by line; a lost empty line or a line break inside a text are the usual causes",
    )


def _place(numbering: Numbering, line: str, *, where: str) -> tuple[str, int]:
    domain, tab, document = line.rpartition("\t")
    if "\t" in domain:
        raise DataError(
            f"expected a document id or domain<TAB>document, got {line.count(tab)} tabs",
            where=where,
            hint="use one tab",
        )
    return numbering.place(document, domain=domain, where=where)
