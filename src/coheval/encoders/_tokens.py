"""Tokens of texts: what a tokenizer.json makes of a text, of its context, and puts around them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from coheval.algo.windows import left_out
from coheval.data.scripts import UNSPACED
from coheval.errors import ResourceError

if TYPE_CHECKING:
    import regex
    from tokenizers import Encoding, Tokenizer


BLANKS = "▁Ġ"  # what stands for a blank before a word; the first, SentencePiece's, before the first word of a text too


@dataclass(frozen=True, slots=True)
class Frame:
    """The specials that the tokenizer puts around a text, and how it marks pieces."""

    before: list[tuple[int, str]]
    after: list[tuple[int, str]]
    opening: str | None  # the mark of pieces that begin a word; None: "##" marks those that continue one
    unknown: int  # the id that stands for whatever the vocabulary does not have; -1 if none does

    def __len__(self) -> int:
        return len(self.before) + len(self.after)

    def around(self, ids: list[int]) -> list[int]:
        return [i for i, _ in self.before] + ids + [i for i, _ in self.after]

    def pieces(self, tokens: Sequence[str]) -> tuple[str, ...]:
        return (*(t for _, t in self.before), *tokens, *(t for _, t in self.after))


@dataclass(frozen=True, slots=True)
class Content:
    """The tokens of a text and of its context, without the specials around them."""

    text: str
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]  # those of context have (0, 0)
    mark: Literal["", "windowed", "cut"] = ""
    ahead: int = 0  # how many of the tokens are of the context before the text
    behind: int = 0
    dropped: int = 0  # sentences of context that did not fit

    @property
    def own(self) -> slice:
        """Where the text itself is."""
        return slice(self.ahead, len(self.ids) - self.behind)

    def neighbours(self, frame: Frame) -> list[int]:
        """Where the context is, among all tokens with the specials around them."""
        inside = range(len(frame.before), len(frame.before) + len(self.ids))
        return [*inside[: self.ahead], *inside[len(self.ids) - self.behind :]]

    def among(
        self, before: Sequence[Encoding], after: Sequence[Encoding], separator: tuple[int, str] | None, room: int
    ) -> Self:
        """The same text with as much of its context as fits; None: sentences follow one another unparted."""
        parting = [] if separator is None else [separator]
        sizes = tuple([len(sentence.ids) + len(parting) for sentence in side] for side in (before, after))
        oldest, latest = left_out(len(self.ids), sizes[0], sizes[1], room)
        ahead = [pair for sentence in before[oldest:] for pair in (*_pairs(sentence), *parting)]
        behind = [pair for sentence in after[: len(after) - latest] for pair in (*parting, *_pairs(sentence))]
        return replace(
            self,
            ids=[i for i, _ in ahead] + self.ids + [i for i, _ in behind],
            tokens=[token for _, token in ahead] + self.tokens + [token for _, token in behind],
            offsets=[(0, 0)] * len(ahead) + self.offsets + [(0, 0)] * len(behind),
            ahead=len(ahead),
            behind=len(behind),
            dropped=oldest + latest,
        )


def _pairs(encoding: Encoding) -> Iterator[tuple[int, str]]:
    return zip(encoding.ids, encoding.tokens, strict=True)


def knows_any(ids: Sequence[int], tokens: Sequence[str], unknown: int) -> bool:
    """Whether some token is of the vocabulary and more than the mark of a blank, which stands before unknown words."""
    return any(i != unknown and token.strip(BLANKS) for i, token in zip(ids, tokens, strict=True))


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a tokenizer.json, with the padding and truncation that many of them switch on switched off."""
    try:
        return _read_tokenizer(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ResourceError(
            f"the tokenizer cannot be read: {error.strerror}", where=str(path), hint="check the path"
        ) from None


@cache
def _read_tokenizer(path: Path, modified: int) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises Exception itself
        raise ResourceError(
            f"this is not a tokenizer: {error}", where=str(path), hint="it must be a tokenizer.json of `tokenizers`"
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=8)
def case_keeping(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer without a BERT normaliser's lower-casing and stripping of accents; others are as they are."""
    content = json.loads(tokenizer.to_str())
    if (content.get("normalizer") or {}).get("type") != "BertNormalizer":
        return tokenizer
    content["normalizer"] |= {"lowercase": False, "strip_accents": False}
    return type(tokenizer).from_str(json.dumps(content))


@lru_cache(maxsize=8)
def frame_of(tokenizer: Tokenizer) -> Frame:
    """Seen around any text that the vocabulary can say."""
    for text in chain(["a"], tokenizer.get_vocab()):
        framed = tokenizer.encode(text)
        special = framed.special_tokens_mask
        if 0 in special:
            pairs = list(zip(framed.ids, framed.tokens, strict=True))
            stop = len(special) - special[::-1].index(0)
            opening, unknown = _opening(tokenizer.get_vocab()), _unknown(tokenizer)
            return Frame(pairs[: special.index(0)], pairs[stop:], opening, unknown)
    raise ResourceError("the tokenizer has no vocabulary", hint="use the tokenizer.json that the model was made with")


def _opening(vocabulary: Iterable[str]) -> str | None:
    """SentencePiece and byte-level BPE mark pieces that begin a word, WordPiece those that continue one."""
    counts = Counter(piece[0] for piece in vocabulary if piece[:1] in ("▁", "Ġ") or piece[:2] == "##")
    return next((mark for mark, _ in counts.most_common(1) if mark != "#"), None)


def _unknown(tokenizer: Tokenizer) -> int:
    token = getattr(tokenizer.model, "unk_token", None)
    if token is not None:
        number = tokenizer.token_to_id(token)
    else:  # SentencePiece's model says it in its file only
        number = json.loads(tokenizer.to_str())["model"].get("unk_id")
    return -1 if number is None else int(number)


def continues(content: Content, opening: str | None) -> list[bool]:
    """Which pieces go on with the word before them.

    Where only beginnings behind a blank are marked, the text tells: a word also begins behind a sign, as in (this), and
    with each character of a script that writes no blanks.
    """
    if opening is None:
        return ["##" in token for token in content.tokens]
    within = _within_word()
    return [
        not token.startswith(opening) and start > 0 and within.match(content.text, start - 1) is not None
        for token, (start, _) in zip(content.tokens, content.offsets, strict=True)
    ]


@cache
def _within_word() -> regex.Pattern[str]:
    """Two characters of one word side by side."""
    import regex  # not needed for the default encoder, and slow to load

    return regex.compile(rf"[[\p{{L}}\p{{N}}\p{{M}}_]--[{UNSPACED}]]" * 2, regex.V1)
