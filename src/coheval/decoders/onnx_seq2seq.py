"""Any encoder-decoder that was exported to ONNX, without torch: `onnx_seq2seq(path='folder')`.

The folder holds `encoder_model.onnx` and `decoder_model.onnx`, as optimum writes them, or `encoder.onnx` and
`decoder.onnx`, beside `tokenizer.json`; the graphs may be in its folder `onnx`. Which token the decoder begins with is
read from `generation_config.json` or `config.json`, or given:

    onnx_seq2seq(path='mbart', start='</s>', tag='de_DE', source_tag='de_DE')

A tag opens a text in place of what the tokenizer puts there: models of many languages name the language so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from coheval.data import weights
from coheval.decoders._forced import Side
from coheval.decoders._onnx import Graphs, OnnxDecoder
from coheval.encoders._tokens import Frame, frame_of, read_tokenizer
from coheval.errors import ResourceError, SpecError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_CONFIGURATIONS = ("generation_config.json", "config.json")
_START = "decoder_start_token_id"


@dataclass(frozen=True, kw_only=True)
class ONNX_Seq2Seq(OnnxDecoder):  # noqa: N801
    path: str  # the folder
    start: str | None = None  # the token that the decoder begins with; None: what the folder's configuration says
    tag: str | None = None  # the token that opens a target, such as de_DE; None: what the tokenizer puts there
    source_tag: str | None = None  # the same for a source
    max_length: int = 512  # tokens that the model reads on either side, specials included

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.max_length >= 1, f"max_length must be at least 1, got {self.max_length}")

    @property
    def window(self) -> int:
        return self.max_length

    def digest(self) -> str:
        graphs = [self._graph("encoder"), self._graph("decoder")]
        beside = [g.with_name(g.name + suffix) for g in graphs for suffix in ("_data", ".data")]  # weights outside
        more = [self._file(name) for name in ("tokenizer.json", *_CONFIGURATIONS)]
        return weights.digest(*graphs, *(p for p in (*beside, *more) if p.exists()))

    def tokenizer(self) -> Tokenizer:
        return read_tokenizer(self._file("tokenizer.json"))

    def frame(self, side: Side) -> Frame:
        frame = frame_of(self.tokenizer())
        tag = self.tag if side == "target" else self.source_tag
        return frame if tag is None else replace(frame, before=[(self._id(tag), tag)])

    def graphs(self) -> Graphs:
        start = self._id(self.start) if self.start is not None else self._configured_start()
        return Graphs(self._graph("encoder"), self._graph("decoder"), start)

    def _graph(self, part: str) -> Path:
        names = (f"{part}_model.onnx", f"{part}.onnx")
        for name in names:
            if (found := self._file(name)).exists():
                return found
        raise ResourceError(
            f"found neither {names[0]} nor {names[1]}",
            where=self.path,
            hint="path is the folder that an exporter wrote",
        )

    def _file(self, name: str) -> Path:
        folder = Path(self.path)
        if not folder.is_dir():
            raise ResourceError("there is no such folder", where=self.path, hint="check path")
        return inner if (inner := folder / "onnx" / name).exists() else folder / name

    def _id(self, token: str) -> int:
        found = self.tokenizer().token_to_id(token)
        if found is None:
            raise SpecError(
                f"the tokenizer has no token {token!r}", where=type(self).name(), hint="tokenizer.json lists them"
            )
        return found

    def _configured_start(self) -> int:
        for path in map(self._file, _CONFIGURATIONS):
            start = _read(path).get(_START) if path.exists() else None
            if isinstance(start, int):
                return start
        raise ResourceError(
            f"no configuration there says {_START}",
            where=self.path,
            hint="name the token that the decoder begins with: start='<pad>' for T5, start='</s>' for BART",
        )


def _read(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError(f"the file cannot be read: {error}", where=str(path), hint="is it JSON?") from None
    return content if isinstance(content, dict) else {}
