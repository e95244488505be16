"""`coheval demo`: the bundled example."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coheval.cli._job import Job

_FOLDER = Path("runs/demo")
_EXAMPLE = Path(__file__).parents[1] / "data" / "example.jsonl"


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write the run folder.")
    ] = _FOLDER,
    metrics: Annotated[list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metric specs.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run that is not a demo's.")] = False,
) -> None:
    """Score a bundled example (three systems, three short documents, two references) and report on it."""
    from coheval.report.making import report
    from coheval.run.folder import REPORT, Inputs, made_by
    from coheval.run.score import named

    overwrite = overwrite or made_by(output, "demo")
    inputs = Inputs(data=str(_EXAMPLE))
    asked = named(metrics or ["moverscore", "bertscore", "dsfocus", "dssent", "chrf", "bleu"])
    Job(inputs, asked, inputs.corpus, output, overwrite, "text", "system", evidence=True).run()
    typer.echo(f"report: {report(output).save(output / REPORT)}", err=True)
