// Which view draws which kind of evidence. A view takes the evidence, the texts that its spans count in and the number
// of the reference, and gives marks on both texts, a legend, and drawings that are made when they are shown.

const VIEWS = new Map(Object.entries({
  alignment: viewPairs,
  boundaries: viewCurve,
  comparison: viewComparison,
  contributions: viewContributions,
  cosine: () => ({}),
  distance: () => ({}),
  edits: () => ({}),
  estimate: viewPairs,
  foci: viewFoci,
  links: viewLinks,
  logprobs: viewSurprises,
  matches: viewPairs,
  ngrams: viewNgrams,
  nothing: () => ({}),
  sentences: viewTwoGraphs,
  transport: viewPairs,
  trees: viewTrees,
  undefined: () => ({}),
}));

function viewOf(evidence, texts, number) {
  const make = VIEWS.get(evidence.kind) ?? viewPlain;
  return { candidate: [], reference: [], source: [], legend: "", below: () => [], ...make(evidence, texts, number) };
}

/** A part's evidence about one reference, and which reference counted where the metric chose one. Evidence counts among
    the references that the part has. */
function aboutReference({ evidence, references }, number) {
  if (!evidence) return { inner: null, counted: null };
  if (evidence.kind === "references") return { inner: evidence.each[references.indexOf(number)] ?? null, counted: null };
  const chosen = typeof evidence.reference === "number" ? evidence.reference : evidence.reference?.number;
  return { inner: evidence, counted: Number.isInteger(chosen) ? references[chosen] ?? null : null };
}
