"""What is scored: documents, items, keys, and the corpus that holds them.

A document is a text with its segments (lines of a translation, or the one text of a summary) as character spans. An
item is one system's document beside its references and source. A passage is a text with those around it. A key names
a score. A corpus yields items document by
document, all systems of a document together, and never holds more than a block of them in memory.
"""

from coheval.data.corpus import Corpus, Record
from coheval.data.types import Document, Item, Key, Passage, Span

__all__ = ["Corpus", "Document", "Item", "Key", "Passage", "Record", "Span"]
