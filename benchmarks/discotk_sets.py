"""The judged sets on which discourse trees are tried, scored once each, and the specs that are compared on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any, NamedTuple

from coheval.data.corpus import Record
from coheval.data.judgements import Judgements
from coheval.metrics.dr import DR
from coheval.metrics.drlex import DRLex
from coheval.run.agreement import Agreed, Agreement
from job import Job
from study import Study, read, score
from wmt17 import one_system
from wmt19 import by_pair
from writing import span

TREES = ("dr", "drlex")
WORDS = "drlex(condition='no_discourse')"  # the same kernel without a tree: what trees bring is the difference to it
BASES = ("bleu", "ter", "chrf", "moverscore")
VARIANTS = ("dr", "drlex", "drlex(variant='lexe')", "drlex(variant='lex1')", "drlex(variant='lex1.1')")
CONDITIONS = ("full", "no_rel", "no_nuc", "no_nuc_no_rel", "no_discourse")  # in the order of DiscoTK's table 6
DECAYS, NORMALISED = (1.0, 0.7, 0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001), ("cosine", "log")
DEFAULTS = {"dr": (DR.decay, DR.normalise), "drlex": (DRLex.decay, DRLex.normalise)}
EVERY = 6  # of WMT17's 170,180 outputs, the lines taken for systems' scores: trees are costly
LOWER = "kk-en"  # the smallest pair of WMT19: what do trees of lower-cased texts lose?


def setting(name: str, decay: float, normalise: str) -> str:
    """The name alone where these are its defaults, so that nothing is scored twice."""
    return name if DEFAULTS[name] == (decay, normalise) else f"{name}(decay={decay:g}, normalise='{normalise}')"


def settings(name: str) -> list[str]:
    """The default first, if it is not among the others."""
    found = [setting(name, decay, normalise) for normalise in NORMALISED for decay in DECAYS]
    return found if name in found else [name, *found]


def ablations(name: str) -> list[str]:
    """`no_discourse` is of words, which `dr` has not."""
    kept = CONDITIONS if name == "drlex" else CONDITIONS[:-1]
    return [name if condition == "full" else f"{name}(condition='{condition}')" for condition in kept]


OF_TREES = (*VARIANTS, *(spec for name in TREES for spec in ablations(name)))
SPECS = tuple(dict.fromkeys((*OF_TREES, *BASES)))
ALL = tuple(dict.fromkeys((*SPECS, *(spec for name in TREES for spec in settings(name)))))


@dataclass(frozen=True)
class View:
    """A study under conditions that give one figure for each metric."""

    study: Study
    statistic: str
    level: str = "segment"
    more: dict[str, Any] = field(default_factory=dict)

    def of(self, metrics: Iterable[str]) -> Measured:
        return Measured(self.study.agree(metrics, level=self.level, statistic=self.statistic, **self.more))


@dataclass(frozen=True)
class Measured:
    """Agreement in the one aspect that there is."""

    agreement: Agreement

    @property
    def aspect(self) -> str:
        return self.agreement.aspects[0]

    def row(self, metric: str) -> Agreed:
        return self.agreement.row(metric, self.aspect)

    def value(self, metric: str) -> float | None:
        return self.row(metric).value

    def best(self, metrics: Iterable[str]) -> str:
        return max(metrics, key=lambda metric: self.value(metric) or -1.0)

    def ahead(self, one: str, other: str) -> list[str]:
        return ["", ""] if one == other else span(self.agreement, one, other, self.aspect)


class Texts(NamedTuple):
    records: list[Record]
    judgements: Judgements


@dataclass(frozen=True)
class Sets:
    """All that is scored, once."""

    texts: Mapping[str, Texts]  # judged segments under the names of their systems
    wmt17: Study  # judged segments, the pair being the system
    systems: Study  # of WMT17
    wmt19: Study
    lower: Study  # a pair of WMT19, lower-cased as WMT17 is

    @property
    def segments17(self) -> View:
        return View(self.wmt17, "pearson")

    @property
    def segments19(self) -> View:
        return View(self.wmt19, "darr")

    def systems17(self, statistic: str, *, of_means: bool = False) -> View:
        return View(self.systems, statistic, "system", {"of_means": of_means})


def scored(job: Job) -> Sets:
    segments, whole = read(job.data / "wmt17_toen"), read(job.data / "wmt17_toen", "system")
    pairs = read(job.data / "wmt19_darr_pairs")
    texts = {
        "WMT17": Texts(list(unescaped(segments.records())), segments.judgements()),
        "WMT19": Texts(list(pairs.records()), pairs.judgements()),
    }
    records17, judgements17 = one_system(*texts["WMT17"])
    records19, judgements19 = by_pair(*texts["WMT19"])
    lower = [lowercased(record) for record in records19 if record.system.startswith(f"{LOWER}/")]
    study19 = Study(score(records19, ALL), judgements19)
    return Sets(
        texts=texts,
        wmt17=Study(score(records17, ALL), judgements17),
        systems=Study(score(unescaped(sampled(whole.records())), SPECS), whole.judgements()),
        wmt19=study19,
        lower=Study(score(lower, TREES), study19.of_group(LOWER).judgements),
    )


def unescaped(records: Iterable[Record]) -> Iterator[Record]:
    """WMT17's texts with marks for their names: a parser would end clauses at the semicolon of &quot;."""
    for record in records:
        references = tuple(unescape(text) for text in record.references)
        yield replace(record, candidate=unescape(record.candidate), references=references)


def lowercased(record: Record) -> Record:
    references = tuple(text.lower() for text in record.references)
    return replace(record, candidate=record.candidate.lower(), references=references)


def sampled(outputs: Iterable[Record]) -> Iterator[Record]:
    return (output for output in outputs if int((output.document or "").rpartition(":")[2]) % EVERY == 0)
