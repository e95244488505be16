"""Lexical graph: the entity graph where nouns of about the same meaning are one thing.

Mesgar & Strube (2016), Lexical Coherence Graph Modeling Using Word Embeddings, in the form that Zhao, Strube, Eger
(2023), DiscoScore, give it. No reference is needed. Nouns are linked when the cosine of their static vectors is above
`threshold`; all that such links connect are one entity, and nouns without a vector stand alone. The rest is as in
`entitygraph`, whose parameters and variants mean the same here: an edge leads from a sentence to each later one that
mentions the same entity, and the score is the average out-degree, or the mean of the adjacency matrix.

`variant='code'` is DiscoScore's released program: lower-cased text, edges of weight 1 divided by the distance, average
out-degree. Its vectors were Dep2Vec's; here they are GloVe's unless `vectors` are given. Another `focus` than 'entity'
makes it the entity graph.

The more nouns a text has, the more of them do chains of similarities join: with GloVe, long documents need a threshold
above 0.7.
"""

from __future__ import annotations

from dataclasses import dataclass

from coheval.metrics._foci import Focus
from coheval.metrics._sentencegraph import ProjectedGraph


@dataclass(frozen=True, kw_only=True)
class LexicalGraph(ProjectedGraph):
    focus: Focus = "entity"
    threshold: float = 0.7  # for focus='entity': nouns whose vectors' cosine is above it are one entity
