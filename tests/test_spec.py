"""Specs: the grammar, what annotations allow, and signatures that give their component back or refuse."""

from __future__ import annotations

import string
import warnings
from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coheval import grammar, spec
from coheval.errors import SignatureWarning, SpecError, UnknownName
from coheval.grammar import Spec, format_spec, parse
from coheval.spec import Component, build


@dataclass(frozen=True, kw_only=True)
class Paint(Component):
    group: ClassVar[str] = "paints"
    libraries: ClassVar[tuple[str, ...]] = ("pytest",)

    tone: Literal["dark", "light"] = "dark"

    def digest(self) -> str:
        return "0123456789abcdef" * 4


@dataclass(frozen=True, kw_only=True)
class Brush(Component):
    group: ClassVar[str] = "brushes"
    version: ClassVar[int] = 3

    paint: Paint | None = None
    width: float = 1.5
    count: int = 2
    soft: bool = True
    label: str = "plain"
    sizes: tuple[int, ...] = ()
    learned: object = spec.state()


@dataclass(frozen=True, kw_only=True)
class Roller(Brush):
    file: str


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = {"paint": Paint, "brush": Brush, "roller": Roller}

    def find(group: str, name: str) -> type:
        if name not in classes:
            raise UnknownName(f"no {group} is called {name!r}")
        return classes[name]

    monkeypatch.setattr(spec, "find", find)


# ---------------------------------------------------------------------------------------------------- the grammar

words = st.text(string.ascii_lowercase, min_size=1, max_size=8).map(lambda word: f"x{word}")  # never a keyword
literals = (
    st.text()
    | st.integers(-grammar.LARGEST, grammar.LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
)


def _specs(values: st.SearchStrategy[object]) -> st.SearchStrategy[Spec]:
    return st.builds(Spec, words, st.lists(values, max_size=2).map(tuple), st.dictionaries(words, values, max_size=3))


values = st.recursive(
    literals,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(), inner, max_size=3) | _specs(inner)
    ),
    max_leaves=8,
)


@given(_specs(values))
def test_text_of_a_spec_reads_back(written: Spec) -> None:
    assert parse(format_spec(written)) == written


@given(st.text() | st.text("ab(){}[]=,.:'\"\\-*0123456789e#\n\x00 ", max_size=60))
@example("a(x=1e999)")
@example("a(x=-1e999)")
@example("a(x={1e999: 1})")
@example("a(x=0x" + "f" * 9000 + ")")
@example("a(x=" + "9" * 9000 + ")")
@example("a(" * 3000)
@example("[" * 3000)
@example("-" * 19_000 + "1")
@example("not " * 4000 + "a")
@example("a" + ".b" * 9000)
@example("a+" * 9000 + "a")
@example("a(x='\\d')")
@example("a(x=1if 2else 3)")
@example("a\x00b")
@example("\ud800")
@example("x" * 30_000)
def test_any_text_is_a_spec_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except SpecError:
        return
    assert parse(format_spec(found)) == found


def test_what_the_grammar_says() -> None:
    text = "brush(paint=paint(tone=light), sizes=[1, -2], label='a, b', width=1e-3, x={'k': None}, y=(True,))"
    assert parse(text) == Spec(
        "brush",
        params={
            "paint": Spec("paint", params={"tone": Spec("light")}),
            "sizes": (1, -2),
            "label": "a, b",
            "width": 0.001,
            "x": {"k": None},
            "y": (True,),
        },
    )


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("", "not a spec", "name(key=value"),
        ("brush(", "not a spec ('(' was never closed)", "name(key=value"),
        ("brush(a=1, a=2)", "the parameter 'a' is given twice", "keep one"),
        ("brush(label=some/path)", "'some / path' is neither a literal nor a nested spec", "quote texts and paths"),
        ("brush(label=os.name)", "'os.name' is neither", "quote texts and paths"),
        ("brush(label='C:\\models')", "invalid escape sequence '\\m'", "name(key=value"),
        ("__import__('os').system('x')", "neither a literal nor a nested spec", "quote"),
        ("brush(**x)", "'**' has no meaning here", ""),
        ("brush(x={1: 2})", "keys of a dict must be texts", "{'numpy'"),
        ("brush(width=-1e999)", "numbers must be finite, got inf", ""),
        ("brush(count=0x8000000000000000)", "whole numbers must be at most 9,223,372,036,854,775,807", ""),
        ("'brush'", "expected a name or name(key=value, …)", "moverscore(ngram=2)"),
        ("[brush]", "expected one spec, got several", "by blanks"),
        ("{}", "expected a name or name(key=value, …)", "moverscore(ngram=2)"),
        ("x" * 20_001, "20,001 characters, expected at most 20,000", ""),
    ],
)
def test_refused_texts(text: str, says: str, hint: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)
    assert caught.value.where == f"spec {text[:80]!r}"
    assert says in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize("value", [None, 3, b"brush", ["brush"]])
def test_a_spec_must_be_text(value: object) -> None:
    with pytest.raises(SpecError, match=f"a spec must be text .* got {type(value).__name__}"):
        build(Brush, value)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------- components


def test_parameters_are_fitted_to_their_annotations() -> None:
    brush = build(Brush, "brush(paint=paint(tone=light), width=2, label=word, sizes=[1, 2])")
    assert brush == Brush(paint=Paint(tone="light"), width=2.0, label="word", sizes=(1, 2))
    assert type(brush.width) is float
    assert build(Brush, "brush(paint=paint)").paint == Paint()
    assert build(Brush, "brush(paint='paint(tone=light)')").paint == Paint(tone="light")


@pytest.mark.parametrize(
    ("text", "where", "says", "hint"),
    [
        ("brush(count=1.5)", "brush", "count must be a whole number, got 1.5", "coheval info brush"),
        ("brush(count=True)", "brush", "count must be a whole number, got True", "coheval info"),
        ("brush(soft=1)", "brush", "soft must be True or False, got 1", "coheval info"),
        ("brush(width='wide')", "brush", "width must be a number, got 'wide'", "coheval info"),
        ("brush(label=3)", "brush", "label must be text, got 3", "coheval info"),
        ("brush(sizes=[1, 'a'])", "brush", "sizes must be a list of a whole number, got [1, 'a']", "coheval info"),
        ("brush(sizes=1)", "brush", "sizes must be a list of a whole number, got 1", "coheval info"),
        ("brush(paint=3)", "brush", "paint must be one of the paints or None, got 3", "coheval info"),
        ("brush(paint=paint(tone=pink))", "paint", "tone must be 'dark' or 'light', got pink", "coheval info paint"),
        ("brush(widht=3)", "brush", "no parameter is called 'widht'", "did you mean 'width'?"),
        ("brush(learned=3)", "brush", "no parameter is called 'learned'", ""),
        ("brush(3)", "brush", "parameters are given by name, got 3 without one", "known: paint, width"),
        ("brush(paint=brush)", "brush", "Brush is not a Paint", ""),
        ("roller", "roller", "the parameter 'file' must be given", "roller(file=…)"),
        ("brush(libraries=3)", "brush", "libraries must be {'name': 'version'}, got 3", ""),
    ],
)
def test_refused_parameters(text: str, where: str, says: str, hint: str) -> None:
    with pytest.raises(SpecError) as caught:
        build(Brush, text)
    assert caught.value.where == where
    assert says in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize("width", [float("inf"), float("nan"), 10**400])
def test_numbers_without_a_literal_are_refused(width: float) -> None:
    with pytest.raises(SpecError, match="width must be a number"):
        Brush(width=width)


# ---------------------------------------------------------------------------------------------------- signatures


def test_a_signature_says_all_that_moves_a_number_and_builds_an_equal_component() -> None:
    brush = Brush(paint=Paint(tone="light"), sizes=(4,), learned="facts")
    assert brush.signature == (
        "brush(version=3, paint=paint(version=1, tone='light', sha256='0123456789abcdef', "
        f"libraries={{'pytest': '{pytest.__version__}'}}), width=1.5, count=2, soft=True, label='plain', sizes=[4])"
    )
    assert build(Brush, brush.signature) == brush


@given(st.builds(Brush, width=st.floats(-1e9, 1e9), label=st.text(), sizes=st.lists(st.integers(0, 9)).map(tuple)))
def test_every_signature_builds_its_component(brush: Brush) -> None:
    assert build(Brush, brush.signature) == brush
    assert build(Brush, format_spec(brush)) == brush


def test_another_version_is_refused() -> None:
    with pytest.raises(SpecError, match="made by version 2 of brush, this is version 3") as caught:
        build(Brush, "brush(version=2)")
    assert "drop version=" in (caught.value.hint or "")


def test_other_weights_are_refused_in_a_nested_component_too() -> None:
    with pytest.raises(SpecError, match="sha256 ffff, found 0123456789abcdef") as caught:
        build(Brush, "brush(paint=paint(sha256='ffff'))")
    assert (caught.value.where, "put the files back" in (caught.value.hint or "")) == ("paint(tone='dark')", True)
    with pytest.raises(SpecError, match="found None"):
        build(Brush, "brush(sha256='ffff')")


@pytest.mark.parametrize(
    ("libraries", "says"),
    [
        ("{'pytest': '0.1'}", f"pytest 0.1 .here {pytest.__version__}"),
        ("{'no-such-library': '1'}", "no-such-library 1 .here None"),
        ("{'': '1'}", "here None"),
    ],
)
def test_other_libraries_are_warned_of(libraries: str, says: str) -> None:
    with pytest.warns(SignatureWarning, match=says):
        assert build(Paint, f"paint(libraries={libraries})") == Paint()


def test_parsing_leaves_warnings_alone() -> None:
    before = list(warnings.filters)
    with pytest.raises(SpecError):
        parse("brush(label='\\d')")
    assert list(warnings.filters) == before
