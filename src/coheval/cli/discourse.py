"""`coheval discourse`: how the discourse of texts differs from that of their references."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from coheval.cli._judged import DropUnmatched, LowerIsBetter, Part, Raters, Reader, Weights
from coheval.cli._options import Candidates, Data, DocumentIds, Format
from coheval.cli._progress import progress
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.data import Corpus
    from coheval.run.discoursegroups import Groups


def discourse(
    data: Data = None,
    candidates: Candidates = None,
    references: Annotated[
        list[str] | None,
        typer.Option("-r", "--references", metavar="FILES", help="References, line by line; the first one counts."),
    ] = None,
    documents: DocumentIds = None,
    judgements: Annotated[
        str | None,
        typer.Option("--judgements", metavar="FILE", help="Compare the best and the worst text of each segment."),
    ] = None,
    aspect: Annotated[str | None, typer.Option("--aspect", metavar="NAME", help="Of judgements with several.")] = None,
    parser: Annotated[str, typer.Option("--parser", metavar="SPEC", help="An annotator that gives trees.")] = "rst",
    drop_unmatched: DropUnmatched = False,
    raters: Raters = None,
    lower_is_better: LowerIsBetter = None,
    weights: Weights = None,
    part: Part = None,
    confidence: Annotated[float, typer.Option("--confidence", help="Of intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option("--resamples", metavar="N", help="Of texts, for intervals.")] = 1_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of everything random.")] = 1,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    table: Annotated[
        Literal["groups", "relations"] | None,
        typer.Option("--table", help="Only this one; csv holds one, groups unless told."),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw relations there (extra `figures`).")
    ] = None,
) -> None:
    """Discourse beside that of references: coheval discourse -c sysA.txt sysB.txt -r ref.txt"""
    from coheval.run.discourse import discourse as compare
    from coheval.run.discoursegroups import by_system, good_and_bad
    from coheval.run.discoursetables import FORMATS

    if judgements is None and (aspect or raters or lower_is_better or weights or drop_unmatched):
        raise UsageError("--aspect, --raters and the like go with --judgements", hint="add --judgements FILE")
    if figure is not None:
        _check_figure(figure)
    with _corpus(data, part, candidates or [], references or [], documents) as corpus:
        if judgements is None:
            groups = by_system(corpus)
        else:
            asked = [aspect] if aspect else None
            reader = Reader(part, asked, raters, tuple(lower_is_better or ()), weights or ())
            opinions = reader.judgements(judgements)
            groups = good_and_bad(corpus, opinions, aspect=aspect, drop_unmatched=drop_unmatched, seed=seed)
    with progress("parsing", _characters(groups)) as advance:
        found = compare(
            groups.candidates,
            groups.references,
            parser=parser,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            progress=advance,
        )
    typer.echo(FORMATS[format](found, table), nl=False)
    for note in groups.notes:
        typer.echo(f"note: {note}", err=True)
    if figure is not None:
        from coheval.report import draw_relations, save

        shares = {group: list(found.shares(group).values()) for group in found.groups}
        drawn = draw_relations(list(found.shares()), list(found.shares().values()), shares)
        typer.echo(f"figure: {save(drawn, figure)}", err=True)


def _check_figure(path: Path) -> None:
    """Before texts are parsed, which may take hours."""
    from coheval.report.saving import FORMATS

    if path.suffix.lower() not in FORMATS:
        raise UsageError(
            f"a figure's file must end with {', '.join(FORMATS)}, got {path.suffix or 'no ending'!r}",
            where=str(path),
            hint=f"call it {path.stem or 'figure'}.svg",
        )


def _corpus(
    data: str | None, part: str | None, candidates: list[str], references: list[str], documents: str | None
) -> Corpus:
    """The texts, from options of which only some go together."""
    from coheval.data.files import system_files
    from coheval.run.folder import Inputs

    if data is not None and not (candidates or references or documents):
        return Inputs(data=data, pair=part).corpus()
    if data is not None or not (candidates and references):
        raise UsageError(
            "expected either a data file, or candidates (-c) and their references (-r)",
            hint="coheval discourse -c out.txt -r ref.txt, or coheval discourse data.jsonl, which has both",
        )
    return Inputs(candidates=system_files(candidates), references=tuple(references), documents=documents).corpus()


def _characters(groups: Groups) -> int:
    """Of the distinct texts."""
    return sum(map(len, {*groups.references, *(text for texts in groups.candidates.values() for text in texts)}))
