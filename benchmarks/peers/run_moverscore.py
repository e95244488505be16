"""PyPI's moverscore: both of its programs, on the CPU and on the given weights.

Both load a model on a GPU when imported, and `moverscore_v2` needs a transformers of 2019. Only what stands in the way
is replaced, at run time: the device, the weights, the classes `moverscore_v2` asks of transformers, and names that
numpy and transformers dropped since. Tokenising, batches, filters, distances and transport are the package's own.
Unlike the original, attention maps nobody reads are not asked for, so that torch may use its fast attention.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from meter import Call, Scorer, answer, run_tasks
from weights import folder


@contextmanager
def staying_on_cpu() -> Iterator[None]:
    """While it lasts, moving a model to another device does nothing."""
    from torch import nn

    move = nn.Module.to
    nn.Module.to = lambda self, *_args, **_kwargs: self  # type: ignore[method-assign]
    try:
        yield
    finally:
        nn.Module.to = move  # type: ignore[method-assign]


def stand_in_for_transformers() -> ModuleType:
    """The three DistilBert classes of a 2019 transformers, giving the local weights and results as tuples."""
    from transformers import BertModel, BertTokenizer

    class Config:
        @staticmethod
        def from_pretrained(*_args: Any, **_kwargs: Any) -> None:
            return None

    class Tokenizer(BertTokenizer):
        @classmethod
        def from_pretrained(cls, *_args: Any, **_kwargs: Any) -> Any:
            tokenizer = BertTokenizer.from_pretrained(folder(), do_lower_case=True)
            tokenizer.max_len = 512
            return tokenizer

    class Model(BertModel):
        @classmethod
        def from_pretrained(cls, *_args: Any, **_kwargs: Any) -> Any:
            return super().from_pretrained(folder(), add_pooling_layer=False, output_hidden_states=True)

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            output = super().forward(*args, **kwargs)
            return output.last_hidden_state, output.hidden_states, None

    module = ModuleType("transformers")
    vars(module).update(DistilBertConfig=Config, DistilBertTokenizer=Tokenizer, DistilBertModel=Model)
    return module


def load(job: dict[str, Any]) -> Scorer:
    import numpy as np
    import torch

    torch.set_num_threads(job["threads"])
    os.environ["MOVERSCORE"] = job["moverscore_weights"]
    with staying_on_cpu():
        if job["variant"] == "v1":
            import moverscore as program

            program.device = "cpu"
        else:
            np.float = float  # type: ignore[attr-defined]
            sys.modules["transformers"] = stand_in_for_transformers()
            import moverscore_v2 as program
    weight = defaultdict(lambda: 1.0)  # no idf, as the package's README says it

    def score(calls: list[Call]) -> list[list[float]]:
        answers = [program.word_mover_score(refs, hyps, weight, weight, device="cpu") for hyps, refs in calls]
        return [[float(s) for s in scores] for scores in answers]

    return score


if __name__ == "__main__":
    answer(lambda job: run_tasks(job, load))
