"""Judged sets: tiny folders of every kind, and the shared ones against an independent reading."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coheval.data import Corpus
from coheval.data.datasets import Dataset, find, kinds
from coheval.data.judgements import Judgements
from coheval.errors import DataError, UsageError

Make = Callable[..., Path]


def jsonl(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(o, ensure_ascii=False) + "\n" for o in objects)


def summeval(write: Any) -> Path:
    write("s/summeval_docs.jsonl", jsonl({"doc_id": "d", "src": "article", "refs": ["r1", "r2"], "ref": "r1"}))
    human = {"coherence": 1.5, "fluency": 5.0}
    systems = [{"doc_id": "d", "system": s, "hyp": f"{s} text", "human": human} for s in ("M0", "M8")]
    write("s/summeval_systems.jsonl", jsonl(*systems))
    expert = [{"coherence": 1, "fluency": 5}, {"coherence": 2, "fluency": 5}]
    row = {
        "doc_id": "d",
        "system": "M8",
        "hyp": "m8 text",
        "expert": expert,
        "turker": [{"coherence": 4, "fluency": 3}],
    }
    return write("s/summeval_annotators_12sys.jsonl", jsonl(row)).parent


def realsumm(write: Any) -> Path:
    write("s/realsumm_docs.jsonl", jsonl({"doc_id": 5, "src": "article", "ref": "r"}))
    row = {"doc_id": 5, "ref": "<t> one . </t>  <t> two </t>", "human": {"litepyramid_recall": 0.25}}
    bart = row | {"system": "bart_out.txt", "hyp": "<t> b . </t> <t> cut of", "metrics": {"mover_score": 0.5}}
    other = row | {"system": "x.txt", "hyp": "<t> x </t>", "metrics": {"mover_score": 0.75}}
    write("s/realsumm_abs.jsonl", jsonl(bart))
    return write("s/realsumm_ext.jsonl", jsonl(bart, other)).parent


def wmt17(write: Any) -> Path:
    rows = [
        {"lp": lp, "sid": sid, "system": system, "src": "s", "ref": "r", "hyp": f"{system} {sid}", "da_z": z}
        for lp, sid, system, z in (("cs-en", 33, "A.0", 0.5), ("cs-en", 33, "B.1+C.2", -1), ("de-en", 33, "A.0", 0))
    ]
    write("s/DA-syslevel.csv", "LP HUMAN SYSTEM\nen-lv 0.2 A.0\ncs-en 0.1 A.0\nde-en -0.3 A.0\n")
    files = {"references/newstest2017-csen-ref.en": "r1\nr2\n", "source/newstest2017-csen-src.cs": "s1\ns2\n"}
    files |= {"references/newstest2017-deen-ref.en": "r\n", "source/newstest2017-deen-src.de": "s\n"}
    files |= {
        "system-outputs/cs-en/newstest2017.A.0.cs-en": "a1\n\n",
        "system-outputs/de-en/newstest2017.A.0.de-en": "x\n",
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    write("s/wmt17_refs_sources_outputs.tar.xz", packed.getvalue())
    return write("s/wmt17_seg_da.jsonl", jsonl(*rows)).parent


def wmt19(write: Any) -> Path:
    def pair(n: int, src: str, better: str, worse: str) -> dict[str, Any]:
        texts = {"better_sys": better, "better": f"{better} {src}", "worse_sys": worse, "worse": f"{worse} {src}"}
        return {"id": n, "src": src, "ref": "r", **texts}

    found = [pair(0, "one", "A", "B"), pair(1, "one", "A", "C"), pair(2, "two", "C", "A"), pair(3, "two", "A", "C")]
    write("s/gu-en.jsonl.gz", gzip.compress(jsonl(*found).encode()))
    write("s/kk-en.jsonl.gz", gzip.compress(jsonl(pair(0, "one", "B", "A")).encode()))
    return write("s/lt-en.jsonl.gz", gzip.compress(jsonl(pair(0, "x", "B", "A")).encode())).parent


def d2t(write: Any) -> Path:
    columns = ["dataset", "system", "mr", "sys_ref", "TER", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "NIST"]
    columns += ["LEPOR", "CIDEr", "METEOR", "sim.mr.sys", "informativeness", "naturalness", "quality"]
    table = [columns]
    for part in ("bagel", "sfhot", "sfres"):
        lines = []
        for n, (system, meaning) in enumerate((("LOLS", "m"), ("WEN", "m"), ("WEN", "m"), ("WEN", "k"))):
            human = {"informativeness": 5.0, "naturalness": 2.5, "quality": n + 1.0}
            lines.append({"id": n, "src": meaning, "refs": ["a", "b", "a"], "hyp": f"Utterance {n} .", "human": human})
            scores = [str(n / 10)] * 11
            table.append([part.upper(), system, meaning, f"utterance {n}.", *scores, "5", "2.5", str(n + 1)])
        write(f"s/{part}.jsonl", jsonl(*lines))
    said = [("m", 0), ("m", 1), ("m", 2), ("k", 3)]
    predicted = [{"source": m, "system_output": f"Utterance {n} .", "predict_scores": {"overall": n}} for m, n in said]
    write("s/unieval_sfhot.jsonl", jsonl(*predicted))
    return write("s/emnlp_data_medians.csv", "".join(",".join(cells) + "\n" for cells in table)).parent


def topicalchat(write: Any) -> Path:
    rows = [
        {"source": source, "system_id": system, "system_output": f"{system} {source}", "context": "facts"}
        | {"scores": {"coherence": 3.0, "overall": 4.5}, "predict_scores": {"coherence": 0.9}}
        for source in ("hi", "ho")
        for system in ("Original Ground Truth", "Argmax Decoding", "New Human Generated")
    ]
    return write("s/topical_chat.jsonl", jsonl(*rows)).parent


def lmvlm(write: Any) -> Path:
    def pair(prompt: str, pos: str, neg: str) -> dict[str, Any]:
        return {"doc_id": "x", "reference_file": prompt, "pos": [prompt, pos], "neg": [prompt, neg]}

    write("s/LMvLM.jsonl", jsonl(pair("p", "a", "b"), pair("q", "a", "b"), pair("p", "c", "a")))
    labels = [["1", "1", "0"], ["0", "0", "0"], ["0", "0", "1"]]
    return write("s/LMvLM_annotations.jsonl", jsonl(*({"i": n, "labels": own} for n, own in enumerate(labels)))).parent


MADE: dict[str, Make] = {
    "d2t": d2t,
    "lmvlm": lmvlm,
    "realsumm": realsumm,
    "summeval": summeval,
    "topicalchat": topicalchat,
    "wmt17": wmt17,
    "wmt19": wmt19,
}
SHARED = {
    "d2t": "d2t_bagel_sf",
    "lmvlm": "coherence_ntunlp",
    "realsumm": "realsumm",
    "summeval": "summeval",
    "topicalchat": "topical_chat_unieval",
    "wmt17": "wmt17_toen",
    "wmt19": "wmt19_darr_pairs",
}


def found(folder: Path, part: str | None = None) -> Dataset:
    dataset = find(folder, part)
    assert dataset is not None
    return dataset


def shared_set(shared: Path, name: str, part: str | None = None) -> Dataset:
    dataset = found(shared / "data" / SHARED[name], part)
    assert dataset.name == name
    return dataset


def check_keys(dataset: Dataset) -> tuple[Corpus, Judgements]:
    """The corpus can be built, and its keys are those of the judgements and of the published scores."""
    records = list(dataset.records())
    corpus = Corpus.of(records)
    texts = {(r.system, r.document) for r in records}
    judged = dataset.judgements()
    keys: set[tuple[str, str | None]] = {(r.system, r.document) for r in judged.ratings}
    keys |= {(system, p.document) for p in judged.preferences for system in (p.better, p.worse)}
    if (dataset.part or "").startswith("system"):
        assert keys == {(system, None) for system, _ in texts}
    else:
        assert keys == texts
    assert not judged.groups or judged.groups.keys() == set(corpus.documents)
    for scores in dataset.published().values():
        assert scores.keys() <= texts
    assert all(r.where for r in records)
    assert all(j.where for j in (*judged.ratings, *judged.preferences))
    return corpus, judged


def rated(dataset: Dataset) -> list[tuple[Any, ...]]:
    return [(r.system, r.document, r.aspect, r.value, r.rater) for r in dataset.judgements().ratings]


def test_every_set_is_tried() -> None:
    assert [kind.__name__.lower() for kind in kinds()] == sorted(MADE) == sorted(SHARED)


TINY_PARTS = {"wmt17": ("cs-en", "de-en", "system:cs-en")}  # the other pairs are not in the tiny folder


@pytest.mark.parametrize("name", MADE)
def test_tiny_folders(write: Any, name: str) -> None:
    folder = MADE[name](write)
    dataset = found(folder)
    assert dataset.name == name
    for part in (None, *TINY_PARTS.get(name, dataset.parts())):
        check_keys(found(folder, part))


def test_folders_that_hold_none(tmp_path: Path, refused: Any) -> None:
    assert find(tmp_path) is None
    gone = tmp_path / "gone"
    refused(lambda: [find(gone)], where=str(gone), says="there is no such folder", hint="")


def test_parts_that_are_not_there(write: Any) -> None:
    folder = realsumm(write)
    with pytest.raises(UsageError) as caught:
        find(folder, "abx")
    assert "realsumm has no part 'abx'" in caught.value.message
    assert "'abs'?" in (caught.value.hint or "")


def test_summeval_parts(write: Any) -> None:
    folder = summeval(write)
    (first, second) = found(folder).records()
    assert (first.system, first.candidate, first.references, first.source) == ("M0", "M0 text", ("r1", "r2"), "article")
    assert second.system == "M8"
    assert ("M0", "d", "coherence", 1.5, None) in rated(found(folder))
    experts = found(folder, "experts")
    assert [r.candidate for r in experts.records()] == ["M8 text"]
    assert rated(experts) == [
        ("M8", "d", "coherence", 1.0, "expert 1"),
        ("M8", "d", "fluency", 5.0, "expert 1"),
        ("M8", "d", "coherence", 2.0, "expert 2"),
        ("M8", "d", "fluency", 5.0, "expert 2"),
    ]
    assert rated(found(folder, "turkers"))[0] == ("M8", "d", "coherence", 4.0, "turker 1")


def test_realsumm_sentences_are_lines_and_bart_counts_once(write: Any) -> None:
    folder = realsumm(write)
    assert [(r.system, r.candidate, r.references) for r in found(folder).records()] == [
        ("bart_out.txt", "b .\ncut of", ("one .\ntwo",)),
        ("x.txt", "x", ("one .\ntwo",)),
    ]
    assert found(folder).published() == {"mover_score": {("bart_out.txt", "5"): 0.5, ("x.txt", "5"): 0.75}}
    assert len(rated(found(folder, "abs"))) == 1


def test_realsumm_summaries_that_differ(write: Any, refused: Any) -> None:
    folder = realsumm(write)
    text = (folder / "realsumm_abs.jsonl").read_text().replace("cut of", "cut off")
    (folder / "realsumm_abs.jsonl").write_text(text)
    refused(lambda: found(folder).records(), where=f"{folder}/realsumm_ext.jsonl:1", says="twice", hint="abs or ext")
    assert len(list(found(folder, "ext").records())) == 2


def test_wmt17_segments_and_systems(write: Any) -> None:
    folder = wmt17(write)
    assert rated(found(folder)) == [
        ("A.0", "cs-en:33", "da", 0.5, None),
        ("B.1+C.2", "cs-en:33", "da", -1.0, None),
        ("A.0", "de-en:33", "da", 0.0, None),
    ]
    assert found(folder).judgements().groups == {"cs-en:33": "cs-en", "de-en:33": "de-en"}
    systems = found(folder, "system:cs-en")
    assert rated(systems) == [("cs-en/A.0", None, "da", 0.1, None)]
    assert [(r.system, r.document, r.candidate, r.references, r.source) for r in systems.records()] == [
        ("cs-en/A.0", "cs-en:1", "a1", ("r1",), "s1"),
        ("cs-en/A.0", "cs-en:2", "", ("r2",), "s2"),
    ]
    assert systems.judgements().groups == {"cs-en:1": "cs-en", "cs-en:2": "cs-en"}


def test_wmt17_archives_that_are_broken(write: Any, refused: Any) -> None:
    folder = wmt17(write)
    path = folder / "wmt17_refs_sources_outputs.tar.xz"
    refused(lambda: found(folder, "system").records(), where=str(path), says="newstest2017-fien", hint="fetch")
    path.write_bytes(path.read_bytes()[:100])
    refused(lambda: found(folder, "system:cs-en").records(), where=str(path), says="broken one", hint="fetch")
    path.unlink()
    with pytest.raises(UsageError, match="no part 'system'"):
        find(folder, "system")


def test_wmt19_pairs_of_a_segment_share_a_document(write: Any, refused: Any) -> None:
    folder = wmt19(write)
    gu = found(folder, "gu-en")
    assert [(p.better, p.worse, p.document) for p in gu.judgements().preferences] == [
        ("A", "B", "gu-en:1"),
        ("A", "C", "gu-en:1"),
        ("C", "A", "gu-en:2"),
        ("A", "C", "gu-en:2"),
    ]
    assert [(r.system, r.document, r.candidate) for r in gu.records()] == [
        ("A", "gu-en:1", "A one"),
        ("B", "gu-en:1", "B one"),
        ("C", "gu-en:1", "C one"),
        ("C", "gu-en:2", "C two"),
        ("A", "gu-en:2", "A two"),
    ]
    assert set(found(folder).judgements().groups.values()) == {"gu-en", "kk-en", "lt-en"}
    path = folder / "kk-en.jsonl.gz"
    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(gzip.compress((text + text.replace("A one", "A other")).encode()))
    refused(lambda: found(folder).records(), where=f"{path}:2", says="two texts for document 'kk-en:1'", hint="")


def test_d2t_documents_are_meanings(write: Any) -> None:
    bagel = found(d2t(write), "bagel")
    assert [(r.system, r.document, r.references) for r in bagel.records()] == [
        ("LOLS", "bagel:1", ("a", "b")),
        ("WEN", "bagel:1", ("a", "b")),
        ("WEN", "bagel:1.2", ("a", "b")),
        ("WEN", "bagel:2", ("a", "b")),
    ]
    assert ("WEN", "bagel:1.2", "quality", 3.0, None) in rated(bagel)
    assert bagel.published()["METEOR"]["WEN", "bagel:2"] == 0.3
    assert "UniEval overall" not in bagel.published()


def test_d2t_takes_nothing_that_does_not_match(write: Any, refused: Any) -> None:
    folder = d2t(write)
    assert found(folder).published()["UniEval overall"].keys() == {
        ("LOLS", "sfhot:1"), ("WEN", "sfhot:1"), ("WEN", "sfhot:1.2"), ("WEN", "sfhot:2")
    }  # fmt: skip
    path = folder / "emnlp_data_medians.csv"
    text = path.read_text()
    for old, new in (("utterance 1.", "utterance one."), ("BAGEL,WEN,m,", "BAGEL,WEN,n,"), (",5,2.5,2", ",5,2.5,3")):
        path.write_text(text.replace(old, new, 1))
        refused(lambda: found(folder).records(), where=f"{path}:3", says="the same utterance and ratings", hint="order")
    path.write_text("".join(text.splitlines(keepends=True)[:-1]))
    refused(lambda: found(folder).records(), where=f"{folder}/sfres.jsonl", says="got more than 3", hint="whole")


def test_topicalchat_compares_no_reply_with_itself(write: Any) -> None:
    dataset = found(topicalchat(write))
    assert [(r.document, r.system[:3], r.references) for r in dataset.records()] == [
        ("1", "Ori", ("New Human Generated hi",)),
        ("1", "Arg", ("Original Ground Truth hi",)),
        ("1", "New", ("Original Ground Truth hi",)),
        ("2", "Ori", ("New Human Generated ho",)),
        ("2", "Arg", ("Original Ground Truth ho",)),
        ("2", "New", ("Original Ground Truth ho",)),
    ]
    assert dataset.judgements().aspects() == ["coherence", "overall"]
    assert dataset.published()["UniEval coherence"]["Argmax Decoding", "2"] == 0.9


def test_lmvlm_labels_choose_between_pos_and_neg(write: Any) -> None:
    dataset = found(lmvlm(write))
    assert [(r.document, r.system, r.candidate, r.source) for r in dataset.records()] == [
        ("1", "1", "p a", "p"),
        ("1", "2", "p b", "p"),
        ("2", "1", "q a", "q"),
        ("2", "2", "q b", "q"),
        ("1", "3", "p c", "p"),
    ]
    chosen = [(p.document, p.better, p.worse, p.rater) for p in dataset.judgements().preferences]
    assert chosen == [
        ("1", "2", "1", "1"), ("1", "2", "1", "2"), ("1", "1", "2", "3"),
        ("2", "1", "2", "1"), ("2", "1", "2", "2"), ("2", "1", "2", "3"),
        ("1", "3", "1", "1"), ("1", "3", "1", "2"), ("1", "1", "3", "3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "file", "old", "new", "line", "says"),
    [
        (
            summeval,
            "summeval_systems.jsonl",
            '"d", "system": "M8"',
            '"e", "system": "M8"',
            2,
            "no article for document 'e'",
        ),
        (summeval, "summeval_docs.jsonl", '["r1", "r2"]', '"r1"', 1, 'refs must be a list of texts, got "r1"'),
        (summeval, "summeval_systems.jsonl", '"coherence": 1.5', '"coherence": null', 1, "coherence must be a number"),
        (
            summeval,
            "summeval_systems.jsonl",
            '"coherence": 1.5',
            '"coherence": NaN',
            1,
            "must be a finite number, got NaN",
        ),
        (realsumm, "realsumm_abs.jsonl", '"<t> b', '4, "x": "<t> b', 1, "hyp must be text, got 4"),
        (wmt17, "wmt17_seg_da.jsonl", '"da_z": -1', '"da": -1', 2, "da_z must be a number, got null"),
        (lmvlm, "LMvLM_annotations.jsonl", '"1", "1", "0"', '"1", "2"', 1, "expected the label 0 or 1, got '2'"),
        (lmvlm, "LMvLM.jsonl", '{"doc_id": "x", "reference_file": "q"', '{"doc_id', 2, "expected JSON"),
        (topicalchat, "topical_chat.jsonl", '"scores": {', '"scores": 1, "x": {', 1, "scores must be an object, got 1"),
    ],
)
def test_broken_files(
    write: Any, refused: Any, make: Make, file: str, old: str, new: str, line: int, says: str
) -> None:
    path = make(write) / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    dataset = found(path.parent)
    refused(lambda: [*dataset.records(), dataset.judgements()], where=f"{path}:{line}", says=says, hint="")


def test_files_of_unequal_length(write: Any, refused: Any) -> None:
    path = lmvlm(write) / "LMvLM_annotations.jsonl"
    text = path.read_text()
    for content, says in (
        (text + '{"labels": ["1"]}\n', "got more than 3"),
        (text.partition("\n")[0], "got fewer than 2"),
    ):
        path.write_text(content)
        refused(lambda: [found(path.parent).judgements()], where=str(path), says=says, hint="whole")


def read(path: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return [json.loads(line) for line in text.splitlines()]


COUNTS = {  # records, systems, ratings, preferences: from each SOURCE.txt and its files' numbers of lines
    ("summeval", None): (1600, 16, 1600 * 4, 0),
    ("summeval", "experts"): (1200, 12, 1200 * 4 * 3, 0),
    ("summeval", "turkers"): (1200, 12, 1200 * 4 * 5, 0),
    ("realsumm", None): (2400, 24, 2400, 0),
    ("realsumm", "abs"): (1400, 14, 1400, 0),
    ("realsumm", "ext"): (1100, 11, 1100, 0),
    ("wmt17", None): (3920, 129, 3920, 0),
    ("wmt17", "lv-en"): (560, 19, 560, 0),
    ("wmt17", "system:cs-en"): (4 * 3005, 4, 4, 0),
    ("wmt19", "gu-en"): (9117, 9, 0, 20110),
    ("wmt19", "kk-en"): (6422, 7, 0, 9728),
    ("wmt19", "lt-en"): (10293, 11, 0, 21862),
    ("d2t", None): (2460, 3, 2460 * 3, 0),
    ("d2t", "bagel"): (404, 2, 404 * 3, 0),
    ("topicalchat", None): (360, 6, 360 * 6, 0),
    ("lmvlm", None): (992, 8, 0, 1046 * 3),
}


@pytest.mark.parametrize(("name", "part"), COUNTS)
def test_shared_counts_and_keys(shared: Path, name: str, part: str | None) -> None:
    corpus, judged = check_keys(shared_set(shared, name, part))
    records = sum(corpus.counts.values())
    assert (records, len(corpus.systems), len(judged.ratings), len(judged.preferences)) == COUNTS[name, part]


def test_shared_folders_that_are_no_judged_sets(shared: Path) -> None:
    others = {folder.name for folder in (shared / "data").iterdir() if folder.is_dir()} - set(SHARED.values())
    assert others
    assert all(find(shared / "data" / name) is None for name in others)


def test_shared_summeval(shared: Path) -> None:
    folder = shared / "data" / "summeval"
    articles = {row["doc_id"]: row for row in read(folder / "summeval_docs.jsonl")}
    rows = {(row["system"], row["doc_id"]): row for row in read(folder / "summeval_systems.jsonl")}
    for record in shared_set(shared, "summeval").records():
        row = rows[record.system, str(record.document)]
        article = articles[row["doc_id"]]
        assert (record.candidate, record.source) == (row["hyp"], article["src"])
        assert list(record.references) == article["refs"]
        assert len(record.references) == 11
    judged, experts = (shared_set(shared, "summeval", part).judgements() for part in (None, "experts"))
    for aspect in ("coherence", "consistency", "fluency", "relevance"):
        means = judged.means(aspect)
        assert means == {(s, d, None): row["human"][aspect] for (s, d), row in rows.items()}
        own = experts.means(aspect)  # SOURCE.txt: the means are those of the three experts
        assert own == {unit: pytest.approx(means[unit]) for unit in own}
        assert len(own) == 1200


def test_shared_realsumm(shared: Path) -> None:
    folder = shared / "data" / "realsumm"
    rows = {part: read(folder / f"realsumm_{part}.jsonl") for part in ("abs", "ext")}
    both = {(row["system"], str(row["doc_id"])): row for part in rows.values() for row in part}
    dataset = shared_set(shared, "realsumm")
    for record in dataset.records():
        row = both[record.system, str(record.document)]
        plain = [row[side].replace("<t>", " ").replace("</t>", " ").split() for side in ("hyp", "ref")]
        assert [record.candidate.split(), (record.references[0] or "").split()] == plain
        assert record.candidate.count("\n") == row["hyp"].count("<t>") - 1
    means = dataset.judgements().means("litepyramid_recall")
    assert means == {(s, d, None): row["human"]["litepyramid_recall"] for (s, d), row in both.items()}
    published = dataset.published()
    assert len(published) == 14
    assert published["mover_score"] == {key: row["metrics"]["mover_score"] for key, row in both.items()}


def test_shared_wmt17(shared: Path) -> None:
    rows = read(shared / "data" / "wmt17_toen" / "wmt17_seg_da.jsonl")
    dataset = shared_set(shared, "wmt17")
    assert [(r.system, r.document, r.candidate, r.references, r.source) for r in dataset.records()] == [
        (row["system"], f"{row['lp']}:{row['sid']}", row["hyp"], (row["ref"],), row["src"]) for row in rows
    ]
    judged = dataset.judgements()
    assert [r.value for r in judged.ratings] == [row["da_z"] for row in rows]
    assert Counter(judged.groups[str(r.document)] for r in judged.ratings) == dict.fromkeys(
        ("cs-en", "de-en", "fi-en", "lv-en", "ru-en", "tr-en", "zh-en"), 560
    )


def test_shared_wmt17_systems_have_the_texts_of_the_segments(shared: Path) -> None:
    """The line number in the archive is the segment's number: texts of both parts are the same."""
    whole = {(r.system, r.document): r for r in shared_set(shared, "wmt17", "system:cs-en").records()}
    for record in shared_set(shared, "wmt17", "cs-en").records():
        for system in record.system.split("+"):
            other = whole[f"cs-en/{system}", record.document]
            assert (other.candidate, other.references, other.source) == (
                record.candidate,
                record.references,
                record.source,
            )
    ratings = {r.system: r.value for r in shared_set(shared, "wmt17", "system").judgements().ratings}
    lines = (shared / "data" / "wmt17_toen" / "DA-syslevel.csv").read_text().splitlines()[1:]
    cells = [line.split() for line in lines]
    assert ratings == {f"{pair}/{system}": float(score) for pair, score, system in cells if pair.endswith("-en")}
    assert len(ratings) == 65


@pytest.mark.parametrize("pair", ["gu-en", "kk-en", "lt-en"])
def test_shared_wmt19(shared: Path, pair: str) -> None:
    rows = read(shared / "data" / "wmt19_darr_pairs" / f"{pair}.jsonl.gz")
    dataset = shared_set(shared, "wmt19", pair)
    texts = {(r.system, r.document): r for r in dataset.records()}
    for row, preference in zip(rows, dataset.judgements().preferences, strict=True):
        better, worse = (texts[s, preference.document] for s in (preference.better, preference.worse))
        assert (better.system, worse.system) == (row["better_sys"], row["worse_sys"])
        assert (better.candidate, worse.candidate) == (row["better"], row["worse"])
        assert better.references == worse.references == (row["ref"],)
        assert better.source == worse.source == row["src"]
        assert not preference.tie


@pytest.mark.parametrize("part", ["bagel", "sfhot", "sfres"])
def test_shared_d2t(shared: Path, part: str) -> None:
    folder = shared / "data" / "d2t_bagel_sf"
    rows = read(folder / f"{part}.jsonl")
    with (folder / "emnlp_data_medians.csv").open(encoding="utf-8", newline="") as file:
        medians = [row for row in csv.DictReader(file) if row["dataset"] == part.upper()]
    dataset = shared_set(shared, "d2t", part)
    meteor = dataset.published()["METEOR"]
    judged = dataset.judgements()
    quality = judged.means("quality")
    meaning = defaultdict(set)
    for record, row, median in zip(dataset.records(), rows, medians, strict=True):
        document = str(record.document)
        assert (record.candidate, record.source, record.system) == (row["hyp"], row["src"], median["system"])
        assert set(record.references) == set(row["refs"])
        assert len(record.references) == len(set(row["refs"]))
        assert quality[record.system, document, None] == row["human"]["quality"] == float(median["quality"])
        assert meteor[record.system, document] == float(median["METEOR"])
        meaning[document.partition(".")[0]].add(row["src"])
    assert all(len(texts) == 1 for texts in meaning.values())
    assert len(meaning) == len({row["src"] for row in rows})


def test_shared_topicalchat(shared: Path) -> None:
    rows = read(shared / "data" / "topical_chat_unieval" / "topical_chat.jsonl")
    dataset = shared_set(shared, "topicalchat")
    coherence, predicted = dataset.judgements().means("coherence"), dataset.published()["UniEval coherence"]
    for record, row in zip(dataset.records(), rows, strict=True):
        assert (record.system, record.candidate, record.source) == (
            row["system_id"],
            row["system_output"],
            row["source"],
        )
        assert coherence[record.system, record.document, None] == row["scores"]["coherence"]
        assert predicted[record.system, str(record.document)] == row["predict_scores"]["coherence"]
        assert len(record.references) == 1
        assert record.references[0] != record.candidate


def test_shared_lmvlm(shared: Path) -> None:
    folder = shared / "data" / "coherence_ntunlp"
    pairs, labels = read(folder / "LMvLM.jsonl"), read(folder / "LMvLM_annotations.jsonl")
    dataset = shared_set(shared, "lmvlm")
    text = {(r.system, r.document): r.candidate for r in dataset.records()}
    votes = iter(dataset.judgements().preferences)
    for pair, labelled in zip(pairs, labels, strict=True):
        for label in labelled["labels"]:
            vote = next(votes)
            better, worse = (text[system, vote.document] for system in (vote.better, vote.worse))
            sides = ("pos", "neg") if label == "0" else ("neg", "pos")
            assert [better, worse] == [" ".join(pair[side]) for side in sides]
    assert next(votes, None) is None


def test_shared_lmvlm_labels_are_more_transitive_than_the_names(shared: Path) -> None:
    """What the labels mean is not written down; read as choices between pos and neg they make fewer circles."""
    pairs = read(shared / "data" / "coherence_ntunlp" / "LMvLM.jsonl")
    text = {(r.system, r.document): r.candidate for r in shared_set(shared, "lmvlm").records()}
    votes: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for vote in shared_set(shared, "lmvlm").judgements().preferences:
        votes[vote.document][vote.better, vote.worse] += 1
    labels = {d: {pair for pair, n in own.items() if n > own[pair[::-1]]} for d, own in votes.items()}
    system = {(d, story): s for (s, d), story in text.items()}
    prompts: dict[str, str] = {}
    names: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for pair in pairs:
        document = prompts.setdefault(pair["reference_file"], str(1 + len(prompts)))
        names[document].add(tuple(system[document, " ".join(pair[side])] for side in ("pos", "neg")))  # type: ignore[arg-type]
    assert circles(labels) == (50, 332)
    assert circles(names) == (77, 332)


def circles(preferred: dict[str, set[tuple[str, str]]]) -> tuple[int, int]:
    """Triples in which each beats one other, and all triples of which every pair was judged."""
    found = Counter[bool]()
    for edges in preferred.values():
        for three in itertools.combinations(sorted({system for edge in edges for system in edge}), 3):
            inside = [edge for edge in edges if set(edge) <= set(three)]
            if len(inside) == 3:
                found[len({better for better, _ in inside}) == 3] += 1
    return found[True], found.total()


def test_errors_are_data_errors(write: Any) -> None:
    folder = wmt19(write)
    (folder / "lt-en.jsonl.gz").write_bytes(b"broken")
    with pytest.raises(DataError, match="gzip"):
        list(found(folder).records())
