"""One entry of a contrastive set, with fields that are checked when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from coheval.data.fields import shown_value
from coheval.errors import DataError

_SHOWN = 3  # members of a list that an error tells


@dataclass(frozen=True, slots=True)
class Entry:
    values: dict[str, object]
    where: str
    key: str  # its name, or its number from 1

    def text(self, name: str) -> str:
        """A text that is not blank: neither a metric nor a reader could make anything of it."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.error(name, "text that is not blank")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; none if it is not there."""
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
            raise self.error(name, "a list of texts")
        return tuple(value)

    def entry(self, name: str) -> Entry:
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self.error(name, "an object")
        return Entry(value, self.where, self.key)

    def entries(self, name: str) -> list[Entry]:
        """A list of objects, which are numbered from 1."""
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.error(name, "a list of objects")
        return [Entry(one, self.where, f"{self.key}.{n}") for n, one in enumerate(value, start=1)]

    def name(self, name: str, default: str) -> str:
        """A name, which may be a whole number; the default if it is not there."""
        value = self.values.get(name)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            raise self.error(name, "text that is not blank, or a whole number")
        return value

    def error(self, name: str, expected: str) -> DataError:
        return DataError(
            f"{name} must be {expected}, got {_shown(self.values[name]) if name in self.values else 'none'}",
            where=self.where,
            hint="docs/contrastive.md shows the formats",
        )


def _shown(value: object) -> str:
    """The members of a list tell more than that it is one."""
    if not isinstance(value, list):
        return shown_value(value)
    members = ", ".join(map(shown_value, value[:_SHOWN])) + (", …" if len(value) > _SHOWN else "")
    return f"a list of {members}" if value else "an empty list"
