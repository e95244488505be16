"""How far metrics agree with people, and with each other.

agree(scores, judgements)   `conditions` say at which level and by which statistic; `match` puts judgements beside
                            the scores of the same texts, in a `grid` for each group; `statistics` makes numbers of
                            a grid, for the data and for resamples; `differences` tests metrics against each other
between(scores)             correlation between metrics
"""

from coheval.run.agreement.agree import agree
from coheval.run.agreement.between import Between, between
from coheval.run.agreement.result import Agreed, Agreement, Difference

__all__ = ["Agreed", "Agreement", "Between", "Difference", "agree", "between"]
