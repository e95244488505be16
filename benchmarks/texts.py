"""The texts of the benchmarks: ten systems of WMT17 de-en, or made ones where that archive is not at hand."""

from __future__ import annotations

import random
import tarfile
from dataclasses import dataclass
from pathlib import Path

ARCHIVE = Path(__file__).resolve().parents[2] / "shared/data/wmt17_toen/wmt17_refs_sources_outputs.tar.xz"
SYSTEMS, LINES = 10, 400


@dataclass(frozen=True)
class Texts:
    source: str  # in words, for the table
    systems: dict[str, list[str]]
    references: list[str]


def read() -> Texts:
    return from_wmt17() if ARCHIVE.exists() else made_up()


def from_wmt17() -> Texts:
    """The first lines of ten de-en systems, by name, and their references."""
    with tarfile.open(ARCHIVE) as archive:

        def lines(name: str) -> list[str]:
            stream = archive.extractfile(name)
            if stream is None:
                raise ValueError(f"{name} in {ARCHIVE.name} is not a file")
            return stream.read().decode("utf-8").split("\n")[:LINES]

        outputs = sorted(n for n in archive.getnames() if n.startswith("system-outputs/de-en/newstest2017."))
        systems = {n.split("newstest2017.")[1].removesuffix(".de-en"): lines(n) for n in outputs[:SYSTEMS]}
        references = lines("references/newstest2017-deen-ref.en")
    return Texts(f"WMT17 de-en newstest2017, {SYSTEMS} systems, first {LINES} lines", systems, references)


def made_up() -> Texts:
    """Lines of common words in news-like lengths; a system is the reference with words changed, dropped and swapped."""
    rng = random.Random(17)
    words = WORDS.split()
    references = [" ".join(rng.choices(words, k=max(3, round(rng.gauss(20, 9))))) + "." for _ in range(LINES)]
    systems = {f"made-{i}": [changed(line, words, rng) for line in references] for i in range(SYSTEMS)}
    return Texts("synthetic text from a word list (the WMT17 archive was not at hand)", systems, references)


def changed(line: str, words: list[str], rng: random.Random) -> str:
    kept = [rng.choice(words) if rng.random() < 0.2 else w for w in line.split() if rng.random() > 0.05]
    at = rng.randrange(max(1, len(kept) - 1))
    kept[at : at + 2] = reversed(kept[at : at + 2])
    return " ".join(kept)


WORDS = """
the of to and a in that is was he for it with as his on be at by had this not are but from or have an they which one
you were her all she there would their we him been has when who will more no if out so said what up its about into
than them can only other new some could time these two may then do first any my now such like our over man me even
most made after also did many before must through back years where much your way well down should because each just
those people how too little state good very make world still own see men work long get here between both life being
under never day same another know while last might us great old year off come since against go came right used take
three government council minister police company market percent season player match coach hospital school teacher
river bridge village winter harvest election parliament treaty border journalist editor newspaper customer airport
"""
