"""The command line. The only place that prints or exits. One file a command; the lines at `app.command` add them.

Results go to standard output; progress, notes and errors to standard error. Exit codes: 2 usage, 3 data, 4 resources,
5 a metric failed, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from io import TextIOWrapper
from typing import Annotated

import typer

from coheval.cli import agree, bench, catalogue, compare, demo, discourse, make, parse, report, score, serve, train
from coheval.cli._options import SeveralValues
from coheval.errors import CohevalError, ResourceError
from coheval.version import __version__

app = typer.Typer(
    name="coheval",
    help="Score generated text beyond the sentence, and see why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"coheval {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")] = False,
) -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"  # before anything reads it; `score --online` takes it back


# in the order of `coheval --help`; what a command needs is imported inside its function, so that every start is quick
app.command(cls=SeveralValues)(score.score)
app.command(cls=SeveralValues)(compare.compare)
app.command(cls=SeveralValues)(agree.agree)
app.command(cls=SeveralValues)(report.report)
app.command(cls=SeveralValues)(serve.serve)
app.command(cls=SeveralValues)(make.make)
app.command(cls=SeveralValues)(bench.bench)
app.command()(parse.parse)
app.command(cls=SeveralValues)(discourse.discourse)
app.add_typer(train.app)
app.command("list")(catalogue.list_components)
app.command()(catalogue.info)
app.command(cls=SeveralValues)(demo.demo)


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
