"""Foci of texts that are annotated by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from coheval.annotators import Annotated, Span, sentence_spans
from coheval.encoders.static import Static
from coheval.metrics import _foci
from coheval.metrics._foci import LookUp, Mention, entities, find, merged

Word = tuple[str, str, str] | tuple[str, str, str, int, str]  # text, tag, lemma; head within the sentence, relation


def annotated(*sentences: list[Word], chains: tuple[tuple[Span, ...], ...] | None = None) -> Annotated:
    """Words with one blank between them."""
    words = [w for sentence in sentences for w in sentence]
    stops = np.cumsum([len(w[0]) + 1 for w in words], dtype=np.int32) - 1
    spans = np.array([(stop - len(w[0]), stop) for w, stop in zip(words, stops, strict=True)], np.int32).reshape(-1, 2)
    number = np.array([k for k, sentence in enumerate(sentences) for _ in sentence], np.int32)
    first = np.cumsum([0, *map(len, sentences)])
    parsed = bool(words) and len(words[0]) == 5
    return Annotated(
        words=tuple(w[0] for w in words),
        spans=spans,
        sentence=number,
        sentences=sentence_spans(spans, number),
        tags=tuple(w[1] for w in words),
        lemmas=tuple(w[2] for w in words),
        heads=np.array([first[k] + w[3] for k, w in zip(number, words, strict=True)], np.int32) if parsed else None,
        relations=tuple(w[4] for w in words) if parsed else None,
        chains=chains,
    )


def on_circle(**angles: float) -> LookUp:
    """Vectors at these degrees; the cosine of two is that of the angle between them."""

    def look_up(words: Iterable[str]) -> tuple[list[str], NDArray[np.float32]]:
        known = [w for w in words if w in angles]
        rows = [(math.cos(math.radians(angles[w])), math.sin(math.radians(angles[w]))) for w in known]
        return known, np.array(rows, np.float32).reshape(-1, 2)

    return look_up


# ----------------------------------------------------------------------------------------------------------- nouns


def test_nouns_and_names_by_lemma() -> None:
    text = annotated(
        [("Dogs", "NOUN", "dog"), ("bark", "VERB", "bark")],
        [("Rex", "PROPN", "Rex"), ("saw", "VERB", "see"), ("dogs", "NOUN", "dog"), ("run", "VERB", "run")],
    )  # Dogs 0-4, bark 5-9, Rex 10-13, saw 14-17, dogs 18-22
    assert find(text, "noun") == {"dog": [Mention(0, 0, 4, 0), Mention(1, 18, 22, 4)], "rex": [Mention(1, 10, 13, 2)]}
    assert find(text, "entity") == find(text, "noun")


def test_a_verb_of_the_same_lemma_is_no_mention() -> None:
    text = annotated([("walks", "VERB", "walk"), ("a", "DET", "a"), ("walk", "NOUN", "walk")])
    assert find(text, "noun") == {"walk": [Mention(0, 8, 12, 2)]}


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ([("Äpfel", "NOUN", "Apfel"), ("ÄPFEL", "NOUN", "Apfel")], "apfel"),
        ([("桥", "NOUN", "桥"), ("桥", "NOUN", "桥")], "桥"),
        ([("الجسور", "NOUN", "جسر"), ("الجسر", "NOUN", "جسر")], "جسر"),
        ([("мосты", "NOUN", "мост"), ("Мост", "NOUN", "Мост")], "мост"),
    ],
    ids=["German", "Chinese", "Arabic", "Russian"],
)
@pytest.mark.parametrize("focus", ["noun", "entity", "head", "coref"])
def test_any_language(words: list[Word], key: str, focus: _foci.Focus) -> None:
    (found,) = find(annotated(words), focus).items()
    assert found[0] == key
    assert [(m.sentence, m.word) for m in found[1]] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("focus", ["noun", "entity", "head", "coref"])
def test_nothing_to_speak_of(focus: _foci.Focus) -> None:
    assert find(annotated(chains=()), focus) == {}
    assert find(annotated([("ran", "VERB", "run"), ("?", "PUNCT", "?")], chains=()), focus) == {}


# -------------------------------------------------------------------------------------------------------- entities


def test_words_join_over_a_third() -> None:
    """20° apart is a cosine of 0.94, 40° of 0.77: a and c are one thing because both are near b."""
    assert entities(["c", "a", "b", "d"], on_circle(a=0, b=20, c=40, d=120), 0.9) == {
        "a": "a + b + c",
        "b": "a + b + c",
        "c": "a + b + c",
        "d": "d",
    }


def test_words_without_a_vector_stand_alone() -> None:
    names = entities(["boat", "ship", "Boot", "船"], on_circle(boat=0, ship=10), 0.8)
    assert names == {"boat": "boat + ship", "ship": "boat + ship", "Boot": "Boot", "船": "船"}


def test_the_threshold_itself_is_not_above() -> None:
    assert entities(["a", "b"], on_circle(a=0, b=0), 1.0) == {"a": "a", "b": "b"}
    assert entities(["a", "b"], on_circle(a=0, b=0), 0.999) == {"a": "a + b", "b": "a + b"}


def test_a_word_that_comes_twice_counts_once() -> None:
    assert entities(["a", "b", "a"], on_circle(a=0, b=5), 0.8) == {"a": "a + b", "b": "a + b"}


def test_no_words() -> None:
    assert entities([], on_circle(), 0.8) == {}
    assert entities(["x"], on_circle(), 0.8) == {"x": "x"}


@pytest.mark.parametrize("held", [1, 7, _foci._SIMILARITIES])
@given(st.lists(st.integers(0, 359), max_size=12), st.floats(-1, 1))
def test_entities_by_search(held: int, degrees: list[int], threshold: float) -> None:
    """Neighbours of neighbours, until there are no more."""
    names = [f"w{k:02}" for k in range(len(degrees))]
    look_up = on_circle(**dict(zip(names, degrees, strict=True)))
    _, rows = look_up(names)
    unit = rows.astype(np.float64)
    unit /= np.sqrt((unit**2).sum(axis=1, keepdims=True))
    cosine = {(a, b): float(unit[i] @ unit[j]) for i, a in enumerate(names) for j, b in enumerate(names)}
    if any(abs(value - threshold) < 1e-9 for value in cosine.values()):
        return  # rounding decides
    expected = {}
    for name in names:
        reached = {name}
        while more := {b for a in reached for b in names if cosine[a, b] > threshold} - reached:
            reached |= more
        expected[name] = " + ".join(sorted(reached))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_foci, "_SIMILARITIES", held)
        assert entities(names, look_up, threshold) == expected


def test_static_vectors_are_looked_up_together(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("boat 1 0\nship 0.6 0.8\n", encoding="utf-8")
    static = Static(file=str(path))
    words, vectors = static.look_up(["ship", "Boat", "船", "boat"])
    assert words == ["ship", "Boat", "boat"]
    assert vectors.tolist() == [static.vector(word).tolist() for word in words]
    assert static.look_up(["船"])[1].shape == static.look_up([])[1].shape == (0, 2)


def test_merged_foci_keep_all_mentions() -> None:
    one, two, three = Mention(0, 0, 1), Mention(1, 5, 6), Mention(2, 9, 10)
    found = merged({"boat": [one], "tree": [two], "ship": [three]}, {"boat": "b-s", "ship": "b-s", "tree": "tree"})
    assert found == {"b-s": [one, three], "tree": [two]}


# ----------------------------------------------------------------------------------------------------------- heads


@pytest.mark.parametrize("relation", ["compound", "compound:nn", "flat", "flat:name", "fixed", "nn", "pnc"])
def test_parts_of_a_name_are_left_out(relation: str) -> None:
    text = annotated([("Hyde", "PROPN", "Hyde", 1, relation), ("Park", "PROPN", "Park", 1, "root")])
    assert list(find(text, "head")) == ["park"]
    assert list(find(text, "noun")) == ["hyde", "park"]


@pytest.mark.parametrize("relation", ["nmod", "nmod:poss", "poss", "appos", "conj", "pobj", "dep"])
def test_other_nouns_stay(relation: str) -> None:
    text = annotated([("town", "NOUN", "town", 1, relation), ("mayor", "NOUN", "mayor", 1, "ROOT")])
    assert list(find(text, "head")) == ["town", "mayor"]


def test_a_noun_that_helps_a_verb_stays() -> None:
    """Light verbs: in "ders çalış-", "to study", the noun is a compound of the verb, of no other noun."""
    text = annotated([("ders", "NOUN", "ders", 1, "compound:lvc"), ("çalıştı", "VERB", "çalış", 1, "root")])
    assert list(find(text, "head")) == ["ders"]


def test_a_part_without_a_whole_stays() -> None:
    assert list(find(annotated([("Park", "PROPN", "Park", 0, "compound")]), "head")) == ["park"]


# ----------------------------------------------------------------------------------------------------- coreference

BAKER: list[list[Word]] = [
    [("The", "DET", "the"), ("baker", "NOUN", "baker"), ("slept", "VERB", "sleep")],  # 0-3, 4-9, 10-15
    [("She", "PRON", "she"), ("saw", "VERB", "see"), ("the", "DET", "the"), ("oven", "NOUN", "oven")],
]  # She 16-19, saw 20-23, the 24-27, oven 28-32


def test_pronouns_are_mentions() -> None:
    text = annotated(*BAKER, chains=(((0, 9), (16, 19)),))
    assert find(text, "coref") == {
        "baker": [Mention(0, 0, 9, 1), Mention(1, 16, 19, 3)],
        "oven": [Mention(1, 28, 32, 6)],  # outside any chain
    }


def test_a_chain_is_named_by_its_most_frequent_noun() -> None:
    words: list[Word] = [("Ada", "PROPN", "Ada"), *[("she", "PRON", "she")] * 3, *[("baker", "NOUN", "baker")] * 2]
    spans = ((0, 3), (4, 7), (8, 11), (12, 15), (16, 21), (22, 27))
    (found,) = find(annotated(words, chains=(spans,)), "coref").items()
    assert found[0] == "baker"
    assert [(m.start, m.stop) for m in found[1]] == list(spans)


def test_a_chain_of_pronouns_is_named_by_one() -> None:
    words: list[Word] = [("She", "PRON", "she"), ("saw", "VERB", "see"), ("her", "PRON", "she")]
    assert list(find(annotated(words, chains=(((0, 3), (8, 11)),)), "coref")) == ["she"]


def test_two_chains_of_one_name_are_two() -> None:
    words: list[Word] = [
        ("baker", "NOUN", "baker"),
        ("he", "PRON", "he"),
        ("baker", "NOUN", "baker"),
        ("she", "PRON", "she"),
    ]
    found = find(annotated(words, chains=(((0, 5), (6, 8)), ((9, 14), (15, 18)))), "coref")
    assert {key: [m.word for m in mentions] for key, mentions in found.items()} == {
        "baker": [0, 1],
        "baker (2)": [2, 3],
    }


def test_a_mention_stands_at_its_head() -> None:
    """With syntax the word whose head is outside; without, the last noun before a preposition. Others stay foci."""
    spans = (((0, 24), (25, 27)),)  # "the baker of the village", "he"
    parsed: list[Word] = [
        ("the", "DET", "the", 1, "det"),
        ("baker", "NOUN", "baker", 5, "nsubj"),
        ("of", "ADP", "of", 4, "case"),
        ("the", "DET", "the", 4, "det"),
        ("village", "NOUN", "village", 1, "nmod"),
        ("he", "PRON", "he", 5, "root"),
    ]
    tagged: list[Word] = [(text, tag, lemma) for text, tag, lemma, *_ in parsed]
    for words in (parsed, tagged):
        found = find(annotated(words, chains=spans), "coref")
        assert {key: [m.word for m in mentions] for key, mentions in found.items()} == {"baker": [1, 5], "village": [4]}


def test_order_and_repetition_of_chains_do_not_matter() -> None:
    """The baker that no chain has is another one; a mention that is listed twice is one."""
    words: list[Word] = [(w, t, w) for w, t in [("baker", "NOUN"), ("he", "PRON"), ("baker", "NOUN"), ("she", "PRON")]]
    words.append(("baker", "NOUN", "baker"))
    first, second = ((0, 5), (6, 8)), ((9, 14), (15, 18), (9, 14))
    found = find(annotated(words, chains=(first, second)), "coref")
    assert found == find(annotated(words, chains=(second, first)), "coref")
    assert {key: [m.word for m in mentions] for key, mentions in found.items()} == {
        "baker": [0, 1],
        "baker (2)": [2, 3],
        "baker (3)": [4],
    }


def test_mentions_without_words_are_left_out() -> None:
    words: list[Word] = [("oven", "NOUN", "oven"), ("it", "PRON", "it")]
    assert find(annotated(words, chains=(((4, 5), (7, 7)), ())), "coref") == {
        "oven": [Mention(0, 0, 4, 0)],
    }


def test_chains_in_other_scripts() -> None:
    words: list[Word] = [("张三", "PROPN", "张三"), ("来", "VERB", "来"), ("他", "PRON", "他")]
    assert find(annotated(words, chains=(((0, 2), (5, 6)),)), "coref") == {
        "张三": [Mention(0, 0, 2, 0), Mention(0, 5, 6, 2)],
    }
