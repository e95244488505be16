"""The contract of a task, and the task that reads ready-made sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval import registry
from coheval.data import Document
from coheval.errors import SpecError, UsageError
from coheval.tasks import Group, Instances, LeftOut, Task, task


@dataclass(frozen=True, kw_only=True)
class Shuffled(Task):
    """Sentences in any other order."""

    least: int = 2

    def instances(self, documents: Sequence[Document], rng: np.random.Generator) -> Instances:
        return Instances.of(self._made(document, rng) for document in documents)

    def _made(self, document: Document, rng: np.random.Generator) -> Group | LeftOut:
        sentences = tuple(text or "" for text in document)
        if len(set(sentences)) < self.least:
            return LeftOut(document.id, "too short")
        drawn = sentences
        while drawn == sentences:
            drawn = tuple(sentences[n] for n in rng.permutation(len(sentences)))
        return Group(id=document.id, phenomenon="order", right=sentences, wrong=(drawn,))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    lines = [f'{{"document": "{d}", "segment": {n}, "candidate": "{d}{n}"}}' for d in "ab" for n in range(6)]
    path.write_text("\n".join([*lines, '{"document": "c", "segment": 0, "candidate": "alone"}']), encoding="utf-8")
    return path


def test_a_task_makes_groups_of_documents(corpus: Path) -> None:
    made = Shuffled().read([corpus], np.random.default_rng(1))
    assert [group.id for group in made.groups] == ["a", "b"]
    assert made.left_out == (LeftOut("c", "too short"),)
    assert made.files.keys() == {str(corpus)}
    assert made == Shuffled().read([corpus], np.random.default_rng(1))
    assert made != Shuffled().read([corpus], np.random.default_rng(2))


def test_a_bench_of_a_task_that_makes_groups(corpus: Path) -> None:
    found = coheval.bench(corpus, "rc", task=Shuffled(least=3), resamples=10, seed=5)
    assert found.task == "shuffled(version=1, least=3)"
    assert found.count() == 2
    assert found.notes[0].startswith("1 of 3 groups are left out: too short")
    assert found.instances == Shuffled(least=3).read([corpus], np.random.default_rng(5))


def test_contrastive_makes_none_of_documents() -> None:
    with pytest.raises(UsageError, match="reads ready-made groups and makes none from documents"):
        task("contrastive").instances([], np.random.default_rng(0))
    with pytest.raises(SpecError, match="sentences must be at least 1, got 0"):
        task("contrastive(sentences=0)")


@pytest.mark.parametrize("name", registry.names("tasks"))
def test_signatures_name_tasks(name: str) -> None:
    made = task(name)
    assert task(made.signature) == made
    assert task(made) is made
