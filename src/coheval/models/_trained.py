"""A coherence model that is trained: which encoder it reads, how its file is read, and how documents are scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Variant
from coheval.data.weights import digest
from coheval.encoders import Encoder
from coheval.errors import ResourceError
from coheval.models import CoherenceModel, Scored
from coheval.models._file import SCORES, Facts, graph_of, read_facts
from coheval.models._inputs import Batch, Inputs, Sentences
from coheval.models._recipe import Recipe
from coheval.spec import build

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

Outputs = dict[str, NDArray[np.float32]]  # by name

_TOGETHER = 2048  # documents whose sentences are in memory at once
_SENTENCES = 1024  # in a batch, unless a single document has more


@dataclass(frozen=True, kw_only=True)
class TrainedModel(CoherenceModel):
    """Subclasses say how a batch is laid out for their network, and make that network for training."""

    file: str | None = None  # a trained model; without one it can only be trained
    encoder: Encoder | None = None  # whose vectors it reads; the one that the file names, or minilm
    layers: tuple[int, ...] | None = None  # side by side; those that the file names, or the last
    variant: Literal["repaired", "original"] = "repaired"  # or with the errors of the released program

    libraries: ClassVar[tuple[str, ...]] = ("onnxruntime",)
    recipe: ClassVar[Recipe] = Recipe()
    usual_encoder: ClassVar[str] = "minilm"
    outputs: ClassVar[tuple[str, ...]] = (SCORES,)  # what the network gives, scores [v] first

    # ------------------------------------------------------------------------------------------ what a model adds

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        """The arrays that the network's graph takes."""
        raise NotImplementedError(type(self).__name__)

    def sizes(self, width: int, hidden: int, documents: Sequence[Variant]) -> Facts:
        """What the network is made with, given the width of vectors, that of its states, and what it will learn."""
        return {"width": width, "hidden": hidden}

    def network(self, sizes: Facts) -> Network:
        """In torch, with weights that are not trained yet."""
        raise NotImplementedError(type(self).__name__)

    def unfit(self, document: Variant, sizes: Facts) -> str | None:
        """Why a document has no score, if so."""
        return None if len(document) > 1 else "coherence needs two sentences, the document has fewer"

    def results(self, found: Outputs, documents: Sequence[Variant]) -> list[Scored]:
        """What the network's outputs say of the documents of a batch."""
        return [Scored(value) for value in found[SCORES].tolist()]

    def together(self, document: Variant) -> int:
        """Documents of which this number differs are not scored in one batch."""
        return 0

    # --------------------------------------------------------------------------------------------------- its file

    def digest(self) -> str | None:
        return None if self.file is None else digest(Path(self.file))

    def ready(self) -> None:
        self._facts()
        for encoder, layers in self.reads().items():
            encoder.ready(layers)

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        encoder = self.encoder or build(Encoder, self.usual_encoder if self.file is None else self._facts()["encoder"])
        if self.file is None:
            return {encoder: self.layers or (encoder.depth,)}
        return {encoder: self.layers or tuple(self._facts()["layers"])}

    def _facts(self) -> Facts:
        if self.file is None:
            raise ResourceError(
                f"{type(self).name()} is not trained: no file was named",
                where=type(self).name(),
                hint=f"coheval train coherence CORPUS --model {type(self).name()} --task order -o FILE.onnx",
            )
        facts = read_facts(Path(self.file), type(self).name())
        for what, own in (("variant", self.variant), ("encoder", self.encoder), ("layers", self.layers)):
            shown = own.signature if isinstance(own, Encoder) else list(own) if isinstance(own, tuple) else own
            if shown is not None and shown != facts[what]:
                raise ResourceError(
                    f"the model was trained with {what} {facts[what]}, got {shown}",
                    where=self.file,
                    hint=f"leave {what}=… out" if what != "variant" else f"write variant='{facts[what]}'",
                )
        return facts

    # ------------------------------------------------------------------------------------------------------ scoring

    def score(self, documents: Sequence[Variant]) -> list[Scored]:
        sizes = self._facts()["sizes"]
        found: list[Scored | None] = [None] * len(documents)
        fit: list[int] = []
        for number, document in enumerate(documents):
            reason = self.unfit(document, sizes)
            if reason is None:
                fit.append(number)
            else:
                found[number] = Scored(None, reason)
        for at in range(0, len(fit), _TOGETHER):
            for number, scored in self._scored(documents, fit[at : at + _TOGETHER], sizes):
                found[number] = scored
        return [one for one in found if one is not None]

    def _scored(
        self, documents: Sequence[Variant], chosen: Sequence[int], sizes: Facts
    ) -> Iterator[tuple[int, Scored]]:
        ((encoder, layers),) = self.reads().items()
        sentences = Sentences(encoder, layers)
        sentences.add(documents[number] for number in chosen)
        graph = graph_of(Path(str(self.file)))
        for numbers in self._batches(documents, chosen):
            batch = [documents[number] for number in numbers]
            arrays = graph.run(list(self.outputs), self.arrange(sentences.batch(batch), sizes))
            found = dict(zip(self.outputs, arrays, strict=True))
            yield from zip(numbers, self.results(found, batch), strict=True)

    def _batches(self, documents: Sequence[Variant], chosen: Sequence[int]) -> Iterator[list[int]]:
        """Documents of similar length, variants of a text beside each other."""

        def place(number: int) -> tuple[int, int]:
            return self.together(documents[number]), len(documents[number])

        batch: list[int] = []
        size = 0
        for number in sorted(chosen, key=place):
            kind, length = place(number)
            if batch and (size + length > _SENTENCES or kind != place(batch[0])[0]):
                yield batch
                batch, size = [], 0
            batch.append(number)
            size += length
        if batch:
            yield batch
