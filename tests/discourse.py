"""What tests of discourse metrics share: texts annotated by hand, and the encoder's vectors of their words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.encoders import Encoder
from coheval.spec import build


def annotations(folder: Path, *texts: str, nouns: str, **more: dict[str, object]) -> str:
    """A replay annotator for the texts: sentences end with a full stop, the given words are nouns, and their own lemma.

    `more` goes into the annotation of each text, by its lower-cased beginning.
    """
    tagged = set(nouns.split())
    stored = {
        text.lower(): {
            "sentences": [
                {"tokens": [[w, "NOUN" if w in tagged else "X", w] for w in re.findall(r"\w+|[^\w\s]", sentence)]}
                for sentence in re.findall(r"\.*[^.]+\.*|\.+", text.lower())
                if sentence.strip()
            ]
        }
        for text in texts
    }
    for beginning, extra in more.items():
        for text in stored:
            if text.startswith(beginning):
                stored[text] |= extra
    path = folder / "annotations.json"
    path.write_text(json.dumps(stored), encoding="utf-8")
    return f"replay(file={str(path)!r})"


def vectors(text: str, layer: int = 6) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The default encoder's vectors of a text's own pieces, and their character spans."""
    (encoded,) = build(Encoder, "minilm").encode([text], layers=[layer])
    own = ~encoded.special
    return encoded.vectors[layer][own].astype(np.float64), encoded.offsets[own]
