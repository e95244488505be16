"""Constituents one a line, `((1, 2), 'Nucleus', 'span')`, and the tree that they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coheval.data.treefiles._branches import NO_RELATION, Branch, downward
from coheval.errors import DataError

_LINE = re.compile(r"""\(\((\d{1,9}),\s*(\d{1,9})\),\s*(['"])(Nucleus|Satellite|Root)\3,\s*(['"])([^\s'"]*)\5\),?""")
_HINT = "every EDU and every node but the root stands on one line, by the numbers of its first and last EDU"


def listed_root(source: str, edus: Sequence[str], *, where: str) -> Branch:
    """The root over the EDUs, whose texts are given."""
    root = Branch("N", NO_RELATION, None, [], 0, len(edus))
    branches = sorted(_branches(source, edus, where), key=lambda branch: (branch.first, -branch.stop))
    way = [root]  # from the root to where the last branch hangs
    for branch in branches:
        while way[-1].stop <= branch.first and len(way) > 1:
            way.pop()
        same = (branch.first, branch.stop) == (way[-1].first, way[-1].stop)
        if same or branch.stop > way[-1].stop or not 0 <= branch.first < branch.stop:
            raise _fault("crosses another, is there twice, or has no EDUs", branch, where)
        way[-1].children.append(branch)
        way.append(branch)
    return _checked(root, edus, where)


def _branches(source: str, edus: Sequence[str], where: str) -> Iterator[Branch]:
    """All but the root, in the order of the file."""
    for number, line in enumerate(source.splitlines(), 1):
        match = _LINE.fullmatch(line.strip())
        if match is None and line.strip():
            raise DataError(
                f"expected ((first, last), 'Nucleus' or 'Satellite', 'relation'), got {line.strip()[:50]!r}",
                where=f"{where}:{number}",
                hint=_HINT,
            )
        if match and (first := int(match[1]) - 1, stop := int(match[2])) != (0, len(edus)):
            edu = edus[first] if stop - first == 1 and stop <= len(edus) else None
            yield Branch("S" if match[4] == "Satellite" else "N", match[6], edu, [], first, stop)


def _checked(root: Branch, edus: Sequence[str], where: str) -> Branch:
    """The root, if the children of every branch are next to each other and are all of it."""
    if len(edus) == 1:
        root.edu = edus[0]
    for branch in downward(root):
        bounds = [branch.first, *(child.stop for child in branch.children)]
        if branch.edu is None and (bounds[-1] != branch.stop or bounds[:-1] != [c.first for c in branch.children]):
            raise _fault("has parts that are not there", branch, where)
    return root


def _fault(what: str, branch: Branch, where: str) -> DataError:
    return DataError(f"the constituent over EDUs {branch.first + 1} to {branch.stop} {what}", where=where, hint=_HINT)
