"""A scoring run, as `score` and `demo` make it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from coheval.cli._options import Format
from coheval.cli._progress import progress

if TYPE_CHECKING:
    from coheval.data import Corpus
    from coheval.metrics import Metric
    from coheval.run import Result
    from coheval.run.folder import Inputs

Level = Literal["system", "document", "segment"]


@dataclass(frozen=True)
class Job:
    """A scoring run, printed and written."""

    inputs: Inputs
    metrics: dict[str, Metric]
    read: Callable[[], Corpus]
    output: Path | None
    overwrite: bool
    format: Format
    level: Level
    evidence: bool

    def run(self) -> Result:
        from coheval.run import folder
        from coheval.run.score import evaluate

        if self.output is not None:
            folder.check_free(self.output, overwrite=self.overwrite)
        corpus = self.read()
        with progress("scoring", corpus.characters) as advance:
            result = evaluate(corpus, self.metrics, evidence=self.evidence, progress=advance)
        try:
            if self.output is not None:
                folder.write(self.output, result, corpus, self.inputs, overwrite=self.overwrite, evidence=self.evidence)
                typer.echo(f"run folder: {self.output}", err=True)
        finally:  # one way to the scores may be closed, the other is not
            self._print(result)
        return result

    def _print(self, result: Result) -> None:
        from coheval.run.tables import FORMATS

        typer.echo(FORMATS[self.format](result, self.level), nl=False)
        if self.format == "text":
            typer.echo()
            for name in result:
                typer.echo(f"{name}: {result[name].signature}")
        for note in result.notes:
            typer.echo(f"note: {note}", err=True)
