"""A report as plain data, for `report/page/*.js` to draw and for whoever reads the JSON.

`head` has everything but texts and evidence. Those are in blocks of documents, `texts-N` and `why-N`, so that a page of
ten thousand documents reads only what it shows. A figure that is undefined is null, never 0 or NaN.
"""

from coheval.report.payload.blocks import Blocks, pack
from coheval.report.payload.head import head

__all__ = ["Blocks", "head", "pack"]
