"""DiscoScore's released program, reproduced through stored annotations and vectors: see tests/golden/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import coheval

LOCAL = Path(__file__).parent / "golden" / "discourse_metrics.json"

CODE = "variant='code', annotator=replay(file=ANNOTATIONS)"
ENTITY = "focus='entity', vectors=static(file=VECTORS)"
SPECS = {
    "RC": f"rc({CODE})",
    "LC": f"lc({CODE})",
    "EntityGraph": f"entitygraph({CODE})",
    "LexicalGraph": f"lexicalgraph({CODE}, vectors=static(file=VECTORS))",
    "LexicalChain": f"lexicalchain({CODE})",
    **{
        f"{key} {mode}": f"{spec}, attention='{mode}')"
        for mode in ("ones", "legacy", "finfo")
        for key, spec in {
            "DS_Focus_NN": f"dsfocus({CODE}",
            "DS_Focus_Entity": f"dsfocus({CODE}, {ENTITY}",
            "DS_SENT_NN_U": f"dssent({CODE}",
            "DS_SENT_NN_W": f"dssent({CODE}, weighted=True",
            "DS_SENT_Entity_U": f"dssent({CODE}, {ENTITY}",
            "DS_SENT_Entity_W": f"dssent({CODE}, {ENTITY}, weighted=True",
        }.items()
    },
}
# The program stopped with an error, or gave NaN. None and a reason here; but long texts are read in windows.
READ_HERE = "c09_long"


def tolerance(key: str) -> float:
    return 3e-5 if key.endswith("legacy") else 1e-5 if key.startswith("DS") else 1e-12


@pytest.fixture(scope="module")
def local() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(LOCAL.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, Any]:
    """The same from the shared goldens, where all published cases are."""
    read = {
        name: json.loads((shared / "golden" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("inputs", "discoscore", "annotations", "static_embeddings")
    }
    return {
        "annotations": read["annotations"],
        "vectors": read["static_embeddings"]["vectors"],
        "cases": {
            case["id"]: {"hyp": case["hyp"], "refs": case["refs"], "scores": scores(read["discoscore"], case["id"])}
            for case in read["inputs"]
            if case["id"] in read["discoscore"]["cases"]
        },
    }


def scores(discoscore: dict[str, Any], case: str) -> dict[str, float | None]:
    golden = discoscore["cases"][case]
    values = dict(golden["modelfree"])
    for mode, found in golden["modes"].items():
        values |= {f"{key} {mode}": value for key, value in found.items()}
    return {key: v if isinstance(v, int | float) and v == v else None for key, v in values.items() if key in SPECS}


def reproduced(golden: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Every spec at once, so that texts are read once; results by the goldens' keys."""
    paths = {name: folder / f"{name}.json" for name in ("annotations", "vectors")}
    for name, path in paths.items():
        path.write_text(json.dumps(golden[name]), encoding="utf-8")
    specs = {
        key: spec.replace("ANNOTATIONS", repr(str(paths["annotations"]))).replace(
            "VECTORS", repr(str(paths["vectors"]))
        )
        for key, spec in SPECS.items()
    }
    cases = list(golden["cases"].values())
    result = coheval.score(
        [case["hyp"] for case in cases], [case["refs"] for case in cases], metrics=list(specs.values())
    )
    return {key: result[spec] for key, spec in specs.items()}


@pytest.fixture(scope="module")
def local_results(local: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reproduced(local, tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="module")
def published_results(published: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reproduced(published, tmp_path_factory.mktemp("published"))


def compare(golden: dict[str, Any], results: dict[str, Any], key: str, least: int) -> None:
    checked = 0
    for (name, case), got, reason in zip(
        golden["cases"].items(), results[key].segments, results[key].reasons, strict=True
    ):
        expected = case["scores"][key]
        if expected is not None:
            assert got == pytest.approx(expected, abs=tolerance(key)), name
            checked += 1
        elif name == READ_HERE:
            assert got is not None
        else:
            assert got is None
            assert reason
    assert checked >= least


@pytest.mark.xdist_group("own discourse cases")
@pytest.mark.parametrize("key", SPECS)
def test_own_cases(local: dict[str, Any], local_results: dict[str, Any], key: str) -> None:
    compare(local, local_results, key, least=5)


def test_uniform_attention_of_another_encoder(local: dict[str, Any], tmp_path: Path, minilm_torch: Path) -> None:
    """The same weights through transformers, whose fused attention would make nothing of a mask of zeros."""
    case = local["cases"]["c11_multiref"]
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(local["annotations"]), encoding="utf-8")
    common = f"attention='finfo', annotator=replay(file={str(path)!r}), encoder=hf(model={str(minilm_torch)!r})"
    for key, name in (("DS_Focus_NN finfo", "dsfocus"), ("DS_SENT_NN_U finfo", "dssent")):
        spec = f"{name}(variant='code', {common})"
        got = coheval.score([case["hyp"]], [case["refs"]], metrics=[spec])[spec].segments[0]
        assert got == pytest.approx(case["scores"][key], abs=1e-5)


@pytest.mark.xdist_group("published discourse cases")
@pytest.mark.parametrize("key", SPECS)
def test_all_published_cases(published: dict[str, Any], published_results: dict[str, Any], key: str) -> None:
    compare(published, published_results, key, least=8)
