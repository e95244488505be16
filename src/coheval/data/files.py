"""Files in, records out: the readers, and `read`, which picks one by what a path looks like."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from coheval.data.aligned import read_aligned, system_files
from coheval.data.corpus import Record
from coheval.data.csvfile import read_csv
from coheval.data.datasets import find
from coheval.data.jsonl import read_jsonl
from coheval.data.lines import FilePath, is_stdin, near_names
from coheval.data.mtmetrics import read_mt_metrics_eval
from coheval.errors import DataError, UsageError

__all__ = ["read", "read_aligned", "read_csv", "read_jsonl", "read_mt_metrics_eval", "system_files"]


def read(path: FilePath, *, pair: str | None = None, references: Sequence[str] | None = None) -> Iterator[Record]:
    """Records of a .jsonl, .csv or .tsv file (with .gz too), of a folder, or of `-`, which is JSONL.

    A folder is that of a judged data set (`datasets`) or one as mt-metrics-eval has them; `pair`, a language pair or
    another part, and `references` choose within it.
    """
    if os.path.isdir(path):
        dataset = find(path, pair)
        if dataset is not None and references is not None:
            raise UsageError(
                f"{dataset.name} is a judged set, which brings its own references, got names of others",
                where=os.fspath(path),
                hint="leave out the references (-r)",
            )
        if dataset is not None:
            return dataset.records()
        return read_mt_metrics_eval(path, pair=pair, references=references)
    if pair is not None or references is not None:
        raise UsageError(
            "a language pair and names of references have a meaning for a folder, got a file",
            where=os.fspath(path),
            hint="name the mt-metrics-eval folder of the test set",
        )
    name = os.fspath(path).lower().removesuffix(".gz")
    if is_stdin(path) or name.endswith(".jsonl"):
        return read_jsonl(path)
    if name.endswith((".csv", ".tsv")):
        return read_csv(path)
    if not os.path.exists(path):
        raise DataError("there is no such file or folder", where=os.fspath(path), hint=near_names(Path(path)))
    raise DataError(
        "expected a file that ends in .jsonl, .csv or .tsv (or these with .gz), or a folder",
        where=os.fspath(path),
        hint="plain text, one segment a line, is given as candidates and references: -c out.txt -r ref.txt",
    )
