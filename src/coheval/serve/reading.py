"""A request's bytes in, checked values out. Whatever is wrong with them is told as a problem, never guessed at."""

from __future__ import annotations

import asyncio
import json
import reprlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest

from coheval.serve.bodies import ParseRequest, Request, ScoreRequest
from coheval.serve.problems import Problem, client_gone
from coheval.serve.settings import Settings

Body = TypeVar("Body", bound=Request)
_FORM = "GET /openapi.json says what a request looks like"
_FEWER = "send fewer or shorter texts, or several requests"
_LESS = "ask for fewer metrics, or send several requests"


async def read(request: HttpRequest, kind: type[Body], settings: Settings) -> Body:
    """The body of a request, if it is one and not too large."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise Problem(415, f"expected a body of application/json, got {media or 'no type'!r}", hint=_FORM)
    try:
        async with asyncio.timeout(settings.seconds):
            body = await _bytes(request, settings.body)
    except TimeoutError:
        raise Problem(408, f"the body did not come within {settings.seconds:g} s", hint="send it at once") from None
    values = _values(body)
    _check_count(values, settings.texts)
    return _checked(kind, values)


def check_scoring(body: ScoreRequest, settings: Settings, *, most: int) -> int:
    """How many characters there are to read, if there are not too many."""
    segments = sum(map(len, body.lists()))
    if segments > settings.segments:
        raise _too_large("candidates", f"{segments:,} segments", f"{settings.segments:,}")
    asked = len(body.metrics or ())
    if asked > settings.asked:
        raise _too_large("metrics", f"{asked:,} metrics", f"{settings.asked:,}", hint=_LESS)
    return _characters(list(body.texts()), settings.text, most)


def check_parsing(body: ParseRequest, settings: Settings) -> int:
    if len(body.texts) > settings.segments:
        raise _too_large("texts", f"{len(body.texts):,} texts", f"{settings.segments:,}")
    return _characters(body.texts, settings.text, settings.characters)


def _check_count(values: Any, most: int) -> None:
    """Before anything is looked at one by one: entries of all lists and objects, however they are nested."""
    waiting, count = [values], 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | dict):
            count += len(one)
            waiting.extend(one.values() if isinstance(one, dict) else one)
        if count > most:
            raise _too_large(None, "more entries in its lists", f"{most:,}")


def _characters(texts: Sequence[str], longest: int, most: int) -> int:
    length = max(map(len, texts), default=0)
    if length > longest:
        raise _too_large(None, f"a text of {length:,} characters", f"{longest:,}")
    total = sum(map(len, texts))
    if total > most:
        raise _too_large(None, f"texts of {total:,} characters in all", f"{most:,}")
    return total


def _too_large(where: str | None, got: str, most: str, *, hint: str = _FEWER) -> Problem:
    return Problem(413, f"the request has {got}, this service takes at most {most}", where=where, hint=hint)


async def _bytes(request: HttpRequest, most: int) -> bytes:
    """Counted while they come: what the client says of their number need not be true."""
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and int(said[:20]) > most:
        raise _too_large(None, f"a body of {int(said[:20]):,} bytes", f"{most:,}")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise _too_large(None, "a longer body", f"{most:,} bytes")
    except ClientDisconnect:
        raise client_gone() from None
    return bytes(body)


def _values(body: bytes) -> Any:
    """What JSON says; with more than the standard library's reader refuses."""
    try:
        text = body.decode("utf-8")
        values = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        if "\\u" in text:
            json.dumps(values, ensure_ascii=False).encode("utf-8")  # half of a UTF-16 pair has no bytes
    except UnicodeEncodeError as error:
        raise Problem(
            422,
            f"expected whole characters, got half of one ({error.object[error.start]!r})",
            hint="the text was cut or decoded wrongly where it was made; write it again as UTF-8",
        ) from None
    except (ValueError, RecursionError) as error:
        raise Problem(422, f"the body is not JSON: {_reason(error)}", hint=_FORM) from None
    return values


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1:,} is not UTF-8"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two systems of one name would leave one out."""
    values = dict(pairs)
    if len(values) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {twice[:80]!r} stands twice in one object")
    return values


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _checked(kind: type[Body], values: Any) -> Body:
    if not isinstance(values, dict):
        raise Problem(422, f"expected an object of JSON, got {reprlib.repr(values)}", hint=_FORM)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise _mismatch(error, values) from None


def _mismatch(error: ValidationError, values: Any) -> Problem:
    """Where a form may be one of several, the mistake is most likely where the fitting goes deepest."""
    found = max(error.errors(include_url=False), key=lambda one: len(one["loc"]))
    message = str(found["msg"])
    got = "" if found["type"] in ("missing", "extra_forbidden") else f", got {reprlib.repr(found['input'])}"
    return Problem(422, f"{message[:1].lower()}{message[1:]}{got}", where=_where(found["loc"], values), hint=_FORM)


def _where(location: Sequence[int | str], values: Any) -> str | None:
    """The way to a value, without the names that pydantic gives to the forms that it tried."""
    way = ""
    for step in location:
        if isinstance(step, str) and isinstance(values, dict):
            if step not in values and (way or step not in ScoreRequest.model_fields | ParseRequest.model_fields):
                continue
            way += f"[{step[:80]!r}]" if way else step[:80]
            values = values.get(step)
        elif isinstance(step, int) and isinstance(values, list) and step < len(values):
            way, values = f"{way}[{step}]", values[step]
    return way or None
