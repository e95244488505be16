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
    given = [_given(path, lines) for path in dict.fromkeys(files)]
    # How many sentences there are is known only once they are found.
    known = None if level == "sentence" else _places(given)
    if output is None:
        _check_printable(known, format)
    else:
        _check_folder(output)
        _free_paths(known or [], output, format, overwrite)
    found = _parsed(given, parser or "rst", level)
    if not found:
        typer.echo("note: the texts have no words, and so no sentences and no trees", err=True)
    elif svg is not None:
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


def _places(given: list[Found | Texts]) -> list[Place]:
    """What trees will be called, one for each text."""
    from coheval.run.parses import Place

    places: list[Place] = []
    for one in given:
        places += [Place(name, None, 0) for name in one] if isinstance(one, dict) else [place for place, _ in one]
    return places


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
    from coheval.data.treefiles import tree_bytes
    from coheval.report.treetext import tree_text
    from coheval.run.parses import Parses
    from coheval.run.tables import cell

    if format == "json":
        typer.echo(Parses([tree for _, tree in found], [place for place, _ in found], "").to_json())
    elif format == "tree":
        for number, (place, tree) in enumerate(found):
            heading = [""] * (number > 0) + [cell(str(place))] if len(found) > 1 else []
            typer.echo("\n".join([*heading, *tree_text(tree, width)]))
    else:
        _check_printable([place for place, _ in found], format)
        ((place, tree),) = found
        typer.echo(tree_bytes(tree, f".{format}", where=str(place)).decode(), nl=False)


def _check_printable(places: list[Place] | None, format: TreeFormat) -> None:
    if places is not None and len(places) != 1 and format not in ("json", "tree"):
        raise UsageError(
            f"a file of the format {format} holds one tree, got {len(places)}", hint="-o FOLDER writes each"
        )


def _check_folder(folder: Path) -> None:
    taken = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    if taken.exists() and not taken.is_dir():
        raise UsageError("expected a folder for the trees, got a file", where=str(taken), hint="choose another name")


def _write(found: Found, folder: Path, format: TreeFormat, width: int, overwrite: bool) -> None:
    """A file for each tree; formats that cannot say that there are no words have no file for such texts."""
    from coheval.data.treefiles import tree_bytes
    from coheval.data.whole import write_whole
    from coheval.report.treetext import tree_text

    contents: dict[Path, bytes] = {}  # all of them before the first is written: a folder is whole or not there
    wordless = []
    for path, (place, tree) in zip(_free_paths([p for p, _ in found], folder, format, overwrite), found, strict=True):
        if format == "tree":
            contents[path] = "".join(f"{line}\n" for line in tree_text(tree, width)).encode()
        elif tree.edus or format == "json":
            contents[path] = tree_bytes(tree, path.suffix, where=str(place))
        else:
            wordless.append(place)
    for path, content in contents.items():
        write_whole(path, content, what="the tree")
    for place in wordless:
        typer.echo(f"note: {place} has no words and so no file", err=True)
    if contents:
        typer.echo(f"trees: {folder}", err=True)


def _free_paths(places: list[Place], folder: Path, format: TreeFormat, overwrite: bool) -> list[Path]:
    """Where the trees of these places are written."""
    ending = ".txt" if format == "tree" else f".{format}"
    paths = [folder / f"{name}{ending}" for name in _file_names(places)]
    read = {Path(place.name).resolve() for place in places}
    own = next((path for path in paths if path.resolve() in read), None)
    if own is not None:
        raise UsageError("the tree would replace the text itself", where=str(own), hint="choose another folder")
    taken = next((path for path in paths if path.exists()), None)
    if taken is not None and not overwrite:
        raise UsageError("the file exists already", where=str(taken), hint="choose another folder, or add --overwrite")
    return paths


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
