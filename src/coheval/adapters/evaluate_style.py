"""The face of Hugging Face's evaluate: `load`, `combine`, and `compute`, `add` and `add_batch` of what they give.

    moverscore = evaluate_style.load("moverscore")
    moverscore.compute(predictions=["It was sold."], references=["It is sold."])["moverscore"]

References are a text each, or a list of texts each. Metrics that read sources, or whole documents, take `sources` and
`documents`, too. For code that needs an object of the package evaluate itself, `evaluate.load(script(), "moverscore")`
loads the same metric through it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from coheval.adapters.papers import papers
from coheval.data.lists import is_list
from coheval.errors import DataError
from coheval.grammar import Spec, format_spec, parse
from coheval.metrics import Metric
from coheval.run.result import MetricResult
from coheval.run.score import score
from coheval.spec import build

Inputs = dict[str, list[object]]
_LABELS = {"predictions": "candidates", "references": "references", "sources": "sources", "documents": "documents"}


class Module:
    """One metric, or several that are computed at once and share their models."""

    def __init__(self, specs: dict[str, Spec]) -> None:
        self.metrics = {name: build(Metric, spec) for name, spec in specs.items()}
        self._specs = specs  # as they were asked for: a made metric has settled what follows from its parameters
        self._held: Inputs = {}

    @property
    def name(self) -> str:
        return ", ".join(self.metrics)

    @property
    def description(self) -> str:
        return "\n\n".join(description(m) for m in self.metrics.values())

    @property
    def citation(self) -> str:
        """The papers to cite, as BibTeX."""
        found = dict.fromkeys(p.bibtex for m in self.metrics.values() for p in papers(type(m)))
        return "\n\n".join(found)

    @property
    def features(self) -> dict[str, str]:
        """What `compute` takes, and of which kind."""
        return {name: kind for m in self.metrics.values() for name, kind in features(m).items()}

    @property
    def inputs_description(self) -> str:
        return "\n".join(f"{name}: {kind}" for name, kind in self.features.items())

    def add(self, *, prediction: str, **others: object) -> None:
        """Keep one prediction and its `reference` (a text or a list of texts), `source`, `document`."""
        self.add_batch(predictions=[prediction], **{f"{name}s": [value] for name, value in others.items()})

    def add_batch(self, *, predictions: Sequence[str], **others: object) -> None:
        """Keep predictions and their `references`, `sources`, `documents` until `compute`."""
        batch = {"predictions": predictions, **{name: given for name, given in others.items() if given is not None}}
        for name in batch:
            _check_name(name)
        if self._held and batch.keys() != self._held.keys():
            raise DataError(
                f"expected {', '.join(self._held)} as in what was added before, got {', '.join(batch)}",
                where="add_batch",
                hint="give the same lists in every call",
            )
        count = len(_listed("predictions", predictions))
        lists = {name: _listed(name, given, count) for name, given in batch.items()}
        for name, values in lists.items():
            self._held.setdefault(name, []).extend(values)

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        **parameters: object,
    ) -> dict[str, object]:
        """The score under the metric's name, with `segments`, `reasons` and `signature`; what was added is forgotten.

        `parameters` are the metric's own, for this call. Where several metrics are combined, each one's keys
        except the score begin with its name.
        """
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references, sources=sources, documents=documents)
        held, self._held = self._held, {}
        asked = {name: self._changed(name, parameters) for name in self.metrics}
        lists = {_LABELS[name]: values for name, values in held.items()}
        found = score(lists.pop("candidates", []), metrics=list(asked.values()), **lists)  # type: ignore[arg-type]
        results = {name: found[format_spec(m)] for name, m in asked.items()}  # two names may mean the same metric
        return {k: v for name, r in results.items() for k, v in told(name, r, prefixed=len(results) > 1).items()}

    def _changed(self, name: str, parameters: dict[str, object]) -> Metric:
        return build(Metric, _with(self._specs[name], parameters)) if parameters else self.metrics[name]


def load(spec: str, **parameters: object) -> Module:
    """One metric by its spec; parameters can stand in the spec or beside it."""
    return Module({spec: _with(parse(spec), parameters)})


def combine(specs: Sequence[str]) -> Module:
    """Several metrics in one module; texts are encoded once for all of them."""
    return Module({spec: parse(spec) for spec in specs})


def script() -> str:
    """The path that `evaluate.load` takes, with a spec as its second argument."""
    return str(Path(__file__).with_name("evaluate_script.py"))


def features(of: Metric) -> dict[str, str]:
    """What a metric reads, by evaluate's names, in words."""
    kinds = {
        "references": ("references", "a list with a text, or a list of texts, for each prediction"),
        "source": ("sources", "a list of texts, the source of each prediction"),
        "documents": ("documents", "a list of ids: which document each prediction is a segment of"),
    }
    return {"predictions": "a list of texts"} | dict(kinds[need] for need in kinds if need in of.needs)


def description(of: Metric) -> str:
    return inspect.cleandoc(sys.modules[type(of).__module__].__doc__ or type(of).__doc__ or "")


def told(name: str, result: MetricResult, *, prefixed: bool = False) -> dict[str, object]:
    """One metric's part of the dict that `compute` gives."""
    (scores,) = result.by_system.values()
    rest = {"segments": scores.segments, "reasons": scores.reasons, "signature": result.signature}
    return {name: scores.system} | {f"{name}_{k}" if prefixed else k: v for k, v in rest.items()}


def _with(spec: Spec, parameters: dict[str, object]) -> Spec:
    return replace(spec, params={**spec.params, **parameters})


def _check_name(name: str) -> None:
    if name not in _LABELS:
        raise DataError(
            f"no input is called {name!r}",
            where="add_batch",
            hint=f"known: {', '.join(_LABELS)}; `add` takes the same names without their last letter",
        )


def _listed(name: str, values: object, count: int | None = None) -> list[object]:
    if is_list(values) and count in (None, len(values)):
        return list(values)
    size = "" if count is None else f" of {count:,} entries, one for each prediction"
    raise DataError(
        f"expected a list{size}, got {f'{len(values):,}' if is_list(values) else repr(values)[:40]}",
        where=name,
        hint="position n of every list must belong to prediction n",
    )
