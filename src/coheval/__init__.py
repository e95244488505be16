"""coheval: does the text hang together?

    import coheval
    r = coheval.score(["the cat sat"], references=["a cat was sitting"], metrics=["moverscore", "chrf"])
    r["moverscore"].system

Names are loaded when they are first used: importing coheval loads neither numpy nor a model.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from coheval.version import __version__

if TYPE_CHECKING:
    from coheval.errors import CohevalError as CohevalError
    from coheval.metrics import metric as metric
    from coheval.report.making import report as report
    from coheval.run.agreement.agree import agree as agree
    from coheval.run.bench import bench as bench
    from coheval.run.compare import compare as compare
    from coheval.run.discourse import discourse as discourse
    from coheval.run.parse import parse as parse
    from coheval.run.score import score as score

_WHERE = {
    "CohevalError": "coheval.errors",
    "agree": "coheval.run.agreement",
    "bench": "coheval.run.bench",
    "compare": "coheval.run.compare",
    "discourse": "coheval.run.discourse",
    "metric": "coheval.metrics",
    "parse": "coheval.run.parse",
    "report": "coheval.report",
    "score": "coheval.run.score",
}

__all__ = [
    "CohevalError",
    "__version__",
    "agree",
    "bench",
    "compare",
    "discourse",
    "metric",
    "parse",
    "report",
    "score",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'coheval' has no attribute {name!r}")
    if name == "report":  # a folder that can be called: importing from it must not hide the function
        return import_module("coheval.report")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return __all__
