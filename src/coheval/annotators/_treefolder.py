"""Trees of another parser, as files: the tree of each text, with its words and lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from coheval.annotators import Annotated, Layer, number_sentences, sentence_spans
from coheval.data.rsttree import RstTree
from coheval.data.treefiles import READERS, moved, place, read_tree, tree_files
from coheval.data.visible import visible
from coheval.data.weights import digest
from coheval.errors import DataError


def is_of_trees(path: Path) -> bool:
    """Whether a path is a folder of tree files or one such file; .json is one of annotations."""
    return path.is_dir() or path.suffix.lower() in READERS.keys() - {".json"}


def trees_digest(path: Path) -> str:
    """Of the tree files, and of the EDUs that some have beside them."""
    files = tree_files(path).values()
    beside = [file.with_suffix(".edus") for file in files]
    return digest(*files, *(file for file in beside if file.is_file()))


def annotate_trees(path: Path, texts: Sequence[str], layers: Sequence[Layer]) -> list[Annotated]:
    other = next((layer for layer in layers if layer != "rst"), None)
    if other:
        raise DataError(
            f"files of trees have no layer {other!r}",
            where=os.fspath(path),
            hint="store annotations and trees in one JSON file; `coheval info replay` shows the format",
        )
    trees = _by_text(path, trees_digest(path))
    return [_annotated(text, _found(text, trees, path), os.fspath(path)).only(layers) for text in texts]


@lru_cache(maxsize=4)
def _by_text(path: Path, digest: str) -> dict[str, RstTree]:
    """Visible characters -> tree; the digest is asked for so that files that have changed are read again."""
    trees: dict[str, RstTree] = {}
    names: dict[str, str] = {}
    for name, file in tree_files(path).items():
        tree = read_tree(file)
        text = visible(tree.text)
        other = trees.setdefault(text, tree)
        if (other.text, other.edus, other.nodes) != (tree.text, tree.edus, tree.nodes):
            raise DataError(
                f"{names[text]!r} and {name!r} are different trees of the same text",
                where=os.fspath(path),
                hint="keep one of the two",
            )
        names.setdefault(text, name)
    return trees


def _found(text: str, trees: Mapping[str, RstTree], path: Path) -> RstTree:
    characters = visible(text)
    if characters and characters not in trees:
        raise DataError(
            f"there is no tree for the text {text[:60]!r}{'…' if len(text) > 60 else ''}",
            where=os.fspath(path),
            hint="the EDUs of a tree are its whole text, character by character; only white space may differ",
        )
    return trees[characters] if characters else RstTree("", (), ())


def _annotated(text: str, tree: RstTree, where: str) -> Annotated:
    """Words are what has white space around it in the file; every line is a sentence."""
    _, found = place(tree.text.split(), text, where=where)
    spans = np.array(found, dtype=np.int32).reshape(-1, 2)
    sentence = number_sentences(text, spans, [0] * len(spans))
    return Annotated(
        words=tuple(text[start:stop] for start, stop in found),
        spans=spans,
        sentence=sentence,
        sentences=sentence_spans(spans, sentence),
        tree=moved(tree, text, where=where),
    )
