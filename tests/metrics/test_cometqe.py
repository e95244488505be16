"""COMET-QE from checkpoints: candidate and source alone, against the same model written out in torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import coheval
from coheval.errors import DataError, SpecError

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from checkpoints import REFERENCELESS, REGRESSION, UNIFIED, write  # noqa: E402

pytestmark = pytest.mark.xdist_group("encoders")

CANDIDATES = ["the cat sat on a mat .", "dogs ran", "nobody came back after it"]
SOURCES = ["die katze saß auf der matte .", "hunde liefen", "der hunde"]
KIWI = UNIFIED | {"input_segments": ["mt", "src"], "layer_transformation": "sparsemax_patch"}
NEAR = {"abs": 1e-5}


def spec_of(folder: Path, **options: object) -> str:
    return f"cometqe(model={str(folder)!r}" + "".join(f", {k}={v!r}" for k, v in options.items()) + ")"


@pytest.mark.parametrize("hparams", [REFERENCELESS, REFERENCELESS | {"layer_norm": True}, KIWI, UNIFIED], ids=str)
def test_scores(tmp_path: Path, hparams: dict[str, Any]) -> None:
    made = write(tmp_path / "qe", hparams)
    spec = spec_of(tmp_path / "qe")
    wanted = [made.score(c, None, s) for c, s in zip(CANDIDATES, SOURCES, strict=True)]
    found = coheval.score(CANDIDATES, sources=SOURCES, metrics=[spec])[spec].segments
    assert found == [pytest.approx(score, **NEAR) for score in wanted]
    assert coheval.metric(spec).needs == {"source"}


def test_references_change_nothing(tmp_path: Path) -> None:
    write(tmp_path / "qe", UNIFIED)
    spec = spec_of(tmp_path / "qe")
    alone = coheval.score(CANDIDATES, sources=SOURCES, metrics=[spec])[spec].segments
    beside = coheval.score(CANDIDATES, [["dogs", "cat"]] * 3, SOURCES, metrics=[spec])[spec].segments
    assert alone == beside


def test_candidates_are_read_behind_candidates(tmp_path: Path) -> None:
    made = write(tmp_path / "qe", REFERENCELESS)
    spec = spec_of(tmp_path / "qe", context=1, variant="code")
    found = coheval.score(CANDIDATES[:2], sources=SOURCES[:2], documents=["d"] * 2, metrics=[spec])[spec].segments
    sep = made.tokenizer.sep_token_id

    def vector(before: str, text: str) -> Any:
        ahead, own = made.ids(before)[:-1], made.ids(text)[1:]
        ids = [*ahead, sep, *own]
        return made.pooled(ids, [0, *range(len(ahead) + 1, len(ids))])

    with torch.no_grad():
        wanted = made.head(vector(*CANDIDATES[:2]), None, vector(*SOURCES[:2]))
    assert found[1] == pytest.approx(wanted, **NEAR)
    assert coheval.metric(spec).needs == {"source", "documents"}


def test_checkpoint_with_references_is_for_the_other_metric(tmp_path: Path) -> None:
    for name, hparams in (("a", REGRESSION), ("b", UNIFIED | {"input_segments": ["mt", "ref"]})):
        write(tmp_path / name, hparams)
        with pytest.raises(SpecError, match=r"cometqe: the checkpoint reads references\nhint: use comet\(model="):
            coheval.metric(spec_of(tmp_path / name))


def test_there_is_no_reference_to_take_context_from(tmp_path: Path) -> None:
    write(tmp_path / "qe", REFERENCELESS)
    with pytest.raises(SpecError, match="context_from must be"):
        coheval.metric(spec_of(tmp_path / "qe", context_from="reference"))


def test_source_is_needed(tmp_path: Path) -> None:
    write(tmp_path / "qe", REFERENCELESS)
    with pytest.raises(DataError, match="needs a source"):
        coheval.score(CANDIDATES, CANDIDATES, metrics=[spec_of(tmp_path / "qe")])
