"""Just enough of ONNX's file format to name a graph's tensors, and to make more of them outputs.

The file is a protobuf message: a model (its field 7 is the graph) of nodes (field 1 of the graph, whose field 2 are the
tensors they write) and outputs (field 12 of the graph, whose field 1 is the name). So neither the onnx package nor a
rewritten file is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_GRAPH, _NODE, _NODE_OUTPUT, _OUTPUT, _OUTPUT_NAME = 7, 1, 2, 12, 1
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5  # protobuf's wire types


def output_names(model: bytes) -> list[str]:
    """The graph's declared outputs."""
    outputs = (o for graph in _all(memoryview(model), _GRAPH) for o in _all(graph, _OUTPUT))
    return [str(name, "utf-8") for output in outputs for name in _all(output, _OUTPUT_NAME)]


def tensor_names(model: bytes) -> list[str]:
    """Every tensor that some node writes."""
    nodes = (n for graph in _all(memoryview(model), _GRAPH) for n in _all(graph, _NODE))
    return [str(name, "utf-8") for node in nodes for name in _all(node, _NODE_OUTPUT)]


def with_outputs(model: bytes, names: Iterable[str]) -> bytes:
    """The model with more of its tensors as outputs.

    A protobuf message that occurs twice is merged, its lists joined: a second graph with nothing but outputs extends
    the first.
    """
    graph = b"".join(_field(_OUTPUT, _field(_OUTPUT_NAME, name.encode())) for name in names)
    return model + _field(_GRAPH, graph) if graph else model


def _all(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """The payloads of a message's fields of one number; ValueError where the bytes are no message."""
    at = 0
    while at < len(message):
        key, at = _read_varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            _, at = _read_varint(message, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        elif kind == _LENGTH:
            length, start = _read_varint(message, at)
            at = start + length
            if number == wanted and at <= len(message):
                yield message[start:at]
        else:
            raise ValueError(f"no field can begin at byte {at}")
    if at > len(message):
        raise ValueError(f"the bytes end {at - len(message)} too early")


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError(f"no number ends at byte {at}")


def _field(number: int, payload: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH) + _varint(len(payload)) + payload


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
