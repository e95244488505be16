"""Corpora of documents: every format, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import tarfile
import zipfile
from collections import defaultdict
from io import BytesIO
from pathlib import Path

import pytest

from coheval.data.parts import parts
from coheval.data.texts import read_texts, ziptext
from coheval.data.texts._sentences import begun, sentences
from coheval.errors import DataError


def written(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def objects(path: Path, *values: object) -> Path:
    return written(path, *map(json.dumps, values))


def refused(path: Path) -> str:
    with pytest.raises(DataError) as told:
        read_texts([path])
    assert told.value.hint
    return str(told.value)


# ------------------------------------------------------------------------------------------------- plain text


def test_plain_text(tmp_path: Path) -> None:
    path = written(tmp_path / "harbour.txt", "", "The boats came.", "They were late.", "", " ", "The net tore.")
    found = read_texts([path])
    assert [(d.id, list(d)) for d in found.documents] == [
        ("harbour:1", ["The boats came.", "They were late."]),
        ("harbour:2", ["The net tore."]),
    ]
    assert found.files == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}
    assert not found.left_out


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    paths = [written(tmp_path / name / "a.txt", "One.", "Two.") for name in "xy"]
    assert [d.id for d in read_texts(paths).documents] == ["x/a.txt:1", "y/a.txt:1"]


def test_a_file_named_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "One.", "Two.")
    with pytest.raises(DataError, match=r"the id '.*a.txt:1' is given to two documents"):
        read_texts([path, path])


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    assert "the file has no lines" in refused(tmp_path / "empty.txt")
    assert "blank lines only" in refused(written(tmp_path / "blank.txt", "", "  "))
    assert "there is no such file or folder" in refused(tmp_path / "missing.txt")


def test_half_of_a_gzip_file(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"turns": ["One.", "Two."]}\n' * 2_000)
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    assert "expected a whole gzip file" in refused(tmp_path / "a.jsonl.gz")


def test_parts_by_name_need_one_to_train_on(tmp_path: Path) -> None:
    train, test = (written(tmp_path / f"boats_{name}.txt", f"{name}.", "Two.") for name in ("train", "test"))
    assert [d.layers.get("part") for d in read_texts([train, test]).documents] == ["train", "test"]
    assert [d.layers.get("part") for d in read_texts([test]).documents] == [None]


# ------------------------------------------------------------------------------------------------- lists of sentences


def test_lists(tmp_path: Path) -> None:
    path = objects(
        tmp_path / "talk.jsonl",
        {"id": 7, "topic": "boats", "turns": ["Are they in?", "Not yet."]},
        {"sentences": ["The net tore."], "part": "dev", "origin": "log", "genre": "diary"},
    )
    first, second = read_texts([path]).documents
    assert (first.id, list(first), dict(first.layers)) == ("7", ["Are they in?", "Not yet."], {"topic": "boats"})
    assert (second.id, dict(second.layers)) == ("talk:2", {"part": "dev", "origin": "log", "genre": "diary"})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"turns": "One. Two."}, 'turns must be a list of texts, got "One. Two."'),
        ({"turns": ["One.", None]}, "turns must be a list of texts"),
        ({"turns": ["One."], "id": True}, "id must be text that is not blank, or a whole number, got true"),
        ({"turns": ["One."], "topic": " "}, "topic must be text"),
        ({"turns": ["One."], "id": float("nan")}, "id must be text that is not blank, or a whole number, got NaN"),
        ({"turns": ["One."], "part": "valid"}, "part must be 'train' or 'dev' or 'test', got \"valid\""),
        ({"other": 1}, "sentences must be a list of texts, got none"),
    ],
)
def test_wrong_lists(tmp_path: Path, value: object, told: str) -> None:
    path = objects(tmp_path / "a.jsonl", {"turns": ["One.", "Two."]}, value)
    assert told in refused(path)
    assert f"{path}:2" in refused(path)


def test_an_id_given_twice(tmp_path: Path) -> None:
    twice = {"id": "1", "turns": ["One.", "Two."]}
    assert "the id '1' is given to two documents" in refused(objects(tmp_path / "a.jsonl", twice, twice))


def test_half_a_character(tmp_path: Path) -> None:
    assert "expected whole characters" in refused(objects(tmp_path / "a.jsonl", {"turns": ["One\ud83d.", "Two."]}))
    assert "expected whole characters" in refused(objects(tmp_path / "a.jsonl", {"id": "\ud83d", "turns": ["One."]}))


def test_self_dialogue(shared: Path) -> None:
    found = read_texts([shared / "data" / "self_dialogue" / "self_dialogue.jsonl.gz"]).documents
    assert len(found) == 24_186  # as SOURCE.txt says
    assert sum(map(len, found)) == 374_124
    assert len({d.layers["topic"] for d in found}) == 23


# ------------------------------------------------------------------------------------------------- HellaSwag


def item(**values: object) -> dict[str, object]:
    known = {"id": 1, "ctx": "Rowing: A boat is on a lake. She", "endings": ["rows to land.", "is a tree."], "label": 0}
    return known | values


def test_hellaswag(tmp_path: Path) -> None:
    path = objects(
        tmp_path / "h.jsonl",
        item(),
        item(id=2, ctx="Sport: Row well. Sit.", label=1, endings=["Fly. Sing!", "Pull now. Rest."]),
    )
    first, second = read_texts([path]).documents
    assert list(first) == ["Rowing", "A boat is on a lake.", "She rows to land."]
    assert first.id == "h:1"
    assert (first.layers["ending"], first.layers["wrong_endings"]) == (2, (("She is a tree.",),))
    assert list(second) == ["Sport", "Row well.", "Sit.", "Pull now.", "Rest."]
    assert (second.layers["ending"], second.layers["wrong_endings"]) == (3, (("Fly.", "Sing!"),))


def test_hellaswag_as_it_is_published(tmp_path: Path) -> None:
    values = {"ind": 4, "activity_label": "Rowing", "ctx": "A boat is on a lake. she", "source_id": "video~1"}
    path = objects(
        tmp_path / "h.jsonl",
        {**item(), **values, "id": None},
        {**item(), **values, "id": None, "ind": 5, "ctx": "An oar breaks. he"},
        {**item(), **values, "id": None, "ind": 6, "label": ""},
    )
    found = read_texts([path])
    assert [d.id for d in found.documents] == ["h:4", "h:5"]
    assert {d.layers["origin"] for d in found.documents} == {"h:4"}  # one video
    assert [one.reason for one in found.left_out] == ["no label says which ending is right"]


def test_items_that_share_a_sentence_have_one_origin(tmp_path: Path) -> None:
    path = objects(
        tmp_path / "h.jsonl",
        item(id=1, ctx="Rowing: A boat is on a lake. she", endings=["rows.", "flies."]),
        item(id=2, ctx="Rowing: An oar breaks. he", endings=["swims.", "flies."]),
        item(id=3, ctx="Rowing: She rows. an oar", endings=["breaks.", "sings."]),  # the ending of 1; begins 2
        item(id=4, ctx="Chess: She rows. an oar", endings=["breaks.", "sings."]),  # another activity
    )
    assert [d.layers["origin"] for d in read_texts([path]).documents] == ["h:1", "h:1", "h:1", "h:4"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"label": 2}, "label must be a whole number from 0 to 1, got 2"),
        ({"label": float("nan")}, "label must be a whole number from 0 to 1, got NaN"),
        ({"label": True}, "got true"),
        ({"label": "1"}, 'got "1"'),
        ({"endings": ["rows."]}, "expected two or more endings that differ, got 1 of 1"),
        ({"endings": ["rows.", "rows."]}, "expected two or more endings that differ, got 1 of 2"),
        ({"endings": ["rows.", " "]}, "endings must be a list of texts that are not blank"),
        ({"ctx": "no activity here"}, "ctx must be 'activity: context', or an activity_label beside it"),
        ({"ctx": None}, "ctx must be text that is not blank, got none"),
        ({"id": [1]}, "id must be text or a whole number, got a list"),
    ],
)
def test_wrong_hellaswag(tmp_path: Path, values: dict[str, object], told: str) -> None:
    assert told in refused(objects(tmp_path / "h.jsonl", item(), item(**values)))


def test_hellaswag_is_parted_so_that_no_sentence_is_in_two_parts(shared: Path) -> None:
    found = read_texts([shared / "data" / "hellaswag" / "hellaswag_val.jsonl.gz"]).documents
    assert len(found) == 10_042
    assert all(len(d.layers["wrong_endings"]) == 3 for d in found)  # type: ignore[arg-type]
    where: dict[object, set[str]] = defaultdict(set)
    for document, part in zip(found, parts(found), strict=True):
        for sentence in tuple(document)[1:]:
            if any(map(str.isalpha, sentence or "")):
                where[document[0], (sentence or "").lower()].add(part)
    assert all(len(names) == 1 for names in where.values())


def test_sentences_by_punctuation() -> None:
    assert sentences('Go! "Why?" Dr. Low met J. Ash. It was 5 p.m. then (late.) Yes') == [
        "Go!",
        '"Why?"',
        "Dr. Low met J. Ash.",
        "It was 5 p.m. then (late.)",
        "Yes",
    ]
    assert begun("One. two") == ("One.", "two")
    assert begun("One. Two.") == ("One. Two.", "")
    assert begun("one") == ("", "one")


# ------------------------------------------------------------------------------------------------- DiscoEval


def test_discoeval(tmp_path: Path) -> None:
    moved = written(tmp_path / "SP_arxiv_valid.txt", "2\tc\ta\tb\td\te", "0\ta\tb\tc\td\te", "4\te\ta\tb\tc\td")
    pairs = written(tmp_path / "BSO_wiki_train.txt", "a\tb")
    coherent = written(tmp_path / "DC_wiki_test.txt", "0\ta\tb\tc\tx\te\tf", "1\ta\tb\tc\td\te\tf")
    found = read_texts([moved, pairs, coherent])
    assert ["".join(map(str, d)) for d in found.documents] == ["abcde"] * 3 + ["ab", "abcdef"]
    assert [d.layers["part"] for d in found.documents] == ["dev"] * 3 + ["train", "test"]
    assert [d.layers["genre"] for d in found.documents] == ["arxiv"] * 3 + ["wiki", "wiki"]
    assert [(one.where, one.reason) for one in found.left_out] == [
        (f"{coherent}:1", "the document has a sentence of another one")
    ]


def test_discoeval_without_a_true_order_is_refused(tmp_path: Path) -> None:
    shuffled = written(tmp_path / "SP_wiki_valid.txt", "2\tc\ta\tb\td\te")
    assert "whose other sentences are in random order" in refused(shuffled)
    assert "single sentences" in refused(written(tmp_path / "SSP_abs_test.txt", "1\ta"))
    assert "expected 6 columns of SP" in refused(written(tmp_path / "SP_arxiv.txt", "2\tc\ta\tb\td\te", "2\tc\ta\tb"))


def test_why_the_sentence_position_of_wikipedia_is_refused(shared: Path) -> None:
    """A first sentence that is not in front is at each of the other places: the released order is no order."""
    import re

    places: dict[str, list[int]] = {}
    defines = {"wiki": r"^(?:\S+ ){1,4}(?:is|was) an? ", "arxiv": r"^In this (?:paper|work) "}
    for genre, pattern in defines.items():
        with gzip.open(shared / "data" / "discoeval_wiki_arxiv" / f"SP_{genre}_valid.txt.gz", "rt") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        at = [[n for n, text in enumerate(row[1:]) if re.search(pattern, text)] for row in rows if row[0] != "0"]
        places[genre] = [one[0] for one in at if len(one) == 1]
    share = {genre: found.count(1) / sum(n > 0 for n in found) for genre, found in places.items()}
    assert share["wiki"] == pytest.approx(1 / 4, abs=0.05)
    assert share["arxiv"] > 0.4


# ------------------------------------------------------------------------------------------------- WikiText


def test_wikitext(tmp_path: Path) -> None:
    path = written(
        tmp_path / "wiki.txt",
        *(" ", " = Herring = ", " ", " It is a fish . ", " "),
        *(" = = Catch = = ", " ", " Nets are <unk> . ", " They are long @-@ lived . ", " "),
        *(" = = = Boats = = = ", " ", " Small ones with a length ", " = 1 m and a width = ", " 2 m . ", " "),
        *(" = Herring = ", " ", " x = y holds . "),
    )
    found = read_texts([path]).documents
    assert [(d.id, d.layers["origin"], list(d)) for d in found] == [
        ("wiki:1 Herring", "wiki:1 Herring", ["It is a fish ."]),
        ("wiki:2 Herring / Catch", "wiki:1 Herring", ["Nets are <unk> .", "They are long @-@ lived ."]),
        ("wiki:3 Herring / Boats", "wiki:1 Herring", ["Small ones with a length", "= 1 m and a width =", "2 m ."]),
        ("wiki:4 Herring", "wiki:2 Herring", ["x = y holds ."]),
    ]
    assert all(d.layers["unsplit"] for d in found)


def test_wikitext_of_the_shared_data(shared: Path) -> None:
    found = read_texts([shared / "data" / "wikitext2" / f"wikitext2_{part}.txt.gz" for part in ("valid", "test")])
    # SOURCE.txt counts 62 in the second file: two of them are rests of formulas, in the middle of a paragraph
    assert len({d.layers["origin"] for d in found.documents}) == 60 + 60
    # by grep: 5,352 lines that are not blank, 1,328 of which begin with " = ", four of these inside a paragraph
    assert sum(map(len, found.documents)) == 5_352 - 1_328 + 4


# ------------------------------------------------------------------------------------------------- archives


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_zip(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "logs.zip",
        {
            "logs/a.txt": b"The boats came. They were late.\r\n\r\nThe net tore.\r\n",
            "logs/README": b"no text",
            "logs/b.txt": b"caf\xe9",
            "logs/c.txt": b"\n \n",
        },
    )
    found = read_texts([path])
    (only,) = found.documents
    assert (only.id, list(only)) == ("logs:logs/a.txt", ["The boats came. They were late.", "The net tore."])
    assert only.layers == {"unsplit": True}
    assert [(one.where, one.reason) for one in found.left_out] == [
        (f"{path}:logs/b.txt", "the text is not UTF-8: the byte 0xe9"),
        (f"{path}:logs/c.txt", "the text is empty"),
    ]


def test_archives_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "expected members that end in .txt, got none of 1" in refused(zipped(tmp_path / "a.zip", {"a": b"x"}))
    broken = zipped(tmp_path / "b.zip", {"a.txt": b"The boats came. " * 100})
    content = bytearray(broken.read_bytes())
    content[40] ^= 0xFF
    broken.write_bytes(content)
    assert "expected a whole zip archive without a password" in refused(broken)
    monkeypatch.setattr(ziptext, "_LARGEST", 1 << 20)
    bomb = zipped(tmp_path / "c.zip", {f"{n}.txt": b"0" * (1 << 19) for n in range(3)})
    assert bomb.stat().st_size < 10_000
    assert "expected at most 1 MB of text, got more" in refused(bomb)


CONLLU = """# newdoc id = GUM_news_boats
# meta::genre = news
# newpar
# text = The boats came.
1\tThe\tthe\tDET\tDT\t_\t0\troot\t_\t_

# text = They were late.
1\tThey\tthey\tPRON\tPRP\t_\t0\troot\t_\t_

# newpar
# text = The net tore.
1\tThe\tthe\tDET\tDT\t_\t0\troot\t_\t_
"""


@pytest.mark.parametrize("archive", [False, True])
def test_gum_without_trees(tmp_path: Path, archive: bool) -> None:
    written(tmp_path / "splits.md", "## dev", " * GUM_news_boats")
    if archive:
        with tarfile.open(tmp_path / "dep.tar.xz", "w:xz") as files:
            member = tarfile.TarInfo("dep/GUM_news_boats.conllu")
            member.size = len(CONLLU)
            files.addfile(member, BytesIO(CONLLU.encode()))
    else:
        written(tmp_path / "dep" / "GUM_news_boats.conllu", CONLLU)
    written(tmp_path / "notes.md", "not read")
    found = read_texts([tmp_path])
    (only,) = found.documents
    assert (only.id, list(only)) == ("GUM_news_boats", ["The boats came.", "They were late.", "The net tore."])
    assert only.layers == {"genre": "news", "part": "dev", "paragraphs": (0, 2)}
    dep = "dep.tar.xz" if archive else "dep/GUM_news_boats.conllu"
    assert found.files.keys() == {f"{tmp_path}/{dep}", f"{tmp_path}/splits.md"}


def test_gum(shared: Path) -> None:
    found = read_texts([shared / "data" / "gum_rst"]).documents
    assert len(found) == 237  # as SOURCE.txt says
    assert {d.layers["part"] for d in found} == {"train", "dev", "test"}


# ------------------------------------------------------------------------------------------------- candidates


def test_candidates_of_one_system(tmp_path: Path) -> None:
    values = [{"document": "d", "segment": n, "candidate": text} for n, text in enumerate(["One.", "Two."])]
    (only,) = read_texts([objects(tmp_path / "a.jsonl", *values)]).documents
    assert (only.id, list(only), dict(only.layers)) == ("d", ["One.", "Two."], {})


def test_candidates_of_several_systems_have_one_origin(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "system,document,segment,candidate", "x,d,0,One.", "y,d,0,Uno.")
    found = read_texts([path]).documents
    assert [(d.id, list(d), d.layers["origin"]) for d in found] == [("x:d", ["One."], "d"), ("y:d", ["Uno."], "d")]


def test_another_file_is_told_what_it_could_be(tmp_path: Path) -> None:
    assert "expected a file that ends in" in refused(written(tmp_path / "a.xyz", "One."))
    assert "expected a 'candidate'" in refused(objects(tmp_path / "a.jsonl", {"text": "One."}))
