"""Judgement files in, judgements out: `read_judgements` picks the reader by what a path looks like.

    .jsonl, -                      `ratings` (long, wide, SummEval) and `rankings` (pairs, ranks)
    .csv, .tsv                     the same as tables (`judgedtable`), WMT's rankings, MQM annotations (`mqm`)
    .score, or a folder            mt-metrics-eval (`scorefiles`)

Files may be compressed (.gz). Nothing is skipped: what cannot be understood is refused with its file and line, and
values that are not there are counted.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from coheval.data.aligned import document_places
from coheval.data.csvfile import delimiter, table
from coheval.data.jsonl import parse_object
from coheval.data.judgedrows import Found, Place, place_of
from coheval.data.judgedtable import objects, rows_of
from coheval.data.judgements import Judgements
from coheval.data.lines import FilePath, is_stdin, lines, near_names, shown
from coheval.data.mqm import ASPECT, is_mqm, read_mqm
from coheval.data.rankings import is_preference, is_wmt_ranking, take_preferences, take_wmt_rankings
from coheval.data.ratings import is_summeval, kind_of_raters, lists_of, take_ratings, take_summeval
from coheval.data.scorefiles import read_score_file, read_score_tree
from coheval.errors import DataError, UsageError, did_you_mean

Kind = Literal["tree", "scores", "jsonl", "table", "rankings", "mqm"]
OPTIONS: Mapping[str, tuple[tuple[Kind, ...], str]] = {  # for which kinds an option has a meaning, in words too
    "raters": (("jsonl",), "a JSONL file with several kinds of raters"),
    "pair": (("tree", "rankings"), "the folder of a test set, or a table of rankings"),
    "documents": (("scores", "rankings"), "a score file or a table of rankings"),
    "weights": (("mqm",), "a table of MQM annotations"),
}


def read_judgements(
    path: FilePath,
    *,
    aspects: Sequence[str] | None = None,
    lower_is_better: Iterable[str] = (),
    raters: str | None = None,
    pair: str | None = None,
    documents: FilePath | None = None,
    weights: Mapping[str, float] | None = None,
) -> Judgements:
    """The judgements in a file, or in the folder of a test set as mt-metrics-eval lays it out.

    `aspects` are those to keep, and may name the fields or columns that hold ratings; `lower_is_better` are those on a
    scale that runs the other way. `raters` is the kind that counts in SummEval's files, expert or turker. `pair` is the
    language pair in a folder or a table of rankings. `documents` is the documents file of a table of rankings, or of a
    score file without its tree. `weights` are those of MQM errors (`mqm.WEIGHTS`).
    """
    kind = _kind(path)
    given = {"raters": raters, "pair": pair, "documents": documents, "weights": weights}
    for name, value in given.items():
        kinds, meaning = OPTIONS[name]
        if value is not None and kind not in kinds:
            raise UsageError(f"{name!r} has a meaning for {meaning} only", where=shown(path), hint="leave it out")
    lower = frozenset(lower_is_better)
    match kind:
        case "tree":
            found = read_score_tree(Path(path), pair=pair)
        case "scores":
            found = read_score_file(path, documents=documents)
        case "mqm":
            found = read_mqm(path, weights=weights)
            lower |= {ASPECT}
        case "rankings":
            places = None if documents is None else document_places(documents)
            found = take_wmt_rankings(rows_of(*table(path)), places, pair=pair, where=shown(path))
        case "table":
            found = _read_objects(objects(rows_of(*table(path)), aspects, lower), path, aspects, lower, None)
        case "jsonl":
            found = _read_objects(_jsonl(path), path, aspects, lower, raters)
    return _judgements(found, aspects, lower, where=shown(path))


def _kind(path: FilePath) -> Kind:
    if is_stdin(path):
        return "jsonl"
    if os.path.isdir(path):
        return "tree"
    name = os.fspath(path).lower().removesuffix(".gz")
    if name.endswith(".jsonl"):
        return "jsonl"
    if name.endswith(".score"):
        return "scores"
    if name.endswith((".csv", ".tsv")):
        return _kind_of_table(path)
    if not os.path.exists(path):
        raise DataError("there is no such file or folder", where=os.fspath(path), hint=near_names(Path(path)))
    raise DataError(
        "expected a file that ends in .jsonl, .csv, .tsv or .score (or these with .gz), or a folder",
        where=os.fspath(path),
        hint="rename it after what it holds",
    )


def _kind_of_table(path: FilePath) -> Kind:
    header = next(lines(path))
    names = [name.strip('"') for name in header.split(delimiter(path, header))]
    if is_mqm(names):
        return "mqm"
    return "rankings" if is_wmt_ranking(names) else "table"


def _jsonl(path: FilePath) -> Iterable[tuple[str, dict[str, object]]]:
    for number, line in enumerate(lines(path), start=1):
        if line.strip():
            where = f"{shown(path)}:{number}"
            yield where, parse_object(line, where=where)


def _read_objects(
    rows: Iterable[tuple[str, dict[str, object]]],
    path: FilePath,
    aspects: Sequence[str] | None,
    lower: Collection[str],
    raters: str | None,
) -> Found:
    found = Found()
    lists: list[tuple[Place, dict[str, object]]] = []  # kept until it is known which kinds of raters there are
    for where, values in rows:
        place = place_of(values, where=where)
        if is_preference(values):
            take_preferences(found, place, values)
        elif is_summeval(values):
            lists.append((place, lists_of(values)))
        else:
            take_ratings(found, place, values, aspects=aspects, also=lower)
    kind = kind_of_raters([values for _, values in lists], raters, where=shown(path))
    for place, values in lists:
        take_summeval(found, place, values, kind=kind)
    return found


def _judgements(found: Found, aspects: Sequence[str] | None, lower: frozenset[str], *, where: str) -> Judgements:
    everything = Judgements(found.ratings, found.preferences, groups=found.groups)
    known = everything.aspects()
    if not known:
        raise DataError(
            f"expected judgements, got none; {found.missing.total():,} values are missing",
            where=where,
            hint="is the file whole?",
        )
    _check_known(aspects or (), known, where=where)
    _check_known(sorted(lower), [*known, *found.missing], where=where)  # a scale may be told that is not asked for
    kept = frozenset(known if aspects is None else aspects)
    return Judgements(
        [rating for rating in found.ratings if rating.aspect in kept],
        [preference for preference in found.preferences if preference.aspect in kept],
        lower_is_better=lower & kept & frozenset(known),
        groups=found.groups,
        missing=sum(count for aspect, count in found.missing.items() if aspects is None or aspect in kept),
    )


def _check_known(aspects: Iterable[str], known: Collection[str], *, where: str) -> None:
    for aspect in aspects:
        if aspect not in known:
            raise UsageError(
                f"nothing is judged for the aspect {aspect!r}", where=where, hint=did_you_mean(aspect, known)
            )
