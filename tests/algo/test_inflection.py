"""Forms of words: by rule and by table; each expected form is from a grammar of English, none from the code."""

from __future__ import annotations

import pytest

from coheval.algo.inflection import article, plural, verb_form


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        *(("dog", "dogs"), ("city", "cities"), ("day", "days"), ("box", "boxes"), ("church", "churches")),
        *(("fireman", "firemen"), ("woman", "women"), ("human", "humans"), ("child", "children"), ("knife", "knives")),
        *(("grandchild", "grandchildren"), ("housewife", "housewives"), ("photo", "photos"), ("hero", "heroes")),
        *(("crisis", "crises"), ("sheep", "sheep"), ("bus", "buses"), ("roof", "roofs")),
    ],
)
def test_plurals(noun: str, expected: str) -> None:
    assert plural(noun) == expected


@pytest.mark.parametrize(
    "forms",
    [
        "walk walks walked walked walking",
        "stop stops stopped stopped stopping",
        "plan plans planned planned planning",
        "visit visits visited visited visiting",
        "prefer prefers preferred preferred preferring",
        "offer offers offered offered offering",
        "hope hopes hoped hoped hoping",
        "carry carries carried carried carrying",
        "play plays played played playing",
        "fix fixes fixed fixed fixing",
        "heat heats heated heated heating",
        "quit quits quit quit quitting",
        "lie lies lay lain lying",
        "die dies died died dying",
        "agree agrees agreed agreed agreeing",
        "write writes wrote written writing",
        "run runs ran run running",
        "go goes went gone going",
        "have has had had having",
        "panic panics panicked panicked panicking",
        "show shows showed shown showing",
        "snow snows snowed snowed snowing",
        "watch watches watched watched watching",
        "cut cuts cut cut cutting",
        "open opens opened opened opening",
    ],
)
def test_verbs(forms: str) -> None:
    base = forms.split()[0]
    made = [verb_form(base, form) for form in ("base", "third", "past", "participle", "gerund")]
    assert made == forms.split()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(("dog", "a"), ("animal", "an"), ("hour", "an"), ("house", "a"), ("university", "a"), ("uncle", "an")),
        *(("user", "a"), ("European", "a"), ("one", "a"), ("honest", "an"), ("unit", "a"), ("umbrella", "an")),
        *(("useful", "a"), ("unimportant", "an"), ("uninvited", "an"), ("egg", "an"), ("euro", "a")),
    ],
)
def test_articles(word: str, expected: str) -> None:
    assert article(word) == expected
