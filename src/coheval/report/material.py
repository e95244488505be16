"""What a report is made of: a result, its texts as far as they can be had, and how the run was made."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from coheval.data import Corpus
from coheval.errors import CohevalError
from coheval.metrics import Metric
from coheval.run.explain import add_evidence
from coheval.run.folder import Made, Plan, read_made, read_plan
from coheval.run.result import Result
from coheval.run.stored import read_run
from coheval.version import __version__

EXPLAINED = 50  # documents of a run without evidence that are explained unless told otherwise


@dataclass
class Material:
    title: str
    result: Result
    made: Made
    repeat: str = ""  # the command that does the run again, if there is one
    notes: list[str] = field(default_factory=list)  # what could not be had
    plan: Plan | None = None  # of a run folder

    def explain(self, documents: Sequence[str], progress: Callable[[int], None] | None = None) -> None:
        """Add evidence of these documents, computed now; where that is impossible, say so."""
        if self.result.corpus is None or not documents:
            return
        try:
            add_evidence(self.result, self.result.corpus, self._metrics(), documents, progress)
        except CohevalError as error:
            self.notes.append(f"scores could not be explained: {error.message}")

    def _metrics(self) -> Mapping[str, Metric]:
        """The metrics as they were, weights and all; raises where they cannot be had again."""
        if self.plan is None:
            return {spec: one.metric for spec, one in self.result.items()}
        folder = self.plan.folder  # where relative paths inside specs begin
        with chdir(folder) if folder.is_dir() else nullcontext():
            return self.plan.metrics()

    def forget_evidence(self, documents: Collection[str]) -> None:
        for one in self.result.values():
            for system, scores in one.by_system.items():
                for document in documents:
                    scores.document_evidence.pop(document, None)
                for position, key in enumerate(self.result.keys_by_system[system]):
                    if key.document in documents:
                        scores.evidence[position] = None

    def about_evidence(self, explained: int, left_out: int) -> str | None:
        """What a reader should know of documents that are not explained."""
        documents = len({key.document for keys in self.result.keys_by_system.values() for key in keys})
        if left_out:
            return f"{left_out:,} documents, where systems differ least, are not explained: the file would be too big"
        if self.result.corpus is None or explained == documents:
            return None
        again = f"; `{self.repeat} --evidence -o NEW` keeps that of all" if self.repeat else ""
        return f"{explained:,} of {documents:,} documents are explained, those where systems differ most{again}"

    @property
    def has_evidence(self) -> bool:
        return any(
            scores.document_evidence or any(scores.evidence)
            for one in self.result.values()
            for scores in one.by_system.values()
        )


def of_result(result: Result) -> Material:
    return Material("scores", result, _made_here(result.corpus))


def of_folder(folder: str | os.PathLike[str]) -> Material:
    """The run in a folder; its texts are read from where the run read them, if they are still what they were."""
    place = Path(folder)
    notes: list[str] = []
    made = read_made(place)
    plan = corpus = None
    try:
        plan = read_plan(place)
        corpus = plan.corpus()
    except CohevalError as error:
        notes.append(f"the texts cannot be shown: {error.message}" + (f" ({error.where})" if error.where else ""))
    result = read_run(place, evidence=corpus is not None)  # which says nothing without its text
    result.corpus = corpus
    repeat = shlex.join(["coheval", "score", "--repeat", os.fspath(folder)])
    return Material(os.fspath(folder), result, made, repeat, notes, plan)


def _made_here(corpus: Corpus | None) -> Made:
    """What can be said of a result of this process."""
    return Made(
        created="",
        command="",
        coheval=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        folder="",
        files={},
        corpus_sha256=corpus.sha256 if corpus else "",
    )
