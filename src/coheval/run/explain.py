"""Evidence for some documents of a corpus whose scores are there already.

Facts about the corpus, such as idf, come from all of it, so that what is explained is the score that was given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from threadpoolctl import threadpool_limits

from coheval.data import Corpus
from coheval.metrics import Metric
from coheval.run.result import Result
from coheval.run.score import shared_models
from coheval.run.tally import Tally


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
        for document in documents:
            items = corpus.document(document)
            for tally in tallies.values():
                tally.add(items)
            if progress:
                progress(sum(len(item.candidate.text) for item in items))
    for name, tally in tallies.items():
        for system, scores in result[name].by_system.items():
            tally.give_evidence(system, scores)
