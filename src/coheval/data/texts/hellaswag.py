"""HellaSwag: JSONL, a context that breaks off and several endings, one of which is right.

Zellers et al. (2019), HellaSwag: Can a Machine Really Finish Your Sentence? A line has `ctx`, `endings`, and `label`,
the number of the right one from 0; `ctx` is "activity: context", or `activity_label` stands beside it. The document is
the activity, the sentences of the context, and those of the right ending; what the context begins and does not end is
the beginning of the ending's first sentence. Sentences are found by punctuation. Two layers are for the task `story`:

    ending         the number of the segment that the ending begins with
    wrong_endings  the segments of each wrong one, which stand in the place of the right one's

Items overlap: a video's captions are the ending of one item and the context of the next. Items of one activity that
share a sentence, or have the same `source_id`, have one origin, so that no part knows a sentence of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coheval.data.groups import LeftOut
from coheval.data.texts._sentences import begun, sentences
from coheval.data.texts._source import Source, with_layers, wrong_field
from coheval.data.types import Document
from coheval.errors import DataError


@dataclass(frozen=True, slots=True)
class _Item:
    id: str
    activity: str
    context: list[str]  # whole sentences
    endings: list[list[str]]  # the sentences of each, the first with what the context begins
    right: int
    source: str  # the video or article, where the corpus names it


def fits(source: Source) -> bool:
    return source.first_has("ctx", "endings")


def documents(source: Source) -> Iterator[Document | LeftOut]:
    found = [_item(values, where, source.title) for values, where in source.objects()]
    items = [one for one in found if isinstance(one, _Item)]
    yield from (one for one in found if isinstance(one, LeftOut))
    for item, origin in zip(items, _origins(items), strict=True):
        document = Document.of(item.id, [item.activity, *item.context, *item.endings[item.right]])
        wrong = tuple(tuple(ending) for n, ending in enumerate(item.endings) if n != item.right)
        layers = {"topic": item.activity, "ending": 1 + len(item.context), "wrong_endings": wrong}
        yield with_layers(document, origin=origin, part=source.part, **layers)


def _item(values: dict[str, object], where: str, title: str) -> _Item | LeftOut:
    activity, context = _activity(values, where)
    endings = values.get("endings")
    if not isinstance(endings, list) or not all(isinstance(text, str) and text.strip() for text in endings):
        raise wrong_field("endings", "a list of texts that are not blank", endings, where)
    if len(set(endings)) < len(endings) or len(endings) < 2:
        raise DataError(
            f"expected two or more endings that differ, got {len(set(endings))} of {len(endings)}",
            where=where,
            hint="leave the line out, or write another ending",
        )
    label = values.get("label")
    if label in (None, ""):
        return LeftOut(where, "no label says which ending is right")
    if not isinstance(label, int) or isinstance(label, bool) or not 0 <= label < len(endings):
        raise wrong_field("label", f"a whole number from 0 to {len(endings) - 1}", label, where)
    number = next((values[name] for name in ("id", "ind") if values.get(name) is not None), where.rpartition(":")[2])
    if not isinstance(number, int | str) or isinstance(number, bool):
        raise wrong_field("id", "text or a whole number", number, where)
    whole, beginning = begun(context)
    joined = [sentences(f"{beginning} {ending.strip()}".strip()) for ending in endings]
    source = values.get("source_id") or ""
    return _Item(f"{title}:{number}", activity, sentences(whole), joined, label, str(source))


def _activity(values: dict[str, object], where: str) -> tuple[str, str]:
    context, activity = values.get("ctx"), values.get("activity_label")
    if not isinstance(context, str) or not context.strip():
        raise wrong_field("ctx", "text that is not blank", context, where)
    if activity is None:
        activity, colon, context = context.partition(": ")
        if not colon:
            raise wrong_field("ctx", "'activity: context', or an activity_label beside it", values["ctx"], where)
    if not isinstance(activity, str) or not activity.strip():
        raise wrong_field("activity_label", "text that is not blank", activity, where)
    return activity.strip(), context


def _origins(items: list[_Item]) -> list[str]:
    """For each item the id of the first one that it is connected with."""
    first: dict[tuple[str, str], int] = {}  # where a sentence, or a source, was met
    above = list(range(len(items)))  # each item's way to the first of those it is connected with

    def top(n: int) -> int:
        while above[n] != n:
            above[n] = above[above[n]]
            n = above[n]
        return n

    for n, item in enumerate(items):
        said = [*item.context, *item.endings[item.right]]
        keys = [(item.activity, text.lower()) for text in said if any(map(str.isalpha, text))]
        for key in [*keys, *([("", item.source)] if item.source else [])]:
            one, other = sorted((top(first.setdefault(key, n)), top(n)))
            above[other] = one
    return [items[top(n)].id for n in range(len(items))]
