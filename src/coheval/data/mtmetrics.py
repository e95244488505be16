"""A folder as mt-metrics-eval lays it out, for one test set:

    documents/<pair>.docs                domain<TAB>document, a line a segment
    sources/<pair>.txt
    references/<pair>.<name>.txt
    system-outputs/<pair>/<system>.txt

Without names, all references that are there are used. Where people's translations are among the outputs too (a system
called like a reference), they stay systems as any other; against itself such a system scores perfectly, so name the
other references to compare it fairly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from coheval.data.aligned import read_aligned, system_name
from coheval.data.corpus import Record
from coheval.data.lines import FilePath, near_names
from coheval.errors import DataError, did_you_mean


def read_mt_metrics_eval(
    folder: FilePath, *, pair: str | None = None, references: Sequence[str] | None = None
) -> Iterator[Record]:
    """Records of one language pair; `references` are names such as refA, and an empty list asks for none."""
    root = Path(folder)
    if not root.is_dir():
        raise DataError("there is no such folder", where=os.fspath(root), hint=near_names(root))
    pair = _pair(root, pair)
    outputs = sorted(_inside(root / "system-outputs" / pair, "*.txt"))
    source, documents = root / "sources" / f"{pair}.txt", root / "documents" / f"{pair}.docs"
    for path in (source, documents):
        if not path.is_file():
            raise _missing(path)
    return read_aligned(
        {system_name(path): path for path in outputs},
        references=_references(root / "references", pair, references),
        source=source,
        documents=documents,
    )


def _pair(root: Path, pair: str | None) -> str:
    pairs = sorted(path.name for path in _inside(root / "system-outputs", "*") if path.is_dir())
    if pair is None and len(pairs) == 1:
        return pairs[0]
    if pair is None:
        raise DataError(
            f"expected one language pair, found {', '.join(pairs) or 'none'}",
            where=os.fspath(root),
            hint="name the pair",
        )
    if pair not in pairs:
        raise DataError(f"there is no language pair {pair!r}", where=os.fspath(root), hint=did_you_mean(pair, pairs))
    return pair


def _references(folder: Path, pair: str, names: Sequence[str] | None) -> list[Path]:
    if names is not None and not names:
        return []
    found = {path.name.removeprefix(f"{pair}.").removesuffix(".txt"): path for path in _inside(folder, f"{pair}.*.txt")}
    for name in names or ():
        if name not in found:
            raise DataError(
                f"there is no reference {name!r}: expected {folder / f'{pair}.{name}.txt'}",
                where=os.fspath(folder),
                hint=did_you_mean(name, found),
            )
    return [found[name] for name in names or sorted(found)]


def _inside(folder: Path, pattern: str) -> list[Path]:
    found = list(folder.glob(pattern)) if folder.is_dir() else []
    if not found:
        raise _missing(folder / pattern)
    return found


def _missing(path: Path) -> DataError:
    return DataError(
        f"expected {path}, which is not there",
        where=os.fspath(path.parent),
        hint="name the folder of one test set: it holds documents, sources, references and system-outputs",
    )
