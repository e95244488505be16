"""What the operator of the service says; every limit has a number here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

METRICS = (  # what is offered unless the operator says otherwise: all come with coheval and need no extra
    *("moverscore", "bertscore", "sbert", "sentencemover", "chrf", "bleu", "ter", "rouge"),
    *("meteor(modules=['exact', 'stem'])", "nist", "dsfocus", "dssent", "entitygraph", "rc", "lc"),
    *("connectivity", "focusfrequency", "dr", "coherence", "comet", "cometqe"),
)
PREFERRED = "moverscore"  # what a request is scored with that names no metric, as in `coheval.score`


@dataclass(frozen=True, kw_only=True)
class Settings:
    metrics: tuple[str, ...] = METRICS  # specs
    body: int = 1_000_000  # bytes of a request
    characters: int = 50_000  # of all texts of a request
    text: int = 10_000  # characters of one text: alignments grow with its square
    explained: int = 10_000  # characters of all texts of a request that is explained: evidence is large
    segments: int = 1_000  # of all systems
    texts: int = 20_000  # entries of all lists of a request: candidates, references, sources, document ids
    asked: int = 16  # metrics of a request
    seconds: float = 30.0  # from a request's arrival to its answer
    queue: int = 128  # requests in the service at once
    per_client: int = 64  # of one address
    batch: int = 32  # requests that are scored together
    together: int = 32_000  # characters of texts that are scored together
    growth: int = 1 << 30  # bytes; models that have grown by more are loaded anew
    key: str | None = None  # that every request of /v1 must show
    hosts: tuple[str, ...] = ()  # names by which the service may be called, beside loopback and addresses

    @property
    def defaults(self) -> list[str]:
        """The metrics of a request that names none."""
        return [PREFERRED] if PREFERRED in self.metrics else [self.metrics[0]]
