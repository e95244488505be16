"""The rules of spaCy's English model, tried once on each distinct word instead of on each word.

An attribute ruler turns fine tags into universal parts of speech by some two hundred patterns, nearly all of one word,
and takes a quarter of the model's time. What a pattern of one word says depends on what it looks at alone, and so can
be remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc

LOOKED_AT = ("TAG", "LOWER", "DEP", "IS_SPACE")  # by the patterns of one word
_REMEMBERED = 1 << 17  # distinct words


class RememberingMatcher:
    """Stands in for a ruler's matcher."""

    def __init__(self, ruler: Any) -> None:
        from spacy.matcher import Matcher

        self.one, self.more = Matcher(ruler.vocab), Matcher(ruler.vocab)
        for number, rule in enumerate(ruler.patterns):
            for pattern in rule["patterns"]:
                (self.one if looks_at_one_word(pattern) else self.more).add(str(number), [pattern])
        self.memory: dict[tuple[int, ...], list[int]] = {}

    def __call__(self, doc: Doc, **_: Any) -> list[tuple[int, int, int]]:
        found: list[tuple[int, int, int]] = self.more(doc, allow_missing=True)
        for i, word in enumerate(map(tuple, doc.to_array(list(LOOKED_AT)).tolist())):
            if word not in self.memory:
                if len(self.memory) >= _REMEMBERED:
                    self.memory.clear()
                self.memory[word] = [rule for rule, _, _ in self.one(doc[i : i + 1], allow_missing=True)]
            found.extend((rule, i, i + 1) for rule in self.memory[word])
        return found


def looks_at_one_word(pattern: Sequence[dict[str, Any]]) -> bool:
    return len(pattern) == 1 and pattern[0].keys() <= set(LOOKED_AT)


def remember(ruler: Any) -> None:
    """Let an AttributeRuler use such a matcher."""
    ruler.matcher = RememberingMatcher(ruler)
