"""What `evaluate.load(path, "moverscore")` loads: a metric of coheval as an `evaluate.Metric`.

    import evaluate
    from coheval.adapters import evaluate_style
    evaluate.load(evaluate_style.script(), "moverscore(ngram=2)")

The second argument is the spec. Only the package evaluate runs this file; nothing in coheval imports it.
"""

from __future__ import annotations

import datasets  # type: ignore[import-not-found]
import evaluate  # type: ignore[import-not-found]

from coheval.adapters import evaluate_style

DEFAULT = "moverscore"  # where no spec was given


class Coheval(evaluate.Metric):  # type: ignore[misc]
    def _info(self) -> evaluate.MetricInfo:
        module = evaluate_style.load(self._spec)
        columns = {name: datasets.Value("string") for name in module.features}
        several = columns | {"references": datasets.Sequence(datasets.Value("string"))}
        return evaluate.MetricInfo(
            description=module.description,
            citation=module.citation,
            inputs_description=module.inputs_description,
            features=[datasets.Features(f) for f in ([several, columns] if "references" in columns else [columns])],
        )

    @property
    def _spec(self) -> str:
        return DEFAULT if self.config_name in (None, "default") else str(self.config_name)

    def _compute(self, **lists: list[str]) -> dict[str, object]:
        return evaluate_style.load(self._spec).compute(**lists)
