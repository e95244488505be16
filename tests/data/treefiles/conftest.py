"""Trees of GUM in the formats that it is published in."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def gum_folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of one format, such as rst_lisp_binary, unpacked."""
    root = tmp_path_factory.mktemp("gum")

    @cache
    def unpacked(name: str) -> Path:
        with tarfile.open(shared / "data" / "gum_rst" / f"{name}.tar.xz") as archive:
            archive.extractall(root, filter="data")
        return root / "rst" / name.removeprefix("rst_")

    return unpacked
