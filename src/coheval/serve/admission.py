"""Who may come in: so many requests at once, and so many of one client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from coheval.serve.problems import busy


class Admission:
    """Counts the requests that are inside. Only the event loop's thread asks."""

    def __init__(self, *, most: int, per_client: int) -> None:
        self._most = most
        self._per_client = per_client
        self._inside: Counter[str] = Counter()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for one request."""
        if self._inside[client] >= self._per_client:
            raise busy(
                f"this client has {self._inside[client]} requests here already, and may have {self._per_client}",
                hint="wait for their answers",
                status=429,
            )
        if self._inside.total() >= self._most:
            raise busy(f"the service has {self._most} requests already", hint="try again in a moment")
        self._inside[client] += 1
        try:
            yield
        finally:
            self._inside[client] -= 1
            if not self._inside[client]:
                del self._inside[client]
