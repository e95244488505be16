"""`coheval train comet`: an estimator of quality from judged sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.data.datasets import Dataset, find, kinds
from coheval.encoders import Encoder
from coheval.errors import DataError, UsageError
from coheval.metrics._cometembedded.network import save, stacked
from coheval.run.comet.examples import Judged, inputs
from coheval.run.comet.training import Net, Recipe, Standard, folded, predict, train
from coheval.spec import build

Numbers = NDArray[np.float64]
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What networks say of a group that they have not seen, beside what people say."""

    group: str
    scores: Numbers  # of the texts that were rated
    ratings: Numbers
    pairs: Numbers  # [preferences, 2]: scores of the better and the worse text

    @property
    def pearson(self) -> float | None:
        varied = len(self.scores) > 1 and np.ptp(self.scores) > 0 and np.ptp(self.ratings) > 0
        return float(np.corrcoef(self.scores, self.ratings)[0, 1]) if varied else None

    @property
    def agreed(self) -> float | None:
        """The share of preferences that the networks have the same way round."""
        return float((self.pairs[:, 0] > self.pairs[:, 1]).mean()) if len(self.pairs) else None


def train_comet(
    references: Sequence[str | Path],
    sources: Sequence[str | Path] = (),
    *,
    output: Path | None = None,
    seeds: Sequence[int] = (1, 2, 3),
    recipe: Recipe | None = None,
    hold_out: Callable[[str], bool] = lambda group: False,
    tell: Told = lambda message: None,
) -> list[Held]:
    """Train on judged sets, candidates beside their references, or beside their sources where these are English.

    Writes the networks of all seeds as one model, and gives what such networks say of groups when these are held out,
    one at a time, with all judgements beside the same references: those that `hold_out` is true of.
    """
    recipe = recipe or Recipe()
    if len(set(seeds)) < len(seeds) or min(seeds, default=-1) < 0:
        raise UsageError(f"seeds must be different whole numbers from 0, got {list(seeds)}", hint="1 2 3")
    judged = Judged()
    for folder in references:
        judged.add(_dataset(folder), "reference")
    for folder in sources:
        judged.add(_dataset(folder), "source")
    if not judged.pairs:
        raise DataError("there are no judgements of single texts to learn from", hint="name a judged set with ratings")
    held_out = [group for group in dict.fromkeys([*judged.rated_groups, *judged.preferred_groups]) if hold_out(group)]
    for group in held_out:
        _usable(judged, np.ones(len(judged.pairs), dtype=np.bool_), group)  # told before minutes of work
    encoder = build(Encoder, "minilm")
    seen = inputs(list(judged.pairs), encoder, tell)
    if not seen.scored.all():
        tell(f"left out: {int((~seen.scored).sum()):,} pairs with an empty or very long text")
    standard = Standard.of(seen)

    def networks(without: str | None) -> list[Net]:
        usable = _usable(judged, seen.scored, without)
        tell(f"training {len(seeds)} networks" + (f" without {without}" if without else ""))
        return [train(judged, standard, usable, seed, recipe) for seed in seeds]

    found = [_held(judged, standard, group, networks(group)) for group in held_out]
    if output is not None:
        members = networks(None)
        save(output, stacked([folded(net, standard) for net in members]), encoder.digest() or "")
    return found


def _dataset(folder: str | Path) -> Dataset:
    found = find(folder)
    if found is None:
        known = ", ".join(kind.__name__.lower() for kind in kinds())
        raise DataError("the folder holds no judged set that is known", where=str(folder), hint=f"known: {known}")
    return found


def _usable(judged: Judged, scored: NDArray[np.bool_], held_out: str | None) -> NDArray[np.bool_]:
    """[pairs] True where a network may learn from a pair."""
    usable = scored & judged.apart(held_out) if held_out else scored
    preferred = np.array(judged.preferred, dtype=np.int64).reshape(-1, 2)
    if not usable[np.array(judged.rated, dtype=np.int64)].any() and not usable[preferred].all(axis=1).any():
        raise DataError(
            "nothing is left to learn from" + (f" without {held_out} and its references" if held_out else ""),
            hint="cross-validation needs judgements of several language pairs or documents"
            if held_out
            else "are texts empty?",
        )
    return usable


def _held(judged: Judged, standard: Standard, group: str, nets: Sequence[Net]) -> Held:
    scored = standard.inputs.scored
    of_group = [n for n, name in enumerate(judged.rated_groups) if name == group and scored[judged.rated[n]]]
    preferred = [
        pair
        for pair, name in zip(judged.preferred, judged.preferred_groups, strict=True)
        if name == group and scored[list(pair)].all()
    ]

    def score(pairs: Sequence[int]) -> Numbers:
        numbers = np.array(pairs, dtype=np.int64)
        return np.mean([predict(net, standard, numbers) for net in nets], axis=0) if pairs else np.zeros(0)

    return Held(
        group,
        score([judged.rated[n] for n in of_group]),
        np.array([judged.ratings[n] for n in of_group]),
        score([number for pair in preferred for number in pair]).reshape(-1, 2),
    )
