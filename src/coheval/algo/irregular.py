"""Irregular plurals and verbs of English, and words of which the spelling of their forms cannot be told by rule."""

from __future__ import annotations

PLURALS = dict(
    pair.split("/")
    for pair in (
        "man/men woman/women child/children person/people foot/feet tooth/teeth goose/geese mouse/mice louse/lice "
        "ox/oxen die/dice penny/pennies knife/knives wife/wives life/lives leaf/leaves half/halves self/selves "
        "shelf/shelves thief/thieves wolf/wolves calf/calves loaf/loaves elf/elves scarf/scarves sheaf/sheaves "
        "hoof/hooves wharf/wharves axis/axes testis/testes phenomenon/phenomena criterion/criteria automaton/automata "
        "bacterium/bacteria medium/media datum/data curriculum/curricula stimulus/stimuli nucleus/nuclei "
        "alumnus/alumni fungus/fungi cactus/cacti radius/radii larva/larvae alga/algae vertebra/vertebrae "
        "index/indices appendix/appendices matrix/matrices vertex/vertices sheep/sheep deer/deer fish/fish "
        "moose/moose swine/swine series/series species/species means/means aircraft/aircraft spacecraft/spacecraft "
        "hovercraft/hovercraft offspring/offspring bison/bison salmon/salmon trout/trout squid/squid reindeer/reindeer "
        "headquarters/headquarters crossroads/crossroads gallows/gallows barracks/barracks corps/corps "
        "chassis/chassis wildlife/wildlife nightlife/nightlife lowlife/lowlifes passerby/passersby bus/buses "
        "gas/gases stratum/strata ovum/ova erratum/errata addendum/addenda memorandum/memoranda spectrum/spectra "
        "symposium/symposia bacillus/bacilli locus/loci genus/genera corpus/corpora codex/codices nebula/nebulae "
        "pupa/pupae"
    ).split()
)
VERBS = {  # base: past, participle
    base: (past, participle)
    for base, past, participle in (
        row.split("/")
        for row in (
            "arise/arose/arisen awake/awoke/awoken babysit/babysat/babysat bear/bore/borne beat/beat/beaten "
            "become/became/become befall/befell/befallen beget/begot/begotten begin/began/begun "
            "behold/beheld/beheld bend/bent/bent beseech/besought/besought beset/beset/beset "
            "bespeak/bespoke/bespoken bestride/bestrode/bestridden bet/bet/bet betake/betook/betaken bid/bid/bid "
            "bind/bound/bound bite/bit/bitten bleed/bled/bled blow/blew/blown break/broke/broken breed/bred/bred "
            "bring/brought/brought broadcast/broadcast/broadcast browbeat/browbeat/browbeaten build/built/built "
            "burst/burst/burst buy/bought/bought cast/cast/cast catch/caught/caught choose/chose/chosen "
            "cling/clung/clung come/came/come cost/cost/cost creep/crept/crept cut/cut/cut deal/dealt/dealt "
            "dig/dug/dug do/did/done draw/drew/drawn drink/drank/drunk drive/drove/driven dwell/dwelt/dwelt "
            "eat/ate/eaten fall/fell/fallen feed/fed/fed feel/felt/felt fight/fought/fought find/found/found "
            "flee/fled/fled fling/flung/flung fly/flew/flown forbear/forbore/forborne forbid/forbade/forbidden "
            "forget/forgot/forgotten forgive/forgave/forgiven forgo/forwent/forgone forsake/forsook/forsaken "
            "forswear/forswore/forsworn freeze/froze/frozen gainsay/gainsaid/gainsaid get/got/got "
            "give/gave/given go/went/gone grind/ground/ground grow/grew/grown hamstring/hamstrung/hamstrung "
            "hang/hung/hung have/had/had hear/heard/heard hew/hewed/hewn hide/hid/hidden hit/hit/hit "
            "hold/held/held hurt/hurt/hurt keep/kept/kept kneel/knelt/knelt know/knew/known lay/laid/laid "
            "lead/led/led leave/left/left lend/lent/lent let/let/let lie/lay/lain light/lit/lit lose/lost/lost "
            "make/made/made mean/meant/meant meet/met/met mow/mowed/mown partake/partook/partaken pay/paid/paid "
            "proofread/proofread/proofread put/put/put quit/quit/quit read/read/read rend/rent/rent rid/rid/rid "
            "ride/rode/ridden ring/rang/rung rise/rose/risen run/ran/run saw/sawed/sawn say/said/said "
            "see/saw/seen seek/sought/sought sell/sold/sold send/sent/sent set/set/set sew/sewed/sewn "
            "shake/shook/shaken shear/sheared/shorn shed/shed/shed shine/shone/shone shoe/shod/shod "
            "shoot/shot/shot show/showed/shown shrink/shrank/shrunk shut/shut/shut sightsee/sightsaw/sightseen "
            "sing/sang/sung sink/sank/sunk sit/sat/sat slay/slew/slain sleep/slept/slept slide/slid/slid "
            "sling/slung/slung slink/slunk/slunk slit/slit/slit smite/smote/smitten sow/sowed/sown "
            "speak/spoke/spoken speed/sped/sped spellbind/spellbound/spellbound spend/spent/spent spin/spun/spun "
            "spit/spat/spat split/split/split spread/spread/spread spring/sprang/sprung stand/stood/stood "
            "steal/stole/stolen stick/stuck/stuck sting/stung/stung stink/stank/stunk strew/strewed/strewn "
            "stride/strode/stridden strike/struck/struck string/strung/strung strive/strove/striven "
            "sublet/sublet/sublet swear/swore/sworn sweep/swept/swept swell/swelled/swollen swim/swam/swum "
            "swing/swung/swung take/took/taken teach/taught/taught tear/tore/torn telecast/telecast/telecast "
            "tell/told/told think/thought/thought throw/threw/thrown thrust/thrust/thrust tread/trod/trodden "
            "typecast/typecast/typecast typeset/typeset/typeset typewrite/typewrote/typewritten "
            "understand/understood/understood uppercut/uppercut/uppercut wake/woke/woken waylay/waylaid/waylaid "
            "wear/wore/worn weave/wove/woven weep/wept/wept win/won/won wind/wound/wound wring/wrung/wrung "
            "write/wrote/written"
        ).split()
    )
}

# Of one piece behind these, a verb is what it is without: overhear, retell, offset.
PREFIXES = (
    *("out", "over", "under", "fore", "with", "off", "mis", "pre", "re", "un", "up", "inter", "in"),
    *("counter", "cross", "back", "ghost"),
)
NOT_PREFIXED = frozenset({"relay", "retread", "interleave"})  # what is relayed is not laid

# Nouns that end in one of these have its plural: grandchild, bookshelf, dormouse, goldfish.
ENDINGS = (
    *(
        "child",
        "person",
        "wife",
        "life",
        "foot",
        "tooth",
        "mouse",
        "louse",
        "leaf",
        "shelf",
        "loaf",
        "knife",
        "wolf",
        "sheaf",
    ),
    *("calf", "thief", "fish"),
)
NO_MAN = frozenset(
    "human superhuman subhuman nonhuman german roman norman shaman talisman ottoman caiman cayman brahman".split()
)
WITH_OES = frozenset(  # nouns and verbs
    "buffalo cargo desperado dingo domino echo reecho embargo fresco go grotto hero innuendo jingo mango mosquito "
    "motto potato superhero antihero tomato tornado torpedo veto volcano forgo do".split()
)
STRESSED_AT_THE_END = frozenset(
    "abet abhor abut acquit admit allot annul appal aver bedim befit befog begin beset bestir commit compel concur "
    "confer control corral debar debug defer demob demur deter disbar disinter dispel distil embed emit enrol enthral "
    "entrap enwrap equip excel expel extol forbid forget fulfil imbed impel incur infer instal instil inter intermit "
    "occur omit patrol permit prefer propel readmit rebel rebut recap recommit recur refer refit regret remap remit "
    "reoccur repel repot retransmit rewrap submit transfer transmit transship".split()
)
COMPOUND = frozenset(  # of which the last part is doubled as it is by itself
    "airdrop babysit backstop bootleg bullwhip catnap chitchat diagram eavesdrop format foxtrot giftwrap handicap "
    "hobnob horsewhip humbug jitterbug kidnap kneecap leapfrog nonplus program quickstep retrofit sandbag sharecrop "
    "shotgun sidestep sideslip sublet typeset uppercut worship zigzag".split()
)
