"""Components and their signatures: what a spec names, built from its text, and the text that names it exactly.

A component is a frozen dataclass: its fields are its parameters, their annotations say what is allowed. A signature is
derived from the fields and adds what else can move a number: the component's version, the digest of its weights, the
versions of its libraries. A signature is itself a spec: `build(Metric, m.signature)` gives an equal metric back, and
refuses when version or digest are not the ones found here.
"""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import Any, ClassVar, TypeVar

from coheval.errors import SignatureWarning, SpecError, did_you_mean
from coheval.grammar import Spec, format_spec, parse
from coheval.registry import find

RESERVED = ("version", "sha256", "libraries")  # what a signature adds to the fields


def state(start: Callable[[], object] = lambda: None) -> Any:
    """A dataclass field for what a component learns or keeps: not a parameter, not in the signature."""
    return dataclasses.field(default_factory=start, repr=False, compare=False, metadata={"state": True})


@dataclass(frozen=True, kw_only=True)
class Component:
    """What can be named by a spec. The constructor checks and stores its parameters and does nothing else."""

    group: ClassVar[str]
    version: ClassVar[int] = 1
    libraries: ClassVar[tuple[str, ...]] = ()  # distributions whose version can move a number

    def __post_init__(self) -> None:
        hints = _hints(type(self))
        for name in self.parameters():
            value = getattr(self, name)
            fitted = _fit(value, hints[name])
            if fitted is _REFUSED:
                raise SpecError(
                    f"{name} must be {_describe(hints[name])}, got {format_spec(value)}",
                    where=type(self).name(),
                    hint=f"`coheval info {type(self).name()}` lists the parameters",
                )
            object.__setattr__(self, name, fitted)

    @classmethod
    def name(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    def parameters(cls) -> list[str]:
        return [f.name for f in dataclasses.fields(cls) if "state" not in f.metadata]

    @classmethod
    def required(cls) -> list[str]:
        """The parameters without a default."""
        missing = dataclasses.MISSING
        return [f.name for f in dataclasses.fields(cls) if f.default is missing and f.default_factory is missing]

    def digest(self) -> str | None:
        """sha256 of the files that this component's numbers depend on, if there are any."""
        return None

    def details(self) -> list[str]:
        """Lines that `coheval info` adds: what a component is made of beyond its parameters."""
        return []

    def settle(self, **values: object) -> None:
        """For `__post_init__`: replace a parameter by what it stands for."""
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def require(self, condition: bool, message: str) -> None:
        """For `__post_init__`: a rule about parameters that annotations cannot say."""
        if not condition:
            name = type(self).name()
            raise SpecError(message, where=name, hint=f"`coheval info {name}` lists the parameters")

    @property
    def spec(self) -> Spec:
        return Spec(type(self).name(), params={n: getattr(self, n) for n in self.parameters()})

    @property
    def signature(self) -> str:
        return format_spec(_signed(self))


T = TypeVar("T", bound=Component)


def build(kind: type[T], text: str | Spec) -> T:
    """The component that a spec or a signature names."""
    spec = text if isinstance(text, Spec) else parse(text)
    cls = find(kind.group, spec.name)
    if not issubclass(cls, kind):
        raise SpecError(
            f"{cls.__name__} is not a {kind.__name__}", where=spec.name, hint="`coheval list` shows what is what"
        )
    if spec.args:
        raise SpecError(
            f"parameters are given by name, got {format_spec(spec.args[0])} without one",
            where=spec.name,
            hint="known: " + ", ".join(cls.parameters()),
        )
    claims = {k: v for k, v in spec.params.items() if k in RESERVED}
    params = {k: v for k, v in spec.params.items() if k not in RESERVED}
    for key in params:
        if key not in cls.parameters():
            raise SpecError(
                f"no parameter is called {key!r}", where=spec.name, hint=did_you_mean(key, cls.parameters())
            )
    for key in cls.required():
        if key not in params:
            raise SpecError(f"the parameter {key!r} must be given", where=spec.name, hint=f"write {spec.name}({key}=…)")
    made = cls(**params)
    _check_claims(made, claims)
    return made


def _signed(component: Component) -> Spec:
    params: dict[str, object] = {"version": component.version}
    for name in component.parameters():
        params[name] = _signed_value(getattr(component, name))
    digest = component.digest()
    if digest:
        params["sha256"] = digest[:16]
    if component.libraries:
        params["libraries"] = {name: _installed(name) for name in component.libraries}
    return Spec(type(component).name(), params=params)


def _signed_value(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_signed_value, value))
    return _signed(value) if isinstance(value, Component) else value


def _check_claims(made: Component, claims: Mapping[str, object]) -> None:
    name = type(made).name()
    if claims.get("version", made.version) != made.version:
        raise SpecError(
            f"the signature was made by version {claims['version']} of {name}, this is version {made.version}",
            where=name,
            hint="install the coheval that made it (its run's manifest names it), or drop version=… to accept this one",
        )
    digest = made.digest() if "sha256" in claims else None
    if "sha256" in claims and (digest is None or digest[:16] != str(claims["sha256"])[:16]):
        raise SpecError(
            f"the signature was made with files of sha256 {claims['sha256']}, found {digest and digest[:16]}",
            where=format_spec(made),
            hint="put the files back that it was made with; a spec without sha256=… accepts others",
        )
    libraries = claims.get("libraries", {})
    if not isinstance(libraries, Mapping):
        raise SpecError(
            f"libraries must be {{'name': 'version'}}, got {format_spec(libraries)}",
            where=name,
            hint="drop libraries=…",
        )
    warn_of_libraries(name, "the signature", libraries)


def warn_of_libraries(name: str, what: str, libraries: Mapping[str, object]) -> None:
    """Say so if `what` was made with other versions of libraries than are installed here."""
    other = [f"{k} {v} (here {_installed(k)})" for k, v in libraries.items() if _installed(str(k)) != v]
    if other:
        warnings.warn(
            f"{name}: {what} was made with {', '.join(other)}; the last digits of scores may differ",
            SignatureWarning,
            stacklevel=5,
        )


@cache
def _installed(distribution: str) -> str | None:
    try:
        return installed_version(distribution)
    except (PackageNotFoundError, ValueError):  # a ValueError: the name is empty
        return None


# ------------------------------------------------------------------------------- annotations say what is allowed

_REFUSED = object()


_hints: Callable[[type], dict[str, Any]] = cache(typing.get_type_hints)


def _fit(value: object, hint: Any) -> object:
    """The value as the annotation wants it (a bare word as text, a nested spec as its component), or `_REFUSED`."""
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        fits = (_fit(value, option) for option in typing.get_args(hint))
        return next((f for f in fits if f is not _REFUSED), _REFUSED)
    if isinstance(hint, type) and issubclass(hint, Component):
        return _fit_component(value, hint)
    if isinstance(value, Spec):
        value = format_spec(value)
    if origin is typing.Literal:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = value if value in typing.get_args(hint) else str(value)  # variant=1.5 is variant='1.5'
        return next((o for o in typing.get_args(hint) if o == value and type(o) is type(value)), _REFUSED)
    if origin is tuple:
        return _fit_tuple(value, typing.get_args(hint)[0])
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) <= sys.float_info.max else _REFUSED  # infinity and nan have no literal
    return value if type(value) is hint else _REFUSED


def _fit_component(value: object, kind: type[T]) -> object:
    if isinstance(value, Spec | str):
        return build(kind, value)
    return value if isinstance(value, kind) else _REFUSED


def _fit_tuple(value: object, hint: Any) -> object:
    if not isinstance(value, tuple | list):
        return _REFUSED
    fitted = tuple(_fit(v, hint) for v in value)
    return _REFUSED if any(f is _REFUSED for f in fitted) else fitted


def allowed(cls: type[Component], parameter: str) -> str:
    """What a parameter may be, in words."""
    return _describe(_hints(cls)[parameter])


def _describe(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_describe(option) for option in typing.get_args(hint))
    if origin is typing.Literal:
        return " or ".join(repr(option) for option in typing.get_args(hint))
    if origin is tuple:
        kind = typing.get_args(hint)[0]
        component = isinstance(kind, type) and issubclass(kind, Component)
        return f"a list of {kind.group if component else _describe(kind)}"
    if isinstance(hint, type) and issubclass(hint, Component):
        return f"one of the {hint.group}"
    return {int: "a whole number", float: "a number", str: "text", bool: "True or False", type(None): "None"}.get(
        hint, str(hint)
    )
