"""`coheval agree`: how far metrics agree with people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from coheval.cli._options import Format
from coheval.cli._progress import progress
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.data import Corpus
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
    least: Annotated[
        float | None, typer.Option("--least", help="How far apart ratings make a preference.  [any; darr: 25]")
    ] = None,
    resample: Annotated[
        Literal["documents", "systems", "both"], typer.Option("--resample", help="What the bootstrap draws.")
    ] = "documents",
    resamples: Annotated[int, typer.Option("--resamples", help="How often.")] = 1000,
    confidence: Annotated[float, typer.Option("--confidence", help="Of intervals.")] = 0.95,
    test: Annotated[Test, typer.Option("--test", help="Between metrics.")] = "bootstrap",
    one_sided: Annotated[bool, typer.Option("--one-sided", help="Test whether the one ahead is better.")] = False,
    correction: Annotated[
        Literal["holm", "bh", "none"], typer.Option("--correction", help="For many pairs of metrics.")
    ] = "holm",
    alpha: Annotated[float, typer.Option("--alpha", help="What is significant.")] = 0.05,
    absolute: Annotated[bool, typer.Option("--absolute", help="Drop the signs.")] = False,
    drop_unmatched: Annotated[
        bool, typer.Option("--drop-unmatched", help="Drop judgements of texts that are not there, and count them.")
    ] = False,
    part: Annotated[str | None, typer.Option("--part", metavar="NAME", help="Of a data set, such as cs-en.")] = None,
    differences: Annotated[bool, typer.Option("--differences", help="Print every pair of metrics too.")] = False,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="FOLDER", help="Draw figures there (extra `figures`).")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    seed: Annotated[int, typer.Option("--seed", help="Of everything random.")] = 0,
) -> None:
    """Agreement with people: coheval agree runs/a judgements.jsonl --level system --statistic kendall"""
    from coheval.run.agreement import agree as measure

    table, opinions, chosen = _given(run, judgements, metrics, part)
    found = measure(
        table,
        opinions,
        aspects=aspects,
        metrics=chosen,
        level=level,
        statistic=statistic,
        average=average,
        least=least,
        resample=resample,
        resamples=resamples,
        confidence=confidence,
        test=test,
        one_sided=one_sided,
        correction=correction,
        alpha=alpha,
        absolute=absolute,
        drop_unmatched=drop_unmatched,
        seed=seed,
    )
    _print(found, format, differences)


def _given(
    run: str, judgements: str | None, metrics: list[str] | None, part: str | None
) -> tuple[ScoreTable, Judgements, list[str] | None]:
    from coheval.run.folder import MANIFEST
    from coheval.run.scoretable import ScoreTable

    if not os.path.exists(os.path.join(run, MANIFEST)):
        corpus, opinions = _texts(run, judgements, part)
        return _scored(corpus, metrics or ["moverscore"]), opinions, None
    if judgements is None:
        raise UsageError("a run folder has no judgements", where=run, hint=f"coheval agree {run} judgements.jsonl")
    return ScoreTable.read(run), _judgements(judgements, part), metrics


def _texts(data: str, judgements: str | None, part: str | None) -> tuple[Corpus, Judgements]:
    from coheval.data import Corpus
    from coheval.data.datasets import find
    from coheval.data.files import read

    dataset = find(data, part) if os.path.isdir(data) else None
    if dataset is not None:
        return Corpus.of(dataset.records()), _judgements(judgements, part) if judgements else dataset.judgements()
    return Corpus.of(read(data, pair=part)), _judgements(judgements or data, part)


def _judgements(path: str, part: str | None) -> Judgements:
    from coheval.data.datasets import find
    from coheval.data.judged import read_judgements

    dataset = find(path, part) if os.path.isdir(path) else None
    return read_judgements(path, pair=part) if dataset is None else dataset.judgements()


def _scored(corpus: Corpus, metrics: list[str]) -> ScoreTable:
    from coheval.run.score import evaluate, named
    from coheval.run.scoretable import ScoreTable

    with progress("scoring", corpus.characters) as advance:
        return ScoreTable.of(evaluate(corpus, named(metrics), progress=advance))


def _print(found: Agreement, format: Format, differences: bool) -> None:
    from coheval.run.agreement import tables

    typer.echo(tables.FORMATS[format](found), nl=False)
    if differences and format == "text":
        typer.echo()
        typer.echo(tables.differences(found), nl=False)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
