"""`report`: a run, or a result, and what people said of its texts, as a report."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coheval.data.whole import write_whole
from coheval.errors import ResourceError, UnknownName, UsageError, did_you_mean
from coheval.report import assets, tables
from coheval.report.material import Material, of_folder, of_result
from coheval.report.payload.blocks import Blocks, pack
from coheval.report.payload.head import Judged, figures, head
from coheval.report.payload.interest import by_interest
from coheval.report.payload.overview import comparison_of
from coheval.report.payload.texts import items_of
from coheval.run.agreement import agree
from coheval.run.agreement.given import judgements_of
from coheval.run.result import Result
from coheval.run.scoretable import ScoreTable

if TYPE_CHECKING:
    import pandas

    from coheval.run.agreement.given import Opinions


def report(
    run: Result | str | os.PathLike[str],
    judgements: Opinions | None = None,
    *,
    explain: int | None = None,
    progress: Callable[[int], None] | None = None,
    **agreement: Any,
) -> Report:
    """A report of a run folder or of a result of `score`.

    `judgements` are a file or plain numbers, as `agree` takes them, and so are the other named arguments (`level`,
    `statistic`, …). `explain` says how many documents are explained: all that the run kept evidence of, or else 50,
    for which it is computed now, those where systems differ most.
    """
    _check(run, judgements, explain, agreement)
    material = of_result(run) if isinstance(run, Result) else of_folder(run)
    table = ScoreTable.of(material.result)
    if not isinstance(run, Result):
        table.check_sums(os.fspath(run))
    judged = None
    if judgements is not None:
        opinions = judgements_of(judgements, table)
        judged = Judged(opinions, agree(table, opinions, **agreement))
    interest = by_interest(table)
    material.explain([table.documents[n] for n in interest], explain, progress)
    return Report(material, table, judged, interest)


def _check(run: object, judgements: object, explain: object, agreement: dict[str, Any]) -> None:
    if not isinstance(run, Result | str | os.PathLike):
        raise UsageError(
            f"expected a run folder or a result of score, got {type(run).__name__}", hint="coheval.report('runs/a')"
        )
    if explain is not None and (isinstance(explain, bool) or not isinstance(explain, int) or explain < 0):
        raise UsageError(f"explain must be a number of documents from 0 on, got {explain!r}", hint="explain=50")
    known = [name for name, one in inspect.signature(agree).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in agreement:
        if name not in known:
            raise UnknownName(f"no argument is called {name!r}", hint=did_you_mean(name, ["explain", *known]))
        if judgements is None:
            raise UsageError(f"{name} goes with judgements, and there are none", hint="give judgements")


class Report:
    """A report: `save` writes it, and its parts are there as tables and as plain data."""

    def __init__(self, material: Material, table: ScoreTable, judged: Judged | None, interest: list[int]) -> None:
        self._material = material
        self._table = table
        self._judged = judged
        self._interest = interest
        self.command = ""  # that made it, where one did
        self.comparison, notes = comparison_of(material.result, table)
        material.notes += notes

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know."""
        return [*self._material.result.notes, *self._material.notes]

    def html(self) -> str:
        """One page that needs nothing but itself."""
        content = self.to_dict()
        blocks = [assets.block("head", content), *self._blocks.markup]
        return assets.page(title=f"{self._material.title} · coheval", noscript=tables.html(content), blocks=blocks)

    def markdown(self) -> str:
        return tables.markdown(self._figures())

    def latex(self) -> str:
        return tables.latex(self._material.result, self.comparison, self._judged.agreement if self._judged else None)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, whole or not at all; the folder is made if need be."""
        place = Path(path)
        write_whole(place, self.html().encode("utf-8"), what="the report")
        return place

    def to_dict(self) -> dict[str, Any]:
        """Everything but texts and evidence, as `coheval.report.payload` says."""
        content = head(self._material, self._table, self.comparison, self._judged, self._blocks)
        content["reproducibility"]["report"] = self.command
        return content

    def to_json(self) -> str:
        return tables.json_text(self.to_dict())

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each system and metric."""
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        rows = self._figures()["overview"]["rows"]
        return pandas.DataFrame(
            [
                {"system": row["system"], "metric": metric} | figures
                for row in rows
                for metric, figures in row["metrics"].items()
            ]
        )

    def __repr__(self) -> str:
        return self.markdown()

    def _figures(self) -> dict[str, Any]:
        """What tables show, without the work of packing texts."""
        return figures(self._material, self._table, self.comparison, self._judged)

    @cached_property
    def _blocks(self) -> Blocks:
        result = self._material.result
        return pack(items_of(result, self._table.documents), result, self._interest)
