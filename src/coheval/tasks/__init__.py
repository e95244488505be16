"""The contract of a task: where the groups come from between whose variants a metric or a model has to choose.

A group is one right and one or several wrong variants of a place in a document. A task makes groups from documents, by
a rule and a random generator, or reads ready-made ones from files.

    @dataclass(frozen=True, kw_only=True)
    class Backwards(Task):
        \"\"\"The sentences of a document in the wrong order.\"\"\"

        def instances(self, documents, rng):
            return Instances.of(
                Group(id=d.id, phenomenon="order", right=tuple(d), wrong=(tuple(d)[::-1],)) for d in documents
            )
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from coheval.data import Document
from coheval.data.groups import Group, Instances, LeftOut, Variant
from coheval.data.lines import FilePath
from coheval.data.texts import read_texts
from coheval.spec import Component, build

__all__ = ["Group", "Instances", "LeftOut", "Task", "Variant", "task"]


@dataclass(frozen=True, kw_only=True)
class Task(Component):
    """Subclasses are frozen dataclasses whose fields are their parameters."""

    group: ClassVar[str] = "tasks"

    def instances(self, documents: Sequence[Document], rng: np.random.Generator) -> Instances:
        """Groups made from documents; the same generator gives the same groups. What makes none is left out, told."""
        raise NotImplementedError(type(self).__name__)

    def read(self, paths: Sequence[FilePath], rng: np.random.Generator) -> Instances:
        """Groups from files: made from the documents that they hold, unless a task reads groups as they are."""
        texts = read_texts(paths)
        made = self.instances(texts.documents, rng)
        return replace(made, left_out=(*texts.left_out, *made.left_out), files=texts.files)


def task(text: str | Task) -> Task:
    """The task that a spec or a signature names."""
    return text if isinstance(text, Task) else build(Task, text)
