"""Probes of coherence: JSONL with a coherent text `pos` and an incoherent one `neg`, as lists of sentences.

What both have in common at the beginning and at the end is context. Where they have different numbers of sentences,
everything after the common beginning is scored, as one text with a sentence a line. The phenomenon is the file's name.
Groups with the same `reference_file`, the text or the prompt that they were made from, have one origin.

Beside LMvLM is a file of labels by people, `LMvLM_annotations.jsonl`: there, pos is no better than neg, and the label
of the majority says which is right, 0 for pos and 1 for neg. Any file with such a file beside it is read so. Texts that
both go on from the same prompt are refused without one, as nothing else says which is better.

Jwalapuram et al. (2022), Rethinking Self-Supervision Objectives for Generalizable Coherence Modeling; the probes are
from Shen et al. (2021), Evaluating Document Coherence Modeling.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import repeat, zip_longest
from pathlib import Path

from coheval.data.contrastive import Surroundings
from coheval.data.contrastive._content import Content, load
from coheval.data.contrastive._entry import Entry
from coheval.data.groups import SAME, Group, LeftOut, Variant, shared_ends
from coheval.errors import DataError

_PREFIX = "lingprobe_insted_"

NEEDS_DOCUMENTS = False


def fits(content: Content) -> bool:
    return not content.keyed and content.has("pos", "neg")


def groups(content: Content, around: Surroundings) -> Iterator[Group | LeftOut]:
    phenomenon = content.stem.removeprefix(_PREFIX).replace("_", " ")
    for entry, negative_is_right in _labelled(content):
        texts = [entry.texts("pos"), entry.texts("neg")]
        right, wrong = texts[::-1] if negative_is_right else texts
        if negative_is_right is None:
            yield LeftOut(entry.where, "as many people prefer the one as the other")
        elif not any(map(str.strip, right)) or not any(map(str.strip, wrong)):
            yield LeftOut(entry.where, "one of the texts is empty")
        elif right == wrong:
            yield LeftOut(entry.where, SAME)
        else:
            yield _group(entry, right, wrong, phenomenon, content.id_of(entry))


def _group(entry: Entry, right: Variant, wrong: Variant, phenomenon: str, id: str) -> Group | LeftOut:
    before, after = shared_ends([right, wrong])
    if len(right) != len(wrong):
        if before == min(len(right), len(wrong)):
            return LeftOut(entry.where, "one text is the beginning of the other")
        right, wrong = ((*text[:before], "\n".join(text[before:])) for text in (right, wrong))
        after = 0
    return Group(
        id=id,
        phenomenon=phenomenon,
        right=right,
        wrong=(wrong,),
        before=before,
        after=after,
        origin=entry.name("reference_file", ""),
        where=entry.where,
    )


def _labelled(content: Content) -> Iterator[tuple[Entry, bool | None]]:
    """Each entry and whether its negative text is the right one; None where people do not say."""
    path = Path(content.name).with_name(f"{content.stem}_annotations.jsonl")
    if not os.path.exists(path):
        _refuse_continuations(content.entries[0], path)
        yield from zip(content.entries, repeat(False))
        return
    labelled = load(path)
    content.files.update(labelled.files)
    for position, (entry, labels) in enumerate(zip_longest(content.entries, labelled.entries)):
        if entry is None or labels is None:
            raise DataError(
                f"expected labels for each of {len(content.entries):,} entries of {content.name}, got "
                + ("more" if entry is None else "fewer"),
                where=str(path),
                hint="are both files whole?",
            )
        if str(labels.values.get("i", position)) != str(position):
            raise DataError(
                f"expected the labels of entry {position}, got those of {labels.values['i']}",
                where=labels.where,
                hint="labels stand in the order of the texts",
            )
        yield entry, _majority(labels)


def _refuse_continuations(entry: Entry, labels: Path) -> None:
    prompt = entry.values.get("reference_file")  # a number, or the name of a file, in other sets
    if (
        isinstance(prompt, str)
        and prompt.strip()
        and all(" ".join(entry.texts(side)).startswith(prompt) for side in ("pos", "neg"))
    ):
        raise DataError(
            "pos and neg both go on from the prompt in reference_file, so that labels must say which is better; "
            f"expected a file {labels.name} beside it, got none",
            where=entry.where,
            hint="put LMvLM_annotations.jsonl there by that name; where pos is known to be right, drop reference_file",
        )


def _majority(entry: Entry) -> bool | None:
    labels = entry.texts("labels")
    if not labels or not set(labels) <= {"0", "1"}:
        raise entry.error("labels", 'a list of "0" and "1"')
    balance = labels.count("1") - labels.count("0")
    return None if balance == 0 else balance > 0
