"""bert_score's face: `score(cands, refs)` gives precision, recall and F of each candidate.

    P, R, F = bert_score_style.score(candidates, references)
    F.mean()

It is `bertscore(variant='code')`, which agrees with bert_score 0.3.13 for the same encoder. Without `model_type` the
encoder is the embedded one, whose numbers are not comparable with those of larger models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from coheval.errors import MetricError, UnknownName, UsageError, did_you_mean
from coheval.grammar import Spec, format_spec
from coheval.run.result import MetricResult
from coheval.run.score import score as score_texts

Array = NDArray[np.float64]

_SPEED = ("verbose", "batch_size", "device", "nthreads", "use_fast_tokenizer")  # numbers do not rest on these
_ELSEWHERE = {  # what moves numbers, or asks for others, and where that is here
    "all_layers": "one spec for each layer, such as bertscore(variant='code', layer=3), in one coheval.score",
    "rescale_with_baseline": "coheval.score with bertscore(variant='code', baseline='FILE')",
    "baseline_path": "coheval.score with bertscore(variant='code', baseline='FILE')",
    "return_hash": "coheval.score; its results have a signature",
}


def score(
    cands: Sequence[str],
    refs: Sequence[str] | Sequence[Sequence[str]],
    model_type: str | None = None,
    num_layers: int | None = None,
    *,
    idf: bool = False,
    lang: str | None = None,
    **others: object,
) -> tuple[Array, Array, Array]:
    """Precision, recall and F, an array each; of several references the best, of P, R and F each by itself.

    `model_type` is a folder or a hub name of transformers, `num_layers` the layer that is read, the last unless given.
    bert_score's arguments for speed are taken and change nothing; others that it has are refused.
    """
    _check(others)
    if lang not in (None, "en") and model_type is None:
        raise UsageError(
            f"the embedded encoder reads English, got lang={lang!r}",
            where="bert_score_style.score",
            hint="name a model that reads the language: model_type='bert-base-multilingual-cased'",
        )
    specs = [format_spec(_spec(form, model_type, num_layers, idf)) for form in ("precision", "recall", "f")]
    found = score_texts(cands, refs, metrics=specs)
    precision, recall, f = (_array(found[spec]) for spec in specs)
    return precision, recall, f


def _check(others: Mapping[str, object]) -> None:
    for name, value in others.items():
        if name not in (*_SPEED, *_ELSEWHERE):
            known = ["model_type", "num_layers", "idf", "lang", *_SPEED]
            raise UnknownName(f"bert_score has no argument {name!r}", hint=did_you_mean(name, known))
        if name in _ELSEWHERE and value:
            raise UsageError(
                f"{name}={value!r} is not known here", where="bert_score_style.score", hint=f"use {_ELSEWHERE[name]}"
            )


def _spec(form: str, model_type: str | None, num_layers: int | None, idf: bool) -> Spec:
    params: dict[str, object] = {"variant": "code", "form": form}
    if idf:
        params["idf"] = "corpus"
    if num_layers is not None:
        params["layer"] = num_layers
    if model_type is not None:
        top: dict[str, object] = {} if num_layers is None else {"layer": num_layers}  # what is above is not loaded
        params["encoder"] = Spec("hf", params={"model": model_type, **top})
    return Spec("bertscore", params=params)


def _array(result: MetricResult) -> Array:
    (scores,) = result.by_system.values()
    for n, (value, reason) in enumerate(zip(scores.segments, scores.reasons, strict=True)):
        if value is None:
            raise MetricError(
                f"there is no score: {reason}",
                where=f"cands[{n}]",
                hint="leave the text out; `coheval.score` gives None and the reason instead of stopping",
            )
    return np.array(scores.segments, dtype=np.float64)
