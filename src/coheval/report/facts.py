"""What a reader must know of each metric of a result, as plain values."""

from __future__ import annotations

import math

from coheval import registry
from coheval.errors import UnknownName
from coheval.metrics import Metric
from coheval.run.result import MetricResult, Result

Facts = dict[str, object]


def facts(result: Result) -> list[Facts]:
    """One record for each metric, in the order in which they were asked for."""
    return [_of(spec, one) for spec, one in result.items()]


def _of(spec: str, one: MetricResult) -> Facts:
    metric = one.metric
    return {
        "metric": spec,
        "name": metric.name(),
        "summary": _summary(metric),
        "signature": one.signature,
        "higher_is_better": one.higher_is_better,
        "range": [bound if math.isfinite(bound) else None for bound in metric.range],
        "unit": metric.unit,
        "needs": sorted(metric.needs),
        "several_references": metric.several_references,
        "counts": dict(one.counts),
    }


def _summary(metric: Metric) -> str:
    """A metric of the user's own is in no registry: it says itself what it is."""
    try:
        return registry.summary(metric.group, metric.name())
    except UnknownName:
        return (type(metric).__doc__ or "").strip().partition("\n")[0]
