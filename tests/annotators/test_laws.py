"""Laws that every annotator obeys: the default, rules from a folder, a bare tokenizer, stored annotations."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import spacy

from coheval import registry
from coheval.annotators import Annotated, Annotator, Layer
from coheval.annotators.replay import stored
from coheval.data.rsttree import RstTree
from coheval.spec import build

LAYERS: dict[str, tuple[Layer, ...]] = {
    "spacy": ("tags", "syntax"),
    "blank": (),
    "folder": ("tags",),
    "replay": ("tags", "syntax"),
    "rst": ("tags", "syntax", "rst"),
}
SENTENCE = "Anna's dog chased two cats, but they were faster."
LINES = [
    f"The dog saw it{end}the cats did not. Nobody did." for end in ("\n", "\r\n", "\r", "\x85", "\u2028", "\u2029")
]
STRANGE = {
    "empty": "",
    "blank": " \t\u00a0 ",
    "line ends": "\n\n\r\n",
    "word": "dog",
    "punctuation": "?!... --- ,,",
    "control": "a\x00b\x07c\x1b[31m d\x85e\u2028f",
    "scripts": "Привет мир 你好世界 مرحبا بالعالم नमस्ते 👩‍👩‍👧 🇩🇪 é e\u0301 İstanbul Straße ΟΔΟΣ.",
    "zero width": "a\u200bb \u200b c\ufeff \u00ad d\u200d",
    "quotes": "\"Well,\" he said. ``No.'' “Yes.”",
    "segments": "The first line.\n\nThe second\nline has no stop",
    "joined": "z" * 2000,
}


def english(count: int) -> list[str]:
    """Texts of one to thirty words, with few repetitions."""
    rng = random.Random(5)
    words = (
        "the a dog cats run ran Anna Berlin which saw quickly old and but in river's 12 , . ! \" house thinks".split()
    )
    return [" ".join(rng.choices(words, k=rng.randrange(1, 31))) for _ in range(count)]


TEXTS = [SENTENCE, *LINES, *STRANGE.values(), *english(100)]


@pytest.fixture(scope="module", params=LAYERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def annotator(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Annotator:
    if kind == "folder":
        folder = tmp_path_factory.mktemp("pipelines") / "nouns"
        save_nouns(folder)
        return build(Annotator, f"spacy(model={str(folder)!r})")
    if kind == "replay":
        path = tmp_path_factory.mktemp("replay") / "annotations.json"
        found = build(Annotator, "spacy").annotate(TEXTS, layers=LAYERS["replay"])
        content = {text: stored(text, annotated) for text, annotated in zip(TEXTS, found, strict=True)}
        path.write_text(json.dumps(content), encoding="utf-8")
        return build(Annotator, f"replay(file={str(path)!r})")
    return build(Annotator, {"blank": "spacy(model='blank:de')"}.get(kind, kind))


def save_nouns(folder: Path) -> None:
    """A pipeline whose only rule calls everything a noun."""
    pipeline = spacy.blank("en")
    pipeline.add_pipe("attribute_ruler").add([[{}]], {"POS": "NOUN"})
    pipeline.to_disk(folder)


@pytest.fixture(scope="module")
def together(annotator: Annotator, kind: str) -> list[Annotated]:
    return annotator.annotate(TEXTS, layers=LAYERS[kind])


def plain(annotated: Annotated) -> list[object]:
    """All that is found; probabilities of nodes are left out, as they are sums of rounded numbers."""
    values = [getattr(annotated, field.name) for field in fields(annotated) if field.init]
    values = [_without_probabilities(value) if isinstance(value, RstTree) else value for value in values]
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]


def _without_probabilities(tree: RstTree) -> RstTree:
    return replace(tree, nodes=tuple(node._replace(probability=None) for node in tree.nodes))


def probabilities(annotated: Sequence[Annotated]) -> list[float]:
    return [node.probability or 0 for one in annotated if one.tree is not None for node in one.tree.nodes]


def test_every_annotator_is_tried() -> None:
    assert {"spacy", "replay", "rst"} == set(registry.names("annotators")), "add the new one above"


def test_signature_round_trip(annotator: Annotator) -> None:
    again = build(Annotator, annotator.signature)
    assert again == annotator
    assert again.signature == annotator.signature


def test_words_are_where_the_spans_say(together: list[Annotated]) -> None:
    for text, annotated in zip(TEXTS, together, strict=True):
        assert [text[a:b] for a, b in annotated.spans.tolist()] == list(annotated.words)
        assert all(word.strip() for word in annotated.words)
        edges = annotated.spans.ravel()
        assert (np.diff(edges) >= 0).all()
        left = "".join(text[a:b] for a, b in zip([0, *edges[1::2]], [*edges[::2], len(text)], strict=True))
        assert not left.strip()


def test_shapes_agree(together: list[Annotated], kind: str) -> None:
    for annotated in together:
        n = len(annotated)
        assert annotated.spans.shape == (n, 2)
        assert annotated.sentence.shape == (n,)
        assert annotated.sentences.shape[1:] == (2,)
        for array in (annotated.spans, annotated.sentence, annotated.sentences):
            assert array.dtype == np.int32
        for layer, name in (("tags", "tags"), ("tags", "lemmas"), ("syntax", "heads"), ("syntax", "relations")):
            value = getattr(annotated, name)
            assert (value is not None) == (layer in LAYERS[kind])
            assert value is None or len(value) == n
        assert annotated.chains is None


def test_sentences_hold_their_words_and_no_line_end(together: list[Annotated]) -> None:
    for text, annotated in zip(TEXTS, together, strict=True):
        assert sorted(set(annotated.sentence.tolist())) == list(range(len(annotated.sentences)))
        assert (np.diff(annotated.sentence) >= 0).all()
        for k, (start, stop) in enumerate(annotated.sentences.tolist()):
            own = annotated.spans[annotated.sentence == k]
            assert (start, stop) == (own[0, 0], own[-1, 1])
            assert len(re.split("[\n\r\x85\u2028\u2029]", text[start:stop])) == 1


def test_heads_are_words_of_the_same_sentence(together: list[Annotated], kind: str) -> None:
    if "syntax" not in LAYERS[kind]:
        pytest.skip("gives no syntax")
    for annotated in together:
        assert (annotated.sentence[annotated.heads] == annotated.sentence).all()


@pytest.mark.parametrize("name", ["empty", "blank", "line ends"])
def test_nothing_written_nothing_found(annotator: Annotator, kind: str, name: str) -> None:
    (annotated,) = annotator.annotate([STRANGE[name]], layers=LAYERS[kind])
    assert len(annotated) == 0
    assert annotated.words == ()
    assert annotated.spans.shape == annotated.sentences.shape == (0, 2)
    assert annotated.sentence.shape == (0,)
    assert annotator.annotate([], layers=LAYERS[kind]) == []


def test_company_does_not_matter(annotator: Annotator, kind: str, together: list[Annotated]) -> None:
    alone = [annotator.annotate([text], layers=LAYERS[kind])[0] for text in TEXTS]
    assert list(map(plain, alone)) == list(map(plain, together))
    order = random.Random(1).sample(range(len(TEXTS)), len(TEXTS))
    shuffled = annotator.annotate([TEXTS[i] for i in order], layers=LAYERS[kind])
    assert [plain(a) for a in shuffled] == [plain(together[i]) for i in order]
    assert probabilities(alone) == pytest.approx(probabilities(together), abs=1e-5)


def test_other_layers_do_not_matter(annotator: Annotator, kind: str, together: list[Annotated]) -> None:
    for some in [(), *((layer,) for layer in LAYERS[kind])]:
        found = annotator.annotate(TEXTS, layers=some)
        assert list(map(plain, found)) == [plain(annotated.only(some)) for annotated in together]


def test_stored_and_replayed_is_the_same(kind: str, together: list[Annotated], tmp_path: Path) -> None:
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({t: stored(t, a) for t, a in zip(TEXTS, together, strict=True)}), encoding="utf-8")
    again = build(Annotator, f"replay(file={str(path)!r})").annotate(TEXTS, layers=LAYERS[kind])
    assert list(map(plain, again)) == list(map(plain, together))
