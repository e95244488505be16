"""`coheval report`: a run as one page, or as tables."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from coheval.cli._judged import DropUnmatched, LowerIsBetter, Part, Raters, Reader
from coheval.cli._output import check_output
from coheval.cli._progress import progress
from coheval.cli.agree import Level, Statistic
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.report.making import Report

Format = Literal["html", "markdown", "latex", "json"]


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder, made by coheval score -o.")],
    judgements: Annotated[str | None, typer.Argument(help="What people say of the texts: a file or folder.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="[report.html in the run folder; else printed]"),
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="One page, or its tables.")] = "html",
    explain: Annotated[
        int | None,
        typer.Option(
            "--explain",
            metavar="N",
            min=0,
            help="How many documents to explain.  [all with evidence; 50 of a run that kept none, computed now]",
        ),
    ] = None,
    level: Annotated[Level | None, typer.Option("--level", help="Of agreement.  [as the data allow]")] = None,
    statistic: Annotated[
        Statistic | None, typer.Option("--statistic", help="Of agreement.  [kendall; wmt14 of comparisons]")
    ] = None,
    aspects: Annotated[list[str] | None, typer.Option("--aspects", metavar="NAMES", help="Which ones.  [all]")] = None,
    drop_unmatched: DropUnmatched = False,
    raters: Raters = None,
    lower_is_better: LowerIsBetter = None,
    part: Part = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
) -> None:
    """One page about a run: scores, documents, and why each score is what it is.  coheval report runs/a"""
    from coheval.report.making import report as make
    from coheval.run.folder import REPORT

    if output is not None:
        check_output(output, overwrite=overwrite)
    elif format == "html" and folder.is_dir():
        check_output(folder / REPORT, overwrite=True)  # it is made of the run, and made again
    chosen: dict[str, Any] = {"level": level, "statistic": statistic, "aspects": aspects}
    agreement = {name: value for name, value in chosen.items() if value is not None}
    if drop_unmatched:
        agreement["drop_unmatched"] = True
    reader = Reader(part, aspects, raters, tuple(lower_is_better or ()))
    opinions = None if judgements is None else reader.judgements(judgements)
    if opinions is None and (raters or lower_is_better or part):
        raise UsageError("--raters, --lower-is-better and --part go with judgements", hint="name their file")
    if format in ("markdown", "latex") and (explain is None or explain > 0):
        explain = 0  # their tables show no evidence
    with progress("explaining", None) as advance:
        made = make(folder, opinions, explain=explain, progress=advance, **agreement)
    made.command = shlex.join(["coheval", *sys.argv[1:]])
    _give(made, folder, output, format)


def _give(made: Report, folder: Path, output: Path | None, format: Format) -> None:
    from coheval.data.whole import write_whole
    from coheval.run.folder import REPORT

    for note in made.notes:
        typer.echo(f"note: {note}", err=True)
    if format == "html":
        typer.echo(made.save(output or folder / REPORT))
        return
    text = {"markdown": made.markdown, "latex": made.latex, "json": made.to_json}[format]()
    if output is None:
        typer.echo(text, nl=False)
        return
    write_whole(output, text.encode("utf-8"), what="the report")
    typer.echo(output)
