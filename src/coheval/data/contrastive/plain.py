"""coheval's own format: JSONL, one group a line.

    right              the right text, required; a list of texts if it has several segments
    wrong              a list of wrong ones, required; a single one may be a text; each is a list if right is, and a
                       number in it is that segment of the right one, from 0
    context, after     lists of the segments before and behind them
    id                 text or a whole number; the file's name and the line's number where it is not given
    phenomenon, label  what it tests, and of which kind; phenomenon is "all" where it is not given
    origin             the same for groups that were made from one text
    source             of the segment; source_context, source_after: of those around it
    references         a list, of the segment; reference_context, reference_after: a text for each of those around it

Where a source is given and none for the context, the context has no source to be read with. Where references are given
and none for the context, which is not scored, the context is its own reference. A right text of several segments has
neither. What `coheval make` writes begins with a header (`data.groupsfile`), which is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from coheval.data.contrastive import Surroundings
from coheval.data.contrastive._content import Content
from coheval.data.contrastive._entry import Entry
from coheval.data.groups import Fact, Group, Variant
from coheval.data.groupsfile import check_header, is_header
from coheval.errors import DataError

FIELDS = (
    "right wrong context after id phenomenon label origin source source_context source_after references "
    "reference_context reference_after"
).split()

NEEDS_DOCUMENTS = False


def fits(content: Content) -> bool:
    return not content.keyed and (content.has("right") or content.has("wrong") or is_header(content.entries[0].values))


def groups(content: Content, around: Surroundings) -> Iterator[Group | Fact]:
    first, *rest = content.entries
    if not is_header(first.values):
        yield from (_group(entry, content.id_of(entry)) for entry in content.entries)
        return
    found = [_group(entry, content.id_of(entry)) for entry in rest]
    negatives = sum(len(group.wrong) for group in found)
    check_header(first.values, groups=len(found), negatives=negatives, where=first.where)
    yield from found
    yield from map(Fact, first.texts("facts"))


def group_of(values: Mapping[str, object], *, number: int, where: str) -> Group:
    """The group that plain values in Python make."""
    return _group(Entry(dict(values), where, str(number)), str(number))


def _group(entry: Entry, default_id: str) -> Group:
    _refuse_misspelt(entry)
    before, after = entry.texts("context"), entry.texts("after")
    right, wrong = _several(entry) if isinstance(entry.values.get("right"), list | tuple) else _single(entry)
    return Group(
        id=entry.name("id", default_id),
        phenomenon=entry.name("phenomenon", "all"),
        right=(*before, *right, *after),
        wrong=tuple((*before, *texts, *after) for texts in wrong),
        before=len(before),
        after=len(after),
        label=entry.name("label", ""),
        origin=entry.name("origin", ""),
        sources=_sources(entry, before, after),
        references=_references(entry, before, after),
        where=entry.where,
    )


def _single(entry: Entry) -> tuple[Variant, list[Variant]]:
    """Of one segment each."""
    given = entry.text("wrong") if isinstance(entry.values.get("wrong"), str) else None
    texts = entry.texts("wrong") if given is None else (given,)
    if not texts or not all(text.strip() for text in texts):
        raise entry.error("wrong", "one or several texts that are not blank")
    return (entry.text("right"),), [(text,) for text in texts]


def _several(entry: Entry) -> tuple[Variant, list[Variant]]:
    """Of several segments each; none of them has a source or references of its own."""
    right, wrong = entry.texts("right"), entry.values.get("wrong")
    if not right or not all(text.strip() for text in right):
        raise entry.error("right", "a list of texts that are not blank")
    if not isinstance(wrong, list | tuple) or not wrong:
        raise entry.error("wrong", "a list of lists of texts, as right is a list")
    for name in ("source", "references"):
        if entry.values.get(name):
            raise entry.error(name, "left out, as right has several segments")
    return right, [_segments(variant, right, entry) for variant in wrong]


def _segments(variant: object, right: Variant, entry: Entry) -> Variant:
    if not isinstance(variant, list | tuple) or not variant:
        raise entry.error("wrong", "a list of lists of texts, as right is a list")
    return tuple(_segment(one, right, entry) for one in variant)


def _segment(one: object, right: Variant, entry: Entry) -> str:
    if isinstance(one, str) and one.strip():
        return one
    if isinstance(one, int) and not isinstance(one, bool) and 0 <= one < len(right):
        return right[one]
    raise entry.error("wrong", f"lists of texts that are not blank, or numbers from 0 to {len(right) - 1}")


def _sources(entry: Entry, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    given = entry.values.get("source") is not None
    earlier = _beside(entry, "source_context", before, given=given, needs="source") or ("",) * len(before)
    later = _beside(entry, "source_after", after, given=given, needs="source") or ("",) * len(after)
    return (*earlier, entry.text("source"), *later) if given else ()


def _references(entry: Entry, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    texts = entry.texts("references")
    earlier = _beside(entry, "reference_context", before, given=bool(texts), needs="references") or before
    later = _beside(entry, "reference_after", after, given=bool(texts), needs="references") or after
    if not texts:
        return ()
    each = len(texts)  # all references stand in the same context
    return (*((text,) * each for text in earlier), texts, *((text,) * each for text in later))


def _beside(entry: Entry, name: str, context: tuple[str, ...], *, given: bool, needs: str) -> tuple[str, ...]:
    """A text for each segment of context, if there are any."""
    texts = entry.texts(name)
    if texts and not given:
        raise DataError(f"{name} goes with {needs}, got none", where=entry.where, hint=f"give {needs}, too")
    if texts and len(texts) != len(context):
        raise DataError(
            f"{name} must have a text for each of {len(context)} segments of context, got {len(texts)}",
            where=entry.where,
            hint="an empty text keeps the place of one that is missing",
        )
    return texts


def _refuse_misspelt(entry: Entry) -> None:
    for name in entry.values:
        near = [] if name in FIELDS else get_close_matches(name.strip().lower(), FIELDS, n=1, cutoff=0.8)
        if near and near[0] not in entry.values:
            raise DataError(
                f"{name!r} is not a known field",
                where=entry.where,
                hint=f"did you mean {near[0]!r}? rename it, or choose a less similar name for a field of your own",
            )
