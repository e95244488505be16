"""Groups made from a corpus by a task, kept in a file with where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from coheval.data.groups import Instances
from coheval.data.groupsfile import write_groups
from coheval.data.lines import FilePath
from coheval.tasks import Task
from coheval.tasks import task as build_task


def make(corpora: FilePath | Sequence[FilePath], task: str | Task, output: FilePath, *, seed: int = 0) -> Instances:
    """Makes the groups of a task from files or folders of documents, and writes them to a .jsonl or .jsonl.gz file.

    The same corpora, task and seed give the same bytes. `coheval.bench(output, …)` reads them.
    """
    built = build_task(task)
    paths = [corpora] if isinstance(corpora, str) or not isinstance(corpora, Sequence) else list(corpora)
    made = built.read(paths, np.random.default_rng(seed))
    write_groups(Path(output), made, task=built.signature, seed=seed)
    return made
