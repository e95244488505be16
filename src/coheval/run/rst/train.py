"""`coheval train rst`: a discourse parser from a corpus with gold trees."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coheval.annotators import Annotator
from coheval.annotators._rst.weights import save
from coheval.annotators.rst import Rst
from coheval.data.gum import PERMISSIVE, GumDocument, read_gum
from coheval.encoders import Encoder
from coheval.errors import DataError, ResourceError
from coheval.run.rst.evaluation import Figures, measure
from coheval.run.rst.instances import Gold, Instance, instances, of_document, of_sentences
from coheval.run.rst.training import Examples, Member, Recipe, ensemble, stacked, train

Genres = Literal["permissive", "all"]
Told = Callable[[str], None]

_NOISE_SEED = 7  # the same noisy copies for all members


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    members: Sequence[Member]
    figures: Figures  # of all members together, on the dev documents


def train_rst(
    folder: str | Path,
    output: Path,
    *,
    genres: Genres = "permissive",
    seeds: Sequence[int] = (1, 2, 3, 4),
    recipe: Recipe | None = None,
    jobs: int = 1,
    tell: Told = lambda message: None,
) -> Outcome:
    """Train a network for each seed on a folder of GUM, and write them as one parser."""
    parser = Rst()  # its encoder and tagger are what texts are read with
    digest = parser.encoder.digest()
    if digest is None:
        raise ResourceError("the encoder has no weights that can be told apart", hint="use minilm")
    documents = read_gum(folder)
    examples = _examples(_chosen(documents, genres, folder), documents, parser.encoder, parser.words, tell)
    members = _trained(examples, seeds, recipe or Recipe(), jobs, tell)
    labels = examples.labels()
    weights = [member.weights for member in members]
    save(output, stacked(weights), labels, digest)
    trained = ensemble(weights, labels, digest)
    return Outcome(members, measure(trained, examples.dev_documents, examples.dev_sentences))


def _chosen(documents: Sequence[GumDocument], genres: Genres, folder: str | Path) -> list[GumDocument]:
    """The documents for training."""
    found = [d for d in documents if d.split == "train" and (genres == "all" or d.genre in PERMISSIVE)]
    if not found or not any(d.split == "dev" for d in documents):
        raise DataError(
            f"expected documents for training and for dev, got {len(found)} for training",
            where=str(folder),
            hint="splits.md lists the dev and test documents; all others are for training",
        )
    return found


def _examples(
    chosen: Sequence[GumDocument], documents: Sequence[GumDocument], encoder: Encoder, words: Annotator, tell: Told
) -> Examples:
    rng = random.Random(_NOISE_SEED)
    dev = [document for document in documents if document.split == "dev"]
    whole = [of_document(document) for document in chosen]
    single = [sentence for document in chosen for sentence in of_sentences(document)]

    def read(gold: Sequence[Gold], what: str) -> list[Instance]:
        tell(f"reading {len(gold):,} {what}")
        found = list(instances(gold, encoder, words))
        if len(found) < len(gold):
            tell(f"note: {len(gold) - len(found):,} left out, in which two EDUs begin with the same word of the tagger")
        return found

    return Examples(
        documents=read(whole, "documents"),
        noisy_documents=read([one.noisy(rng) for one in whole], "noisy documents"),
        sentences=read(single, "sentences"),
        noisy_sentences=read([one.noisy(rng) for one in single], "noisy sentences"),
        dev_documents=read([of_document(document) for document in dev], "dev documents"),
        dev_sentences=read([s for document in dev for s in of_sentences(document) if s.nodes], "dev sentences"),
    )


_inherited: list[tuple[Examples, Recipe, Told]] = []  # what a forked process finds without having it sent


def _trained(examples: Examples, seeds: Sequence[int], recipe: Recipe, jobs: int, tell: Told) -> list[Member]:
    if jobs == 1:
        return [train(examples, seed, recipe, tell) for seed in seeds]
    _inherited[:] = [(examples, recipe, tell)]
    try:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
            return list(pool.map(_trained_here, seeds))
    finally:
        _inherited.clear()


def _trained_here(seed: int) -> Member:
    examples, recipe, tell = _inherited[0]
    return train(examples, seed, recipe, tell)
