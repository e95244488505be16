"""How a model is trained, where the command line does not say otherwise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from coheval.errors import UsageError


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    epochs: int = 10
    rate: float = 1e-3  # of learning, Adam's
    decay: float = 0.0  # of weights
    linear: bool = False  # whether the rate falls a little with each epoch, to nothing behind the last
    epsilon: float = 1e-8  # Adam's
    batch: int = 32  # groups in a step
    negatives: int = 4  # wrong variants of a group that an epoch sees, drawn anew
    patience: int = 4  # epochs without a better one after which training ends
    hidden: int = 100  # width of the network's states
    clip: float | None = 5.0  # the norm of a step's gradient, at most

    def __post_init__(self) -> None:
        if not 0 < self.rate < math.inf:
            raise UsageError(
                f"the rate of learning must be a positive number, got {self.rate:g}",
                hint="most models learn with 0.001",
            )

    def changed(self, **values: Any) -> Recipe:
        """With what was asked for; None asks for nothing."""
        return replace(self, **{name: value for name, value in values.items() if value is not None})
