"""ONNX Runtime sessions, with any of a graph's inner tensors as outputs, and with nodes that read rows of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.encoders._graph import output_names, tensor_names, with_outputs, with_rows
from coheval.errors import ResourceError, SpecError

ROWS = "rows"  # the input that says which rows
Rows = tuple[tuple[str, str], ...]  # which nodes read rows of what, as in `with_rows`


def session(path: Path, tensors: tuple[str, ...] = (), rows: Rows = ()) -> Any:
    """A session on the CPU, made once a process; `tensors` names inner tensors to be outputs as well."""
    try:
        return _session(path, tensors, rows, path.stat().st_mtime_ns)
    except OSError as error:
        raise ResourceError(
            f"the model cannot be read: {error.strerror}", where=str(path), hint="check the path"
        ) from None


def run(
    path: Path, ids: NDArray[np.int64], mask: NDArray[np.int64], outputs: Sequence[str], tensors: tuple[str, ...] = ()
) -> list[NDArray[np.float32]]:
    """The named outputs for a padded batch; inputs are matched by the names that transformers' exporters use."""
    hint = "export the encoder alone, with transformers' usual input names"
    return run_on(path, usual_inputs(ids, mask), outputs, tensors, hint=hint)


def usual_inputs(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def run_on(
    path: Path,
    known: Mapping[str, NDArray[Any]],
    outputs: Sequence[str],
    tensors: tuple[str, ...] = (),
    rows: Rows = (),
    *,
    hint: str,
) -> list[NDArray[np.float32]]:
    """The named outputs for some inputs by name, of which a model need not want all."""
    model = session(path, tensors, rows)
    unknown = [i.name for i in model.get_inputs() if i.name not in known]
    if unknown:
        raise ResourceError(
            f"the model wants inputs {unknown}, known are {sorted(known)}",
            where=str(path),
            hint=hint,
        )
    feed = {i.name: known[i.name].astype(_dtype(i.type), copy=False) for i in model.get_inputs()}
    return [array.astype(np.float32, copy=False) for array in model.run(list(outputs), feed)]


def _dtype(kind: str) -> np.dtype[Any]:
    """Of an input: 'tensor(int32)'."""
    names = {"float": "float32", "double": "float64"}  # where ONNX and numpy differ
    name = kind.removeprefix("tensor(").removesuffix(")")
    return np.dtype(names.get(name, name))


@cache
def _session(path: Path, tensors: tuple[str, ...], rows: Rows, modified: int) -> Any:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when it is imported: without it, it writes files and calls home
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors only
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads sleep
    # The model is handed over as bytes, so the folder of its external weights must be named.
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(path.parent))
    model = _changed(path, tensors, rows)
    try:
        # Fusing a sum into the norm behind it makes a BERT-like encoder 6% slower on a CPU.
        return onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
        )
    except Exception as error:  # onnxruntime's own errors share no base class but Exception
        raise _broken(path, f"ONNX Runtime refuses the model: {error}") from error


def _changed(path: Path, tensors: tuple[str, ...], rows: Rows) -> bytes:
    model = path.read_bytes()
    try:
        outputs = output_names(model)
        inner = set(tensor_names(model)) if tensors else set()
    except ValueError as error:
        raise _broken(path, f"this is not an ONNX model: {error}") from None
    for name in tensors:
        if name not in inner and name not in outputs:
            near = get_close_matches(name, inner, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"its outputs are {', '.join(outputs)}"
            raise SpecError(f"the graph has no tensor called {name!r}", where=str(path), hint=hint)
    if rows:
        model = with_rows(model, dict(rows), ROWS)
    return with_outputs(model, [name for name in dict.fromkeys(tensors) if name not in outputs])


def _broken(path: Path, message: str) -> ResourceError:
    return ResourceError(message, where=str(path), hint="is the file whole and an ONNX model?")
