"""Evidence in words: every kind has some, and they are true of the evidence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coheval
from coheval import metrics, registry
from coheval.report import words as told
from coheval.report.words import words
from coheval.report.words.quoting import at, count, listed, quoted
from support import runnable

BETTER = ("The cat sat on the mat.", "The cat sat on the mat.")
WORSE = ("Rain.", "The cat sat on the mat.")
OTHER_SPECS = [
    "rouge(kind='L')", "rouge(kind='Lsum')", "dssent(alignment='optimal')", "bertscore(references='mean')",
    "rc(variant='paper')", "rc(variant='code')", "connectivity(form='discriminativeness')",
    "focusfrequency(form='discriminativeness')", "moverscore(ngram=2)", "bertscore(variant='code')",
]  # fmt: skip
TEXTS = [
    "The crane was sold in spring. The buyer of the crane was old.",
    "Neighbours like the plan. They fear the noise.",
]
ONE = ["The old crane was sold. A buyer took the crane.", "The neighbours like the plan, but they fear noise."]
TWO = ["In spring the crane found a buyer. The crane was sold.", "People like this plan. The noise worries them."]
STRANGE = ["", " ", "dog", "?!... --", "a\x00b\x1b[31m c\u202ed", "👩‍👩‍👧 é مرحبا", "dog " * 700]


def kinds_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "kind" in value:
            yield value["kind"]
        for inner in value.values():
            yield from kinds_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from kinds_in(inner)


def literal_kinds(tree: ast.AST) -> Iterator[str]:
    """What stands beside "kind" in the dicts of a program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "kind":
                    yield from (
                        n.value for n in ast.walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                    )


def test_every_kind_that_metrics_write_down_has_words() -> None:
    """Read off the metrics' own files, so that a new kind without words fails here."""
    files = Path(metrics.__file__).parent.rglob("*.py")
    written = {kind for path in files for kind in literal_kinds(ast.parse(path.read_text(encoding="utf-8")))}
    assert {"transport", "ngrams", "trees", "sentences", "boundaries"} <= written
    assert written - {"references"} == set(told._TELLS)


@pytest.fixture(scope="module")
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a metric, or one that needs no model of a user's."""
    if "(" in request.param:
        return request.param
    return runnable(request.param, tmp_path_factory.mktemp("model"), better=BETTER, worse=WORSE)


@pytest.mark.parametrize("spec", [*registry.names("metrics"), *OTHER_SPECS], indirect=True)
@pytest.mark.parametrize("references", [ONE, list(zip(ONE, TWO, strict=True))], ids=["one", "two"])
def test_the_evidence_of_every_metric_is_told(spec: str, references: list[Any]) -> None:
    lists = [[one] if isinstance(one, str) else list(one) for one in references]
    result = coheval.score(TEXTS, lists, sources=TWO, documents=["d", "d"], metrics=[spec], evidence=True)
    ((metric,),) = [one.metrics for one in result.explain("d").explanations]
    assert metric.parts
    for part in metric.parts:
        assert set(kinds_in(part.evidence)) <= set(told._TELLS) | {"references"}
        assert part.words
        for sentence in part.words:
            assert sentence == sentence.strip()
            assert sentence.endswith(".")
            assert "  " not in sentence
            assert not any(
                f" {bad} " in f" {sentence} " for bad in ("None", "nan", "1 words", "1 links", "1 sentences")
            )


@pytest.mark.parametrize("spec", [*registry.names("metrics"), *OTHER_SPECS], indirect=True)
def test_strange_texts_are_told_without_a_failure(spec: str) -> None:
    if spec in ("prism", "bartscore", "combination") or spec.startswith(("learned", "perplexity")):
        pytest.skip("slow on long texts, and its evidence has the shape of others'")
    references = [[text, "The dog barked. The dog slept."] for text in STRANGE]
    result = coheval.score(STRANGE, references, sources=STRANGE, metrics=[spec], evidence=True)
    for n in range(len(STRANGE)):
        explained = result.explain(n)
        explained.to_json()
        assert all(c.isprintable() or c == "\n" for c in repr(explained))


def test_a_coherence_model_without_local_scores_is_told() -> None:
    told_of = {"kind": "sentences", "text": "A. B.", "sentences": [[0, 2], [3, 5]], "local": None}
    (local,) = words(told_of | {"local": [0.5, -1.0]}, "A. B.", [])
    assert local.startswith("The sentence that is least expected behind the ones before it: sentence 2, “B.”, ")
    assert local.endswith(", with a local score of -1.00.")
    assert words(told_of | {"kind": "boundaries"}, "A. B.", []) == [
        "The model reads the text as a whole and has no score for its parts."
    ]


def test_evidence_of_an_unknown_kind_gives_no_sentence() -> None:
    assert words({"kind": "of a plugin", "reference": 7}, "a", []) == []
    assert words(None, "a", ["b"]) == []


# ---------------------------------------------------------------------------------------- true of the evidence


def sentences(spec: str, candidate: str, *references: str) -> list[str]:
    result = coheval.score([candidate], [list(references)], metrics=[spec], evidence=True)
    return [s for part in result.explain(0).explanations[0].metrics[0].parts for s in part.words]


def test_rouge_does_not_call_absent_what_is_there_less_often() -> None:
    """The reference has one "the", the candidate two."""
    assert sentences("rouge", "the cat the dog", "the dog") == [
        "Shared: “the”, “dog”.",
        "Not in the reference: “cat”.",
        "More often than in the reference: “the”.",
    ]


def test_rouge_l_tells_what_is_out_of_order() -> None:
    """The longest common subsequence of "b a c" and "a c b" is "a c"; b is in both texts."""
    assert sentences("rouge(kind='L')", "b a c", "a c b") == ["Shared: “a”, “c”.", "In both, but out of order: “b”."]


def test_texts_that_are_the_same_are_told_as_that() -> None:
    text = "The old dog barked."
    assert sentences("moverscore", text, text) == ["Nothing had to move far: the texts are the same to the encoder."]
    assert sentences("bertscore", text, text) == ["Every word has its like on the other side."]
    assert sentences("ter", text, text) == ["No edit is needed for 4 words of reference."]


def test_chrf_of_short_texts_is_told() -> None:
    """Six characters are the usual order, and neither text has them."""
    assert sentences("chrf", "Yes", "Yes") == ["Shared: “Yes”."]
    assert sentences("chrf", "Yes.", "No.") == [
        "Missing from the candidate: “No.”.",
        "Not in the reference: “Yes”, “es.”.",
    ]
    assert sentences("chrf", "", "") == ["Neither text has anything to count."]


def test_metrics_that_count_in_several_references_say_so() -> None:
    """BLEU and NIST count what any reference has; chrF and ROUGE the best reference, the second here."""
    both = ["two hounds ran home", "two dogs ran"]
    for spec in ("bleu", "nist"):
        told_of = sentences(spec, "two cats ran", *both)
        assert any(sentence.startswith("Not in the references: ") for sentence in told_of), told_of
        assert any(s.startswith("Not in the reference: ") for s in sentences(spec, "two cats ran", both[0]))
    for spec in ("chrf", "rouge"):
        told_of = sentences(spec, "two cats ran", *both)
        assert any(sentence.startswith("Not in the reference: ") for sentence in told_of)
        assert told_of[-1] == "Reference 2 counts."


def test_what_idf_leaves_without_weight_is_told_and_what_is_charged_for_it() -> None:
    """There is one candidate, so that its words stand in all candidates and weigh nothing. v1 charges the other's
    weight, v2 answers its best score, 1."""
    v1 = sentences("moverscore(variant='v1')", "a cat", "a cat sat", "dogs run far")
    begin = (
        "Reference 1: Nothing could move: no word of the candidate has a weight. What the other weighs is charged at "
    )
    assert v1[0].startswith(begin + "the largest distance, 1.")
    assert sentences("moverscore(variant='v2')", "a cat", "a cat sat", "dogs run far") == [
        "Nothing could move: no word of the candidate has a weight, and the variant counts that as no distance."
    ]
    assert sentences("moverscore(variant='v2')", "a cat", "dogs run") == [
        "Nothing could move: no word of either text has a weight, and the variant counts that as no distance."
    ]


def test_a_surplus_is_part_of_the_distance() -> None:
    """By hand: 0.5 moved at 1 and 0.25 charged at 2 are 1, of which the move is half; older runs do not say it."""
    evidence = {
        "kind": "transport",
        "candidate": [[0, 3]],
        "reference": [[0, 3]],
        "moves": [{"from": 0, "to": 0, "mass": 0.5, "cost": 1.0}],
    }
    surplus = {"weights": {"candidate": 1.0, "reference": 0.5}, "surplus": {"mass": 0.25, "cost": 2.0}}
    assert words(evidence | surplus, "cat", ["dog"]) == [
        "The distance of 1.000 comes most from moving “cat” to “dog” (50 %).",
        "0.500 of it is charged for what one text weighs more than the other.",
    ]
    assert words(evidence, "cat", ["dog"]) == ["The distance of 0.500 comes most from moving “cat” to “dog” (100 %)."]
    assert words(evidence | {"moves": []}, "cat", ["dog"]) == ["Nothing moved."]


def test_one_edit_of_one_word_is_singular() -> None:
    assert sentences("ter", "cat", "dog")[0].startswith("1 edit for 1 word of reference;")


def test_meteor_counts_the_words_of_both_texts() -> None:
    """Exact: the, cat; the rest of each text stands alone."""
    assert sentences("meteor", "the cat slept", "the cat ran off") == [
        "2 words aligned; the candidate has 3 words, the reference 4.",
        "They make 1 chunk; the fewer, the more alike is the order.",
        "Aligned to nothing: “slept”.",
        "Of the reference, aligned to nothing: “ran”, “off”.",
    ]


def test_rc_counts_mentions_and_lc_words() -> None:
    """Foci: dog, twice, and cat: 2 of 3 mentions and 1 of 2 words are repeated."""
    text = "The dog barked. A dog slept. The cat ran."
    assert sentences("rc", text, text)[0] == "2 of 3 mentions tied to another place of the text."
    assert sentences("lc", text, text)[0] == "1 of 2 different words tied to another place of the text."
    assert sentences("rc(variant='code')", text, text)[0] == (
        "2 mentions tied to another place of the text, by 2 different words in all."
    )
    assert sentences("lc", text, text)[1:] == ["Tied: “dog” (repetition).", "Said once: “cat”."]


def test_a_relation_names_the_word_at_its_other_end() -> None:
    """In WordNet an animal is two steps above a dog, a canine one."""
    told_of = sentences("lc(variant='paper')", "The dog ran. The canine slept.", "x")
    assert "“dog” (superordinate “canine”)" in told_of[1]
    assert "“canine” (subordinate “dog”)" in told_of[1]


def test_nothing_to_compare_is_not_called_no_score() -> None:
    """bert_score answers 0 for an empty text, which is a score."""
    spec = "bertscore(variant='code')"
    result = coheval.score([""], ["dog"], metrics=[spec], evidence=True)
    assert result[spec].segments == [0.0]
    ((metric,),) = [one.metrics for one in result.explain(0).explanations]
    assert metric.parts[0].words == ["There was nothing to compare: the candidate is empty."]


def test_what_holds_against_every_reference_is_said_once() -> None:
    both = sentences(
        "dssent", "The dog barked. The dog slept.", "A dog barked. It slept.", "The dog lay. The dog slept."
    )
    assert both[0] == "Candidate: 1 link between 2 sentences."
    assert sum(sentence.endswith("Candidate: 1 link between 2 sentences.") for sentence in both) == 1
    assert any(sentence.startswith("Reference 1: ") for sentence in both)
    assert not any("Reference: " in sentence for sentence in both)


def test_what_is_about_each_reference_alone_is_numbered_even_where_it_is_the_same() -> None:
    text = "The dog barked. The dog slept."
    assert sentences("dssent", text, text, text) == [
        "Candidate: 1 link between 2 sentences.",
        "Candidate: Sentences that hang together most: 1 and 2 by “dog”.",
        "Reference 1: 1 link between 2 sentences.",
        "Reference 1: Sentences that hang together most: 1 and 2 by “dog”.",
        "Reference 2: 1 link between 2 sentences.",
        "Reference 2: Sentences that hang together most: 1 and 2 by “dog”.",
    ]


def test_the_reference_that_counts_is_told_where_there_are_several() -> None:
    assert sentences("meteor", "a red boat", "two cats", "a red boat")[-1] == "Reference 2 counts."
    assert sentences("dr", "He left because it rained.", "It rained.", "He left because it rained.")[-1] == (
        "Reference 2 counts."
    )
    assert not any("counts" in sentence for sentence in sentences("meteor", "a red boat", "a red boat"))


@pytest.mark.parametrize("spec", ["meteor", "dr", "bertscore"])
def test_references_are_numbered_as_in_the_document(spec: str) -> None:
    """Segment 2 has the second reference alone; the first has both."""
    from coheval.data import Corpus, Record
    from coheval.run.score import evaluate, named

    text = "He left because it rained."
    corpus = Corpus.of(
        [
            Record("s", text, ("It rained.", "He went."), None, "d", 0),
            Record("s", text, (None, "He stayed because it rained hard."), None, "d", 1),
        ]
    )
    ((metric,),) = [one.metrics for one in evaluate(corpus, named(spec), evidence=True).explain("d").explanations]
    first, second = metric.parts
    assert first.references == [0, 1]
    said = " ".join(second.words)
    if spec == "dr":  # trees are numbered among all references of the document
        assert second.references == [0, 1]
        assert "Reference 2 counts." in said
    else:
        assert second.references == [1]
        assert "“stayed”" in said or "“hard”" in said


# ------------------------------------------------------------------------------------------------------ quoting


def test_quoting() -> None:
    assert quoted("two\n  lines") == "“two lines”"
    assert quoted("x" * 30 + "y" * 40) == f"“{'x' * 30} … {'y' * 30}”"
    assert at("the cat", (4, 7)) == "“cat”"
    assert at("the cat", (0, 0)) == "(the text's frame)"
    assert listed(["a", "b"]) == "a, b"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert [count(1, "link"), count(0, "link"), count(1200, "link")] == ["1 link", "0 links", "1,200 links"]
