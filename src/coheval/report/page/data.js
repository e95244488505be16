// The report's data: compressed blocks in the page, unpacked when they are needed.

const KEPT = 24; // blocks that stay unpacked

async function unpack(name) {
  const packed = atob(document.getElementById(name).textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Texts and explanations of documents; those asked for last stay in memory. */
class Documents {
  constructor(head) {
    this.head = head;
    this.unpacked = new Map();
  }

  async texts(document) {
    return this.#of("texts", document);
  }

  /** What `Explanation.to_dict` gives in Python, of one system's document; null where the system lacks it. */
  async explanation(document, system) {
    const [texts, why] = await Promise.all([this.#of("texts", document), this.#of("why", document)]);
    if (!Object.hasOwn(texts.candidates, system)) return null;
    const own = (all, shared) => (Object.hasOwn(all, system) ? all[system] : shared);
    return { system, document: this.head.documents.ids[document], candidate: texts.candidates[system],
      references: own(texts.own_references, texts.references), source: own(texts.own_sources, texts.source),
      labels: texts.labels[system], metrics: why[system] };
  }

  /** Blocks of texts in order, each with the number of its first document. */
  async * blocks() {
    for (const [n, [start]] of this.head.chunks.entries()) yield [start, await this.#block(`texts-${n}`)];
  }

  async #of(kind, document) {
    const n = this.head.chunks.findIndex(([start, stop]) => start <= document && document < stop);
    return (await this.#block(`${kind}-${n}`))[document - this.head.chunks[n][0]];
  }

  #block(name) {
    const known = this.unpacked.get(name) ?? unpack(name);
    this.unpacked.delete(name);
    this.unpacked.set(name, known);
    if (this.unpacked.size > KEPT) this.unpacked.delete(this.unpacked.keys().next().value);
    return known;
  }
}
