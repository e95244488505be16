// Search in ids at once, and in all texts block by block while the page stays usable.

/** Calls `found(numbers, done)` again and again as more is read; returns a function that ends the search. */
function searchDocuments(documents, query, found) {
  const wanted = query.trim().toLowerCase();
  let ended = false;
  const ids = documents.head.documents.ids;
  const hits = new Set([...ids.keys()].filter((n) => ids[n].toLowerCase().includes(wanted)));
  found(hits, !documents.head.texts);
  const read = async () => {
    for await (const [start, block] of documents.blocks()) {
      if (ended) return;
      block.forEach((texts, n) => holds(texts, wanted) && hits.add(start + n));
      found(hits, false);
    }
    if (!ended) found(hits, true);
  };
  if (documents.head.texts) read();
  return () => { ended = true; };
}

function holds(texts, wanted) {
  const all = [...Object.values(texts.candidates), ...texts.references, ...Object.values(texts.own_references).flat(),
    texts.source, ...Object.values(texts.own_sources)];
  return all.some((one) => one?.text.toLowerCase().includes(wanted)); // a system may have no source
}
