"""The entity graph by hand and against matrices filled pair by pair; the released program is in the goldens."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.errors import SpecError
from coheval.metrics import _features
from coheval.metrics._sentencegraph import greatest_mean
from discourse import annotations

TEXT = "north and east. north there. nothing. east and north."
# north is in the sentences 0, 1, 3 and east in 0 and 3, so that 0-1 and 1-3 share one thing and 0-3 shares two.

Token = tuple[str, str, str, int, str]


def parsed(folder: Path, text: str, *sentences: list[Token], **more: object) -> str:
    """A replay annotator for one text whose tokens are given: text, tag, lemma, head, relation."""
    path = folder / "parsed.json"
    stored = {"sentences": [{"tokens": tokens} for tokens in sentences], **more}
    path.write_text(json.dumps({text.lower(): stored}), encoding="utf-8")
    return f"replay(file={str(path)!r})"


def noun(word: str, relation: str, head: int = 1) -> Token:
    return word, "NOUN", word.lower(), head, relation


def verb(word: str) -> Token:
    return word, "VERB", word, 1, "root"


@pytest.mark.parametrize(
    ("parameters", "total"),
    [
        ("", 1 + 1 / 2 + 1 / 3),
        ("weighted=True, ", 1 + 1 / 2 + 2 / 3),
        ("discounted=False, ", 3),
        ("discounted=False, weighted=True, ", 4),
    ],
)
def test_by_hand(tmp_path: Path, score, parameters: str, total: float) -> None:
    more = f"{parameters}annotator={annotations(tmp_path, TEXT, nouns='north east')}"
    assert score(f"entitygraph({more})", TEXT) == pytest.approx(total / 4, abs=1e-12)
    assert score(f"entitygraph(average='matrix', {more})", TEXT) == pytest.approx(total / 16, abs=1e-12)
    assert score(f"entitygraph(variant='paper', {more})", TEXT) == pytest.approx(total / 16, abs=1e-12)
    assert score(f"entitygraph(variant='code', {more})", TEXT) == pytest.approx(total / 4, abs=1e-12)
    assert score(f"entitygraph(variant='paper', average='outdegree', {more})", TEXT) == pytest.approx(total / 4)


@pytest.mark.parametrize("seed", range(3))
def test_by_matrix(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    nouns = "ab cd ef gh ij".split()
    texts = [
        " ".join(f"{' '.join(rng.choices([*nouns, 'x', 'y', 'z'], k=rng.randint(1, 6)))}." for _ in range(size))
        for size in range(1, 30)
    ]
    annotator = annotations(tmp_path, *texts, nouns=" ".join(nouns))
    for weighted, discounted, average in product([True, False], [True, False], ["outdegree", "matrix"]):
        spec = f"entitygraph(weighted={weighted}, discounted={discounted}, average={average!r}, annotator={annotator})"
        for text, found in zip(texts, coheval.score(texts, metrics=[spec])[spec].segments, strict=True):
            sentences = [set(s.split()) & set(nouns) for s in text.split(".")[:-1]]
            a = np.zeros((len(sentences), len(sentences)))
            for i, j in combinations(range(len(sentences)), 2):
                shared = len(sentences[i] & sentences[j])
                a[i, j] = (shared if weighted else min(shared, 1)) / (j - i if discounted else 1)
            expected = a.sum(axis=1).mean() if average == "outdegree" else a.mean()
            assert found == pytest.approx(expected, abs=1e-12)


# ---------------------------------------------------------------------------------------------------------- syntax


@pytest.mark.parametrize(
    ("subject", "object", "other"),
    [
        ("nsubj", "dobj", "pobj"),
        ("nsubjpass", "dative", "attr"),
        ("nsubj:pass", "iobj", "obl:agent"),
        ("csubj", "obj", "nmod"),
        ("sb", "oa", "nk"),
        ("sbp", "da", "op"),
    ],
)
def test_roles_by_hand(tmp_path: Path, score, subject: str, object: str, other: str) -> None:
    """Baker is subject and other, bread object and subject: 3·1 + 2·3, for two sentences."""
    text = "Baker eats bread . Bread pleases baker ."
    annotator = parsed(
        tmp_path,
        text,
        [noun("Baker", subject), verb("eats"), noun("bread", object), (".", "PUNCT", ".", 1, "punct")],
        [noun("Bread", subject), verb("pleases"), noun("baker", other), (".", "PUNCT", ".", 1, "punct")],
    )
    assert score(f"entitygraph(syntactic=True, annotator={annotator})", text) == pytest.approx(9 / 2)
    assert score(f"entitygraph(weighted=True, annotator={annotator})", text) == pytest.approx(2 / 2)


def test_the_strongest_role_of_a_sentence_counts(tmp_path: Path, score) -> None:
    """Dog is object and subject in the first sentence, other in the third: 3·1 at the distance 2, three sentences."""
    text = "dog sees dog\nit rains\ndogs"
    annotator = parsed(
        tmp_path,
        text,
        [noun("dog", "obj"), verb("sees"), noun("dog", "nsubj")],
        [("it", "PRON", "it", 1, "expl"), verb("rains")],
        [("dogs", "NOUN", "dog", 0, "root")],
    )
    assert score(f"entitygraph(syntactic=True, annotator={annotator})", text) == pytest.approx(3 / 2 / 3)


def test_coordinated_words_share_a_role(tmp_path: Path, score) -> None:
    """Cat hangs on dog, bird on cat, and dog is the subject: 3·3 for bird, whose heads lead round in the last one."""
    text = "dog sees cat bird\nbird flies\nbird bird"
    annotator = parsed(
        tmp_path,
        text,
        [noun("dog", "nsubj"), verb("sees"), noun("cat", "conj", 0), noun("bird", "conj", 2)],
        [noun("bird", "nsubj"), verb("flies")],
        [noun("bird", "conj", 1), noun("bird", "conj", 0)],
    )
    expected = 3 * 3 + 3 * 1 / 2 + 3 * 1
    assert score(f"entitygraph(syntactic=True, annotator={annotator})", text) == pytest.approx(expected / 3)


def test_roles_from_spacy(score) -> None:
    """Baker: subject, object; dog: object, subject. 3·2 + 2·3 for two sentences."""
    assert score("entitygraph(syntactic=True)", "The baker saw the dog. The dog saw the baker.") == pytest.approx(6)


def test_roles_are_weights() -> None:
    assert coheval.metric("entitygraph(syntactic=True)") == coheval.metric("entitygraph(syntactic=True, weighted=True)")
    (layers,) = coheval.metric("entitygraph(syntactic=True, focus='head')").consults().values()
    assert layers == ("tags", "syntax")


# ------------------------------------------------------------------------------------------------------------ foci


def test_pronouns_link_where_coreference_is_known(tmp_path: Path, score) -> None:
    text = "baker slept\nshe woke"
    annotator = parsed(
        tmp_path,
        text,
        [noun("baker", "nsubj"), verb("slept")],
        [("she", "PRON", "she", 1, "nsubj"), verb("woke")],
        chains=[[[0, 5], [12, 15]]],
    )
    assert score(f"entitygraph(annotator={annotator})", text) == 0
    assert score(f"entitygraph(focus='coref', annotator={annotator})", text) == pytest.approx(1 / 2)
    assert score(f"entitygraph(focus='coref', syntactic=True, annotator={annotator})", text) == pytest.approx(9 / 2)


def test_parts_of_names_do_not_link_heads(tmp_path: Path, score) -> None:
    text = "Hyde Park\nHyde"
    annotator = parsed(tmp_path, text, [noun("Hyde", "compound"), noun("Park", "root")], [noun("Hyde", "root", 0)])
    assert score(f"entitygraph(annotator={annotator})", text) == pytest.approx(1 / 2)
    assert score(f"entitygraph(focus='head', annotator={annotator})", text) == 0


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("die brücke hielt. niemand kannte die brücke.", "brücke"),
        ("桥 很 老. 大家 都 爱 桥.", "桥"),
        ("الجسر قديم. رأيت الجسر.", "الجسر"),
        ("мост старый. я вижу мост.", "мост"),
    ],
    ids=["German", "Chinese", "Arabic", "Russian"],
)
def test_any_language(tmp_path: Path, score, text: str, nouns: str) -> None:
    annotator = annotations(tmp_path, text, nouns=nouns)
    assert score(f"entitygraph(annotator={annotator})", text) == pytest.approx(1 / 2)


# ------------------------------------------------------------------------------------------------------- odd texts


@pytest.mark.parametrize("variant", ["coheval", "paper", "code"])
@pytest.mark.parametrize("text", ["", " \t\n "], ids=["empty", "blank"])
def test_a_text_without_sentences_has_no_score(variant: str, text: str) -> None:
    (found,) = coheval.score([text], metrics=[f"entitygraph(variant={variant!r})"], evidence=True).values()
    assert found.segments == [None]
    assert found.reasons == ["the text has no sentence"]


@pytest.mark.parametrize("parameters", ["", "syntactic=True", "average=matrix, weighted=True"])
@pytest.mark.parametrize("text", ["dog", "?!... --", "it was. they did.", "The dog saw the dog and the dog."])
def test_nothing_linked_is_zero(score, parameters: str, text: str) -> None:
    assert score(f"entitygraph({parameters})", text) == 0


# -------------------------------------------------------------------------------------------------- what it declares


def test_bounds() -> None:
    assert coheval.metric("entitygraph").range == (0, math.inf)
    assert coheval.metric("entitygraph(variant='paper')").range == (0, 5 / 18)
    assert coheval.metric("entitygraph(variant='paper', discounted=False)").range == (0, 1 / 2)
    assert coheval.metric("entitygraph(variant='paper', weighted=True)").range == (0, math.inf)
    assert coheval.metric("entitygraph(variant='paper', syntactic=True)").range == (0, math.inf)


@pytest.mark.parametrize("discounted", [True, False])
def test_no_matrix_has_a_greater_mean(discounted: bool) -> None:
    """All sentences linked, however many there are."""
    means = [sum(1 / (j - i) if discounted else 1 for i, j in combinations(range(n), 2)) / n**2 for n in range(1, 60)]
    assert max(means) <= greatest_mean(discounted)
    assert greatest_mean(discounted) - max(means) < 0.01


def test_needs_no_reference() -> None:
    assert coheval.metric("entitygraph").needs == frozenset()
    assert coheval.metric("entitygraph").higher_is_better


def test_settled_parameters_are_in_the_signature() -> None:
    assert "average='matrix'" in coheval.metric("entitygraph(variant='paper')").signature
    assert "average='outdegree'" in coheval.metric("entitygraph").signature


def test_unknown_averages_are_refused() -> None:
    with pytest.raises(SpecError, match="average"):
        coheval.metric("entitygraph(average='median')")


# -------------------------------------------------------------------------------------------------------- evidence


def test_evidence_names_the_links(tmp_path: Path) -> None:
    annotator = annotations(tmp_path, TEXT, nouns="north east")
    (found,) = coheval.score(
        [TEXT], metrics=[f"entitygraph(weighted=True, annotator={annotator})"], evidence=True
    ).values()
    told = found.evidence[0]
    assert told["kind"] == "links"
    assert [TEXT[start:stop] for start, stop in told["sentences"]] == [
        "north and east.",
        "north there.",
        "nothing.",
        "east and north.",
    ]
    assert told["links"] == [
        {"from": 0, "to": 1, "weight": 1.0, "shared": ["north"]},
        {"from": 0, "to": 3, "weight": pytest.approx(2 / 3), "shared": ["north", "east"]},
        {"from": 1, "to": 3, "weight": 0.5, "shared": ["north"]},
    ]
    assert told["left_out"] == 0
    assert told["isolated"] == [2]
    assert {f["focus"]: [TEXT[a:b] for a, b in f["candidate"]] for f in told["foci"]} == {
        "north": ["north"] * 3,
        "east": ["east"] * 2,
    }
    assert sum(link["weight"] for link in told["links"]) / 4 == pytest.approx(found.segments[0])


def test_links_that_are_not_listed_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_features, "_LISTED", 2)
    annotator = annotations(tmp_path, TEXT, nouns="north east")
    (found,) = coheval.score([TEXT], metrics=[f"entitygraph(annotator={annotator})"], evidence=True).values()
    told = found.evidence[0]
    assert [(link["from"], link["to"]) for link in told["links"]] == [(0, 1), (1, 3)]  # 1 and 1/2; 1/3 is left out
    assert told["left_out"] == 1
    assert told["isolated"] == [2]


# --------------------------------------------------------------------------------------------------------- long texts


def test_ten_thousand_words(tmp_path: Path, score) -> None:
    """Each of 1,000 sentences shares one noun with the next, and all share another."""
    n = 1_000
    text = " ".join(f"{'word ' * 8}sun day{k} day{k + 1}." for k in range(n))
    annotator = annotations(tmp_path, text, nouns=" ".join(["sun", *(f"day{k}" for k in range(n + 1))]))
    harmonic = sum((n - d) / d for d in range(1, n))
    assert score(f"entitygraph(annotator={annotator})", text) == pytest.approx(harmonic / n)
    assert score(f"entitygraph(weighted=True, annotator={annotator})", text) == pytest.approx((harmonic + n - 1) / n)
