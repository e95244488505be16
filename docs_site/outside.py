"""Files outside docs/ that pages link to, such as CONTRIBUTING.md: the site has them too, below repository/.

On the code host links are relative to the file they stand in. Here they are followed from there, and written anew for
the place that the site gives a page.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LINK = re.compile(r"(?P<text>\[[^\]]*\])\((?P<target>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")
_FOLDER = "repository"


@dataclass(frozen=True)
class Outside:
    docs: Path
    files: dict[Path, str]  # each file, and its place on the site

    @classmethod
    def find(cls, docs: Path) -> Outside:
        """Every file that a page of docs/ links to, and what those link to."""
        files: dict[Path, str] = {}
        waiting = sorted(docs.rglob("*.md"))
        while waiting:
            for target in _targets(waiting.pop()):
                if target.is_file() and not target.is_relative_to(docs) and target not in files:
                    files[target] = posixpath.join(_FOLDER, target.relative_to(docs.parent).as_posix())
                    waiting += [target] if target.suffix == ".md" else []
        return cls(docs, files)

    def relinked(self, markdown: str, uri: str) -> str:
        """The text of the page at `uri`, with links that lead where the site has their targets."""
        places = {place: path for path, place in self.files.items()}
        source = places.get(uri, self.docs / uri)
        return _LINK.sub(lambda found: self._relinked(found, source, uri), markdown)

    def _relinked(self, found: re.Match[str], source: Path, uri: str) -> str:
        target = _followed(source, found["target"])
        place = self.files.get(target)
        if place is None and target.is_relative_to(self.docs):
            place = target.relative_to(self.docs).as_posix()
        if place is None:
            return found[0]
        return f"{found['text']}({posixpath.relpath(place, posixpath.dirname(uri))}{found['anchor'] or ''})"


def _targets(page: Path) -> Iterator[Path]:
    for found in _LINK.finditer(page.read_text(encoding="utf-8")):
        yield _followed(page, found["target"])


def _followed(page: Path, target: str) -> Path:
    return Path(os.path.normpath(page.parent / target))
