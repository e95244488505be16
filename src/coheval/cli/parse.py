"""`coheval parse`: discourse trees of texts, printed, drawn, and written as other programs read them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from coheval.cli._progress import progress
from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.data.rsttree import RstTree
    from coheval.run.parses import Place

    Found = list[tuple[Place, RstTree]]  # trees, and where they come from
    Texts = dict[str, str]  # by name

Level = Literal["document", "sentence"]
TreeFormat = Literal["tree", "brackets", "dis", "rs3", "json"]

_ENDINGS = re.compile(r"(\.(txt|gz|dis|rs3|rs4|brackets|json))+(?=$|:\d+$)")  # what a tree's file is not called after


def parse(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES", help="Texts (.gz too, - is stdin), or trees: .dis, .rs3, .rs4, .brackets, .json, a folder."
        ),
    ],
    level: Annotated[Level, typer.Option("--level", help="A tree for each text, or for each sentence.")] = "document",
    lines: Annotated[bool, typer.Option("--lines", help="Each line is a text of its own.")] = False,
    parser: Annotated[
        str | None, typer.Option("--parser", metavar="SPEC", help="An annotator that gives trees.  [rst]")
    ] = None,
    format: Annotated[TreeFormat, typer.Option("--format", help="What is printed or written.")] = "tree",
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE.svg", help="Draw the trees.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write a file for each tree, print none.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files that exist in the folder.")] = False,
    width: Annotated[
        int | None, typer.Option("--width", min=20, help="Columns of a printed tree.  [the terminal's, or 100]")
    ] = None,
) -> None:
    """Discourse trees: coheval parse text.txt --svg tree.svg, or coheval parse tree.rs3 --format dis"""
    from coheval.report.treetext import WIDTH

    if svg is not None and svg.suffix.lower() != ".svg":
        raise UsageError(f"a drawing's file must end with .svg, got {svg.name!r}", hint=f"call it {svg.stem}.svg")
    if (lines or parser or level == "sentence") and all(map(_holds_trees, files)):
        raise UsageError(
            "--lines, --parser and --level are about texts, got files of trees alone", hint="leave them out"
        )
    found = _parsed([_given(path, lines) for path in dict.fromkeys(files)], parser or "rst", level)
    if svg is not None:
        _draw(found, svg)
    if output is not None:
        _write(found, output, format, width or WIDTH, overwrite)
    else:
        _print(found, format, width or (shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH))


def _holds_trees(path: str) -> bool:
    from coheval.data.treefiles import READERS

    return os.path.isdir(path) or _ending(path) in READERS


def _ending(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix


def _given(path: str, by_line: bool) -> Found | Texts:
    """What a file holds: trees, a text, or a text in each line."""
    from coheval.data.lines import lines, shown
    from coheval.data.treefiles import read_tree, tree_files
    from coheval.run.parses import Place

    if _holds_trees(path):
        return [(Place(str(file), None, 0), read_tree(file)) for file in tree_files(path).values()]
    if _ending(path) in (".jsonl", ".csv", ".tsv"):
        raise UsageError(
            "expected plain text or a tree, got a file of records by its name",
            where=path,
            hint="write the texts to be parsed to a file, one a line, and add --lines",
        )
    if by_line:
        return {f"{shown(path)}:{number}": line for number, line in enumerate(lines(path), start=1)}
    return {shown(path): "\n".join(lines(path))}


def _parsed(given: list[Found | Texts], parser: str, level: Level) -> Found:
    """All trees, in the order of the files."""
    from coheval.run.parse import parse

    found: Found = []
    texts = [one for one in given if isinstance(one, dict)]
    with progress("parsing", sum(len(text) for one in texts for text in one.values())) as advance:
        for one in given:
            if isinstance(one, dict):
                own = parse(list(one.values()), parser=parser, level=level, names=list(one), progress=advance)
                found += zip(own.places, own.trees, strict=True)
            else:
                found += one
    return found


def _draw(found: Found, path: Path) -> None:
    from coheval.data.whole import write_whole
    from coheval.report.treedrawing import draw_trees

    write_whole(path, draw_trees([(str(place), tree) for place, tree in found]).encode(), what="the drawing")
    typer.echo(f"drawing: {path}", err=True)


def _print(found: Found, format: TreeFormat, width: int) -> None:
    from coheval.data.treefiles import WRITERS
    from coheval.report.treetext import tree_text
    from coheval.run.parses import Parses
    from coheval.run.tables import cell

    if format == "json":
        typer.echo(Parses([tree for _, tree in found], [place for place, _ in found], "").to_json())
    elif format == "tree":
        for number, (place, tree) in enumerate(found):
            heading = [""] * (number > 0) + [cell(str(place))] if len(found) > 1 else []
            typer.echo("\n".join([*heading, *tree_text(tree, width)]))
    elif len(found) == 1:
        typer.echo(WRITERS[f".{format}"](found[0][1]), nl=False)
    else:
        raise UsageError(
            f"a file of the format {format} holds one tree, got {len(found)}", hint="-o FOLDER writes each"
        )


def _write(found: Found, folder: Path, format: TreeFormat, width: int, overwrite: bool) -> None:
    """A file for each tree; formats that cannot say that there are no words have no file for such texts."""
    from coheval.data.treefiles import WRITERS, write_tree
    from coheval.data.whole import write_whole
    from coheval.report.treetext import tree_text

    ending = f".{format}" if f".{format}" in WRITERS else ".txt"
    paths = [folder / f"{name}{ending}" for name in _file_names([place for place, _ in found])]
    taken = next((path for path in paths if path.exists()), None)
    if taken is not None and not overwrite:
        raise UsageError("the file exists already", where=str(taken), hint="choose another folder, or add --overwrite")
    for path, (place, tree) in zip(paths, found, strict=True):
        if ending == ".txt":
            write_whole(path, "".join(f"{line}\n" for line in tree_text(tree, width)).encode(), what="the tree")
        elif tree.edus or format == "json":
            write_tree(tree, path)
        else:
            typer.echo(f"note: {place} has no words and so no file", err=True)
    typer.echo(f"trees: {folder}", err=True)


def _file_names(places: list[Place]) -> list[str]:
    """Names for files from names of texts, which may be those of files in several folders."""
    found: dict[str, Place] = {}
    for place in places:
        base = _ENDINGS.sub("", os.path.basename(place.name))
        name = re.sub(r"[^\w.-]+", "-", base) + ("" if place.sentence is None else f"-s{place.sentence + 1}")
        other = found.setdefault(name, place)
        if other is not place:
            raise UsageError(
                f"the trees of {other} and of {place} would both be called {name}", hint="write one folder for each"
            )
    return list(found)
