"""Discourse trees of several requests' texts, parsed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coheval.run.parse import Level, parse
from coheval.run.parses import Parses
from coheval.serve.worker import Answer


@dataclass(frozen=True)
class Parsing:
    texts: Sequence[str]
    level: Level


def trees(requests: Sequence[Parsing]) -> list[Answer]:
    """What `coheval.parse` gives for each request; all have the same level."""
    if len(requests) > 1:
        try:
            return [found.to_json().encode("utf-8") for found in _together(requests)]
        except Exception:  # it may be one request's alone
            return [_alone(request) for request in requests]
    return [_alone(request) for request in requests]


def _alone(request: Parsing) -> Answer:
    try:
        return parse(request.texts, level=request.level).to_json().encode("utf-8")
    except Exception as error:
        return error


def _together(requests: Sequence[Parsing]) -> list[Parses]:
    owners = [(number, place) for number, request in enumerate(requests) for place in range(len(request.texts))]
    texts = [text for request in requests for text in request.texts]
    joint = parse(texts, level=requests[0].level, names=list(map(str, range(len(texts)))))
    parts = [Parses([], [], joint.signature) for _ in requests]
    for tree, place in zip(joint.trees, joint.places, strict=True):
        number, own = owners[int(place.name)]
        parts[number].trees.append(tree)
        parts[number].places.append(replace(place, name=str(own + 1)))
    return parts
