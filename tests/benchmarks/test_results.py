"""docs/results.md: sections are made one by one, and every table of the papers is accounted for."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import coherence
import context
import d2t
import discotk
import discotk_sets
import papers
import results
import summeval
import wmt17
import wmt19
import writing
from coheval.data.corpus import Record
from coheval.data.judgements import Judgements, Preference, Rating
from coheval.run.agreement import agree
from coheval.run.scoretable import ScoreTable
from job import Paper
from study import Study, lists

PAGE = Path(__file__).parents[2] / "docs" / "results.md"
RECOMPUTED = {key for module in results.SECTIONS.values() for key in module.TABLES}


@pytest.fixture
def shared_folder(tmp_path: Path) -> Path:
    (tmp_path / "paper_tables.json").write_text(json.dumps({"moverscore.table1_wmt17": {}}), encoding="utf-8")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, shared: Path, out: Path, *options: str) -> str:
    monkeypatch.setattr(sys, "argv", ["results.py", "--shared", str(shared), "--out", str(out), *options])
    results.main()
    return out.read_text(encoding="utf-8")


def test_one_section_is_made_anew_and_others_stay(monkeypatch, shared_folder) -> None:
    out = shared_folder / "docs" / "results.md"
    said = {"one": "first", "two": "second"}
    sections = {
        name: SimpleNamespace(part=lambda job, name=name: [f"## {name}", "", said[name], ""], TABLES={})
        for name in said
    }
    sections["two"].TABLES["moverscore.table1_wmt17"] = "two"
    monkeypatch.setattr(results, "SECTIONS", sections)
    before = run(monkeypatch, shared_folder, out, "--only", "two")
    assert "first" not in before
    run(monkeypatch, shared_folder, out)
    said |= {"one": "third", "two": "fourth"}
    after = run(monkeypatch, shared_folder, out, "--only", "one")
    shown = ("first", "second", "third", "fourth")
    assert [line for line in after.splitlines() if line in shown] == ["third", "second"]
    assert after.index("## one") < after.index("## two")
    assert "| `moverscore` 1: wmt17 | [two](#two) |  |" in after


def test_shared_data_that_is_not_there(monkeypatch, tmp_path, capsys) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, tmp_path / "nowhere", tmp_path / "results.md")
    assert "--shared" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------------- the papers' tables


def test_every_table_is_recomputed_or_there_is_a_reason(shared) -> None:
    tables = json.loads((shared / "paper_tables.json").read_text(encoding="utf-8"))
    assert RECOMPUTED | papers.NOT_RECOMPUTED.keys() == tables.keys()
    assert {key.partition(".")[0] for key in tables} == papers.PAPERS.keys()


def test_no_table_is_both() -> None:
    assert not RECOMPUTED & papers.NOT_RECOMPUTED.keys()
    assert papers.MISSING.keys() <= RECOMPUTED


def test_rows_and_columns_are_the_papers(shared) -> None:
    tables = json.loads((shared / "paper_tables.json").read_text(encoding="utf-8"))
    named = {
        "moverscore.table1_wmt17_segment_pearson": wmt17.TABLE1.values(),
        "moverscore.table5_alignment_wmt17": wmt17.TABLE5.values(),
        "moverscore.table3_d2t_spearman": [*d2t.TABLE3.values(), *d2t.PUBLISHED.values()],
        discotk.TABLE2: [*wmt19.ROWS.values(), *discotk.ROWS.values()],
        discotk.TABLE3: [*wmt19.ROWS.values(), *discotk.ROWS.values()],
        discotk.TABLE6: map(discotk._row, discotk_sets.ablations("drlex")),
        context.TABLE2: context.PAPER_ROWS.values(),
        "discoscore.table1_summeval_system_kendall_x100": summeval.TABLE1.values(),
        "discoscore.table3_summary_level_kendall_x100": summeval.TABLE3.values(),
        "discoscore.table4_encoders_summeval_average": [f"{row} + Conpono" for row in summeval.TABLE4.values()],
        "discoscore.table5_ablation": summeval.TABLE5.values(),
        "discoscore.table6_sentgraph_distance": summeval.TABLE6.values(),
        "discoscore.table9_ensemble": [row for _, row in summeval.TABLE9],
        coherence.ORDER: set(coherence.PAPER.values()) - {"SentAvg"},  # cannot see an order
        **dict.fromkeys([coherence.TOPIC, coherence.CONNECTIVE, coherence.CLOZE], coherence.PAPER.values()),
    }
    assert named.keys() == RECOMPUTED
    for key, rows in named.items():
        assert {row for row in rows if row} <= tables[key]["rows"].keys()
        Paper(tables[key]["columns"], tables[key]["rows"])
    for part in d2t.PARTS.values():
        columns = tables["moverscore.table3_d2t_spearman"]["columns"]
        assert {f"{part} {short}" for short in d2t.SHORT.values()} <= set(columns)


def test_links_of_the_page_lead_to_its_headings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {papers.anchor(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}
    links = set(re.findall(r"\]\(#(.*?)\)", text))
    assert links
    assert links <= anchors


def test_anchors() -> None:
    assert papers.anchor("WMT17: is the difference to moverscore real?") == "wmt17-is-the-difference-to-moverscore-real"
    assert papers.anchor("DS-Sent, τ") == "ds-sent-τ"


def test_a_papers_mean_is_of_the_columns_that_are_compared() -> None:
    paper = Paper(["a", "b", "average"], {"x": [0.1, 0.3, 0.9], "y": [0.1, None, 0.1]})
    assert paper.mean("x", ["a", "b"]) == pytest.approx(0.2)
    assert paper.mean("y", ["a", "b"]) is None
    assert paper.value(None, "a") is None


# ------------------------------------------------------------------------------------------------------- texts, numbers


def test_wmt17_texts_of_one_sentence_are_segments_of_a_document() -> None:
    records = [Record(s, f"{s}{d}", ("r",), None, d) for s, d in (("A", "cs-en:1"), ("B", "cs-en:1"), ("A", "de-en:1"))]
    ratings = [Rating(r.system, r.document, None, "da", n) for n, r in enumerate(records)]
    groups = {"cs-en:1": "cs-en", "de-en:1": "de-en"}
    texts, judgements = wmt17.one_system(records, Judgements(ratings, groups=groups))
    expected = [("cs-en", "cs-en:1", 0), ("cs-en", "cs-en:1", 1), ("de-en", "de-en:1", 0)]
    assert [(t.system, t.document, t.segment) for t in texts] == expected
    assert [t.candidate for t in texts] == ["Acs-en:1", "Bcs-en:1", "Ade-en:1"]
    assert [(r.unit, r.value) for r in judgements.ratings] == list(zip(expected, (0, 1, 2), strict=True))
    assert judgements.groups == groups


def test_wmt19_systems_are_told_apart_by_their_pair() -> None:
    records = [Record("online", "x", ("r",), None, d) for d in ("gu-en:1", "lt-en:1")]
    groups = {"gu-en:1": "gu-en", "lt-en:1": "lt-en"}
    judged = Judgements(preferences=[Preference("online", "other", "lt-en:1", None, "darr")], groups=groups)
    texts, judgements = wmt19.by_pair(records, judged)
    assert [t.system for t in texts] == ["gu-en/online", "lt-en/online"]
    assert [(p.better, p.worse) for p in judgements.preferences] == [("lt-en/online", "lt-en/other")]


def test_lists_of_the_first_documents() -> None:
    records = [Record(s, f"{s}{d}", (f"r{d}",), None, d) for d in "xyz" for s in "AB"]
    assert lists(records, 2) == {
        "candidates": {"A": ["Ax", "Ay"], "B": ["Bx", "By"]},
        "references": [["rx"], ["ry"]],
    }


@pytest.mark.parametrize(
    ("value", "percent", "shown"),
    [
        (0.12349, False, "0.123"),
        (-0.5, True, "-50.0"),
        (-0.0001, False, "0.000"),
        (-0.0001, True, "0.0"),
        (None, True, "–"),
    ],
)
def test_figures(value, percent, shown) -> None:
    assert writing.figure(value, percent=percent) == shown


def test_differences_have_a_sign() -> None:
    assert writing.figure(0.1, plus=True) == "+0.100"
    assert writing.between(-0.25, 0.5, percent=True, plus=True) == "-25.0 to +50.0"
    human = [1.0, 2, 3, 4, 5, 6]
    agreement = agree({"same": human, "other": [6.0, 5, 4, 3, 2, 1]}, human, level="segment", resamples=20)
    assert writing.span(agreement, "same", "other", "human") == ["+2.000", "+2.000 to +2.000"]


def test_a_study_of_some_systems_and_documents() -> None:
    table = ScoreTable.plain({"m": {"A": [1.0, 2, 3], "B": [4.0, None, 6]}}, documents=["x", "y", "z"])
    ratings = [Rating(s, d, None, "a", float(n)) for n, (s, d) in enumerate((s, d) for s in "AB" for d in "xyz")]
    study = Study(table, Judgements(ratings, groups={"x": "g", "y": "g", "z": "h"}))
    assert study.ratings("a").tolist() == [[0, 1, 2], [3, 4, 5]]
    some = study.only(systems=["B"], documents=["y", "z"])
    assert np.array_equal(some.ratings("a"), [[np.nan] * 3, [np.nan, 4, 5]], equal_nan=True)
    assert {r.document for r in study.of_group("g").judgements.ratings} == {"x", "y"}
    more = study.with_scores({"n": {"B": [0.0, 1, 2], "A": [3.0, 4, None]}})
    assert more.numbers("n") == {"A": [3, 4, None], "B": [0, 1, 2]}
    assert list(more.table.columns) == ["m", "n"]
