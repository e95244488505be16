"""Training of any network that gives variants scores: epochs over groups, the best one by held-out pairs is kept.

Everything random comes from the seed and the number of the epoch; one thread, so that it repeats exactly.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from coheval.data.groups import Group
from coheval.errors import ResourceError
from coheval.grammar import format_spec
from coheval.models._inputs import Inputs
from coheval.models._networks.network import Arrays, Network
from coheval.models._recipe import Recipe
from coheval.run.coherence.checkpoint import Standing, load, start
from coheval.run.coherence.examples import Epoch, Layout, Step

Told = Callable[[str], None]

TOLD_EVERY = 30.0  # seconds


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    network: Network  # at its best epoch
    epoch: int
    epochs: int  # that were done
    accuracy: float  # share of held-out pairs with the right variant strictly better
    pairs: int  # that were held out


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    layout: Layout
    groups: Epoch
    held_out: Sequence[Group]
    recipe: Recipe
    seed: int
    checkpoint: Path
    provenance: dict[str, object]  # what the training learns from; one that is continued must have the same
    tell: Told

    def run(self, *, resume: bool) -> Trained:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return self._run(resume)
        finally:
            torch.set_num_threads(threads)

    def _run(self, resume: bool) -> Trained:
        torch.manual_seed(self.seed)
        network = self.layout.model.network(self.layout.sizes)
        optimizer = torch.optim.Adam(
            network.parameters(), lr=self.recipe.rate, weight_decay=self.recipe.decay, eps=self.recipe.epsilon
        )
        standing = start(network)
        if resume and not self.checkpoint.exists():
            self.tell(f"nothing to go on with in {self.checkpoint}: training from the beginning")
        elif resume:
            standing = Standing.read(self.checkpoint, self._settings())
            standing.put_back(network, optimizer)
            network.eval()  # it has been evaluated before
            self.tell(f"going on after epoch {standing.epoch}")
        clock = _Clock(self.recipe.epochs - standing.epoch)
        while standing.epoch < self.recipe.epochs and not self._in_vain(standing):
            loss = self._epoch(network, optimizer, standing.epoch + 1, clock)
            accuracy = self.accuracy(network, self.held_out)
            standing = standing.after(network, optimizer, accuracy)
            standing.write(self.checkpoint, self._settings())
            clock.done()
            self.tell(
                f"epoch {standing.epoch} of {self.recipe.epochs}: loss {loss:.4f}, held-out pairs {accuracy:.2%}, "
                f"{clock.left()}"
            )
        load(network, standing.best)
        best = max(standing.accuracies, default=math.nan)
        pairs = sum(len(group.wrong) for group in self.held_out)
        return Trained(network.eval(), standing.best_epoch, standing.epoch, best, pairs)

    def _settings(self) -> dict[str, object]:
        """What a training that goes on must have again. Epochs are planned: a rate that falls depends on how many."""
        model = self.layout.model
        free = ("patience",) if self.recipe.linear else ("patience", "epochs")
        recipe = {name: value for name, value in asdict(self.recipe).items() if name not in free}
        return {
            "model": format_spec(model.spec),
            "sizes": self.layout.sizes,
            "seed": self.seed,
            **recipe,
            **self.provenance,
        }

    def _in_vain(self, standing: Standing) -> bool:
        return bool(standing.epoch) and standing.epoch - standing.best_epoch >= self.recipe.patience

    def _epoch(self, network: Network, optimizer: torch.optim.Optimizer, epoch: int, clock: _Clock) -> float:
        """The mean loss."""
        torch.manual_seed(int(np.random.SeedSequence((self.seed, epoch)).generate_state(1)[0]))
        rng = np.random.default_rng((self.seed, epoch))
        for settings in optimizer.param_groups:
            settings["lr"] = self._rate(epoch)
        network.train()
        steps = self.layout.steps(self.groups(epoch), self.recipe.batch, self.recipe.negatives, rng)
        losses = []
        for number, chosen in enumerate(steps, start=1):
            losses.append(self._step(network, optimizer, self.layout.step(chosen)))
            if clock.is_time():
                part = number / len(steps)
                self.tell(f"epoch {epoch}: {part:.0%}, loss {np.mean(losses):.4f}, {clock.left(part)}")
        return float(np.mean(losses))

    def _rate(self, epoch: int) -> float:
        falling = (epoch - 1) / self.recipe.epochs if self.recipe.linear else 0.0
        return self.recipe.rate * (1 - falling)

    def _step(self, network: Network, optimizer: torch.optim.Optimizer, step: Step) -> float:
        loss = network.loss(tensors(step.inputs), torch.from_numpy(step.right), torch.from_numpy(step.wrong))
        if not torch.isfinite(loss):
            raise ResourceError(
                f"the loss is {loss.item()}: training has gone astray",
                where=type(self.layout.model).name(),
                hint="learn more slowly, with a lower --rate",
            )
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if self.recipe.clip is not None:
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.recipe.clip)
        optimizer.step()
        return loss.item()

    def accuracy(self, network: Network, groups: Sequence[Group]) -> float:
        """The share of pairs in which the right variant scores strictly higher."""
        network.eval()
        won = total = 0
        with torch.inference_mode():
            for step in self.layout.held_out(groups, self.recipe.batch):
                scores = network.scores(tensors(step.inputs)).numpy()
                won += int((scores[step.right] > scores[step.wrong]).sum())
                total += len(step.right)
        return won / total


def tensors(inputs: Inputs) -> Arrays:
    return {name: torch.from_numpy(array) for name, array in inputs.items()}


class _Clock:
    """How long the rest will take, from how long epochs took."""

    def __init__(self, epochs: int) -> None:
        self._epochs, self._done = epochs, 0
        self._began = self._told = time.monotonic()

    def done(self) -> None:
        self._done += 1

    def is_time(self) -> bool:
        now = time.monotonic()
        if now - self._told < TOLD_EVERY:
            return False
        self._told = now
        return True

    def left(self, part: float = 0.0) -> str:
        done = self._done + part
        seconds = (time.monotonic() - self._began) / done * (self._epochs - done)
        return f"{seconds / 60:.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"
