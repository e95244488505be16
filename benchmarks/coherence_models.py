"""The four models of the papers, trained on shared data for the comparison in docs/results.md.

    python benchmarks/coherence_models.py                  what is not there yet: about an hour and a half on one core
    python benchmarks/coherence_models.py --only dialogue  this corpus

They go to the folder `coherence` in $COHEVAL_BENCH_HOME, or coheval-bench in the user's cache folder. All read the last
layer of minilm, and learn from fewer documents than the papers' did, so that it can be done on one core.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from coheval.models._inputs import Sentences
from coheval.run.coherence.train import Lesson, learner, train_coherence
from peers.install import HOME

FOLDER = HOME / "coherence"
MODELS = {"unc": {"epochs": 3}, "parseq": {"epochs": 4}, "sentavg": {"epochs": 4}, "cohlstm": {"epochs": 3}}


@dataclass(frozen=True)
class Corpus:
    files: tuple[str, ...]
    tasks: tuple[str, ...]
    documents: int


_DIALOGUE = ("self_dialogue/self_dialogue.jsonl.gz",)
CORPORA = {
    "dialogue": Corpus(_DIALOGUE, ("order",), 2000),
    "topics": Corpus(_DIALOGUE, ("topic", "topic(kind=controlled)"), 1000),
    "stories": Corpus(("hellaswag/hellaswag_val.jsonl.gz",), ("story",), 2500),
    "text": Corpus(
        ("discoeval_wiki_arxiv/DC_wiki_valid.txt.gz",),
        ("order(negatives=5)", "topic(negatives=5)", "connective(negatives=4)", "cloze(amount=half, negatives=4)"),
        1200,
    ),
}


def path(model: str, corpus: str) -> Path:
    return FOLDER / f"{model}-{corpus}.onnx"


def spec(model: str, corpus: str) -> str:
    """The metric that reads a trained model."""
    return f"coherence(model={model}(file={str(path(model, corpus))!r}))"


def train(data: Path, corpus: str) -> None:
    """Those of a corpus that are not there, one after the other, on sentences that are read once."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = CORPORA[corpus]
    sentences = None
    for model, changes in MODELS.items():
        if path(model, corpus).exists():
            continue
        begun = time.process_time()
        named = learner(model)
        if sentences is None:
            ((encoder, layers),) = named.would_read().items()
            sentences = Sentences(encoder, layers)
        files = [data / name for name in wanted.files]
        lesson = Lesson.of(files, wanted.tasks, max_documents=wanted.documents, max_held_out=200)
        recipe = named.recipe.changed(**changes)
        output = path(model, corpus)
        done = train_coherence(lesson, named, output, recipe=recipe, overwrite=True, sentences=sentences, tell=print)
        seconds = time.process_time() - begun
        print(f"{output.name}: {done.accuracy:.1%} of held-out pairs, {seconds:,.0f} s of CPU", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parent.parent.parent / "shared")
    parser.add_argument("--only", nargs="+", choices=CORPORA, default=list(CORPORA))
    args = parser.parse_args()
    for corpus in args.only:
        train(args.shared / "data", corpus)


if __name__ == "__main__":
    main()
