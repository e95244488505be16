"""What the operator reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Log:
    """Lines without a word of users' texts."""

    request: Callable[[str], None]  # one for each, when it is answered
    failure: Callable[[str], None]  # what went wrong here
