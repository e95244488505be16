"""The file of a model: what is read back, and what is refused, with the place and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coheval.algo.scaling import MinMax, Rank, Standard
from coheval.errors import DataError, ResourceError
from coheval.metrics._combined import Member, Model
from coheval.metrics._modelfile import read_model


def content(scaling: str = "minmax") -> dict[str, Any]:
    scales = {
        "minmax": {"low": 0.0, "high": 100.0},
        "standard": {"mean": 50.0, "deviation": 10.0},
        "rank": {"values": [1.0, 2.0], "ranks": [0.25, 0.75]},
    }
    member = {"spec": "chrf", "signature": "chrf(version=1)", "higher_is_better": True, "weight": 2.5}
    return {
        "format": 1,
        "coheval": "0.1.0",
        "method": "ridge",
        "scaling": scaling,
        "penalty": 1.0,
        "intercept": -0.5,
        "unit": "document",
        "tuned_on": {"text": "a sample"},
        "cross_validation": {"statistic": "pearson", "folds": 5, "held_out": None, "alone": {"chrf": 0.5}},
        "members": [{**member, "scale": scales[scaling]}],
    }


def written(tmp_path: Path, text: str | dict[str, Any]) -> Path:
    path = tmp_path / "model.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "scale", [MinMax(0.1, 0.3), Standard(1 / 3, 1e-9), Rank((0.1, 0.2, 0.7), (0.1, 0.5, 0.9))], ids=lambda s: type(s)
)
def test_round_trip(tmp_path: Path, scale: MinMax | Standard | Rank) -> None:
    scaling = {MinMax: "minmax", Standard: "standard", Rank: "rank"}[type(scale)]
    model = Model(
        members=(Member("ter", False, scale, -1 / 3, "ter(version=1)"), Member("a column", True, scale, 1e-300)),
        intercept=0.1,
        method="ridge",
        scaling=scaling,
        penalty=0.01,
        unit="segment",
        tuned_on={"text": "ein Satz aus Köln", "texts": 3},
        cross_validation={"statistic": "tau", "folds": 3, "held_out": 0.5, "alone": {"ter": None, "a column": 0.25}},
        coheval="0.0.1",
    )
    path = written(tmp_path, model.to_json())
    read = read_model(path)
    assert read.sha256 is not None
    assert Model(**{**vars(read), "sha256": None}) == model


@pytest.mark.parametrize("scaling", ["minmax", "standard", "rank"])
def test_a_file_by_hand_is_read(tmp_path: Path, scaling: str) -> None:
    assert read_model(written(tmp_path, content(scaling))).members[0].weight == 2.5


def test_a_file_that_does_not_tell_its_unit(tmp_path: Path) -> None:
    """As files were before there was one, which also said what is always so."""
    found = content()
    del found["unit"]
    assert read_model(written(tmp_path, found | {"higher_is_better": True})).unit is None
    assert read_model(written(tmp_path, found | {"unit": None})).unit is None
    assert read_model(written(tmp_path, content())).unit == "document"


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    *parents, last = path.split(".")

    def apply(found: Any) -> None:
        for key in parents:
            found = found[int(key) if key.isdigit() else key]
        found[last] = value

    return apply


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", 2, "expected format 1, got 2"),
        ("format", None, "expected format 1, got None"),
        ("scaling", "log", "scaling must be one of minmax, rank, standard, got 'log'"),
        ("scaling", [], "unhashable"),
        ("intercept", "0", "intercept must be a finite number, got '0'"),
        ("intercept", True, "intercept must be a finite number, got True"),
        ("intercept", 10**400, "too large"),
        ("members", [], "at least one member"),
        ("members", 3, "not iterable"),
        ("members", ["chrf"], "indices"),
        ("members.0.weight", None, "weight must be a finite number, got None"),
        ("members.0.weight", 0, "weight other than 0"),
        ("members.0.weight", float("nan"), "numbers must be finite, got NaN"),
        ("members.0.weight", float("inf"), "numbers must be finite, got Infinity"),
        ("members.0.higher_is_better", "false", "higher_is_better must be true or false, got 'false'"),
        ("members.0.scale", {"low": 0}, "there is no 'high'"),
        ("members.0.scale", {"low": 1, "high": 1}, "low must be below high"),
        ("unit", "system", "unit must be one of segment, document or null, got 'system'"),
        ("unit", ["segment"], "unit must be one of"),
        ("tuned_on", "a text", "dictionary update"),
        ("cross_validation", {"folds": 3}, "there is no 'held_out'"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, path: str, value: Any, message: str) -> None:
    found = content()
    change(path, value)(found)
    with pytest.raises(DataError, match=message) as error:
        read_model(written(tmp_path, found))
    assert "model.json" in str(error.value)
    assert error.value.hint


@pytest.mark.parametrize(
    "scale",
    [
        {"values": [1.0, 1.0], "ranks": [0.2, 0.8]},
        {"values": [2.0, 1.0], "ranks": [0.2, 0.8]},
        {"values": [1.0, 2.0], "ranks": [0.2]},
        {"values": [], "ranks": []},
    ],
)
def test_a_scale_by_rank_must_rise(tmp_path: Path, scale: dict[str, list[float]]) -> None:
    found = content("rank")
    found["members"][0]["scale"] = scale
    with pytest.raises(DataError, match="needs rising values"):
        read_model(written(tmp_path, found))


def test_a_deviation_must_be_positive(tmp_path: Path) -> None:
    found = content("standard")
    found["members"][0]["scale"]["deviation"] = 0
    with pytest.raises(DataError, match="deviation must be above 0"):
        read_model(written(tmp_path, found))


@pytest.mark.parametrize("key", ["members", "intercept", "method", "penalty", "tuned_on", "coheval"])
def test_what_is_missing_is_told(tmp_path: Path, key: str) -> None:
    found = content()
    del found[key]
    with pytest.raises(DataError, match=f"there is no '{key}'"):
        read_model(written(tmp_path, found))


def test_half_a_file(tmp_path: Path) -> None:
    whole = json.dumps(content())
    for end in range(0, len(whole), 7):
        with pytest.raises(DataError, match="not the model of a combination"):
            read_model(written(tmp_path, whole[:end]))


@pytest.mark.parametrize("text", ["[]", "3", "null", '"model"', "[" * 100_000])
def test_other_json(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="not the model of a combination"):
        read_model(written(tmp_path, text))


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not the model of a combination"):
        read_model(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="the model cannot be read: No such file"):
        read_model(tmp_path / "none.json")
