"""What is measured on SummEval: our specs, and the rows of DiscoScore's tables that they stand beside."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from coheval.run.agreement import Agreement
from coheval.run.agreement.result import MEAN
from study import Study

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
EXTRACTIVE = ("M0", "M1", "M2", "M5")  # the paper looks at the other systems, the abstractive ones
SYSTEM_LEVEL = {"level": "system", "statistic": "kendall", "of_means": True}
# Our spec, and the row of the paper's table 1 that it stands beside.
TABLE1 = {
    "dsfocus": "DS-FOCUS (NN)",
    "dsfocus(mentions='bare')": "DS-FOCUS (NN)",
    "dsfocus(focus='head')": None,
    "dsfocus(form='f')": None,
    "dsfocus(focus='entity')": "DS-FOCUS (Entity)",
    "dsfocus(variant='paper')": "DS-FOCUS (NN)",
    "dsfocus(variant='code')": "DS-FOCUS (NN)",
    "dssent": "DS-SENT-U (NN)",
    "dssent(focus='entity')": "DS-SENT-U (Entity)",
    "dssent(weighted=True)": "DS-SENT-W (NN)",
    "dssent(weighted=True, focus='entity')": "DS-SENT-W (Entity)",
    "dssent(variant='code')": "DS-SENT-U (NN)",
    "rc": "RC",
    "rc(variant='paper')": "RC",
    "rc(variant='code')": "RC",
    "lc": "LC",
    "lc(variant='paper')": "LC",
    "lc(variant='code')": "LC",
    "entitygraph": "Entity Graph",
    "entitygraph(variant='code')": "Entity Graph",
    "lexicalgraph": "Lexical Graph",
    "lexicalgraph(variant='code')": "Lexical Graph",
    "lexicalchain": "Lexical Chain",
    "lexicalchain(variant='code')": "Lexical Chain",
    "focusfrequency": None,
    "focusfrequency(form='discriminativeness')": None,
    "connectivity": None,
    "connectivity(form='discriminativeness')": None,
    "moverscore": "MoverScore",
    "bertscore": "BERTScore",
    "sbert": "SBERT",
    "rouge(kind='1')": "ROUGE-1",
    "rouge(kind='L')": "ROUGE-L",
    "chrf": None,
    "bleu": None,
    "meteor": None,
}
TABLE3 = {"dsfocus": "DS-FOCUS (NN)", "dssent": "DS-SENT-U (NN)"}
TABLE5 = {"dssent": "DS-SENT-U (NN)", "dssent(aggregate=False)": "without sentence aggregation"}
TABLE6 = {
    "dssent": "mean-max-min-sum",
    "dssent(alignment='greedy')": "greedy align",
    "dssent(alignment='optimal')": "optimal align",
}
# Table 9: which metrics are added up, with which sign, and the paper's row.
TABLE9 = (
    ({"rc": 1}, "RC"),
    ({"moverscore": 1}, "BARTScore (max)"),
    ({"moverscore": 1, "rc": 1}, "BARTScore (max) + RC"),
    ({"moverscore": 1, "rc": -1}, "BARTScore (max) + RC"),
    ({"dsfocus": 1}, "DS-FOCUS (NN)"),
)
HALVES = (
    "dsfocus", "dsfocus(mentions='bare')", "dssent", "dssent(layer=6)", "rc", "lc", "entitygraph", "lexicalgraph",
    "lexicalchain", "moverscore", "bertscore", "sbert", "chrf",
)  # fmt: skip
FEATURES, BEYOND = ("focusfrequency", "connectivity"), 4
# Table 4: DS-Focus and DS-Sent with other encoders; the paper's are none that can be had here.
GLOVE = "encoder=static(file='glove-6b-50d')"
TABLE4 = {
    "dsfocus": "DS-FOCUS (NN)",
    f"dsfocus({GLOVE})": "DS-FOCUS (NN)",
    "dssent": "DS-SENT-U (NN)",
    f"dssent({GLOVE})": "DS-SENT-U (NN)",
}
BETWEEN = (
    "dsfocus", "dssent", "rc", "lc", "entitygraph", "lexicalgraph", "lexicalchain", "focusfrequency", "connectivity",
    "moverscore", "bertscore", "sbert", "rouge(kind='1')", "rouge(kind='L')", "chrf",
)  # fmt: skip


def rated(study: Study) -> list[int]:
    """The places of the systems that are looked at."""
    return [n for n, row in enumerate(study.ratings(ASPECTS[0])) if not np.isnan(row).all()]


def negative(agreement: Agreement, names: Iterable[str]) -> list[str]:
    """The metrics that are against people's opinion in the direction that they declare."""
    return [name for name in names if (agreement[name][MEAN] or 0) < 0]
