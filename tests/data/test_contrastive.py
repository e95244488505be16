"""Readers of contrastive sets: what becomes a group, what is left out, and what is refused with file and line."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from coheval.data.contrastive import Surroundings, read_sets
from coheval.data.groups import Group, Instances, LeftOut, shared_ends
from coheval.errors import DataError


def write(path: Path, *objects: object) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects), encoding="utf-8")
    return path


def read(*paths: Path) -> Instances:
    return read_sets(paths)


# ---------------------------------------------------------------------------------------------------------- groups


def test_scored_segments_are_those_between_the_context() -> None:
    group = Group(id="1", phenomenon="x", right=("a", "b", "c"), wrong=(("a", "d", "e", "c"),), before=1, after=1)
    assert [list(group.scored(variant)) for variant in group.variants] == [[1], [1, 2]]
    assert group.has_context
    assert not Group(id="1", phenomenon="x", right=("a",), wrong=(("b",),)).has_context


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"wrong": ()}, "expected at least one wrong variant"),
        ({"wrong": (("a", "b"),)}, "are the same text"),
        ({"before": 2}, "expected segments between the context"),
        ({"before": -1}, "expected segments between the context"),
        ({"wrong": (("z", "c"),), "before": 1}, "expected the same context around all variants"),
        ({"sources": ("s",)}, "expected sources for each of 2 segments, got 1"),
        ({"references": (("s",), ("t",), ("u",))}, "expected references for each of 2 segments, got 3"),
        ({"wrong": (("a", "c", "d"),), "sources": ("s", "t")}, "expected sources for each"),
    ],
)
def test_groups_that_are_none(changes: dict[str, object], message: str) -> None:
    values = {"id": "g", "phenomenon": "x", "right": ("a", "b"), "wrong": (("a", "c"),), "where": "f:3"}
    with pytest.raises(DataError, match=f"f:3: group 'g': .*{message}"):
        Group(**values | changes)


@pytest.mark.parametrize(
    ("variants", "expected"),
    [
        (["abc", "abd"], (2, 0)),
        (["abc", "xbc"], (0, 2)),
        (["abc", "axc"], (1, 1)),
        (["aab", "aaab"], (2, 1)),  # never more than the shorter one has
        (["ab", "ab"], (2, 0)),
        (["abc", "axc", "abd"], (1, 0)),
    ],
)
def test_what_variants_share(variants: list[str], expected: tuple[int, int]) -> None:
    assert shared_ends([tuple(variant) for variant in variants]) == expected


def test_what_is_left_out_is_told() -> None:
    group = Group(id="1", phenomenon="x", right=("a",), wrong=(("b",),))
    made = Instances.of([group, LeftOut("f:2", "too short"), LeftOut("f:3", "too short"), LeftOut("f:4", "blank")])
    assert list(made.notes()) == [
        "2 of 4 groups are left out: too short; the first is at f:2",
        "1 of 4 groups are left out: blank; the first is at f:4",
    ]
    with pytest.raises(DataError, match="f:2: expected at least one group, got none: too short"):
        Instances.of([LeftOut("f:2", "too short")])


# ------------------------------------------------------------------------------------------------------ own format

WHOLE = {
    "id": 7,
    "phenomenon": "pronoun",
    "label": "they",
    "origin": "harbour",
    "context": ["The boats came.", "It was late."],
    "right": "They were full.",
    "wrong": ["It was full.", "She was full."],
    "after": ["We slept."],
    "source": "Sie waren voll.",
    "source_context": ["Die Boote kamen.", "Es war spät."],
    "references": ["They had been full.", "All were full."],
    "reference_context": ["Boats came.", "It was late."],
    "reference_after": ["We went to sleep."],
    "comment": "other fields may stand there",
}


def test_plain_group(tmp_path: Path) -> None:
    (group,) = read(write(tmp_path / "own.jsonl", WHOLE)).groups
    assert group == Group(
        id="7",
        phenomenon="pronoun",
        right=("The boats came.", "It was late.", "They were full.", "We slept."),
        wrong=(
            ("The boats came.", "It was late.", "It was full.", "We slept."),
            ("The boats came.", "It was late.", "She was full.", "We slept."),
        ),
        before=2,
        after=1,
        label="they",
        origin="harbour",
        sources=("Die Boote kamen.", "Es war spät.", "Sie waren voll.", ""),
        references=(
            ("Boats came.", "Boats came."),
            ("It was late.", "It was late."),
            ("They had been full.", "All were full."),
            ("We went to sleep.", "We went to sleep."),
        ),
        where=f"{tmp_path / 'own.jsonl'}:1",
    )


def test_smallest_plain_group(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('\n{"right": "a", "wrong": "b"}\r\n\n{"right": "a", "wrong": "b"}', encoding="utf-8")
    first, second = read(path).groups
    assert (first.id, second.id) == ("own:2", "own:4")  # lines
    assert first.phenomenon == "all"
    assert first.variants == (("a",), ("b",))
    assert not first.sources
    assert not first.references


def test_context_is_its_own_reference(tmp_path: Path) -> None:
    (group,) = read(
        write(tmp_path / "a.jsonl", {"context": ["x"], "right": "a", "wrong": "b", "references": ["r"]})
    ).groups
    assert group.references == (("x",), ("r",))


def test_one_group_that_spans_lines_is_no_line(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(
        json.dumps([{"right": "a", "wrong": "b"}, {"right": "a", "wrong": "c"}], indent=1), encoding="utf-8"
    )
    groups = read(path).groups  # a list of groups is read as well
    assert [group.where for group in groups] == [f"{path}:2", f"{path}:6"]


def test_gzip_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write('{"right": "a", "wrong": "b"}\n')
    found = read(path)
    assert len(found.groups) == 1
    assert len(found.files[str(path)]) == 64


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"right": " "}, "right must be text that is not blank"),
        ({"right": None}, "right must be text that is not blank, got null"),
        ({"right": float("nan")}, "right must be text that is not blank, got NaN"),
        ({"right": ["a"]}, "source must be left out, as right has several segments"),
        ({"wrong": []}, "wrong must be one or several texts"),
        ({"wrong": ["b", ""]}, "wrong must be one or several texts"),
        ({"wrong": [1]}, "wrong must be a list of texts"),
        ({"wrong": "They were full."}, "the same text"),
        ({"context": "x"}, "context must be a list of texts"),
        ({"id": 1.5}, "id must be text"),
        ({"source_context": ["x"]}, "source_context must have a text for each of 2 segments of context, got 1"),
        ({"source": None}, "source_context goes with source, got none"),
        ({"references": []}, "reference_context goes with references, got none"),
        ({"references": "x"}, "references must be a list of texts"),
    ],
)
def test_plain_groups_that_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    path = write(tmp_path / "own.jsonl", {"right": "a", "wrong": "b"}, WHOLE | changes)
    with pytest.raises(DataError, match=rf"own.jsonl:2: .*{message}(?s:.*)hint:"):
        read(path)


def test_misspelt_fields(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="did you mean 'context'"):
        read(write(tmp_path / "own.jsonl", {"right": "a", "wrong": "b", "contexts": ["c"]}))
    with pytest.raises(DataError, match="wrong must be one or several texts that are not blank, got none"):
        read(write(tmp_path / "own.jsonl", {"right": "a"}))


def test_the_same_id_twice(tmp_path: Path) -> None:
    one, other = ({"id": "x", "right": "a", "wrong": wrong} for wrong in "bc")
    with pytest.raises(DataError, match=r"own.jsonl:2: the id 'x' is given twice; the other is at .*own.jsonl:1"):
        read(write(tmp_path / "own.jsonl", one, other))
    with pytest.raises(DataError, match=r"b.jsonl:1: the id 'x' is given twice; the other is at .*a.jsonl:1"):
        read(write(tmp_path / "a.jsonl", one), write(tmp_path / "b.jsonl", other))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file has no lines"),
        ("\n \n", "expected groups, got none"),
        ("[]", "expected groups, got none"),
        ("{}", "expected a contrastive set, got entries with no fields"),
        ('{"a": 1}', "a.json:1: expected a contrastive set, got entries with 'a'"),
        ('{"right": "a", "wrong": "b"}\n{"right": }', "a.json:2: expected JSON"),
        ('[{"right": "a",\n"wrong": }]', r"a.json:2: expected JSON \(Expecting value\), got '}\]'"),
        ('[{"right": "a", "wrong": "b"}\n{}]', "a.json:2: expected ',', got '{}]'"),
        ('[\n{"right": "a", "wrong": "b"}', "a.json:2: expected ',', got the end of the file"),
        ('[{"right": "a", "wrong": "b"}] x', "a.json:1: expected the end of the file, got 'x'"),
        ("[\n\n3]", "a.json:3: expected an object"),
        ("3", "a.json:1: expected a JSON object"),
        ('[{"right": "a", "right": "b"}]', "the key 'right' is given twice"),
        ('{"1":\n{"src": [], "trg": []}, 2: {}}', "a.json:2: expected a name in quotes, got '2: {}}'"),
        ('{"right": "a",\n"wrong": "b"}', "a.json:1: expected JSON, got .*\nhint: .* on one line"),
        ("[" * 100_000, "nested so deeply"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read(path)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a file, got a folder"):
        read(tmp_path)
    with pytest.raises(DataError, match="there is no such file"):
        read(tmp_path / "a.json")
    with pytest.raises(DataError, match="there is no such folder"):
        read_sets([write(tmp_path / "a.jsonl", WHOLE)], Surroundings(tmp_path / "documents", 2))


# ------------------------------------------------------------------------------------------------------ DiscEvalMT

ANAPHORA = {
    "1": {
        "src": ["Here is the key.", "It is old."],
        "trg": [
            {"correct": ["La clef.", "Elle est vieille."], "incorrect": ["La clef.", "Il est vieux."], "type": "f.sg"},
            {
                "semi-correct": ["Le clou.", "Il est vieux."],
                "incorrect": ["Le clou.", "Elle est vieille."],
                "type": "m.sg",
            },
        ],
    }
}
LEXICAL = {
    "9": {
        "type": "repet",
        "examples": [
            {"src": ["Mad?", "Mad."], "trg": {"correct": ["Fou ?", "Fou."], "incorrect": ["Fou ?", "Dingue."]}},
            {"src": ["Mad?", "Mad."], "trg": {"correct": ["Fou ?", "Fou."], "incorrect": ["Fou ?", "Fou."]}},
        ],
    }
}


def test_anaphora(tmp_path: Path) -> None:
    first, second = read(write(tmp_path / "anaphora.json", ANAPHORA)).groups
    assert first.variants == (("La clef.", "Elle est vieille."), ("La clef.", "Il est vieux."))
    assert (first.before, first.after) == (1, 0)
    assert first.sources == ("Here is the key.", "It is old.")
    assert (first.phenomenon, first.label, second.label) == ("anaphora", "f.sg correct", "m.sg semi-correct")
    assert (first.id, second.id) == ("anaphora:1.1", "anaphora:1.2")
    assert first.origin == second.origin == "anaphora:1"


def test_lexical_choice(tmp_path: Path) -> None:
    found = read(write(tmp_path / "lexical-choice.json", LEXICAL))
    (group,) = found.groups
    assert (group.phenomenon, group.label, group.origin) == ("lexical choice", "repet", "lexical-choice:9")
    assert [one.reason for one in found.left_out] == ["the right and a wrong variant are the same text"]


def test_broken_anaphora(tmp_path: Path) -> None:
    wrong = {"2": {"src": ["a", "b"], "trg": [{"incorrect": ["a", "c"]}]}}
    with pytest.raises(DataError, match=r"a.json:1: expected either 'correct' or 'semi-correct', got neither"):
        read(write(tmp_path / "a.json", wrong))
    wrong["2"]["trg"] = [{"correct": ["a", "b"]}]
    with pytest.raises(DataError, match="incorrect must be a list of sentences, got none"):
        read(write(tmp_path / "a.json", wrong))
    wrong["2"]["trg"] = [{"correct": ["a", "b"], "incorrect": ["a", "c"]}]
    wrong["2"]["src"] = ["b"]
    with pytest.raises(DataError, match="expected sources for each of 2 segments, got 1"):
        read(write(tmp_path / "a.json", wrong))


@pytest.mark.parametrize(("name", "blocks"), [("anaphora", 50), ("lexical-choice", 100)])
def test_discevalmt_as_it_lists_its_variants(shared: Path, name: str, blocks: int) -> None:
    folder = shared / "data/discevalmt/test-sets"
    groups = read(folder / f"{name}.json").groups
    assert len(groups) == 200
    assert len({group.origin for group in groups}) == blocks
    listed = {  # the published evaluation scores these files, line by line
        part: (folder / f"{name.replace('-', '_')}.{part}").read_text(encoding="utf-8").splitlines()
        for part in ("prev.fr", "current.fr", "prev.en", "current.en")
    }
    variants = [variant for group in groups for variant in group.variants]
    assert [variant[0] for variant in variants] == listed["prev.fr"]
    assert [variant[1] for variant in variants] == listed["current.fr"]
    sources = [group.sources for group in groups for _ in group.variants]
    assert [source[0] for source in sources] == listed["prev.en"]
    assert [source[1] for source in sources] == listed["current.en"]
    assert {(group.before, group.after) for group in groups} == {(1, 0)}


# ------------------------------------------------------------------------------------------------------- ContraPro


def pronoun(**changes: object) -> dict[str, object]:
    return {
        "src segment": "It barked.",
        "ref segment": "Er bellte.",
        "errors": [{"contrastive": "Sie bellte.", "type": "pronominal coreference"}, {"contrastive": "Es bellte."}],
        "document id": "film.de",
        "segment id": 3,
        "intrasegmental": False,
        "src pronoun": "It",
        "ref pronoun": "Er",
        "ante distance": 1,
    } | changes


def documents(folder: Path) -> Path:
    (folder / "2001").mkdir(parents=True)
    (folder / "2001/film.en").write_text("One.\nA dog came.\nIt  barked.\nEnd.\n", encoding="utf-8")
    (folder / "2001/film.de").write_text("Eins.\nEin Hund kam.\nEr bellte.\nEnde.\n", encoding="utf-8")
    return folder


def test_contrapro_without_documents(tmp_path: Path) -> None:
    path = tmp_path / "contrapro.json"
    same = pronoun(errors=[{"contrastive": "Er bellte."}])
    path.write_text(
        json.dumps([pronoun(), pronoun(intrasegmental=True), pronoun(intrasegmental=None), same, pronoun(errors=[])]),
        encoding="utf-8",
    )
    found = read(path)
    assert [group.phenomenon for group in found.groups] == ["it inter", "it intra", "it"]
    assert found.groups[0].variants == (("Er bellte.",), ("Sie bellte.",), ("Es bellte.",))
    assert found.groups[0].sources == ("It barked.",)
    assert (found.groups[0].label, found.groups[0].origin) == ("it:er", "film.de")
    assert not found.groups[0].has_context
    assert [one.reason for one in found.left_out] == [
        "the right and a wrong variant are the same text",
        "there is no wrong variant",
    ]


@pytest.mark.parametrize(("sentences", "expected"), [(1, ("Ein Hund kam.",)), (5, ("Eins.", "Ein Hund kam."))])
def test_contrapro_in_its_documents(tmp_path: Path, sentences: int, expected: tuple[str, ...]) -> None:
    folder = documents(tmp_path / "documents")
    for document in ("film.de", "film"):  # the French set leaves the ending out
        path = write(tmp_path / "contrapro.json", [pronoun(**{"document id": document})])
        (group,) = read_sets([path], Surroundings(folder, sentences)).groups
        assert group.right == (*expected, "Er bellte.")
        assert group.wrong[1] == (*expected, "Es bellte.")
        assert group.sources[-2:] == ("A dog came.", "It barked.")
        assert group.before == len(expected)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"document id": "other.de"}, "has no document 'other.de'"),
        ({"segment id": 0}, "segment id must be a whole number from 1, got 0"),
        ({"segment id": None}, "segment id must be a whole number from 1, got null"),
        ({"errors": [{"type": "x"}]}, "contrastive must be text that is not blank, got none"),
        ({"errors": ["x"]}, "errors must be a list of objects"),
        ({"src segment": ""}, "src segment must be text that is not blank"),
    ],
)
def test_contrapro_that_is_broken(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    folder = documents(tmp_path / "documents")
    path = tmp_path / "contrapro.json"
    path.write_text(f"[\n{json.dumps(pronoun())},\n{json.dumps(pronoun(**changes))}]", encoding="utf-8")
    with pytest.raises(DataError, match=f"contrapro.json:3: .*{message}"):
        read_sets([path], Surroundings(folder, 2))


@pytest.mark.parametrize("line", [2, 9])
def test_a_line_of_a_document_that_is_not_the_segment(tmp_path: Path, line: int) -> None:
    folder = documents(tmp_path / "documents")
    path = write(tmp_path / "contrapro.json", [pronoun(), pronoun(**{"segment id": line})])
    found = read_sets([path], Surroundings(folder, 2))
    assert len(found.groups) == 1
    assert [one.reason for one in found.left_out] == ["the line of its document is not the segment of the set"]


def test_source_and_target_are_of_one_folder(tmp_path: Path) -> None:
    """The same names in another folder, where only the target's line is the segment."""
    folder = documents(tmp_path / "documents")
    other = folder / "1999"  # which is looked into first
    other.mkdir()
    target = next(path for path in folder.rglob("film.de"))
    (other / "film.de").write_text("X\n" * 2 + "Er bellte.\n", encoding="utf-8")
    (other / "film.en").write_text("Y\n" * 3, encoding="utf-8")
    (group,) = read_sets([write(tmp_path / "contrapro.json", [pronoun()])], Surroundings(folder, 2)).groups
    assert target.parent != other
    assert "X" not in group.right
    assert "Y" not in group.sources


@pytest.mark.parametrize("names", [("one/set.jsonl", "two/set.jsonl"), ("set.en-de.jsonl", "set.en-fr.jsonl")])
def test_files_of_one_name(tmp_path: Path, names: tuple[str, str]) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, {"right": "a", "wrong": "b"})
    assert len(read(*(tmp_path / name for name in names)).groups) == 2


# ---------------------------------------------------------------------------------------------------------- probes


def test_probe(tmp_path: Path) -> None:
    path = write(
        tmp_path / "lingprobe_insted_number_flip.jsonl",
        {"pos": ["a", "b", "c"], "neg": ["a", "x", "c"], "reference_file": 12},
        {"pos": ["a", "b"], "neg": ["a", "b"], "reference_file": 13},
        {"pos": [], "neg": ["a"]},
        {"pos": ["a", "b", "c"], "neg": ["a", "x"]},
        {"pos": ["a", "b"], "neg": ["a"]},
    )
    found = read(path)
    first, last = found.groups
    assert (first.phenomenon, first.origin, first.before, first.after) == ("number flip", "12", 1, 1)
    assert last.variants == (("a", "b\nc"), ("a", "x"))  # whole texts after what they share
    assert [(one.where[-1], one.reason) for one in found.left_out] == [
        ("2", "the right and a wrong variant are the same text"),
        ("3", "one of the texts is empty"),
        ("5", "one text is the beginning of the other"),
    ]
    with pytest.raises(DataError, match=r"p.jsonl:1: neg must be a list of texts, got \"a\""):
        read(write(tmp_path / "p.jsonl", {"pos": ["a"], "neg": "a"}))


def test_people_say_which_is_right(tmp_path: Path) -> None:
    pairs = [{"pos": ["p", name], "neg": ["p", name.upper()]} for name in "abc"]
    path = write(tmp_path / "stories.jsonl", *pairs)
    beside = tmp_path / "stories_annotations.jsonl"
    labels = [["0", "0", "1"], ["1", "1", "0"], ["0", "1"]]
    write(beside, *({"i": i, "labels": own} for i, own in enumerate(labels)))
    found = read(path)
    assert [group.right for group in found.groups] == [("p", "a"), ("p", "B")]
    assert [one.reason for one in found.left_out] == ["as many people prefer the one as the other"]
    assert list(found.files) == [str(path), str(beside)]
    write(beside, *({"i": i, "labels": labels[i]} for i in (0, 2, 1)))
    with pytest.raises(DataError, match=r"annotations.jsonl:2: expected the labels of entry 1, got those of 2"):
        read(path)
    write(beside, {"labels": ["0"]})
    with pytest.raises(DataError, match=r"expected labels for each of 3 entries of .*stories.jsonl, got fewer"):
        read(path)
    write(beside, *[{"labels": ["2"]}] * 3)
    with pytest.raises(DataError, match=r'stories_annotations.jsonl:1: labels must be a list of "0" and "1"'):
        read(path)


def test_stories_without_labels_are_refused(tmp_path: Path) -> None:
    """Both go on from one prompt, so that nothing says which is better; where pos is the original, it need not."""
    prompt = "A door opens. Nobody comes in."
    story = {"reference_file": prompt, "pos": [*prompt.split(". ", 1), "It shuts."], "neg": []}
    story["pos"][0] += "."
    story["neg"] = [*story["pos"][:2], "Rain."]
    path = write(tmp_path / "renamed.jsonl", story)
    with pytest.raises(DataError, match=r"renamed.jsonl:1: .*expected a file renamed_annotations.jsonl beside it"):
        read(path)
    write(tmp_path / "renamed_annotations.jsonl", {"i": 0, "labels": ["1"]})
    assert read(path).groups[0].right[-1] == "Rain."
    assert read(write(tmp_path / "b.jsonl", story | {"reference_file": "wsj_0001"})).groups[0].right[-1] != "Rain."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"right": "a"', "expected JSON"),
        ('{"right": "a", "wrong": "b", "right": "c"}', "the key 'right' is given twice"),
        ('{"right": "a", "wrong": ["b}', "Unterminated string"),
        ('"x"', 'expected a JSON object.*\n.*{"context"'),
    ],
)
def test_a_faulty_line_is_told_as_such_wherever_it_stands(tmp_path: Path, line: str, message: str) -> None:
    good = '{"right": "a", "wrong": "b"}'
    for number, lines in ((1, [line, good]), (1, [line]), (2, [good, line])):
        (tmp_path / "bad.jsonl").write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(DataError, match=rf"bad\.jsonl:{number}: [\s\S]*{message}"):
            read(tmp_path / "bad.jsonl")


def test_probe_sets(shared: Path) -> None:
    folder = shared / "data/coherence_ntunlp"
    paths = sorted(folder.glob("lingprobe_*.jsonl"))
    found = read(*paths)
    lines = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in paths}
    assert len(found.groups) + len(found.left_out) == sum(map(len, lines.values())) == 795
    assert len(found.left_out) == sum(
        (one := json.loads(line))["pos"] == one["neg"] for of_file in lines.values() for line in of_file
    )
    assert len({group.phenomenon for group in found.groups}) == 8
    assert Counter(len(group.scored(group.right)) for group in found.groups) == {1: len(found.groups)}


def test_instead_and_stories(shared: Path) -> None:
    folder = shared / "data/coherence_ntunlp"
    intrusions = read(folder / "INSteD_intrusion_test_wikipedia.jsonl").groups
    assert len(intrusions) == 3666
    assert all(len(group.scored(group.right)) == 1 for group in intrusions)  # exactly one sentence is replaced
    stories = read(folder / "LMvLM.jsonl").groups
    assert len(stories) == 1046
    raw = [json.loads(line) for line in (folder / "LMvLM.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({group.origin for group in stories}) == len({one["reference_file"] for one in raw})
    turned = sum("\n".join(g.right) == "\n".join(one["neg"]) for g, one in zip(stories, raw, strict=True))
    assert turned == 431 + 60  # pairs of which two or three of three people prefer neg
