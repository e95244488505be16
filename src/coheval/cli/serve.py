"""`coheval serve`: the service and its page."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from coheval.errors import ResourceError, UsageError

_KEY = "COHEVAL_API_KEY"


def serve(
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metrics", metavar="SPECS", help="What may be asked for.  [embedded metrics]"),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8000,
    api_key_file: Annotated[
        Path | None,
        typer.Option("--api-key-file", metavar="FILE", help=f"What requests must show.  [{_KEY}, or none]"),
    ] = None,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option("--allowed-host", metavar="NAMES", help="Names by which it may be called, beside localhost."),
    ] = None,
    behind_proxy: Annotated[
        str | None,
        typer.Option("--behind-proxy", metavar="ADDRESS", help="A proxy that says truly who its clients are."),
    ] = None,
    body: Annotated[int, typer.Option("--max-body", min=1_000, help="Bytes of a request.")] = 1_000_000,
    characters: Annotated[int, typer.Option("--max-characters", min=1, help="Of a request's texts.")] = 50_000,
    text: Annotated[int, typer.Option("--max-text", min=1, help="Characters of one text.")] = 10_000,
    explained: Annotated[int, typer.Option("--max-explained", min=1, help="Characters that are explained.")] = 10_000,
    segments: Annotated[int, typer.Option("--max-segments", min=1, help="Of a request, all systems.")] = 1_000,
    texts: Annotated[int, typer.Option("--max-texts", min=1, help="Of a request, references too.")] = 20_000,
    asked: Annotated[int, typer.Option("--max-metrics", min=1, help="Of a request.")] = 16,
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, max=3_600, help="Seconds for an answer.")] = 30.0,
    queue: Annotated[int, typer.Option("--queue", min=1, help="Requests in the service at once.")] = 128,
    per_client: Annotated[int, typer.Option("--per-client", min=1, help="Requests of one address at once.")] = 64,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Requests that are scored together.")] = 32,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not log requests.")] = False,
) -> None:
    """A web service and its page: coheval serve, then open the address that it prints."""
    missing = [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ResourceError(
            f"the service needs {' and '.join(missing)}, not installed here", hint="pip install 'coheval[serve]'"
        )
    if math.isnan(seconds):
        raise UsageError("--timeout must be a number of seconds, got nan", hint="--timeout 30")
    from coheval.serve.log import Log
    from coheval.serve.server import serve as run
    from coheval.serve.settings import METRICS, Settings

    settings = Settings(
        metrics=tuple(metrics or METRICS),
        body=body,
        characters=characters,
        text=text,
        explained=explained,
        segments=segments,
        texts=texts,
        asked=asked,
        seconds=seconds,
        queue=queue,
        per_client=per_client,
        batch=batch,
        key=_key(api_key_file),
        hosts=(host, *(allowed_hosts or ())),
    )
    run(
        settings,
        host=host,
        port=port,
        proxies=behind_proxy,
        log=Log(request=_silent if quiet else _tell, failure=_tell),
        tell=lambda address: _tell(f"coheval serves {address} (Ctrl+C stops it)"),
    )


def _key(file: Path | None) -> str | None:
    """The API key. It is never an option: whoever can list processes would see it."""
    if file is None:
        return os.environ.get(_KEY) or None
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"the API key cannot be read: {error}", where=str(file), hint="name a file of one line"
        ) from None
    if not key:
        raise UsageError("the file with the API key is empty", where=str(file), hint="write the key into it")
    return key


def _tell(line: str) -> None:
    with suppress(OSError, ValueError):  # the service goes on when nobody can read it
        typer.echo(line, err=True)


def _silent(_: str) -> None:
    pass
