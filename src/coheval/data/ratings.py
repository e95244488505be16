"""Ratings in rows, as objects of JSONL or rows of a table made into such:

    long        {"system": "A", "document": "d1", "aspect": "fluency", "rater": "r1", "value": 4}
    wide        {"system": "A", "document": "d1", "human": {"coherence": 4, "fluency": 5}}
    SummEval    {"model_id": "M0", "id": "d1", "expert_annotations": [{"coherence": 4}, …], "turker_annotations": […]}

The number is called value, score, rating or human, and names the aspect where no other does; the object is called
human, ratings or scores. SummEval's lists may be called expert and turker, and each entry is a rater: expert 1, expert
2, … Which kind counts is a choice; unless one is asked for, experts where there are any.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from coheval.data.fields import shown_value
from coheval.data.judgedrows import Found, Place, names_of, number
from coheval.errors import DataError, UsageError, did_you_mean

NUMBERS = ("value", "score", "rating", "human")
OBJECTS = ("human", "ratings", "scores")
LISTS = {
    "expert_annotations": "expert",
    "expert": "expert",
    "turker_annotations": "turker",
    "turker": "turker",
}
KINDS = ("expert", "turker")  # the first one that a file has counts unless another is asked for


def is_summeval(values: Mapping[str, object]) -> bool:
    return any(isinstance(values.get(name), list) for name in LISTS)


def lists_of(values: Mapping[str, object]) -> dict[str, object]:
    """The lists of a row of SummEval's without its texts."""
    return {name: values[name] for name in LISTS if values.get(name) is not None}


def kind_of_raters(rows: Sequence[Mapping[str, object]], kind: str | None, *, where: str) -> str:
    """Whose ratings count: what was asked for, or the first kind of KINDS that any row has."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"there are no raters of the kind {kind!r}", where=where, hint=did_you_mean(kind, KINDS))
    there = {LISTS[name] for row in rows for name in row}
    if kind is not None and kind not in there:
        raise UsageError(f"there are no annotations by {kind}s", where=where, hint="leave out the choice of raters")
    return kind or next((one for one in KINDS if one in there), KINDS[0])


def take_ratings(
    found: Found,
    place: Place,
    values: Mapping[str, object],
    *,
    aspects: Sequence[str] | None,
    also: Collection[str] = (),
) -> None:
    """The ratings of a long or wide row; `aspects` may name fields of the row that hold one, and then those of `also`
    are ratings too."""
    own = [name for name in aspects or () if name in values]
    if own and place.aspect is None:
        for name in dict.fromkeys((*own, *(name for name in also if name in values))):
            found.rate(place, name, number(values[name], name, where=place.where))
        return
    name = _field(values, where=place.where)
    if not isinstance(values[name], dict):
        found.rate(place, place.aspect or name, number(values[name], name, where=place.where))
        return
    if place.aspect is not None:
        raise DataError(
            f"expected a number for the aspect {place.aspect!r}, got an object in {name!r}",
            where=place.where,
            hint="leave out 'aspect': the names in the object are aspects",
        )
    for aspect, value in names_of(values, name, where=place.where).items():
        found.rate(place, aspect, number(value, f"{name}.{aspect}", where=place.where))


def take_summeval(found: Found, place: Place, values: Mapping[str, object], *, kind: str) -> None:
    """The ratings of one kind of raters."""
    lists = [name for name in values if LISTS[name] == kind]
    if len(lists) != 1:
        raise DataError(
            f"expected one list of {kind}s' annotations, got {', '.join(lists) or 'none'}",
            where=place.where,
            hint=f"every line needs one; or choose other raters: {' or '.join(KINDS)}",
        )
    entries = values[lists[0]]
    if not isinstance(entries, list) or not entries:
        raise DataError(
            f"{lists[0]} must be a list that is not empty, got {shown_value(entries)}",
            where=place.where,
            hint='each rater is an object: [{"coherence": 4}, {"coherence": 5}]',
        )
    for rater, entry in enumerate(entries, start=1):
        name = f"{lists[0]}[{rater - 1}]"
        for aspect, value in names_of({name: entry}, name, where=place.where).items():
            found.rate(place, aspect, number(value, f"{name}.{aspect}", where=place.where), rater=f"{kind} {rater}")


def _field(values: Mapping[str, object], *, where: str) -> str:
    """The field that holds the rating or ratings; two of them could mean different things."""
    given = [name for name in dict.fromkeys((*NUMBERS, *OBJECTS)) if name in values]
    if len(given) == 1:
        return given[0]
    if given:
        raise DataError(
            f"{given[0]!r} and {given[1]!r} could both be the rating",
            where=where,
            hint="rename one of them, or name the fields that are aspects",
        )
    raise DataError(
        f"expected a rating or a preference, got {', '.join(map(repr, list(values)[:20])) or 'nothing'}",
        where=where,
        hint=f"a rating is a number called {', '.join(NUMBERS)} or an object called {', '.join(OBJECTS)}; or name the "
        "fields that are aspects",
    )
