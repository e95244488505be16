"""What people said of texts: ratings on a scale, and preferences between two systems.

A rating is of a system as a whole, of a document or of a segment, by one rater or by nobody in particular (a published
mean). A preference says which of two systems' texts of one document or segment is better, or that they are equally
good; the same pair may be judged several times, and every judgement counts. Ratings of one key, aspect and rater must
be unique: two of them would be averaged or overwritten in silence.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from coheval.errors import DataError, UsageError, did_you_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Unit = tuple[str, str | None, int | None]  # system, document, segment


@dataclass(frozen=True, slots=True)
class Rating:
    """A number that a rater gave."""

    system: str
    document: str | None  # None: the system as a whole
    segment: int | None  # None: the whole document
    aspect: str
    value: float
    rater: str | None = None
    where: str = ""  # file:line, for errors

    @property
    def unit(self) -> Unit:
        return self.system, self.document, self.segment


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two systems a rater found better; of a tie the two are equally good, in any order."""

    better: str
    worse: str
    document: str
    segment: int | None
    aspect: str
    rater: str | None = None
    tie: bool = False
    where: str = ""


@dataclass(frozen=True)
class Judgements:
    """Ratings and preferences, checked when they are put together."""

    ratings: Sequence[Rating] = ()
    preferences: Sequence[Preference] = ()
    lower_is_better: frozenset[str] = frozenset()  # aspects whose ratings run the other way, such as penalties
    groups: Mapping[str, str] = field(default_factory=dict)  # document -> language pair or domain
    missing: int = 0  # values that were read and are None

    def __post_init__(self) -> None:
        for rating in self.ratings:
            _refuse_no_number(rating)
        for preference in self.preferences:
            _refuse_itself(preference)
        self._refuse_twice()
        for aspect in sorted(self.lower_is_better):
            self._check_aspect(aspect)

    def aspects(self) -> list[str]:
        """In order of appearance, those of ratings first."""
        rated = dict.fromkeys(rating.aspect for rating in self.ratings)
        return list(rated | dict.fromkeys(preference.aspect for preference in self.preferences))

    def means(self, aspect: str) -> dict[Unit, float]:
        """The mean over raters of each unit, turned so that higher is better; empty without ratings of the aspect."""
        self._check_aspect(aspect)
        values: defaultdict[Unit, list[float]] = defaultdict(list)
        for rating in self.ratings:
            if rating.aspect == aspect:
                values[rating.unit].append(rating.value)
        sign = -1.0 if aspect in self.lower_is_better else 1.0
        return {unit: sign * math.fsum(found) / len(found) for unit, found in values.items()}

    def raters(self, aspect: str) -> tuple[list[str | None], NDArray[np.float64]]:
        """The raters, and their ratings as they gave them: [raters, units], NaN where a rater has none.

        Units stand in the order of `means`; ratings of nobody in particular are the rater None.
        """
        import numpy as np

        place = {unit: n for n, unit in enumerate(self.means(aspect))}
        found = [rating for rating in self.ratings if rating.aspect == aspect]
        row = {rater: n for n, rater in enumerate(dict.fromkeys(rating.rater for rating in found))}
        table = np.full((len(row), len(place)), np.nan)  # [raters, units]
        for rating in found:
            table[row[rating.rater], place[rating.unit]] = rating.value
        return list(row), table

    def preferences_of(self, aspect: str) -> list[Preference]:
        """The preferences of one aspect, ties among them."""
        self._check_aspect(aspect)
        return [preference for preference in self.preferences if preference.aspect == aspect]

    def _check_aspect(self, aspect: str) -> None:
        known = self.aspects()
        if aspect not in known:
            raise UsageError(f"nothing is judged for the aspect {aspect!r}", hint=did_you_mean(aspect, known))

    def _refuse_twice(self) -> None:
        seen: dict[tuple[Unit, str, str | None], Rating] = {}
        for rating in self.ratings:
            other = seen.setdefault((rating.unit, rating.aspect, rating.rater), rating)
            if other is not rating:
                raise DataError(
                    f"{_named(rating)} is rated twice; the other is {_at(other.where)}",
                    where=rating.where or None,
                    hint="name the document and the rater of each, or keep one of them",
                )


def _refuse_no_number(rating: Rating) -> None:
    if not math.isfinite(rating.value):
        raise DataError(
            f"expected a finite number as rating of {rating.aspect!r}, got {rating.value}",
            where=rating.where or None,
            hint="leave the rating out, or write null, where there is none",
        )


def _refuse_itself(preference: Preference) -> None:
    if preference.better == preference.worse:
        raise DataError(
            f"expected two systems, got {preference.better!r} compared with itself",
            where=preference.where or None,
            hint="leave the pair out",
        )


def _named(rating: Rating) -> str:
    """What a rating is of, in words."""
    parts = [f"{rating.aspect!r} of system {rating.system!r}"]
    if rating.document is not None:
        parts.append(f"document {rating.document!r}")
    if rating.segment is not None:
        parts.append(f"segment {rating.segment}")
    return ", ".join(parts) + (f" by rater {rating.rater!r}" if rating.rater is not None else "")


def _at(where: str) -> str:
    return f"at {where}" if where else "before it"
