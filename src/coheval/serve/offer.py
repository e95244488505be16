"""Which metrics a request may name.

The operator offers some by their specs. A request may name one of them by its text or signature, or vary it: switches,
small numbers, None, and words from a fixed choice may be other ones. Everything else, text and nested components, could
name a file or a model, and must be as in that spec. What is refused is refused before anything of it is built, so that
no answer depends on which files there are.
"""

from __future__ import annotations

import types
import typing
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from coheval.errors import SpecError, UnknownName, did_you_mean
from coheval.grammar import Spec, parse
from coheval.metrics import Metric
from coheval.run.score import named
from coheval.spec import Component, build

LONGEST = 1_000  # characters of a spec in a request
_REMEMBERED = 256  # variations that are kept ready
_WHOLE, _REAL, _LIST = 16, 1_000.0, 16  # the largest numbers, and the most values in a list
_LOADING = {  # words that read files
    *("flores101", "flores200", "spBLEU-1K", "ja-mecab", "ko-mecab", "synonym", "coref", "entity"),
}


class Offer:
    def __init__(self, specs: Sequence[str]) -> None:
        self.metrics = named(specs)
        self._bases = [_Base(parse(text), offered) for text, offered in self.metrics.items()]
        self._signed = {offered.signature: offered for offered in self.metrics.values()}
        _make_defaults(tuple(self.metrics.values()))
        self._varied: OrderedDict[str, Metric] = OrderedDict()  # the least recently used first

    def metric(self, text: str) -> Metric:
        """What a request's spec names, made once."""
        ready = self.metrics.get(text) or self._signed.get(text) or self._varied.get(text)
        if ready is None:
            ready = self._varied[text] = self._variation(text)
        if text in self._varied:
            self._varied.move_to_end(text)
        if len(self._varied) > _REMEMBERED:
            self._varied.popitem(last=False)
        return ready

    def _variation(self, text: str) -> Metric:
        if len(text) > LONGEST:
            raise SpecError(
                f"the text has {len(text):,} characters, this service reads at most {LONGEST:,}",
                where=f"spec {text[:80]!r}",
                hint="name a metric that GET /v1/metrics lists",
            )
        spec = parse(text)
        if not any(base.metric.name() == spec.name for base in self._bases):
            raise UnknownName(
                f"this service offers no metric called {spec.name[:80]!r}",
                hint=did_you_mean(spec.name[:80], {base.metric.name() for base in self._bases}),
            )
        fitting = [base for base in self._bases if base.may_become(spec)]
        made = build(Metric, spec) if fitting else None
        if made is None or not any(base.metric.digest() == made.digest() for base in fitting):
            raise SpecError(
                f"this service does not offer the metric so: {self._refused(spec)}",
                where=f"spec {text[:80]!r}",
                hint="GET /v1/metrics lists what there is; switches, small numbers and most choices may be changed",
            )
        return made

    def _refused(self, spec: Spec) -> str:
        """What keeps a spec from being a variation of the first metric that is offered under its name."""
        offers = zip(self.metrics, self._bases, strict=True)
        text, base = next((text, base) for text, base in offers if base.metric.name() == spec.name)
        wrong = ", ".join(name[:80] for name in base.refused(spec)) or "what would read other data"
        return f"it has {text[:200]}, and a request may not set {wrong}"


@dataclass(frozen=True)
class _Base:
    """An offered metric, and the spec that the operator gave."""

    spec: Spec
    metric: Metric

    def may_become(self, spec: Spec) -> bool:
        return spec.name == self.metric.name() and not spec.args and not self.refused(spec)

    def refused(self, spec: Spec) -> list[str]:
        """The parameters that there are not, or that may not be what the spec makes them."""
        known = type(self.metric).parameters()
        strange = [name for name in spec.params if name not in known]
        return strange + [name for name in known if not self._parameter_may(name, spec)]

    def _parameter_may(self, name: str, spec: Spec) -> bool:
        hint, held = typing.get_type_hints(type(self.metric))[name], getattr(self.metric, name)
        if name in spec.params:
            return _same(spec.params[name], held) or _harmless(spec.params[name], hint)
        if name not in self.spec.params:  # neither says anything
            return True
        default = getattr(_default(type(self.metric)), name, None)
        return bool(default == held) or _harmless(default, hint)


def _same(value: object, held: object) -> bool:
    """Whether a value of a spec is the one that a component holds."""
    if isinstance(held, Component):
        return isinstance(value, Spec) and _names(value, held)
    if isinstance(held, tuple):
        return isinstance(value, tuple) and len(value) == len(held) and all(map(_same, value, held))
    if isinstance(held, str):
        return _word(value) == held
    return not isinstance(value, Spec) and isinstance(value, bool) == isinstance(held, bool) and value == held


def _names(spec: Spec, held: Component) -> bool:
    """Whether a nested spec names exactly this component."""
    if spec.name != held.name() or spec.args or not set(spec.params).issubset(held.parameters()):
        return False
    default = _default(type(held))
    return all(
        _same(spec.params[name], getattr(held, name))
        if name in spec.params
        else default is not None and getattr(default, name) == getattr(held, name)
        for name in held.parameters()
    )


def _made(cls: Any) -> Component | None:
    return None if cls.required() else cls()


_default: Callable[[Any], Component | None] = cache(_made)


def _make_defaults(held: object) -> None:
    """Of a component and all in it, before the first request: making them looks for installed plug-ins."""
    if isinstance(held, tuple):
        for one in held:
            _make_defaults(one)
    elif isinstance(held, Component):
        _default(type(held))
        for name in held.parameters():
            _make_defaults(getattr(held, name))


def _harmless(value: object, hint: Any) -> bool:
    """Whether a value can only be a switch, a small number, None or a word from a fixed choice."""
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_harmless(value, option) for option in typing.get_args(hint))
    if origin is typing.Literal:
        return _word(value) in typing.get_args(hint) and _word(value) not in _LOADING
    if origin is tuple:
        inner = typing.get_args(hint)[0]
        return isinstance(value, tuple) and len(value) <= _LIST and all(_harmless(v, inner) for v in value)
    if hint is bool or value is None:
        return type(value) is bool or (value is None and hint is type(None))
    if hint is int:
        return type(value) is int and abs(value) <= _WHOLE
    return hint is float and isinstance(value, int | float) and type(value) is not bool and abs(value) <= _REAL


def _word(value: object) -> str | None:
    """A text, or what stands for one: a bare word, or a number such as variant=1.5."""
    if isinstance(value, Spec):
        return None if value.args or value.params else value.name
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None
