"""The English model's rules with a memory say what spaCy's own matcher says, word for word."""

from __future__ import annotations

import spacy as library

from coheval.annotators import spacy
from coheval.annotators._rules import RememberingMatcher

TEXTS = (
    "I'm gonna say that she hasn't got to do it, and they ain't there either; let's go, y'all!",
    "Having had nothin' to do, he has been doing what has to be done: that, which is what's theirs.",
    "The dogs barked.\n\nThe dogs, which had been barked at, barked   again. This is it, isn't it?",
    "Привет 你好 n't nt n’t 's 've of to TO To",
    "",
)


def test_same_matches_as_the_ruler() -> None:
    folder = spacy._folder(spacy.DEFAULT)
    pipeline = library.load(folder, exclude=["ner"])
    ruler = pipeline.get_pipe("attribute_ruler")
    remembering = RememberingMatcher(ruler)
    matched = 0
    for text in TEXTS * 2:  # the second time from memory
        doc = pipeline(text, disable=["attribute_ruler", "lemmatizer"])
        expected = sorted(ruler.matcher(doc, allow_missing=True))
        assert sorted(remembering(doc)) == expected
        matched += len(expected)
    assert matched > 100
    assert max(end - start for text in TEXTS for _, start, end in remembering.more(pipeline(text))) > 1
