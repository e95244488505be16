"""Every error a user can meet, with the exit code the command line gives it.

    CohevalError          1  (never raised itself)
    ├── UsageError        2  a spec, name or option that cannot be understood
    │   ├── SpecError        a spec text is malformed, or a parameter is wrong
    │   └── UnknownName      no component of that name
    ├── DataError         3  the texts or files given are not what they must be
    │   └── TextError        a model refuses a text; a run says where that stands
    ├── ResourceError     4  weights, packages, memory or disk that are not there
    └── MetricError       5  a metric could not do its work

An error says what is wrong, where, what was expected and what was got; then one hint, a thing to do next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial


class CohevalError(Exception):
    exit_code = 1

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.message = message
        self.where = where
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}\nhint: {self.hint}" if self.hint else text


class UsageError(CohevalError):
    exit_code = 2


class SpecError(UsageError):
    pass


class UnknownName(UsageError):
    pass


class DataError(CohevalError):
    exit_code = 3


class TextError(DataError):
    def __init__(self, message: str, *, text: str, where: str, hint: str) -> None:
        self.text = text
        super().__init__(message, where=where, hint=hint)

    def __reduce__(self) -> tuple[Callable[[], TextError], tuple[()]]:
        """Errors pass between processes; Python would make one from its message alone."""
        told = {"text": self.text, "where": self.where or "", "hint": self.hint or ""}
        return partial(TextError, self.message, **told), ()


class ResourceError(CohevalError):
    exit_code = 4


class MetricError(CohevalError):
    exit_code = 5


class SignatureWarning(UserWarning):
    """A signature was made with other library versions than the ones installed here."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint's sentence: the nearest known word, or all of them."""
    names = {name.lower(): name for name in sorted(known)}
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {names[near[0]]!r}?"
    return "known: " + ", ".join(names.values()) if names else "there are none"
