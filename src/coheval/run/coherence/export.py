"""A trained network as an ONNX file, facts included, so that scoring needs no torch."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch

from coheval.data.whole import write_whole
from coheval.errors import ResourceError
from coheval.models._file import FORMAT, KEY, Facts
from coheval.models._inputs import Batch, Inputs
from coheval.models._networks.network import Network

_EXPORTER = ("torch.onnx", "onnxscript", "onnx_ir")  # its loggers, and those of what it makes graphs with


def example(width: int) -> Batch:
    """A batch with which a network is exported. A size of 1, or two that are the same, could be taken for a law."""
    counts = np.array([3, 6, 2, 4, 1, 5, 2])
    documents = (np.array([0, 1, 2, 3, 4]), np.array([6, 5]), np.array([5, 0, 6]))
    return Batch(np.zeros((counts.sum(), width), dtype=np.float32), counts, documents)


def export(network: Network, inputs: Inputs, outputs: Sequence[str], facts: Facts, path: Path) -> None:
    """Sizes of inputs are free, and are those of `example` only while the graph is made."""
    try:
        import onnx
        import onnxscript  # noqa: F401 the exporter wants it
    except ImportError as error:
        raise ResourceError(f"writing the model needs {error.name}", hint="pip install 'coheval[torch]'") from None
    free = {name: dict.fromkeys(range(array.ndim), torch.export.Dim.AUTO) for name, array in inputs.items()}
    tensors = {name: torch.from_numpy(array) for name, array in inputs.items()}
    with _quiet():
        program = torch.onnx.export(
            network.eval(), kwargs=tensors, dynamic_shapes=free, output_names=list(outputs), dynamo=True, verbose=False
        )
    assert program is not None
    model = program.model_proto
    for node in model.graph.node:
        del node.metadata_props[:]  # where in the source a node comes from: paths of this machine
        node.doc_string = ""
    onnx.helper.set_model_props(model, {KEY: json.dumps({"format": FORMAT, **facts}, ensure_ascii=False)})
    write_whole(path, model.SerializeToString(deterministic=True), what="the model")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what the exporter says of libraries that it does not find, and of what it does not simplify."""
    levels = {name: logging.getLogger(name).level for name in _EXPORTER}
    for name in _EXPORTER:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
