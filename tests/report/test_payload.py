"""A report as plain data: which documents come first, what there is room for, what stands in the blocks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import coheval
from coheval.data import Corpus, Record
from coheval.report.assets import block
from coheval.report.payload.blocks import pack
from coheval.report.payload.interest import by_interest
from coheval.report.payload.rounding import defined, plain, rounded
from coheval.report.payload.texts import items_of
from coheval.run.score import evaluate, named
from coheval.run.scoretable import ScoreTable

from .conftest import blocks_of, scored, unpacked

# -------------------------------------------------------------------------------------------------------- interest


def interest(values: dict[str, dict[str, list[float | None]]], lower: tuple[str, ...] = ()) -> list[int]:
    size = len(next(iter(next(iter(values.values())).values())))
    return by_interest(ScoreTable.plain(values, [str(n) for n in range(size)], lower))


def test_documents_come_first_where_systems_ranks_differ_most() -> None:
    """Of all six scores 0.1 ranks 0 and 0.9 ranks 1: the documents are 1, 5 and 1 fifths apart."""
    assert interest({"m": {"a": [0.3, 0.1, 0.5], "b": [0.4, 0.9, 0.6]}}) == [1, 0, 2]


def test_the_scale_of_a_metric_does_not_count() -> None:
    """Only the order of its scores does: the cube of a positive score has the same."""
    values = {"a": [0.31, 0.12, 0.53, 0.2], "b": [0.44, 0.93, 0.61, 0.8]}
    cubed = {system: [x**3 for x in own] for system, own in values.items()}
    assert interest({"m": values}) == interest({"m": cubed})


def test_differences_by_rounding_are_none() -> None:
    """The sums of tenths are 0.3 but for their last digit."""
    noise = {"a": [0.1 + 0.2, 0.3, 0.0, 14566.666666666666], "b": [0.3, 0.1 + 0.2, 0.0, 14566.666666666668]}
    assert interest({"m": noise, "n": {"a": [1.0, 1.0, 1.0, 1.0], "b": [1.0, 1.0, 2.0, 1.0]}}) == [2, 0, 1, 3]


def test_of_one_system_the_worst_documents_come_first() -> None:
    assert interest({"m": {"a": [0.3, 0.1, 0.5]}}) == [1, 0, 2]
    assert interest({"m": {"a": [0.3, 0.1, 0.5]}}, ("m",)) == [2, 0, 1]


def test_documents_of_equal_interest_keep_their_order_and_those_without_scores_come_last() -> None:
    assert interest({"m": {"a": [1.0, 1.0, 1.0], "b": [1.0, 1.0, 1.0]}}) == [0, 1, 2]
    assert interest({"m": {"a": [None, 0.1, 0.2], "b": [None, 0.3, 0.4]}})[-1] == 0
    assert interest({"m": {"a": [None, None]}}) == [0, 1]


# -------------------------------------------------------------------------------------------------------- rounding


def test_numbers_are_rounded_and_what_is_none_is_null() -> None:
    for number in (defined, rounded):
        assert [number(x) for x in (None, math.nan, math.inf, -math.inf)] == [None] * 4
    values = (0.123456789, 14566.666666667, -1e-9, 0.0)
    assert [defined(x) for x in values] == list(values)
    assert [rounded(x) for x in values] == [0.123457, 14566.666667, -1e-09, 0.0]
    data = {"a": [1, True, "x", None, 0.1234567], "b": (math.nan, {"c": 2.0})}
    assert plain(data) == {"a": [1, True, "x", None, 0.1234567], "b": [None, {"c": 2.0}]}
    assert plain(data, rounded) == {"a": [1, True, "x", None, 0.123457], "b": [None, {"c": 2.0}]}
    assert plain(data)["a"][1] is True


# ---------------------------------------------------------------------------------------------------------- blocks


def packed(result: Any, room: int) -> Any:
    table = ScoreTable.of(result)
    return pack(items_of(result, table.documents), result, by_interest(table), room)


def test_where_there_is_no_room_the_least_telling_documents_are_left_out() -> None:
    result = scored(["chrf"], evidence=True)
    order = by_interest(ScoreTable.of(result))
    everything, nothing = packed(result, 10**9), packed(result, 0)
    assert (everything.explained, everything.left_out) == ([0, 1, 2], 0)
    assert (nothing.explained, nothing.left_out) == ([], 3)
    for room in range(0, 20_000, 500):
        some = packed(result, room)
        if some.explained:
            break
    why = unpacked("\n".join(some.markup))["why-0"]
    kept = [n for n, own in enumerate(why) if own["first"][0]["parts"]]
    assert kept == some.explained
    assert len(kept) == 3 - some.left_out
    assert kept[0] in order[:2]
    assert all(own["first"][0]["score"] is not None for own in why)  # scores need no room


def test_blocks_hold_neighbours_and_every_document_once() -> None:
    """Documents of 300,000 characters: a block takes a million."""
    texts = ["x" * 100_000] * 7
    records = [Record(s, text, (text,), document=str(n)) for n, text in enumerate(texts) for s in ("a", "b")]
    result = evaluate(Corpus.of(records), named("rouge"))
    found = packed(result, 10**9)
    assert found.chunks[0][0] == 0
    assert found.chunks[-1][1] == 7
    assert all(stop == start for (_, stop), (start, _) in zip(found.chunks, found.chunks[1:], strict=False))
    assert len(found.chunks) == 4  # of two, and what is left; a document is its two candidates and their references
    assert found.lengths == [100_000] * 7
    assert [len(own) for name, own in unpacked("\n".join(found.markup)).items() if name.startswith("texts")] == [
        2,
        2,
        2,
        1,
    ]


def test_references_are_written_once_unless_systems_have_their_own() -> None:
    same = blocks_of(coheval.report(scored()))["texts"][0]
    assert same["references"] == [{"text": "the red boat sank\nnobody saw it", "segments": [[0, 17], [18, 31]]}]
    assert same["own_references"] == {}
    assert same["labels"] == {"first": [0, 1], "second": [0, 1]}
    records = [Record("a", "x", ("one", "two"), document="d"), Record("b", "y", ("three",), "source", document="d")]
    own = blocks_of(coheval.report(evaluate(Corpus.of(records), named("chrf"))))["texts"][0]
    assert [reference["text"] for reference in own["references"]] == ["one", "two"]
    assert [reference["text"] for reference in own["own_references"]["b"]] == ["three"]
    assert own["source"] is None
    assert own["own_sources"]["b"]["text"] == "source"
    assert same["source"] is None
    assert same["own_sources"] == {}


def test_scores_in_the_blocks_are_the_results() -> None:
    result = scored()
    for number, document in enumerate(("sea", "town", "sky")):
        why = blocks_of(coheval.report(result))["why"][number]
        for system in ("first", "second"):
            for told in why[system]:
                assert told["score"] == pytest.approx(result[told["metric"]].documents[system][document], rel=1e-5)
                assert told["unit"] == "segment"
                assert set(told) == {"metric", "unit", "score", "reason", "segments", "reasons", "parts"}
                assert set(told["parts"][0]) == {"segment", "references", "words", "evidence"}


NAMES = [
    "</script><script>alert(1)</script>",
    "]]>",
    "__proto__",
    "constructor",
    "\"'\\\n\t",
    "\x00\x1b",
    "👩‍👩‍👧",
    "\u202eabc\u2028",
]


def test_names_are_whatever_they_are() -> None:
    """Blocks are base64, so that nothing in them can end their element."""
    candidates = {name: [f"a {name} dog", name] for name in NAMES}
    result = coheval.score(candidates, ["a dog", "a cat"], documents=NAMES[:2], metrics=["chrf"])
    made = coheval.report(result)
    markup = block("head", made.to_dict()) + "\n".join(made._blocks.markup)
    found = unpacked(markup)
    assert found["head"]["systems"] == NAMES
    assert found["head"]["documents"]["ids"] == NAMES[:2]
    assert list(found["texts-0"][0]["candidates"]) == NAMES
    assert found["texts-0"][0]["candidates"]["__proto__"]["text"] == "a __proto__ dog"
    assert markup.count("<") == 2 * len(found)


def test_making_the_blocks_takes_time_in_proportion_to_the_documents() -> None:
    """Counted in calls, not seconds: four times as many documents are at most five times the work."""
    import cProfile
    import pstats

    def calls(size: int) -> int:
        words = np.random.default_rng(1).choice(list("abcdefgh"), size=(2, size, 5))
        texts = [[" ".join(line) for line in own] for own in words]
        result = coheval.score({"a": texts[0], "b": texts[1]}, texts[0], metrics=["chrf"])
        made = coheval.report(result, explain=0)
        profile = cProfile.Profile()
        profile.runcall(made.to_dict)
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

    calls(10)  # what is imported once
    assert calls(400) < 5 * calls(100)
