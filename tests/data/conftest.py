"""What the tests of readers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import pytest

from coheval.errors import CohevalError, DataError


class Refused(Protocol):
    def __call__(
        self,
        records: Callable[[], Iterable[object]],
        *,
        where: str | None,
        says: str,
        hint: str,
        kind: type = DataError,
    ) -> None: ...


@pytest.fixture
def refused() -> Refused:
    """Reads everything and checks the parts of the error that this must raise; `says` are the parts of its message."""

    def check(
        records: Callable[[], Iterable[object]],
        *,
        where: str | None,
        says: str,
        hint: str,
        kind: type[CohevalError] = DataError,
    ) -> None:
        with pytest.raises(kind) as caught:
            list(records())
        assert caught.value.where == where
        for part in says.split(" … "):
            assert part in caught.value.message
        assert hint in (caught.value.hint or "")

    return check


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file into the test's own folder, bytes as they are."""

    def to(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to
