"""`coheval list` and `coheval info`: what there is, and all about one of it."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from coheval import registry
from coheval.errors import UnknownName, did_you_mean


def list_components(format: Annotated[Literal["text", "json"], typer.Option("--format")] = "text") -> None:
    """What there is: metrics, encoders, decoders, annotators, tasks, one line each."""
    found = {g: {name: registry.summary(g, name) for name in registry.names(g)} for g in registry.GROUPS}
    if format == "json":
        import json

        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    width = max(len(name) for names in found.values() for name in names)
    for group, names in found.items():
        typer.echo(f"{group}")
        for name, summary in names.items():
            typer.echo(f"  {name:<{width}}  {summary}")


def info(
    spec: Annotated[str, typer.Argument(metavar="NAME", help="A component, such as moverscore, or a spec of one.")],
) -> None:
    """All about one component: formula, parameters, direction, range, needs, signature."""
    from coheval.describe import describe
    from coheval.spec import build

    name, bracket, _ = spec.partition("(")
    group = next((g for g in registry.GROUPS if name in registry.names(g)), None)
    if group is None:
        known = [n for g in registry.GROUPS for n in registry.names(g)]
        raise UnknownName(f"no component is called {name!r}", hint=did_you_mean(name, known))
    cls = registry.find(group, name)
    typer.echo(describe(cls, build(cls, spec) if bracket else None))
