"""A page for a group of components other than metrics: each with its docstring, parameters and signature."""

from __future__ import annotations

from told import Told, linked, parameters_table, sentence

from coheval import registry

_LEADS = {
    "encoders": "Encoders turn texts into vectors, a vector for each token. Metrics take one as `encoder=…`.",
    "decoders": "Decoders say how likely a text is after another. `prism` and `bartscore` take one as `decoder=…`.",
    "annotators": "Annotators find words, sentences, tags and trees. Discourse metrics take one as `annotator=…`.",
    "rankers": "Rankers say which of several words reads most naturally. Tasks that replace words take one.",
    "models": "Models say how well sentences follow one another. `coherence` takes one as `model=…`.",
    "tasks": "Tasks make right and wrong variants of texts, or read them. `coheval bench` takes one as `--task`.",
}


def group_page(group: str) -> str:
    parts = [f"# {group.capitalize()}", _LEADS[group], f"A page of `coheval info`, for each of the {group}."]
    for name in registry.names(group):
        parts += _entry(group, name)
    return "\n\n".join(parts) + "\n"


def _entry(group: str, name: str) -> list[str]:
    told = Told.of(group, name)
    parts = [f"## {name}", sentence(told.summary), linked(told.body), parameters_table(told)]
    if told.details:
        parts.append(f"```text\n{told.details}\n```")
    if told.signature:
        parts.append(f"Signature of the default:\n\n```text\n{told.signature}\n```")
    return [part for part in parts if part]
