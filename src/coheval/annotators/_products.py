"""Matrix products for a spaCy pipeline whose results for a text do not depend on the texts that are read beside it.

A pipeline reads several texts at once, as the rows of one matrix. In single precision a row of a product differs in its
last digits with the number of rows, and a tag may hang on that. So the rows of each text are multiplied by themselves:
then the shapes, and with them the numbers, are those that the text has alone. Where it cannot be seen which rows are
whose, products are made in doubles and rounded once, which takes twice the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spacy.language import Language

_ROWS = 4096  # words whose numbers are doubles at a time
_reading: ContextVar[tuple[int, ...]] = ContextVar(
    "reading", default=()
)  # the lengths of the texts, empty ones left out


@contextmanager
def reading(lengths: Sequence[int]) -> Iterator[None]:
    """While texts of so many words go through a pipeline together."""
    token = _reading.set(tuple(length for length in lengths if length))
    try:
        yield
    finally:
        _reading.reset(token)


def multiply_by_text(pipeline: Language) -> None:
    from thinc.api import Model, NumpyOps

    class ByText(NumpyOps):  # type: ignore[misc]  # thinc.api tells mypy nothing
        def gemm(self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False) -> Any:
            x, y = x.T if trans1 else x, y.T if trans2 else y
            out = np.empty((len(x), y.shape[1]), np.float32) if out is None else out
            places = bounds(len(x), _reading.get())
            if places is None:
                y = y.astype(np.float64)
                for i in range(0, len(x), _ROWS):
                    out[i : i + _ROWS] = x[i : i + _ROWS].astype(np.float64) @ y
            else:
                for start, stop in pairwise(places):
                    np.matmul(x[start:stop], y, out=out[start:stop])
            return out

    ops = ByText()
    for _, part in pipeline.pipeline:
        model = getattr(part, "model", None)
        for layer in model.walk() if isinstance(model, Model) else ():
            if type(layer.ops) is NumpyOps:  # not on a GPU
                layer.ops = ops


def bounds(rows: int, lengths: Sequence[int]) -> list[int] | None:
    """Where texts and the padding before, between and behind them begin and end; None where the rows do not fit."""
    padding, rest = divmod(rows - sum(lengths), len(lengths) + 1)
    if not lengths or padding < 0 or rest:
        return None
    steps = [padding]
    for length in lengths:
        steps += [length, padding]
    return list(accumulate((step for step in steps if step), initial=0))
