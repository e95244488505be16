"""Story: a document, and the same document with another ending.

    given   the wrong endings that the corpus brings, such as HellaSwag's three
    random  the last sentence of another document, of the same part and another origin

Mostafazadeh et al. (2016), A Corpus and Cloze Evaluation for Deeper Understanding of Commonsense Stories; Zellers et
al. (2019), HellaSwag. Everything before the ending is context. Groups whose documents have one origin, such as clips of
one video, are no independent observations: they keep that origin, and are in one part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from coheval.data.groups import Count
from coheval.tasks import Group, LeftOut, Variant
from coheval.tasks._made import MadeTask, Text, own_rng
from coheval.tasks._partners import Partners


@dataclass(frozen=True, kw_only=True)
class Story(MadeTask):
    ending: Literal["given", "random"] = "given"  # the corpus's own, or another document's last sentence

    @property
    def count(self) -> Count:
        return "groups" if self.ending == "given" else "pairs"

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut]:
        root = int(rng.integers(2**63))
        return self._given(texts, root) if self.ending == "given" else self._random(texts, root)

    def _given(self, texts: Sequence[Text], root: int) -> Iterator[Group | LeftOut]:
        endings = [_wrong_endings(text) for text in texts]
        split = iter(self.sentences_of([ending for of_text in endings for ending in of_text]))
        for text, of_text in zip(texts, endings, strict=True):
            given = dict.fromkeys(tuple(one for segment in next(split) for one in segment) for _ in of_text)
            before = text.starts[cast(int, text.document.layers["ending"])] if given else 0
            wrong = [ending for ending in given if ending != text.sentences[before:]]  # spaces may be all that differs
            if not wrong:
                yield LeftOut(text.id, "no wrong endings are given")
                continue
            drawn = own_rng(root, text.id).permutation(len(wrong))[: self.negatives]
            yield self._group(text, before, [wrong[n] for n in sorted(drawn)])

    def _random(self, texts: Sequence[Text], root: int) -> Iterator[Group | LeftOut]:
        partners = Partners(texts)
        for text in texts:
            own = text.sentences[-1]
            found: dict[Variant, None] = {}
            for other in partners.of(text, own_rng(root, text.id)):
                if other.sentences[-1] != own:
                    found[other.sentences[-1:]] = None
                if len(found) == self.negatives:
                    break
            if found:
                yield self._group(text, len(text.sentences) - 1, list(found))
            else:
                yield LeftOut(text.id, "no other document has another ending")

    def _group(self, text: Text, before: int, endings: Sequence[Variant]) -> Group:
        wrong = ((*text.sentences[:before], *ending) for ending in endings)
        return self.grouped(text, wrong, label=self.ending, before=before)


def _wrong_endings(text: Text) -> tuple[Variant, ...]:
    return cast(tuple[Variant, ...], text.document.layers.get("wrong_endings", ()))
