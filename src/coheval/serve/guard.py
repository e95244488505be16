"""Around everything: who may call and under which name, what every answer carries, and one line in the log for each.

A request has its place from its first byte until its answer is sent: bodies and answers take memory, too.

A page of another site can make a browser send requests here, also under a name that leads to this machine (DNS
rebinding). So the name must be one that the operator knows; an address cannot be rebound. Nothing here looks into
bodies, and the log has no text of users.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import time
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coheval.serve.admission import Admission
from coheval.serve.log import Log
from coheval.serve.problems import Problem, busy, problem_of

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_LOOPBACK = ("localhost",)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY")


@dataclass(frozen=True)
class Guard:
    app: ASGIApp
    key: str | None
    hosts: Collection[str]
    paths: Collection[str]  # what the log calls by name
    admission: Admission
    log: Log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, _to_the_end(receive), send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:  # a web socket is none of ours
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begin, status = time.perf_counter(), 0

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await _sent(message, send)

        try:
            self._check(scope)
            with self._place(scope):
                await self.app(scope, receive, told)
        except Problem as problem:
            await problem.response()(scope, receive, told)
        except Exception as error:
            failure = problem_of(error)
            self.log.failure(failure.log or "failed")
            if not status:
                await failure.response()(scope, receive, told)
        except asyncio.CancelledError:  # the service ends without waiting
            if not status:
                await busy("the service has stopped", hint="try again later").response()(scope, receive, told)
        path = scope["path"] if scope["path"] in self.paths else "(another path)"
        method = scope["method"] if scope["method"] in _METHODS else "(another method)"
        self.log.request(f"{method} {path} {status} {(time.perf_counter() - begin) * 1000:.0f} ms")

    def _place(self, scope: Scope) -> AbstractContextManager[None]:
        if scope["method"] != "POST" or not scope["path"].startswith("/v1/"):
            return nullcontext()
        return self.admission.place(scope["client"][0] if scope.get("client") else "")

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if not self._knows(headers.get("host", "")):
            raise Problem(
                421, "the service does not go by the name in the header Host", hint="start it with --allowed-host NAME"
            )
        if self.key is not None and scope["path"].startswith("/v1/"):
            given = headers.get("authorization", "").encode("latin-1", errors="replace")
            if not hmac.compare_digest(given, f"Bearer {self.key}".encode("latin-1", errors="replace")):
                raise Problem(
                    401,
                    "expected the service's key, got none or another",
                    hint="send the header Authorization: Bearer KEY",
                    headers={"WWW-Authenticate": "Bearer"},
                )

    def _knows(self, host: str) -> bool:
        name = host.lower().rpartition(":")[0] if _has_port(host) else host.lower()
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name.rstrip(".") in (*_LOOPBACK, *(known.lower() for known in self.hosts))
        return True


def _to_the_end(receive: Receive) -> Receive:
    """A service that is ended without waiting has ended all the same."""

    async def received() -> Message:
        try:
            return await receive()
        except asyncio.CancelledError:
            return {"type": "lifespan.shutdown"}

    return received


async def _sent(message: Message, send: Send) -> None:
    """A server takes a message when the ones before it have gone out; so an answer's end, as a message of its own, is
    taken when the client has read nearly all of the answer."""
    if message["type"] == "http.response.body" and not message.get("more_body", False):
        await send({**message, "more_body": True})
        message = {"type": "http.response.body", "body": b"", "more_body": False}
    await send(message)


def _has_port(host: str) -> bool:
    return ":" in host and not host.endswith("]") and host.rpartition(":")[2].isdigit()
