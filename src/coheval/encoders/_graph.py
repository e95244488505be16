"""Just enough of ONNX's file format to name a graph's tensors, to make more of them outputs, and to read rows of them.

The file is a protobuf message: a model (its field 7 is the graph) of nodes (field 1 of the graph, whose fields 1 and 2
are the tensors they read and write), inputs and outputs (fields 11 and 12 of the graph, whose field 1 is the name). So
neither the onnx package nor a rewritten file is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

_GRAPH, _NODE, _INPUT, _OUTPUT, _SHAPES = 7, 1, 11, 12, 13  # of a model, and of its graph
_READS, _WRITES, _OPERATOR = 1, 2, 4  # of a node
_NAME, _TYPE = 1, 2  # of an input or output
_INTEGERS = bytes([1 << 3 | 2, 2, 1 << 3, 7])  # the type (field 1 of it is a tensor, whose field 1 is 7) of int64
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5  # protobuf's wire types


def output_names(model: bytes) -> list[str]:
    """The graph's declared outputs."""
    outputs = (o for graph in _all(memoryview(model), _GRAPH) for o in _all(graph, _OUTPUT))
    return [str(name, "utf-8") for output in outputs for name in _all(output, _NAME)]


def tensor_names(model: bytes) -> list[str]:
    """Every tensor that some node writes."""
    nodes = (n for graph in _all(memoryview(model), _GRAPH) for n in _all(graph, _NODE))
    return [str(name, "utf-8") for node in nodes for name in _all(node, _WRITES)]


def with_outputs(model: bytes, names: Iterable[str]) -> bytes:
    """The model with more of its tensors as outputs.

    A protobuf message that occurs twice is merged, its lists joined: a second graph with nothing but outputs extends
    the first.
    """
    graph = b"".join(_field(_OUTPUT, _field(_NAME, name.encode())) for name in names)
    return model + _field(_GRAPH, graph) if graph else model


def with_rows(model: bytes, readers: Mapping[str, str], rows: str) -> bytes:
    """The model with nodes that read some rows of a tensor [b, t, d], as [1, n, d], instead of all of it.

    `readers` names nodes by what they write, and the tensor of which each reads rows. `rows` is a new input, int64
    [1, n, 2]: the places of a row among the b and the t. What the graph says of shapes behind these nodes is no longer
    true, so none of it is kept; ONNX Runtime finds them out by itself.
    """
    graphs = (
        _field(_GRAPH, _graph_with_rows(payload, readers, rows)) if number == _GRAPH and payload is not None else whole
        for number, payload, whole in _fields(memoryview(model))
    )
    return b"".join(graphs)


def _graph_with_rows(graph: memoryview, readers: Mapping[str, str], rows: str) -> bytes:
    made = [_field(_INPUT, _field(_NAME, rows.encode()) + _field(_TYPE, _INTEGERS))]
    for number, payload, whole in _fields(graph):
        if number == _NODE and payload is not None:
            made += _node_with_rows(payload, readers, rows)
        elif number == _OUTPUT and payload is not None:
            made.append(_field(_OUTPUT, _field(_NAME, next(_all(payload, _NAME)))))
        elif number != _SHAPES:
            made.append(bytes(whole))
    return b"".join(made)


def _node_with_rows(node: memoryview, readers: Mapping[str, str], rows: str) -> list[bytes]:
    """The node, behind another one that finds its rows if it shall read such."""
    written = str(next(_all(node, _WRITES)), "utf-8")
    if written not in readers:
        return [_field(_NODE, node)]
    read, found = readers[written].encode(), f"rows for {written}".encode()
    parts = ((_READS, read), (_READS, rows.encode()), (_WRITES, found), (_OPERATOR, b"GatherND"))
    finding = b"".join(_field(number, payload) for number, payload in parts)
    reading = b"".join(
        _field(_READS, found) if number == _READS and payload == memoryview(read) else whole
        for number, payload, whole in _fields(node)
    )
    return [_field(_NODE, finding), _field(_NODE, reading)]


def _all(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """The payloads of a message's fields of one number; ValueError where the bytes are no message."""
    return (payload for number, payload, _ in _fields(message) if number == wanted and payload is not None)


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview | None, memoryview]]:
    """The number of each field, its payload if it has a length, and all of its bytes."""
    at = 0
    while at < len(message):
        begin = at
        key, at = _read_varint(message, at)
        number, kind = key >> 3, key & 7
        payload = None
        if kind == _VARINT:
            _, at = _read_varint(message, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        elif kind == _LENGTH:
            length, start = _read_varint(message, at)
            at = start + length
            payload = message[start:at]
        else:
            raise ValueError(f"no field can begin at byte {at}")
        if at > len(message):
            raise ValueError(f"the bytes end {at - len(message)} too early")
        yield number, payload, message[begin:at]


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError(f"no number ends at byte {at}")


def _field(number: int, payload: bytes | memoryview) -> bytes:
    return _varint(number << 3 | _LENGTH) + _varint(len(payload)) + bytes(payload)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
