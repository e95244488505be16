"""Scoring: every metric over every item of a corpus, block by block, with models shared between metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from threadpoolctl import threadpool_limits

from coheval.annotators import Annotator, Layer
from coheval.annotators._shared import SharedAnnotator
from coheval.data import Corpus, Key
from coheval.data.lists import from_lists
from coheval.decoders._shared import SharedDecoder
from coheval.encoders import Encoder
from coheval.encoders._shared import SharedEncoder
from coheval.errors import DataError, UsageError
from coheval.grammar import format_spec
from coheval.metrics import Metric
from coheval.metrics import metric as build_metric
from coheval.run.notes import notes
from coheval.run.recipes import expanded
from coheval.run.result import Result
from coheval.run.tally import Tally
from coheval.spec import Component

Progress = Callable[[int], None]  # is told how many characters of candidates are done
_NEEDS = {
    "references": ("a reference", "references (-r FILES, references=[…], or 'references' in JSONL)"),
    "source": ("a source", "sources (-s FILE, sources=[…], or 'source' in JSONL)"),
}


def score(
    candidates: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    metrics: str | Metric | Sequence[str | Metric] = ("moverscore",),
    system: str = "system",
    *,
    evidence: bool = False,
) -> Result:
    """Score candidates with any number of metrics.

    `candidates` is a list of texts, or a dict of such lists by system; the other lists run parallel to them.
    `references` has one text each, or a list of texts each. `documents` has a document id for each line: the lines
    of one document are its segments. With `evidence`, results say what each score rests on.
    """
    asked = named(metrics)
    records = from_lists(candidates, references=references, sources=sources, documents=documents, system=system)
    return evaluate(Corpus.of(records), asked, evidence=evidence, single=not isinstance(candidates, Mapping))


def named(metrics: str | Metric | Iterable[str | Metric]) -> dict[str, Metric]:
    """The metrics asked for, by the text they were asked for with; those of a recipe by their own specs."""
    if not isinstance(metrics, Iterable | Metric):
        raise UsageError(f"metrics must be specs or metrics, got {type(metrics).__name__}", hint='["moverscore"]')
    asked = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not asked:
        raise UsageError("no metric was asked for", hint="`coheval list` shows them")
    return {(format_spec(m) if isinstance(m, Metric) else m): build_metric(m) for m in expanded(asked)}


def evaluate(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    *,
    evidence: bool = False,
    single: bool = False,
    progress: Progress | None = None,
    facts_from: str | None = None,
    shared: Mapping[Component, Component] | None = None,
) -> Result:
    """All metrics over a corpus. Corpus facts such as IDF are each system's own, or those of the one system named.

    `shared` are the stand-ins that `shared_models` gave for the same metrics, which know the texts that they have read.
    """
    for name, metric in metrics.items():
        check_needs(name, metric, corpus)
    shared = shared_models(metrics.values()) if shared is None else shared
    tallies = {
        name: Tally(name, metric, corpus, shared, evidence=evidence, facts_from=facts_from)
        for name, metric in metrics.items()
    }
    keys: dict[str, list[Key]] = {s: [Key(s, "")] * n for s, n in corpus.counts.items()}
    # The matrices of one comparison are small: several threads for them cost more than they give, up to 100 times on a
    # busy machine. Encoders have threads of their own.
    with threadpool_limits(limits=1, user_api="blas"):
        for block in corpus.blocks():
            for item in block:
                for i, position in enumerate(item.positions):
                    keys[item.system][position] = item.key(i)
            for tally in tallies.values():
                tally.add(block)
            if progress:
                progress(sum(len(item.candidate.text) for item in block))
    results = {name: tally.result(keys, single) for name, tally in tallies.items()}
    references = {system: corpus.references_sha256(system) for system in corpus.systems}
    return Result(results, keys, notes(keys, results, references), corpus)


def shared_models(metrics: Collection[Metric]) -> dict[Component, Component]:
    """One stand-in for each distinct encoder, decoder and annotator, which all metrics that use it share."""
    return {**_share_encoders(metrics), **_share_decoders(metrics), **_share_annotators(metrics)}


def check_needs(name: str, metric: Metric, corpus: Corpus) -> None:
    """Refuse a corpus that lacks what a metric reads."""
    for need, missing in (("references", corpus.without_references), ("source", corpus.without_source)):
        if need in metric.needs and missing is not None:
            what, given = _NEEDS[need]
            raise DataError(
                f"{name} needs {what} for every segment, and this one has none",
                where=missing,
                hint=f"give {given}, or leave {name} out; `coheval info NAME` says what a metric needs",
            )
    if "documents" in metric.needs and not corpus.names_documents:
        raise DataError(
            f"{name} reads segments in their documents, and the input does not say which segments are of one document",
            hint="name a document for each line (-d FILE, documents=[…], or 'document' in JSONL), or leave context out",
        )


def _share_encoders(metrics: Iterable[Metric]) -> dict[Component, Component]:
    """One shared encoder for each distinct one, asked for the layers of all its metrics."""
    layers: dict[Encoder, set[int]] = {}
    for metric in metrics:
        for encoder, wanted in metric.reads().items():
            layers.setdefault(encoder, set()).update(wanted)
    shared: dict[Component, Component] = {}
    for encoder, asked in layers.items():
        encoder.ready(sorted(asked))
        shared[encoder] = SharedEncoder(inner=encoder, wanted=tuple(sorted(asked)))
    return shared


def _share_decoders(metrics: Iterable[Metric]) -> dict[Component, Component]:
    decoders = dict.fromkeys(decoder for metric in metrics for decoder in metric.decodes())
    for decoder in decoders:
        decoder.ready()
    return {decoder: SharedDecoder(inner=decoder) for decoder in decoders}


def _share_annotators(metrics: Iterable[Metric]) -> dict[Component, Component]:
    layers: dict[Annotator, set[Layer]] = {}
    for metric in metrics:
        for annotator, wanted in metric.consults().items():
            layers.setdefault(annotator, set()).update(wanted)
    return {a: SharedAnnotator(inner=a, wanted=tuple(sorted(wanted))) for a, wanted in layers.items()}
