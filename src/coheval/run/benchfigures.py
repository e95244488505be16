"""What a bench gives back: accuracies by phenomenon with intervals, and differences between metrics or conditions.

Intervals are those of a bootstrap over origins: groups that were made from one text are drawn together. The p of a
difference is that of the exact sign test over groups on which the two differ (McNemar), which takes groups for
independent: where many share an origin, trust the interval. Where pairs are counted, p is that of the same bootstrap.
"""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.resample import bootstrap_means, interval, two_sided
from coheval.algo.significance import sign_test
from coheval.data.groups import Count, Group, Instances
from coheval.errors import ResourceError, UnknownName, UsageError, did_you_mean
from coheval.run.benchcorpus import Context, Source, variant_name
from coheval.run.benchunits import Unit

if TYPE_CHECKING:
    import pandas

By = Literal["phenomenon", "label", "length"]
Table = Literal["accuracy", "differences", "groups"]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one metric made of all groups under one condition."""

    scores: tuple[tuple[float | None, ...], ...]  # of each group's variants, the right one first
    verdicts: NDArray[np.float64]  # [U] 1 right, 0.5 a tie with the best wrong variant, 0 wrong, NaN left out
    reasons: dict[str, str]  # by group, or pair: why it is left out


@dataclass(frozen=True, kw_only=True)
class Settings:
    by: By
    source: Source | None
    count: Count
    resamples: int
    confidence: float
    seed: int

    def __post_init__(self) -> None:
        for name in ("resamples", "seed"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise UsageError(f"{name} must be a whole number from 0, got {number!r}", hint=f"{name}=1000")
        if not isinstance(self.confidence, int | float) or not 0 < self.confidence < 1:
            raise UsageError(f"confidence must lie between 0 and 1, got {self.confidence!r}", hint="confidence=0.95")
        if self.by not in typing.get_args(By):
            raise UsageError(f"by must be one of {', '.join(typing.get_args(By))}, got {self.by!r}", hint="by='label'")
        if self.count not in typing.get_args(Count):
            raise UsageError(f"count must be groups or pairs, got {self.count!r}", hint="count='pairs'")


@dataclass(frozen=True)
class Accuracy:
    """One metric under one condition; None is an undefined number, and then `reason` says why."""

    metric: str
    context: Context
    phenomenon: str | None  # None: all groups
    accuracy: float | None  # the share of groups, or pairs, whose right variant is strictly the best
    low: float | None
    high: float | None
    accuracy_ties_half: float | None  # the same, where a tie counts half
    chance: float | None  # of a metric that chooses at random: the mean of 1 / number of variants
    right: int
    ties: int
    wrong: int
    left_out: int
    reason: str | None = None


@dataclass(frozen=True)
class Difference:
    """Two accuracies, first − second, over the groups, or pairs, that both score."""

    first: str
    second: str
    phenomenon: str | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None  # two-sided: exact sign test over groups, bootstrap over origins where pairs are counted
    only_first: int  # groups that only the first gets right
    only_second: int
    groups: int
    reason: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Bench:
    task: str  # its signature
    instances: Instances
    units: Sequence[Unit]  # what is judged: groups, or pairs
    cues: dict[str, Outcome]  # what is to be seen without reading, by name; of groups that a program made
    sha256: str  # of all texts that were scored, context from other files included
    outcomes: dict[str, dict[Context, Outcome]]  # by the spec that was asked for, and condition
    signatures: dict[str, str]
    settings: Settings
    notes: list[str] = field(default_factory=list)  # what a reader of the numbers should know

    def __repr__(self) -> str:
        from coheval.run.benchtables import text

        return "\n".join([text(self), *(f"note: {note}" for note in self.notes)])

    @property
    def metrics(self) -> list[str]:
        return list(self.outcomes)

    @property
    def contexts(self) -> list[Context]:
        return list(next(iter(self.outcomes.values())))

    @property
    def phenomena(self) -> list[str]:
        return [name for name in self._members if name is not None]

    @property
    def _one(self) -> str:
        return self.settings.count.removesuffix("s")

    @cached_property
    def _members(self) -> dict[str | None, Mask]:
        """[U] which units are of each phenomenon, in the order of the data, and of all."""
        of_groups = [_column(group, self.settings.by) for group in self.instances.groups]
        names = [of_groups[unit.group] for unit in self.units]
        if self.settings.by == "length":
            return _masks(names, sorted(set(names), key=lambda name: int(name.split()[0])))
        return _masks(names, list(dict.fromkeys(names)))

    @cached_property
    def _origins(self) -> NDArray[np.intp]:
        """[U] a number for each group's origin; a group without one is its own."""
        keys = [("", group.origin) if group.origin else (group.id, "") for group in self.instances.groups]
        numbers = {key: n for n, key in enumerate(dict.fromkeys(keys))}
        return np.array([numbers[keys[unit.group]] for unit in self.units])

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        return np.array([1 / len(unit.variants) for unit in self.units])

    def accuracy(self, metric: str, context: Context, phenomenon: str | None = None) -> Accuracy:
        return self._accuracy(self._outcome(metric, context), metric, context, phenomenon)

    def cue(self, name: str, phenomenon: str | None = None) -> Accuracy:
        """The accuracy of a classifier that sees only this cue."""
        if name not in self.cues:
            raise UnknownName(f"no cue is called {name!r}", hint=f"there are: {', '.join(self.cues) or 'none'}")
        return self._accuracy(self.cues[name], name, "with", phenomenon)

    def _accuracy(self, outcome: Outcome, metric: str, context: Context, phenomenon: str | None) -> Accuracy:
        members = self._of(phenomenon)
        counted = members & ~np.isnan(outcome.verdicts)
        verdicts = outcome.verdicts[counted]
        right, ties = int((verdicts == 1).sum()), int((verdicts == 0.5).sum())
        value, low, high = self._resampled((verdicts == 1).astype(float), counted)
        some = len(verdicts) > 0
        return Accuracy(
            metric=metric,
            context=context,
            phenomenon=phenomenon,
            accuracy=value,
            low=low,
            high=high,
            accuracy_ties_half=float(verdicts.mean()) if some else None,
            chance=float(self._chances[counted].mean()) if some else None,
            right=right,
            ties=ties,
            wrong=len(verdicts) - right - ties,
            left_out=int(members.sum()) - len(verdicts),
            reason=None if some else f"no {self._one} has a score; {self._first_reason(outcome, members)}",
        )

    def _first_reason(self, outcome: Outcome, members: Mask) -> str:
        unit = next(unit for unit, own in zip(self.units, members, strict=True) if own)
        return outcome.reasons[unit.name(self.instances.groups)]

    def difference(
        self, first: tuple[str, Context], second: tuple[str, Context], phenomenon: str | None = None
    ) -> Difference:
        """Of two metrics or conditions: ("chrf", "with"), ("chrf", "without")."""
        for side in (first, second):
            if not isinstance(side, tuple) or len(side) != 2:
                raise UsageError(
                    f"expected a metric and a context, got {side!r}",
                    hint=f"({self.metrics[0]!r}, {self.contexts[0]!r})",
                )
        one, other = self._outcome(*first).verdicts, self._outcome(*second).verdicts
        both = self._of(phenomenon) & ~np.isnan(one) & ~np.isnan(other)
        gains = (one[both] == 1).astype(float) - (other[both] == 1)
        value, low, high = self._resampled(gains, both)
        wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
        return Difference(
            first=" ".join(first),
            second=" ".join(second),
            phenomenon=phenomenon,
            difference=value,
            low=low,
            high=high,
            p=self._p(gains, both, wins, losses),
            only_first=wins,
            only_second=losses,
            groups=len(gains),
            reason=None if len(gains) else f"no {self._one} has both scores",
        )

    def _p(self, gains: NDArray[np.float64], counted: Mask, wins: int, losses: int) -> float | None:
        """Pairs of one document are not independent: a bootstrap over origins has to tell for them."""
        if not len(gains):
            return None
        if self.settings.count == "groups":
            return sign_test(wins, losses)
        p = two_sided(self._means(gains, counted))
        return None if math.isnan(p) else p

    def chance(self, phenomenon: str | None = None) -> float:
        """Of all groups, whether a metric scores them or not."""
        return float(self._chances[self._of(phenomenon)].mean())

    def count(self, phenomenon: str | None = None) -> int:
        return int(self._of(phenomenon).sum())

    def rows(self, table: Table) -> list[dict[str, Any]]:
        """Accuracies, differences between with and without, or all groups, as records."""
        if table not in typing.get_args(Table):
            raise UnknownName(f"no table is called {table!r}", hint=f"one of {', '.join(typing.get_args(Table))}")
        if table == "groups":
            return list(self._group_rows())
        places = [(metric, name) for metric in self.metrics for name in self._members]
        if table == "accuracy":
            return [asdict(self.accuracy(metric, c, name)) for metric, name in places for c in self.contexts]
        return [asdict(found) for name in self._members for found in self.compared(name)]

    def compared(self, phenomenon: str | None = None) -> list[Difference]:
        """What context gives each metric; where there is one condition, the first metric less each other."""
        if len(self.contexts) == 2:
            return [self.gain(metric, phenomenon) for metric in self.metrics]
        first, *others = [(metric, self.contexts[0]) for metric in self.metrics]
        return [self.difference(first, other, phenomenon) for other in others]

    def gain(self, metric: str, phenomenon: str | None = None) -> Difference:
        """What context gives a metric: with − without."""
        return self.difference((metric, "with"), (metric, "without"), phenomenon)

    def to_pandas(self, table: Table = "accuracy") -> pandas.DataFrame:
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame(self.rows(table))

    def to_json(self) -> str:
        groups = self.instances.groups
        content = {
            "task": self.task,
            "settings": asdict(self.settings),
            "files": self.instances.files,
            "sha256": self.sha256,
            "left_out": [asdict(one) for one in self.instances.left_out],
            "metrics": self.signatures,
            "accuracy": self.rows("accuracy"),
            "cues": [asdict(self.cue(cue, name)) for cue in self.cues for name in self._members],
            "differences": self.rows("differences"),
            "groups": [self._group(n, group) for n, group in enumerate(groups)],
            "notes": self.notes,
        }
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)

    def _group(self, n: int, group: Group) -> dict[str, Any]:
        """All that is known of a group but its texts."""
        scores = {m: {c: outcome.scores[n] for c, outcome in of_m.items()} for m, of_m in self.outcomes.items()}
        named = {"id": group.id, "phenomenon": group.phenomenon, "label": group.label, "origin": group.origin}
        return named | {"where": group.where, "scores": scores}

    def _group_rows(self) -> Iterator[dict[str, Any]]:
        """A record for each variant's score."""
        for n, group in enumerate(self.instances.groups):
            for metric, of_metric in self.outcomes.items():
                for context, outcome in of_metric.items():
                    verdicts = self._verdicts(outcome, n)
                    for number, score in enumerate(outcome.scores[n]):
                        yield {
                            "group": group.id,
                            "phenomenon": group.phenomenon,
                            "label": group.label,
                            "metric": metric,
                            "context": context,
                            "variant": variant_name(number),
                            "score": score,
                            "verdict": verdicts[number],
                        }

    @cached_property
    def _unit_numbers(self) -> list[list[int]]:
        """Of each group, what is judged of it."""
        found: list[list[int]] = [[] for _ in self.instances.groups]
        for n, unit in enumerate(self.units):
            found[unit.group].append(n)
        return found

    def _verdicts(self, outcome: Outcome, group: int) -> list[str]:
        """In words, for each variant: that of its group, or of its pair, where the right one has none."""
        words = [_VERDICTS.get(float(outcome.verdicts[n]), "left out") for n in self._unit_numbers[group]]
        return ["", *words] if self.settings.count == "pairs" else words * len(outcome.scores[group])

    def _outcome(self, metric: str, context: Context) -> Outcome:
        if metric not in self.outcomes:
            raise UnknownName(f"no result for {metric!r}", hint=did_you_mean(metric, self.outcomes))
        if context not in self.outcomes[metric]:
            raise UnknownName(f"no result {context!r} context", hint=f"there are: {', '.join(self.contexts)}")
        return self.outcomes[metric][context]

    def _of(self, phenomenon: str | None) -> Mask:
        if phenomenon not in self._members:
            near = did_you_mean(str(phenomenon), self.phenomena)
            raise UnknownName(f"no phenomenon is called {phenomenon!r}", hint=near)
        return self._members[phenomenon]

    def _means(self, values: NDArray[np.float64], counted: Mask) -> NDArray[np.float64]:
        """[1 + R] The mean of the counted units' values, and of resamples if they are of several origins."""
        blocks = np.unique(self._origins[counted], return_inverse=True)[1]
        rng = np.random.default_rng(self.settings.seed)
        return bootstrap_means(values, blocks, self.settings.resamples if blocks.max() else 0, rng)

    def _resampled(self, values: NDArray[np.float64], counted: Mask) -> tuple[float | None, float | None, float | None]:
        """The mean of the counted groups' values, and its interval if they are of several origins."""
        if not len(values):
            return None, None, None
        means = self._means(values, counted)
        low, high = interval(means, self.settings.confidence)
        return float(means[0]), _none(low), _none(high)


_VERDICTS = {1.0: "right", 0.5: "tie", 0.0: "wrong"}


_LENGTHS = (2, 5, 10, 20, 50)  # sentences from which a column begins


def _masks(names: Sequence[str], ordered: Sequence[str]) -> dict[str | None, Mask]:
    found: dict[str | None, Mask] = {name: np.array([n == name for n in names]) for name in ordered}
    return found | {None: np.ones(len(names), dtype=np.bool_)}


def _column(group: Group, by: By) -> str:
    if by == "length":
        size = len(group.right)
        first = max((n for n in _LENGTHS if n <= size), default=1)
        following = min((n for n in _LENGTHS if n > size), default=None)
        if following is None:
            return f"{first} or more"
        return f"{first} to {following - 1}" if following - 1 > first else str(first)
    return f"{group.phenomenon}: {group.label}" if by == "label" and group.label else group.phenomenon


def _none(value: float) -> float | None:
    return None if math.isnan(value) else value
