"""Errors: their text, their exit codes, and that they survive the way between processes."""

from __future__ import annotations

import pickle

import pytest

from coheval.errors import (
    CohevalError,
    DataError,
    MetricError,
    ResourceError,
    SpecError,
    UnknownName,
    UsageError,
    did_you_mean,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [(UsageError, 2), (SpecError, 2), (UnknownName, 2), (DataError, 3), (ResourceError, 4), (MetricError, 5)],
)
def test_exit_codes(kind: type[CohevalError], code: int) -> None:
    assert kind("message").exit_code == code


def test_text_has_place_message_and_hint() -> None:
    assert str(DataError("expected a, got b", where="f:3", hint="do c")) == "f:3: expected a, got b\nhint: do c"
    assert str(DataError("expected a, got b")) == "expected a, got b"


def test_pickled_errors_keep_their_parts() -> None:
    error = DataError("message", where="f:3", hint="do c")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.message, copy.where, copy.hint) == (DataError, "message", "f:3", "do c")
    assert str(copy) == str(error)


@pytest.mark.parametrize(
    ("word", "known", "sentence"),
    [
        ("moverscor", ["bleu", "moverscore"], "did you mean 'moverscore'?"),
        ("BLEU", ["bleu", "chrf"], "did you mean 'bleu'?"),
        ("refa", ["refA", "src"], "did you mean 'refA'?"),
        ("zzz", ["b", "A"], "known: A, b"),
        ("zzz", [], "there are none"),
    ],
)
def test_did_you_mean(word: str, known: list[str], sentence: str) -> None:
    assert did_you_mean(word, known) == sentence
