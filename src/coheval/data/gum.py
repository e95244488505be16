"""GUM, the Georgetown University Multilayer corpus: English texts of many genres with gold RST trees.

    documents = read_gum("../shared/data/gum_rst")
    [(d.id, d.genre, d.split, d.text, d.tree) for d in documents if d.genre in PERMISSIVE]

The folder is a checkout of the corpus (dep/*.conllu, rst/lisp_binary/*.dis, splits.md) or holds the same as archives
(dep.tar.xz, rst_lisp_binary.tar.xz, splits.md), which are read without unpacking. A document's text is what its
sentences say, with a blank between two of them, or a line end where the second begins a paragraph or has another
speaker. Relations of the trees have GUM's own names; `relations.coarse` gives their classes. Documents that splits.md
does not list are for training. Zeldes 2017, "The GUM corpus: creating multilayer resources in the classroom".
"""

from __future__ import annotations

import lzma
import os
import re
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from coheval.data.lines import FilePath, lines
from coheval.data.rsttree import Node, RstTree, Span
from coheval.data.treefiles import dis
from coheval.errors import DataError

Split = Literal["train", "dev", "test"]

# Genres whose texts may be used for any purpose: CC BY, CC BY-SA or public domain. The texts of the other genres
# (fiction, whow, essay, letter, podcast, reddit) are non-commercial or not given away at all.
PERMISSIVE = frozenset(
    {"academic", "bio", "court", "news", "interview", "voyage", "textbook", "vlog", "speech", "conversation"}
)

_SECTIONS: dict[str, Split] = {"dev": "dev", "test": "test"}  # of splits.md; what they do not list is for training
_LISTED = re.compile(r"\s*\*\s+(\S+)\s*$")


@dataclass(frozen=True, slots=True)
class GumText:
    id: str  # GUM_academic_art
    genre: str
    split: Split
    text: str
    sentences: tuple[Span, ...]
    paragraphs: tuple[int, ...]  # the number of each one's first sentence


@dataclass(frozen=True, slots=True)
class GumDocument:
    id: str  # GUM_academic_art
    genre: str
    split: Split
    text: str
    sentences: tuple[Span, ...]
    tree: RstTree  # binary, over the text, with GUM's fine relations

    def sentence_trees(self) -> Iterator[tuple[str, RstTree]]:
        """Each sentence that is one subtree or one EDU, as (text, tree) with offsets in the sentence."""
        nodes = {(node.first, node.stop): place for place, node in enumerate(self.tree.nodes)}
        starts = {span[0]: number for number, span in enumerate(self.tree.edus)}
        stops = {span[1]: number + 1 for number, span in enumerate(self.tree.edus)}
        for start, stop in self.sentences:
            first, last = starts.get(start), stops.get(stop)
            if first is None or last is None:
                continue  # an EDU goes over the sentence's border
            if last - first == 1:
                yield self.text[start:stop], self._part(start, stop, first, last, 0)
            elif (first, last) in nodes:
                yield self.text[start:stop], self._part(start, stop, first, last, nodes[first, last])

    def _part(self, start: int, stop: int, first: int, last: int, place: int) -> RstTree:
        """The tree of EDUs `first` to `last` - 1, whose nodes are listed one behind the other from `place` on."""
        nodes = self.tree.nodes[place : place + last - first - 1]
        return RstTree(
            self.text[start:stop],
            tuple((a - start, b - start) for a, b in self.tree.edus[first:last]),
            tuple(
                Node(n.first - first, n.split - first, n.stop - first, n.nuclearity, n.relation, n.probability)
                for n in nodes
            ),
        )


def read_gum(folder: FilePath) -> list[GumDocument]:
    """Every document of the corpus that has a tree, by name."""
    root = Path(folder)
    splits = _splits(root / "splits.md")
    trees = dict(_files(root, "rst/lisp_binary", ".dis"))
    sentences = read_conllu(root)
    if trees.keys() != sentences.keys():
        odd = sorted(trees.keys() ^ sentences.keys())
        raise DataError(
            f"{len(odd)} documents have a tree or sentences, not both, such as {odd[0]!r}",
            where=os.fspath(root),
            hint="take dep and rst/lisp_binary from the same release of GUM",
        )
    return [_document(name, trees[name], sentences[name], splits.get(name, "train"), root) for name in sorted(trees)]


def read_gum_texts(folder: FilePath) -> list[GumText]:
    """Every document of the corpus, by name, without trees, which need not be there."""
    root = Path(folder)
    splits = _splits(root / "splits.md")
    return [_plain(name, conllu, splits.get(name, "train"), root) for name, conllu in sorted(read_conllu(root).items())]


def read_conllu(folder: FilePath) -> dict[str, str]:
    """The sentences of every document with all their annotations, as the corpus gives them."""
    return dict(_files(Path(folder), "dep", ".conllu"))


def _document(name: str, tree: str, conllu: str, split: Split, root: Path) -> GumDocument:
    plain = _plain(name, conllu, split, root)
    gold = dis.read(tree, text=plain.text, path=root / "rst" / "lisp_binary" / f"{name}.dis")
    return GumDocument(name, plain.genre, split, plain.text, plain.sentences, gold)


def _plain(name: str, conllu: str, split: Split, root: Path) -> GumText:
    blocks = [_comments(block) for block in conllu.split("\n\n")]
    said = [block for block in blocks if "text" in block]
    text, sentences = _text(said)
    if not sentences or "meta::genre" not in blocks[0]:
        raise DataError(
            "expected sentences with # text = …, and # meta::genre = … before the first",
            where=os.fspath(root / "dep" / f"{name}.conllu"),
            hint="take the files that GUM publishes, without masked texts",
        )
    paragraphs = tuple(n for n, block in enumerate(said) if n == 0 or "newpar" in block)
    return GumText(name, blocks[0]["meta::genre"], split, text, sentences, paragraphs)


def _comments(block: str) -> dict[str, str]:
    """What the lines `# name = value` above a sentence say; a name alone has an empty value."""
    pairs = (line[2:].partition(" = ") for line in block.split("\n") if line.startswith("# "))
    return {name: value.strip() for name, _, value in pairs}


def _text(sentences: Sequence[dict[str, str]]) -> tuple[str, tuple[Span, ...]]:
    """The raw text of a document, and where its sentences are."""
    text = ""
    spans: list[Span] = []
    for previous, sentence in zip([{}, *sentences], sentences, strict=False):
        if spans:
            new_line = "newpar" in sentence or sentence.get("speaker") != previous.get("speaker")
            text += "\n" if new_line else " "
        spans.append((len(text), len(text) + len(sentence["text"])))
        text += sentence["text"]
    return text, tuple(spans)


def _splits(path: Path) -> dict[str, Split]:
    """Split of each document that is listed."""
    splits: dict[str, Split] = {}
    section: Split = "train"
    for line in lines(path):
        if line.startswith("## "):
            section = _SECTIONS.get(line[3:].strip(), "train")
        elif match := _LISTED.match(line):
            splits[match[1]] = section
    return splits


def _files(root: Path, folder: str, suffix: str) -> Iterator[tuple[str, str]]:
    """(name, content) of the files of a folder, or of the archive that holds it."""
    archive = root / f"{folder.replace('/', '_')}.tar.xz"
    paths = sorted((root / folder).glob(f"*{suffix}"))
    if paths:
        yield from ((path.stem, "\n".join(lines(path))) for path in paths)
    elif archive.is_file():
        yield from ((path.stem, content) for path, content in archived(archive) if path.suffix == suffix)
    else:
        raise DataError(
            f"expected the folder {folder}, or {archive.name}",
            where=os.fspath(root),
            hint="name the folder of the corpus: a checkout of GUM, or one with its archives",
        )


def archived(archive: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """(path, content) of the files in a .tar.xz."""
    try:
        with tarfile.open(archive, "r:xz") as files:
            for member in files:
                content = files.extractfile(member)
                if content is not None:
                    yield PurePosixPath(member.name), content.read().decode("utf-8")
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"expected a whole .tar.xz archive, got a broken one ({error})",
            where=os.fspath(archive),
            hint="fetch the archive again; `xz -t` checks it",
        ) from error
