"""`coheval.report`: a run or a result as a report; what it explains, and that it is the same each time."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coheval
from coheval.algo.resample import bootstrap_weights
from coheval.data import Corpus, Record
from coheval.errors import CohevalError, DataError, ResourceError, UnknownName, UsageError
from coheval.report.making import Report
from coheval.report.payload.blocks import _evidence_size, pack
from coheval.report.payload.texts import items_of
from coheval.run.compare import compare
from coheval.run.score import evaluate, named
from coheval.run.stored import read_run

from .conftest import CANDIDATES, DOCUMENTS, REFERENCES, blocks_of, records, run_folder, scored, unpacked


def explained_documents(made: Report) -> set[str]:
    """Those of which the page has evidence."""
    whys = zip(made.to_dict()["documents"]["ids"], blocks_of(made)["why"], strict=True)
    return {d for d, why in whys if any(told["parts"] for metrics in why.values() for told in metrics)}


def numbers_in(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [n for inner in value.values() for n in numbers_in(inner)]
    if isinstance(value, list | tuple):
        return [n for inner in value for n in numbers_in(inner)]
    return [value] if isinstance(value, float) else []


# ---------------------------------------------------------------------------------------------------- what it says


def test_scores_and_intervals_are_those_of_score_and_compare() -> None:
    """Expected: the result itself, and `coheval.compare`, to six digits as the page shows them."""
    result = scored()
    content = coheval.report(result).to_dict()
    compared = compare(result)
    for row in content["overview"]["rows"]:
        for spec, figures in row["metrics"].items():
            (expected,) = (one for one in compared[spec].systems if one.system == row["system"])
            assert figures["score"] == pytest.approx(result[spec].system[row["system"]], rel=1e-5)
            assert figures["low"] == pytest.approx(expected.low, rel=1e-5)
            assert figures["p"] == (expected.p and pytest.approx(expected.p, rel=1e-5))
            assert (figures["cluster"], figures["significant"]) == (expected.cluster, expected.significant)
            assert (figures["undefined"], figures["units"]) == (0, 6)
    assert [len(content["pairs"][spec]) for spec in ("chrf", "ter")] == [1, 1]
    assert content["documents"]["ids"] == ["sea", "town", "sky"]
    assert content["documents"]["segments"] == [2, 2, 2]
    chrf = content["documents"]["scores"]["chrf"]
    assert chrf[1][2] == pytest.approx(result["chrf"].documents["second"]["sky"], rel=1e-5)
    assert content["documents"]["lengths"][0] == len("the red boat sank\nnobody saw him")  # the longer candidate


@pytest.mark.parametrize(("words", "expected"), [(4, 400 / 3), (437, 43_700 / 3)])
def test_large_scores_keep_all_their_digits(words: int, expected: float) -> None:
    """TER by hand: three words of the reference are changed and the candidate's others dropped, an edit for each of
    its words; 133.3333 and 14566.6667."""
    made = coheval.report(coheval.score([" ".join(f"w{n}" for n in range(words))], ["x y z"], metrics=["ter"]))
    content = json.loads(made.to_json())
    assert made.to_pandas()["score"].tolist() == [pytest.approx(expected, rel=1e-15)]
    assert content["overview"]["rows"][0]["metrics"]["ter"]["score"] == pytest.approx(expected, rel=1e-15)
    assert content["documents"]["scores"]["ter"] == [[pytest.approx(expected, rel=1e-15)]]
    assert blocks_of(made)["why"][0]["system"][0]["score"] == pytest.approx(expected, rel=1e-15)
    assert f"{expected:.4f}" in made.markdown()


def test_correlation_is_numpys_with_lower_is_better_turned() -> None:
    result = scored()
    content = coheval.report(result).to_dict()["correlation"]
    chrf, ter = ([s for of in result[m].documents.values() for s in of.values()] for m in ("chrf", "ter"))
    turned = np.corrcoef(chrf, -np.array(ter))[0, 1]
    places = {name: n for n, name in enumerate(content["metrics"])}
    assert content["values"][places["chrf"]][places["ter"]] == pytest.approx(turned, rel=1e-5)


def test_an_interval_of_one_system_is_a_bootstrap_of_its_documents() -> None:
    """chrF of each resample written out: documents drawn with the same weights, scored as one text list."""

    made = coheval.report(scored(["chrf"], "second"))
    (row,) = made.to_dict()["overview"]["rows"]
    names = list(dict.fromkeys(DOCUMENTS))
    every = bootstrap_weights(3, 1000, np.random.default_rng([1, 0]))[1:]
    distinct, which = np.unique(every, axis=0, return_inverse=True)
    drawn = []
    for weights in distinct.astype(int):
        lines = [n for n, document in enumerate(DOCUMENTS) for _ in range(weights[names.index(document)])]
        candidates, references = ([own[n] for n in lines] for own in (CANDIDATES["second"], REFERENCES))
        drawn.append(coheval.score(candidates, references, metrics=["chrf"])["chrf"].system)
    scores = np.array(drawn)[which.ravel()]
    figures = row["metrics"]["chrf"]
    assert [figures["low"], figures["high"]] == pytest.approx(np.quantile(scores, [0.025, 0.975]).tolist(), rel=1e-5)
    assert made.comparison is None
    assert made.to_dict()["pairs"] == {}
    assert "3 documents; intervals of 95 %" in made.to_dict()["overview"]["told"]


def test_one_document_has_no_interval() -> None:
    made = coheval.report(
        coheval.score(["a dog", "a cat"], ["a dog", "the cat"], documents=["d", "d"], metrics=["chrf"])
    )
    (row,) = made.to_dict()["overview"]["rows"]
    assert row["metrics"]["chrf"]["low"] is None
    assert "1 document: no intervals" in made.markdown()
    several = coheval.report(coheval.score({"a": ["x"], "b": ["y"]}, ["x"], metrics=["chrf"]))
    assert several.to_dict()["overview"]["rows"][0]["metrics"]["chrf"]["p"] is None


def test_systems_with_different_documents() -> None:
    """What a system does not have is null; nobody's score is made of it."""
    both = [Record(s, f"{s} {n}", (f"a {n}",), document=str(n)) for s in "ab" for n in range(12)]
    result = evaluate(Corpus.of([*both, Record("b", "only b", ("b",), document="own")]), named("chrf"))
    made = coheval.report(result)
    content = made.to_dict()
    assert content["documents"]["ids"][-1] == "own"
    assert content["documents"]["scores"]["chrf"][0][-1] is None
    assert content["documents"]["lacking"] == [[12], []]
    assert list(blocks_of(made)["texts"][-1]["candidates"]) == ["b"]
    assert list(blocks_of(made)["why"][-1]) == ["b"]
    assert content["overview"]["documents"] == 12
    assert content["reproducibility"]["corpus"] == {
        "sha256": result.corpus.sha256, "segments": {"a": 12, "b": 13}, "documents": 13,
    }  # fmt: skip
    assert any("not comparable" in note for note in made.notes)


def test_systems_without_a_document_in_common_are_not_compared() -> None:
    apart = [Record("a", "x y", ("x",), document="1"), Record("b", "x", ("x",), document="2")]
    made = coheval.report(evaluate(Corpus.of(apart), named("chrf")))
    assert made.comparison is None
    assert any(note.startswith("systems are not compared: there is nothing to compare") for note in made.notes)
    assert [row["metrics"]["chrf"]["score"] is None for row in made.to_dict()["overview"]["rows"]] == [False, False]
    made.markdown()
    made.latex()


def test_undefined_scores_are_null_with_their_reasons() -> None:
    candidates = {"a": ["", "a dog", "a cat"], "b": ["", "", ""]}
    result = coheval.score(candidates, ["x", "a cat", "a cat"], metrics=["moverscore", "lc"])
    made = coheval.report(result)
    content = made.to_dict()
    first, second = content["overview"]["rows"]
    assert first["metrics"]["moverscore"]["undefined"] == 1
    assert second["metrics"]["moverscore"]["score"] is None
    assert content["documents"]["scores"]["moverscore"][1] == [None, None, None]
    mover, lc = blocks_of(made)["why"][0]["a"]
    assert mover["reasons"] == ["the candidate is empty"]
    assert lc["score"] is None
    assert lc["reason"]
    assert all(map(math.isfinite, numbers_in([content, blocks_of(made)])))
    assert "–" in made.markdown()
    json.loads(made.to_json(), parse_constant=lambda constant: pytest.fail(constant))


# ----------------------------------------------------------------------------------------------------- run folders


def test_a_run_folder_gives_what_its_result_gives(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    of_folder, of_result = coheval.report(folder).to_dict(), coheval.report(scored()).to_dict()
    for same in ("systems", "overview", "pairs", "correlation", "documents", "chunks", "texts", "explained"):
        assert of_folder[same] == of_result[same], same
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert of_folder["created"] == manifest["created"]
    assert of_folder["reproducibility"]["files"] == manifest["files"]
    assert of_folder["reproducibility"]["corpus"]["sha256"] == manifest["corpus"]["sha256"]
    assert of_folder["repeat"] == f"coheval score --repeat {folder}"
    assert of_folder["title"] == str(folder)


def test_texts_that_are_gone_leave_the_scores(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, evidence=True)
    before = coheval.report(folder).to_dict()
    (tmp_path / "data.jsonl").unlink()
    made = coheval.report(folder)
    after = made.to_dict()
    assert after["overview"] == before["overview"]
    assert after["documents"]["scores"] == before["documents"]["scores"]
    assert (after["texts"], after["explained"], after["explained_note"], after["repeat"]) == (False, [], None, "")
    (note,) = (note for note in made.notes if note.startswith("the texts cannot be shown: "))
    assert "data.jsonl" in note
    texts, why = blocks_of(made)["texts"][1], blocks_of(made)["why"][1]
    assert texts["candidates"]["first"] == {"text": "", "segments": [None, None]}
    assert texts["labels"]["first"] == [0, 1]
    assert why["first"][0]["segments"] == pytest.approx(scored()["chrf"].segments["first"][2:4], rel=1e-5)
    assert why["first"][0]["parts"] == []


def test_texts_that_have_changed_are_not_shown(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    (tmp_path / "data.jsonl").write_text("{}\n", encoding="utf-8")
    made = coheval.report(folder)
    assert made.to_dict()["texts"] is False
    assert any("the input is not what it was when the run was made" in note for note in made.notes)


def test_standard_input_is_gone(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"inputs": {"data": "-"}}), encoding="utf-8")
    assert any("standard input" in note for note in coheval.report(folder).notes)


def test_a_manifest_that_is_half_written_is_told(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    (folder / "manifest.json").write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(DataError, match="not a manifest") as refused:
        coheval.report(folder)
    assert str(folder / "manifest.json") in str(refused.value)


def test_a_folder_whose_name_is_no_text_is_reported(tmp_path: Path) -> None:
    import os

    folder = run_folder(tmp_path)
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xffn"))
    try:
        folder.rename(strange)
    except OSError:
        pytest.skip("this file system takes no such name")
    made = coheval.report(strange)
    assert made.to_dict()["title"].endswith("r�n")
    made.to_json().encode("utf-8")
    assert unpacked("\n".join(made._blocks.markup))


# -------------------------------------------------------------------------------------------------------- evidence


def test_evidence_that_was_kept_is_shown_of_all_or_of_some(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, evidence=True)
    assert explained_documents(coheval.report(folder)) == {"sea", "town", "sky"}
    assert coheval.report(folder).to_dict()["explained_note"] is None
    one = coheval.report(folder, explain=1)
    assert len(explained_documents(one)) == len(one.to_dict()["explained"]) == 1
    assert (
        one.to_dict()["explained_note"] == "1 of 3 documents is explained, where systems differ most over all metrics"
    )


def test_evidence_that_was_not_kept_is_computed_now_for_the_most_telling(tmp_path: Path) -> None:
    """Most telling is where the systems' ranks differ most, by hand: "town" under chrF (see its documents' scores)."""
    folder = run_folder(tmp_path, ["chrf"])
    kept = read_run(run_folder_of(tmp_path / "kept"), evidence=True)
    made = coheval.report(folder, explain=1)
    (document,) = explained_documents(made)
    ranks = np.argsort(np.argsort([list(of.values()) for of in kept["chrf"].documents.values()], axis=None))
    apart = np.abs(np.diff(ranks.reshape(2, 3), axis=0))[0]
    assert document == ["sea", "town", "sky"][int(apart.argmax())]
    note = made.to_dict()["explained_note"]
    assert note.startswith(
        "1 of 3 documents is explained, where systems differ most over all metrics; `coheval score --repeat "
    )
    assert note.endswith(" --evidence -o NEW` keeps evidence of all")
    number = ["sea", "town", "sky"].index(document)
    (told,) = blocks_of(made)["why"][number]["first"]
    positions = [n for n, key in enumerate(kept.keys_by_system["first"]) if key.document == document]
    assert [part["evidence"] for part in told["parts"]] == [kept["chrf"].evidence["first"][n] for n in positions]


def run_folder_of(place: Path) -> Path:
    place.mkdir()
    return run_folder(place, ["chrf"], evidence=True)


def test_nothing_is_explained_if_that_is_asked_for(tmp_path: Path) -> None:
    made = coheval.report(run_folder(tmp_path), explain=0)
    assert explained_documents(made) == set()
    assert made.to_dict()["explained_note"].startswith("no document is explained; `coheval score --repeat")


def test_fifty_documents_are_explained_unless_told() -> None:
    many = coheval.score([f"a dog {n}" for n in range(60)], [f"a cat {n}" for n in range(60)], metrics=["chrf"])
    made = coheval.report(many)
    content = made.to_dict()
    assert len(content["explained"]) == 50
    assert {content["documents"]["ids"][n] for n in content["explained"]} == explained_documents(made)
    assert content["explained_note"] == "50 of 60 documents are explained, those with the worst scores"


def test_where_room_runs_out_the_note_counts_all_that_are_not_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 documents 50 are chosen, and there is room for all of these but one."""
    many = coheval.score([f"a dog {n}" for n in range(60)], [f"a cat {n}" for n in range(60)], metrics=["chrf"])
    full = coheval.report(many)
    sizes = [
        _evidence_size(full._material.result, own) for own in items_of(full._material.result, full._table.documents)
    ]
    monkeypatch.setattr("coheval.report.making.pack", partial(pack, room=sum(sizes) - 1))
    made = coheval.report(many)
    assert len(explained_documents(made)) == 49
    assert made.to_dict()["explained_note"] == (
        "49 of 60 documents are explained, those with the worst scores; with the evidence of 1 more the file would be "
        "too big"
    )
    monkeypatch.setattr("coheval.report.making.pack", partial(pack, room=0))
    assert coheval.report(many).to_dict()["explained_note"] == (
        "no document is explained; with the evidence of 50 the file would be too big"
    )


def test_documents_without_any_score_need_no_explanation() -> None:
    result = coheval.score(["", "a dog"], ["a cat", "a cat"], metrics=["moverscore"])
    content = coheval.report(result).to_dict()
    assert (content["explained"], content["explained_note"]) == ([1], None)


def test_a_report_leaves_the_result_as_it_was() -> None:
    kept, bare = scored(evidence=True), scored()
    coheval.report(kept, explain=0)
    coheval.report(bare)
    assert all(kept["chrf"].evidence["first"])
    assert not any(bare["chrf"].evidence["first"])


def test_what_was_explained_before_does_not_stop_the_others() -> None:
    result = scored()
    result.explain("sky")
    assert explained_documents(coheval.report(result)) == {"sea", "town", "sky"}
    assert len(explained_documents(coheval.report(result, explain=1))) == 1


def test_a_result_without_texts_is_reported_without_them(tmp_path: Path) -> None:
    made = coheval.report(read_run(run_folder(tmp_path, evidence=True), evidence=True))
    assert made.to_dict()["texts"] is False
    assert explained_documents(made) == set()
    assert "the texts cannot be shown: the result was read from a run folder" in made.notes


@pytest.fixture
def run_of_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose metric names its model's file from the folder that it ran in."""
    words = sorted({word for texts in (*CANDIDATES.values(), REFERENCES) for text in texts for word in text.split()})
    rng = np.random.default_rng(1)
    lines = [f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=4))}\n" for word in words]
    (tmp_path / "vectors.txt").write_text("".join(lines), encoding="utf-8")
    with monkeypatch.context() as there:
        there.chdir(tmp_path)
        return run_folder(tmp_path, ["sbert(encoder=static(file='vectors.txt'))", "chrf"])


def test_a_model_is_found_from_where_the_run_was_made(run_of_vectors: Path) -> None:
    made = coheval.report(run_of_vectors)
    assert not any("explained" in note for note in made.notes)
    sbert, chrf = blocks_of(made)["why"][0]["first"]
    assert sbert["parts"][0]["evidence"]["kind"] == "cosine"
    assert chrf["parts"]


def test_a_metric_that_cannot_be_had_again_does_not_stop_the_others(run_of_vectors: Path) -> None:
    before = coheval.report(run_of_vectors).to_dict()["overview"]
    (run_of_vectors.parent / "vectors.txt").unlink()
    made = coheval.report(run_of_vectors)
    (note,) = (note for note in made.notes if "could not be explained" in note)
    assert note.startswith("sbert(encoder=static(file='vectors.txt')) could not be explained: ")
    sbert, chrf = blocks_of(made)["why"][0]["first"]
    assert (sbert["parts"], bool(chrf["parts"])) == ([], True)
    assert made.to_dict()["overview"] == before


def test_a_metric_that_fails_does_not_stop_the_others() -> None:
    from coheval.metrics import Metric, Row, each_segment

    @dataclass(frozen=True, kw_only=True)
    class Shy(Metric):
        """Gives scores, but no reasons."""

        def measure(self, items: Any, *, evidence: bool = False) -> Any:
            if evidence:
                raise ResourceError("it does not say", hint="ask another")
            return [each_segment(item, lambda candidate, _: Row((float(len(candidate)),))) for item in items]

    made = coheval.report(coheval.score(["a dog"], ["a cat"], metrics=["chrf", Shy()]))
    assert [note for note in made.notes if "could not be explained" in note] == [
        "shy could not be explained: it does not say"
    ]
    chrf, shy = blocks_of(made)["why"][0]["system"]
    assert chrf["parts"]
    assert not shy["parts"]


# -------------------------------------------------------------------------------------------------- always the same


def test_the_same_report_has_the_same_bytes(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    one, two = coheval.report(folder), coheval.report(folder)
    assert one._blocks.markup == two._blocks.markup
    assert one.to_json() == two.to_json()
    assert one.markdown() == two.markdown()
    assert one.latex() == two.latex()


# -------------------------------------------------------------------------------------------------- people's ratings


def test_agreement_is_that_of_agree(tmp_path: Path) -> None:
    ratings = {"first": [5, 4, 4, 5, 4, 3], "second": [2, 3, 2, 1, 2, 4]}
    folder = run_folder(tmp_path)
    made = coheval.report(folder, {"fluency": ratings}, statistic="pearson", level="segment")
    expected = coheval.agree(folder, {"fluency": ratings}, statistic="pearson", level="segment")
    content = made.to_dict()
    for row in content["agreement"]["rows"]:
        assert row["value"] == pytest.approx(expected.row(row["metric"], row["aspect"]).value, rel=1e-5)
    assert content["agreement"]["aspects"] == ["fluency"]
    means = [[(a + b) / 2 for a, b in zip(own[::2], own[1::2], strict=True)] for own in ratings.values()]
    assert content["documents"]["people"] == {"fluency": {"higher_is_better": True, "ratings": means}}
    assert "## Agreement with people" in made.markdown()
    assert "fluency" in made.latex()


def test_ratings_that_run_the_other_way_are_told_as_they_were_given(tmp_path: Path) -> None:
    lines = [r | {"aspect": "errors", "value": n} for n, r in enumerate(records())]
    path = tmp_path / "judged.jsonl"
    keys = ("system", "document", "segment", "aspect", "value")
    path.write_text("".join(json.dumps({k: line[k] for k in keys}) + "\n" for line in lines), encoding="utf-8")
    from coheval.data.judged import read_judgements

    judged = read_judgements(str(path), lower_is_better=["errors"])
    content = coheval.report(scored(), judged).to_dict()
    errors = content["documents"]["people"]["errors"]
    assert errors["ratings"][0] == [0.5, 2.5, 4.5]  # the means of 0, 1; 2, 3; 4, 5
    assert errors["higher_is_better"] is False


def test_metrics_that_agree_significantly_less_have_a_star_and_a_p() -> None:
    """People's ratings are chrF's scores themselves, so that TER must agree less. Expected: `coheval.agree`."""
    words = np.random.default_rng(1).choice(list("abcdefgh"), size=(2, 40, 6))
    candidates, references = ([" ".join(line) for line in own] for own in words)
    result = coheval.score(candidates, references, metrics=["chrf", "ter"])
    judged = {"adequacy": {"system": result["chrf"].segments}}
    made = coheval.report(result, judged, statistic="pearson", level="segment")
    (expected,) = coheval.agree(result, judged, statistic="pearson", level="segment").differences
    assert expected.significant, "the example tells the two apart"
    content = made.to_dict()["agreement"]
    assert {row["metric"]: (row["p"], row["significant"]) for row in content["rows"]} == {
        "chrf": (None, False),
        "ter": (expected.adjusted, True),
    }
    assert "* p < 0.05" in content["told"]
    told = made.markdown().partition("## Agreement with people")[2]
    assert re.search(r"\| ter \| \d\.\d{3}\* \[", told.replace("\\", ""))
    assert re.search(r"\| chrf \| 1\.000 \[", told)
    assert re.search(r"ter & \d\.\d{3}\$\^\{\*\}\$", made.latex())


def test_of_one_metric_no_p_is_promised() -> None:
    made = coheval.report(
        scored(["chrf"]),
        {"x": {"first": [5, 4, 4, 5, 4, 3], "second": [2, 3, 2, 1, 2, 4]}},
        statistic="pearson",
        level="segment",
    )
    assert "p:" not in made.to_dict()["agreement"]["told"]
    assert "* p <" not in made.latex().rpartition("\n% ")[2]  # the table of agreement


def test_judgements_of_other_texts_are_told(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text(
        json.dumps({"system": "first", "document": "moon", "segment": 0, "aspect": "x", "value": 1}) + "\n",
        encoding="utf-8",
    )
    with pytest.raises(CohevalError, match="moon"):
        coheval.report(scored(), path)


# --------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize("explain", [-1, 1.5, True, "all"])
def test_explain_must_be_a_number(explain: Any) -> None:
    with pytest.raises(UsageError, match="explain must be a number of documents from 0 on, got"):
        coheval.report(scored(), explain=explain)


@pytest.mark.parametrize("run", [None, 5, b"run", {"chrf": [1.0]}])
def test_a_run_must_be_a_folder_or_a_result(run: Any) -> None:
    with pytest.raises(UsageError, match="expected a run folder or a result of score, got"):
        coheval.report(run)


def test_arguments_are_told_apart() -> None:
    with pytest.raises(UsageError, match="level goes with judgements, and there are none"):
        coheval.report(scored(), level="system")
    with pytest.raises(UnknownName, match="no argument is called 'explian'\nhint: did you mean 'explain'"):
        coheval.report(scored(), explian=3)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="gone: there is no such folder"):
        coheval.report(tmp_path / "gone")


def test_tables_need_neither_texts_nor_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.report.making.pack", lambda *_: pytest.fail("texts are packed for pages alone"))
    made = coheval.report(scored())
    made.markdown()
    made.latex()
    repr(made)
    assert list(made.to_pandas()["metric"]) == ["chrf", "ter"] * 2


def test_the_folder_of_figures_can_still_be_imported_from() -> None:
    import coheval.report.making
    from coheval.report import draw_matrix

    assert callable(draw_matrix)
    assert coheval.report.making.report(scored()).to_dict()["systems"] == ["first", "second"]


def test_evidence_of_another_coheval_is_told_and_can_be_left_out(tmp_path: Path) -> None:
    folder = run_folder(tmp_path, ["chrf"], evidence=True)
    path = folder / "scores.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"matched"', '"common"'), encoding="utf-8")
    with pytest.raises(DataError, match="chrf has evidence that this coheval does not write \\(KeyError: 'matched'\\)"):
        coheval.report(folder).to_dict()
    assert coheval.report(folder, explain=0).to_dict()["explained"] == []
