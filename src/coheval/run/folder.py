"""A run folder: `scores.jsonl`, a line for each segment, `documents.jsonl`, a line for each document, and
`manifest.json`, which says how to make them again. A metric's rows, reasons and evidence are in the file of its unit.

The folder appears whole or not at all: it is written under another name beside its place and then renamed.
"""

from __future__ import annotations

import json
import math
import os
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np

from coheval.data import Corpus
from coheval.data.files import read, read_aligned
from coheval.data.weights import digest
from coheval.errors import DataError, ResourceError, UsageError
from coheval.metrics import Metric, metric
from coheval.run.result import Result, SystemScores
from coheval.version import __version__

MANIFEST, SCORES, DOCUMENTS = "manifest.json", "scores.jsonl", "documents.jsonl"
REPORT = "report.html"  # made of the others, so it goes with them
FORMAT = 1  # of the folder; a reader refuses others

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files of a run, by what they are."""

    data: str | None = None
    pair: str | None = None
    candidates: Mapping[str, str] | None = None  # file by system
    references: tuple[str, ...] = ()  # files; of a test-set folder, names
    source: str | None = None
    documents: str | None = None

    def corpus(self) -> Corpus:
        if self.data is not None:
            return Corpus.of(read(self.data, pair=self.pair, references=self.references or None))
        return Corpus.of(
            read_aligned(
                self.candidates or {}, references=self.references, source=self.source, documents=self.documents
            )
        )

    def absolute(self) -> Inputs:
        return Inputs(
            data=_absolute(self.data),
            pair=self.pair,
            candidates=self.candidates and {name: str(_absolute(path)) for name, path in self.candidates.items()},
            references=self.references if self.data else tuple(str(_absolute(path)) for path in self.references),
            source=_absolute(self.source),
            documents=_absolute(self.documents),
        )

    def files(self) -> list[str]:
        aligned = [*(self.candidates or {}).values(), *self.references, self.source, self.documents]
        named = [self.data] if self.data else aligned
        return [os.fspath(path) for path in named if path is not None]


def _absolute(path: str | None) -> str | None:
    return path if path in (None, "-") else os.path.abspath(path)


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Refuse a place that is taken or cannot be written to, before any work is done."""
    if folder.exists() and not _is_run(folder):
        raise UsageError(
            "this exists and is not a run folder with nothing else in it, so it is never overwritten",
            where=str(folder),
            hint="choose a name that is free",
        )
    if folder.exists() and not overwrite:
        raise UsageError(
            "the run folder exists already", where=str(folder), hint="choose another name, or add --overwrite"
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent):
            pass
    except OSError as error:
        raise ResourceError(
            f"the run folder cannot be written there: {error.strerror} ({error.filename})",
            where=str(folder),
            hint="choose another place",
        ) from None


def made_by(folder: Path, command: str) -> bool:
    """Whether a folder is a run that a command of coheval made."""
    try:
        return _is_run(folder) and json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["command"][0] == command
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return False


def _is_run(folder: Path) -> bool:
    """Whether a folder holds what a run does and nothing else, which a user would miss."""
    if not folder.is_dir() or {path.name for path in folder.iterdir()} - {MANIFEST, SCORES, DOCUMENTS, REPORT}:
        return False
    try:
        return "coheval" in json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def write(
    folder: Path, result: Result, corpus: Corpus, inputs: Inputs, *, overwrite: bool, evidence: bool = False
) -> None:
    check_free(folder, overwrite=overwrite)
    with _whole(folder.resolve()) as place:
        for name, lines in ((SCORES, _segment_lines(result)), (DOCUMENTS, _document_lines(result))):
            with (place / name).open("w", encoding="utf-8") as file:
                for line in lines:
                    file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
        manifest = _manifest(result, corpus, inputs.absolute()) | {"evidence": evidence}
        text = json.dumps(manifest, ensure_ascii=False, indent=1, allow_nan=False)
        (place / MANIFEST).write_text(text + "\n", encoding="utf-8")


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    place = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        place.mkdir(parents=True)
        yield place
        if folder.exists():
            _exchange(place, folder)
        else:
            place.rename(folder)
    except OSError as error:
        raise ResourceError(
            f"the run folder could not be written: {error.strerror or error}",
            where=str(folder),
            hint="free disk space or choose another place with -o; nothing was left behind",
        ) from error
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _exchange(place: Path, folder: Path) -> None:
    """Puts a new run where an old one is; the old one is removed last, and put back if the new one cannot be placed."""
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    folder.rename(old)
    try:
        place.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)


def _segment_lines(result: Result) -> Iterator[dict[str, Any]]:
    for system in result.systems:
        scores = {spec: r.by_system[system] for spec, r in result.metrics.items()}
        told = {spec: s for spec, s in scores.items() if result[spec].metric.unit == "segment"}
        for i, key in enumerate(result.keys_by_system[system]):
            yield asdict(key) | {
                "scores": {spec: s.segments[i] for spec, s in scores.items()},
                "rows": {spec: _row(s, i) for spec, s in told.items()},
                "reasons": {spec: reason for spec, s in scores.items() if (reason := s.reasons[i])},
                "evidence": {spec: evidence for spec, s in told.items() if (evidence := s.evidence[i])},
            }


def _document_lines(result: Result) -> Iterator[dict[str, Any]]:
    for system in result.systems:
        scores = {spec: r.by_system[system] for spec, r in result.metrics.items()}
        told = {spec: s for spec, s in scores.items() if result[spec].metric.unit == "document"}
        for i, document in enumerate(dict.fromkeys(key.document for key in result.keys_by_system[system])):
            yield {
                "system": system,
                "document": document,
                "scores": {spec: s.documents[document] for spec, s in scores.items()},
                "rows": {spec: _row(s, i) for spec, s in told.items()},
                "reasons": {
                    spec: s.document_reasons[document] for spec, s in scores.items() if document in s.document_reasons
                },
                "evidence": {
                    spec: s.document_evidence[document] for spec, s in told.items() if document in s.document_evidence
                },
            }


def _row(scores: SystemScores, unit: int) -> list[float] | None:
    if np.isnan(scores.rows[unit]).any() or not scores.rows.shape[1]:
        return None
    row: list[float] = scores.rows[unit].tolist()
    return row


def _manifest(result: Result, corpus: Corpus, inputs: Inputs) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "coheval": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv[1:],
        "folder": os.getcwd(),  # where relative paths inside specs begin
        "inputs": {k: v for k, v in asdict(inputs).items() if v},
        "files": {path: digest(Path(path)) for path in inputs.files() if Path(path).is_file()},
        "corpus": {"sha256": corpus.sha256, "segments": corpus.counts, "documents": len(corpus.documents)},
        "metrics": {
            spec: {
                "signature": r.signature,
                "higher_is_better": r.higher_is_better,
                "systems": {name: s.system for name, s in r.by_system.items()},
                "counts": r.counts,
            }
            for spec, r in result.metrics.items()
        },
        "notes": result.notes,
    }


@dataclass(frozen=True)
class Plan:
    """What a manifest says to do again."""

    inputs: Inputs
    signatures: dict[str, str]  # of the metrics, by the spec that was asked for
    corpus_sha256: str
    evidence: bool
    folder: Path  # where relative paths inside specs begin
    files: dict[str, str]  # digests
    scores: dict[str, dict[str, float | None]]  # of systems, by metric

    def metrics(self) -> dict[str, Metric]:
        return {spec: metric(signature) for spec, signature in self.signatures.items()}

    def corpus(self) -> Corpus:
        changed = [path for path, sha256 in self.files.items() if Path(path).exists() and digest(Path(path)) != sha256]
        corpus = None if changed else self.inputs.corpus()
        if corpus is None or corpus.sha256 != self.corpus_sha256:
            raise DataError(
                "the input is not what it was when the run was made",
                where=", ".join(changed) or self.inputs.data,
                hint="restore what the manifest names, or start a new run",
            )
        return corpus

    def compare(self, result: Result) -> list[str]:
        """How the new scores of systems differ from the old ones, in words."""
        return [
            f"{spec} of {system!r} was {old}, is {new}"
            for spec, systems in self.scores.items()
            for system, old in systems.items()
            if not _same(old, new := result[spec].by_system[system].system)
        ]


def _same(old: float | None, new: float | None) -> bool:
    return old is new or (old is not None and new is not None and math.isclose(old, new, rel_tol=1e-5, abs_tol=1e-5))


def read_plan(folder: Path) -> Plan:
    """The plan in a run folder (or in a manifest itself)."""
    path = folder if folder.is_file() else folder / MANIFEST
    plan = _read_manifest(path, _plan)
    if "-" in plan.inputs.files():
        raise DataError("the run read standard input, which is gone", where=str(path), hint="save the input first")
    return plan


def no_run(path: Path, error: OSError) -> DataError:
    """What is said of a folder whose file cannot be read."""
    hint = "name a folder that coheval score -o made"
    if not path.parent.exists():
        return DataError("there is no such folder", where=str(path.parent), hint=hint)
    return DataError(f"not a run folder: {error.strerror}", where=str(path), hint=hint)


def _read_manifest(path: Path, take: Callable[[Any, str], T]) -> T:
    """What `take` makes of a manifest and its place."""
    try:
        return take(json.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise no_run(path, error) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"not a manifest ({type(error).__name__}: {error})", where=str(path), hint="name a folder that -o made"
        ) from None


@dataclass(frozen=True)
class Made:
    """How and with what a run was made."""

    created: str
    command: str
    coheval: str
    python: str
    platform: str
    folder: str
    files: dict[str, str]  # digests of the inputs
    corpus_sha256: str


def read_made(folder: Path) -> Made:
    return _read_manifest(folder / MANIFEST, _made)


def _made(content: Any, where: str) -> Made:
    check_format(content, where)
    return Made(
        created=str(content["created"]),
        command=shlex.join(["coheval", *map(str, content["command"])]),
        coheval=str(content["coheval"]),
        python=str(content["python"]),
        platform=str(content["platform"]),
        folder=str(content["folder"]),
        files={str(path): str(sha256) for path, sha256 in content["files"].items()},
        corpus_sha256=str(content["corpus"]["sha256"]),
    )


def check_format(content: Any, where: str) -> None:
    """Refuse a manifest of another format than this coheval writes."""
    if content["format"] != FORMAT:
        raise DataError(
            f"the manifest has format {content['format']}, expected {FORMAT}",
            where=where,
            hint="use the coheval that made it, which the manifest names",
        )


def _plan(content: Any, where: str) -> Plan:
    check_format(content, where)
    metrics = content["metrics"].items()
    return Plan(
        inputs=Inputs(**content["inputs"]),
        signatures={spec: str(entry["signature"]) for spec, entry in metrics},
        corpus_sha256=str(content["corpus"]["sha256"]),
        evidence=bool(content["evidence"]),
        folder=Path(content["folder"]),
        files=dict(content["files"]),
        scores={spec: dict(entry["systems"]) for spec, entry in metrics},
    )
