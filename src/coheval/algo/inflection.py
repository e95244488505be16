"""Forms of English nouns and verbs: plurals, -s, -ed, -ing, the common irregular ones, and "a" or "an" before a word.

    plural("city") -> "cities"      verb_form("stop", "past") -> "stopped"      article("hour") -> "an"

Rules for spelling, and tables for what they do not cover. A final consonant is doubled in words of one syllable and in
those of a list that are stressed at the end. Words that no table has follow the rules.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

Form = Literal["base", "third", "past", "participle", "gerund"]
FORMS: tuple[Form, ...] = get_args(Form)

_PLURALS = dict(
    pair.split("/")
    for pair in (
        "man/men woman/women child/children person/people foot/feet tooth/teeth goose/geese mouse/mice louse/lice "
        "ox/oxen die/dice penny/pennies knife/knives wife/wives life/lives leaf/leaves half/halves self/selves "
        "shelf/shelves thief/thieves wolf/wolves calf/calves loaf/loaves elf/elves scarf/scarves sheaf/sheaves "
        "hoof/hooves potato/potatoes tomato/tomatoes hero/heroes echo/echoes veto/vetoes torpedo/torpedoes "
        "mosquito/mosquitoes embargo/embargoes crisis/crises analysis/analyses thesis/theses basis/bases axis/axes "
        "oasis/oases hypothesis/hypotheses diagnosis/diagnoses phenomenon/phenomena criterion/criteria "
        "bacterium/bacteria medium/media datum/data curriculum/curricula stimulus/stimuli nucleus/nuclei "
        "alumnus/alumni fungus/fungi cactus/cacti radius/radii larva/larvae alga/algae vertebra/vertebrae "
        "index/indices appendix/appendices matrix/matrices vertex/vertices sheep/sheep deer/deer fish/fish "
        "moose/moose swine/swine series/series species/species means/means aircraft/aircraft spacecraft/spacecraft "
        "offspring/offspring quiz/quizzes bus/buses gas/gases"
    ).split()
)
_MAN = re.compile(r"(?:wo)?man$")
_NO_MAN = frozenset({"human", "german", "roman", "shaman", "talisman", "ottoman", "caiman"})

_VERBS = {  # base: past, participle
    base: (past, participle)
    for base, past, participle in (
        row.split("/")
        for row in (
            "arise/arose/arisen awake/awoke/awoken bear/bore/borne beat/beat/beaten become/became/become "
            "begin/began/begun bend/bent/bent bet/bet/bet bid/bid/bid bind/bound/bound bite/bit/bitten "
            "bleed/bled/bled blow/blew/blown break/broke/broken breed/bred/bred bring/brought/brought "
            "broadcast/broadcast/broadcast build/built/built burst/burst/burst buy/bought/bought cast/cast/cast "
            "catch/caught/caught choose/chose/chosen cling/clung/clung come/came/come cost/cost/cost "
            "creep/crept/crept cut/cut/cut deal/dealt/dealt dig/dug/dug do/did/done draw/drew/drawn "
            "drink/drank/drunk drive/drove/driven eat/ate/eaten fall/fell/fallen feed/fed/fed feel/felt/felt "
            "fight/fought/fought find/found/found flee/fled/fled fling/flung/flung fly/flew/flown "
            "forbid/forbade/forbidden forecast/forecast/forecast foresee/foresaw/foreseen forget/forgot/forgotten "
            "forgive/forgave/forgiven freeze/froze/frozen get/got/got give/gave/given go/went/gone "
            "grind/ground/ground grow/grew/grown hang/hung/hung have/had/had hear/heard/heard hide/hid/hidden "
            "hit/hit/hit hold/held/held hurt/hurt/hurt keep/kept/kept kneel/knelt/knelt know/knew/known "
            "lay/laid/laid lead/led/led leave/left/left lend/lent/lent let/let/let lie/lay/lain light/lit/lit "
            "lose/lost/lost make/made/made mean/meant/meant meet/met/met mislead/misled/misled "
            "mistake/mistook/mistaken misunderstand/misunderstood/misunderstood outdo/outdid/outdone "
            "overcome/overcame/overcome oversee/oversaw/overseen overtake/overtook/overtaken "
            "overthrow/overthrew/overthrown pay/paid/paid put/put/put quit/quit/quit read/read/read "
            "rebuild/rebuilt/rebuilt redo/redid/redone repay/repaid/repaid rewrite/rewrote/rewritten rid/rid/rid "
            "ride/rode/ridden ring/rang/rung rise/rose/risen run/ran/run say/said/said see/saw/seen "
            "seek/sought/sought sell/sold/sold send/sent/sent set/set/set sew/sewed/sewn shake/shook/shaken "
            "shed/shed/shed shine/shone/shone shoot/shot/shot show/showed/shown shrink/shrank/shrunk "
            "shut/shut/shut sing/sang/sung sink/sank/sunk sit/sat/sat slay/slew/slain sleep/slept/slept "
            "slide/slid/slid sling/slung/slung sow/sowed/sown speak/spoke/spoken speed/sped/sped "
            "spend/spent/spent spin/spun/spun spit/spat/spat split/split/split spread/spread/spread "
            "spring/sprang/sprung stand/stood/stood steal/stole/stolen stick/stuck/stuck sting/stung/stung "
            "stink/stank/stunk stride/strode/stridden strike/struck/struck string/strung/strung "
            "strive/strove/striven swear/swore/sworn sweep/swept/swept swell/swelled/swollen swim/swam/swum "
            "swing/swung/swung take/took/taken teach/taught/taught tear/tore/torn tell/told/told "
            "think/thought/thought throw/threw/thrown thrust/thrust/thrust tread/trod/trodden "
            "undergo/underwent/undergone understand/understood/understood undertake/undertook/undertaken "
            "undo/undid/undone uphold/upheld/upheld upset/upset/upset wake/woke/woken wear/wore/worn "
            "weave/wove/woven weep/wept/wept win/won/won wind/wound/wound withdraw/withdrew/withdrawn "
            "withhold/withheld/withheld withstand/withstood/withstood wring/wrung/wrung write/wrote/written"
        ).split()
    )
}
_IRREGULAR: dict[str, dict[Form, str]] = {"be": {"third": "is", "past": "was", "participle": "been"}}
_STRESSED_AT_THE_END = frozenset(
    "abet abhor acquit admit allot annul begin commit compel concur confer control corral debar defer demur deter "
    "dispel emit enrol entrap equip excel expel extol forbid forget impel incur infer instil intermit inter "
    "kidnap occur omit outbid outrun outwit patrol permit prefer program propel rebel rebut recap recur refer regret "
    "remit repel reset rerun submit transfer transmit unplug upset worship zigzag handicap overrun format".split()
)
_HISSES = ("s", "x", "z", "ch", "sh")
_VOWELS = "aeiou"
_ONE_SYLLABLE = re.compile(r"[^aeiou]*(?:qu)?[aeiouy][^aeiouwxy]$")  # stop, plan, quit, but not fix, play, heat
_LIKE_A_CONSONANT = re.compile(r"(?:uni(?![mn])|use|usu|uti|ura|ute|ubi|eu|ew|one(?!ro)|once|unanim)")
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)")


def plural(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    if _MAN.search(noun) and noun not in _NO_MAN:
        return noun[:-3] + "men"
    if noun.endswith(("child", "person", "wife", "life", "foot", "tooth")):  # grandchild, housewife, forefoot
        ending = next(e for e in ("child", "person", "wife", "life", "foot", "tooth") if noun.endswith(e))
        return noun.removesuffix(ending) + _PLURALS[ending]
    return _with_s(noun)


def verb_form(verb: str, form: Form) -> str:
    if form == "base":
        return verb
    if verb in _IRREGULAR and form in _IRREGULAR[verb]:
        return _IRREGULAR[verb][form]
    if form == "third":
        return {"have": "has", "do": "does", "go": "goes"}.get(verb) or _with_s(verb)
    if form == "gerund":
        return _gerund(verb)
    if verb in _VERBS:
        return _VERBS[verb][form == "participle"]
    return _past(verb)


def article(word: str) -> Literal["a", "an"]:
    """What stands before a word, by how it usually sounds at the beginning."""
    lower = word.lower()
    vowel = lower[:1] in tuple(_VOWELS) and not _LIKE_A_CONSONANT.match(lower)
    return "an" if vowel or _SILENT_H.match(lower) else "a"


def _with_s(word: str) -> str:
    if word.endswith(_HISSES):
        return word + "es"
    return word[:-1] + "ies" if _ends_in_consonant_y(word) else word + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _ends_in_consonant_y(verb):
        return verb[:-1] + "ied"
    return _doubled(verb) + "ed"


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb not in ("be", "singe"):
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def _doubled(verb: str) -> str:
    if verb.endswith("c"):
        return verb + "k"  # panicked
    return verb + verb[-1] if _ONE_SYLLABLE.match(verb) or verb in _STRESSED_AT_THE_END else verb


def _ends_in_consonant_y(word: str) -> bool:
    return len(word) > 1 and word.endswith("y") and word[-2] not in _VOWELS
