"""Runs: a corpus and metrics in, a result or a run folder out."""

from coheval.run.result import MetricResult, Result

__all__ = ["MetricResult", "Result"]
