"""DR-LEX: have candidate and reference the same discourse structure and, in the same places, the same words?

Joty, Guzmán, Màrquez, Nakov (2017), Discourse Structure in Machine Translation Evaluation, and the papers named by
`dr`, which explains the kernel, `decay` and `normalise`. Relation, nuclearity and words hang below a node as trees of
their own, so that each can match without the others; a word has a leaf below it, so that it matches alone.

    (SPAN (NUC ROOT) (REL Elaboration) (EDU (NUC Nucleus) (NGRAM (they *d*) (left *d*))) (EDU …))

A text of one EDU is an EDU at the top. The variants differ in what words must have in common to match:

| variant | |
|---|---|
| `nolex` | no words: the tree of `dr` |
| `lex` | the word |
| `lexe` | the word and that it stands in an EDU: `(EDU:they *d*)` |
| `lex1` | the word and its EDU's nuclearity: `(NGRAM-Nucleus (Nucleus:they *d*) …)` |
| `lex1.1` | both and the relation above the EDU: `(NGRAM-Nucleus-Contrast (Nucleus-Contrast:they *d*) …)` |

`nolex` and `lex` are those of the papers. The other three are a reconstruction: Joty et al. (2014) draw them, later
papers only say that words match within the same kind of structure. As all words stand in EDUs, `lexe` in this form has
the scores of `lex`.

| condition | relations | nuclearity | |
|---|---|---|---|
| `full` | kept | kept | |
| `no_rel` | `*` | kept | |
| `no_nuc` | kept | `*` | |
| `no_nuc_no_rel` | `*` | `*` | |
| `no_discourse` | | | one NGRAM with all words, whatever the variant |

decay = 1 with `cosine`, to which the papers' words come nearest, is degenerate: an NGRAM of n words has 2^n fragments
in common with itself and next to none with any other, so that all texts but identical ones come out near 0. On the
example in the papers' first figure:

| | good translation | bad translation |
|---|---|---|
| decay = 1, `cosine` | 0.00007 | 0.00003 |
| decay = 1, `cosine`, `no_discourse` | 0.0003 | 0.0005 |
| decay = 0.4, `cosine` | 0.282 | 0.084 |
| decay = 1, `log` | 0.393 | 0.203 |

With the default decay of 0.01 texts are compared by single productions: words, and the parts of the tree. An NGRAM of n
words still counts 0.01 · 1.01ⁿ with itself, which from some 500 words on outweighs the rest: choose a smaller decay for
`no_discourse` of whole documents.

A candidate without a word scores 0; a reference without one gives no score. Higher is better.
"""

from __future__ import annotations

from dataclasses import dataclass

from coheval.metrics._treemetric import TreeMetric
from coheval.metrics._trees import Shape, Variant


@dataclass(frozen=True, kw_only=True)
class DRLex(TreeMetric):
    variant: Variant = "lex"  # what words must have in common to match
    lowercase: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            self.condition != "no_discourse" or self.variant != "nolex",
            "condition='no_discourse' with variant='nolex' leaves nothing of a text",
        )

    @property
    def shape(self) -> Shape:
        return Shape(self.variant, self.condition, self.lowercase)
