"""Groups: one right and some wrong variants of the same place, between which a metric or a model has to choose.

A variant is a document, as its segments. What all variants of a group share at the beginning and at the end is
context; the segments between are scored, and only these differ.

    Group(id="1", phenomenon="pronoun", right=("The boats came.", "They were late."),
          wrong=(("The boats came.", "It was late."),), before=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from coheval.errors import DataError

Variant = tuple[str, ...]  # the segments of a document
Count = Literal["groups", "pairs"]  # what is judged: the right variant against all wrong ones, or against each of them


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    phenomenon: str
    right: Variant
    wrong: tuple[Variant, ...]
    before: int = 0  # segments at the beginning that are context
    after: int = 0  # segments at the end that are
    label: str = ""  # what kind of the phenomenon it is
    origin: str = ""  # the same for groups that were made from one text, which are no independent observations
    sources: tuple[str, ...] = ()  # one for each segment, or none at all
    references: tuple[tuple[str, ...], ...] = ()  # some for each segment, or none at all
    where: str = ""  # file:line, for errors

    def __post_init__(self) -> None:
        if fault := self._fault():
            raise DataError(f"group {self.id!r}: {fault[0]}", where=self.where or None, hint=fault[1])

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All of them, the right one first."""
        return (self.right, *self.wrong)

    def scored(self, variant: Variant) -> range:
        """Which segments of a variant are scored."""
        return range(self.before, len(variant) - self.after)

    def context_of(self, texts: Variant) -> Variant:
        """Those of a text for each segment, or of none at all, that are beside the context."""
        return (*texts[: self.before], *texts[len(texts) - self.after :]) if texts else ()

    @property
    def has_context(self) -> bool:
        return self.before + self.after > 0

    def _fault(self) -> tuple[str, str] | None:
        """What is wrong with it, and what to do."""
        if not self.wrong:
            return "expected at least one wrong variant, got none", "give a text that is worse than the right one"
        if len(set(self.wrong)) < len(self.wrong):
            return "expected wrong variants that differ, got one of them twice", "leave out the second"
        if self.right in self.wrong:
            return SAME, "leave the group out, or change the wrong variant"
        if min(self.before, self.after) < 0 or not all(self.scored(variant) for variant in self.variants):
            return "expected segments between the context, got none", "at least one segment of a variant is scored"
        if not all(self._same_context(variant) for variant in self.wrong):
            return "expected the same context around all variants, got another", "only scored segments may differ"
        for name, texts in (("sources", self.sources), ("references", self.references)):
            if texts and {len(texts)} != set(map(len, self.variants)):
                return f"expected {name} for each of {len(self.right)} segments, got {len(texts)}", "count the segments"
        return None

    def _same_context(self, variant: Variant) -> bool:
        last, own = len(self.right) - self.after, len(variant) - self.after
        return variant[: self.before] == self.right[: self.before] and variant[own:] == self.right[last:]


SAME = "the right and a wrong variant are the same text"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a reader or a task found and made no group of."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What a task has to tell of the groups that it made, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Instances:
    """Groups and where they come from."""

    groups: tuple[Group, ...]
    left_out: tuple[LeftOut, ...] = ()
    files: dict[str, str] = field(default_factory=dict)  # name -> sha256
    facts: tuple[str, ...] = ()  # what the task tells of them
    count: Count = "groups"  # as their task judges them
    made: bool = False  # by a program, which may leave traces: length and words are looked at, too

    @classmethod
    def of(cls, found: Iterable[Group | LeftOut | Fact], files: dict[str, str] | None = None) -> Self:
        """Groups whose ids differ; at least one."""
        groups: dict[str, Group] = {}
        left_out: list[LeftOut] = []
        facts: list[str] = []
        for one in found:
            if isinstance(one, LeftOut):
                left_out.append(one)
            elif isinstance(one, Fact):
                facts.append(one.text)
            elif one.id in groups:
                raise DataError(
                    f"the id {one.id!r} is given twice; the other is at {groups[one.id].where or 'another place'}",
                    where=one.where or None,
                    hint="give each group an id of its own",
                )
            else:
                groups[one.id] = one
        if not groups:
            told = f": {left_out[0].reason}" if left_out else ""
            raise DataError(
                f"expected at least one group, got none{told}",
                where=left_out[0].where if left_out else None,
                hint="a group is a right variant and a wrong one that differs",
            )
        return cls(tuple(groups.values()), tuple(left_out), files or {}, tuple(facts))

    @classmethod
    def joined(cls, named: Mapping[tuple[str, str], Self]) -> Self:
        """Several sets as one, each under the names of its corpus and its task; a name that all share may be empty."""
        return cls(
            tuple(_named(key, group) for key, one in named.items() for group in one.groups),
            tuple(left for one in named.values() for left in one.left_out),
            {name: sha256 for one in named.values() for name, sha256 in one.files.items()},
            (*(f"{_name(key)}: {fact}" for key, one in named.items() for fact in one.facts), *_counted(named)),
            "pairs" if all(one.count == "pairs" for one in named.values()) else "groups",
            any(one.made for one in named.values()),
        )

    def notes(self) -> Iterator[str]:
        """What was left out and what the task tells, in words."""
        total = len(self.groups) + len(self.left_out)
        for reason in dict.fromkeys(one.reason for one in self.left_out):
            places = [one.where for one in self.left_out if one.reason == reason]
            yield f"{len(places):,} of {total:,} groups are left out: {reason}; the first is at {places[0]}"
        yield from self.facts


def _counted(named: Mapping[tuple[str, str], Instances]) -> Iterator[str]:
    """That some are judged otherwise than their task does it."""
    whole, pairs = ([_name(key) for key, one in named.items() if one.count == by] for by in ("groups", "pairs"))
    if whole and pairs:
        yield (
            f"{', '.join(pairs)}: by itself each pair is judged; beside {', '.join(whole)} whole groups are, "
            "unless count says otherwise"
        )


def _name(key: tuple[str, str]) -> str:
    return ", ".join(filter(None, key))


def _named(key: tuple[str, str], group: Group) -> Group:
    """What several tasks make of one text has one origin."""
    corpus, _ = key
    origin = f"{corpus}: {group.origin or group.id}"
    return replace(group, id=f"{_name(key)}: {group.id}", phenomenon=_name(key), origin=origin)


def shared_ends(variants: Sequence[Variant]) -> tuple[int, int]:
    """How many segments variants have in common at the beginning, and then at the end."""
    shortest = min(map(len, variants))
    before = _common(variants, shortest)
    return before, _common([variant[::-1] for variant in variants], shortest - before)


def _common(variants: Sequence[Variant], limit: int) -> int:
    columns = zip(*variants, strict=False)
    return next((n for n, texts in enumerate(columns) if n == limit or len(set(texts)) > 1), limit)
