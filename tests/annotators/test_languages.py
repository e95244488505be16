"""A metric over texts in other scripts, from stored annotations: defined scores, evidence at the right characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import coheval
from coheval.annotators.replay import Replay

Make = Callable[[object], Replay]

# a line a sentence; token/tag/lemma/head/relation
WRITTEN = {
    "zh": {
        "猫追狗。狗跑了。": """
            猫/NOUN/猫/1/nsubj 追/VERB/追/1/root 狗/NOUN/狗/1/obj 。/PUNCT/。/1/punct
            狗/NOUN/狗/1/nsubj 跑/VERB/跑/1/root 了/PART/了/1/aux 。/PUNCT/。/1/punct""",
        "狗看见猫。它跑了。": """
            狗/NOUN/狗/1/nsubj 看见/VERB/看见/1/root 猫/NOUN/猫/1/obj 。/PUNCT/。/1/punct
            它/PRON/它/1/nsubj 跑/VERB/跑/1/root 了/PART/了/1/aux 。/PUNCT/。/1/punct""",
    },
    "ar": {
        "رأى القط كلبا. نام الكلب.": """
            رأى/VERB/رأى/0/root القط/NOUN/قط/0/nsubj كلبا/NOUN/كلب/0/obj ./PUNCT/./0/punct
            نام/VERB/نام/0/root الكلب/NOUN/كلب/0/nsubj ./PUNCT/./0/punct""",
        "نام الكلب والقط.": """
            نام/VERB/نام/0/root الكلب/NOUN/كلب/0/nsubj و/CCONJ/و/3/cc القط/NOUN/قط/1/conj ./PUNCT/./0/punct""",
    },
    "hi": {
        "कुत्ता सोया। कुत्ते जागे।": """
            कुत्ता/NOUN/कुत्ता/1/nsubj सोया/VERB/सो/1/root ।/PUNCT/।/1/punct
            कुत्ते/NOUN/कुत्ता/1/nsubj जागे/VERB/जाग/1/root ।/PUNCT/।/1/punct""",
        "कुत्ता जागा।": """
            कुत्ता/NOUN/कुत्ता/1/nsubj जागा/VERB/जाग/1/root ।/PUNCT/।/1/punct""",
    },
    "de": {
        "Die Tür hier klemmt. Türen klemmen.": """
            Die/DET/der/1/det Tür/NOUN/Tür/3/nsubj hier/ADV/hier/1/advmod klemmt/VERB/klemmen/3/root ./PUNCT/./3/punct
            Türen/NOUN/Tür/1/nsubj klemmen/VERB/klemmen/1/root ./PUNCT/./1/punct""",
        "Die Tür klemmt.": """
            Die/DET/der/1/det Tür/NOUN/Tür/2/nsubj klemmt/VERB/klemmen/2/root ./PUNCT/./2/punct""",
    },
}


def tokens(line: str) -> list[list[str | int]]:
    parts = [token.split("/") for token in line.split()]
    return [[word, tag, lemma, int(head), relation] for word, tag, lemma, head, relation in parts]


LANGUAGES = {
    language: {text: [tokens(line) for line in lines.strip().splitlines()] for text, lines in texts.items()}
    for language, texts in WRITTEN.items()
}

# the foci by hand: lemma, its forms in the candidate, in the reference
FOCI = {
    "zh": [("猫", ["猫"], ["猫"]), ("狗", ["狗", "狗"], ["狗"])],
    "ar": [("قط", ["القط"], ["القط"]), ("كلب", ["كلبا", "الكلب"], ["الكلب"])],
    "hi": [("कुत्ता", ["कुत्ता", "कुत्ते"], ["कुत्ता"])],
    "de": [("tür", ["Tür", "Türen"], ["Tür"])],
}


def content(texts: dict[str, list[list[Any]]], chains: dict[str, list[object]] | None = None) -> dict[str, object]:
    return {
        text: {"sentences": [{"tokens": sentence} for sentence in sentences], "chains": (chains or {}).get(text, [])}
        for text, sentences in texts.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_annotations_come_back_as_written(language: str, replay: Make) -> None:
    written = LANGUAGES[language]
    found = replay(content(written)).annotate(list(written), layers=["tags", "syntax", "coreference"])
    for text, annotated in zip(written, found, strict=True):
        listed = [token for sentence in written[text] for token in sentence]
        assert [text[a:b] for a, b in annotated.spans.tolist()] == [token[0] for token in listed]
        assert list(annotated.tags) == [token[1] for token in listed]
        assert list(annotated.lemmas) == [token[2] for token in listed]
        assert list(annotated.relations) == [token[4] for token in listed]
        assert annotated.sentence.tolist() == [k for k, sentence in enumerate(written[text]) for _ in sentence]
        first = [annotated.sentence.tolist().index(k) for k in annotated.sentence]
        assert (annotated.heads - first).tolist() == [token[3] for token in listed]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_metric_says_where(language: str, replay: Make) -> None:
    candidate, reference = LANGUAGES[language]
    spec = f"dsfocus(annotator=replay(file={replay(content(LANGUAGES[language])).file!r}))"
    result = coheval.score([candidate, candidate], [reference, candidate], metrics=[spec], evidence=True)[spec]
    other, same = result.segments
    assert other is not None
    assert other > 1e-3
    assert same == pytest.approx(0, abs=1e-9)
    foci = [
        (
            focus["focus"],
            [candidate[a:b] for a, b in focus["candidate"]],
            [reference[a:b] for a, b in focus["reference"]],
        )
        for focus in result.evidence[0]["foci"]
    ]
    assert foci == FOCI[language]


def test_coreference_in_chinese(replay: Make) -> None:
    """它 is the cat: with chains the cat is mentioned twice, and the pronoun is where it is."""
    candidate, reference = LANGUAGES["zh"]
    chains = {candidate: [[[2, 3], [4, 5]]], reference: [[[3, 4], [5, 6]]]}
    spec = f"dsfocus(focus=coref, annotator=replay(file={replay(content(LANGUAGES['zh'], chains)).file!r}))"
    result = coheval.score([candidate], [reference], metrics=[spec], evidence=True)[spec]
    by_focus = {focus["focus"]: focus for focus in result.evidence[0]["foci"]}
    assert [reference[a:b] for a, b in by_focus["猫"]["reference"]] == ["猫", "它"]
    assert [candidate[a:b] for a, b in by_focus["狗"]["candidate"]] == ["狗", "狗"]
    assert result.segments[0] is not None


def test_blank_pipelines_cannot_replace_a_tagger() -> None:
    spec = "dsfocus(annotator=spacy(model='blank:de'))"
    with pytest.raises(coheval.CohevalError, match=r"'blank:de' gives no tags.*\nhint: use a pipeline"):
        coheval.score(["Der Hund bellt."], ["Ein Hund bellt."], metrics=[spec])
