"""People's scores as mt-metrics-eval keeps them, beside the texts that `mtmetrics` reads:

    human-scores/<pair>.<aspect>.sys.score     system score, a line a system
    human-scores/<pair>.<aspect>.doc.score     the n-th line of a system is the n-th document
    human-scores/<pair>.<aspect>.seg.score     the n-th line of a system is the n-th line of the test set
    documents/<pair>.docs                      the document of each line; `segments` numbers them

A score `None` is missing: nobody judged that text. Higher is better, penalties are negative there. Scores of whole
domains (`.domain.score`) are not read, since a domain is not a text.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from coheval.data.aligned import document_places
from coheval.data.judgedrows import Found, Place
from coheval.data.lines import FilePath, lines, near_names, shown
from coheval.errors import DataError, did_you_mean

FOLDER = "human-scores"
LEVELS = {"sys": "system", "doc": "document", "seg": "line of the test set"}  # and what a line of it is of
Places = list[tuple[str | None, int | None]]  # what the lines of one system are of


def read_score_tree(root: Path, *, pair: str | None = None) -> Found:
    """All judgements of one language pair in the folder of a test set."""
    files = [path for path in sorted((root / FOLDER).glob("*.score*")) if _parts(path)[2] != "domain"]
    pair = _pair(root, [_parts(path)[0] for path in files], pair)
    found = Found()
    for path in files:
        if _parts(path)[0] == pair:
            _take_file(found, path, None)
    return found


def read_score_file(path: FilePath, *, documents: FilePath | None = None) -> Found:
    """One score file; `documents` is where the documents of its lines are if not in the tree around it."""
    found = Found()
    _take_file(found, Path(path), documents)
    return found


def _take_file(found: Found, path: Path, documents: FilePath | None) -> None:
    _, aspect, level = _parts(path)
    places = _places(path, documents)
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines(path), start=1):
        where = f"{shown(path)}:{number}"
        system, value = _score(line, where=where)
        if seen[system] == len(places):
            raise DataError(
                f"system {system!r} has more than {len(places):,} scores, expected one for each {LEVELS[level]}",
                where=where,
                hint="is the documents file that of this test set?",
            )
        document, segment = places[seen[system]]
        seen[system] += 1
        found.rate(Place(system, document, segment, aspect, None, None, where), aspect, value)
    for system, count in seen.items():
        if count != len(places):
            raise DataError(
                f"system {system!r} has {count:,} scores, expected {len(places):,}, one for each {LEVELS[level]}",
                where=shown(path),
                hint="a score that does not exist is written None; is the file whole?",
            )


def _parts(path: Path) -> tuple[str, str, str]:
    """Language pair, aspect and level of a file's name."""
    name = path.name.removesuffix(".gz").removesuffix(".score")
    pair, _, rest = name.partition(".")
    aspect, _, level = rest.rpartition(".")
    return pair, aspect, level


def _places(path: Path, documents: FilePath | None) -> Places:
    pair, aspect, level = _parts(path)
    if not aspect or level not in LEVELS:
        raise DataError(
            f"expected a name such as en-de.mqm.seg.score, got {path.name!r}",
            where=shown(path),
            hint=f"the name says language pair, aspect and level ({', '.join(LEVELS)})",
        )
    if level == "sys":
        return [(None, None)]
    file = path.parent.parent / "documents" / f"{pair}.docs" if documents is None else Path(documents)
    if not file.is_file():
        raise DataError(
            f"expected the documents of its lines in {file}, which is not there",
            where=shown(path),
            hint="keep the file in the folder of its test set, or name a documents file",
        )
    places = document_places(file)
    if level == "seg":
        return list(places)
    return [(document, None) for document in dict.fromkeys(document for document, _ in places)]


def _score(line: str, *, where: str) -> tuple[str, float | None]:
    """`system score`, with any blanks between them."""
    parts = line.split()
    if len(parts) == 2 and parts[1] == "None":
        return parts[0], None
    try:
        system, value = parts
        return system, float(value)
    except ValueError:
        raise DataError(
            f"expected a system and a score, got {line[:60]!r}", where=where, hint="for example online-A<TAB>0.5"
        ) from None


def _pair(root: Path, found: Sequence[str], pair: str | None) -> str:
    pairs = sorted(set(found))
    if not pairs:
        raise DataError(
            f"expected files such as en-de.mqm.seg.score in {FOLDER}, found none",
            where=os.fspath(root),
            hint=near_names(root / FOLDER),
        )
    if pair is None and len(pairs) == 1:
        return pairs[0]
    if pair is None:
        raise DataError(
            f"expected one language pair, found {', '.join(pairs)}", where=os.fspath(root), hint="name the pair"
        )
    if pair not in pairs:
        raise DataError(f"there is no language pair {pair!r}", where=os.fspath(root), hint=did_you_mean(pair, pairs))
    return pair
