"""What a report is made of: a result, its texts as far as they can be had, and how the run was made."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, chdir, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from coheval.data import Corpus
from coheval.errors import CohevalError
from coheval.metrics import Metric
from coheval.metrics import metric as build_metric
from coheval.run.explain import add_evidence
from coheval.run.folder import Made, Plan, read_made, read_plan
from coheval.run.result import MetricResult, Result
from coheval.run.stored import read_run
from coheval.version import __version__

EXPLAINED = 50  # documents that are explained unless told otherwise, where no evidence was kept

Progress = Callable[[int], None]


@dataclass
class Material:
    title: str
    result: Result  # the report's own: its evidence comes and goes
    made: Made
    repeat: str = ""  # the command that does the run again, if there is one
    notes: list[str] = field(default_factory=list)  # what could not be had
    plan: Plan | None = None  # of a run folder

    def explain(self, telling: Sequence[str], most: int | None, progress: Progress | None = None) -> None:
        """Evidence of so many documents, the first of these: what more there is goes, what lacks is computed now."""
        if most is not None:
            self._forget(set(telling[most:]))
        if self.result.corpus is None or (self.plan and self.plan.evidence):
            return
        there = self._documents_with_evidence() | self._documents_without_scores()
        wanted = [document for document in telling[: EXPLAINED if most is None else most] if document not in there]
        if wanted:
            with self._where_it_ran():
                self._add(self._metrics(), wanted, progress)

    def _where_it_ran(self) -> AbstractContextManager[None]:
        """Where relative paths inside specs begin."""
        return chdir(self.plan.folder) if self.plan and self.plan.folder.is_dir() else nullcontext()

    def _metrics(self) -> dict[str, Metric]:
        """The metrics as they were, weights and all, without those that cannot be had again."""
        if self.plan is None:
            return {spec: one.metric for spec, one in self.result.items()}
        found = {}
        for spec, signature in self.plan.signatures.items():
            try:
                found[spec] = build_metric(signature)
            except CohevalError as error:
                self._unexplained(spec, error)
        return found

    def _add(self, metrics: Mapping[str, Metric], documents: Sequence[str], progress: Progress | None) -> None:
        """All metrics together, as they share models; where one of them fails, each by itself."""
        if self.result.corpus is None or not metrics:
            return
        try:
            add_evidence(self.result, self.result.corpus, metrics, documents, progress)
        except CohevalError as error:
            if len(metrics) == 1:
                self._unexplained(next(iter(metrics)), error)
                return
            for spec, metric in metrics.items():
                self._add({spec: metric}, documents, None)

    def _unexplained(self, spec: str, error: CohevalError) -> None:
        self.notes.append(f"{spec} could not be explained: {error.message}")

    def _forget(self, documents: Collection[str]) -> None:
        for one in self.result.values():
            for system, scores in one.by_system.items():
                for document in documents:
                    scores.document_evidence.pop(document, None)
                for position, key in enumerate(self.result.keys_by_system[system]):
                    if key.document in documents:
                        scores.evidence[position] = None

    def _documents_with_evidence(self) -> set[str]:
        found: set[str] = set()
        for one in self.result.values():
            for system, scores in one.by_system.items():
                keys = self.result.keys_by_system[system]
                found.update(scores.document_evidence)
                found.update(key.document for key, own in zip(keys, scores.evidence, strict=True) if own is not None)
        return found

    def _documents_without_scores(self) -> set[str]:
        """Of which there is nothing to explain."""
        scored: set[str] = set()
        for one in self.result.values():
            for scores in one.by_system.values():
                scored.update(document for document, score in scores.documents.items() if score is not None)
        return self._documents() - scored

    def _documents(self) -> set[str]:
        return {key.document for keys in self.result.keys_by_system.values() for key in keys}

    def about_evidence(self, explained: int, left_out: int) -> str | None:
        """What a reader should know of documents that are not explained."""
        documents = len(self._documents())
        whole = explained >= documents - len(self._documents_without_scores())
        if self.result.corpus is None or (whole and not left_out):
            return None
        most = (
            "where systems differ most over all metrics"
            if len(self.result.systems) > 1
            else "those with the worst scores"
        )
        verb = "is" if explained == 1 else "are"
        told = f"{explained:,} of {documents:,} documents {verb} explained, {most}" if explained else _NONE
        return told + self._why_no_more(explained, left_out)

    def _why_no_more(self, explained: int, left_out: int) -> str:
        """More evidence helps where there is room for it."""
        if left_out:
            return f"; with the evidence of {left_out:,}{' more' if explained else ''} the file would be too big"
        kept = self.plan is None or self.plan.evidence
        return "" if kept else f"; `{self.repeat} --evidence -o NEW` keeps evidence of all"


_NONE = "no document is explained"


def of_result(result: Result) -> Material:
    """With a copy whose evidence the report may change: the user's stays as it is."""
    notes = [] if result.corpus is not None else ["the texts cannot be shown: the result was read from a run folder"]
    own = Result(
        {spec: _apart(one, keep=result.corpus is not None) for spec, one in result.items()},
        result.keys_by_system,
        result.notes,
        result.corpus,
    )
    return Material("scores", own, _made_here(result.corpus), notes=notes)


def _apart(one: MetricResult, *, keep: bool) -> MetricResult:
    by_system = {
        system: replace(
            scores,
            evidence=list(scores.evidence) if keep else [None] * len(scores.evidence),
            document_evidence=dict(scores.document_evidence) if keep else {},
        )
        for system, scores in one.by_system.items()
    }
    return replace(one, by_system=by_system)


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
    except OSError as error:  # such as a folder that may not be looked into
        notes.append(f"the texts cannot be shown: {error.strerror} ({error.filename})")
    result = read_run(place, evidence=corpus is not None)  # which says nothing without its text
    result.corpus = corpus
    title = os.fsencode(place).decode("utf-8", "replace")  # a name need not be text
    repeat = shlex.join(["coheval", "score", "--repeat", title]) if corpus is not None else ""
    return Material(title, result, made, repeat, notes, plan)


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
        corpus_sha256="" if corpus is None else corpus.sha256,
    )
