"""A run folder read back: the result as it was when `folder` wrote it.

Metrics are rebuilt from their signatures for their formulas alone. So neither weights nor libraries need to be what
they were, nor to be there; but the metric must have the version that made the rows. A tuned combination is made without
its model, whose file may have moved: its scores are means whatever the model is. So is any metric that cannot be made
because its model's files are gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TextIO

from coheval.data import Key
from coheval.errors import CohevalError, DataError, ResourceError, SpecError
from coheval.grammar import Spec, parse
from coheval.metrics import Evidence, Metric, Row, Unit
from coheval.metrics._combined import Model
from coheval.metrics.combination import Combination
from coheval.registry import find
from coheval.run.folder import DOCUMENTS, MANIFEST, SCORES, check_format, no_run
from coheval.run.result import MetricResult, Result, Score, SystemScores
from coheval.run.tally import Rows
from coheval.spec import RESERVED, build

_HINT = "name a folder that coheval score -o made"
_AGAIN = "put the model back where its signature says it was, and build the metric anew"


def read_run(folder: str | Path, *, evidence: bool = False) -> Result:
    """The result in a run folder; evidence may be much, so it is read only on request."""
    place = Path(folder)
    manifest = _manifest(place / MANIFEST)
    with _understood(str(place / MANIFEST)):
        entries: dict[str, Any] = dict(manifest["metrics"])
        counts = {str(system): int(count) for system, count in manifest["corpus"]["segments"].items()}
    by_segment = _by_segment(place / SCORES)
    with _understood(str(place / MANIFEST)):
        units: dict[str, Unit] = {spec: "segment" if spec in by_segment else "document" for spec in entries}
        metrics = {
            spec: _metric(str(entry["signature"]), units[spec], str(place / MANIFEST))
            for spec, entry in entries.items()
        }
        parts = {spec: {s: _Part(metric, n, evidence) for s, n in counts.items()} for spec, metric in metrics.items()}
    keys = _read_segments(place / SCORES, counts, parts)
    _read_documents(place / DOCUMENTS, keys, parts)
    with _understood(str(place / MANIFEST)):
        results = {
            spec: MetricResult(
                metric,
                str(entries[spec]["signature"]),
                {system: part.scores(entries[spec]["systems"][system]) for system, part in parts[spec].items()},
                False,
                {str(mark): int(count) for mark, count in entries[spec]["counts"].items()},
            )
            for spec, metric in metrics.items()
        }
        return Result(results, keys, [str(note) for note in manifest["notes"]])


@dataclass
class _Part:
    """One metric's scores of one system, as far as they are read."""

    metric: Metric
    size: int  # segments that the manifest announces
    keep_evidence: bool
    segments: list[Score] = field(default_factory=list)
    reasons: list[str | None] = field(default_factory=list)
    evidence: list[Evidence | None] = field(default_factory=list)
    documents: dict[str, Score] = field(default_factory=dict)
    document_reasons: dict[str, str] = field(default_factory=dict)
    document_evidence: dict[str, Evidence] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = Rows(self.size)  # there are no more documents than segments

    def add_segment(self, spec: str, line: Mapping[str, Any]) -> None:
        if self.metric.unit == "segment":
            self._put(len(self.segments), line["rows"][spec])
        self.segments.append(_number(line["scores"][spec]))
        self.reasons.append(line["reasons"].get(spec))
        self.evidence.append(line["evidence"].get(spec) if self.keep_evidence else None)

    def add_document(self, spec: str, document: str, line: Mapping[str, Any]) -> None:
        if self.metric.unit == "document":
            self._put(len(self.documents), line["rows"][spec])
        self.documents[document] = _number(line["scores"][spec])
        if spec in line["reasons"]:
            self.document_reasons[document] = str(line["reasons"][spec])
        if self.keep_evidence and spec in line["evidence"]:
            self.document_evidence[document] = line["evidence"][spec]

    def _put(self, place: int, row: list[float] | None) -> None:
        if row is not None:
            self.rows.put(place, Row(tuple(_given(number) for number in row)))

    def scores(self, system: object) -> SystemScores:
        return SystemScores(
            segments=self.segments,
            reasons=self.reasons,
            rows=self.rows.values[: len(self.segments if self.metric.unit == "segment" else self.documents)],
            evidence=self.evidence,
            documents=self.documents,
            document_reasons=self.document_reasons,
            document_evidence=self.document_evidence,
            system=_number(system),
        )


def _by_segment(path: Path) -> set[str]:
    """The metrics that have a row for each segment, by what the first segment has."""
    for where, line in _lines(path):
        with _understood(where):
            return set(line["rows"])
    return set()


_Parts = Mapping[str, Mapping[str, _Part]]  # by spec and system


def _read_segments(path: Path, counts: Mapping[str, int], parts: _Parts) -> dict[str, list[Key]]:
    keys: dict[str, dict[Key, None]] = {system: {} for system in counts}  # dicts, as a key must not come twice
    for where, line in _lines(path):
        with _understood(where):
            key = Key(str(line["system"]), str(line["document"]), int(line["segment"]))
            if key in keys[key.system] or len(keys[key.system]) == counts[key.system]:
                raise ValueError(f"one segment too many: {key}")
            keys[key.system][key] = None
            for spec, by_system in parts.items():
                by_system[key.system].add_segment(spec, line)
    for system, count in counts.items():
        if len(keys[system]) != count:
            raise DataError(
                f"expected {count:,} segments of {system!r} as the manifest says, got {len(keys[system]):,}",
                where=str(path),
                hint="the file is not whole: copy the run folder again, or make it again",
            )
    return {system: list(own) for system, own in keys.items()}


def _read_documents(path: Path, keys: Mapping[str, list[Key]], parts: _Parts) -> None:
    expected = {system: list(dict.fromkeys(key.document for key in own)) for system, own in keys.items()}
    found: dict[str, list[str]] = {system: [] for system in keys}
    for where, line in _lines(path):
        with _understood(where):
            system, document = str(line["system"]), str(line["document"])
            found[system].append(document)
            for spec, by_system in parts.items():
                by_system[system].add_document(spec, document, line)
    if found != expected:
        raise DataError(
            f"the documents are not those of {SCORES}",
            where=str(path),
            hint="the file is not whole: copy the run folder again, or make it again",
        )


def _manifest(path: Path) -> dict[str, Any]:
    with _opened(path) as file, _understood(str(path)):
        content: dict[str, Any] = json.load(file, parse_constant=_refuse)
        check_format(content, str(path))
        if not content["corpus"]["segments"]:
            raise ValueError("no system has a segment")
        return content


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with _opened(path) as file:
        for number, text in enumerate(file, start=1):
            where = f"{path}:{number}"
            with _understood(where):
                line = json.loads(text, parse_constant=_refuse)
            yield where, line


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    try:
        with path.open(encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise no_run(path, error) from None
    except UnicodeDecodeError as error:
        raise DataError(f"not a file of a run folder: {error}", where=str(path), hint=_HINT) from None


@contextmanager
def _understood(where: str) -> Iterator[None]:
    """Whatever is not as `folder` writes it is told as that."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise DataError(
            f"this is not what coheval writes ({type(error).__name__}: {error})", where=where, hint=_HINT
        ) from None


def _metric(signature: str, unit: Unit, where: str) -> Metric:
    try:
        spec = parse(signature)
        if spec.name == Combination.name() and not spec.params.get("members"):
            return _combination(spec, unit)
        bare = _bare(spec, ("sha256", "libraries"))
        try:
            return build(Metric, bare)
        except ResourceError:
            return _formula(bare)
    except CohevalError as error:
        raise DataError(
            f"the metric {signature.partition('(')[0]} cannot be had again: {error.message}",
            where=where,
            hint="score again, or use the coheval that made the run, which its manifest names",
        ) from None


def _combination(spec: Spec, unit: Unit) -> Combination:
    """One whose model is not looked for: it can combine rows, and no more."""
    params = {"version": None, "model": "", "sha256": None, **spec.params}
    _check_version(Combination, params)
    stub = Model((), 0.0, "unknown", "unknown", unit=unit, sha256=str(params["sha256"]))
    return Combination(model=str(params["model"]), weighing=stub)


def _formula(spec: Spec) -> Metric:
    """A metric whose model is not there any more: it can combine rows, and no more."""
    kind = find(Metric.group, spec.name)
    params = dict(spec.params)
    _check_version(kind, params)
    params.pop("version")

    def refuse(self: Metric) -> NoReturn:
        raise ResourceError(
            "this metric was read from a run folder, and its model is not there any more", where=spec.name, hint=_AGAIN
        )

    made: Metric = type(kind.__name__, (kind,), {"__post_init__": lambda self: None, "reads": refuse})(**params)
    return made


def _check_version(kind: type[Metric], params: Mapping[str, object]) -> None:
    if params.get("version") != kind.version:
        raise SpecError(
            f"the signature was made by version {params.get('version')} of {kind.name()}, this is {kind.version}",
            hint="install the coheval that made it",
        )


def _bare(spec: Spec, without: tuple[str, ...]) -> Spec:
    """A signature without its claims; those of components inside go altogether, as their numbers are made already."""
    params = {key: _bare_inside(value) for key, value in spec.params.items() if key not in without}
    return Spec(spec.name, spec.args, params)


def _bare_inside(value: object) -> object:
    if isinstance(value, list | tuple):
        return type(value)(map(_bare_inside, value))
    return _bare(value, RESERVED) if isinstance(value, Spec) else value


def _number(value: object) -> Score:
    return None if value is None else _given(value)


def _given(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, got {value!r}")
    return float(value)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")
