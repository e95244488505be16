"""`coheval bench`: how often metrics prefer the right one of several variants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from coheval.cli._options import Format
from coheval.cli._output import check_output
from coheval.cli._progress import progress
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.tasks import Task


def bench(
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATA…", help="Corpora (docs/tasks.md), or files of groups (docs/contrastive.md); .gz too, or -"
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metric specs; after the files.")
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="SPECS", help="How groups are made of texts.  [contrastive: read as they are]"),
    ] = None,
    context: Annotated[
        Literal["both", "with", "without"], typer.Option("--context", help="What is read around the scored segments.")
    ] = "both",
    source: Annotated[
        Literal["context"] | None, typer.Option("--source", help="Take the text before as source, if there is none.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option("--documents", metavar="FOLDER", help="Documents of ContraPro, for its context.")
    ] = None,
    count: Annotated[
        Literal["groups", "pairs"] | None, typer.Option("--count", help="What is judged.  [as the task does it]")
    ] = None,
    by: Annotated[
        Literal["phenomenon", "label", "length"], typer.Option("--by", help="What has a column.")
    ] = "phenomenon",
    resamples: Annotated[int, typer.Option("--resamples", metavar="N", help="For intervals.")] = 1_000,
    confidence: Annotated[float, typer.Option("--confidence", help="Of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of everything random.")] = 0,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    table: Annotated[
        Literal["accuracy", "differences", "groups"] | None,
        typer.Option("--table", help="Only this one; csv holds one, accuracy unless told."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.json", help="Keep everything there.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Prefer the right variant: coheval bench groups.jsonl -m chrf 'bertscore(context=2)'"""
    from coheval.data.whole import write_whole
    from coheval.run import bench as room
    from coheval.run.benchtables import FORMATS

    if not data or not metrics:
        raise UsageError(
            f"expected {'metrics (-m)' if data else 'a file of groups'}, got none",
            hint="coheval bench groups.jsonl -m chrf, the file before -m; `coheval list` shows the metrics",
        )
    if format == "latex" and table not in (None, "accuracy"):
        raise UsageError(f"the table {table!r} has no LaTeX form", hint="--format text, csv or json")
    if format == "json" and table is not None:
        raise UsageError("JSON holds all tables", hint="leave --table out, or take --format csv")
    if output is not None:
        check_output(output, overwrite=overwrite, ending=".json")
    made = [_task(spec, documents) for spec in task or ["contrastive"]]
    instances = room.instances_of(data, made, seed)
    if table == "differences" and len(room.conditions(context, instances)) == len(metrics) == 1:
        raise UsageError(
            "expected two metrics or conditions to tell apart, got one", hint="drop --context, or name another metric"
        )
    with progress("scoring", room.characters(instances, context)) as advance:
        found = room.bench(
            instances,
            metrics,
            task=made,
            context=context,
            count=count,
            source=source,
            by=by,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            progress=advance,
        )
    try:
        if output is not None:
            write_whole(output, found.to_json().encode() + b"\n", what="the bench")
            typer.echo(f"written: {output}", err=True)
    finally:  # one way to the figures may be closed, the other is not
        typer.echo(FORMATS[format](found, table), nl=False)
    if format == "text" and table is None:
        typer.echo()
        for name, signature in found.signatures.items():
            typer.echo(f"{name}: {signature}")
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)


def _task(spec: str, documents: Path | None) -> Task:
    from coheval.grammar import Spec
    from coheval.spec import build
    from coheval.tasks import task

    made = task(spec)
    if documents is None:
        return made
    if "documents" not in made.parameters():
        raise UsageError(f"--documents has no meaning for {made.name()}", hint="leave it out")
    return build(type(made), Spec(made.name(), params={**made.spec.params, "documents": str(documents)}))
