"""Tiny COMET checkpoints in the published format, and what they must score, in torch and from the formulas.

The modules are named as the published parameters are, so that a state dict has the published names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
import yaml
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import nn

LETTERS = [chr(c) for c in range(ord("a"), ord("z") + 1)]
WORDS = "the cat sat on a mat dogs ran after it die katze saß auf der matte hunde liefen nobody came back .".split()
REGRESSION = {
    "class_identifier": "regression_metric",
    "encoder_model": "XLM-RoBERTa",
    "pretrained_model": "nobody/tiny-backbone",
    "pool": "avg",
    "layer": "mix",
    "layer_transformation": "softmax",
    "layer_norm": False,
    "hidden_sizes": [12, 6],
    "activations": "Tanh",
    "final_activation": None,
    "dropout": 0.1,
    "loss": "mse",
    "train_data": ["data/train.csv"],
}
REFERENCELESS = REGRESSION | {"class_identifier": "referenceless_regression_metric"}
UNIFIED = REGRESSION | {
    "class_identifier": "unified_metric",
    "sent_layer": "mix",
    "input_segments": ["mt", "src", "ref"],
    "word_level_training": False,
}
UNIFIED.pop("pool")


def tokenizer(bert: bool) -> Tokenizer:
    """Words, letters and their continuations; pairs are parted as BERT or as XLM-R does."""
    cls, sep, pad, unk = ("[CLS]", "[SEP]", "[PAD]", "[UNK]") if bert else ("<s>", "</s>", "<pad>", "<unk>")
    first = [pad, unk, cls, sep] if bert else [cls, pad, sep, unk]
    pieces = dict.fromkeys([*first, *WORDS, *LETTERS, *("##" + c for c in LETTERS)])
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token=unk))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single=f"{cls} $A {sep}",
        pair=f"{cls} $A {sep} $B:1 {sep}:1" if bert else f"{cls} $A {sep} {sep} $B {sep}",
        special_tokens=[(cls, vocabulary[cls]), (sep, vocabulary[sep])],
    )
    return made


def names(bert: bool) -> dict[str, str]:
    cls, sep, pad, unk = ("[CLS]", "[SEP]", "[PAD]", "[UNK]") if bert else ("<s>", "</s>", "<pad>", "<unk>")
    return {"cls_token": cls, "sep_token": sep, "pad_token": pad, "unk_token": unk}


def config(bert: bool, positions: int = 34, **more: Any) -> Any:
    sizes = {
        "vocab_size": tokenizer(bert).get_vocab_size(),
        "hidden_size": 16,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": positions,
    }
    if bert:
        return transformers.BertConfig(**sizes, **more)
    ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "type_vocab_size": 1}
    return transformers.XLMRobertaConfig(**sizes, **ids, **more)


def save_tokenizer(folder: Path, bert: bool) -> None:
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer(bert), **names(bert))
    made.save_pretrained(folder)


class LayerwiseAttention(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.scalar_parameters = nn.ParameterList([nn.Parameter(torch.randn(1)) for _ in range(count)])
        self.gamma = nn.Parameter(torch.tensor([1.3]))
        self.register_buffer("dropout_mask", torch.zeros(count))
        self.register_buffer("dropout_fill", torch.full((count,), -1e20))


class Inner(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model


class Head(nn.Module):
    def __init__(self, size: int, hidden: Sequence[int], activation: str, final: str | None) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for width in hidden:
            layers += [nn.Linear(size, width), getattr(nn, activation)(), nn.Dropout(0.1)]
            size = width
        layers += [nn.Linear(size, 1), *([getattr(nn, final)()] if final else [])]
        self.ff = nn.Sequential(*layers)


class Comet(nn.Module):
    """The published model, for one text at a time."""

    def __init__(self, hparams: dict[str, Any], seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.said = hparams
        self.bert = hparams["encoder_model"] == "BERT"
        made = config(self.bert)
        kind = transformers.BertModel if self.bert else transformers.XLMRobertaModel
        network = kind(made, add_pooling_layer=self.bert)
        for parameter in network.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)  # fresh ones are so small that all texts look alike
        self.encoder = Inner(network)
        self.layerwise_attention = LayerwiseAttention(made.num_hidden_layers + 1)
        parts = {"regression_metric": 6, "referenceless_regression_metric": 4, "unified_metric": 1}
        size = parts.get(hparams["class_identifier"], 1) * made.hidden_size
        self.estimator = Head(size, hparams["hidden_sizes"], hparams["activations"], hparams.get("final_activation"))
        self.tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer(self.bert), **names(self.bert))
        self.eval()

    def ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text)["input_ids"])

    def states(self, ids: list[int], types: list[int] | None = None) -> list[torch.Tensor]:
        more = {"token_type_ids": torch.tensor([types])} if types and self.bert else {}
        out = self.encoder.model(input_ids=torch.tensor([ids]), output_hidden_states=True, **more)
        return [state[0] for state in out.hidden_states]

    def mixed(self, states: Sequence[torch.Tensor]) -> torch.Tensor:
        layer = self.said.get("sent_layer", self.said["layer"])
        if layer != "mix":
            return states[layer]
        logits = torch.cat(list(self.layerwise_attention.scalar_parameters))
        sparse = self.said.get("layer_transformation", "softmax") == "sparsemax"
        shares = simplex(logits) if sparse else torch.softmax(logits, 0)
        if self.said.get("layer_norm", True):
            states = [(state - state.mean()) / torch.sqrt(state.var(correction=0) + 1e-12) for state in states]
        return self.layerwise_attention.gamma * sum(share * state for share, state in zip(shares, states, strict=True))

    def pooled(self, ids: list[int], keep: Sequence[int] | None = None) -> torch.Tensor:
        """`keep` has the positions that count; all, if it is None."""
        states = self.states(ids)
        if self.said["pool"] == "default":
            first = states[-1][0]
            return torch.tanh(self.encoder.model.pooler.dense(first)) if self.bert else first
        mixed = self.mixed(states)
        kept = mixed if keep is None else mixed[list(keep)]
        return {"avg": kept.mean(0), "max": kept.max(0).values, "cls": mixed[0]}[self.said["pool"]]

    @torch.no_grad()
    def score(self, candidate: str, reference: str | None = None, source: str | None = None) -> float:
        if self.said["class_identifier"] == "unified_metric":
            others = [[source], [reference], [source, reference]]
            given = [row for row in others if None not in row]
            return sum(self.joint([candidate, *row]) for row in given) / len(given)
        h, s = self.pooled(self.ids(candidate)), self.pooled(self.ids(source))
        r = None if reference is None else self.pooled(self.ids(reference))
        return self.head(h, r, s)

    @torch.no_grad()
    def head(self, h: torch.Tensor, r: torch.Tensor | None, s: torch.Tensor) -> float:
        if self.said["class_identifier"] == "referenceless_regression_metric":
            features = [h, s, h * s, (h - s).abs()]
        else:
            features = [h, r, h * r, (h - r).abs(), h * s, (h - s).abs()]
        return float(self.estimator.ff(torch.cat(features)))

    @torch.no_grad()
    def joint(self, texts: Sequence[str], *, typed: bool = True) -> float:
        """One sequence: BERT parts texts by one separator and by types, XLM-R by two separators."""
        bare = [self.ids(text)[1:-1] for text in texts]
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        ids = [cls, *bare[0]]
        for part in bare[1:]:
            ids += [sep] * (1 if self.bert else 2) + part
        ids.append(sep)
        types = [0] * (len(bare[0]) + 2) + [1] * (len(ids) - len(bare[0]) - 2)
        return float(self.estimator.ff(self.mixed(self.states(ids, types if typed else None))[0]))


def simplex(point: torch.Tensor) -> torch.Tensor:
    """The nearest point of the probability simplex, found by bisection of what is taken from each coordinate."""
    low, high = point.min() - 1, point.max()
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (point - middle).clamp(min=0).sum() > 1 else (low, middle)
    return (point - low).clamp(min=0)


def write(folder: Path, hparams: dict[str, Any], *, seed: int = 0, backbone: bool = True) -> Comet:
    """The checkpoint's folder as the hub has it, with the backbone's configuration and tokenizer inside."""
    made = Comet(hparams, seed)
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "hparams.yaml").write_text(yaml.safe_dump(hparams), encoding="utf-8")
    stored = {"state_dict": made.state_dict(), "epoch": 3, "hyper_parameters": dict(hparams), "optimizer_states": []}
    torch.save(stored, folder / "checkpoints" / "model.ckpt")
    if backbone:
        write_backbone(folder / "tiny-backbone", made.bert)
    return made


def write_backbone(folder: Path, bert: bool = False) -> Path:
    config(bert).save_pretrained(folder)
    save_tokenizer(folder, bert)
    return folder


def write_pair_model(folder: Path, *, bert: bool = True, labels: int = 1, positions: int = 34) -> Path:
    """A sequence classifier with random weights."""
    torch.manual_seed(1)
    made = config(bert, positions, num_labels=labels)
    network = transformers.AutoModelForSequenceClassification.from_config(made)
    for parameter in network.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    transformers.utils.logging.disable_progress_bar()
    network.save_pretrained(folder)
    save_tokenizer(folder, bert)
    return folder


def lawful_pair_model(folder: Path, same: tuple[str, str], other: tuple[str, str]) -> Path:
    """A pair model whose one label is turned so that it likes the first pair better than the second."""
    write_pair_model(folder, positions=512)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    spoken = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        good, bad = (network(**spoken(*pair, return_tensors="pt")).logits[0, 0] for pair in (same, other))
    if good < bad:
        network.classifier.weight.data *= -1
        network.classifier.bias.data *= -1
        network.save_pretrained(folder)
    return folder
