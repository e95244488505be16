"""GUM's folder: texts of many genres, with sentences, paragraphs and parts of its own (`data.gum`)."""

from __future__ import annotations

from collections.abc import Iterator

from coheval.data.groups import LeftOut
from coheval.data.gum import read_gum_texts
from coheval.data.texts._source import Source
from coheval.data.types import Document

FILES = r"dep\.tar\.xz$|dep/[^/]*\.conllu$|splits\.md$"


def fits(source: Source) -> bool:
    folder = source.path
    return folder.is_dir() and ((folder / "dep.tar.xz").is_file() or any((folder / "dep").glob("*.conllu")))


def documents(source: Source) -> Iterator[Document | LeftOut]:
    for text in read_gum_texts(source.path):
        layers = {"genre": text.genre, "part": text.split, "paragraphs": text.paragraphs}
        yield Document(text.id, text.text, text.sentences, layers)
