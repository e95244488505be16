"""Training on texts of our own: files that score without torch, as the network did; training that goes on."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="needs the extra torch")

from coheval.data.parts import of_part  # noqa: E402
from coheval.encoders.static import Static  # noqa: E402
from coheval.errors import DataError, ResourceError, UsageError  # noqa: E402
from coheval.models import model  # noqa: E402
from coheval.models._file import read_facts  # noqa: E402
from coheval.models._inputs import Sentences  # noqa: E402
from coheval.models._recipe import Recipe  # noqa: E402
from coheval.run.coherence.checkpoint import arrays_of  # noqa: E402
from coheval.run.coherence.examples import Layout  # noqa: E402
from coheval.run.coherence.train import Lesson, learner, train_coherence  # noqa: E402
from coheval.run.coherence.training import Training, tensors  # noqa: E402

WORDS = "the a boat harbour storm night crew rope sail left came sank slept mended at last before then".split()
STEPS = ("At last the crew slept", "Before the storm", "The boat left", "Then the sail sank", "They mended a rope")
SMALL = Recipe(epochs=2, batch=4, negatives=2, hidden=16)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of a few words, and forty texts that tell their story in the same order, with other things in it."""
    folder = tmp_path_factory.mktemp("coherence")
    rng = np.random.default_rng(1)
    vectors = {word: rng.normal(size=6).round(3).tolist() for word in WORDS}
    (folder / "vectors.json").write_text(json.dumps(vectors), encoding="utf-8")
    chance = random.Random(2)
    texts = []
    for _ in range(40):
        steps = STEPS[: chance.randint(2, len(STEPS))]
        texts.append("\n".join(f"{step} {' '.join(chance.choices(WORDS, k=chance.randint(1, 4)))}." for step in steps))
    (folder / "texts.txt").write_text("\n\n".join(texts), encoding="utf-8")
    return folder


def spec(name: str, folder: Path, **more: str) -> str:
    params = {"encoder": f"static(file={str(folder / 'vectors.json')!r})", **more}
    return f"{name}({', '.join(f'{key}={value}' for key, value in params.items())})"


def lesson(folder: Path, **settings: Any) -> Lesson:
    return Lesson.of([folder / "texts.txt"], ["order(negatives=4)"], **settings)


DOCUMENTS = [
    ("The boat left.", "The crew slept at last."),
    ("A storm came.",),
    ("The sail sank then before the night.", "A rope.", "Unheard.", "They mended the boat at the harbour."),
    ("A rope.", "The boat left.", "The crew slept at last."),
    ("The crew slept at last.", "The boat left."),
]


@pytest.mark.parametrize(
    ("name", "variant"), [("sentavg", "repaired"), ("parseq", "repaired"), ("cohlstm", "repaired"), ("unc", "original")]
)
def test_a_file_scores_as_the_network_does(name: str, variant: str, folder: Path, tmp_path: Path) -> None:
    taught = learner(spec(name, folder, variant=variant))
    output = tmp_path / "model.onnx"
    trained = train_coherence(lesson(folder), taught, output, recipe=replace(SMALL, epochs=1))
    assert not list(tmp_path.glob("*.checkpoint*"))
    trained_model = model(f"{name}(file={str(output)!r}, variant={variant})")
    trained_model.ready()
    found = trained_model.score(DOCUMENTS)
    assert found[1].value is None
    assert "two sentences" in str(found[1].reason)
    rest = [n for n in range(len(DOCUMENTS)) if n != 1]

    ((encoder, layers),) = trained_model.reads().items()
    sentences = Sentences(encoder, layers)
    sentences.add(DOCUMENTS)
    sizes = {"width": 6, "hidden": 16, "sentences": 5}
    for n in rest:  # each by itself, in torch
        inputs = taught.arrange(sentences.batch([DOCUMENTS[n]]), sizes)
        with torch.inference_mode():
            (expected,) = trained.network(**tensors(inputs)).tolist()
        assert found[n].value == pytest.approx(expected, abs=1e-5)
    assert variant != "original" or found[0].value == found[4].value == 0  # two sentences


def test_repaired_unc_tells_two_sentences_apart(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "unc.onnx"
    train_coherence(lesson(folder), learner(spec("unc", folder)), output, recipe=replace(SMALL, epochs=1))
    assert read_facts(output, "unc")["recipe"] == asdict(replace(SMALL, epochs=1))
    trained = model(f"unc(file={str(output)!r})")
    found = [one.value for one in trained.score(DOCUMENTS)]
    assert found[0] != found[4]
    alone = [trained.score([document])[0].value for document in DOCUMENTS]
    for one, other in zip(found, alone, strict=True):
        assert one == (None if other is None else pytest.approx(other, abs=1e-5))

    with pytest.raises(ResourceError, match="expected a trained sentavg, got a unc"):
        model(f"sentavg(file={str(output)!r})").ready()
    with pytest.raises(ResourceError, match="was trained with encoder static"):
        model(f"unc(file={str(output)!r}, encoder=minilm)").ready()
    other = f"static(file={str(folder / 'vectors.json')!r})"
    monkeypatch.setattr(Static, "version", 2)  # the same weights, otherwise read
    with pytest.raises(ResourceError, match="was trained with encoder static"):
        model(f"unc(file={str(output)!r}, encoder={other})").ready()
    monkeypatch.undo()
    with pytest.raises(ResourceError, match="was trained with variant repaired, got original"):
        model(f"unc(file={str(output)!r}, variant=original)").ready()
    moved = tmp_path / "moved.json"
    moved.write_bytes((folder / "vectors.json").read_bytes())
    there = model(f"unc(file={str(output)!r}, encoder=static(file={str(moved)!r}))")
    assert [one.value for one in there.score(DOCUMENTS)] == found
    half = tmp_path / "half.onnx"
    half.write_bytes(output.read_bytes()[:2000])
    with pytest.raises(ResourceError, match=r"half\.onnx"):
        model(f"unc(file={str(half)!r})").ready()


def test_a_model_without_a_file_says_how_to_train_it(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="not trained"):
        model("unc").score([("A storm came.", "The boat left.")])
    with pytest.raises(ResourceError, match="cannot be read"):
        model(f"unc(file={str(tmp_path / 'none.onnx')!r})").ready()


def training(folder: Path, checkpoint: Path, tell: Any = lambda message: None, **changes: Any) -> Training:
    taught = learner(spec("cohlstm", folder))  # it has dropout: chance in the network is tested, too
    data = lesson(folder)
    groups, held_out = data.training(1), data.held_out()
    ((encoder, layers),) = taught.reads().items()
    sentences = Sentences(encoder, layers)
    sentences.add(variant for group in (*groups, *held_out) for variant in group.variants)
    sizes = taught.sizes(sentences.width, SMALL.hidden, [group.right for group in groups])
    recipe = replace(SMALL, **{"epochs": 3, **changes})
    return Training(
        Layout(taught, sizes, sentences), lambda epoch: groups, held_out, recipe, 1, checkpoint, {"texts": 40}, tell
    )


class Stop(Exception):
    pass


def test_a_training_that_was_stopped_ends_as_if_it_had_not_been(folder: Path, tmp_path: Path) -> None:
    def stop(message: str) -> None:
        if message.startswith("epoch 2 of"):
            raise Stop

    undisturbed = training(folder, tmp_path / "a.safetensors").run(resume=False)
    with pytest.raises(Stop):
        training(folder, tmp_path / "b.safetensors", stop).run(resume=False)
    told: list[str] = []
    resumed = training(folder, tmp_path / "b.safetensors", told.append).run(resume=True)
    assert told[0] == "going on after epoch 2"
    assert (resumed.epoch, resumed.epochs, resumed.accuracy) == (undisturbed.epoch, 3, undisturbed.accuracy)
    first, second = arrays_of(undisturbed.network), arrays_of(resumed.network)
    assert all(np.array_equal(first[name], second[name]) for name in first)
    last, again = ((tmp_path / name).read_bytes() for name in ("a.safetensors", "b.safetensors"))
    assert last == again
    with pytest.raises(UsageError, match=r"had rate 0\.001, got 0\.5"):
        training(folder, tmp_path / "b.safetensors", rate=0.5).run(resume=True)


def test_only_a_constant_rate_goes_on_with_other_epochs(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    training(folder, tmp_path / "none.safetensors", told.append, epochs=1).run(resume=True)
    assert told[0] == f"nothing to go on with in {tmp_path / 'none.safetensors'}: training from the beginning"
    constant, falling = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    training(folder, constant, epochs=1).run(resume=False)
    assert training(folder, constant, epochs=2).run(resume=True).epochs == 2
    training(folder, falling, epochs=1, linear=True).run(resume=False)
    with pytest.raises(UsageError, match="had epochs 1, got 2"):
        training(folder, falling, epochs=2, linear=True).run(resume=True)


def test_a_falling_rate(folder: Path, tmp_path: Path) -> None:
    one = training(folder, tmp_path / "a.safetensors", rate=0.5, epochs=4, linear=True)
    assert [one._rate(epoch) for epoch in (1, 2, 3, 4)] == [0.5, 0.375, 0.25, 0.125]  # by hand
    assert training(folder, tmp_path / "a.safetensors", rate=0.5)._rate(3) == 0.5


def test_every_group_is_seen_in_an_epoch(folder: Path, tmp_path: Path) -> None:
    one = training(folder, tmp_path / "a.safetensors")
    groups = one.groups(1)
    steps = one.layout.steps(groups, 5, 2, np.random.default_rng(1))
    assert len(groups) % 5  # the last step is not a whole one
    assert sorted(right for chosen in steps for right, _ in chosen) == sorted(group.right for group in groups)
    assert {len(wrong) for chosen in steps for _, wrong in chosen} <= {1, 2}


def test_nothing_is_learnt_from_the_test_part(folder: Path) -> None:
    data = lesson(folder)
    test = {tuple(document) for document in of_part(data.texts.documents, "test")}
    assert test
    assert not test & {group.right for group in (*data.training(1), *data.held_out())}
    with pytest.raises(UsageError, match="part=test"):
        Lesson.of([folder / "texts.txt"], ["order(part=test)"])
    with pytest.raises(UsageError, match="makes no groups of documents"):
        Lesson.of([folder / "texts.txt"], ["contrastive"])


def test_what_was_learnt_from_does_not_tell_where_it_lay(folder: Path) -> None:
    data = lesson(folder)
    assert data.provenance()["files"] == {"texts.txt": data.texts.files[str(folder / "texts.txt")]}


def test_fresh_variants_for_each_epoch(folder: Path) -> None:
    same, fresh = lesson(folder), lesson(folder, fresh=True)
    assert same.training(1) == same.training(2)
    assert fresh.training(1) != fresh.training(2)
    assert fresh.training(2) == fresh.training(2)


def test_documents_that_a_model_cannot_read(folder: Path) -> None:
    taught = learner(spec("cohlstm", folder))
    groups = lesson(folder).training(1)
    sentences = Sentences(*next(iter(taught.reads().items())))
    sentences.add(variant for group in groups for variant in group.variants)
    told: list[str] = []
    layout = Layout(taught, {"sentences": 3, "hidden": 16}, sentences)
    fitting = layout.fitting(groups, told.append)
    assert {len(group.right) for group in fitting} == {2, 3}
    (message,) = told
    assert message.startswith(f"{len(groups) - len(fitting)} of {len(groups)} groups are left out, the first because")
    with pytest.raises(DataError, match="reads 1 sentences"):
        Layout(taught, {"sentences": 1}, sentences).fitting(groups)


def test_a_width_that_cannot_be_is_refused_before_anything_is_read(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    taught, recipe = learner(spec("unc", folder)), replace(SMALL, hidden=20)
    with pytest.raises(UsageError, match="a multiple of 8, got 20"):
        train_coherence(lesson(folder), taught, tmp_path / "unc.onnx", recipe=recipe, tell=told.append)
    assert not told


def test_command_line(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "sentavg.onnx"
    command = [sys.executable, "-m", "coheval", "train", "coherence", str(folder / "texts.txt")]
    command += ["--model", spec("sentavg", folder), "--task", "order", "-o", str(output), "--epochs", "1"]
    done = subprocess.run([*command, "--hidden", "8"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "folding" not in done.stderr
    assert "held-out pairs" in done.stdout
    assert "epoch 1 of 1: loss" in done.stderr
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "exists already" in again.stderr
    wrong = subprocess.run([*command, "--overwrite", "--rate", "-1"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "must be a positive number, got -1" in wrong.stderr
    script = (
        "import sys; from coheval.models import model; "
        f"print(model({f'sentavg(file={str(output)!r})'!r}).score([('The boat left.', 'A storm came.')])); "
        "assert 'torch' not in sys.modules"
    )
    scored = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert scored.returncode == 0, scored.stderr
    assert "Scored(value=" in scored.stdout
