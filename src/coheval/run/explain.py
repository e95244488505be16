"""Evidence for some documents of a corpus whose scores are there already.

Facts about the corpus, such as idf, come from all of it, so that what is explained is the score that was given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from threadpoolctl import threadpool_limits

from coheval.data import Corpus, Item
from coheval.metrics import Metric
from coheval.run.result import Result
from coheval.run.score import shared_models
from coheval.run.tally import Tally

_TOGETHER = 20_000  # characters of candidates; progress is told after each block


def add_evidence(
    result: Result,
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    documents: Collection[str],
    progress: Callable[[int], None] | None = None,
) -> None:
    """Put into a result what its scores of these documents rest on; `progress` is told how many characters are read."""
    shared = shared_models(metrics.values())
    tallies = {
        name: Tally(name, metric, corpus, shared, evidence=True, facts_from=None) for name, metric in metrics.items()
    }
    with threadpool_limits(limits=1, user_api="blas"):
        for items in _blocks(corpus, documents):
            for tally in tallies.values():
                tally.add(items)
            if progress:
                progress(sum(len(item.candidate.text) for item in items))
    for name, tally in tallies.items():
        for system, scores in result[name].by_system.items():
            tally.give_evidence(system, scores)


def _blocks(corpus: Corpus, documents: Collection[str]) -> Iterator[list[Item]]:
    """Several small documents at once, which encoders read faster than one by one."""
    block: list[Item] = []
    size = 0
    for document in documents:
        items = corpus.document(document)
        block += items
        size += sum(len(item.candidate.text) for item in items)
        if size >= _TOGETHER:
            yield block
            block, size = [], 0
    if block:
        yield block
