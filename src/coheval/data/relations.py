"""Names of discourse relations: 18 classes, and which class the relations of GUM and of RST-DT belong to.

The classes are those by which the RST Discourse Treebank (RST-DT) is parsed and evaluated (Carlson and Marcu 2001,
"Discourse Tagging Reference Manual"). GUM's relations are mapped to them by the definitions in both manuals. Comparison
and Topic-Change do not occur in GUM.

    coarse("adversative-concession"), coarse("elaboration-object-attribute-e")  ->  'Contrast', 'Elaboration'
"""

from __future__ import annotations

from coheval.errors import DataError, did_you_mean

CLASSES = (
    *("Attribution", "Background", "Cause", "Comparison", "Condition", "Contrast", "Elaboration", "Enablement"),
    *("Evaluation", "Explanation", "Joint", "Manner-Means", "Same-Unit", "Summary", "Temporal"),
    *("Textual-Organization", "Topic-Change", "Topic-Comment"),
)

GUM: dict[str, str] = {  # relation of GUM -> class
    "adversative-antithesis": "Contrast",  # RST-DT counts antithesis, concession and contrast as one class, too
    "adversative-concession": "Contrast",
    "adversative-contrast": "Contrast",
    "attribution-negative": "Attribution",
    "attribution-positive": "Attribution",
    "causal-cause": "Cause",
    "causal-result": "Cause",
    "context-background": "Background",
    "context-circumstance": "Background",  # as RST-DT's circumstance; some of its "when" clauses are Temporal there
    "contingency-condition": "Condition",
    "elaboration-additional": "Elaboration",
    "elaboration-attribute": "Elaboration",
    "evaluation-comment": "Evaluation",
    "explanation-evidence": "Explanation",
    "explanation-justify": "Explanation",  # RST-DT has no justify nor motivation: they say why to believe or to act
    "explanation-motivation": "Explanation",
    "joint-disjunction": "Joint",
    "joint-list": "Joint",
    "joint-other": "Joint",
    "joint-sequence": "Temporal",  # events in order, RST-DT's sequence; the other joints say nothing of time
    "mode-manner": "Manner-Means",
    "mode-means": "Manner-Means",
    "organization-heading": "Textual-Organization",
    "organization-phatic": "Textual-Organization",  # "you know", "um": RST-DT, which is written news, has none
    "organization-preparation": "Textual-Organization",  # what opens a text or part; a title is such in RST-DT
    "purpose-attribute": "Enablement",  # a purpose that modifies a noun; RST-DT may call it an elaboration
    "purpose-goal": "Enablement",  # RST-DT's class Enablement holds purpose and enablement
    "restatement-partial": "Summary",  # RST-DT's class Summary holds summary and restatement
    "restatement-repetition": "Summary",
    "same-unit": "Same-Unit",
    "topic-question": "Topic-Comment",  # RST-DT's question-answer and problem-solution are Topic-Comment
    "topic-solutionhood": "Topic-Comment",
}

_GUM_COARSE = {  # class -> the class of GUM that its relations have
    "Attribution": "attribution",
    "Background": "context",
    "Cause": "causal",
    "Comparison": "adversative",  # not in GUM; what it has that sets two things side by side
    "Condition": "contingency",
    "Contrast": "adversative",
    "Elaboration": "elaboration",
    "Enablement": "purpose",
    "Evaluation": "evaluation",
    "Explanation": "explanation",
    "Joint": "joint",
    "Manner-Means": "mode",
    "Same-Unit": "same-unit",
    "Summary": "restatement",
    "Temporal": "joint",  # by joint-sequence
    "Textual-Organization": "organization",
    "Topic-Change": "joint",  # not in GUM, where parts on different matters are joint-other
    "Topic-Comment": "topic",
}

_RST_DT = {  # class -> relations of RST-DT, without the endings -e (embedded), -n and -s (the nucleus or satellite)
    "Attribution": "attribution attribution-negative",
    "Background": "background circumstance",
    "Cause": "cause result cause-result consequence",
    "Comparison": "comparison preference analogy proportion",
    "Condition": "condition hypothetical contingency otherwise",
    "Contrast": "contrast concession antithesis",
    "Elaboration": "elaboration-additional elaboration-general-specific elaboration-part-whole "
    "elaboration-process-step elaboration-object-attribute elaboration-set-member example definition",
    "Enablement": "purpose enablement",
    "Evaluation": "evaluation interpretation conclusion comment",
    "Explanation": "evidence explanation-argumentative reason",
    "Joint": "list disjunction",
    "Manner-Means": "manner means",
    "Same-Unit": "same-unit",
    "Summary": "summary restatement",
    "Temporal": "temporal-before temporal-after temporal-same-time sequence inverted-sequence",
    "Textual-Organization": "textualorganization",
    "Topic-Change": "topic-shift topic-drift",
    "Topic-Comment": "problem-solution question-answer statement-response topic-comment comment-topic "
    "rhetorical-question",
}

_CLASS_OF = {
    **{relation.partition("-")[0]: name for relation, name in GUM.items() if relation != "same-unit"},
    "joint": "Joint",  # not Temporal, as joint-sequence alone is
    **{relation: name for name, relations in _RST_DT.items() for relation in relations.split()},
    **GUM,
    **{name.lower(): name for name in CLASSES},
}


def coarse(relation: str) -> str:
    """The class of a relation of GUM (fine or coarse) or of RST-DT (fine, or a class), in any case."""
    name = relation.lower().replace("_", "-")
    while name not in _CLASS_OF and name.endswith(("-e", "-n", "-s")):
        name = name[:-2]
    if name not in _CLASS_OF:
        raise DataError(
            f"expected a relation of GUM or of RST-DT, got {relation!r}",
            hint="the nucleus of a satellite has no relation of its own"
            if name == "span"
            else did_you_mean(relation, CLASSES),
        )
    return _CLASS_OF[name]


def gum_coarse(name: str) -> str:
    """The class of GUM (adversative, causal, …) that the relations of one of the 18 classes have there."""
    if name not in _GUM_COARSE:
        raise DataError(f"expected one of the 18 classes, got {name!r}", hint=did_you_mean(name, CLASSES))
    return _GUM_COARSE[name]
