"""The estimator's network in torch, its training, and its weights as they are stored.

A batch has ratings, on which the error is squared, and preferences, on which it is ln(1 + exp(−2 (better − worse))); a
few of these are of a reference over a candidate. What the network sees is brought to mean 0 and deviation 1; what is
stored has that, and the turn to principal directions, folded into the first weights, so that scoring takes whole
vectors as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from coheval.metrics._cometembedded.network import SIDES
from coheval.run.comet.examples import KEPT, Inputs, Judged

Array = NDArray[np.float32]

_CONSTANT = 1e-4  # a deviation below this is rounding


@dataclass(frozen=True, slots=True)
class Recipe:
    """Chosen on WMT17, pairs held out one at a time."""

    steps: int = 800
    batch: int = 64
    hidden: int = 48
    top: int = 64
    rate: float = 2e-3
    decay: float = 1e-2
    dropout: float = 0.2
    vectors: float = 0.3  # how much vectors count beside numbers at the start
    preferences: float = 0.5  # how much their error counts beside that of ratings
    perfect: float = 0.2  # how much it counts that nothing is better than the reference itself


@dataclass(frozen=True, slots=True, eq=False)
class Standard:
    """Inputs at mean 0 and deviation 1, and how to come back."""

    inputs: Inputs
    starts: NDArray[np.int64]
    numbers: tuple[Array, Array]  # mean and deviation
    vectors: tuple[Array, Array]
    overall: tuple[Array, Array]

    @classmethod
    def of(cls, inputs: Inputs) -> Standard:
        starts = np.concatenate([[0], inputs.lengths.ravel().cumsum()])
        some = inputs.vectors[::20].astype(np.float32)
        whole = inputs.overall[inputs.scored]
        return cls(inputs, starts, _moments(inputs.numbers), _moments(some), _moments(whole))

    def batch(self, pairs: NDArray[np.int64]) -> tuple[list[tuple[Tensor, Tensor, Tensor]], Tensor]:
        """For each side the rows of all tokens, the pair of each row and the number of each pair's rows."""
        sides = []
        for side in range(len(SIDES)):
            sizes = self.inputs.lengths[pairs, side]
            first = self.starts[2 * pairs + side]
            rows = np.concatenate([np.arange(a, a + n) for a, n in zip(first, sizes, strict=True)])
            numbers = _scaled(self.inputs.numbers[rows], self.numbers)
            vectors = _scaled(self.inputs.vectors[rows].astype(np.float32), self.vectors)
            of_pair = torch.from_numpy(np.repeat(np.arange(len(pairs)), sizes))
            sides.append(
                (torch.from_numpy(np.concatenate([numbers, vectors], axis=1)), of_pair, torch.from_numpy(sizes))
            )
        return sides, torch.from_numpy(_scaled(self.inputs.overall[pairs], self.overall))


def _moments(x: Array) -> tuple[Array, Array]:
    mean, deviation = x.mean(axis=0, dtype=np.float64), x.std(axis=0, dtype=np.float64)
    spread = np.where(deviation > _CONSTANT, deviation, 1.0)
    return mean.astype(np.float32), spread.astype(np.float32)


def _scaled(x: Array, moments: tuple[Array, Array]) -> Array:
    return np.asarray((x - moments[0]) / moments[1], dtype=np.float32)


class Net(nn.Module):
    def __init__(self, numbers: int, overall: int, recipe: Recipe) -> None:
        super().__init__()
        self.numbers, self.scale = numbers, recipe.vectors
        width = numbers + 2 * KEPT
        self.token = nn.ModuleList([nn.Linear(width, recipe.hidden) for _ in SIDES])
        self.gate = nn.ModuleList([nn.Linear(recipe.hidden, 1) for _ in SIDES])
        self.top = nn.Linear(4 * recipe.hidden + overall, recipe.top)
        self.last = nn.Linear(recipe.top, 1)
        self.drop = nn.Dropout(recipe.dropout)
        self.lighter = nn.Dropout(recipe.dropout / 2)

    def forward(self, sides: list[tuple[Tensor, Tensor, Tensor]], overall: Tensor) -> Tensor:
        pooled = []
        for side, (rows, of_pair, sizes) in enumerate(sides):
            numbers, vectors = rows[:, : self.numbers], rows[:, self.numbers :]
            seen = torch.cat([numbers, self.drop(vectors) * self.scale], dim=1)  # [tokens, k]
            hidden = self.drop(torch.tanh(self.token[side](seen)))
            gate = nn.functional.softplus(self.gate[side](hidden))
            count = len(overall)
            pooled += [_sums(gate * hidden, of_pair, count) / _sums(gate, of_pair, count)]
            pooled += [_sums(hidden, of_pair, count) / sizes[:, None]]
        top = torch.tanh(self.top(torch.cat([*pooled, self.lighter(overall)], dim=1)))
        scores: Tensor = self.last(self.drop(top))[:, 0]
        return scores


def _sums(rows: Tensor, of_pair: Tensor, count: int) -> Tensor:
    return torch.zeros(count, rows.shape[1]).index_add(0, of_pair, rows)


def train(judged: Judged, standard: Standard, usable: NDArray[np.bool_], seed: int, recipe: Recipe) -> Net:
    """A network that has seen the judgements of usable pairs [pairs] and no others."""
    rated, values = _rated(judged, usable)
    weighed = [
        (_kept(judged.preferred, usable), recipe.batch, recipe.preferences),
        (_kept(judged.perfect, usable), recipe.batch // 4, recipe.perfect),
    ]
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    net = Net(standard.inputs.numbers.shape[1], standard.inputs.overall.shape[1], recipe)
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, total_steps=recipe.steps)
    net.train()
    for _ in range(recipe.steps):
        loss: Any = torch.zeros(())
        if len(rated):
            chosen = chance.integers(len(rated), size=recipe.batch)
            error = net(*standard.batch(rated[chosen])) - torch.from_numpy(values[chosen])
            loss = loss + (error**2).mean()
        for pairs, size, weight in weighed:
            if len(pairs):
                chosen = chance.integers(len(pairs), size=size)
                scores = net(*standard.batch(pairs[chosen].ravel())).view(-1, 2)
                loss = loss + weight * nn.functional.softplus(-2 * (scores[:, 0] - scores[:, 1])).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        pace.step()
    return net.eval()


def _rated(judged: Judged, usable: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Array]:
    rated, values = np.array(judged.rated, dtype=np.int64), np.array(judged.ratings, dtype=np.float32)
    return rated[usable[rated]], values[usable[rated]]


def _kept(pairs: Sequence[tuple[int, int]], usable: NDArray[np.bool_]) -> NDArray[np.int64]:
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return found[usable[found].all(axis=1)]


def predict(net: Net, standard: Standard, pairs: NDArray[np.int64]) -> Array:
    with torch.inference_mode():
        parts = [net(*standard.batch(pairs[at : at + 256])).numpy() for at in range(0, len(pairs), 256)]
    return np.concatenate(parts)


def folded(net: Net, standard: Standard) -> dict[str, Array]:
    """The weights as `metrics._cometembedded.network` takes them."""
    found: dict[str, Any] = {}
    for number, side in enumerate(SIDES):
        weight, bias = _arrays(net.token[number])
        of_numbers, of_vectors = weight[:, : net.numbers], weight[:, net.numbers :] * net.scale
        shift = of_numbers @ (standard.numbers[0] / standard.numbers[1])
        shift = shift + of_vectors @ (standard.vectors[0] / standard.vectors[1])
        along = of_vectors / standard.vectors[1]
        whole = [along[:, :KEPT] @ standard.inputs.basis[0].T, along[:, KEPT:] @ standard.inputs.basis[1].T]
        found[f"{side}.weight"] = np.concatenate([of_numbers / standard.numbers[1], *whole], axis=1)
        found[f"{side}.bias"] = bias - shift
        gate, constant = _arrays(net.gate[number])
        found[f"{side}.gate.weight"], found[f"{side}.gate.bias"] = gate[0], constant[0]
    weight, bias = _arrays(net.top)
    pooled = weight.shape[1] - standard.inputs.overall.shape[1]
    of_overall = weight[:, pooled:] / standard.overall[1]
    found["top.weight"] = np.concatenate([weight[:, :pooled], of_overall], axis=1)
    found["top.bias"] = bias - of_overall @ standard.overall[0]
    last, constant = _arrays(net.last)
    found["last.weight"], found["last.bias"] = last[0], constant[0]
    return {name: np.asarray(value, dtype=np.float32) for name, value in found.items()}


def _arrays(layer: nn.Module) -> tuple[Array, Array]:
    return layer.weight.detach().numpy(), layer.bias.detach().numpy()  # type: ignore[operator]
