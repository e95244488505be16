"""bert_score as its documentation uses it: one BERTScorer, its default batches and tokenizer, last layer, no idf."""

from __future__ import annotations

from typing import Any

from meter import Scorer, answer, run_tasks
from weights import folder


def load(job: dict[str, Any]) -> Scorer:
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(job["threads"])
    scorer = BERTScorer(model_type=str(folder()), num_layers=6, idf=False, device="cpu", nthreads=job["threads"])
    return lambda calls: [scorer.score(*call)[2].tolist() for call in calls]


if __name__ == "__main__":
    answer(lambda job: run_tasks(job, load))
