"""The embedded estimators, on language pairs and articles that they were not trained on."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

from coheval.algo.resample import interval
from coheval.run.comet.train import Held, train_comet
from job import Job
from study import RESAMPLES
from writing import between, figure, section, strong, table

WMT17 = "## The embedded `comet`, on pairs that it has not seen"
TABLES: dict[str, str] = {}


def part(job: Job) -> Iterator[str]:
    judged = [job.data / "wmt17_toen", job.data / "wmt19_darr_pairs"]
    held = train_comet(judged, hold_out=lambda group: group.startswith("wmt17"), tell=_tell)
    yield from section(
        WMT17,
        "Networks are trained as those that are shipped, on WMT17's ratings and WMT19's preferences, but without one "
        "language pair, and score that pair. What other pairs say of the same references, which a third of a pair's "
        "are, is left out as well; only means and principal directions of what the network sees, in which no rating "
        "counts, are taken over all texts. Of WMT17, Pearson with direct assessment, as in the tables above; the size "
        "and length of training were chosen by such a mean among about ten settings, while shared references were "
        "still seen. Resamples draw segments, each pair by itself. The paper's BERTScore has 0.719 with an encoder "
        "five times larger; a ridge regression on this encoder's sentence vectors 0.64.",
    )
    pairs = [h.group.split()[1] for h in held]
    low, high = interval(_means(held))
    yield from table(
        ["model", *pairs, "mean", "95% interval"],
        [
            [
                "`comet`, pair held out",
                *(figure(h.pearson) for h in held),
                strong(float(np.mean([h.pearson for h in held]))),
                between(low, high),
            ]
        ],
        left=["95% interval"],
    )
    yield from _summaries(job)


def _summaries(job: Job) -> Iterator[str]:
    judged = [job.data / "wmt17_toen", job.data / "wmt19_darr_pairs"]
    held = train_comet(judged, [job.data / "summeval"], hold_out=lambda group: "summeval" in group, tell=_tell)
    yield from section(
        "### The embedded `cometqe`: summaries beside articles that it has not seen",
        "Trained on the same translations, with the reference in the source's place, and on SummEval's summaries "
        "beside their articles; the mean of four aspects, a fifth of the articles held out at a time. Pearson over the "
        "summaries of a fifth, all systems together. People's ratings differ more between systems than articles, and "
        "the systems are the same in all fifths: new systems may be scored worse than these figures say.",
    )
    low, high = interval(_means(held))
    yield from table(
        ["model", *(h.group.partition(" ")[2] for h in held), "mean", "95% interval"],
        [
            [
                "`cometqe`, articles held out",
                *(figure(h.pearson) for h in held),
                strong(float(np.mean([h.pearson for h in held]))),
                between(low, high),
            ]
        ],
        left=["95% interval"],
    )


def _means(held: Sequence[Held]) -> np.ndarray:
    """The mean over groups of Pearson, as it is and resampled within each group."""
    rng = np.random.default_rng(0)
    found = np.zeros(1 + RESAMPLES)
    for h in held:
        for n in range(1 + RESAMPLES):
            drawn = rng.integers(len(h.scores), size=len(h.scores)) if n else np.arange(len(h.scores))
            found[n] += np.corrcoef(h.scores[drawn], h.ratings[drawn])[0, 1] / len(held)
    return found


def _tell(message: str) -> None:
    print(message, file=sys.stderr)
