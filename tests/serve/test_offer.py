"""No spec of a request reads the disk or loads what the operator did not allow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import coheval
from coheval.errors import CohevalError
from coheval.serve.offer import Offer
from coheval.serve.settings import METRICS
from serve.running import Here, here

_SEEN: list[str] | None = None


def _note(event: str, args: tuple[Any, ...]) -> None:
    if _SEEN is not None and event in ("open", "import", "os.listdir", "os.scandir", "socket.connect"):
        _SEEN.append(f"{event} {args[0]}")


sys.addaudithook(_note)  # for as long as the process lives; it notes only while it is asked to


@contextmanager
def watched() -> Iterator[list[str]]:
    global _SEEN
    _SEEN = seen = []
    try:
        yield seen
    finally:
        _SEEN = None


@pytest.fixture(scope="module")
def offer() -> Offer:
    return Offer(METRICS)


GOOD = [
    "moverscore(ngram=2)",
    "moverscore(variant=v2)",
    "moverscore(variant='v2', specials=False, encoder=minilm)",
    "moverscore(encoder=minilm(overflow='window'))",
    "moverscore(stop_words=none)",
    "bertscore(layer=3)",
    "bertscore(layer=last, form=recall)",
    "chrf(word_order=2, beta=3)",
    "bleu(tokenize=intl, lowercase=True)",
    "ter(longest=10)",
    "rouge(kind=2)",
    "meteor(modules=[exact])",
    "meteor(modules=['exact', 'stem'], alpha=0.8)",
    "dsfocus(focus=noun)",
]
BAD = [
    "learned(model='/etc/passwd')",
    "combination",
    "perplexity(model=smollm)",
    "replay(file='/etc/passwd')",
    "moverscore(encoder=hf(model='/etc'))",
    "moverscore(encoder=hf(model='bert-base-uncased'))",
    "moverscore(encoder='hf(model=/etc)')",
    "moverscore(encoder=onnx(path='/etc/passwd'))",
    "moverscore(encoder=static(file='/etc/passwd'))",
    "moverscore(encoder=minilm(overflow=truncate))",
    "moverscore(encoder=minilm(encoder=minilm))",
    "moverscore(stop_words='/etc/passwd')",
    "moverscore(stop_words='/nowhere')",
    "moverscore(idf='/etc/passwd')",
    "moverscore(idf=corpus)",
    "moverscore(aggregation='/etc/passwd')",
    "bertscore(baseline='/etc/passwd')",
    "comet(model='/etc/passwd')",
    "comet(backbone='/etc')",
    "dsfocus(annotator=replay(file='/etc/passwd'))",
    "dsfocus(annotator=spacy(model='/etc'))",
    "dsfocus(vectors=static(file='/etc/passwd'))",
    "dsfocus(focus=coref)",
    "dsfocus(focus=entity)",
    "coherence(model=parseq(file='/etc/passwd'))",
    "dr(annotator=rst(model='/etc/passwd'))",
    "meteor",
    "meteor(modules=[synonym])",
    "meteor(stemmer='/etc/passwd')",
    "bleu(tokenize=flores200)",
    "chrf(char_order=1000000000)",
    "chrf(beta=1e300)",
    "chrf(char_order=True)",
    "chrf(sha256='60c758432aa596c3')",
    "chrf(libraries={'numpy': '0'})",
    "chrf(version=1)",
    "chrf(1)",
    "chrf()()",
    "chrf(nothing=1)",
    "meteor(weights=[" + "1, " * 30 + "])",
    "__import__('os').system('id')",
    "(" * 100_000,
    "a(" * 400,
    "-" * 900 + "1",
    "[" * 150 + "]" * 150,
    "chrf(" + "x" * 900,
    "x" * 20_001,
    "chrf(char_order=" + "9" * 900 + ")",
    "",
    "\x00",
    "chrf\ud7ff",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "discotk-party",
]


@pytest.mark.parametrize("spec", GOOD)
def test_variations_of_what_is_offered(offer: Offer, spec: str) -> None:
    assert offer.metric(spec) == coheval.metric(spec)
    assert offer.metric(spec) is offer.metric(spec)


@pytest.mark.parametrize("spec", BAD, ids=lambda spec: spec[:40])
def test_others_are_refused_before_anything_is_read(offer: Offer, spec: str) -> None:
    with watched() as seen, pytest.raises(CohevalError) as raised:
        offer.metric(spec)
    own = Path(coheval.__file__).parent
    assert [event for event in seen if str(own) not in event] == []
    assert raised.value.hint


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("meteor", "it has meteor(modules=['exact', 'stem']), and a request may not set modules"),
        ("moverscore(idf=corpus, ngram=2)", "it has moverscore, and a request may not set idf"),
        ("chrf(nothing=1, char_order=99)", "it has chrf, and a request may not set nothing, char_order"),
    ],
)
def test_what_is_refused_is_named(offer: Offer, spec: str, told: str) -> None:
    with pytest.raises(CohevalError) as raised:
        offer.metric(spec)
    assert told in str(raised.value)


def test_a_choice_that_would_read_other_data_is_refused(offer: Offer) -> None:
    with watched() as seen, pytest.raises(CohevalError, match="a request may not set what would read other data"):
        offer.metric("lc(variant=paper)")  # which looks words up in WordNet
    assert [event for event in seen if event.startswith("open") and not _code(event)] == []


def test_a_signature_of_what_is_offered_names_it(offer: Offer) -> None:
    for metric in offer.metrics.values():
        assert offer.metric(metric.signature) is metric


def test_everything_that_is_offered_may_be_asked_for(offer: Offer) -> None:
    for spec in METRICS:
        assert offer.metric(spec).signature == coheval.metric(spec).signature


def test_an_answer_does_not_tell_which_files_there_are(offer: Offer, tmp_path: Path) -> None:
    there = tmp_path / "a"
    there.write_text("the\n")
    told = []
    for path in (there, tmp_path / "b"):
        with pytest.raises(CohevalError) as raised:
            offer.metric(f"moverscore(stop_words={str(path)!r})")
        told.append(str(raised.value).replace(str(path), "x"))
    assert told[0] == told[1]


def test_what_the_operator_names_may_be_asked_for_and_varied(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("the\n")
    other = tmp_path / "other"
    other.write_text("a\n")
    own = Offer([f"moverscore(stop_words={str(words)!r})"])
    assert own.metric(f"moverscore(ngram=2, stop_words={str(words)!r})").ngram == 2
    for spec in (f"moverscore(stop_words={str(other)!r})", "moverscore", "moverscore(ngram=2)"):
        with pytest.raises(CohevalError):
            own.metric(spec)


def test_variations_are_forgotten(offer: Offer) -> None:
    kept = Offer(["chrf"])
    for n in range(600):
        kept.metric(f"chrf(beta={n}.5)")
    assert len(kept._varied) <= 256


def test_no_choice_of_a_default_metric_reads_files_that_are_not_ours() -> None:
    """What `_harmless` lets through must be so: every word of every choice, scored."""
    import typing

    offer = Offer(METRICS)
    texts: dict[str, Any] = {"references": ["Rain fell. We left."], "sources": ["Es regnete."], "documents": ["1"]}
    with watched() as known:
        for spec in METRICS:
            coheval.score(["It rained. We left."], **texts, metrics=[offer.metric(spec)])
    for name, metric in offer.metrics.items():
        for parameter, hint in typing.get_type_hints(type(metric)).items():
            for word in _words(hint) if parameter in metric.parameters() else ():
                try:
                    varied = offer.metric(f"{metric.name()}({parameter}={word!r})")
                except CohevalError:
                    continue
                with watched() as seen, suppress(CohevalError):
                    coheval.score(["It rained. We left."], **texts, metrics=[varied])
                opened = {e for e in seen if e.startswith(("open", "socket")) and not _code(e)}
                strange = sorted(opened.difference(known))
                assert strange == [], f"{name}: {parameter}={word}"


def _words(hint: Any) -> list[str]:
    import typing

    if typing.get_origin(hint) is typing.Literal:
        return [word for word in typing.get_args(hint) if isinstance(word, str)]
    return [word for option in typing.get_args(hint) for word in _words(option)]


def _code(event: str) -> bool:
    """Programs, what packages say of themselves, a file that is open already, or what the system says of itself."""
    _, _, path = event.partition(" ")
    return (
        path.endswith((".py", ".pyc", ".so", ".zip", "entry_points.txt"))
        or path.isdigit()
        or path.startswith("/proc/self/")
    )


def test_specs_and_names_come_back_as_text_alone() -> None:
    script = "<script>alert(1)</script>"
    with here(metrics=("chrf",)) as served:
        body = {
            "candidates": {script: [script]},
            "references": [script],
            "documents": [script],
            "metrics": ["chrf"],
        }
        for path in ("/v1/score", "/v1/explain"):
            answer = served.client.post(path, json=body)
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
        refused = served.score(**body | {"metrics": [script]})
        assert refused.status_code == 422
        assert refused.headers["content-type"] == "application/problem+json"
        assert script not in "".join(served.log)


def test_the_same_metric_twice_is_one(served: Here) -> None:
    answer = served.score(candidates=["a"], references=["b"], metrics=["chrf", "chrf"])
    assert list(answer.json()["metrics"]) == ["chrf"]
