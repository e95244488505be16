"""Sections of docs/results.md from made-up scores: whole tables, and figures that scipy has too."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr, zscore

import coheval
import d2t
import realsumm
import study
import summeval
import topicalchat
import wmt17
import wmt19
from made import Made, give, made_job, made_scores
from study import Study

SUMMARIES = Made([f"M{n}" for n in (0, 1, 2, 5, 8, 9, 10, 11, 12)], summeval.ASPECTS)
PAIRS = Made(["A", "B"], [wmt17.ASPECT], ["cs-en", "de-en"])
PREFERENCES = Made(["A", "B", "C"], [wmt19.ASPECT], ["gu-en", "kk-en"], of_pairs=True)
UTTERANCES = Made(["LOLS", "WEN"], list(d2t.SHORT), metrics=list(d2t.PUBLISHED))
FACTS = Made(
    ["a", "b", "c", "d"],
    [realsumm.ASPECT],
    metrics=realsumm.PUBLISHED,
)
REPLIES = Made(["A", "B", "C"], ["coherence", "overall"], metrics=["UniEval coherence", "UniEval overall"])
SETS = {
    wmt17: {"whole": PAIRS},
    wmt19: {"whole": PREFERENCES},
    d2t: {"bagel": UTTERANCES, "sfhot": UTTERANCES},
    summeval: {"whole": SUMMARIES},
    realsumm: {
        "whole": FACTS,
        "abs": Made(FACTS.systems, FACTS.aspects, kept=["a", "b", "c"]),
        "ext": Made(FACTS.systems, FACTS.aspects, kept=["b", "c", "d"]),
    },
    topicalchat: {"whole": REPLIES},
}
NAMES = {module.__name__: module for module in SETS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, list[str]]:
    """The lines of every section."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summeval, "_values_of", made_references)
        patch.setattr(study, "RESAMPLES", 100)
        made = {}
        for module, sets in SETS.items():
            give(patch, module, **sets)
            made[module.__name__] = list(module.part(made_job(folder)))
    return made


def made_references(references: dict[str, tuple[str, ...]]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    return {name: rng.random((len(references), 2)) for name in summeval.FEATURES}


def cells(pages: dict[str, list[str]], section: str, heading: str, metric: str) -> list[str]:
    """A metric's line in the first table under a heading that begins so."""
    lines = pages[section]
    start = next(n for n, line in enumerate(lines) if line.lstrip("# ").startswith(heading) and line.startswith("#"))
    found = next(line for line in lines[start:] if line.startswith(f"| `{metric}` |"))
    return [cell.strip().strip("*") for cell in re.split(r"(?<!\\)\|", found)[2:-1]]


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_whole(pages, name) -> None:
    lines = pages[name]
    tables = [list(own) for is_table, own in itertools.groupby(lines, lambda line: line.startswith("|")) if is_table]
    assert tables
    for table in tables:
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in table}) == 1
        assert not re.search(r"\b(nan|None)\b", "\n".join(table))


@pytest.mark.parametrize("name", NAMES)
def test_papers_tables_have_their_headings(pages, name) -> None:
    assert {f"## {heading}" for heading in NAMES[name].TABLES.values()} <= set(pages[name])


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_there_and_small(pages, folder, name) -> None:
    for alt, target in re.findall(r"!\[(.*?)\]\((.*?)\)", "\n".join(pages[name])):
        assert len(alt) > 20
        assert 1_000 < (folder / target).stat().st_size < 300_000


def test_wmt17_is_pearson_in_each_pair(pages) -> None:
    found = cells(pages, "wmt17", "WMT17, segment level", "moverscore")
    expected = []
    scored = rescored(wmt17)
    for pair in ("cs-en", "de-en"):
        own = scored.table.systems.index(pair)
        x, y = scored.scores("moverscore")[own], scored.ratings(wmt17.ASPECT)[own]
        known = ~np.isnan(x + y)
        assert known.sum() == 24 - (own == 0)  # two systems, twelve sentences; the first text has no score
        expected.append(pearsonr(x[known], y[known]).statistic)
    assert found[:3] == [f"{value:.3f}" for value in (*expected, np.mean(expected))]


def test_wmt17_differences_are_those_of_the_table(pages) -> None:
    first = cells(pages, "wmt17", "WMT17, segment level", "moverscore")[2]
    for other in ("bleu", "ter"):
        gap = float(first) - float(cells(pages, "wmt17", "WMT17, segment level", other)[2])
        assert float(cells(pages, "wmt17", "WMT17: is the difference", other)[0]) == pytest.approx(gap, abs=0.0011)


def rescored(module) -> Study:
    """What a section saw: scores are drawn in the same order again."""
    with pytest.MonkeyPatch.context() as patch:
        give(patch, module, **SETS[module])
        return module._scored(SETS[module]["whole"])


def test_wmt19_is_tau_over_pairs(pages) -> None:
    """A tie counts against the metric; there are none in random scores, so both forms are (C − D) / (C + D)."""
    records, judgements = wmt19.by_pair(PREFERENCES.records(), PREFERENCES.judgements())
    scores = made_scores(records, wmt19.SPECS)
    column = dict(zip(scores.systems, scores.columns["moverscore"].segments, strict=True))
    place = {document: n for n, (document, _) in enumerate(scores.units)}
    by_group: dict[str, list[float]] = {"gu-en": [], "kk-en": []}
    for p in judgements.preferences:
        gap = column[p.better][place[p.document]] - column[p.worse][place[p.document]]
        by_group[judgements.groups[p.document]] += [] if np.isnan(gap) else [np.sign(gap)]
    expected = [float(np.mean(signs)) for signs in by_group.values()]
    found = cells(pages, "wmt19", "WMT19, segment level", "moverscore")
    assert found[:3] == [f"{value:.3f}" for value in (*expected, np.mean(expected))]
    assert found[4] == found[2]


def test_d2t_is_spearman_over_utterances(pages) -> None:
    scores = made_scores(UTTERANCES.records(), d2t.TABLE3)
    expected = []
    for aspect in d2t.SHORT:
        x, y = scores.columns["meteor"].segments, Study(scores, UTTERANCES.judgements()).ratings(aspect)
        known = ~np.isnan(x)
        expected.append(spearmanr(x[known], y[known]).statistic)
    found = cells(pages, "d2t", "BAGEL", "meteor")
    assert found[:4] == [f"{value:.3f}" for value in (*expected, np.mean(expected))]
    assert found[5:] == ["METEOR", "0.500", "0.500", "0.500"]


@pytest.fixture(scope="module")
def summaries() -> Study:
    specs = [*summeval.TABLE1, *summeval.TABLE4, *summeval.TABLE5, *summeval.TABLE6, *summeval.HALVES]
    return Study(made_scores(SUMMARIES.records(), specs), SUMMARIES.judgements())


@pytest.mark.parametrize(("heading", "first"), [("SummEval, system level", 4), ("All 9 systems", 0)])
def test_summeval_is_kendall_of_means(pages, summaries, heading, first) -> None:
    metric = np.nanmean(summaries.scores("dssent")[first:], axis=1)
    people = [np.round(summaries.ratings(a)[first:].mean(axis=1), 9) for a in summeval.ASPECTS]
    taus = [100 * kendalltau(metric, own).statistic for own in people]
    found = cells(pages, "summeval", heading, "dssent")
    assert found[:5] == [f"{tau:.1f}" for tau in (*taus, np.mean(taus))]
    assert found[6] == f"{np.mean(np.abs(taus)):.1f}"


def test_summeval_halves_are_every_second_article(pages, summaries) -> None:
    expected = []
    for half in (slice(0, None, 2), slice(1, None, 2)):
        metric = np.nanmean(summaries.scores("rc")[4:, half], axis=1)
        people = [np.round(summaries.ratings(a)[4:, half].mean(axis=1), 9) for a in summeval.ASPECTS]
        expected.append(np.mean([100 * kendalltau(metric, own).statistic for own in people]))
    found = cells(pages, "summeval", "The half of the articles", "rc")
    assert [float(f) for f in found[:2]] == pytest.approx(expected, abs=0.051)


def test_summeval_within_articles(pages, summaries) -> None:
    scores = summaries.scores("rc")[4:].T
    taus = [
        [100 * kendalltau(x, y).statistic for x, y in zip(scores, summaries.ratings(a)[4:].T, strict=True)]
        for a in summeval.ASPECTS
    ]
    found = cells(pages, "summeval", "SummEval, summary level", "rc")
    assert found[:4] == [f"{np.nanmean(own):.1f}" for own in taus]


def test_summeval_sum_is_of_standard_scores(summaries) -> None:
    """Adding z-scores of systems' means orders them as adding summaries' scores in units of their deviation does."""
    abstractive = summaries.only(systems=SUMMARIES.systems[4:])
    summed = summeval._summed(abstractive, {"moverscore": 1, "rc": -1})
    found = np.array([np.mean(summed[system]) for system in SUMMARIES.systems[4:]])
    each = [zscore(summaries.scores(name)[4:].mean(axis=1)) for name in ("moverscore", "rc")]
    assert zscore(found) == pytest.approx(zscore(each[0] - each[1]))


def test_summeval_counts_what_is_undefined(pages) -> None:
    text = " ".join(pages["summeval"])
    assert "of 108 summaries: `dsfocus` 1," in text  # nine systems, twelve articles


def test_realsumm_beside_published_scores(pages) -> None:
    scores = made_scores(FACTS.records(), realsumm.ROWS)
    published = FACTS.published()["mover_score"]
    theirs = np.array([[published[system, document] for document in FACTS.documents()] for system in FACTS.systems])
    ours = scores.columns["moverscore"].segments
    known = ~np.isnan(ours)
    found = cells(pages, "realsumm", "REALSumm: our scores", "moverscore")
    assert found[:2] == ["mover_score", f"{pearsonr(ours[known], theirs[known]).statistic:.3f}"]
    assert found[3:] == [f"{ours[known].mean():.3f}", f"{theirs.mean():.3f}"]


def test_realsumm_looks_at_one_kind_of_systems_at_a_time(pages) -> None:
    scores = made_scores(FACTS.records(), realsumm.ROWS)
    judged = Study(scores, FACTS.judgements())
    found = cells(pages, "realsumm", "REALSumm: Kendall", "sbert")
    for place, own in ((0, [0, 1, 2]), (4, [1, 2, 3])):
        x = np.nanmean(judged.scores("sbert")[own], axis=1)
        y = np.round(judged.ratings(realsumm.ASPECT)[own].mean(axis=1), 9)
        assert found[place] == f"{kendalltau(x, y).statistic:.3f}"


def test_topicalchat_takes_the_prediction_of_the_same_aspect(pages) -> None:
    line = next(line for line in pages["topicalchat"] if line.startswith("| UniEval"))
    published = REPLIES.published()
    judged = Study(made_scores(REPLIES.records(), ["rc"]), REPLIES.judgements())
    for aspect, cell in zip(REPLIES.aspects, line.split("|")[2:], strict=False):
        own = [published[f"UniEval {aspect}"][s, d] for s in REPLIES.systems for d in REPLIES.documents()]
        assert cell.strip() == f"{spearmanr(own, judged.ratings(aspect).ravel()).statistic:.3f}"


def test_specs_can_be_built() -> None:
    specs = [*wmt17.TABLE1, *wmt17.TABLE5, *wmt19.SPECS, *d2t.TABLE3, *summeval.TABLE1, *summeval.TABLE4]
    specs += [*summeval.TABLE5, *summeval.TABLE6, *summeval.HALVES, *realsumm.ROWS, *topicalchat.SPECS]
    for name in specs:
        coheval.metric(name)
