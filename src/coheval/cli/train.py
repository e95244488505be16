"""`coheval train`: what is learnt from data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from coheval.cli._judged import Documents, DropUnmatched, LowerIsBetter, Part, Raters, Reader, Weights
from coheval.cli._options import SeveralValues
from coheval.cli._output import check_output
from coheval.errors import ResourceError, UsageError

app = typer.Typer(
    name="train", help="Learn from data what a metric needs.", no_args_is_help=True, rich_markup_mode=None
)

Method = Literal["uniform", "logistic", "ridge"]
Scaling = Literal["minmax", "rank", "standard"]


@app.command(cls=SeveralValues)
def rst(
    folder: Annotated[Path, typer.Argument(help="GUM: a checkout, or its archives dep and rst_lisp_binary.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.safetensors", help="Where to write it.")],
    genres: Annotated[
        Literal["permissive", "all"],
        typer.Option("--genres", help="Texts that may be used for any purpose, or all of them."),
    ] = "permissive",
    seeds: Annotated[
        list[int] | None, typer.Option("--seeds", metavar="NUMBERS", help="A network for each.  [1 2 3 4]")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Rounds over the training data.")] = 12,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, help="Networks that are trained at once; needs fork, as on Linux.")
    ] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Train a discourse parser: coheval train rst gum -o mine.safetensors, then rst(model='mine.safetensors')"""
    check_output(output, overwrite=overwrite)
    try:
        from coheval.run.rst.train import train_rst
        from coheval.run.rst.training import Recipe
    except ImportError as error:
        raise ResourceError(f"training needs torch: {error}", hint="pip install 'coheval[torch]'") from None

    outcome = train_rst(
        folder,
        output,
        genres=genres,
        seeds=seeds or (1, 2, 3, 4),
        recipe=Recipe(epochs=epochs),
        jobs=jobs,
        tell=lambda message: typer.echo(message, err=True),
    )
    for member in outcome.members:
        typer.echo(f"seed {member.seed}, epoch {member.epoch}: {member.figures}")
    typer.echo(f"together: {outcome.figures}")
    typer.echo(f"model: {output}", err=True)


@app.command(cls=SeveralValues)
def comet(
    folders: Annotated[list[Path] | None, typer.Argument(help="Judged sets, read with their references.")] = None,
    sources: Annotated[
        list[Path] | None,
        typer.Option("--sources", metavar="FOLDERS", help="Judged sets whose sources are read in place of references."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.safetensors", help="Where to write it.")
    ] = None,
    seeds: Annotated[
        list[int] | None, typer.Option("--seeds", metavar="NUMBERS", help="A network for each.  [1 2 3]")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Batches that a network sees.")] = 800,
    cross_validate: Annotated[
        bool, typer.Option("--cross-validate", help="Also hold out each language pair, and print what is said of it.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Train an estimator: coheval train comet wmt17 wmt19 -o mine.safetensors, then comet(model='mine.safetensors')"""
    if not folders and not sources:
        raise UsageError("no judged set was named", hint="coheval train comet FOLDER -o mine.safetensors")
    if output is None and not cross_validate:
        raise UsageError("nothing would be kept", hint="name a file with -o, or add --cross-validate")
    if output is not None:
        check_output(output, overwrite=overwrite, ending=".safetensors")
    try:
        from coheval.run.comet.train import train_comet
        from coheval.run.comet.training import Recipe
    except ImportError as error:
        raise ResourceError(f"training needs torch: {error}", hint="pip install 'coheval[torch]'") from None

    held = train_comet(
        folders or [],
        sources or [],
        output=output,
        seeds=seeds or (1, 2, 3),
        recipe=Recipe(steps=steps),
        hold_out=lambda group: cross_validate,
        tell=lambda message: typer.echo(message, err=True),
    )
    for group in held:
        figures = {"Pearson": group.pearson, "preferences the same way": group.agreed}
        told = ", ".join(f"{name} {value:.4f}" for name, value in figures.items() if value is not None)
        typer.echo(f"held out {group.group}, {len(group.scores) + len(group.pairs):,} judgements: {told}")
    if output is not None:
        typer.echo(f"model: {output}", err=True)


@app.command(cls=SeveralValues)
def coherence(
    corpora: Annotated[list[Path], typer.Argument(metavar="CORPUS…", help="Files or folders of documents.")],
    model: Annotated[str, typer.Option("--model", metavar="SPEC", help="Which one, such as unc.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.onnx", help="Where to write it.")],
    task: Annotated[
        list[str] | None, typer.Option("--task", metavar="SPECS", help="What makes groups to learn from.  [order]")
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="At most.  [the model's own]")] = None,
    negatives: Annotated[
        int | None, typer.Option("--negatives", min=1, help="Wrong variants of a group in an epoch.  [the model's own]")
    ] = None,
    rate: Annotated[float | None, typer.Option("--rate", help="Of learning.  [the model's own]")] = None,
    hidden: Annotated[int | None, typer.Option("--hidden", min=1, help="Width of states.  [the model's own]")] = None,
    max_documents: Annotated[
        int | None, typer.Option("--max-documents", min=1, help="Of the training part, drawn.  [3,000]")
    ] = None,
    max_held_out: Annotated[
        int | None, typer.Option("--max-held-out", min=1, help="Documents of the development part, drawn.  [500]")
    ] = None,
    lessons: Annotated[
        Path | None,
        typer.Option("--lessons", metavar="FILE.toml", help="Which files of a folder, CORPUS, are for which tasks."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Make other wrong variants for each epoch.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a training that was stopped.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Train a coherence model: coheval train coherence texts.jsonl --model unc --task order -o unc.onnx"""
    check_output(output, overwrite=overwrite, ending=".onnx")
    try:
        from coheval.run.coherence.lessons import Lessons
        from coheval.run.coherence.train import Learnt, Lesson, learner, train_coherence
    except ImportError as error:
        raise ResourceError(f"training needs torch: {error}", hint="pip install 'coheval[torch]'") from None

    named = learner(model)
    learnt: Learnt
    if lessons is None:
        learnt = Lesson.of(
            corpora,
            task or ["order"],
            seed=seed,
            max_documents=max_documents or 3_000,
            max_held_out=max_held_out or 500,
            fresh=fresh,
        )
    elif task or max_documents or max_held_out or len(corpora) > 1:
        raise UsageError(
            "lessons say which files of one folder are read, how many documents, and for which tasks",
            hint="leave --task, --max-documents, --max-held-out and other files out",
        )
    else:
        learnt = Lessons.read(lessons, corpora[0], seed=seed, fresh=fresh)
    trained = train_coherence(
        learnt,
        named,
        output,
        recipe=named.recipe.changed(epochs=epochs, negatives=negatives, rate=rate, hidden=hidden),
        resume=resume,
        overwrite=overwrite,
        tell=lambda message: typer.echo(message, err=True),
    )
    typer.echo(f"epoch {trained.epoch} of {trained.epochs}: {trained.accuracy:.2%} of {trained.pairs:,} held-out pairs")
    typer.echo(f"model: {output}", err=True)


@app.command(cls=SeveralValues)
def combination(
    run: Annotated[Path, typer.Argument(help="A run folder that has the members' scores.")],
    judgements: Annotated[str, typer.Argument(help="What people say of its texts: a file or folder.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write the model, as JSON.")],
    aspect: Annotated[str | None, typer.Option("--aspect", metavar="NAME", help="Which one.  [the only one]")] = None,
    method: Annotated[
        Method, typer.Option("--method", help="Weights from preferences (logistic), from ratings (ridge), or equal.")
    ] = "logistic",
    scaling: Annotated[Scaling, typer.Option("--scaling", help="How members' scores are made comparable.")] = "minmax",
    members: Annotated[
        list[str] | None, typer.Option("--members", metavar="SPECS", help="Which metrics of the run.  [all]")
    ] = None,
    nonnegative: Annotated[bool, typer.Option("--nonnegative", help="Let no member count against.")] = False,
    penalties: Annotated[
        list[float] | None, typer.Option("--penalties", metavar="NUMBERS", help="To choose among by cross-validation.")
    ] = None,
    folds: Annotated[int, typer.Option("--folds", help="Of cross-validation.")] = 5,
    hold_out: Annotated[
        Literal["document", "group"],
        typer.Option("--hold-out", help="What stays together: documents, or their groups."),
    ] = "document",
    level: Annotated[
        Literal["segment", "document"],
        typer.Option("--level", help="Scores of what are learnt from, and made by the model."),
    ] = "segment",
    drop_unmatched: DropUnmatched = False,
    part: Part = None,
    raters: Raters = None,
    lower_is_better: LowerIsBetter = None,
    weights: Weights = None,
    documents: Documents = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the folds.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Tune a combination: coheval train combination runs/a judgements.jsonl -o model.json"""
    from coheval.metrics._combined import described
    from coheval.run.combine import PENALTIES
    from coheval.run.recipes import expanded
    from coheval.run.scoretable import ScoreTable
    from coheval.run.tune import train

    check_output(output, overwrite=overwrite)
    asked = [aspect] if aspect else None
    reader = Reader(part, asked, raters, tuple(lower_is_better or ()), weights or (), documents)
    combiner = train(
        ScoreTable.read(run),
        reader.judgements(judgements),
        aspect=aspect,
        level=level,
        members=None if members is None else expanded(members),
        hold_out=hold_out,
        drop_unmatched=drop_unmatched,
        method=method,
        scaling=scaling,
        penalties=tuple(penalties or PENALTIES),
        folds=folds,
        seed=seed,
        nonnegative=nonnegative,
    )
    combiner.save(output, tuned_on=f"{run} with {judgements}" + (f", {aspect}" if aspect else ""))
    typer.echo("\n".join(described(combiner.model_)))
    for note in combiner.notes_:
        typer.echo(f"note: {note}", err=True)
    typer.echo(f"model: {output}", err=True)
