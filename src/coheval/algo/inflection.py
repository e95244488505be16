"""Forms of English nouns and verbs: plurals, -s, -ed, -ing, by rules of spelling and tables for what these leave.

    plural("city") -> "cities"      verb_form("stop", "past") -> "stopped"      verb_form("retell", "past") -> "retold"

A final consonant is doubled in words of one syllable, also behind a prefix, and in those of a list that are stressed at
the end. Words that no table has follow the rules.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from coheval.algo import irregular

Form = Literal["base", "third", "past", "participle", "gerund"]
FORMS: tuple[Form, ...] = get_args(Form)

_BE: dict[Form, str] = {"third": "is", "past": "was", "participle": "been", "gerund": "being"}
_MAN = re.compile(r"(?:wo)?man$")
_HISSES = ("s", "x", "z", "ch", "sh")
_LIKE_K = re.compile(
    r"(?:stomach|epoch|pibroch|eunuch|loch|czech|tech|tych|(?:mon|tri|lig|ier|tetr|ex|si)arch)$"
)  # not search
_CONSONANT_Y = re.compile(r"(?:[^aeiou]|qu)y$")
_CONSONANT_C = re.compile(r"[^aeiou]c$")
_KEEPS_E = re.compile(r"(?:[eoy]e|^be|^(?:s|t|b|sw)inge)$")
_ONE_SYLLABLE = re.compile(r"y?[^aeiouy]*(?:qu)?[aeiouy][^aeiouwxy]$")  # stop, plan, quit, but not fix, play, heat
_ONE_BEHIND_A_PREFIX = re.compile(r"(?:out|over|under|mis|un)(?=[^aeiouy])" + _ONE_SYLLABLE.pattern)  # overlap, unzip


def plural(noun: str) -> str:
    if noun in irregular.PLURALS:
        return irregular.PLURALS[noun]
    if _MAN.search(noun) and noun not in irregular.NO_MAN:
        return noun[:-3] + "men"
    if noun.endswith("sis") and len(noun) > 4:  # crisis, hypothesis
        return noun[:-2] + "es"
    ending = next((ending for ending in irregular.ENDINGS if noun.endswith(ending)), None)
    return noun.removesuffix(ending) + irregular.PLURALS[ending] if ending else _with_s(noun)


def verb_form(verb: str, form: Form) -> str:
    if form == "base":
        return verb
    if verb == "be":
        return _BE[form]
    if form == "third":
        return "has" if verb == "have" else _with_s(verb)
    if form == "gerund":
        return _gerund(verb)
    prefix, forms = _irregular(verb)
    return prefix + forms[form == "participle"] if forms else _past(verb)


def _irregular(verb: str) -> tuple[str, tuple[str, str] | None]:
    """A prefix, if the verb needs one to be known, and its past and participle."""
    if verb in irregular.VERBS or verb in irregular.NOT_PREFIXED:
        return "", irregular.VERBS.get(verb)
    found = (prefix for prefix in irregular.PREFIXES if verb.startswith(prefix))
    prefix = next((prefix for prefix in found if verb.removeprefix(prefix) in irregular.VERBS), "")
    return prefix, irregular.VERBS.get(verb.removeprefix(prefix))


def _with_s(word: str) -> str:
    if word.endswith("z"):
        return _doubled(word) + "es"  # quizzes, waltzes
    if word.endswith(_HISSES) and not _LIKE_K.search(word):
        return word + "es"
    if word in irregular.WITH_OES or _without_prefix(word) in ("go", "do"):
        return word + "es"
    return word[:-1] + "ies" if _CONSONANT_Y.search(word) else word + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ied"
    return _doubled(verb) + "ed"


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not _KEEPS_E.search(verb):
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def _doubled(verb: str) -> str:
    if verb.endswith("c"):
        return verb if _CONSONANT_C.search(verb) else verb + "k"  # synced, panicked
    return verb + verb[-1] if _doubles(verb) else verb


def _doubles(verb: str) -> bool:
    if verb in irregular.STRESSED_AT_THE_END or verb in irregular.COMPOUND:
        return True
    known, _ = _irregular(verb)  # rerun, undercut
    return any(map(_ONE_SYLLABLE.match, (verb, verb.removeprefix(known)))) or bool(_ONE_BEHIND_A_PREFIX.match(verb))


def _without_prefix(verb: str) -> str:
    return next((verb.removeprefix(prefix) for prefix in irregular.PREFIXES if verb.startswith(prefix)), verb)
