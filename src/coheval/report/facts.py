"""What a reader must know of each metric of a result, as plain values."""

from __future__ import annotations

import math

from coheval import registry
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
        "summary": registry.summary(metric.group, metric.name()),
        "signature": one.signature,
        "higher_is_better": one.higher_is_better,
        "range": [bound if math.isfinite(bound) else None for bound in metric.range],
        "unit": metric.unit,
        "needs": sorted(metric.needs),
        "several_references": metric.several_references,
        "counts": dict(one.counts),
    }
