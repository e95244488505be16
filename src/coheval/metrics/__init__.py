"""The contract of a metric. One file a metric; copy the nearest one to add yours.

A metric turns each unit (a segment, or a whole document) into a row of numbers. Rows are additive: a document's row is
the sum of its units' rows, a system's the sum of its documents', and a score is a function of a sum and a count. So no
metric knows of levels, bootstrap or permutation.

    @dataclass(frozen=True, kw_only=True)
    class Overlap(Metric):
        \"\"\"Share of the candidate's words that the reference has.\"\"\"
        lowercase: bool = True                                  # a parameter

        def measure(self, items, *, evidence=False):
            return [each_segment(item, self._row) for item in items]

        def _row(self, candidate, references):
            ...
            return Row((matched, total))

        def combine(self, totals, count):
            return totals[0] / totals[1] if totals[1] else None
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Literal, Self

from coheval.annotators import Annotator, Layer
from coheval.data import Item
from coheval.decoders import Decoder
from coheval.encoders import Encoder
from coheval.spec import Component, build

Unit = Literal["segment", "document"]
Evidence = dict[str, object]  # plain values, ready for JSON; "kind" says how to draw it


@dataclass(frozen=True, slots=True)
class Row:
    """One unit's numbers. `values` is None where the metric is undefined, and then `reason` says why.

    `marks` count what happened to the unit's texts in a model that no run shares; shared ones count by themselves.
    """

    values: tuple[float, ...] | None
    reason: str | None = None
    evidence: Evidence | None = None
    marks: Mapping[str, int] = field(default_factory=dict)  # by the names in `run.notes`


def undefined(reason: str) -> Row:
    return Row(None, reason)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The rows of one item: one for each segment, or one for the document, as the metric's unit says."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, kw_only=True)
class Metric(Component):
    """A measure of text. Subclasses are frozen dataclasses whose fields are their parameters."""

    group: ClassVar[str] = "metrics"
    higher_is_better: ClassVar[bool] = True
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    unit: ClassVar[Unit] = "segment"
    needs: ClassVar[frozenset[str]] = frozenset({"references"})  # of "references", "source"
    fits_references_only: ClassVar[bool] = False  # whether `fit` looks at references and at nothing else
    unshared: ClassVar[frozenset[str]] = frozenset()  # parameters that must stay what they are in a run
    several_references: ClassVar[str] = ""  # what it does with more than one, in words
    perfect: ClassVar[float | None] = 1.0  # the score of a text identical to its only reference

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        """The encoders it uses and the layers it takes from each, so that a run can share them."""
        return {}

    def consults(self) -> dict[Annotator, tuple[Layer, ...]]:
        """The annotators it uses and what it wants of each, so that a run can share them."""
        return {}

    def decodes(self) -> tuple[Decoder, ...]:
        """The decoders it uses, so that a run can share them."""
        return ()

    def sharing(self, shared: Mapping[Component, Component]) -> Self:
        """A copy that uses the given stand-ins for its encoders, decoders and annotators."""
        mine = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self.unshared}
        return replace(self, **{k: shared[v] for k, v in mine.items() if isinstance(v, Component) and v in shared})

    @property
    def needs_fit(self) -> bool:
        """Whether `fit` must see a system's whole corpus before `measure`."""
        return False

    def fit(self, items: Iterable[Item]) -> Self:
        """A copy that knows its corpus facts, such as IDF, from all items of one system."""
        return self

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        """One measurement for each item, in order. With `evidence`, rows say why."""
        raise NotImplementedError(type(self).__name__)

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        """The score of summed rows; the mean of the first number unless a metric says otherwise."""
        return totals[0] / count


def metric(text: str | Metric) -> Metric:
    """The metric that a spec or a signature names."""
    return text if isinstance(text, Metric) else build(Metric, text)


def each_segment(item: Item, row: Callable[[str, list[str]], Row]) -> Measurement:
    """The measurement of an item whose segments are measured one by one from their texts."""
    return Measurement(tuple(row(item.candidate_text(i), item.reference_texts(i)) for i in range(len(item))))
