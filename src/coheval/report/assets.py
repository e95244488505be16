"""The pages' program, style and frame, put together from the files in `page/` and `serve/page/`.

    script("report"), style("report")   of the report, which is one file
    script("try"), style("try")         of the service's page
    page(title=…, noscript=…, blocks=…) the report: everything in it, and nothing that it could fetch
    block(name, value)                  a data block of the report

The parts of a program share their names, as if they were one file. A page's policy lets exactly this script and this
style run, by their digests, and forbids every connection.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Literal

Page = Literal["report", "try"]

_DRAWING = (  # what both pages need to draw an explanation; each part may use those of all others when it runs
    *("dom", "numbers", "theme", "text", "lighting", "panes"),
    *("pairing", "flow", "heat", "foci", "arcs", "curve", "trees", "surface"),
    *("views", "scores", "explanation"),
)
_REPORT = (
    *("data", "sortable", "overview", "scatter", "agreement"),
    *("finding", "search", "listview", "documents", "document", "reproducibility", "paper", "report"),
)
_STYLES = ("base", "tables", "explanation", "views")
_PARTS: dict[Page, tuple[str, ...]] = {"report": _DRAWING + _REPORT, "try": _DRAWING}
_STYLED: dict[Page, tuple[str, ...]] = {"report": (*_STYLES, "report", "print"), "try": (*_STYLES, "print")}


@cache
def script(page: Page) -> str:
    """The program of a page: an ES module."""
    return _joined(page, _PARTS[page], "js")


@cache
def style(page: Page) -> str:
    return _joined(page, _STYLED[page], "css")


def block(name: str, value: object) -> str:
    """Plain data as an element of the page: JSON, compressed, in base64; the same data are always the same text."""
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    packed = gzip.compress(told.encode("utf-8"), compresslevel=6, mtime=0)
    encoded = base64.b64encode(packed).decode("ascii")
    return f'<script type="application/octet-stream" id="{escape(name)}">{encoded}</script>'


def page(*, title: str, noscript: str, blocks: Iterable[str]) -> str:
    """The report; `noscript` is markup for readers without JavaScript, its texts escaped already."""
    return Template(_read("report", "report.html")).substitute(
        title=escape(title),
        policy=_policy(),
        style=style("report"),
        noscript=noscript,
        blocks="\n".join(blocks),
        script=script("report"),
    )


def _policy() -> str:
    kinds = {"script-src": script("report"), "style-src": style("report")}
    allowed = [f"{kind} '{_digest(text)}'" for kind, text in kinds.items()]
    return "; ".join(["default-src 'none'", *allowed, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    """As browsers count it: of everything between the tags."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _joined(page: Page, parts: Iterable[str], ending: str) -> str:
    texts = [_read("report", f"{part}.{ending}") for part in parts]
    if page == "try":
        texts.append(_read("serve", f"try.{ending}"))
    return "\n".join(texts)


def _read(folder: str, name: str) -> str:
    text = files("coheval").joinpath(folder, "page", name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")  # as a browser reads it, whatever system unpacked the file
