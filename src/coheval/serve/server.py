"""The service on a socket, until a signal ends it."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn

from coheval.errors import ResourceError, UsageError
from coheval.serve.apart import Apart
from coheval.serve.app import build
from coheval.serve.connection import patient
from coheval.serve.log import Log
from coheval.serve.service import Service
from coheval.serve.settings import Settings

SHORTEST_KEY = 16
_GLANCE = 0.05  # seconds between looks at whether all has ended
_AFTER = 5.0  # seconds beyond a request's time in which a stopping service sends its last answers


class _Server(uvicorn.Server):
    """Tells the worker when it stops, and stops when the worker could not begin."""

    def __init__(self, config: uvicorn.Config, service: Service, started: Callable[[], None]) -> None:
        super().__init__(config)
        self.service = service
        self.tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.tell_started()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self.service.worker.failure is not None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """What is being scored is finished, unless nobody wants to wait for it; models that are being loaded are of no
        use any more."""
        service = self.service
        service.stop()
        ended = asyncio.ensure_future(super().shutdown(sockets=sockets))
        end = time.monotonic() + service.settings.seconds + _AFTER
        while (service.worker.alive or not ended.done()) and time.monotonic() < end:
            if self.force_exit or not service.worker.ready:
                service.engine.abort()
            await asyncio.sleep(_GLANCE)
        await ended

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As uvicorn does, but a service that was stopped has ended well, and does not die of the signal. Whoever
        presses Ctrl+C twice does not want to wait."""
        self.force_exit = self.force_exit or (self.should_exit and sig == signal.SIGINT)
        self.should_exit = True


def serve(
    settings: Settings,
    *,
    host: str,
    port: int,
    proxies: str | None,
    log: Log,
    tell: Callable[[str], None],
) -> None:
    """Answer requests until SIGINT or SIGTERM; `tell` is given the address."""
    check_key(settings.key, host)
    engine = Apart(settings.metrics, seconds=settings.seconds, growth=settings.growth)
    service = Service.of(settings, engine, log)
    with _listening(host, port, settings.seconds) as listener:
        config = uvicorn.Config(
            build(service),
            http=patient(settings.seconds),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="on",
            proxy_headers=proxies is not None,
            forwarded_allow_ips=proxies or "",
            timeout_graceful_shutdown=int(settings.seconds + _AFTER),
        )
        address = _address(host, listener)
        try:
            _Server(config, service, lambda: tell(address)).run(sockets=[listener])
        finally:
            engine.abort()
            service.worker.join(_AFTER)
    if service.worker.failure is not None:
        raise service.worker.failure


def check_key(key: str | None, host: str) -> None:
    """Whoever can reach the service may use it: beyond this machine that must be people who were given a key."""
    if key is not None and (len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key):
        raise UsageError(
            f"the API key must have at least {SHORTEST_KEY} printable characters without blanks, got {len(key)}",
            hint="make one: python -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    if key is None and not _is_loopback(host):
        raise UsageError(
            f"an address that other machines can reach needs an API key, got --host {host} without one",
            hint="--api-key-file FILE, or the environment variable COHEVAL_API_KEY",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening(host: str, port: int, patience: float) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=2048)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux: a connection whose answer nobody reads ends
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(patience * 1000))
        return listener
    except (OSError, UnicodeError) as error:
        raise ResourceError(
            f"the service cannot listen there: {getattr(error, 'strerror', None) or error}",
            where=f"{host}:{port}",
            hint="choose another --port (0 takes a free one), or --host",
        ) from None


def _address(host: str, listener: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"
