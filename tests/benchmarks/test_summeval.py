"""The page's tables, from made-up scores."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import coheval
import summeval
from coheval.run.result import MetricResult, Result, SystemScores
from judged import ASPECTS, Judged

SYSTEMS = [f"M{i}" for i in range(12)]
DOCUMENTS = [f"d{i}" for i in range(40)]


def made(systems: list[str], documents: list[str], names: list[str]) -> Result:
    rng = np.random.default_rng(5)

    def scores() -> SystemScores:
        drawn: list[float | None] = rng.random(len(documents)).tolist()
        drawn[3] = None
        by_document = dict(zip(documents, drawn, strict=True))
        return SystemScores(drawn, [], np.zeros((0, 1)), [], by_document, {}, {}, 0.25)

    metric = coheval.metric("chrf")
    results = {name: MetricResult(metric, "", {s: scores() for s in systems}, len(systems) == 1, {}) for name in names}
    return Result(results, {})


class Paper(dict):
    """Every table, row and column that is asked for."""

    def __missing__(self, table: str) -> dict[str, object]:
        names = {*summeval.TABLE1.values(), *summeval.TABLE5.values(), *summeval.TABLE6.values(), "BARTScore (max)"}
        return {
            "columns": [*ASPECTS, "SummEval", "average"],
            "rows": dict.fromkeys(names | {"BARTScore (max) + RC"}, [0] * 4 + [11.1, 22.2]),
        }


@pytest.fixture
def page(monkeypatch) -> list[str]:
    people = np.random.default_rng(6).random((len(ASPECTS), len(SYSTEMS), len(DOCUMENTS)))
    people[2, :, 7] = 4  # one article whose summaries are all equally fluent
    texts = dict.fromkeys(SYSTEMS, ["A text."] * len(DOCUMENTS))
    judged = Judged(DOCUMENTS, texts, [["A reference."]] * len(DOCUMENTS), people)
    monkeypatch.setattr(Judged, "read", lambda folder: judged)
    monkeypatch.setattr(Judged, "score", lambda self, metrics: made(SYSTEMS, DOCUMENTS, list(metrics)))
    monkeypatch.setattr(Judged, "score_references", lambda self, metrics: made(["r"], DOCUMENTS, list(metrics)))
    return list(summeval.part(Path(), Paper()))


def test_tables_are_whole(page):
    tables = [list(lines) for is_table, lines in itertools.groupby(page, lambda line: line.startswith("|")) if is_table]
    assert len(tables) == 7
    for table in tables:
        cells = [len(re.split(r"(?<!\\)\|", line)) for line in table]
        assert len(set(cells)) == 1
        assert not re.search(r"\bnan\b", "\n".join(table))


def test_every_metric_is_in_the_first_table(page):
    shown = [line for line in page if line.startswith("| `")]
    for name, line in zip(summeval.TABLE1, shown, strict=False):
        assert line.startswith(f"| `{name}` |")
        assert ("22.2" in line) == (summeval.TABLE1[name] is not None)


def test_what_is_undefined_is_counted(page):
    text = " ".join(page)
    assert f"of {len(SYSTEMS) * len(DOCUMENTS)} summaries: `dsfocus` {len(SYSTEMS)}" in text  # one article of each
    assert f"of {len(ASPECTS) * len(DOCUMENTS)} pairs of article and aspect, people give all the same in 1;" in text
    # the metrics have no score for one article, so none of its four aspects
    rows = [line for line in page if line.startswith("| `dsfocus` ") and "11.1" in line]
    assert [line.split("|")[-2].strip() for line in rows] == ["4"]


def test_specs_can_be_built():
    for name in [*summeval.TABLE1, *summeval.TABLE5, *summeval.TABLE6]:
        coheval.metric(name)
