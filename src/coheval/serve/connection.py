"""HTTP as uvicorn speaks it, but nobody keeps a place by never sending the whole head of a request, or by reading an
answer for ever."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


def patient(seconds: float) -> type[HttpToolsProtocol]:
    """uvicorn waits for ever for a head, and with a deadline only for the next request's first byte."""

    class Patient(HttpToolsProtocol):
        _head: asyncio.TimerHandle | None = None
        _answer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._await_head()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._await_head()

        def on_headers_complete(self) -> None:
            self._forget()
            super().on_headers_complete()

        def pause_writing(self) -> None:
            """The client has not read what is sent to it."""
            super().pause_writing()
            self._answer = self.loop.call_later(seconds, self.transport.abort)

        def resume_writing(self) -> None:
            self._forget_answer()
            super().resume_writing()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            self._forget_answer()
            super().connection_lost(exc)

        def _await_head(self) -> None:
            if self._head is None:
                self._head = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

        def _forget(self) -> None:
            if self._head is not None:
                self._head.cancel()
                self._head = None

        def _forget_answer(self) -> None:
            if self._answer is not None:
                self._answer.cancel()
                self._answer = None

    return Patient
