"""ONNX Runtime sessions, with any of a graph's inner tensors as outputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.errors import ResourceError


@cache
def session(path: Path, extra_outputs: tuple[str, ...] = ()) -> Any:
    """A session on the CPU, made once a process; `extra_outputs` names inner tensors to be outputs as well."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors only
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads sleep
    # The model is handed over as bytes, so the folder of its external weights must be named.
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(path.parent))
    try:
        graph = path.read_bytes() + _more_outputs(extra_outputs)
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise ResourceError(f"the model cannot be read: {error.strerror}", where=str(path)) from error
    except Exception as error:  # onnxruntime's own errors share no base class but Exception
        raise ResourceError(
            f"ONNX Runtime refuses the model: {error}", where=str(path), hint="is the file whole and an ONNX model?"
        ) from error


def run(
    path: Path, ids: NDArray[np.int64], mask: NDArray[np.int64], outputs: Sequence[str], extra: tuple[str, ...] = ()
) -> list[NDArray[np.float32]]:
    """The named outputs for a padded batch; inputs are matched by the names that transformers' exporters use."""
    model = session(path, extra)
    known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    names = [i.name for i in model.get_inputs()]
    unknown = [n for n in names if n not in known]
    if unknown:
        raise ResourceError(
            f"the model wants inputs {unknown}, known are {sorted(known)}",
            where=str(path),
            hint="export the encoder alone, with transformers' usual input names",
        )
    arrays: list[NDArray[np.float32]] = model.run(list(outputs), {n: known[n] for n in names})
    return arrays


def _more_outputs(names: Iterable[str]) -> bytes:
    """Bytes that, appended to a model, add outputs to its graph.

    A protobuf message that occurs twice is merged, its lists joined. So a second `graph` (field 7 of the model) with
    nothing but `output` entries (field 12 of the graph, whose field 1 is the name) extends the first, and neither the
    onnx package nor a rewritten file is needed.
    """
    graph = b"".join(_field(12, _field(1, name.encode())) for name in names)
    return _field(7, graph) if graph else b""


def _field(number: int, payload: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(payload)) + payload


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
