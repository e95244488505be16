"""The command line. The only place that prints or exits.

Results go to standard output; progress, notes and errors to standard error. Exit codes: 2 usage, 3 data, 4 resources,
5 a metric failed, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from coheval import registry
from coheval.errors import CohevalError, ResourceError, UnknownName, UsageError, did_you_mean
from coheval.version import __version__

if TYPE_CHECKING:
    from coheval.data import Corpus
    from coheval.metrics import Metric
    from coheval.run import Result
    from coheval.run.folder import Inputs

app = typer.Typer(
    name="coheval",
    help="Score generated text beyond the sentence, and see why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_SEVERAL = {"-c": "-c", "--candidates": "-c", "-r": "-r", "--references": "-r", "-m": "-m", "--metrics": "-m"}
_DEMO = Path("runs/demo")
Format = Literal["text", "json", "csv", "latex"]
Level = Literal["system", "document", "segment"]


class _SeveralValues(TyperCommand):
    """Lets `-c a.txt b.txt` stand for `-c a.txt -c b.txt`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_repeat_flags(args)))


def _repeat_flags(args: list[str]) -> Iterator[str]:
    flag = None
    fresh = False  # the flag itself was just given, so its first value needs no repetition
    for arg in args:
        if arg.startswith("-") and arg != "-":
            flag, fresh = _SEVERAL.get(arg.partition("=")[0]), "=" not in arg
        elif flag and not fresh:
            yield flag
        else:
            fresh = False
        yield arg


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"coheval {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")] = False,
) -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"  # before anything reads it; `score --online` takes it back


@app.command(cls=_SeveralValues)
def score(
    data: Annotated[
        str | None, typer.Argument(help=".jsonl, .csv or .tsv file (.gz too), test-set folder, or -")
    ] = None,
    candidates: Annotated[
        list[str] | None, typer.Option("-c", "--candidates", metavar="FILES", help="Texts, one segment a line.")
    ] = None,
    references: Annotated[
        list[str] | None,
        typer.Option(
            "-r", "--references", metavar="FILES", help="References, line by line; of a test-set folder, their names."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option("-s", "--source", metavar="FILE", help="Source texts, line by line.")
    ] = None,
    documents: Annotated[
        str | None, typer.Option("-d", "--documents", metavar="FILE", help="A document id for each line.")
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metric specs.  [moverscore]")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write a run folder.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing run folder.")] = False,
    format: Annotated[Format, typer.Option("--format", help="What is printed.")] = "text",
    level: Annotated[Level, typer.Option("--level", help="Scores of what.")] = "system",
    evidence: Annotated[bool, typer.Option("--evidence", help="Keep in the run folder what scores rest on.")] = False,
    pair: Annotated[
        str | None, typer.Option("--pair", metavar="PAIR", help="Language pair of a test-set folder, such as de-en.")
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
    _Job(inputs, asked, inputs.corpus, output, overwrite, format, level, evidence).run()


def _repeat(folder: Path, output: Path | None, overwrite: bool, format: Format, level: Level, evidence: bool) -> None:
    from coheval.run.folder import read_plan

    plan = read_plan(folder)
    if plan.folder.is_dir():  # if it is gone, specs with relative paths will say what they miss
        os.chdir(plan.folder)
    evidence = output is not None and (evidence or plan.evidence)
    job = _Job(plan.inputs, plan.metrics(), plan.corpus, output, overwrite, format, level, evidence)
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


@dataclass(frozen=True)
class _Job:
    """A scoring run, printed and written."""

    inputs: Inputs
    metrics: dict[str, Metric]
    read: Callable[[], Corpus]
    output: Path | None
    overwrite: bool
    format: Format
    level: Level
    evidence: bool

    def run(self) -> Result:
        from coheval.run import folder
        from coheval.run.score import evaluate

        if self.output is not None:
            folder.check_free(self.output, overwrite=self.overwrite)
        corpus = self.read()
        with _progress(corpus.characters) as advance:
            result = evaluate(corpus, self.metrics, evidence=self.evidence, progress=advance)
        try:
            if self.output is not None:
                folder.write(self.output, result, corpus, self.inputs, overwrite=self.overwrite, evidence=self.evidence)
                typer.echo(f"run folder: {self.output}", err=True)
        finally:  # one way to the scores may be closed, the other is not
            self._print(result)
        return result

    def _print(self, result: Result) -> None:
        from coheval.run.tables import FORMATS

        typer.echo(FORMATS[self.format](result, self.level), nl=False)
        if self.format == "text":
            typer.echo()
            for name in result:
                typer.echo(f"{name}: {result[name].signature}")
        for note in result.notes:
            typer.echo(f"note: {note}", err=True)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=total)
        yield lambda characters: bar.advance(task, characters)


@app.command("list")
def list_components(format: Annotated[Literal["text", "json"], typer.Option("--format")] = "text") -> None:
    """What there is: metrics, encoders, annotators, one line each."""
    found = {g: {name: registry.summary(g, name) for name in registry.names(g)} for g in registry.GROUPS}
    if format == "json":
        import json

        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    width = max(len(name) for names in found.values() for name in names)
    for group, names in found.items():
        typer.echo(f"{group}")
        for name, summary in names.items():
            typer.echo(f"  {name:<{width}}  {summary}")


@app.command()
def info(
    spec: Annotated[str, typer.Argument(metavar="NAME", help="A component, such as moverscore, or a spec of one.")],
) -> None:
    """All about one component: formula, parameters, direction, range, needs, signature."""
    from coheval.describe import describe
    from coheval.spec import build

    name, bracket, _ = spec.partition("(")
    group = next((g for g in registry.GROUPS if name in registry.names(g)), None)
    if group is None:
        known = [n for g in registry.GROUPS for n in registry.names(g)]
        raise UnknownName(f"no component is called {name!r}", hint=did_you_mean(name, known))
    cls = registry.find(group, name)
    typer.echo(describe(cls, build(cls, spec) if bracket else None))


@app.command(cls=_SeveralValues)
def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write the run folder.")
    ] = _DEMO,
    metrics: Annotated[list[str] | None, typer.Option("-m", "--metrics", metavar="SPECS", help="Metric specs.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run that is not a demo's.")] = False,
) -> None:
    """Score a bundled example: three systems, three short documents, two references."""
    from coheval.run.folder import Inputs, made_by
    from coheval.run.score import named

    overwrite = overwrite or made_by(output, "demo")
    example = Path(__file__).parent / "data" / "example.jsonl"
    inputs = Inputs(data=str(example))
    asked = named(metrics or ["moverscore", "bertscore", "dsfocus", "dssent", "chrf", "bleu"])
    _Job(inputs, asked, inputs.corpus, output, overwrite, "text", "system", evidence=True).run()


def main(args: list[str] | None = None) -> None:
    """The `coheval` command."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an arrow that the terminal cannot show must not lose the scores
    warnings.showwarning = _show_warning
    try:
        app(args=args, prog_name="coheval")
    except CohevalError as error:
        _fail(f"error: {error}", error.exit_code)
    except MemoryError:
        _fail("error: there is not enough memory\nhint: give fewer or shorter texts at once", ResourceError.exit_code)
    except OSError as error:  # what reads and writes files says so itself; this is standard output
        _fail(
            f"error: the output could not be written: {error.strerror}\nhint: -o keeps scores in a run folder as well",
            ResourceError.exit_code,
        )


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"warning: {message}", err=True)


def _fail(message: str, code: int) -> None:
    typer.echo(message, err=True)
    sys.exit(code)
