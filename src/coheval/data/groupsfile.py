"""A file of groups that a task made: JSONL, a header and then a group a line, as `data.contrastive.plain` reads it.

    {"format": "coheval groups", "version": 1, "coheval": "…", "task": "order(…)", "seed": 0, "count": "pairs",
     "files": {"…": "sha256"}, "groups": 2, "negatives": 40, "left_out": {"…": 1}, "facts": []}
    {"id": "1", "phenomenon": "order", "right": ["One.", "Two.", "Three."], "wrong": [[2, 0, 1], [1, 0, 2]]}

The header says what the groups were made of, and how many there are, so that half a file is not taken for a whole one.
A number among the segments of a wrong variant stands for that segment of the right one, counted from 0: orders of
sentences need a tenth of the space.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from coheval.data.fields import shown_value
from coheval.data.filenames import with_short_names
from coheval.data.groups import Count, Group, Instances, Variant
from coheval.data.whole import writing_whole
from coheval.errors import DataError, UsageError
from coheval.version import __version__

FORMAT = "coheval groups"
VERSION = 1


def is_header(values: Mapping[str, object]) -> bool:
    return values.get("format") == FORMAT


def count_of(values: Mapping[str, object]) -> Count:
    """How the groups under a header are judged."""
    return "pairs" if values.get("count") == "pairs" else "groups"


def check_header(values: Mapping[str, object], *, groups: int, negatives: int, where: str) -> None:
    """Refuse a format that is not known here, and a file that has not all that its header tells."""
    if values.get("version") != VERSION:
        raise DataError(
            f"expected version {VERSION} of the format, got {shown_value(values.get('version'))}",
            where=where,
            hint="make the groups again with this coheval, or read them with the one that the header names",
        )
    for name, found in (("groups", groups), ("negatives", negatives)):
        if values.get(name) != found:
            raise DataError(
                f"expected {shown_value(values.get(name))} {name}, as the header says, got {found}",
                where=where,
                hint="the file is not whole: make the groups again",
            )


def write_groups(path: Path, made: Instances, *, task: str, seed: int) -> None:
    """Whole or not at all; compressed if its name ends in .gz."""
    with writing_whole(path, what="the groups") as file:
        if path.suffix == ".gz":  # without name and time, so that the same groups are the same bytes
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                packed.writelines(_lines(made, task, seed))
        else:
            file.writelines(_lines(made, task, seed))


def _lines(made: Instances, task: str, seed: int) -> Iterator[bytes]:
    header = {
        "format": FORMAT,
        "version": VERSION,
        "coheval": __version__,
        "task": task,
        "seed": seed,
        "count": made.count,
        "files": with_short_names(made.files),
        "groups": len(made.groups),
        "negatives": sum(len(group.wrong) for group in made.groups),
        "left_out": Counter(one.reason for one in made.left_out),
        "facts": made.facts,
    }
    for values in (header, *map(_values, made.groups)):
        yield json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _values(group: Group) -> dict[str, object]:
    if group.sources or group.references:
        raise UsageError(
            f"group {group.id!r} has sources or references, which groups that are made of one text do not have",
            where=group.where or None,
            hint="use the files of the set as they are",
        )
    right, *wrong = (tuple(variant[n] for n in group.scored(variant)) for variant in group.variants)
    values: dict[str, object] = {"id": group.id, "phenomenon": group.phenomenon}
    values |= {"label": group.label} if group.label else {}
    values |= {"origin": group.origin} if group.origin else {}
    values |= {"context": group.right[: group.before]} if group.before else {}
    if all(len(variant) == 1 for variant in (right, *wrong)):
        values |= {"right": right[0], "wrong": [variant[0] for variant in wrong]}
    else:
        values |= {"right": right, "wrong": [_numbered(variant, right) for variant in wrong]}
    return values | ({"after": group.right[len(group.right) - group.after :]} if group.after else {})


def _numbered(variant: Variant, right: Variant) -> list[str | int]:
    place = {text: n for n, text in enumerate(right)}
    return [place.get(text, text) for text in variant]
