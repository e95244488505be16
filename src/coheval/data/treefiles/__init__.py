"""Trees as other programs write and read them, one file a format, chosen by a file's ending.

    .dis         lisp, as in the RST Discourse Treebank and in GUM
    .rs3 .rs4    XML of RSTTool and rstWeb
    .brackets    nested brackets with the EDUs' texts; or one constituent a line, with the EDUs in an .edus file beside
    .json        our own: keeps white space, probabilities and texts without words, too

    tree = read_tree("page.rs3", text=Path("page.txt").read_text())
    write_tree(tree, "page.dis")

Trees become binary; `_branches` says how. EDUs stand in files as tokens with blanks between them. Given the text as it
is, they are found in it, and all its characters but white space must be theirs; otherwise the text is the EDUs with a
blank between each two. Nothing here recurses: a tree may be a chain of thousands of EDUs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from coheval.data.lines import FilePath, lines
from coheval.data.rsttree import RstTree
from coheval.data.treefiles import brackets, dis, jsonfile, rs3
from coheval.data.treefiles._placing import moved, place
from coheval.data.whole import write_whole
from coheval.errors import DataError, UsageError, did_you_mean

__all__ = ["READERS", "WRITERS", "moved", "place", "read_tree", "read_trees", "tree_bytes", "tree_files", "write_tree"]


class _Reader(Protocol):
    def __call__(self, source: str, *, text: str | None, path: FilePath) -> RstTree: ...


READERS: dict[str, _Reader] = {
    ".dis": dis.read,
    ".rs3": rs3.read,
    ".rs4": rs3.read,
    ".brackets": brackets.read,
    ".json": jsonfile.read,
}
WRITERS: dict[str, Callable[[RstTree], str]] = {
    ".dis": dis.written,
    ".rs3": rs3.written,
    ".rs4": rs3.written,
    ".brackets": brackets.written,
    ".json": jsonfile.written,
}


def read_tree(path: FilePath, *, text: str | None = None) -> RstTree:
    """The tree that a file holds, over the text if that is given."""
    reader = READERS[_ending(path)]
    return reader("\n".join(lines(path)), text=text, path=path)


def read_trees(path: FilePath) -> dict[str, RstTree]:
    """Name without ending -> tree, for one file, or for every tree file of a folder in the order of their names."""
    return {name: read_tree(file) for name, file in tree_files(path).items()}


def tree_files(path: FilePath) -> dict[str, Path]:
    """Name without ending -> file, of a file or of a folder."""
    root = Path(path)
    if not root.is_dir():
        return {root.stem: root}
    files: dict[str, Path] = {}
    for file in sorted(file for file in root.iterdir() if file.suffix.lower() in READERS):
        other = files.setdefault(file.stem, file)
        if other is not file:
            raise DataError(
                f"{other.name} and {file.name} have the same name", where=os.fspath(root), hint="keep one of them"
            )
    if not files:
        raise DataError(
            f"expected files that end in {_KNOWN}, got none", where=os.fspath(root), hint="name the folder of the trees"
        )
    return files


def write_tree(tree: RstTree, path: FilePath) -> None:
    """Writes the file whole, in the format that its ending says."""
    write_whole(Path(path), tree_bytes(tree, _ending(path), where=os.fspath(path)), what="the tree")


def tree_bytes(tree: RstTree, ending: str, *, where: str) -> bytes:
    """What a file with such an ending holds; `where` the tree comes from or goes, for errors."""
    try:
        content = WRITERS[ending](tree)
    except DataError as error:
        raise DataError(error.message, where=error.where or where, hint=error.hint) from None
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"the text has half a character, {content[error.start]!r}",
            where=where,
            hint="decode the text as UTF-8 before it is parsed",
        ) from None


_KNOWN = ", ".join(READERS)


def _ending(path: FilePath) -> str:
    ending = Path(path).suffix.lower()
    if ending not in READERS:
        raise UsageError(
            f"expected a file of a tree that ends in {_KNOWN}, got {Path(path).name!r}",
            where=os.fspath(path),
            hint=did_you_mean(ending, READERS) if ending else "the ending says the format",
        )
    return ending
