"""The service that most tests ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from serve.running import Here, here


@pytest.fixture(scope="module")
def served() -> Iterator[Here]:
    with here() as running:
        yield running
