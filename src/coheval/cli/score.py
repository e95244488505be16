"""`coheval score`: candidates and metrics in, a table and a run folder out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coheval.cli._job import Job, Level
from coheval.cli._options import Candidates, Data, DocumentIds, Format
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.run.folder import Inputs


def score(
    data: Data = None,
    candidates: Candidates = None,
    references: Annotated[
        list[str] | None,
        typer.Option(
            "-r", "--references", metavar="FILES", help="References, line by line; of a test-set folder, their names."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option("-s", "--source", metavar="FILE", help="Source texts, line by line.")
    ] = None,
    documents: DocumentIds = None,
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metric specs.  [moverscore]")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write a run folder.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing run folder.")] = False,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    level: Annotated[Level, typer.Option("--level", help="Scores of what.")] = "system",
    evidence: Annotated[bool, typer.Option("--evidence", help="Keep in the run folder what scores rest on.")] = False,
    pair: Annotated[
        str | None,
        typer.Option("--pair", "--part", metavar="NAME", help="Language pair or part of a folder, such as de-en."),
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="Let hf(model=…) fetch models from the hub.")] = False,
    repeat: Annotated[
        Path | None, typer.Option("--repeat", metavar="FOLDER", help="Do again what a run folder's manifest says.")
    ] = None,
) -> None:
    """Score candidates: coheval score -c sysA.txt sysB.txt -r ref.txt -m moverscore chrf -o runs/a"""
    from coheval.run.score import named

    if online:
        del os.environ["HF_HUB_OFFLINE"]
    if evidence and output is None:
        raise UsageError("--evidence is kept in a run folder", hint="add -o runs/name")
    if repeat is not None:
        if data or candidates or references or source or documents or metrics or pair:
            raise UsageError("--repeat takes its inputs and metrics from the manifest", hint="drop the other arguments")
        _repeat(repeat, output and output.absolute(), overwrite, format, level, evidence)
        return
    inputs = _inputs(data, pair, candidates or [], references or [], source, documents)
    asked = named(metrics or ["moverscore"])
    Job(inputs, asked, inputs.corpus, output, overwrite, format, level, evidence).run()


def _repeat(folder: Path, output: Path | None, overwrite: bool, format: Format, level: Level, evidence: bool) -> None:
    from coheval.run.folder import read_plan

    plan = read_plan(folder)
    if plan.folder.is_dir():  # if it is gone, specs with relative paths will say what they miss
        os.chdir(plan.folder)
    evidence = output is not None and (evidence or plan.evidence)
    job = Job(plan.inputs, plan.metrics(), plan.corpus, output, overwrite, format, level, evidence)
    moved = plan.compare(job.run())
    for remark in moved or ["every system's score is what it was"]:
        typer.echo(f"repeated: {remark}", err=True)
    if moved:
        raise typer.Exit(1)


def _inputs(
    data: str | None,
    pair: str | None,
    candidates: list[str],
    references: list[str],
    source: str | None,
    documents: str | None,
) -> Inputs:
    """What to score, from options of which only some go together."""
    from coheval.data.files import system_files
    from coheval.run.folder import Inputs

    if (data is None) == (not candidates):
        raise UsageError(
            "expected either a data file or candidates (-c), got " + ("both" if data else "neither"),
            hint="coheval score -c out.txt -r ref.txt, or coheval score data.jsonl -m chrf, the file before -m",
        )
    if data is not None and (source or documents or (references and not os.path.isdir(data))):
        raise UsageError("-r, -s and -d go with -c; a data file brings its own", hint="drop them, or use -c")
    if pair and data is None:
        raise UsageError(
            "--pair goes with a test-set folder", hint="name the folder: coheval score FOLDER --pair de-en"
        )
    return Inputs(
        data=data,
        pair=pair,
        candidates=system_files(candidates) if candidates else None,
        references=tuple(references),
        source=source,
        documents=documents,
    )
