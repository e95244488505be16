"""Training on a corpus of our own, written as GUM writes; the network in torch equals the one that parses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra torch")

from coheval.annotators._rst.network import Network  # noqa: E402
from coheval.annotators.rst import Rst  # noqa: E402
from coheval.data.gum import read_gum  # noqa: E402
from coheval.errors import DataError  # noqa: E402
from coheval.run.rst.evaluation import _full, measure  # noqa: E402
from coheval.run.rst.instances import Instance, instances, of_document, of_sentences  # noqa: E402
from coheval.run.rst.network import LogTotal, TorchNetwork  # noqa: E402
from coheval.run.rst.train import train_rst  # noqa: E402
from coheval.run.rst.training import Recipe  # noqa: E402

CLAUSES = [
    ("The ship came back,", "because it leaked."),
    ("Anna waited,", "but nobody came."),
    ("They say", "that it rains."),
]
RELATIONS = [
    ("Nucleus", "Satellite", "causal-cause"),
    ("Nucleus", "Nucleus", "adversative-contrast"),
    ("Satellite", "Nucleus", "attribution-positive"),
]


def write_corpus(folder: Path) -> Path:
    """Two documents for training, one for dev: three sentences of two EDUs each, joined as a list."""
    (folder / "dep").mkdir(parents=True)
    (folder / "rst" / "lisp_binary").mkdir(parents=True)
    for name in ("GUM_news_a", "GUM_news_b", "GUM_news_c"):
        comments = [f"# sent_id = {k}\n# text = {' '.join(pair)}\n1\tx\n" for k, pair in enumerate(CLAUSES)]
        head = f"# newdoc id = {name}\n# meta::genre = news\n# newpar\n"
        (folder / "dep" / f"{name}.conllu").write_text(head + "\n".join(comments) + "\n", encoding="utf-8")
        (folder / "rst" / "lisp_binary" / f"{name}.dis").write_text(tree(), encoding="utf-8")
    (folder / "splits.md").write_text("## dev\n\n  * GUM_news_c\n\n## test\n\n", encoding="utf-8")
    return folder


def tree() -> str:
    def part(k: int, role: str) -> str:
        left, right, relation = RELATIONS[k]
        of = ("span" if right == "Satellite" else relation, "span" if left == "Satellite" else relation)
        leaves = (
            f"( {role} (leaf {2 * k + n + 1}) (rel2par {of[n]}) (text _!{text}_!) )"
            for n, (role, text) in enumerate(zip((left, right), CLAUSES[k], strict=True))
        )
        return f"( Nucleus (span {2 * k + 1} {2 * k + 2}) (rel2par joint-list) {' '.join(leaves)} )"

    rest = f"( Nucleus (span 3 6) (rel2par joint-list) {part(1, '')} {part(2, '')} )"
    return f"( Root (span 1 6) {part(0, '')} {rest} )"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("gum") / "corpus")


@pytest.fixture(scope="module")
def example(corpus: Path) -> Instance:
    document = read_gum(corpus)[0]
    (found,) = instances([of_document(document)], Rst().encoder, Rst().words)
    return found


def test_instances(corpus: Path, example: Instance) -> None:
    assert example.borders[example.starts].tolist() == [2, 1, 2, 1, 2, 1]
    assert example.kinds.tolist() == [2, 0, 1, 0, 1, 0, 2]
    assert [len(one.nodes) for one in of_sentences(read_gum(corpus)[0])] == [1, 1, 1]


def test_torch_equals_the_parser(example: Instance) -> None:
    torch.manual_seed(3)
    width = example.reading.vectors.shape[1]
    one = TorchNetwork(width, 7, inputs=12, hidden=10, span=8, label=9, dropout=0.3).eval()
    network = Network({name: value.numpy()[None] for name, value in one.state_dict().items()})
    reading = _full(example)
    words = network.words([reading])
    arrays = (reading.vectors, reading.marks, reading.categories)
    kinds = torch.from_numpy(example.kinds)
    i, k, j = (np.array(column) for column in zip(*(node[:3] for node in example.nodes), strict=True))
    places = np.arange(len(example.kinds))
    with torch.no_grad():
        inputs, states = one.read_words(*map(torch.from_numpy, arrays), list(reading.lines))
        spans, edges = one.spans(inputs, states, torch.from_numpy(example.starts), kinds)
        chances = one.labels(spans, edges, kinds, *map(torch.from_numpy, (i, k, j))).softmax(1)
    units = network.units(words, example.starts, example.kinds)
    own = network.spans(units, places)
    np.testing.assert_allclose(words.states[0], states, atol=1e-5)
    np.testing.assert_allclose(words.borders, one.border(states).softmax(1).detach(), atol=1e-5)
    np.testing.assert_allclose(network.nodes(own)[0][k, i, j], one.nodes(spans).detach()[k, i, j], atol=1e-5)
    np.testing.assert_allclose(network.labels(units, places, own, i, k, j), chances, atol=1e-5)


def test_gradient_of_the_sum_over_trees() -> None:
    scores = torch.randn(6, 6, 6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(LogTotal.apply, (scores,))


def test_the_training_data_are_learnt(corpus: Path, tmp_path: Path, example: Instance) -> None:
    """Dev repeats what is trained on, so that after some rounds all of it must be right; the file parses as well."""
    path = tmp_path / "mine.safetensors"
    recipe = Recipe(epochs=60, inputs=32, hidden=24, span=24, label=24, dropout=0.0, rate=5e-3)
    outcome = train_rst(corpus, path, seeds=(1, 2), recipe=recipe)
    assert outcome.figures.overall() == pytest.approx(9.0)
    parser = Rst(model=str(path))
    (annotated,) = parser.annotate([" ".join(" ".join(pair) for pair in CLAUSES)], layers=("rst",))
    assert annotated.tree is not None
    labels = {(n.first, n.stop): (n.nuclearity, n.relation) for n in annotated.tree.nodes}
    assert labels[0, 2] == ("NS", "Cause")
    assert labels[4, 6] == ("SN", "Attribution")
    assert str(measure(parser.trained(), [example], [])).startswith("borders 100.0, end to end 100.0 / 100.0")


def test_the_same_seed_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    recipe = Recipe(epochs=2, inputs=8, hidden=8, span=8, label=8)
    paths = [tmp_path / f"{k}.safetensors" for k in range(2)]
    for path, jobs in zip(paths, (1, 2), strict=True):
        train_rst(corpus, path, seeds=(1, 2), recipe=recipe, jobs=jobs)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_command(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    command = [
        sys.executable,
        "-m",
        "coheval",
        "train",
        "rst",
        str(corpus),
        "-o",
        str(path),
        "--seeds",
        "4",
        "--epochs",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "together: borders" in done.stdout
    assert "reading 2 documents" in done.stderr
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, "exists already" in again.stderr) == (2, True)
    command[7] = str(path / "mine.safetensors")
    nowhere = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (nowhere.returncode, "the file cannot be written there" in nowhere.stderr) == (4, True)


def test_a_corpus_without_dev(corpus: Path, tmp_path: Path) -> None:
    other = write_corpus(tmp_path / "gum")
    (other / "splits.md").write_text("## dev\n\n## test\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected documents for training and for dev"):
        train_rst(other, tmp_path / "x.safetensors")
