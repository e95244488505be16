"""What a model learns from in an epoch: groups with some of their wrong variants, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Group, Variant
from coheval.errors import DataError
from coheval.models._file import Facts
from coheval.models._inputs import Inputs, Sentences
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
    sentences: Sentences

    def steps(
        self, groups: Sequence[Group], size: int, negatives: int | None, rng: np.random.Generator
    ) -> list[Chosen]:
        """Groups in any order, `size` at a time, the last ones too; of each some wrong variants (None: all of them)."""
        chosen = [_drawn(groups[number], negatives, rng) for number in rng.permutation(len(groups))]
        return [chosen[at : at + size] for at in range(0, len(chosen), size)]

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
            yield self.step([(group.right, group.wrong) for group in ordered[at : at + size]])


Chosen = list[tuple[Variant, tuple[Variant, ...]]]  # right variants, each with wrong ones


def _drawn(group: Group, negatives: int | None, rng: np.random.Generator) -> tuple[Variant, tuple[Variant, ...]]:
    if negatives is None or negatives >= len(group.wrong):
        return group.right, group.wrong
    numbers = rng.choice(len(group.wrong), size=negatives, replace=False)
    return group.right, tuple(group.wrong[number] for number in numbers)


def fitting(model: TrainedModel, groups: Sequence[Group], sizes: Facts) -> list[Group]:
    """Those of which the model can score all variants."""
    found = [group for group in groups if not any(model.unfit(variant, sizes) for variant in group.variants)]
    if not found:
        reason = model.unfit(groups[0].right, sizes) if groups else "there are none"
        raise DataError(
            f"expected groups to learn from, got none that {type(model).name()} can read: {reason}",
            hint="take documents of several sentences",
        )
    return found
