"""`coheval compare`: which systems of a run differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from coheval.cli._options import Format
from coheval.cli._progress import progress

Correction = Literal["holm", "benjamini-hochberg", "none"]


def compare(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder, made by coheval score -o.")],
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metrics of the run.  [all]")
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--systems", metavar="NAMES", help="Systems of the run.  [all]")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="SYSTEM", help="Compare with this system only.")
    ] = None,
    test: Annotated[
        Literal["randomisation", "bootstrap"], typer.Option("--test", help="Whose p decides what is significant.")
    ] = "randomisation",
    correction: Annotated[Correction, typer.Option("--correction", help="Of p, over the pairs of a metric.")] = "holm",
    confidence: Annotated[
        float, typer.Option("--confidence", help="Of intervals; p is significant below 1 − confidence.")
    ] = 0.95,
    resamples: Annotated[
        int | None,
        typer.Option("--resamples", metavar="N", help="How many.  [1000, more where the correction needs it]"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the random numbers.")] = 1,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    table: Annotated[
        Literal["systems", "pairs"] | None,
        typer.Option("--table", help="Only this one; csv holds one, systems unless told."),
    ] = None,
) -> None:
    """Which systems differ: coheval compare runs/a --baseline sysA"""
    from coheval.run.compare import compare as compare_systems
    from coheval.run.compare import pair_count
    from coheval.run.comparetables import FORMATS
    from coheval.run.scoretable import ScoreTable

    scores = ScoreTable.read(folder)
    pairs = pair_count(len(systems or scores.systems), baseline) * len(metrics or scores.columns)
    with progress("comparing", pairs) as advance:
        found = compare_systems(
            scores,
            metrics=metrics,
            systems=systems,
            baseline=baseline,
            test=test,
            correction=correction,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            progress=advance,
        )
    typer.echo(FORMATS[format](found, table), nl=False)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
