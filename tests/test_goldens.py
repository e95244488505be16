"""The released programs' outputs, reproduced. Provenance and tolerances: tests/golden/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import coheval

LOCAL = Path(__file__).parent / "golden" / "embedding_metrics.json"
CUT = "encoder=minilm(overflow='truncate')"  # the programs cut long texts

V1 = "variant='v1'"
SPECS = {
    **{
        f"v1_n{n}_rmsub{removed}_idf1": f"moverscore({V1}, ngram={n}, idf='none', subwords={not removed}, {CUT})"
        for n in (1, 2, 3)
        for removed in (True, False)
    },
    "v1_n1_rmsubTrue_idfcorpus": f"moverscore({V1}, idf=IDF, {CUT})",
    "v1_n2_rmsubTrue_idfcorpus": f"moverscore({V1}, ngram=2, idf=IDF, {CUT})",
    "v1_n1_rmsubTrue_idfcorpus_stop": f"moverscore({V1}, idf=IDF, stop_words=english, {CUT})",
    "v2_idf1": f"moverscore(variant='v2', idf='none', {CUT})",
    "v2_idfcorpus": f"moverscore(variant='v2', idf=IDF, {CUT})",
    "v2_idfcorpus_stop": f"moverscore(variant='v2', idf=IDF, stop_words=english, {CUT})",
    "ws_word_n1": f"moverscore({V1}, idf='none', subwords=True, punctuation=True, {CUT})",
    "ws_word_n2": f"moverscore({V1}, ngram=2, idf='none', subwords=True, punctuation=True, {CUT})",
    "ws_sent_mover": f"sentencemover(variant='webservice', {CUT})",
    **{
        f"{key}_{letter}": f"bertscore(variant='code', form='{form}', {more}, {CUT})"
        for key, more in (("L6_noidf", "layer=6"), ("L5_noidf", "layer=5"), ("L6_idf_refs", "layer=6, idf=IDF"))
        for letter, form in (("P", "precision"), ("R", "recall"), ("F", "f"))
    },
}


def tolerance(key: str, case: str) -> float:
    if key == "ws_sent_mover":
        return 1e-4
    return (3e-4 if case.startswith("c05") else 1e-4) if key.startswith("v2") else 1e-5


@pytest.fixture(scope="module")
def local() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(LOCAL.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def published(shared: Path, local: dict[str, Any]) -> dict[str, Any]:
    """The same from the shared goldens, where all published cases are."""
    read = {name: json.loads((shared / "golden" / f"{name}.json").read_text()) for name in GOLDENS}
    cases = {case["id"]: case for case in read["inputs"]}
    mover, bert = read["moverscore"], read["bertscore_doc"]
    chosen = [i for i, (case, _) in enumerate(mover["config"]["pairs"]) if case in cases]
    lists = {k: v for k, v in mover["scores"].items() if isinstance(v, list)}
    for key in ("L6_noidf", "L5_noidf", "L6_idf_refs"):
        lists |= {f"{key}_{letter}": bert["scores"][key][letter] for letter in "PRF"}
    tables = mover["idf_dicts"]
    return {
        "cases": list(cases.values()),
        "pairs": [mover["config"]["pairs"][i] for i in chosen],
        "idf": {
            side: {"default": tables["default"], "weights": tables[theirs]}
            for side, theirs in (("candidates", "hyp"), ("references", "ref"))
        },
        "scores": {k: [v[i] if isinstance(v[i], float) else None for i in chosen] for k, v in lists.items()},
    }


GOLDENS = ("inputs", "moverscore", "bertscore_doc")


def score_all(golden: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Every spec at once, so that the texts are encoded once; results by the goldens' keys."""
    table = folder / "idf.json"
    table.write_text(json.dumps(golden["idf"]), encoding="utf-8")
    specs = {key: spec.replace("IDF", repr(str(table))) for key, spec in SPECS.items()}
    cases = {case["id"]: case for case in golden["cases"]}
    candidates = [cases[case]["hyp"] for case, _ in golden["pairs"]]
    references = [cases[case]["refs"][k] for case, k in golden["pairs"]]
    result = coheval.score(candidates, references, metrics=list(specs.values()))
    return {key: result[spec] for key, spec in specs.items()}


@pytest.fixture(scope="module")
def local_scores(local: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return score_all(local, tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="module")
def published_scores(published: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return score_all(published, tmp_path_factory.mktemp("published"))


def compare(golden: dict[str, Any], scores: dict[str, Any], key: str) -> None:
    checked = 0
    for (case, _), expected, got in zip(golden["pairs"], golden["scores"][key], scores[key].segments, strict=True):
        if expected is not None:
            assert got == pytest.approx(expected, abs=tolerance(key, case)), case
            checked += 1
    assert checked >= 8


@pytest.mark.xdist_group("own cases")
@pytest.mark.parametrize("key", SPECS)
def test_own_cases(local: dict[str, Any], local_scores: dict[str, Any], key: str) -> None:
    compare(local, local_scores, key)


@pytest.mark.xdist_group("published cases")
@pytest.mark.parametrize("key", SPECS)
def test_all_published_cases(published: dict[str, Any], published_scores: dict[str, Any], key: str) -> None:
    compare(published, published_scores, key)


def test_multiple_references(local: dict[str, Any]) -> None:
    golden = local["multi_reference"]
    cases = {case["id"]: case for case in local["cases"]}
    chosen = [cases[name] for name in golden["cases"]]
    for letter, form in (("P", "precision"), ("R", "recall"), ("F", "f")):
        spec = f"bertscore(variant='code', form='{form}', {CUT})"
        result = coheval.score([c["hyp"] for c in chosen], [c["refs"] for c in chosen], metrics=[spec])
        assert result[spec].segments == pytest.approx(golden[letter], abs=1e-5)
    spec = "moverscore(variant='v2', idf='none')"
    several = cases["c11_multiref"]
    result = coheval.score([several["hyp"]], [several["refs"]], metrics=[spec])
    assert result[spec].system == pytest.approx(golden["c11_v2_idf1_mean"], abs=1e-4)


def test_sentences_of_documents(local: dict[str, Any]) -> None:
    golden = local["sentences"]
    for letter, form in (("P", "precision"), ("R", "recall"), ("F", "f")):
        spec = f"bertscore(variant='code', form='{form}')"
        result = coheval.score(golden["candidates"], golden["references"], metrics=[spec])
        assert result[spec].segments == pytest.approx(golden[letter], abs=1e-5)


def test_one_pair_has_no_idf(local: dict[str, Any]) -> None:
    """Issue 7 of the original: idf of a corpus of one text is 0 everywhere; v1 then calls everything perfect."""
    golden = local["single_pair_idf"]
    released, ours = "moverscore(variant='v1')", "moverscore(idf='corpus')"
    result = coheval.score(golden["hyps"], golden["refs"], metrics=[released, ours])
    assert result[released].segments == [golden["score"]]
    assert result[ours].segments == [None]
    assert result[ours].reasons == ["the candidate has no piece with a weight above zero"]
