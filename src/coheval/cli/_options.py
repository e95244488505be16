"""What options of several commands share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand

Format = Literal["text", "json", "csv", "latex"]

Data = Annotated[str | None, typer.Argument(help=".jsonl, .csv or .tsv file (.gz too), test-set folder, or -")]
Candidates = Annotated[
    list[str] | None, typer.Option("-c", "--candidates", metavar="FILES", help="Texts, one segment a line.")
]
DocumentIds = Annotated[
    str | None, typer.Option("-d", "--documents", metavar="FILE", help="A document id for each line.")
]


class SeveralValues(TyperCommand):
    """Lets `-c a.txt b.txt` stand for `-c a.txt -c b.txt`, for every option that takes several values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        options = [p for p in self.params if getattr(p, "multiple", False)]
        flags = {name: option.opts[0] for option in options for name in option.opts}
        return super().parse_args(ctx, list(_repeat_flags(args, flags)))


def _repeat_flags(args: list[str], flags: Mapping[str, str]) -> Iterator[str]:
    flag = None
    fresh = False  # the flag itself was just given, so its first value needs no repetition
    for arg in args:
        if arg.startswith("-") and arg != "-":
            flag, fresh = flags.get(arg.partition("=")[0]), "=" not in arg
        elif flag and not fresh:
            yield flag
        else:
            fresh = False
        yield arg
