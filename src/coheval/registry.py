"""Which components exist: a group is a folder, a component's name is its file's name.

`metrics/moverscore.py` holds the class `MoverScore`: the class whose name, lower-cased, is the file's. So adding a
component is adding a file, and there is no second list to edit. Files that begin with an underscore are shared parts
of a family, not components. Other packages add components with an entry point of the group `coheval.<group>`:

    [project.entry-points."coheval.metrics"]
    mymetric = "mypackage.mymetric:MyMetric"

Listing reads docstrings without importing, so that it costs no numpy and no torch.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from coheval.errors import CohevalError, ResourceError, UnknownName, did_you_mean

GROUPS = ("metrics", "encoders", "decoders", "annotators", "rankers", "models", "tasks")


def names(group: str) -> list[str]:
    return sorted({*_built_in(group), *_plugins(group)})


def find(group: str, name: str) -> type:
    """The class of a component; its module is imported now, not before."""
    built_in, plugins = _built_in(group), _plugins(group)
    if name in built_in and name in plugins:
        raise ResourceError(
            f"the plug-in {plugins[name].value!r} takes the name {name!r} of a built-in component",
            where=f"entry point coheval.{group}",
            hint="rename the plug-in's entry point, or uninstall the package that brings it",
        )
    if name in built_in:
        try:
            module = importlib.import_module(f"coheval.{group}.{name}")
        except (SyntaxError, ImportError) as error:
            raise ResourceError(
                f"the file cannot be loaded: {type(error).__name__}: {error}",
                where=str(built_in[name]),
                hint="repair it, or install what it imports",
            ) from error
        return _class_of(module.__dict__, name, str(built_in[name]))
    if name in plugins:
        return _load(plugins[name], group)
    raise _unknown(group, name)


def summary(group: str, name: str) -> str:
    """The first line of the component's docstring, read without importing it."""
    built_in, plugins = _built_in(group), _plugins(group)
    if name in built_in:
        try:
            doc = ast.get_docstring(ast.parse(built_in[name].read_text(encoding="utf-8"))) or ""
        except SyntaxError as error:
            return f"broken: {error.msg}, line {error.lineno}"
        return doc.partition("\n")[0]
    if name in plugins:
        return f"plug-in {plugins[name].value}"
    raise _unknown(group, name)


def _unknown(group: str, name: str) -> UnknownName:
    return UnknownName(f"no {group.removesuffix('s')} is called {name!r}", hint=did_you_mean(name, names(group)))


def _built_in(group: str) -> dict[str, Path]:
    folder = Path(__file__).parent / group
    return {p.stem: p for p in folder.glob("*.py") if not p.stem.startswith("_")}


def _plugins(group: str) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=f"coheval.{group}"):
        if entry.name in found and found[entry.name].value != entry.value:
            raise ResourceError(
                f"two plug-ins are called {entry.name!r}: {found[entry.name].value} and {entry.value}",
                where=f"entry point coheval.{group}",
                hint="uninstall one of the two packages",
            )
        found[entry.name] = entry
    return found


def _class_of(namespace: dict[str, object], name: str, where: str) -> type:
    for key, value in namespace.items():
        if key.lower() == name and isinstance(value, type):
            return value
    raise ResourceError(
        f"the file defines no class called like itself: expected one whose lower-cased name is {name!r}",
        where=where,
        hint="rename the class or the file; a shared part's name begins with an underscore",
    )


def _load(entry: EntryPoint, group: str) -> type:
    try:
        found = entry.load()
    except CohevalError:
        raise
    except Exception as error:
        raise ResourceError(
            f"the plug-in {entry.value!r} could not be loaded: {type(error).__name__}: {error}",
            where=f"entry point coheval.{group}",
            hint=f"repair or uninstall the package that brings {entry.name!r}",
        ) from error
    if not isinstance(found, type):
        raise ResourceError(
            f"the plug-in {entry.value!r} must name a class, got {type(found).__name__}",
            where=f"entry point coheval.{group}",
            hint=f"repair or uninstall the package that brings {entry.name!r}",
        )
    if found.__name__.lower() != entry.name:  # a signature names the class, and must find it again
        raise ResourceError(
            f"the plug-in {entry.name!r} must name a class whose lower-cased name is the same, got {found.__name__}",
            where=f"entry point coheval.{group}",
            hint=f"rename the entry point to {found.__name__.lower()!r}",
        )
    return found
