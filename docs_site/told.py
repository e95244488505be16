"""What `coheval info NAME` tells, taken apart, so that a page can set each part in its own way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from coheval import registry
from coheval.describe import describe

_PARAMETER = re.compile(r"^  (?P<name>\w+): (?P<kind>.*); (?P<default>required|default .*)$")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: str
    default: str
    comment: str


@dataclass(frozen=True, slots=True)
class Told:
    summary: str
    body: str  # the docstring without its first line
    parameters: list[Parameter]
    facts: dict[str, str]  # direction, range, unit, needs, several references
    details: str
    signature: str

    @staticmethod
    def of(group: str, name: str) -> Told:
        return _told(group, name)


@cache
def _told(group: str, name: str) -> Told:
    text = describe(registry.find(group, name))
    doc, _, rest = text.partition("\n\nparameters\n")
    _, summary, body = (doc + "\n\n").split("\n\n", 2)
    parameters, *sections = rest.split("\n\n")
    signature = re.search(r"^signature.*?: (.*)", sections[-1])
    facts = {}
    if group == "metrics":
        facts = dict(line.split(": ", 1) for line in sections.pop(0).splitlines())
    details = "\n\n".join(sections[:-1])
    return Told(summary, body.strip(), list(_parameters(parameters)), facts, details, signature[1] if signature else "")


def _parameters(text: str) -> list[Parameter]:
    found: list[Parameter] = []
    for line in text.splitlines():
        if match := _PARAMETER.match(line):
            found.append(Parameter(match["name"], match["kind"], match["default"].removeprefix("default "), ""))
        elif line.startswith("      "):
            last = found.pop()
            found.append(Parameter(last.name, last.kind, last.default, line.strip()))
    return found


def parameters_table(told: Told) -> str:
    if not told.parameters:
        return "None."
    rows = [f"| `{p.name}` | {_code(p.kind)} | `{p.default}` | {_cell(p.comment)} |" for p in told.parameters]
    return "\n".join(["| parameter | what it may be | default | |", "|---|---|---|---|", *rows])


def sentence(summary: str) -> str:
    """A docstring's first line may go on in the next one; it may also lack its stop."""
    return " ".join(summary.split()).replace("|", "\\|")


def linked(body: str) -> str:
    """Names of pages, such as docs/results.md, as links to them."""
    return re.sub(r"\bdocs/([\w-]+)\.md", r"[\1](../\1.md)", body)


def _code(kind: str) -> str:
    return re.sub(r"'[^']*'", lambda m: f"`{m[0]}`", kind)


def _cell(comment: str) -> str:
    return linked(comment).replace("|", "\\|")
