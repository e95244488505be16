"""`coheval agree`: how far metrics agree with people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from coheval.cli._judged import Documents, DropUnmatched, LowerIsBetter, Part, Raters, Reader, Weights
from coheval.cli._options import Format
from coheval.cli._progress import progress
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.data.judgements import Judgements
    from coheval.run.agreement import Agreement
    from coheval.run.scoretable import ScoreTable

Level = Literal["system", "document", "segment", "summary"]
Statistic = Literal[
    "pearson", "spearman", "kendall", "kendall-c", "wmt12", "wmt13", "wmt14", "darr", "accuracy", "acc-eq", "spa"
]
Test = Literal["bootstrap", "perm-both", "perm-inputs", "perm-systems", "williams", "randomisation"]


def agree(
    run: Annotated[str, typer.Argument(help="A run folder, or texts to score: a judged data set's folder or a file.")],
    judgements: Annotated[
        str | None, typer.Argument(help="What people say: a file or folder; left out, it comes with the texts.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metrics", metavar="SPECS", help="Of a run: which ones.  [all]  Of texts: [moverscore]"),
    ] = None,
    aspects: Annotated[list[str] | None, typer.Option("--aspects", metavar="NAMES", help="Which ones.  [all]")] = None,
    level: Annotated[Level | None, typer.Option("--level", help="Agreement on what.  [as the data allow]")] = None,
    statistic: Annotated[Statistic | None, typer.Option("--statistic", help="[kendall; wmt14 of comparisons]")] = None,
    average: Annotated[
        Literal["pooled", "item", "system"] | None, typer.Option("--average", help="Over all texts, or by what.")
    ] = None,
    of_means: Annotated[
        bool, typer.Option("--of-means", help="A system's score is the mean of its texts', whatever its metric does.")
    ] = False,
    least: Annotated[
        float | None, typer.Option("--least", help="How far apart ratings make a preference.  [any; darr: 25]")
    ] = None,
    resample: Annotated[
        Literal["documents", "systems", "both"], typer.Option("--resample", help="What the bootstrap draws.")
    ] = "documents",
    resamples: Annotated[
        int | None, typer.Option("--resamples", help="How often.  [1,000, or as many pairs of metrics need]")
    ] = None,
    confidence: Annotated[
        float, typer.Option("--confidence", help="Of intervals; p is significant below 1 − confidence.")
    ] = 0.95,
    test: Annotated[Test, typer.Option("--test", help="Between metrics.")] = "bootstrap",
    one_sided: Annotated[bool, typer.Option("--one-sided", help="Test whether the one ahead is better.")] = False,
    correction: Annotated[
        Literal["holm", "benjamini-hochberg", "none"], typer.Option("--correction", help="For many pairs of metrics.")
    ] = "holm",
    absolute: Annotated[bool, typer.Option("--absolute", help="Drop the signs.")] = False,
    drop_unmatched: DropUnmatched = False,
    raters: Raters = None,
    lower_is_better: LowerIsBetter = None,
    weights: Weights = None,
    documents: Documents = None,
    part: Part = None,
    differences: Annotated[bool, typer.Option("--differences", help="Print every pair of metrics too.")] = False,
    between: Annotated[
        bool, typer.Option("--between", help="How metrics correlate with each other; needs no judgements.")
    ] = False,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="FOLDER", help="Draw figures there (extra `figures`).")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    seed: Annotated[int, typer.Option("--seed", help="Of everything random.")] = 1,
) -> None:
    """Agreement with people: coheval agree runs/a judgements.jsonl --level system --statistic kendall"""
    from coheval.run.agreement import agree as measure
    from coheval.run.recipes import expanded

    if format == "latex" and (between or differences):  # refused before the long work of scoring
        raise UsageError("tables of pairs of metrics have no LaTeX form", hint="--format text, csv or json")
    metrics = None if metrics is None else expanded(metrics)
    reader = Reader(part, aspects, raters, tuple(lower_is_better or ()), weights or (), documents)
    if between:
        if judgements or aspects or figures:
            raise UsageError(
                "--between is about metrics alone",
                hint="drop judgements, --aspects and --figures; figures show it, too",
            )
        _between(_table(run, metrics, part), metrics, level, statistic, format)
        return
    opinions = _opinions(run, judgements, reader)  # read first: scoring may take long
    table = _table(run, metrics, part)
    found = measure(
        table,
        opinions,
        aspects=aspects,
        metrics=metrics,
        level=level,
        statistic=statistic,
        average=average,
        of_means=of_means,
        least=least,
        resample=resample,
        resamples=resamples,
        confidence=confidence,
        test=test,
        one_sided=one_sided,
        correction=correction,
        absolute=absolute,
        drop_unmatched=drop_unmatched,
        seed=seed,
    )
    _print(found, format, differences)
    if figures is not None:
        from coheval.report.measured import draw_measured

        drawn = draw_measured(figures, table, opinions, found)
        for path in drawn.files:
            typer.echo(f"figure: {path}", err=True)
        for name, reason in drawn.left_out.items():
            typer.echo(f"note: the figure {name!r} was not drawn: {reason}", err=True)


def _opinions(run: str, judgements: str | None, reader: Reader) -> Judgements:
    if judgements is None and _is_run(run):
        raise UsageError("a run folder has no judgements", where=run, hint=f"coheval agree {run} judgements.jsonl")
    return reader.judgements(judgements or run)


def _table(run: str, metrics: list[str] | None, part: str | None) -> ScoreTable:
    """A run's scores, or those of texts that are scored now."""
    from coheval.data import Corpus
    from coheval.data.files import read
    from coheval.run.score import evaluate, named
    from coheval.run.scoretable import ScoreTable

    if _is_run(run):
        return ScoreTable.read(run)
    corpus = Corpus.of(read(run, pair=part))
    with progress("scoring", corpus.characters) as advance:
        return ScoreTable.of(evaluate(corpus, named(metrics or ["moverscore"]), progress=advance))


def _is_run(path: str) -> bool:
    from coheval.run.folder import MANIFEST

    return os.path.exists(os.path.join(path, MANIFEST))


def _between(
    table: ScoreTable, metrics: list[str] | None, level: Level | None, statistic: Statistic | None, format: Format
) -> None:
    from coheval.run.agreement import between

    among = "document" if level == "summary" else level or "segment"
    found = between(table, metrics=metrics, statistic=statistic or "pearson", level=among)
    printed = {"json": found.to_json() + "\n", "csv": found.to_pandas().to_csv()}
    typer.echo(printed.get(format, repr(found)), nl=False)


def _print(found: Agreement, format: Format, differences: bool) -> None:
    from coheval.run.agreement import tables

    if differences and format == "csv":  # a file holds one table
        typer.echo(tables.differences_csv(found), nl=False)
    else:
        typer.echo(tables.FORMATS[format](found), nl=False)
    if differences and format == "text":
        typer.echo()
        typer.echo(tables.differences(found), nl=False)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
