"""The estimator against scikit-learn's pipelines and hand calculations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest
from sklearn.base import clone, is_regressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, ParameterGrid, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from coheval.errors import DataError, ResourceError, UsageError
from coheval.run.combine import PENALTIES, Combiner

SYSTEMS, ITEMS = 5, 30


def made(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores of 150 texts by three members, of which two see something of the ratings; and the item of each text."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=SYSTEMS * ITEMS)
    noise = rng.normal(size=(len(ratings), 3))
    scores = np.column_stack([ratings + noise[:, 0], 10 * ratings + 20 * noise[:, 1], noise[:, 2]])
    return scores, ratings, np.arange(len(ratings)) % ITEMS


def implied(ratings: np.ndarray, items: np.ndarray) -> tuple[list[int], list[int]]:
    rows = range(len(ratings))
    found = [(i, j) for i in rows for j in rows if items[i] == items[j] and ratings[i] > ratings[j]]
    return [i for i, _ in found], [j for _, j in found]


def test_uniform_by_hand() -> None:
    # columns scaled to 0, .5, 1 and (turned) 1, 0, .25
    scores = np.array([[0.0, 4.0], [1.0, 8.0], [2.0, 7.0]])
    combiner = Combiner(lower_is_better=["1"]).fit(scores)
    assert combiner.predict(scores).tolist() == [0.5, 0.25, 0.625]
    assert combiner.coef_.tolist() == [0.5, 0.5]
    assert combiner.cross_validation_ == {}


@pytest.mark.parametrize(("scaling", "scaler"), [("minmax", MinMaxScaler), ("standard", StandardScaler)])
def test_logistic_equals_scikit_learn(scaling: str, scaler: type) -> None:
    scores, ratings, items = made()
    combiner = Combiner(method="logistic", scaling=scaling, penalties=[0.5]).fit(scores, ratings, items=items)
    scaled = scaler().fit_transform(scores)
    better, worse = implied(ratings, items)
    differences = scaled[better] - scaled[worse]
    signs = np.where(np.arange(len(differences)) % 2, 1, -1)  # it wants both classes
    oracle = LogisticRegression(fit_intercept=False, C=1, tol=1e-10, max_iter=10_000)
    oracle.fit(differences * signs[:, None], signs)
    assert combiner.coef_ == pytest.approx(oracle.coef_[0], abs=1e-4)
    assert combiner.intercept_ == 0
    assert combiner.predict(scores) == pytest.approx(scaled @ oracle.coef_[0], abs=1e-3)


def test_explicit_pairs_are_as_good_as_ratings() -> None:
    scores, ratings, items = made()
    one = Combiner(method="logistic").fit(scores, ratings, items=items)
    other = Combiner(method="logistic").fit(scores, pairs=implied(ratings, items), groups=items)
    assert other.coef_ == pytest.approx(one.coef_)
    assert other.cross_validation_ == one.cross_validation_


@pytest.mark.parametrize("scaling", ["minmax", "standard"])
def test_ridge_equals_scikit_learn(scaling: str) -> None:
    scores, ratings, _ = made()
    combiner = Combiner(method="ridge", scaling=scaling, penalties=(3.0,)).fit(scores, ratings)
    oracle = make_pipeline(StandardScaler(), Ridge(alpha=3.0)).fit(scores, ratings)
    assert combiner.predict(scores) == pytest.approx(oracle.predict(scores))
    assert combiner.score(scores, ratings) == pytest.approx(np.corrcoef(oracle.predict(scores), ratings)[0, 1])


def test_direction_changes_the_sign_of_a_weight_only() -> None:
    scores, ratings, _ = made()
    plain = Combiner(method="ridge").fit(scores, ratings)
    turned = Combiner(method="ridge", lower_is_better=["0"]).fit(scores * [-1, 1, 1], ratings)
    assert turned.coef_ == pytest.approx(plain.coef_)
    assert turned.predict(scores * [-1, 1, 1]) == pytest.approx(plain.predict(scores))


def test_held_out_scores_come_from_models_that_never_saw_the_group() -> None:
    """With one penalty and as many folds as groups, each is left out once."""
    scores, ratings, items = made()

    def by_item(values: np.ndarray) -> float:
        return float(np.mean([np.corrcoef(values[items == k], ratings[items == k])[0, 1] for k in range(ITEMS)]))

    combiner = Combiner(method="ridge", penalties=(3.0,), folds=ITEMS).fit(scores, ratings, groups=items)
    for item in range(ITEMS):
        inside = items == item
        oracle = make_pipeline(StandardScaler(), Ridge(alpha=3.0)).fit(scores[~inside], ratings[~inside])
        assert combiner.held_out_[inside] == pytest.approx(oracle.predict(scores[inside]))
    assert combiner.cross_validation_["folds"] == ITEMS
    assert combiner.cross_validation_["held_out"] == pytest.approx(by_item(combiner.held_out_))
    assert list(combiner.cross_validation_["alone"].values()) == pytest.approx([by_item(c) for c in scores.T])


def test_a_member_alone_is_not_scaled() -> None:
    """Pearson's r of its scores as they are, turned where lower is better; of ranks it would be another."""
    scores, ratings, items = made()
    raw = np.exp(scores[:, :2]) * [1, -1]
    combiner = Combiner(method="ridge", scaling="rank", lower_is_better=["1"], folds=ITEMS)
    combiner.fit(raw, ratings, groups=items)
    expected = [
        np.mean([np.corrcoef(own[items == k], ratings[items == k])[0, 1] for k in range(ITEMS)])
        for own in (raw[:, 0], -raw[:, 1])
    ]
    assert list(combiner.cross_validation_["alone"].values()) == pytest.approx(expected)


def test_the_penalty_is_the_one_with_the_smallest_held_out_loss() -> None:
    rng = np.random.default_rng(3)
    ratings = rng.normal(size=24)
    scores = ratings[:, None] + 3 * rng.normal(size=(24, 12))  # few texts, many members: some penalty must help
    groups = np.arange(24) % 8
    losses = {}
    for penalty in PENALTIES:
        errors = []
        for group in range(8):
            inside = groups == group
            oracle = make_pipeline(StandardScaler(), Ridge(alpha=penalty)).fit(scores[~inside], ratings[~inside])
            errors.append((oracle.predict(scores[inside]) - ratings[inside]) ** 2)
        losses[penalty] = float(np.sum(errors))
    combiner = Combiner(method="ridge", folds=8).fit(scores, ratings, groups=groups)
    assert combiner.penalty_ == min(losses, key=losses.__getitem__)
    assert combiner.penalty_ > min(PENALTIES)


def test_a_useless_member_gets_little_weight_and_nonnegative_none_against() -> None:
    scores, ratings, items = made()
    scores[:, 2] = -ratings + scores[:, 2]  # counts against
    free = Combiner(method="logistic").fit(scores, ratings, items=items)
    assert free.coef_[2] < 0
    bound = Combiner(method="logistic", nonnegative=True).fit(scores, ratings, items=items)
    assert bound.coef_[2] == 0
    assert (bound.coef_[:2] > 0).all()


def test_incomplete_rows_are_left_out() -> None:
    scores, ratings, _ = made()
    holes, unrated = scores.copy(), ratings.copy()
    holes[3, 1] = np.nan
    unrated[7] = np.nan
    kept = ~np.isin(np.arange(len(ratings)), [3, 7])
    combiner = Combiner(method="ridge", penalties=[1.0]).fit(holes, unrated)
    assert combiner.left_out_ == 2
    assert combiner.coef_ == pytest.approx(
        Combiner(method="ridge", penalties=[1.0]).fit(scores[kept], ratings[kept]).coef_
    )
    assert np.isnan(combiner.predict(holes)).nonzero()[0].tolist() == [3]
    assert np.isnan(combiner.held_out_).nonzero()[0].tolist() == [3, 7]


@pytest.mark.parametrize("scaling", ["minmax", "rank", "standard"])
@pytest.mark.parametrize("method", ["uniform", "logistic", "ridge"])
def test_saved_and_loaded_predicts_the_same(tmp_path: Path, scaling: str, method: str) -> None:
    scores, ratings, items = made()
    frame = pandas.DataFrame(scores, columns=["chrf", "ter", "bleu"])
    combiner = Combiner(method=method, scaling=scaling).fit(frame, ratings, items=items)
    combiner.save(tmp_path / "model.json", tuned_on="numbers out of the air")
    loaded = Combiner.load(tmp_path / "model.json")
    other = np.random.default_rng(9).normal(size=(20, 3)) * 100
    assert loaded.predict(other).tolist() == combiner.predict(other).tolist()
    assert loaded.cross_validation_ == combiner.cross_validation_
    assert loaded.model_.tuned_on["text"] == "numbers out of the air"
    assert loaded.lower_is_better == ["ter"]
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]  # no draft is left behind
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_scikit_learn_clones_it() -> None:
    combiner = Combiner(members=["chrf", "bleu"], method="ridge", penalties=[1, 2], folds=3, seed=4, nonnegative=True)
    copy = clone(combiner)
    assert copy is not combiner
    assert copy.get_params() == combiner.get_params()
    assert not hasattr(clone(Combiner().fit([[1.0], [2.0]])), "model_")
    assert combiner.set_params(folds=7).folds == 7
    assert repr(Combiner()).startswith("Combiner(members=None, method='uniform'")


def test_cross_validation_by_scikit_learn() -> None:
    """Its own tools take it for a regressor: the same numbers as of its own pipeline."""
    scores, ratings, items = made()
    ours = Combiner(method="ridge", scaling="standard", penalties=(3.0,))
    theirs = make_pipeline(StandardScaler(), Ridge(alpha=3.0))
    pearson = make_scorer(lambda y, predicted: np.corrcoef(y, predicted)[0, 1])
    expected = cross_val_score(theirs, scores, ratings, groups=items, cv=GroupKFold(5), scoring=pearson)
    assert is_regressor(ours)
    assert cross_val_score(ours, scores, ratings, groups=items, cv=GroupKFold(5)) == pytest.approx(expected)


def test_a_grid_search_by_scikit_learn() -> None:
    scores, ratings, items = made()
    grid = {"penalties": [(0.1,), (1e6,)], "scaling": ["minmax", "rank"]}
    search = GridSearchCV(Combiner(method="logistic"), grid, cv=GroupKFold(3)).fit(
        scores, ratings, groups=items, items=items
    )
    assert search.best_params_ in list(ParameterGrid(grid))
    assert search.predict(scores) == pytest.approx(search.best_estimator_.predict(scores))
    assert len(search.cv_results_["mean_test_score"]) == 4


def test_the_constructor_only_stores() -> None:
    assert Combiner(method="guess", penalties=[-1]).get_params()["method"] == "guess"


def test_seeds_are_all_that_is_random() -> None:
    scores, ratings, items = made()
    one, same, other = (
        Combiner(method="ridge", seed=seed).fit(scores, ratings, groups=items).held_out_ for seed in (0, 0, 1)
    )
    assert one.tolist() == same.tolist()
    assert one.tolist() != other.tolist()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"method": "guess"}, "method of Combiner must be one of uniform, logistic, ridge, got 'guess'"),
        ({"scaling": "none"}, "scaling of Combiner must be one of minmax, rank, standard, got 'none'"),
        ({"penalties": []}, "penalties of Combiner must be numbers above 0"),
        ({"penalties": [0]}, "penalties of Combiner must be numbers above 0"),
        ({"penalties": [float("nan")]}, "penalties of Combiner must be numbers above 0"),
        ({"penalties": ["1"]}, "penalties of Combiner must be numbers above 0"),
        ({"penalties": 1.0}, "penalties of Combiner must be a list, got 1.0"),
        ({"penalties": None}, "penalties of Combiner must be a list, got None"),
        ({"folds": 1}, "folds of Combiner must be a whole number, at least 2, got 1"),
        ({"folds": "5"}, "folds of Combiner must be a whole number, at least 2, got '5'"),
        ({"folds": 2.5}, "folds of Combiner must be a whole number, at least 2, got 2.5"),
        ({"seed": None}, "seed of Combiner must be a whole number, at least 0, got None"),
        ({"members": "ter"}, "members of Combiner must be a list, got 'ter'"),
        ({"lower_is_better": "ter"}, "lower_is_better of Combiner must be a list, got 'ter'"),
        ({"lower_is_better": ["3"]}, "lower_is_better names '3', which is no column"),
        ({"members": ["chrf", "blue", "ter"]}, "direction of the member 'blue' is not known"),
    ],
)
def test_wrong_parameters(params: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Combiner(**params).fit(made()[0])


def test_wrong_data() -> None:
    scores, ratings, items = made()
    with pytest.raises(UsageError, match="method='ridge' needs judgements"):
        Combiner(method="ridge").fit(scores)
    with pytest.raises(UsageError, match="got both"):
        Combiner(method="logistic").fit(scores, ratings, pairs=([0], [1]))
    with pytest.raises(UsageError, match="ridge regression needs ratings"):
        Combiner(method="ridge").fit(scores, pairs=([0], [1]))
    with pytest.raises(DataError, match="all ratings are the same"):
        Combiner(method="ridge").fit(scores, np.ones(len(ratings)))
    with pytest.raises(DataError, match="no pair of texts"):
        Combiner(method="logistic").fit(scores, np.ones(len(ratings)), items=items)
    with pytest.raises(DataError, match="at least two groups of texts, got one"):
        Combiner(method="ridge").fit(scores, ratings, groups=np.zeros(len(ratings)))
    with pytest.raises(DataError, match=r"none of 150 texts has a score by every member and a judgement \(1 lacks 150"):
        Combiner().fit(np.where([True, False, True], scores, np.nan))
    with pytest.raises(DataError, match="the member '1' has the score 5 in all 150 of 150 texts"):
        Combiner().fit(np.where([True, False, True], scores, 5))
    frame = pandas.DataFrame(scores, columns=["chrf", "ter", "bleu"])
    with pytest.raises(UsageError, match="names 'tre', which is no column") as error:
        Combiner(lower_is_better=["tre"]).fit(frame)
    assert "did you mean 'ter'" in str(error.value)
    Combiner(members=["chrf"], lower_is_better=["ter"]).fit(frame)  # a column that is no member has a direction too
    with pytest.raises(UsageError, match="has no parameter 'fold'"):
        Combiner().set_params(fold=3)


def test_one_group_is_enough_for_one_penalty() -> None:
    scores, ratings, _ = made()
    combiner = Combiner(method="ridge", penalties=[1.0]).fit(scores, ratings, groups=np.zeros(len(ratings)))
    assert np.isnan(combiner.held_out_).all()
    assert combiner.cross_validation_["held_out"] is None


def test_before_fit() -> None:
    with pytest.raises(UsageError, match="has learnt nothing yet"):
        Combiner().predict([[1.0]])
    with pytest.raises(UsageError, match="becomes a metric when it is saved"):
        Combiner().fit([[1.0], [2.0]]).to_metric()


def test_a_model_that_was_learnt_anew_is_not_the_saved_one(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"chrf": [1.0, 2.0, 5.0]})
    combiner = Combiner().fit(frame).save(tmp_path / "model.json")
    assert combiner.to_metric().weighing.members[0].scale.high == 5
    combiner.fit(frame * 2)
    with pytest.raises(UsageError, match="becomes a metric when it is saved"):
        combiner.to_metric()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("a file is no folder")
    folder.mkdir()
    for place in (file / "model.json", folder):
        with pytest.raises(ResourceError, match="the model could not be written"):
            Combiner().fit([[1.0], [2.0]]).save(place)
    assert sorted(tmp_path.iterdir()) == [file, folder]
    assert not list(folder.iterdir())


def test_nothing_to_save_where_nothing_counts(tmp_path: Path) -> None:
    _, ratings, _ = made()
    against = Combiner(method="ridge", nonnegative=True).fit(-ratings[:, None], ratings)
    with pytest.raises(DataError, match="every member has the weight 0"):
        against.save(tmp_path / "model.json")
