"""Stored annotations: what a file may hold, what it must not, and texts in other scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coheval.annotators import Annotated
from coheval.annotators.replay import Replay, stored
from coheval.annotators.spacy import Spacy
from coheval.errors import DataError, ResourceError

Make = Callable[[object], Replay]

TEXT = "the cat sleeps."
TOKENS: list[list[Any]] = [
    ["the", "DET", "the", 1, "det"],
    ["cat", "NOUN", "cat", 2, "nsubj"],
    ["sleeps", "VERB", "sleep", 2, "root"],
    [".", "PUNCT", ".", 2, "punct"],
]


def entry(*tokens: object, **more: object) -> dict[str, object]:
    return {"sentences": [{"tokens": list(tokens)}], **more}


def test_what_is_stored_is_what_comes_out(replay: Make) -> None:
    annotator = replay({TEXT: entry(*TOKENS, chains=[[[0, 7]]], other="not read")})
    (found,) = annotator.annotate([TEXT], layers=["tags", "syntax", "coreference"])
    assert found.words == ("the", "cat", "sleeps", ".")
    assert found.spans.tolist() == [[0, 3], [4, 7], [8, 14], [14, 15]]
    assert found.tags == ("DET", "NOUN", "VERB", "PUNCT")
    assert found.lemmas == ("the", "cat", "sleep", ".")
    assert found.heads.tolist() == [1, 2, 2, 2]
    assert found.relations == ("det", "nsubj", "root", "punct")
    assert found.chains == (((0, 7),),)


def test_only_what_is_asked_for_must_be_there(replay: Make) -> None:
    annotator = replay({TEXT: entry(*(token[:1] for token in TOKENS))})
    (found,) = annotator.annotate([TEXT])
    assert found.words == ("the", "cat", "sleeps", ".")
    assert found.tags is found.lemmas is found.heads is found.relations is found.chains is None
    for layer, lack in (("tags", "tag and lemma"), ("syntax", "tag and lemma"), ("coreference", '"chains"')):
        with pytest.raises(DataError, match=lack):
            annotator.annotate([TEXT], layers=[layer])
    with pytest.raises(DataError, match=r'without head and relation: \["the", "DET", "the"\]'):
        replay({TEXT: entry(*(token[:3] for token in TOKENS))}).annotate([TEXT], layers=["syntax"])


def test_an_exact_key_goes_before_a_lower_cased_one(replay: Make) -> None:
    annotator = replay({"may": entry(["may", "AUX", "may"]), "May": entry(["May", "PROPN", "May"])})
    found = annotator.annotate(["may", "May", "MAY"], layers=["tags"])
    assert [a.tags for a in found] == [("AUX",), ("PROPN",), ("AUX",)]
    assert [a.words for a in found] == [("may",), ("May",), ("MAY",)]


def test_words_are_spelled_as_the_text_spells_them(replay: Make) -> None:
    text = 'İZMİR: STRASSE,\u00a0Weiß "ΟΔΟΣ."'
    tokens = ["i̇zmi̇r", ":", "strasse", ",", "weiß", "``", "οδος", ".", "''"]
    (found,) = replay({text.lower(): entry(*([t] for t in tokens))}).annotate([text])
    assert found.words == ("İZMİR", ":", "STRASSE", ",", "Weiß", '"', "ΟΔΟΣ", ".", '"')
    assert found.spans[:2].tolist() == [[0, 5], [5, 6]]


def test_a_word_without_a_lemma_is_its_own(replay: Make) -> None:
    (found,) = replay({"dogs": entry(["dogs", "NOUN", ""])}).annotate(["dogs"], layers=["tags"])
    assert found.lemmas == ("dogs",)


def test_invisible_characters_may_be_left_out(replay: Make) -> None:
    text = "\ufeffa\u200bb  \x00c\u00ad\n"
    (found,) = replay({text: entry(["a"], ["b"], ["c"])}).annotate([text])
    assert found.spans.tolist() == [[1, 2], [3, 4], [7, 8]]
    (kept,) = replay({text: entry(["\ufeffa"], ["\u200b"], ["b"], ["c"])}).annotate([text])
    assert kept.words == ("\ufeffa", "\u200b", "b", "c")


def test_line_ends_end_stored_sentences_too(replay: Make) -> None:
    text = "the cat\nsleeps."
    (found,) = replay({text: entry(*TOKENS)}).annotate([text], layers=["syntax"])
    assert found.sentence.tolist() == [0, 0, 1, 1]
    assert found.sentences.tolist() == [[0, 7], [8, 15]]
    assert found.heads.tolist() == [1, 1, 2, 2]  # the cat's head is on the other line


def test_sentences_without_tokens_are_none(replay: Make) -> None:
    content = {"a": {"sentences": [{"tokens": []}, {"tokens": [["a"]]}, {"tokens": []}]}}
    (found,) = replay(content).annotate(["a"])
    assert found.sentences.tolist() == [[0, 1]]


def test_blank_texts_need_no_annotation(replay: Make) -> None:
    for found in replay({}).annotate(["", " \n"], layers=["tags", "syntax", "coreference"]):
        assert len(found) == 0
        assert found.tags == found.lemmas == found.relations == found.chains == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spans_of_any_words(data: st.DataObject, tmp_path: Path) -> None:
    """Words of any characters, put together with any white space: the spans are those of the construction."""
    word = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6)
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(["", " ", "\t\u00a0", "\n"]), word), max_size=12))
    text, spans, lines = "", [], []
    for gap, token in pairs:
        lines.append(lines[-1] + ("\n" in gap) if lines else 0)
        spans.append([len(text + gap), len(text + gap + token)])
        text += gap + token
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({text: entry(*([token] for _, token in pairs))}), encoding="utf-8")
    (found,) = Replay(file=str(path)).annotate([text])
    assert found.spans.tolist() == spans
    assert found.sentence.tolist() == lines


# ----------------------------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["the"], 'has a token that is not .*: "the"'),
        ([{"text": "the"}], "has a token that is not"),
        ([[]], "has a token that is not"),
        ([["the", "DET"]], "has a token that is not"),
        ([["the", "DET", "the", 0]], "has a token that is not"),
        ([[7, "NUM", "7"]], r'has a token whose .* are no texts or its head no number: \[7, "NUM", "7"\]'),
        ([["the", None, "the"]], "has a token whose .* are no texts"),
        ([["the", "DET", None]], "has a token whose .* are no texts"),
        ([["the", "DT", "the"]], "has the tag 'DT', which is no universal part of speech"),
        ([["\n", "SPACE", "\n"]], "has the tag 'SPACE'"),
        ([["", "X", ""]], "has the token '' where the text goes on with 'the cat sleeps.'"),
        ([["dog", "NOUN", "dog"]], "has the token 'dog' where the text goes on with 'the cat sleeps.'"),
        ([["cat", "NOUN", "cat"]], "has the token 'cat' where the text goes on with 'the cat sleeps.'"),
        (TOKENS[:2], "ends where the text goes on with 'sleeps.'"),
        ([*TOKENS, [".", "PUNCT", ".", 2, "punct"]], "has the token '.' where the text goes on with ''"),
    ],
)
def test_wrong_tokens(replay: Make, tokens: list[object], message: str) -> None:
    with pytest.raises(DataError, match=f"the annotation of the text 'the cat sleeps.' {message}"):
        replay({TEXT: entry(*tokens)}).annotate([TEXT], layers=["tags"])


@pytest.mark.parametrize("sentences", [None, 3, "x", ["the"], [["the"]], [{"sentence": "the cat"}], {"tokens": []}])
def test_wrong_sentences(replay: Make, sentences: object) -> None:
    with pytest.raises(
        DataError, match='has no "sentences" that are objects with "tokens"\nhint: `coheval info replay`'
    ):
        replay({TEXT: {"sentences": sentences}}).annotate([TEXT])


@pytest.mark.parametrize("tokens", [None, 3, "the cat", {"the": "DET"}])
def test_tokens_that_are_no_list(replay: Make, tokens: object) -> None:
    with pytest.raises(DataError, match='has "tokens" that are no list'):
        replay({TEXT: {"sentences": [{"tokens": tokens}]}}).annotate([TEXT])


@pytest.mark.parametrize("head", [True, -1, 4, 1.0, float("nan"), "1", None])
def test_wrong_heads(replay: Make, head: object) -> None:
    tokens = [[*TOKENS[0][:3], head, "det"], *TOKENS[1:]]
    with pytest.raises(DataError, match="head"):
        replay({TEXT: entry(*tokens)}).annotate([TEXT], layers=["syntax"])


@pytest.mark.parametrize(
    "chains",
    [None, 5, [[1]], [[[0, 1, 2]]], [[[0, 16]]], [[[-1, 2]]], [[[3, 3]]], [[[4, 2]]], [[[True, 2]]], [[[0, 2.0]]],
     [[[0, float("nan")]]], [[[0, float("inf")]]], [[["0", "3"]]]],
)  # fmt: skip
def test_wrong_chains(replay: Make, chains: object) -> None:
    with pytest.raises(DataError, match="chain"):
        replay({TEXT: entry(*TOKENS, chains=chains)}).annotate([TEXT], layers=["coreference"])


def test_a_text_that_is_not_stored_is_named(replay: Make) -> None:
    annotator = replay({TEXT: entry(*TOKENS)})
    with pytest.raises(
        DataError, match=r"annotations.json: no annotation is stored for the text 'a dog'\nhint: keys are"
    ):
        annotator.annotate([TEXT, "a dog"])
    with pytest.raises(DataError, match=f"the text '{'long ' * 12}'…"):
        annotator.annotate(["long " * 100])


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"a": {"sentences": [', r"annotations.json:1: the file is not JSON: .*\nhint: was it written to its end"),
        (b"", "the file is not JSON"),
        (b'{"a": ' + b"[" * 100_000, r"annotations.json: the file is JSON that cannot be read: .*recursion.*\nhint:"),
        (b'{"a": ' + b"9" * 5000 + b"}", r"annotations.json: the file is JSON that cannot be read: .*digits.*\nhint:"),
        ('{"é": 1}'.encode("latin-1"), r"the file is not UTF-8: invalid continuation byte at byte 2\nhint: write"),
        (b"[1]", r"expected a JSON object of annotations by text, got list\nhint:"),
        (b'{"a": 1, "b": 2, "a": 3}', r"the key 'a' stands there twice\nhint: keep one"),
        (b'{"a": {"sentences": [], "sentences": []}}', "the key 'sentences' stands there twice"),
    ],
)
def test_wrong_files(replay: Make, raw: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        replay(raw).annotate(["a"])


def test_no_file(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "none.json", "No such file"), (tmp_path / "none.dis", "No such file")):
        annotator = Replay(file=str(path))
        for ask in (lambda a=annotator: a.annotate(["a"]), annotator.digest, lambda a=annotator: a.signature):
            with pytest.raises(
                ResourceError, match=f"{path}: the file cannot be read: {reason}.*\nhint: check the path"
            ):
                ask()


def test_a_byte_order_mark_is_no_harm(replay: Make) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps({TEXT: entry(*TOKENS)}).encode()
    assert len(replay(raw).annotate([TEXT])[0]) == 4


def test_a_file_that_changes_is_read_again(replay: Make) -> None:
    first, second = (replay({"may": entry(["may", tag, "may"])}) for tag in ("AUX", "NOUN"))
    assert first == second
    assert first.annotate(["may"], layers=["tags"])[0].tags == ("NOUN",)
    assert replay({"may": entry(["may", "X", "may"])}).annotate(["may"], layers=["tags"])[0].tags == ("X",)


# ------------------------------------------------------------------------------------------------------ making files


def test_the_documented_way_to_make_a_file(german: Path, replay: Make) -> None:
    texts = ["Der Hund sieht die Katze.\nHunde!", "Die Katze", ""]
    found = Spacy(model=str(german)).annotate(texts, layers=["tags"])
    content = {text: stored(text, annotated) for text, annotated in zip(texts, found, strict=True)}
    assert content["Die Katze"] == {
        "sentences": [{"sentence": "Die Katze", "tokens": [["Die", "X", "Die"], ["Katze", "NOUN", "Katze"]]}]
    }
    again = replay(content).annotate(texts, layers=["tags"])
    assert [a.tags for a in again] == [a.tags for a in found]
    assert [a.sentences.tolist() for a in again] == [a.sentences.tolist() for a in found]


def test_chains_and_heads_are_stored(replay: Make) -> None:
    text = "b. a b c"
    annotated = Annotated(
        words=("b", ".", "a", "b", "c"),
        spans=np.array([[0, 1], [1, 2], [3, 4], [5, 6], [7, 8]], np.int32),
        sentence=np.array([0, 0, 1, 1, 1], np.int32),
        sentences=np.array([[0, 2], [3, 8]], np.int32),
        tags=("X",) * 5,
        lemmas=("b", ".", "a", "b", "c"),
        heads=np.array([0, 0, 3, 3, 3], np.int32),
        relations=("root", "punct", "det", "root", "obj"),
        chains=(((0, 1), (5, 6)),),
    )
    content = stored(text, annotated)
    assert content["chains"] == [[[0, 1], [5, 6]]]
    (again,) = replay({text: content}).annotate([text], layers=["tags", "syntax", "coreference"])
    assert again.heads.tolist() == [0, 0, 3, 3, 3]
    assert again.chains == annotated.chains
    with pytest.raises(DataError, match="syntax is stored behind tags, and there are none\nhint:"):
        stored(text, annotated.only(["syntax"]))


def test_the_goldens_are_read(shared: Path) -> None:
    file = shared / "golden" / "annotations.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    inputs = json.loads((shared / "golden" / "inputs.json").read_text(encoding="utf-8"))
    annotator = Replay(file=str(file))
    for text in [*content, *(text for case in inputs for text in (case["hyp"], *case["refs"]))]:
        (found,) = annotator.annotate([text], layers=["tags"])
        sentences = [s["tokens"] for s in content[text.lower()]["sentences"] if s["tokens"]]
        assert found.lemmas == tuple(token[2] for sentence in sentences for token in sentence)
        assert np.bincount(found.sentence).tolist() == [len(sentence) for sentence in sentences]
        assert "".join(found.words) == "".join(text.split())
