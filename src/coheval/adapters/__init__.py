"""The faces of other tools, so that their users feel at home; the numbers are coheval's.

    from coheval.adapters import bert_score_style, evaluate_style, sacrebleu_style

    sacrebleu_style.Metric("moverscore").corpus_score(hypotheses, [references])
    evaluate_style.load("moverscore").compute(predictions=predictions, references=references)
    bert_score_style.score(candidates, references)

Each is a thin layer over `coheval.score`, which can do more: several metrics and systems at once, documents, evidence.
docs/migration.md has the calls side by side, and where numbers differ.
"""
