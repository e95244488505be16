"""One virtual environment for each peer, with pinned versions, outside the repository.

    python benchmarks/peers/install.py

They go to $COHEVAL_BENCH_HOME, or coheval-bench in the user's cache folder. A peer that is there with these versions
is left alone.
torch is installed first and alone: bring a CPU build by pip's own configuration if the usual one is too large.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
HOME = Path(os.environ.get("COHEVAL_BENCH_HOME") or CACHE / "coheval-bench")
TORCH = "torch==2.13.0"
PEERS = {"bert_score": [TORCH], "moverscore": [TORCH], "pyemd": []}  # what goes in before the pinned list
MOVERSCORE_WEIGHTS = HOME / "moverscore-weights"


def program(peer: str, name: str = "python") -> Path:
    return HOME / peer / "bin" / name


def install(peer: str) -> None:
    requirements = HERE / f"{peer}.txt"
    wanted = hashlib.sha256(f"{sys.version}{PEERS[peer]}{requirements.read_text()}".encode()).hexdigest()
    stamp = HOME / peer / "installed.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"installing {peer}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", HOME / peer], check=True)
    pip = [str(program(peer)), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    for first in PEERS[peer]:
        subprocess.run([*pip, first], check=True)
    subprocess.run([*pip, "--no-deps", "--requirement", str(requirements)], check=True)  # the list is complete
    if peer != "pyemd":
        target = [MOVERSCORE_WEIGHTS] if peer == "moverscore" else []
        subprocess.run([program(peer), HERE / "weights.py", *target], check=True, stdout=sys.stderr)
    stamp.write_text(wanted)


def install_all() -> None:
    for peer in PEERS:
        install(peer)


if __name__ == "__main__":
    install_all()
