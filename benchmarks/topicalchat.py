"""Topical-Chat: replies in dialogues, at turn and system level."""

from __future__ import annotations

from collections.abc import Iterator

from coheval.run.agreement import Agreement
from job import Job
from study import Study, published, read, score
from writing import by_aspect, code, figure, section, table

SPECS = (
    "moverscore", "bertscore", "sbert", "chrf", "rouge(kind='L')", "bleu", "meteor", "dsfocus", "dssent", "rc", "lc"
)  # fmt: skip
TABLES: dict[str, str] = {}


def part(job: Job) -> Iterator[str]:
    dataset = read(job.data / "topical_chat_unieval")
    scores = score(dataset.records(), SPECS)
    theirs = published(dataset, scores)
    study = Study(scores, dataset.judgements()).with_scores(theirs)
    size, systems = int(scores.present.sum()), len(scores.systems)
    turns = study.agree(level="document", statistic="spearman")
    yield from section(
        "## Topical-Chat, turn level: Spearman",
        f"{size} replies of {systems} systems, two of them people, to {len(scores.documents)} dialogues, rated by "
        "three people. The reference is the original reply, and of that one the reply that was written anew; so a "
        "metric that is the same both ways scores these two alike. There are many good replies to a dialogue, so what "
        "is near to one of them says little. UniEval's predictions, which come with the set, are by a model that was "
        "trained for these aspects and reads the dialogue. No table of the papers is of these data.",
    )
    yield from _table(turns)
    yield from section(
        "### System level: Spearman",
        f"The same by the means of the {systems} systems: with so few, figures are coarse, and intervals, which are "
        "over dialogues, say nothing about other systems.",
    )
    yield from _table(study.agree(level="system", statistic="spearman", of_means=True))


def _table(agreement: Agreement) -> Iterator[str]:
    aspects = agreement.judged
    heads = ["metric", *aspects, "mean", "95% interval"]
    rows = [[code(name), *by_aspect(agreement, name)] for name in SPECS]
    yield from table(heads, [*rows, _unieval(agreement, aspects)], left=["95% interval"])


def _unieval(agreement: Agreement, aspects: list[str]) -> list[str]:
    """Each aspect's own prediction."""
    each = [agreement[f"UniEval {aspect}"][aspect] for aspect in aspects]
    return ["UniEval of the same aspect, published", *map(figure, each), "", ""]
