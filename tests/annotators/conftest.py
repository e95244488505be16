"""Annotation files, and a tiny spaCy pipeline for German that works by rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy

from coheval.annotators.replay import Replay

GERMAN = {"hund": ("NOUN", "Hund"), "hunde": ("NOUN", "Hund"), "katze": ("NOUN", "Katze"), "sieht": ("VERB", "sehen")}


Rules = dict[str, tuple[str, str]]  # word, lower-cased -> its tag and lemma


@pytest.fixture(scope="session")
def save_rules() -> Callable[[Path, Rules], None]:
    """Saves a pipeline for German that knows some words' tags and lemmas, and no sentences."""

    def save(folder: Path, words: Rules) -> None:
        pipeline = spacy.blank("de")
        ruler = pipeline.add_pipe("attribute_ruler")
        for word, (tag, lemma) in words.items():
            ruler.add([[{"LOWER": word}]], {"POS": tag, "LEMMA": lemma})
        pipeline.to_disk(folder)

    return save


@pytest.fixture(scope="session")
def german(save_rules: Callable[[Path, Rules], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipelines") / "german"
    save_rules(folder, GERMAN)
    return folder


@pytest.fixture
def replay(tmp_path: Path) -> Callable[[object], Replay]:
    """Writes annotations (or any bytes) to a file, and reads it."""

    def make(content: object) -> Replay:
        path = tmp_path / "annotations.json"
        raw = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        path.write_bytes(raw)
        return Replay(file=str(path))

    return make
