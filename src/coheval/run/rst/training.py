"""Training of the discourse parser: some networks with different seeds, each at its best epoch on the dev documents.

The loss of a text is that of its borders, - ln P(tree) and - ln P(labels of its nodes). An epoch sees all training
documents, some noisy copies of them, and some single sentences, plain and noisy, each as a text of its own, so that one
parser serves documents and sentences. Everything random comes from the seed; one thread, so that it repeats exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from coheval.annotators._rst.decoding import Label, Labels
from coheval.annotators._rst.network import Network
from coheval.annotators._rst.weights import Trained
from coheval.data.relations import coarse
from coheval.run.rst.evaluation import Figures, measure
from coheval.run.rst.instances import Instance
from coheval.run.rst.network import LogTotal, TorchNetwork

Weights = dict[str, NDArray[np.float32]]
Told = Callable[[str], None]

_SENTENCES = 16  # in a step; a document is a step of its own


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    epochs: int = 12
    rate: float = 1e-3  # of learning; rises for 100 steps, then falls to 0 in a straight line
    dropout: float = 0.35
    inputs: int = 160
    hidden: int = 160
    span: int = 128
    label: int = 224
    noisy_documents: float = 0.3  # shares of what there is that an epoch sees
    sentences: float = 0.5
    noisy_sentences: float = 0.15
    border_weight: float = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    documents: Sequence[Instance]
    noisy_documents: Sequence[Instance]
    sentences: Sequence[Instance]
    noisy_sentences: Sequence[Instance]
    dev_documents: Sequence[Instance]
    dev_sentences: Sequence[Instance]

    def labels(self) -> list[Label]:
        return sorted({(n.nuclearity, coarse(n.relation)) for one in self.documents for n in one.nodes})


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A trained network."""

    seed: int
    epoch: int
    weights: Weights
    figures: Figures  # on the dev documents


def train(examples: Examples, seed: int, recipe: Recipe, tell: Told) -> Member:
    """One network, at the best of the later epochs."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    labels = examples.labels()
    network = _network(examples, labels, recipe)
    optimizer = torch.optim.Adam(network.parameters(), lr=recipe.rate)
    number = {label: k for k, label in enumerate(labels)}
    total = recipe.epochs * len(_steps(examples, recipe, random.Random(seed)))
    best: Member | None = None
    done = 0
    for epoch in range(1, recipe.epochs + 1):
        losses = []
        for step in _steps(examples, recipe, rng):
            done += 1
            rate = recipe.rate * min(1, done / 100) * max(0.02, 1 - done / total)
            losses.append(_step(network, optimizer, step, number, recipe.border_weight, rate))
        message = f"seed {seed}, epoch {epoch} of {recipe.epochs}: loss {np.mean(losses):.3f}"
        if epoch > recipe.epochs // 2:
            member = _member(network, examples, labels, seed, epoch)
            best = max(best or member, member, key=lambda one: one.figures.overall())
            message += f"; {member.figures}"
        tell(message)
    assert best is not None
    return best


def _network(examples: Examples, labels: Sequence[Label], recipe: Recipe) -> TorchNetwork:
    width = examples.documents[0].reading.vectors.shape[1]
    sizes = {"inputs": recipe.inputs, "hidden": recipe.hidden, "span": recipe.span, "label": recipe.label}
    return TorchNetwork(width, len(labels), **sizes, dropout=recipe.dropout)


def _steps(examples: Examples, recipe: Recipe, rng: random.Random) -> list[list[Instance]]:
    """What an epoch sees: documents one by one, sentences some at a time."""

    def some(instances: Sequence[Instance], share: float) -> list[Instance]:
        return rng.sample(instances, round(len(instances) * share))

    steps = [[one] for one in (*examples.documents, *some(examples.noisy_documents, recipe.noisy_documents))]
    sentences = some(examples.sentences, recipe.sentences) + some(examples.noisy_sentences, recipe.noisy_sentences)
    rng.shuffle(sentences)
    steps += [sentences[k : k + _SENTENCES] for k in range(0, len(sentences), _SENTENCES)]
    rng.shuffle(steps)
    return steps


def _step(
    network: TorchNetwork,
    optimizer: torch.optim.Optimizer,
    step: Sequence[Instance],
    number: dict[Label, int],
    border_weight: float,
    rate: float,
) -> float:
    network.train()
    for group in optimizer.param_groups:
        group["lr"] = rate
    words = sum(len(one.borders) for one in step)
    nodes = max(1, sum(len(one.nodes) for one in step))
    loss = torch.zeros(())
    for one in step:
        of_borders, of_tree = _losses(network, one, number)
        loss = loss + border_weight * of_borders / words + of_tree / nodes
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return loss.item()


def _losses(network: TorchNetwork, one: Instance, number: dict[Label, int]) -> tuple[Tensor, Tensor]:
    reading = one.reading
    vectors = torch.from_numpy(reading.vectors).float()
    marks, categories = torch.from_numpy(reading.marks), torch.from_numpy(reading.categories)
    inputs, states = network.read_words(vectors, marks, categories, list(reading.lines))
    of_borders = functional.cross_entropy(network.border(states), torch.from_numpy(one.borders), reduction="sum")
    if not one.nodes:
        return of_borders, torch.zeros(())
    kinds = torch.from_numpy(one.kinds)
    spans, edges = network.spans(inputs, states, torch.from_numpy(one.starts), kinds)
    scores = network.nodes(spans)
    i, k, j = torch.tensor([node[:3] for node in one.nodes]).unbind(1)
    of_tree = LogTotal.apply(scores) - scores[k, i, j].sum()  # type: ignore[no-untyped-call]
    labels = torch.tensor([number.get((n.nuclearity, coarse(n.relation)), -100) for n in one.nodes])
    of_labels = functional.cross_entropy(network.labels(spans, edges, kinds, i, k, j), labels, reduction="sum")
    return of_borders, of_tree + of_labels


def _member(network: TorchNetwork, examples: Examples, labels: Sequence[Label], seed: int, epoch: int) -> Member:
    weights = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    trained = ensemble([weights], labels, encoder="")
    return Member(seed, epoch, weights, measure(trained, examples.dev_documents, examples.dev_sentences))


def ensemble(members: Sequence[Weights], labels: Sequence[Label], encoder: str) -> Trained:
    """Some networks as one parser."""
    return Trained(Network(stacked(members)), Labels.of(labels), encoder)


def stacked(members: Sequence[Weights]) -> Weights:
    """[M, …] by name, in half precision's values, as they are stored."""
    return {name: np.stack([m[name] for m in members]).astype(np.float16).astype(np.float32) for name in members[0]}
