"""Every table of the papers: the section that recomputes it, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import ModuleType

from job import Job
from writing import code, section, table

PAPERS = {
    "discoscore": "DiscoScore (Zhao, Strube, Eger 2023)",
    "moverscore": "MoverScore (Zhao et al. 2019)",
    "docmetrics": "Embarrassingly easy document-level MT metrics (Vernikos et al. 2022)",
    "discotk": "Discourse structure in MT evaluation, DiscoTK (Joty et al. 2017)",
    "coherence": "How coherent are neural models of coherence? (Pishdad et al. 2020)",
}
_OTHER_DATA = "WMT12's rankings are not here, so that the data are other ones; NIST and ROUGE are not combined"
# Of recomputed tables: what is not.
MISSING = {
    "discoscore.table1_summeval_system_kendall_x100": "BLEURT, BARTScore and PRISM need models that are not here",
    "discoscore.table3_summary_level_kendall_x100": "NeR18, BARTScore and PRISM are not here",
    "discoscore.table4_encoders_summeval_average": "BERT, BERT-NLI and Conpono are not here; other encoders stand in",
    "discoscore.table9_ensemble": "BARTScore is not here; `moverscore` takes its place",
    "moverscore.table1_wmt17_segment_pearson": "RUSE and an encoder tuned on MNLI are not here",
    "docmetrics.table2_contrastive_accuracy": (
        "of the test sets, only DiscEvalMT is here; ContraPro is not, nor is COMET-QE's model, which reads French"
    ),
    "discotk.table2_wmt12_system_spearman": _OTHER_DATA,
    "discotk.table3_wmt12_segment_tau": _OTHER_DATA,
    "coherence.table2_order_accuracy": "VizSIS, ROCStories, Fisher and the PDTB are not here; GUM and Wikipedia are",
    "coherence.table3_connective_accuracy_pdtb": "the PDTB is not here; GUM and Wikipedia stand in",
    "coherence.table4_topic_accuracy_controlled_random": "VizSIS, ROCStories, Fisher and the PDTB are not here",
    "coherence.table5_cloze_accuracy": "ROCStories and the PDTB are not here; GUM and Wikipedia stand in",
    "discotk.table6_ablation_wmt11_13_system": "WMT11-13's rankings are not here, so that the data are other ones",
}
_DOCUMENT_METRICS = "WMT21's MQM ratings are not here"
NOT_RECOMPUTED = {
    "discoscore.table2_ner18_system_kendall_x100": "NeR18 is not here",
    "docmetrics.table1_wmt21_mqm_system_pearson": _DOCUMENT_METRICS,
    "docmetrics.table3_context_average": _DOCUMENT_METRICS,
    "discotk.table5_wmt14_segment_tau": "WMT14's rankings are not here",
}


def part(job: Job, sections: Mapping[str, ModuleType]) -> Iterator[str]:
    where = {key: heading for module in sections.values() for key, heading in module.TABLES.items()}
    yield from section(
        "## The papers' tables",
        'Which of them are recomputed below, and why others are not. "Not here" is what the shared data, or packages '
        "that can be installed without a model hub, do not have.",
    )
    heads = ["table", "recomputed in", "what is missing"]
    yield from table(heads, (_line(key, where) for key in job.tables), left=heads)
    for short, name in PAPERS.items():
        yield f"- {code(short)}: {name}"


def _line(key: str, where: Mapping[str, str]) -> list[str]:
    heading = where.get(key)
    link = f"[{heading}](#{anchor(heading)})" if heading else "–"
    return [_named(key), link, MISSING.get(key, "") if heading else NOT_RECOMPUTED[key]]


def _named(key: str) -> str:
    paper, rest = key.split(".")
    number, *words = rest.removeprefix("table").removesuffix("_x100").split("_")
    return f"{code(paper)} {number}: {' '.join(words)}"


def anchor(heading: str) -> str:
    """As a page's renderer names headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
