"""`coheval train coherence`: a model from corpora and the tasks that make groups of them.

Groups to learn from are made of the training part, those by which the best epoch is chosen of the development part. The
test part is read from the files with the rest, and then left alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from coheval.data import Document
from coheval.data.filenames import with_short_names
from coheval.data.groups import Group
from coheval.data.lines import FilePath
from coheval.data.parts import Part, of_part
from coheval.data.texts import Texts, read_texts
from coheval.errors import UsageError
from coheval.models import model as model_of
from coheval.models._inputs import Readings
from coheval.models._recipe import Recipe
from coheval.models._trained import TrainedModel
from coheval.run.coherence.examples import Layout
from coheval.run.coherence.export import example, export
from coheval.run.coherence.training import TOLD_EVERY, Trained, Training
from coheval.tasks import task as task_of
from coheval.tasks._made import MadeTask
from coheval.version import __version__

Told = Callable[[str], None]

_HELD_OUT = 5  # wrong variants of a held-out group, at most: the accuracy needs many documents rather than many of one


class Learnt(Protocol):
    """What is learnt from."""

    @property
    def seed(self) -> int: ...

    @property
    def fresh(self) -> bool: ...

    def training(self, epoch: int) -> list[Group]:
        """The groups of an epoch."""
        ...

    def held_out(self) -> list[Group]:
        """Those by which the best epoch is chosen."""
        ...

    def provenance(self) -> dict[str, object]:
        """What it was made of, for the model's file."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """Some corpora, and tasks that make groups of them."""

    texts: Texts
    tasks: tuple[MadeTask, ...]
    seed: int = 1
    max_documents: int = 3_000  # of the training part, drawn
    max_held_out: int = 500  # of the development part, drawn
    fresh: bool = False  # whether each epoch has wrong variants of its own

    @classmethod
    def of(
        cls,
        paths: Sequence[FilePath],
        tasks: Sequence[str],
        *,
        seed: int = 1,
        max_documents: int = 3_000,
        max_held_out: int = 500,
        fresh: bool = False,
    ) -> Lesson:
        """From files, and specs of tasks."""
        made = tuple(map(_task, tasks))
        return cls(
            texts=read_texts(paths),
            tasks=made,
            seed=seed,
            max_documents=max_documents,
            max_held_out=max_held_out,
            fresh=fresh,
        )

    def training(self, epoch: int) -> list[Group]:
        documents = self._documents("train", self.max_documents)
        return self._groups(documents, self.tasks, (self.seed, 1, epoch if self.fresh else 0))

    def held_out(self) -> list[Group]:
        tasks = [replace(task, negatives=min(task.negatives, _HELD_OUT)) for task in self.tasks]
        return self._groups(self.held_out_documents(), tasks, (self.seed, 2))

    def held_out_documents(self) -> list[Document]:
        return self._documents("dev", self.max_held_out)

    def provenance(self) -> dict[str, object]:
        return {
            "tasks": [task.signature for task in self.tasks],
            "files": with_short_names(self.texts.files),
            "documents": len(self._documents("train", self.max_documents)),
            "held_out_documents": len(self.held_out_documents()),
            "fresh": self.fresh,
        }

    def _documents(self, part: Part, most: int) -> list[Document]:
        documents = of_part(self.texts.documents, part)
        if most >= len(documents):
            return documents
        chosen = np.random.default_rng(self.seed).permutation(len(documents))[:most]
        return [documents[number] for number in sorted(chosen)]

    def _groups(self, documents: Sequence[Document], tasks: Sequence[MadeTask], seed: tuple[int, ...]) -> list[Group]:
        return [
            group
            for number, task in enumerate(tasks)
            for group in task.instances(documents, np.random.default_rng((*seed, number))).groups
        ]


def learner(spec: str) -> TrainedModel:
    """The model that a spec names, if it is one that is trained."""
    named = model_of(spec)
    if not isinstance(named, TrainedModel):
        raise UsageError("this model is not trained", where=named.name(), hint="`coheval list` shows others")
    if named.file is not None:
        raise UsageError("a model is trained from the beginning", where=named.name(), hint="leave file=… out")
    return named


def _task(spec: str) -> MadeTask:
    named = task_of(spec)
    if not isinstance(named, MadeTask):
        raise UsageError(
            f"{named.name()} makes no groups of documents", where=named.name(), hint="take order, topic or story"
        )
    if named.part != "all":
        raise UsageError(
            f"training takes the parts train and dev by itself, got part={named.part}",
            where=named.name(),
            hint=f"leave part={named.part} out",
        )
    return named


def train_coherence(
    lesson: Learnt,
    model: TrainedModel,
    output: Path,
    *,
    recipe: Recipe,
    resume: bool = False,
    overwrite: bool = False,
    sentences: Readings | None = None,
    tell: Told = lambda message: None,
) -> Trained:
    """Train a model that has no file yet, and write its file; beside it, a checkpoint after each epoch until then.

    Several trainings on the same texts may share `sentences`, which are read once.
    """
    checkpoint = output.with_suffix(".checkpoint.safetensors")
    if checkpoint.exists() and not resume and not overwrite:
        raise UsageError(
            "a training was stopped here", where=str(checkpoint), hint="go on with --resume, or add --overwrite"
        )
    sentences = sentences or model.new_readings()
    held_out, first = lesson.held_out(), lesson.training(1)
    rights = [group.right for group in first]
    model.sizes(1, recipe.hidden, rights)  # a width that cannot be is refused before the long reading
    tell(f"{len(first):,} groups to learn from, {len(held_out):,} held out; reading their sentences")
    sentences.add((variant for group in (*held_out, *first) for variant in group.variants), _reading(tell))
    sizes = model.sizes(sentences.width, recipe.hidden, rights)
    layout = Layout(model, sizes, sentences)
    held_out, first = layout.fitting(held_out, tell), layout.fitting(first, tell)

    def groups(epoch: int) -> list[Group]:
        if not lesson.fresh:
            return first
        found = lesson.training(epoch)
        sentences.add(variant for group in found for variant in group.variants)
        return layout.fitting(found)

    training = Training(
        layout, groups, held_out, recipe, lesson.seed, checkpoint, {"learnt_from": lesson.provenance()}, tell
    )
    trained = training.run(resume=resume)
    facts = {
        "model": model.name(),
        **model.read_by(),
        "sizes": sizes,
        "learnt_from": lesson.provenance(),
        "seed": lesson.seed,
        "recipe": asdict(recipe),
        "epochs": trained.epochs,
        "epoch": trained.epoch,
        "held_out_accuracy": round(trained.accuracy, 6),
        "coheval": __version__,
    }
    export(trained.network, model.arrange(example(sentences.width), sizes), model.outputs, facts, output)
    checkpoint.unlink(missing_ok=True)
    return trained


def _reading(tell: Told) -> Callable[[int, int], None]:
    """Tells now and then how far the reading of sentences is."""
    told = time.monotonic()

    def advance(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY:
            told = time.monotonic()
            tell(f"{done:,} of {total:,} sentences are read")

    return advance
