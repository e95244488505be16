"""Training of an estimator on a judged set that the test makes: what is learnt, stored, read again and refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.encoders import Encoder
from coheval.errors import DataError, ResourceError, UsageError
from coheval.metrics._cometembedded import Tokens
from coheval.metrics._cometembedded.network import load, save, stacked
from coheval.run.comet.examples import Judged, inputs
from coheval.run.comet.train import train_comet
from coheval.run.comet.training import Recipe, Standard, folded, predict, train
from coheval.spec import build

pytestmark = pytest.mark.xdist_group("estimators")

NOUNS = "river bridge baker mayor boat storm garden train window letter cat dog".split()
RECIPE = Recipe(steps=60, batch=16, hidden=8, top=8)


@pytest.fixture(scope="module")
def judged_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In WMT17's format: the more nouns of a reference a text replaces by others, the worse it is called."""
    folder = tmp_path_factory.mktemp("wmt17")
    rng = np.random.default_rng(0)
    rows = []
    for number in range(60):
        words = [str(w) for w in rng.choice(NOUNS, 4, replace=False)]
        others = [w for w in NOUNS if w not in words]
        for wrong in range(4):
            said = [str(rng.choice(others)) if n < wrong else w for n, w in enumerate(words)]
            pair = ("cs-en", "de-en")[number % 2]
            rows.append(
                {"lp": pair, "sid": number, "system": f"s{wrong}", "src": "x", "da_z": 1.0 - wrong}
                | {"ref": "the {} and the {} saw the {} and the {}".format(*words)}
                | {"hyp": "the {} and the {} saw the {} and the {}".format(*said)}
            )
    (folder / "wmt17_seg_da.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_what_is_learnt_holds_for_pairs_that_were_held_out(judged_set: Path) -> None:
    held = train_comet([judged_set], seeds=(1,), recipe=RECIPE, hold_out=lambda group: True)
    assert [h.group for h in held] == ["wmt17 cs-en", "wmt17 de-en"]
    assert all(len(h.scores) == 120 for h in held)
    assert all(h.pearson is not None and h.pearson > 0.8 for h in held)


def test_references_of_a_group_are_held_out_with_it() -> None:
    """Two of four references are in both language pairs: nothing that is beside them may be trained on."""
    judged = Judged(
        pairs={
            ("a", "one"): 0,
            ("b", "one"): 1,
            ("c", "two"): 2,
            ("two", "two"): 3,
            ("d", "three"): 4,
            ("e", "four"): 5,
        },
        rated=[0, 1, 2],
        ratings=[1.0, 2.0, 3.0],
        rated_groups=["cs-en", "de-en", "de-en"],
        preferred=[(4, 5), (2, 2)],
        preferred_groups=["de-en", "cs-en"],
        perfect=[(3, 2)],
    )
    assert judged.apart("cs-en").tolist() == [False, False, False, False, True, True]
    assert judged.apart("de-en").tolist() == [False] * 6


def rated(folder: Path, *rows: dict[str, object]) -> Path:
    folder.mkdir()
    lines = ({"lp": "cs-en", "sid": 0, "system": "s", "src": "x", "da_z": 1.0} | row for row in rows)
    (folder / "wmt17_seg_da.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    one = rated(tmp_path / "one", *({"sid": n, "ref": f"the {w}", "hyp": w} for n, w in enumerate(NOUNS)))
    with pytest.raises(DataError, match="nothing is left to learn from without wmt17 cs-en and its references"):
        train_comet([one], hold_out=lambda group: True)
    empty = rated(tmp_path / "empty", *({"sid": n, "ref": f"the {w}", "hyp": ""} for n, w in enumerate(NOUNS)))
    with pytest.raises(DataError, match="nothing is left to learn from"):
        train_comet([empty], output=tmp_path / "x.safetensors")
    for seeds in ((1, 1), (-1,), ()):
        with pytest.raises(UsageError, match="seeds must be different whole numbers from 0"):
            train_comet([one], seeds=seeds)


def test_ratings_that_are_all_the_same_have_no_correlation(tmp_path: Path) -> None:
    rows = (
        {"lp": lp, "sid": n, "ref": f"{lp} {w}", "hyp": w} for lp in ("cs-en", "de-en") for n, w in enumerate(NOUNS)
    )
    held = train_comet([rated(tmp_path / "flat", *rows)], seeds=(1,), recipe=RECIPE, hold_out=lambda group: True)
    assert [h.pearson for h in held] == [None, None]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["set", "-o", "mine.ckpt"], 2, "the file must end with .safetensors, got '.ckpt'"),
        (["set", "-o", "set/wmt17_seg_da.jsonl/x.safetensors"], 4, "the file cannot be written there"),
        (["set"], 2, "nothing would be kept"),
        (["-o", "mine.safetensors"], 2, "no judged set was named"),
        (["nowhere", "-o", "mine.safetensors"], 3, "there is no such folder"),
        (["set/wmt17_seg_da.jsonl", "-o", "mine.safetensors"], 3, "expected a folder, got a file"),
        (["set", "-o", "mine.safetensors", "--seeds", "1", "1"], 2, "seeds must be different"),
        (["set", "--cross-validate"], 3, "nothing is left to learn from without wmt17 cs-en"),
    ],
)
def test_command_says_what_is_wrong(tmp_path: Path, args: list[str], code: int, message: str) -> None:
    rated(tmp_path / "set", {"ref": "the cat", "hyp": "a cat"})
    command = [sys.executable, "-m", "coheval", "train", "comet", *args]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "hint: " in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set"]


def test_command_trains_and_tells(judged_set: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "coheval", "train", "comet", str(judged_set), "--seeds", "1", "--steps", "20"]
    done = subprocess.run(
        [*command, "--cross-validate", "-o", "mine.safetensors"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "held out wmt17 cs-en, 120 judgements",
        "held out wmt17 de-en, 120 judgements",
    ]
    assert load(tmp_path / "mine.safetensors").encoder == build(Encoder, "minilm").digest()


def test_what_is_stored_scores_as_the_network_in_torch(judged_set: Path, tmp_path: Path) -> None:
    from coheval.data.datasets import find
    from coheval.metrics._cometembedded.network import Network

    dataset = find(judged_set)
    assert dataset is not None
    judged = Judged()
    judged.add(dataset, "reference")
    encoder = build(Encoder, "minilm")
    standard = Standard.of(inputs(list(judged.pairs), encoder, lambda message: None))
    nets = [train(judged, standard, standard.inputs.scored, seed, RECIPE) for seed in (1, 2)]
    expected = np.mean([predict(net, standard, np.arange(5)) for net in nets], axis=0)
    network = Network(stacked([folded(net, standard) for net in nets]), "")
    for number, (candidate, reference) in enumerate(list(judged.pairs)[:5]):
        texts = [Tokens.of(e) for e in encoder.encode([candidate, reference], layers=range(1, 7))]
        score, gates = network(*texts[0].beside(texts[1]))
        assert score == pytest.approx(expected[number], abs=1e-4)
        assert [g.sum() for g in gates] == pytest.approx([1, 1])


def test_training_is_repeatable_and_its_file_is_a_model(judged_set: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    for file in files:
        train_comet([judged_set], output=file, seeds=(3,), recipe=RECIPE)
    assert files[0].read_bytes() == files[1].read_bytes()
    spec = f"comet(model={str(files[0])!r})"
    metric = coheval.metric(spec)
    assert coheval.metric(metric.signature) == metric
    good, bad = "the cat and the dog saw the boat and the storm", "the mayor and the letter saw the boat and the storm"
    scores = coheval.score([good, bad], [good, good], metrics=[spec])[spec].segments
    assert scores[0] > scores[1]


def test_embedded_models_are_for_the_encoder_that_is_here() -> None:
    for name in ("comet", "cometqe"):
        path = Path(coheval.__file__).parent / "metrics" / "_cometembedded" / f"{name}.safetensors"
        assert path.stat().st_size < 5_000_000
        assert load(path).encoder == build(Encoder, "minilm").digest()


def test_embedded_comet_prefers_the_reference_to_a_paraphrase_to_another_text() -> None:
    reference = "The committee rejected the plan because it was too expensive."
    said = [
        reference,
        "The plan was turned down by the committee since it cost too much.",
        "Bananas grow in warm countries near the sea.",
    ]
    scores = coheval.score(said, [reference] * 3, metrics=["comet"])["comet"].segments
    assert scores[0] > scores[1] > scores[2]


def test_long_texts_are_not_aligned_at_any_price() -> None:
    long = "word " * 3000
    result = coheval.score([long], [long], metrics=["comet"])["comet"]
    assert result.segments == [None]
    assert "too many to align" in result.reasons[0]


@pytest.mark.parametrize("content", [b"", b"{}", b"\x10\x00\x00\x00\x00\x00\x00\x00{not json at all"])
def test_a_broken_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.safetensors").write_bytes(content)
    with pytest.raises(ResourceError, match="no whole"):
        coheval.score(["a"], ["b"], metrics=[f"comet(model={str(tmp_path / 'x.safetensors')!r})"])


def test_weights_that_are_no_numbers_are_told(tmp_path: Path) -> None:
    path = Path(coheval.__file__).parent / "metrics/_cometembedded/comet.safetensors"
    found = load(path)
    weights = {name: np.full_like(value, np.nan) for name, value in found.weights.items()}
    save(tmp_path / "x.safetensors", weights, found.encoder)
    with pytest.raises(ResourceError, match="holds numbers that are not finite"):
        load(tmp_path / "x.safetensors")


def test_weights_of_something_else_are_told(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"a": np.zeros(3, dtype=np.float32)}, tmp_path / "x.safetensors")
    with pytest.raises(ResourceError, match="expected weights of an estimator"):
        coheval.score(["a"], ["b"], metrics=[f"comet(model={str(tmp_path / 'x.safetensors')!r})"])


def test_a_file_that_is_not_there_and_a_folder_that_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read"):
        coheval.score(["a"], ["b"], metrics=["comet(model='nowhere.safetensors')"])
    with pytest.raises(ResourceError, match="expected 'embedded'"):
        coheval.metric("comet(model='nowhere')")
    with pytest.raises(DataError, match="no judged set that is known"):
        train_comet([tmp_path])
