"""What a bench judges: groups as a whole, or each of their wrong variants against the right one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coheval.data.groups import Count, Group
from coheval.run.benchcorpus import variant_name


@dataclass(frozen=True, slots=True)
class Unit:
    group: int  # its number
    variants: tuple[int, ...]  # numbers of those that are compared, the right one, 0, first
    pair: bool

    def name(self, groups: Sequence[Group]) -> str:
        id = groups[self.group].id
        return f"{id}/{variant_name(self.variants[1])}" if self.pair else id


def units(groups: Sequence[Group], count: Count) -> list[Unit]:
    """In the order of the groups."""
    if count == "groups":
        return [Unit(n, tuple(range(len(group.variants))), False) for n, group in enumerate(groups)]
    return [Unit(n, (0, 1 + wrong), True) for n, group in enumerate(groups) for wrong in range(len(group.wrong))]
