"""The discourse parser that comes with coheval: trees over any text, weights that fit, what it says of plain cases."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from coheval.annotators import Annotated
from coheval.annotators._rst import decoding, reading
from coheval.annotators._rst.decoding import Labels, _charts
from coheval.annotators._rst.weights import EMBEDDED, load
from coheval.annotators.rst import Rst, borders
from coheval.data.datasets import find
from coheval.data.relations import CLASSES
from coheval.data.rsttree import RstTree
from coheval.errors import CohevalError, ResourceError
from coheval.spec import build

CLAUSES = "He left early because it was raining. Anna said that she would stay."


def parsed(text: str, annotator: Rst | None = None) -> tuple[Annotated, RstTree]:
    (annotated,) = (annotator or Rst()).annotate([text], layers=("rst",))
    assert annotated.tree is not None
    return annotated, annotated.tree


def test_clauses_are_units() -> None:
    """Boundaries and relations that any reader of the sentences would give."""
    _, tree = parsed(CLAUSES)
    edus = [tree.edu(k) for k in range(len(tree))]
    assert edus == ["He left early", "because it was raining.", "Anna said", "that she would stay."]
    spans = {(n.first, n.stop): (n.nuclearity, n.relation) for n in tree.nodes}
    assert spans[2, 4] == ("SN", "Attribution")
    assert spans[0, 2][0] == "NS"
    assert spans[0, 2][1] in ("Cause", "Explanation")


@pytest.mark.parametrize(
    "text",
    [
        "word",
        "?!... --- ,,",
        "THE MINISTER SAID THAT NOTHING WOULD CHANGE BUT NOBODY BELIEVED HIM",
        "minister said nothing change but nobody believe",
        "Der Minister sagte, dass sich nichts ändert, weil das Geld fehlt.",
        "你好世界。これは文です。 Привет мир 👩‍👩‍👧 a\x00b\x07c",
        " ".join(["the man said that"] * 75),
        "One line.\n\nAnother one, which is longer,\r\nand a third",
        "z" * 3000,
    ],
)
def test_every_text_has_a_tree(text: str) -> None:
    annotated, tree = parsed(text)
    assert tree.text == text
    starts = annotated.spans[:, 0].tolist()
    owners = [sum(a <= start < b for a, b in tree.edus) for start in starts]
    assert owners == [1] * len(starts), "every word begins in one EDU"
    assert all(text[a:b].strip() == text[a:b] for a, b in tree.edus)
    for node in tree.nodes:
        assert node.relation in CLASSES
        assert node.probability is not None
        assert 0 < node.probability <= 1 + 1e-9
    for a, b in tree.edus:
        assert not set("\n\r\x85") & set(text[a:b]), "a line end ends an EDU"


@pytest.mark.parametrize("text", ["", " \t ", "\n\n"])
def test_nothing_written_nothing_found(text: str) -> None:
    annotated, tree = parsed(text)
    assert len(annotated) == len(tree) == 0


def test_real_translations_and_their_sources(shared: Path) -> None:
    """Lines of WMT17 in eight languages, some in capitals or cut to their middle: none fails, none loses a word."""
    dataset = find(shared / "data" / "wmt17_toen")
    lines = [text for r in list(dataset.records())[::40] for text in (r.candidate, r.source or "")]
    lines = [line.upper() if k % 10 == 1 else line[10:40] if k % 10 == 2 else line for k, line in enumerate(lines)]
    lines += ["", " ".join(lines[:14])]
    for line, annotated in zip(lines, Rst().annotate(lines, layers=("rst",)), strict=True):
        assert annotated.tree is not None
        assert "".join(annotated.tree.edu(k) for k in range(len(annotated.tree))).replace(" ", "") == "".join(
            line.split()
        )


def test_words_and_other_layers_are_those_of_the_tagger() -> None:
    rst = Rst()
    (with_tree,) = rst.annotate([CLAUSES], layers=("tags", "rst"))
    (tagged,) = rst.words.annotate([CLAUSES], layers=("tags",))
    assert with_tree.tags == tagged.tags
    assert with_tree.heads is None
    assert rst.annotate([CLAUSES])[0].tree is None


def test_a_long_text_is_joined_from_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With blocks of at most 12 EDUs the tree is still one tree over all, and blocks end where lines do."""
    sentences = ["She came, but he was gone.", "They waited until it was dark.", "Nobody knew why."]
    text = "\n".join(" ".join(random.Random(k).sample(sentences, 3)) for k in range(12))
    _, whole = parsed(text)
    monkeypatch.setattr(decoding, "LARGEST", 12)
    _, blocks = parsed(text)
    assert whole.edus == blocks.edus
    assert len(blocks.nodes) == len(blocks.edus) - 1  # RstTree has checked that they are a tree


def test_blocks_end_with_lines_or_else_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty EDUs in blocks of at most 8: the line that ends behind the sixth is taken, then the sentence end at 12."""
    monkeypatch.setattr(decoding, "LARGEST", 8)
    kinds = np.zeros(21, np.int64)
    kinds[[0, 6, 20]] = 2
    kinds[[7, 12]] = 1
    found = [places.tolist() for places in _charts(np.arange(21), kinds)]
    assert found == [list(range(7)), list(range(6, 13)), list(range(12, 21)), [0, 6, 12, 20]]


def test_phrases_by_hand() -> None:
    """The(dog) dog(barked) barked loudly(barked): "the" begins two phrases, "loudly" ends that of barked."""
    heads = [1, 2, 2, 2]
    left, right = reading._edges(heads)
    assert (left, right) == ([0, 0, 0, 3], [0, 1, 3, 3])
    assert reading._largest(heads, left) == [2, -1, -1, 3]
    assert reading._largest(heads, right) == [0, 1, -1, 2]


def test_a_circle_of_heads_ends() -> None:
    """Stored annotations may have one; its words have no phrases, the others do."""
    heads = [1, 0, 1, 3]
    left, _ = reading._edges(heads)
    assert left == [0, 1, 2, 3]
    assert reading._largest(heads, left) == [-1, -1, 2, 3]


def test_borders_by_hand() -> None:
    """The second word opens an EDU (.3 + .3 > .4) and no sentence, the third a sentence; the fourth begins a line."""
    chances = np.array([[0.9, 0.1, 0], [0.4, 0.4, 0.2], [0.2, 0.1, 0.7], [0.9, 0.1, 0], [0.6, 0.4, 0]], np.float32)
    starts, kinds = borders(chances, np.array([0, 3]))
    assert starts.tolist() == [0, 1, 2, 3]
    assert kinds.tolist() == [2, 0, 1, 2, 2]


def test_what_a_label_is_worth() -> None:
    """A span that is certain: 1; half of the nuclearity, a fifth of the relation, a fifth of both are right."""
    labels = Labels.of([("NN", "Joint"), ("NS", "Cause"), ("NS", "Joint")])
    chances = np.array([0.5, 0.2, 0.3])
    assert (chances @ labels.alike).tolist() == pytest.approx(
        [1 + 0.5 + 0.8 + 0.5, 1 + 0.5 + 0.2 + 0.2, 1 + 0.5 + 0.8 + 0.3]
    )


def test_signature_and_model_file(tmp_path: Path) -> None:
    copy = tmp_path / "mine.safetensors"
    copy.write_bytes(EMBEDDED.read_bytes())
    mine = Rst(model=str(copy))
    assert build(Rst, mine.signature) == mine
    assert parsed(CLAUSES, mine)[1] == parsed(CLAUSES)[1]
    assert mine.digest() == Rst().digest()


def test_another_encoder_is_refused() -> None:
    with pytest.raises(CohevalError, match="trained with another encoder") as error:
        build(Rst, "rst(encoder=static(file='glove-6b-50d'))").annotate(["a b"], layers=("rst",))
    assert "hint" in str(error.value)


def test_an_encoder_that_cuts_is_refused() -> None:
    """Behind the cut words would have no vectors; a short line is not cut."""
    rst = build(Rst, "rst(encoder=minilm(overflow='truncate'))")
    assert rst.annotate(["It rained."], layers=("rst",))[0].tree is not None
    with pytest.raises(CohevalError, match="cuts long texts"):
        rst.annotate(["word " * 600], layers=("rst",))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no whole .safetensors"), (b"\x10\0\0\0\0\0\0\0{}", "no whole .safetensors"), (None, "expected weights of")],
)
def test_wrong_model_files(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "wrong.safetensors"
    if content is None:
        save_file({"a": np.zeros(1)}, path)
    else:
        path.write_bytes(content)
    with pytest.raises(ResourceError, match=message):
        Rst(model=str(path)).annotate(["a"], layers=("rst",))


def test_a_model_that_lacks_weights(tmp_path: Path) -> None:
    path = tmp_path / "less.safetensors"
    header = EMBEDDED.read_bytes()
    metadata = json.loads(header[8 : 8 + int.from_bytes(header[:8], "little")])["__metadata__"]
    weights = load_file(EMBEDDED)
    del weights["words.weight_ih_l0"]
    save_file(weights, path, metadata)
    with pytest.raises(ResourceError, match="not complete"):
        load(path)


def test_no_model_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read"):
        Rst(model=str(tmp_path / "none.safetensors")).annotate(["a"], layers=("rst",))


def test_weights_are_small_and_have_a_card() -> None:
    assert EMBEDDED.stat().st_size < 20_000_000
    card = EMBEDDED.with_name("rst.md").read_text(encoding="utf-8")
    assert Rst().digest()[:16] in card, "the card is of other weights"
