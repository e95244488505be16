"""What tests of RC and LC share: texts whose words are tagged by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path


def tagged(folder: Path, *texts: str) -> tuple[str, list[str]]:
    """A replay annotator for texts written as word/TAG or word/TAG/lemma, a line a sentence; and the plain texts."""
    tokens = [[[_token(t) for t in line.split()] for line in text.split("\n")] for text in texts]
    plain = [" ".join(word for sentence in text for word, *_ in sentence) for text in tokens]
    stored = {
        text.lower(): {"sentences": [{"tokens": sentence} for sentence in sentences]}
        for text, sentences in zip(plain, tokens, strict=True)
    }
    path = folder / "tagged.json"
    path.write_text(json.dumps(stored), encoding="utf-8")
    return f"replay(file={str(path)!r})", plain


def _token(text: str) -> Sequence[str]:
    word, tag, *lemma = text.split("/")
    return [word, tag, *(lemma or [word])]
