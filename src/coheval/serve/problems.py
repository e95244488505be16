"""Errors as problem+json (RFC 9457): what the command line says, with an HTTP status.

{"type": "about:blank", "title": "Unprocessable Content", "status": 422,
 "detail": "expected 2 entries as in candidates, got 1", "where": "references", "hint": "position n of …"}
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus

from starlette.responses import Response

from coheval.errors import CohevalError, DataError, MetricError, UsageError

MEDIA_TYPE = "application/problem+json"
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # as RFC 9110 calls them
_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}")


class Problem(Exception):
    """What keeps a request from being answered. `log` is for the operator alone."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        hint: str,
        where: str | None = None,
        headers: Mapping[str, str] | None = None,
        log: str | None = None,
    ) -> None:
        self.status = status
        self.detail = detail
        self.hint = hint
        self.where = where
        self.headers = dict(headers or {})
        self.log = log
        super().__init__(detail)

    def __reduce__(self) -> tuple[Callable[[], Problem], tuple[()]]:
        """Problems pass between processes."""
        told = {name: getattr(self, name) for name in ("hint", "where", "headers", "log")}
        return partial(Problem, self.status, self.detail, **told), ()

    def response(self) -> Response:
        told = {
            "type": "about:blank",
            "title": _TITLES.get(self.status) or HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "where": self.where,
            "hint": self.hint,
        }
        content = json.dumps({name: value for name, value in told.items() if value is not None})
        return Response(content, self.status, self.headers, MEDIA_TYPE)


def busy(detail: str, *, hint: str, status: int = 503) -> Problem:
    """One that time may solve."""
    return Problem(status, detail, hint=hint, headers={"Retry-After": "1"})


def client_gone() -> Problem:
    """Nobody reads it, but the log says that there was no answer."""
    return busy("the client has gone", hint="wait for the answer")


def problem_of(error: BaseException) -> Problem:
    """What a request is told of an error in its work."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, UsageError | DataError):
        return Problem(422, error.message, where=error.where, hint=error.hint or "see the documentation")
    detail, hint = "the service failed", "report it to the operator, whose log says where"
    if isinstance(error, MemoryError):
        detail, hint = "there is not enough memory", "give fewer or shorter texts at once"
    elif isinstance(error, CohevalError):
        detail, hint = _without_paths(error.message), _without_paths(error.hint or "ask the operator of the service")
    return Problem(500, detail, hint=hint, log=_logged(error))


def operator_told(error: BaseException) -> str:
    """A line for the operator, who may know paths."""
    return f"failed: {error.message}" if isinstance(error, CohevalError) else _logged(error)


def _logged(error: BaseException) -> str:
    """Without its message, which may have texts of users."""
    cause = error.__cause__ if isinstance(error, MetricError) and error.__cause__ else error
    return f"failed: {type(error).__name__}: {type(cause).__name__} at {_place_of(cause)}"


def _without_paths(text: str) -> str:
    """Where the service keeps its files is nobody's business."""
    return _PATH.sub("(a file)", text)


def _place_of(error: BaseException) -> str:
    """The last line of ours that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "coheval" in frame.filename] or frames
    return f"{own[-1].filename.rpartition('coheval')[2].lstrip('/')}:{own[-1].lineno}" if own else "an unknown place"
