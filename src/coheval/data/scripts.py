"""Facts about writing systems."""

# Scripts that write no blanks between words, as a class of the `regex` module: each character counts as a word.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
