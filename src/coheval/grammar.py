"""The grammar of specs: `name(key=value, …)`, read without executing anything.

Values are literals (text, numbers, True, False, None, lists, dicts), nested specs, or bare words, which are specs
without parameters and count as text where text is expected: `dsfocus(focus=noun)`.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from coheval.errors import SpecError

LONGEST = 20_000  # characters in a spec text; a longer one is a mistake or an attack
LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Spec:
    name: str
    args: tuple[object, ...] = ()
    params: Mapping[str, object] = field(default_factory=dict)


def parse(text: str) -> Spec:
    if not isinstance(text, str):
        raise SpecError(
            f'a spec must be text such as "moverscore(ngram=2)", got {type(text).__name__}', hint="quote it"
        )
    where = f"spec {text[:80]!r}"
    if len(text) > LONGEST:
        raise SpecError(
            f"the text has {len(text):,} characters, expected at most {LONGEST:,}",
            where=where,
            hint="put long lists into a file",
        )
    try:
        value = _value(_tree(text), where)
    except SyntaxError as error:
        raise SpecError(
            f"not a spec ({error.msg})", where=where, hint="write name or name(key=value, …); quote texts and paths"
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise SpecError(
            f"not a spec ({type(error).__name__}: {error})", where=where, hint="write name or name(key=value, …)"
        ) from None
    if isinstance(value, tuple):
        raise SpecError("expected one spec, got several", where=where, hint="separate specs by blanks, not by commas")
    if not isinstance(value, Spec):
        raise SpecError("expected a name or name(key=value, …)", where=where, hint="for example moverscore(ngram=2)")
    return value


def _tree(text: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what Python only warns of, such as '\\d' in a path, must not depend on filters
        return ast.parse(text.strip(), mode="eval").body


def _value(node: ast.expr, where: str) -> object:
    match node:
        case ast.Constant(value=str() | bool() | None as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return _number(value, where)
        case ast.Name(id=name):
            return Spec(name)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return Spec(name, tuple(_value(a, where) for a in args), _params(keywords, where))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -_number(value, where)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return tuple(_value(e, where) for e in elements)
        case ast.Dict(keys=keys, values=values):
            return {_key(k, where): _value(v, where) for k, v in zip(keys, values, strict=True)}
    raise SpecError(
        f"{ast.unparse(node)[:60]!r} is neither a literal nor a nested spec", where=where, hint="quote texts and paths"
    )


def _number(value: int | float, where: str) -> int | float:
    if isinstance(value, float) and not isfinite(value):
        raise SpecError(f"numbers must be finite, got {value}", where=where, hint="write a smaller one")
    if isinstance(value, int) and value > LARGEST:
        raise SpecError(
            f"whole numbers must be at most {LARGEST:,}, got a larger one", where=where, hint="quote it if it is text"
        )
    return value


def _key(node: ast.expr | None, where: str) -> str:
    match node:
        case ast.Constant(value=str() as key):
            return key
    raise SpecError("the keys of a dict must be texts in quotes", where=where, hint="for example {'numpy': '2.0.0'}")


def _params(keywords: list[ast.keyword], where: str) -> dict[str, object]:
    params: dict[str, object] = {}
    for keyword in keywords:
        if keyword.arg is None:
            raise SpecError("'**' has no meaning here, expected key=value", where=where, hint="write each parameter")
        if keyword.arg in params:  # only compiling, which is never done here, would make Python refuse it
            raise SpecError(f"the parameter {keyword.arg!r} is given twice", where=where, hint="keep one of them")
        params[keyword.arg] = _value(keyword.value, where)
    return params


def format_spec(value: object) -> str:
    """The canonical text of a spec or value; `parse` reads it back."""
    value = getattr(value, "spec", value)  # a component has one
    if isinstance(value, Spec):
        inside = [format_spec(a) for a in value.args] + [f"{k}={format_spec(v)}" for k, v in value.params.items()]
        return f"{value.name}({', '.join(inside)})" if inside else value.name
    if isinstance(value, tuple | list):
        return "[" + ", ".join(format_spec(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k!r}: {format_spec(v)}" for k, v in value.items()) + "}"
    return repr(value)
