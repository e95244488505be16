"""The section on discourse trees from made-up scores and a toy parser."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

import discotk
import discotk_combined
import discotk_groups
import discotk_sets
import mixing
import study
from coheval.data.corpus import Record
from job import Job
from made import AnyRow, Made, made_job, made_scores
from study import Study
from toyparser import Commas
from writing import Gap

GROUPS = ["cs-en", "de-en"]
SEGMENTS = Made(["A", "B+C"], ["da"], GROUPS)
SYSTEMS = Made([f"{pair}/{name}" for pair in GROUPS for name in "ABC"], ["da"], GROUPS)
PAIRS = Made(["A", "B", "C"], ["darr"], ["gu-en", discotk_sets.LOWER], of_pairs=True)
PAPERS = {
    discotk.TABLE2: ["alone", "+DR", "+DR-LEX"],
    discotk.TABLE3: ["alone", "untuned +DR", "untuned +DR-LEX", "tuned +DR", "tuned +DR-LEX"],
    discotk.TABLE6: ["spearman", "pearson"],
}


def made_read(folder: Path, part: str | None = None) -> Made:
    return PAIRS if "19" in folder.name else SYSTEMS if part else SEGMENTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def job(folder: Path) -> Job:
    tables = {key: {"columns": columns, "rows": AnyRow(len(columns))} for key, columns in PAPERS.items()}
    return replace(made_job(folder), tables=tables)


@pytest.fixture(scope="module")
def sets(job: Job) -> discotk_sets.Sets:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discotk_sets, "read", made_read)
        patch.setattr(discotk_sets, "score", made_scores)
        patch.setattr(discotk_sets, "EVERY", 1)
        found = discotk_sets.scored(job)
    return replace(found, texts={name: with_clauses(texts) for name, texts in found.texts.items()})


def with_clauses(texts: discotk_sets.Texts) -> discotk_sets.Texts:
    """The toy parser finds relations at commas."""
    records = [
        replace(r, candidate=r.candidate.replace(" said", ", because"), references=("It rained, but not much.",))
        for r in texts.records
    ]
    return texts._replace(records=records)


@pytest.fixture(scope="module")
def lines(job: Job, sets: discotk_sets.Sets) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discotk, "scored", lambda job: sets)
        patch.setattr(discotk_groups, "PARSER", Commas())
        patch.setattr(study, "RESAMPLES", 50)
        return list(discotk.part(job))


def cells(lines: list[str], heading: str, label: str) -> list[str]:
    """A line of a table under a heading that begins so."""
    start = next(n for n, line in enumerate(lines) if line.startswith("#") and line.lstrip("# ").startswith(heading))
    found = next(line for line in lines[start:] if line.startswith(f"| {label} |"))
    return [cell.strip().strip("*") for cell in found.split(" | ")[1:]]


# ------------------------------------------------------------------------------------------------------------ the page


def test_tables_are_whole(lines) -> None:
    tables = [list(own) for is_table, own in itertools.groupby(lines, lambda line: line.startswith("|")) if is_table]
    assert len(tables) == 14
    for table in tables:
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in table}) == 1
        assert not re.search(r"\b(nan|None)\b", "\n".join(table))


def test_papers_tables_have_their_headings(lines) -> None:
    assert {f"## {heading}" for heading in discotk.TABLES.values()} <= set(lines)


def test_figures_are_there_and_small(lines, folder) -> None:
    found = re.findall(r"!\[(.*?)\]\((.*?)\)", "\n".join(lines))
    assert len(found) == 2
    for alt, target in found:
        assert len(alt) > 20
        assert 1_000 < (folder / target).stat().st_size < 300_000


def test_conditions_stand_in_the_order_of_the_papers_table(shared, lines) -> None:
    rows = json.loads((shared / "paper_tables.json").read_text(encoding="utf-8"))[discotk.TABLE6]["rows"]
    assert [discotk._row(spec) for spec in discotk_sets.ablations("drlex")] == list(rows)
    start = lines.index(f"## {discotk.ABLATION}")
    labels = [line.split(" | ")[0].strip("| `") for line in lines[start:] if line.startswith("| `dr")]
    assert labels[:9] == [*discotk_sets.ablations("drlex"), *discotk_sets.ablations("dr")]


def test_segments_are_pearson_in_each_pair(lines, sets) -> None:
    expected = [pearson(sets.wmt17, sets.wmt17.scores("drlex"), pair) for pair in GROUPS]
    found = cells(lines, "Discourse trees alone: segments", "`drlex`")
    assert found[:3] == [f"{value:.3f}" for value in (*expected, np.mean(expected))]


def test_a_uniform_combination_is_the_mean_of_scaled_scores(lines, sets) -> None:
    """Scaled here by hand; `ter` is turned round."""
    scores = [sets.wmt17.scores(name) for name in ("ter", "drlex")]
    known = ~np.isnan(sum(scores))
    ter, tree = ((s - s[known].min()) / np.ptp(s[known]) for s in scores)
    expected = np.mean([pearson(sets.wmt17, 1 - ter + tree, pair) for pair in GROUPS])
    heading = discotk_combined.HEADINGS["WMT17 segments"]
    assert cells(lines, heading, "`ter` + `drlex`")[0] == f"{expected:.3f}"


def test_differences_are_those_of_the_table(lines) -> None:
    heading = discotk_combined.HEADINGS["WMT19 segments"]
    base, tree, words = (cells(lines, heading, f"`bleu`{more}") for more in ("", " + `drlex`", " + words"))
    assert float(tree[2]) == pytest.approx(float(tree[0]) - float(base[0]), abs=0.0011)
    assert float(tree[5]) == pytest.approx(float(tree[0]) - float(words[0]), abs=0.0011)
    assert tree[-1] == "+0.000 |"  # the paper's figures are all the same here


def test_systems_are_pearson_of_means(lines, sets) -> None:
    scores, ratings = sets.systems.scores("chrf"), sets.systems.ratings("da")
    units = [document for document, _ in sets.systems.table.units]
    each = []
    for pair in GROUPS:
        own = [document.startswith(pair) for document in units]
        each.append(pearsonr(np.nanmean(scores[:, own], axis=1), ratings[:, own].mean(axis=1)).statistic)
    found = cells(lines, "Discourse trees alone: systems", "`chrf`")
    assert found[:3] == [f"{value:.3f}" for value in (*each, np.mean(each))]


def test_good_and_bad_are_counted(lines) -> None:
    """Sentences of which no translation is better than another are left out."""
    values: dict[str, set[float]] = {}
    for rating in SEGMENTS.judgements().ratings:
        values.setdefault(rating.document, set()).add(rating.value)
    assert f"### WMT17: {sum(len(own) > 1 for own in values.values())} sentences" in lines
    assert "### WMT19: 24 sentences" in lines
    good, _, bad, *_ = cells(lines, "WMT19: 24", "F1 of relations")
    assert good == bad == "0.000"  # all translations have a cause, their references a contrast


def pearson(made: Study, scores: np.ndarray, pair: str) -> float:
    own = made.table.systems.index(pair)
    known = ~np.isnan(scores[own] + made.ratings("da")[own])
    return float(pearsonr(scores[own, known], made.ratings("da")[own, known]).statistic)


# --------------------------------------------------------------------------------------------------------------- parts


def test_escapes_are_undone() -> None:
    (found,) = discotk_sets.unescaped([Record("A", "&quot; it &apos;s on", ("a &amp; b",), "s", "cs-en:3")])
    assert (found.candidate, found.references) == ("\" it 's on", ("a & b",))


def test_every_so_manyth_line_is_taken() -> None:
    outputs = [Record("A", "x", ("r",), None, f"cs-en:{n}") for n in range(1, 14)]
    assert [record.document for record in discotk_sets.sampled(outputs)] == ["cs-en:6", "cs-en:12"]


@pytest.mark.parametrize("name", discotk_sets.TREES)
def test_the_default_is_among_the_settings_once(name) -> None:
    decay, normalise = discotk_sets.DEFAULTS[name]
    assert discotk_sets.setting(name, decay, normalise) == name
    assert discotk_sets.settings(name).count(name) == 1


def test_held_out_weights_come_from_other_pairs(sets) -> None:
    """Ratings of a pair have no say in its own scores, up to their scale."""
    study17 = sets.wmt17
    flipped = [
        replace(r, value=-r.value if study17.judgements.groups[r.document] == "cs-en" else r.value)
        for r in study17.judgements.ratings
    ]
    other = replace(study17, judgements=replace(study17.judgements, ratings=flipped))
    own = [group == "cs-en" for group in mixing.of_documents(study17, study17.judgements.groups)]
    before, after = (discotk_combined.by_ratings(s, ["bleu", "dr"])[own] for s in (study17, other))
    known = ~np.isnan(before)
    assert before[known] == pytest.approx(after[known])


def test_p_is_corrected_after_holm() -> None:
    """By hand: the smallest of three times 3, the next times 2, the largest as it is."""
    gaps = {("a", str(n)): Gap(0.1, 0.0, 0.2, p) for n, p in enumerate((0.03, 0.01, None, 0.2))}
    found = [own.p for own in discotk_combined.corrected(gaps).values()]
    assert found[2] is None
    assert [p for p in found if p is not None] == pytest.approx([0.06, 0.03, 0.2])
