"""Benchmarks are programs, not a package: their folder goes on the path. The source distribution has none."""

from __future__ import annotations

import sys
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "benchmarks"

sys.path.append(str(_FOLDER))
collect_ignore_glob = [] if _FOLDER.is_dir() else ["test_*.py"]
