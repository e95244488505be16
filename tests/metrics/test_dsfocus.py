"""DS-Focus on word vectors of the unit circle, worked out by hand; the program itself is in test_goldens_discourse."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.errors import SpecError
from discourse import annotations, vectors

NOUNS = "north east south northish eastish"
# north three times and east once, against north once and east twice: F differs by 2 north and 1 east.
CANDIDATE = "north here. north there. north and east. south."
REFERENCE = "north of it. east. east again. northish eastish."


@pytest.fixture
def spec(tmp_path: Path, compass: str):
    """A spec with the compass for vectors and nouns told by hand."""
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, "it was.", nouns=NOUNS)

    def make(*more: str) -> str:
        return f"dsfocus({', '.join(more)}{', ' if more else ''}annotator={annotator}, {compass})"

    return make


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        # shared: north (2² = 4 squared, 2 Euclidean) and east (1 either way); the candidate has 3 foci, the reference 4
        ("variant='paper'", (2 + 1) / 3),
        ("variant='paper', form='recall'", (2 + 1) / 4),
        ("variant='paper', form='f'", (3 / 3 + 3 / 4) / 2),
        ("distance='squared', form='precision'", (4 + 1) / 3),
        ("distance='squared', form='recall'", (4 + 1) / 4),
        ("distance='squared', form='f'", (5 / 3 + 5 / 4) / 2),
        ("distance='squared', form='precision', scale='inverse'", 1 / (1 + 5 / 3)),
    ],
)
def test_by_hand(spec, score, parameters: str, expected: float) -> None:
    assert score(spec(parameters), CANDIDATE, REFERENCE) == pytest.approx(expected, abs=1e-6)


def test_entities_of_both_texts_together(spec, compass: str, score) -> None:
    """north and northish are 10° apart, as are east and eastish: one entity each, whatever text has which."""
    vectors_ = compass.replace("encoder", "vectors")
    entity = spec("variant='paper'", "focus='entity'", vectors_)
    angle = math.radians(10)
    northish, eastish = np.array([math.sin(angle), math.cos(angle)]), np.array([math.cos(angle), -math.sin(angle)])
    north, east = np.array([0, 1]), np.array([1, 0])
    apart = np.linalg.norm(3 * north - (north + northish)) + np.linalg.norm(east - (2 * east + eastish))
    assert score(entity, CANDIDATE, REFERENCE) == pytest.approx(apart / 3, abs=1e-6)  # entities: north, east, south
    own = spec("variant='paper'", "focus='entity'", vectors_, "matching='own'")
    result = coheval.score([CANDIDATE], [REFERENCE], metrics=[own])[own]
    assert result.segments == [None]  # {north} is not {north, northish}
    assert result.reasons == ["candidate and reference share no focus"]


def test_a_mention_of_several_pieces(tmp_path: Path, score) -> None:
    """Against the encoder's own vectors: mean, sum, first and last piece."""
    candidate, reference = "Unforgettable gardeners grow.", "The gardeners, unforgettable."
    annotator = annotations(tmp_path, candidate, reference, nouns="unforgettable gardeners")
    pooled = {
        "mean": lambda x: x.mean(axis=0),
        "sum": lambda x: x.sum(axis=0),
        "first": lambda x: x[0],
        "last": lambda x: x[-1],
    }
    for pooling, pool in pooled.items():
        for unit in (True, False):
            total = 0.0
            for word in ("unforgettable", "gardeners"):
                sides = []
                for text in (candidate, reference):
                    v, offsets = vectors(text)
                    v = v / np.linalg.norm(v, axis=1, keepdims=True) if unit else v
                    start = text.lower().index(word)
                    sides.append(pool(v[(offsets[:, 0] >= start) & (offsets[:, 1] <= start + len(word))]))
                total += float(((sides[0] - sides[1]) ** 2).sum())
            spec = (
                f"dsfocus(pooling='{pooling}', unit_length={unit}, layer=6, distance='squared', form='precision', "
                f"annotator={annotator})"
            )
            assert score(spec, candidate, reference) == pytest.approx(total / 2, rel=1e-5)


def test_bare_mentions(tmp_path: Path, compass: str, score) -> None:
    """In the candidate north counts twice and east never: it touches a bracket or the full stop."""
    candidate, reference = "north or north, (east) north east.", "the north and the east of it."
    annotator = annotations(tmp_path, candidate, reference, nouns="north east")
    spec = f"dsfocus(mentions='bare', distance='squared', form='precision', annotator={annotator}, {compass})"
    assert score(spec, candidate, reference) == pytest.approx((2 - 1) ** 2 / 1, abs=1e-6)
    with pytest.raises(SpecError, match="bare mentions only"):
        coheval.metric("dsfocus(variant='code', mentions='all')")


def test_several_references_are_averaged(spec, score) -> None:
    chosen = spec("variant='paper'")
    one, other = score(chosen, CANDIDATE, REFERENCE), score(chosen, CANDIDATE, CANDIDATE)
    assert score(chosen, CANDIDATE, REFERENCE, CANDIDATE) == pytest.approx((one + other) / 2)
    assert score(chosen, CANDIDATE, REFERENCE, "it was.") == pytest.approx(one)  # undefined there, so left out


def test_nothing_shared_is_undefined(spec) -> None:
    chosen = spec()
    result = coheval.score([CANDIDATE, "it was."], ["it was.", REFERENCE], metrics=[chosen])[chosen]
    assert result.segments == [None, None]
    assert result.reasons == ["the reference has no focus", "the candidate has no focus"]


def test_evidence_says_how_often_each_text_speaks_of_what(spec) -> None:
    chosen = spec("variant='paper'")
    result = coheval.score([CANDIDATE], [REFERENCE], metrics=[chosen], evidence=True)[chosen]
    told = {f["focus"]: f for f in result.evidence[0]["foci"]}
    assert [CANDIDATE[a:b] for a, b in told["north"]["candidate"]] == ["north"] * 3
    assert [REFERENCE[a:b] for a, b in told["north"]["reference"]] == ["north"]
    assert told["north"]["distance"] == pytest.approx(2, abs=1e-6)
    assert told["north"]["share"] == pytest.approx(2 / 3, abs=1e-6)
    assert told["south"] == {
        "focus": "south", "candidate": [[41, 46]], "reference": [], "distance": None, "share": None
    }  # fmt: skip


def test_attention_belongs_to_the_program(spec) -> None:
    with pytest.raises(SpecError, match="attention is a parameter of variant='code' alone"):
        coheval.metric("dsfocus(attention='ones')")
    with pytest.raises(SpecError, match="needs an encoder with a tokenizer, got static"):
        coheval.metric(spec("variant='code'"))


def test_inverse_is_a_similarity() -> None:
    metric = coheval.metric("dsfocus(scale='inverse')")
    assert (metric.higher_is_better, metric.range, metric.perfect) == (True, (0.0, 1.0), 1.0)
    assert coheval.metric(metric.signature).higher_is_better


def test_metrics_of_the_program_encode_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coheval.encoders._transformer import TransformerEncoder

    read: list[str] = []
    encode = TransformerEncoder.encode_unclosed

    def counted(self, texts, **more):
        read.extend(texts)
        return encode(self, texts, **more)

    monkeypatch.setattr(TransformerEncoder, "encode_unclosed", counted)
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, nouns=NOUNS)
    specs = [f"dsfocus(variant='code', form='{form}', annotator={annotator})" for form in ("precision", "recall", "f")]
    coheval.score([CANDIDATE], [REFERENCE], metrics=specs)
    assert sorted(read) == sorted([CANDIDATE.lower(), REFERENCE.lower()])


def test_foci_that_the_encoder_does_not_know_still_count(tmp_path: Path, compass: str) -> None:
    """Two of the candidate's foci are shared, one of them without a vector: 4 squared / 2 foci, not / 1."""
    candidate, reference = "north north north blorf.", "north blorf."
    annotator = annotations(tmp_path, candidate, reference, "blorf.", nouns="north blorf")
    spec = f"dsfocus(annotator={annotator}, {compass})"
    result = coheval.score([candidate, "blorf."], [reference, "blorf."], metrics=[spec], evidence=True)[spec]
    assert result.segments == [pytest.approx(4 / 2, abs=1e-6), None]
    assert result.reasons[1] == "the candidate has no focus that the encoder knows"
    told = {f["focus"]: f for f in result.evidence[0]["foci"]}
    assert (told["blorf"]["candidate"], told["blorf"]["distance"]) == ([[18, 23]], None)


def test_the_program_knows_nouns_and_entities() -> None:
    with pytest.raises(SpecError, match="variant 'code' knows no focus 'head'"):
        coheval.metric("dsfocus(variant='code', focus='head')")


def test_a_copy_reads_with_its_own_encoder(tmp_path: Path, compass: str) -> None:
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, nouns=NOUNS)
    by_spec = coheval.metric(f"dsfocus(layer=1, annotator={annotator}, {compass})")
    copied = replace(coheval.metric(f"dsfocus(layer=1, annotator={annotator})"), encoder=by_spec.encoder)
    assert copied.signature == by_spec.signature
    (one,), (other,) = (
        next(iter(coheval.score([CANDIDATE], [REFERENCE], metrics=[m]).values())).segments for m in (by_spec, copied)
    )
    assert one == other


def test_spans_are_those_of_the_text_as_it_was_given() -> None:
    """A dotted capital I would be two characters in lower case."""
    text = "İİİ big city . the city slept ."
    spec = "dsfocus(variant='code')"
    (told,) = coheval.score([text], [text], metrics=[spec], evidence=True)[spec].evidence
    city = next(focus for focus in told["foci"] if focus["focus"] == "city")
    assert [text[a:b] for a, b in city["candidate"]] == ["city", "city"]
