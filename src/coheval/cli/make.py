"""`coheval make`: groups of right and wrong variants from a corpus of documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coheval.cli._output import check_output
from coheval.errors import UsageError


def make(
    corpora: Annotated[
        list[str] | None, typer.Argument(metavar="CORPUS…", help="Files or folders of documents (docs/tasks.md), or -")
    ] = None,
    task: Annotated[str | None, typer.Option("--task", metavar="SPEC", help="How groups are made.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.jsonl", help="Where they are kept; .jsonl.gz too.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of everything random.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Make wrong variants: coheval make corpus.txt --task order -o groups.jsonl"""
    from coheval.run import make as room
    from coheval.tasks import task as build

    if not corpora or task is None or output is None:
        missing = "a corpus" if not corpora else "a task (--task)" if task is None else "a file to write (-o)"
        raise UsageError(f"expected {missing}, got none", hint="coheval make corpus.txt --task order -o groups.jsonl")
    if not output.name.endswith((".jsonl", ".jsonl.gz")):
        raise UsageError(
            f"the file must end with .jsonl or .jsonl.gz, got {output.suffix or 'no ending'!r}",
            where=str(output),
            hint=f"call it {output.stem}.jsonl",
        )
    check_output(output, overwrite=overwrite)
    made = room.make(corpora, build(task), output, seed=seed)
    negatives = sum(len(group.wrong) for group in made.groups)
    typer.echo(f"groups: {len(made.groups):,}  negatives: {negatives:,}  left out: {len(made.left_out):,}")
    typer.echo(f"written: {output}", err=True)
    for note in made.notes():
        typer.echo(f"note: {note}", err=True)
