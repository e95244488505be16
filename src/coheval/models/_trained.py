"""A coherence model that is trained: how its file is read, and how documents are scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Variant
from coheval.data.weights import digest
from coheval.encoders import Encoder
from coheval.errors import ResourceError
from coheval.grammar import Spec, parse
from coheval.models import CoherenceModel, Scored
from coheval.models._file import SCORES, Facts, graph_of, read_facts
from coheval.models._inputs import Batch, Inputs, Readings
from coheval.models._load import ALONE, LONGEST, Load
from coheval.models._recipe import Recipe
from coheval.spec import Component

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

Outputs = dict[str, NDArray[np.float32]]  # by name

_TOGETHER = 2048  # documents whose sentences are in memory at once
_SENTENCES = 1024  # in a batch, unless a single document has more
_PLACES = 2**16  # of tokens in a batch, unless a single document takes more: 1,024 sentences of 64 tokens


@dataclass(frozen=True, kw_only=True)
class TrainedModel(CoherenceModel):
    """Subclasses say how a batch is laid out for their network, and make that network for training."""

    file: str | None = None  # a trained model; without one it can only be trained
    layers: tuple[int, ...] | None = None  # of what reads, side by side; those that the file names, or the usual ones

    libraries: ClassVar[tuple[str, ...]] = ("onnxruntime",)
    recipe: ClassVar[Recipe] = Recipe()
    embedded: ClassVar[Path | None] = None  # the file that is read where none is named
    outputs: ClassVar[tuple[str, ...]] = (SCORES,)  # what the network gives, scores [v] first
    size_names: ClassVar[tuple[str, ...]] = ("width", "hidden")  # what `sizes` gives

    def __post_init__(self) -> None:
        """A signature names what a trained model reads."""
        super().__post_init__()
        if self.path is None or not self.path.exists():
            return
        try:
            self.settle(**self.named())
        except ResourceError:
            if self.file is not None:
                raise
            # What was asked for is not embedded, or is not installed: it can still be trained, or told.

    # ------------------------------------------------------------------------------------------ what a model adds

    def named(self) -> dict[str, object]:
        """The parameters that say what reads its sentences, as its file has them."""
        raise NotImplementedError(type(self).__name__)

    def readings(self, reader: Encoder | None = None) -> Readings:
        """How it reads sentences, as its file says; `reader` stands in for the encoder, if given."""
        raise NotImplementedError(type(self).__name__)

    def new_readings(self) -> Readings:
        """How it reads sentences if it is trained now; told here is what keeps it from that."""
        raise NotImplementedError(type(self).__name__)

    def read_by(self) -> Facts:
        """What its file, if it is trained now, will say of how sentences are read."""
        raise NotImplementedError(type(self).__name__)

    def check(self, facts: Facts) -> None:
        """Refuses what its parameters ask for and its file is not."""
        if self.layers is not None and list(self.layers) != facts["layers"]:
            raise self.another("layers", facts, list(self.layers), "leave layers=… out")

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

    def places(self, load: Load, sizes: Facts) -> int:
        """About as many vectors of tokens are in memory, padding included, while the network reads a batch."""
        return load.sentences * load.longest

    def too_large(self, load: Load, sizes: Facts) -> str | None:
        """Why a document has no score, given its sentences' tokens, if so."""
        if load.longest > LONGEST:
            return f"the model reads sentences of {LONGEST:,} tokens, the document has one of {load.longest:,}"
        if self.places(load, sizes) > ALONE:
            sentences = f"{load.sentences:,} sentences, the longest of {load.longest:,} tokens"
            return f"the document is too large for the memory: it has {sentences}"
        return None

    def results(self, found: Outputs, documents: Sequence[Variant]) -> list[Scored]:
        """What the network's outputs say of the documents of a batch."""
        return [Scored(value) for value in found[SCORES].tolist()]

    def together(self, document: Variant) -> int:
        """Documents of which this number differs are not scored in one batch."""
        return 0

    # --------------------------------------------------------------------------------------------------- its file

    @property
    def path(self) -> Path | None:
        """Its file, if it has one."""
        return self.embedded if self.file is None else Path(self.file)

    def digest(self) -> str | None:
        return None if self.path is None else digest(self.path)

    def facts(self) -> Facts:
        if self.path is None:
            raise ResourceError(
                f"{type(self).name()} is not trained: no file was named",
                where=type(self).name(),
                hint=f"coheval train coherence CORPUS --model {type(self).name()} --task order -o FILE.onnx",
            )
        facts = read_facts(self.path, type(self).name(), self.size_names)
        self.check(facts)
        return facts

    def check_reader(self, facts: Facts, parameter: str, asked: Component, located_by: tuple[str, ...]) -> None:
        """Refuses another one than it was trained with."""
        if not is_named(asked, facts["encoder"], located_by):
            raise self.another("encoder", facts, asked.signature, f"leave {parameter}=… out")

    def another(self, what: str, facts: Facts, got: object, hint: str) -> ResourceError:
        trained = facts.get(what, "unknown")
        return ResourceError(f"the model was trained with {what} {trained}, got {got}", where=str(self.path), hint=hint)

    # ------------------------------------------------------------------------------------------------------ scoring

    def score(self, documents: Sequence[Variant], *, reader: Encoder | None = None) -> list[Scored]:
        sizes = self.facts()["sizes"]
        found: list[Scored | None] = [None] * len(documents)
        fit: list[int] = []
        for number, document in enumerate(documents):
            reason = self.unfit(document, sizes)
            if reason is None:
                fit.append(number)
            else:
                found[number] = Scored(None, reason)
        for at in range(0, len(fit), _TOGETHER):
            for number, scored in self._scored(documents, fit[at : at + _TOGETHER], sizes, reader):
                found[number] = scored
        return [one for one in found if one is not None]

    def _scored(
        self, documents: Sequence[Variant], chosen: Sequence[int], sizes: Facts, reader: Encoder | None
    ) -> Iterator[tuple[int, Scored]]:
        sentences = self.readings(reader)
        sentences.add(documents[number] for number in chosen)
        graph = graph_of(Path(str(self.path)))
        loads = {number: sentences.load([documents[number]]) for number in chosen}
        reasons = {number: self.too_large(load, sizes) for number, load in loads.items()}
        yield from ((number, Scored(None, reason)) for number, reason in reasons.items() if reason is not None)
        fit = {number: load for number, load in loads.items() if reasons[number] is None}
        for numbers in self._batches(documents, fit, sizes):
            batch = [documents[number] for number in numbers]
            arrays = graph.run(list(self.outputs), self.arrange(sentences.batch(batch), sizes))
            found = dict(zip(self.outputs, arrays, strict=True))
            yield from zip(numbers, self.results(found, batch), strict=True)

    def _batches(self, documents: Sequence[Variant], loads: Mapping[int, Load], sizes: Facts) -> Iterator[list[int]]:
        """Documents of similar length, variants of a text beside each other; given what each of them asks for."""

        def place(number: int) -> tuple[int, int]:
            return self.together(documents[number]), len(documents[number])

        batch: list[int] = []
        load = Load()
        for number in sorted(loads, key=place):
            more = load + loads[number]
            full = more.sentences > _SENTENCES or self.places(more, sizes) > _PLACES
            if batch and (full or place(number)[0] != place(batch[0])[0]):
                yield batch
                batch, more = [], loads[number]
            batch.append(number)
            load = more
        if batch:
            yield batch


def without_libraries(signature: str) -> Spec:
    """Whichever libraries run it: these are told where a metric's signature is read, not each time that it scores."""
    spec = parse(signature)
    return replace(spec, params={k: v for k, v in spec.params.items() if k != "libraries"})


def is_named(component: Component, signature: str, located_by: tuple[str, ...]) -> bool:
    """Whether a signature names what is read: not where its weights lie, nor which libraries run them."""
    own, named = parse(component.signature), parse(signature)
    free = {"libraries", *located_by}

    def told(spec: Spec) -> dict[str, object]:
        return {name: value for name, value in spec.params.items() if name not in free}

    return own.name == named.name and told(own) == told(named)
