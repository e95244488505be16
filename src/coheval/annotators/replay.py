"""Stored annotations: `replay(file='annotations.json')`, for other languages, taggers, parsers, and exact repeats.

The file is a JSON object. Its keys are texts, as they are scored or lower-cased (the former goes first), its values

    {"sentences": [{"sentence": "the tree grew.", "tokens": [["the", "DET", "the"], ["tree", "NOUN", "tree"], …]}, …],
     "chains": [[[0, 8], [15, 17]], …],
     "tree": {"edus": [[0, 14], [15, 40]], "nodes": [[0, 1, 2, "NS", "Elaboration"]]}}

A token is its text, universal part of speech and lemma, and may go on with the number of its head within the sentence
(counted from 0; a root names itself) and its relation to it. Tokens are spelled as the text spells them, in any case;
`` and '' stand for a double quote. They may leave out white space and punctuation, but no letter. `chains`, if there,
lists for each thing the character spans of its mentions. `tree`, if there, is the text's discourse tree: the character
spans of its EDUs, and its nodes, parents first and left before right. A node is the number of its first EDU (counted
from 0), of the one where its second child begins, and of the one behind its last; its nuclearity, NS, SN or NN; its
relation; and perhaps its probability. Every word begins in an EDU. Other keys are allowed and not read. A line end ends
a sentence even if it is not stored so. A blank text needs no annotation. In Python,

    from coheval.annotators.replay import stored
    from coheval.annotators.spacy import Spacy
    found = Spacy(model="de_core_news_sm").annotate(texts, layers=["tags", "syntax"])
    content = {text: stored(text, annotated) for text, annotated in zip(texts, found)}

is what such a file holds.

`replay(file='trees')` takes discourse trees from a folder of files as any parser or annotation tool writes them: .dis
(lisp), .rs3 and .rs4 (rstWeb), .brackets, .json (ours); or from one such file that is not .json. A tree belongs to the
text that has the same characters, white space aside, whatever the file is called. Words are what has white space
around it in the file, and every line is a sentence; tags and other layers are not there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.annotators import (
    Annotated,
    Annotator,
    Layer,
    Span,
    number_sentences,
    sentence_spans,
    within_sentence,
)
from coheval.annotators._finder import Finder, Wrong, may_be_left_out
from coheval.annotators._treefolder import annotate_trees, is_of_trees, trees_digest
from coheval.data.rsttree import RstTree
from coheval.data.treefiles.jsonfile import tree_from, values_of
from coheval.data.weights import digest
from coheval.errors import DataError

_TOKEN = (str, str, str, int, str)  # text, tag, lemma, head, relation
_TAGGED, _PARSED = 3, 5  # how long a token is that has a tag and lemma, and with head and relation
_TAGS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
_HINT = "`coheval info replay` shows the format"


@dataclass(frozen=True, kw_only=True)
class Replay(Annotator):
    file: str  # a JSON file of annotations by text, or a folder of trees

    def digest(self) -> str:
        path = Path(self.file)
        return trees_digest(path) if is_of_trees(path) else digest(path)

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        if is_of_trees(Path(self.file)):
            return annotate_trees(Path(self.file), texts, layers)
        stored = _read(self.file, self.digest())
        return [self._one(text, stored, layers) for text in texts]

    def _one(self, text: str, stored: Mapping[str, Any], layers: Sequence[Layer]) -> Annotated:
        found = stored.get(text, stored.get(text.lower()))
        if found is None and not text.strip():
            found = {"sentences": [], "chains": [], "tree": {"edus": [], "nodes": []}}
        start = f"{text[:60]!r}{'…' if len(text) > 60 else ''}"
        if found is None:
            raise DataError(
                f"no annotation is stored for the text {start}",
                where=self.file,
                hint="keys are documents, lines joined by line ends, or such lower-cased, as variant='code' reads",
            )
        try:
            return _annotated(text, found, layers)
        except Wrong as error:
            raise DataError(f"the annotation of the text {start} {error}", where=self.file, hint=_HINT) from None


@lru_cache(maxsize=4)
def _read(file: str, digest: str) -> Mapping[str, Any]:
    """The file's content; its digest is asked for so that a file that has changed is read again."""

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"the key {twice[:60]!r} stands there twice", where=file, hint="keep one of the two")
        return made

    try:
        content = json.loads(Path(file).read_text(encoding="utf-8-sig"), object_pairs_hook=distinct)
    except UnicodeDecodeError as error:
        raise DataError(
            f"the file is not UTF-8: {error.reason} at byte {error.start}", where=file, hint="write it again as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"the file is not JSON: {error.msg}",
            where=f"{file}:{error.lineno}",
            hint="was it written to its end? " + _HINT,
        ) from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, lists in lists in lists
        raise DataError(f"the file is JSON that cannot be read: {error}", where=file, hint=_HINT) from None
    if not isinstance(content, dict):
        raise DataError(
            f"expected a JSON object of annotations by text, got {type(content).__name__}", where=file, hint=_HINT
        )
    return content


def _annotated(text: str, stored: Any, layers: Sequence[Layer]) -> Annotated:
    tags, syntax, coreference = (layer in layers for layer in ("tags", "syntax", "coreference"))
    tokens = _tokens(stored, least=_PARSED if syntax else _TAGGED if tags else 1)
    flat = [token for sentence in tokens for token in sentence]
    finder = Finder(text)
    spans = np.array([finder.next(token[0]) for token in flat], dtype=np.int32).reshape(-1, 2)
    if not all(map(may_be_left_out, finder.rest())):
        raise Wrong(f"ends where the text goes on with {finder.rest()[:20]!r}")
    sentence = number_sentences(text, spans, [k for k, sentence in enumerate(tokens) for _ in sentence])
    words = tuple(text[start:stop] for start, stop in spans.tolist())
    return Annotated(
        words=words,
        spans=spans,
        sentence=sentence,
        sentences=sentence_spans(spans, sentence),
        tags=tuple(token[1] for token in flat) if tags else None,
        lemmas=tuple(token[2] or word for token, word in zip(flat, words, strict=True)) if tags else None,
        heads=within_sentence(_heads(tokens), sentence) if syntax else None,
        relations=tuple(token[4] for token in flat) if syntax else None,
        chains=_chains(stored, len(text)) if coreference else None,
        tree=_tree(stored, text, spans) if "rst" in layers else None,
    )


def _tokens(stored: Any, *, least: int) -> list[list[Any]]:
    """The tokens of each sentence, which list so much at least."""
    try:
        sentences = [sentence["tokens"] for sentence in stored["sentences"]]
    except (TypeError, KeyError):
        raise Wrong('has no "sentences" that are objects with "tokens"') from None
    for sentence in sentences:
        if not isinstance(sentence, list):
            raise Wrong(f'has "tokens" that are no list: {_shown(sentence)}')
        for token in sentence:
            _check(token, least)
    return sentences


def _check(token: Any, least: int) -> None:
    if not isinstance(token, list) or len(token) not in (1, _TAGGED, _PARSED):
        raise Wrong(f"has a token that is not [text, tag, lemma] nor with head, relation: {_shown(token)}")
    if not all(type(value) is kind for value, kind in zip(token, _TOKEN, strict=False)):
        raise Wrong(f"has a token whose text, tag, lemma, relation are no texts or its head no number: {_shown(token)}")
    if len(token) < least:
        lack = "tag and lemma" if len(token) < _TAGGED else "head and relation"
        raise Wrong(f"has a token without {lack}: {_shown(token)}")
    if len(token) >= _TAGGED and token[1] not in _TAGS:
        raise Wrong(f"has the tag {token[1]!r}, which is no universal part of speech: {_shown(token)}")


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]


def _heads(sentences: Sequence[Sequence[Any]]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    starts = accumulate(map(len, sentences), initial=0)
    heads = []
    for start, sentence in zip(starts, sentences, strict=False):
        for token in sentence:
            if not 0 <= token[3] < len(sentence):
                raise Wrong(f"has a head that is no number of a token of its sentence: {_shown(token)}")
            heads.append(start + token[3])
    return np.array(heads, dtype=np.int32)


def _chains(stored: Mapping[str, Any], length: int) -> tuple[tuple[Span, ...], ...]:
    if "chains" not in stored:
        raise Wrong('has no "chains", and coreference was asked for')
    try:
        chains = tuple(tuple((start, stop) for start, stop in chain) for chain in stored["chains"])
    except (TypeError, ValueError):
        raise Wrong('has "chains" that are no lists of [start, end]') from None
    for span in (span for chain in chains for span in chain):
        if not all(type(place) is int for place in span) or not 0 <= span[0] < span[1] <= length:
            raise Wrong(f"has a chain with {_shown(span)}, which is no span of its {length} characters")
    return chains


def _tree(stored: Mapping[str, Any], text: str, words: NDArray[np.int32]) -> RstTree:
    if "tree" not in stored:
        raise Wrong('has no "tree", and rst was asked for')
    try:
        tree = tree_from(stored["tree"], text)
    except DataError as error:
        raise Wrong(f'has a "tree" that is none: {error.message}') from None
    edus = np.array(tree.edus, dtype=np.int32).reshape(-1, 2)
    edu = np.searchsorted(edus[:, 0], words[:, 0], side="right") - 1  # the last that begins before or at each word
    outside = (edu < 0) | (words[:, 0] >= np.append(edus[:, 1], 0)[edu])
    if outside.any():
        start, stop = words[outside.argmax()].tolist()
        raise Wrong(f"has the word {text[start:stop]!r} at character {start} in none of the tree's EDUs")
    return tree


def stored(text: str, annotated: Annotated) -> dict[str, object]:
    """A text's annotation as such a file holds it."""
    if annotated.heads is not None and annotated.tags is None:
        raise DataError("syntax is stored behind tags, and there are none", hint="ask for both layers")
    bounds = np.searchsorted(annotated.sentence, np.arange(len(annotated.sentences) + 1)).tolist()
    sentences = [
        {"sentence": text[start:stop], "tokens": [_token(annotated, i, first) for i in range(first, last)]}
        for (start, stop), first, last in zip(annotated.sentences.tolist(), bounds, bounds[1:], strict=False)
    ]
    more: dict[str, object] = {}
    if annotated.chains is not None:
        more["chains"] = [[list(span) for span in chain] for chain in annotated.chains]
    if annotated.tree is not None:
        more["tree"] = values_of(annotated.tree)
    return {"sentences": sentences, **more}


def _token(annotated: Annotated, i: int, first: int) -> list[object]:
    token: list[object] = [annotated.words[i]]
    if annotated.tags is not None and annotated.lemmas is not None:
        token += [annotated.tags[i], annotated.lemmas[i]]
    if annotated.heads is not None and annotated.relations is not None:
        token += [int(annotated.heads[i]) - first, annotated.relations[i]]
    return token
