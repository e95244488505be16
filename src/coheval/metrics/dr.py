"""DR: do candidate and reference have the same discourse structure, whatever their words?

Guzmán, Joty, Màrquez, Nakov (2014), Using Discourse Structure Improves Machine Translation Evaluation; Joty, Guzmán,
Màrquez, Nakov (2014), DiscoTK: Using Discourse Structure for Machine Translation Evaluation, where it is DR-nolex; the
same (2017), Discourse Structure in Machine Translation Evaluation. A text's tree in the sense of Rhetorical Structure
Theory becomes a tree of labels: nodes have their relation and what they are to their parent, EDUs the latter alone.

    (Elaboration-ROOT EDU-Nucleus (Attribution-Satellite EDU-Satellite EDU-Nucleus))

Two trees are compared by the fragments that they share. A fragment has of each node either all children or none, and at
least one node with children. With the labels of a node and of its children in order being its production,

    K(a, b) = Σ_{x in a} Σ_{y in b} C(x, y)
    C(x, y) = 0 where the productions of x and y differ or are none, else decay · Π_k (1 + C(x_k, y_k))

over the children x_k (Collins & Duffy 2001). decay = 1 counts the common fragments, as the papers do; less makes large
fragments, which only nearly identical trees have in common, count less. With the default, single productions are nearly
all that counts: of the decays tried on WMT17, small ones agree best with people, by far for `drlex`, by little
for `dr` (docs/results.md).

| normalise | score |
|---|---|
| `none` | K(a, b); undefined where it is too large for a number |
| `cosine` | K(a, b) / √(K(a, a) · K(b, b)) |
| `log` | ln(1 + K(a, b)) / √(ln(1 + K(a, a)) · ln(1 + K(b, b))), cut off at 1 |

The papers do not say how K is normalised. Their scores lie between 0 and 1, which suggests the cosine.

| condition | relations | nuclearity |
|---|---|---|
| `full` | kept | kept |
| `no_rel` | `*` | kept |
| `no_nuc` | kept | `*` |
| `no_nuc_no_rel` | `*` | `*` |

`no_discourse`, the fifth of the papers, has nothing but words: see `drlex`. A text of one EDU has no fragment, so by
`cosine` and `log` it scores 1 against another of one EDU and 0 against all others. A candidate without a word scores 0;
a reference without one gives no score. Higher is better.
"""

from __future__ import annotations

from dataclasses import dataclass

from coheval.metrics._treemetric import TreeMetric
from coheval.metrics._trees import Shape


@dataclass(frozen=True, kw_only=True)
class DR(TreeMetric):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            self.condition != "no_discourse", "condition='no_discourse' leaves words alone, and dr has none; use drlex"
        )

    @property
    def shape(self) -> Shape:
        return Shape("nolex", self.condition)
