"""The discourse of good translations and of bad ones beside that of their references (DiscoTK, section 5)."""

from __future__ import annotations

from collections.abc import Iterator

import study
from coheval.data import Corpus
from coheval.report import draw_relations
from coheval.run.discourse import discourse
from coheval.run.discoursefigures import LOWER_IS_BETTER, Discourse, Figure
from coheval.run.discoursegroups import good_and_bad
from discotk_sets import Sets, Texts
from job import Job
from writing import between, figure, prose, section, table

PARSER = "rst"
MEASURES = {
    "kl": "KL divergence of relations",
    "relation_f1": "F1 of relations",
    "nuclearity_f1": "F1 of nuclearity",
    "edu_f1": "F1 of EDUs",
    "depth_rmse": "RMSE of depth",
}


def part(job: Job, sets: Sets) -> Iterator[str]:
    yield from section(
        "## Discourse trees of good and bad translations",
        "For each source sentence that people judged in several translations, the best and the worst of these, beside "
        "the reference (`coheval discourse`; DiscoTK, section 5). By direct assessment on WMT17, by the share of "
        "comparisons won on WMT19. Bootstrap of sentences; p is not corrected. Then the share of each relation.",
    )
    for name, texts in sets.texts.items():
        found = _compared(texts)
        yield from _measures(name, found)
        yield from _relations(job, name, found)


def _compared(texts: Texts) -> Discourse:
    with Corpus.of(texts.records) as corpus:
        groups = good_and_bad(corpus, texts.judgements)
    return discourse(groups.candidates, groups.references, parser=PARSER, resamples=study.RESAMPLES)


def _measures(name: str, found: Discourse) -> Iterator[str]:
    yield f"### {name}: {found.texts:,} sentences"
    yield ""
    heads = ["", "good", "its interval", "bad", "interval of bad", "good − bad", "95% interval", "p", "good is"]
    rows = []
    for measure, label in MEASURES.items():
        gap = found.difference(measure, "good", "bad")
        sides = [cell for group in ("good", "bad") for cell in _shown(found.figure(measure, group))]
        rows.append([label, *sides, *_shown(gap, plus=True), figure(gap.p), _nearer(measure, gap)])
    yield from table(heads, rows, left=[head for head in heads if "interval" in head or head == "good is"])


def _shown(own: Figure, *, plus: bool = False) -> list[str]:
    return [figure(own.value, plus=plus), between(own.low, own.high, plus=plus)]


def _nearer(measure: str, gap: Figure) -> str:
    """Which group is more like the references, where the interval tells."""
    if gap.low is None or gap.high is None or gap.low <= 0 <= gap.high:
        return "neither"
    return "nearer" if (gap.high < 0) == LOWER_IS_BETTER[measure] else "farther"


def _relations(job: Job, name: str, found: Discourse) -> Iterator[str]:
    references = found.shares()
    if not references:
        yield from prose("No text has a relation.")
        return
    shares = {group: list(found.shares(group).values()) for group in found.groups}
    drawn = draw_relations(list(references), list(references.values()), shares)
    alt = f"Bars: the share of each of {len(references)} relations in references, good and bad translations of {name}"
    yield from job.show(f"discotk-relations-{name.lower()}", drawn, alt)
