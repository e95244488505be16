"""`Combiner`: tuned combinations of metrics, an estimator with scikit-learn's conventions.

    combiner = Combiner(method="ridge", scaling="rank").fit(scores, ratings, groups=documents)
    combiner.predict(scores)
    combiner.save("model.json")  # then coheval.metric("combination(model='model.json')")

The constructor stores its parameters; what `fit` learns ends with an underscore.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from coheval.data.whole import write_whole
from coheval.errors import DataError, UsageError, did_you_mean
from coheval.grammar import Spec, format_spec
from coheval.metrics import Metric, Unit, metric
from coheval.metrics._combined import Model
from coheval.metrics._modelfile import read_model
from coheval.run.sample import Array, Mask, Sample, columns, of_pairs, of_rated_pairs, of_ratings
from coheval.run.weighing import Learner, Method, Scaling

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


class Combiner:
    """A weighted sum of scaled scores.

    members: names of the columns, specs of metrics; of a DataFrame, those to take (all unless given).
    method: 'uniform', 'logistic' (from pairs of which people prefer one) or 'ridge' (from ratings).
    scaling: 'minmax', 'rank' or 'standard'; learnt by `fit`, and stored.
    penalties: of which one is chosen by cross-validation, in `folds` folds of whole groups, shuffled by `seed`.
    nonnegative: let no member count against.
    lower_is_better: columns whose scores run the other way; None asks the metrics that they are named for.

    Learnt: `model_`, `coef_` and `intercept_` (of scaled scores), `penalty_`, `feature_names_in_`, `cross_validation_`,
    `held_out_` (the score of each row by a model that never saw its group), `left_out_` (rows without all scores),
    `notes_` (what was left out, in words).
    """

    def __init__(
        self,
        members: Sequence[str] | None = None,
        method: Method = "uniform",
        scaling: Scaling = "minmax",
        penalties: Sequence[float] = PENALTIES,
        folds: int = 5,
        seed: int = 0,
        nonnegative: bool = False,
        lower_is_better: Sequence[str] | None = None,
    ) -> None:
        self.members = members
        self.method = method
        self.scaling = scaling
        self.penalties = penalties
        self.folds = folds
        self.seed = seed
        self.nonnegative = nonnegative
        self.lower_is_better = lower_is_better

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: getattr(self, name) for name in inspect.signature(Combiner).parameters}

    def set_params(self, **params: Any) -> Self:
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"Combiner has no parameter {name!r}", hint=did_you_mean(name, known))
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's own tools ask an estimator: this is a regressor, and scores may be missing."""
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags  # type: ignore[import-untyped]

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=self.method != "uniform"),
            regressor_tags=RegressorTags(),
            input_tags=InputTags(allow_nan=True),
        )

    def __repr__(self) -> str:
        return f"Combiner({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def fit(
        self,
        scores: Any,
        ratings: ArrayLike | None = None,
        *,
        pairs: tuple[ArrayLike, ArrayLike] | None = None,
        items: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Learn scales and weights from scores [n, members], an array or a DataFrame.

        `ratings` [n] are people's, higher is better. `pairs` are two lists of row numbers instead, the better and the
        worse; a pair that was judged several times counts once, for the side with more votes. From ratings, 'logistic'
        makes pairs of the rows of one item (`items` [n], the groups unless given) whose ratings differ. `groups` [n]
        are never split between folds; unless given, rows that are compared with each other are one. Rows in which a
        score or a rating is NaN are left out.
        """
        self._check_lists()
        names, table = columns(scores, self.members)
        self._check_lower([*names, *map(str, getattr(scores, "columns", ()))])
        learner = self._learner(names)
        sample = self._sample(table, ratings, pairs, items, groups)
        complete = sample.complete()
        _check_scores(names, table, complete)
        sample = sample.only(complete)
        self._check_judgements(sample)
        with threadpool_limits(limits=1, user_api="blas"):  # small matrices: more threads cost more than they give
            model, held_out = learner.learn(sample), learner.held_out(sample)
        self.held_out_ = np.full(len(table), np.nan)
        self.held_out_[complete] = held_out
        self.left_out_ = int((~complete).sum())
        self.notes_ = [f"{self.left_out_:,} texts lack a score or a rating and are left out"] if self.left_out_ else []
        validation = learner.validated(sample, held_out)
        self._keep(replace(model, tuned_on=sample.facts(), cross_validation=validation))
        return self

    def predict(self, scores: Any) -> Array:
        """The combined score of each row [n]; NaN where a member has none."""
        model = self._fitted()
        return model.predict(columns(scores, self.feature_names_in_)[1])

    def score(self, scores: Any, ratings: ArrayLike) -> float:
        """Pearson's correlation of the predictions with ratings; NaN where it is undefined."""
        predicted = self.predict(scores)
        return of_ratings(predicted[:, None], ratings, None).agreement(predicted)

    def sign(self, signatures: Mapping[str, str | None], *, unit: Unit | None = None) -> Self:
        """Note the signatures that the members' scores were made with, and of what; unless this is called, `save` takes
        the signatures of here and now."""
        model = self._fitted()
        members = (replace(member, signature=signatures.get(member.spec)) for member in model.members)
        self._keep(replace(model, members=tuple(members), unit=unit))
        return self

    # ------------------------------------------------------------------------------------------------- files

    def save(self, path: str | Path, *, tuned_on: str = "") -> Self:
        """Write the model as JSON, whole or not at all; `tuned_on` says in words what it was tuned on."""
        model = self._fitted()
        if not model.weights.any():
            raise DataError("every member has the weight 0, so that there is nothing to save", hint="add other members")
        members = tuple(replace(m, signature=m.signature or _signature(m.spec)) for m in model.members)
        text = {"text": tuned_on} if tuned_on else {}
        model = replace(model, members=members, tuned_on={**model.tuned_on, **text})
        place = Path(path)
        write_whole(place, model.to_json().encode(), what="the model")
        self._keep(model, place)
        return self

    @classmethod
    def load(cls, path: str | Path) -> Self:
        model = read_model(Path(path))
        loaded = cls(
            members=[m.spec for m in model.members],
            method=model.method,  # type: ignore[arg-type]  # whatever the file says
            scaling=model.scaling,  # type: ignore[arg-type]
            penalties=PENALTIES if model.penalty is None else (model.penalty,),
            lower_is_better=[m.spec for m in model.members if not m.higher_is_better],
        )
        loaded._keep(model, Path(path))
        return loaded

    def to_metric(self) -> Metric:
        """The metric `combination` with this model, which must have been saved: its digest is in the signature."""
        self._fitted()
        if self.path_ is None:
            raise UsageError("a combination becomes a metric when it is saved", hint="call save('model.json') first")
        return metric(format_spec(Spec("combination", params={"model": str(self.path_)})))

    # ------------------------------------------------------------------------------------------------ inside

    def _keep(self, model: Model, path: Path | None = None) -> None:
        self.model_ = model
        self.path_ = path  # where it is saved
        self.coef_ = model.weights
        self.intercept_ = model.intercept
        self.penalty_ = model.penalty
        self.feature_names_in_ = [member.spec for member in model.members]
        self.n_features_in_ = len(model.members)
        self.cross_validation_ = dict(model.cross_validation)

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise UsageError("this Combiner has learnt nothing yet", hint="call fit(scores, …) first")
        return self.model_

    def _learner(self, names: Sequence[str]) -> Learner:
        return Learner(
            members=tuple(names),
            higher_is_better=tuple(self._higher_is_better(name) for name in names),
            method=self.method,
            scaling=self.scaling,
            penalties=tuple(self.penalties),
            folds=self.folds,
            seed=self.seed,
            nonnegative=self.nonnegative,
        )

    def _higher_is_better(self, name: str) -> bool:
        if self.lower_is_better is not None:
            return name not in self.lower_is_better
        if self.members is None and name.isdigit():  # a column of an array without names
            return True
        try:
            return metric(name).higher_is_better
        except UsageError as error:
            raise UsageError(
                f"the direction of the member {name!r} is not known: {error.message}",
                hint="name columns by metrics, or say which are better when lower: lower_is_better=[…]",
            ) from None

    def _sample(
        self,
        table: Array,
        ratings: ArrayLike | None,
        pairs: tuple[ArrayLike, ArrayLike] | None,
        items: ArrayLike | None,
        groups: ArrayLike | None,
    ) -> Sample:
        if pairs is not None and (ratings is not None or self.method == "ridge"):
            raise UsageError(
                "expected pairs or ratings, got both" if ratings is not None else "ridge regression needs ratings",
                hint="method='logistic' learns from pairs, method='ridge' from ratings",
            )
        if pairs is not None:
            return of_pairs(table, pairs, groups)
        if ratings is None and self.method != "uniform":
            raise UsageError(f"method={self.method!r} needs judgements, got none", hint="give ratings or pairs")
        if ratings is not None and self.method == "logistic":
            return of_rated_pairs(table, ratings, items, groups)
        return of_ratings(table, ratings, groups)

    def _check_lists(self) -> None:
        for name in ("members", "lower_is_better", "penalties"):
            value = getattr(self, name)
            unset = value is None and name != "penalties"
            if isinstance(value, str) or not (unset or isinstance(value, Iterable)):
                raise UsageError(f"{name} of Combiner must be a list, got {value!r}", hint=f"write {name}=[…]")

    def _check_lower(self, known: Sequence[str]) -> None:
        for name in () if self.lower_is_better is None else self.lower_is_better:
            if name not in known:
                raise UsageError(f"lower_is_better names {name!r}, which is no column", hint=did_you_mean(name, known))

    def _check_judgements(self, sample: Sample) -> None:
        if self.method == "logistic" and not sample.pairs.size:
            raise DataError(
                "there is no pair of texts of which people prefer one and all members have scores",
                hint="check the ratings, or learn from ratings with method='ridge'",
            )
        if self.method == "ridge" and np.ptp(sample.ratings) == 0:
            raise DataError("all ratings are the same, so there is nothing to learn", hint="check the ratings")
        if self.method != "uniform" and len(self.penalties) > 1 and len(np.unique(sample.groups)) < 2:
            raise DataError(
                f"choosing one of {len(self.penalties)} penalties needs at least two groups of texts, got one",
                hint="give one penalty, or texts of more documents",
            )


def _check_scores(names: Sequence[str], table: Array, complete: Mask) -> None:
    if not complete.any():
        raise DataError(
            f"none of {len(table):,} texts has a score by every member and a judgement{_lacking(names, table)}",
            hint="leave out the members that lack most",
        )
    for name, column in zip(names, table[complete].T, strict=True):
        if np.ptp(column) == 0:
            raise DataError(
                f"the member {name!r} has the score {column[0]:g} in all {complete.sum():,} of {len(table):,} texts "
                f"that every member scores, so that it tells nothing{_lacking(names, table)}",
                hint="leave it out, or the members that lack most",
            )


def _lacking(names: Sequence[str], table: Array) -> str:
    """Which members lack most scores, in brackets."""
    missing = np.isnan(table).sum(axis=0)
    most = [f"{names[k]} lacks {missing[k]:,}" for k in np.argsort(-missing)[:3] if missing[k]]
    return f" ({', '.join(most)})" if most else ""


def _signature(name: str) -> str | None:
    """None for a column that is no metric's."""
    try:
        return metric(name).signature
    except UsageError:
        return None
