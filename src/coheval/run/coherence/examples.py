"""What a model learns from in an epoch: groups with some of their wrong variants, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Group, Variant
from coheval.errors import DataError
from coheval.models._file import Facts
from coheval.models._inputs import Inputs, Readings
from coheval.models._load import ALONE, Load
from coheval.models._trained import TrainedModel

Numbers = NDArray[np.int64]
Epoch = Callable[[int], Sequence[Group]]  # what an epoch learns from, by its number from 1


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The variants of some groups as the network takes them, and which of them is better than which."""

    inputs: Inputs
    right: Numbers  # [p] rows of variants
    wrong: Numbers  # [p]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How groups become steps for one model."""

    model: TrainedModel
    sizes: Facts
    sentences: Readings

    def steps(
        self, groups: Sequence[Group], size: int, negatives: int | None, rng: np.random.Generator
    ) -> list[Chosen]:
        """Groups in any order, `size` at a time, the last ones too; of each some wrong variants (None: all of them)."""
        chosen = [_drawn(groups[number], negatives, rng) for number in rng.permutation(len(groups))]
        return [part for at in range(0, len(chosen), size) for part in self._parts(chosen[at : at + size])]

    def _parts(self, chosen: Chosen) -> Iterator[Chosen]:
        """One, as a rule; several where a long sentence would make all the others as long."""
        part: Chosen = []
        load = Load()
        for right, wrong in chosen:
            own = self.sentences.load([right, *wrong])
            if part and self.model.places(load + own, self.sizes) > ALONE:
                yield part
                part, load = [], Load()
            part.append((right, wrong))
            load += own
        if part:
            yield part

    def step(self, chosen: Chosen) -> Step:
        documents: list[Variant] = []
        right: list[int] = []
        wrong: list[int] = []
        for best, others in chosen:
            right += [len(documents)] * len(others)
            wrong += range(len(documents) + 1, len(documents) + 1 + len(others))
            documents += [best, *others]
        inputs = self.model.arrange(self.sentences.batch(documents), self.sizes)
        return Step(inputs, np.array(right), np.array(wrong))

    def held_out(self, groups: Sequence[Group], size: int) -> Iterator[Step]:
        """All variants of all groups, groups of similar length together."""
        ordered = sorted(groups, key=lambda group: len(group.right))
        for at in range(0, len(ordered), size):
            for part in self._parts([(group.right, group.wrong) for group in ordered[at : at + size]]):
                yield self.step(part)

    def fitting(self, groups: Sequence[Group], tell: Callable[[str], None] = lambda message: None) -> list[Group]:
        """Those of which the model can score all variants; told is how many others there are, and why."""
        reasons = [self._unfit(group) for group in groups]
        found = [group for group, reason in zip(groups, reasons, strict=True) if reason is None]
        if not found:
            reason = reasons[0] if reasons else "there are none"
            raise DataError(
                f"expected groups to learn from, got none that {type(self.model).name()} can read: {reason}",
                hint="take documents of several sentences",
            )
        if left_out := [reason for reason in reasons if reason is not None]:
            tell(f"{len(left_out):,} of {len(groups):,} groups are left out, the first because {left_out[0]}")
        return found

    def _unfit(self, group: Group) -> str | None:
        """Why the model cannot score one of its variants, if so."""
        for variant in group.variants:
            reason = self.model.unfit(variant, self.sizes)
            reason = reason or self.model.too_large(self.sentences.load([variant]), self.sizes)
            if reason is not None:
                return reason
        return None


Chosen = list[tuple[Variant, tuple[Variant, ...]]]  # right variants, each with wrong ones


def _drawn(group: Group, negatives: int | None, rng: np.random.Generator) -> tuple[Variant, tuple[Variant, ...]]:
    if negatives is None or negatives >= len(group.wrong):
        return group.right, group.wrong
    numbers = rng.choice(len(group.wrong), size=negatives, replace=False)
    return group.right, tuple(group.wrong[number] for number in numbers)
