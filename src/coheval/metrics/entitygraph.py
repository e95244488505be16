"""Entity graph: how strongly are a text's sentences linked by the things that they mention?

Guinaudeau & Strube (2013), Graph-based Local Coherence Modeling; taken up as a baseline in Zhao, Strube, Eger (2023),
DiscoScore. No reference is needed. An edge leads from a sentence to each later one that mentions the same thing (see
`focus`). Its weight is

- 1 (the paper's P_U),
- with `weighted` the number of things that both mention (P_W),
- with `syntactic` the sum over these of the product of their roles in the two sentences: subject 3, object 2, other 1,
  the strongest role where a sentence mentions a thing twice (P_Acc),

divided by the distance between the sentences unless `discounted=False`. The score is the sum of all weights divided by
the number of sentences, the average out-degree (`average='outdegree'`), or by its square, the mean of the adjacency
matrix ('matrix').

| variant | average | text |
|---|---|---|
| `coheval` | outdegree, as Guinaudeau & Strube have it | as it is |
| `paper` | matrix, as DiscoScore's appendix has it: the same as `connectivity` | as it is |
| `code` | outdegree | lower-cased |

`code` is DiscoScore's released program, which has nouns and P_U with discount only. A text without sentences has no
score; the program gives NaN. One sentence, or no shared noun, gives 0.

Roles come from the annotator's syntax, as Universal Dependencies, spaCy's English or its German pipelines name them;
coordinated words have the role of the first of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from coheval.metrics._sentencegraph import ProjectedGraph


@dataclass(frozen=True, kw_only=True)
class EntityGraph(ProjectedGraph):
    pass
