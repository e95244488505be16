"""Training as it stands after an epoch, in one file, so that it goes on as if it had never stopped.

Chance begins anew in each epoch, from the seed and the epoch's number: there is no generator's state to keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from coheval.data.packed import read_packed, write_packed
from coheval.errors import UsageError

FORMAT = "coheval coherence training 1"

Weights = dict[str, NDArray[np.float32]]

_COUNT = "step"  # what Adam calls the number of steps that it has made


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    epoch: int  # epochs that are done
    weights: Weights
    optimizer: Weights  # by number of the weight and name of what is kept of it
    best_epoch: int
    best: Weights
    accuracies: tuple[float, ...]  # of each epoch, on the held-out groups

    def write(self, path: Path, settings: Mapping[str, object]) -> None:
        parts = {"weights": self.weights, "optimizer": self.optimizer, "best": self.best}
        arrays = {f"{part} {name}": value for part, values in parts.items() for name, value in values.items()}
        facts = {"epoch": self.epoch, "best_epoch": self.best_epoch, "accuracies": list(self.accuracies)}
        write_packed(path, arrays, {"format": FORMAT, "settings": dict(settings), **facts})

    @classmethod
    def read(cls, path: Path, settings: Mapping[str, object]) -> Standing:
        hint = "train without --resume"
        arrays, facts = read_packed(path, {"format": FORMAT}, what="a training that was stopped", hint=hint)
        for name, value in settings.items():
            if facts["settings"].get(name) != value:
                raise UsageError(
                    f"the training that was stopped had {name} {facts['settings'].get(name)!r}, got {value!r}",
                    where=str(path),
                    hint="give the same again, or train without --resume",
                )
        parts: dict[str, Weights] = {"weights": {}, "optimizer": {}, "best": {}}
        for key, value in arrays.items():
            part, name = key.split(" ", 1)
            parts[part][name] = value
        accuracies = tuple(facts["accuracies"])
        return cls(epoch=facts["epoch"], best_epoch=facts["best_epoch"], accuracies=accuracies, **parts)

    def after(self, network: torch.nn.Module, optimizer: torch.optim.Optimizer, accuracy: float) -> Standing:
        """One epoch later; the best is the first of those with the highest accuracy."""
        weights = arrays_of(network)
        done = replace(
            self,
            epoch=self.epoch + 1,
            weights=weights,
            optimizer=_kept(optimizer),
            accuracies=(*self.accuracies, accuracy),
        )
        better = not self.accuracies or accuracy > max(self.accuracies)
        return replace(done, best_epoch=done.epoch, best=weights) if better else done

    def put_back(self, network: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        load(network, self.weights)
        state: dict[int, dict[str, Any]] = {}
        for key, value in self.optimizer.items():
            number, name = key.split(" ", 1)
            kept = value.reshape(()) if name == _COUNT else value
            state.setdefault(int(number), {})[name] = torch.from_numpy(kept.copy())
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def start(network: torch.nn.Module) -> Standing:
    weights = arrays_of(network)
    return Standing(0, weights, {}, 0, weights, ())


def arrays_of(network: torch.nn.Module) -> Weights:
    return {name: value.detach().numpy().astype(np.float32) for name, value in network.state_dict().items()}


def load(network: torch.nn.Module, weights: Weights) -> None:
    """A file has no arrays of no dimension: single numbers come back as lists of one."""
    shapes = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    network.load_state_dict({name: torch.from_numpy(w.reshape(shapes[name]).copy()) for name, w in weights.items()})


def _kept(optimizer: torch.optim.Optimizer) -> Weights:
    found: Weights = {}
    for number, state in optimizer.state_dict()["state"].items():
        found |= {f"{number} {name}": value.numpy().astype(np.float32) for name, value in state.items()}
    return found
