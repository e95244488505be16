// Evidence without pairs: how likely each token was, n-grams, members of a combination, and kinds that are not known here.

const UNLIKELY = 12; // a natural logarithm whose colour is as strong as it gets

function viewSurprises(evidence) {
  const marks = (side) => {
    const one = evidence[side];
    if (!one) return [];
    return one.spans.flatMap((span, n) => span[1] > span[0] ? [{ span, look: "token", key: `${side}-${n}`,
      level: Math.min(1, Math.max(0, -one.logprobs[n] / UNLIKELY)),
      told: `“${one.pieces[n].replace(/[▁Ġ]/g, " ").trim()}”: log probability ${short(one.logprobs[n])}` }] : []);
  };
  return { candidate: marks("candidate"), reference: marks("reference"), legend: "The stronger a word's colour, the less it was expected." };
}

function viewNgrams(evidence) {
  const others = evidence.together > 1 ? "the references" : "the reference";
  const lists = [["Shared", "matched", "good"], ["Missing from the candidate, or less often there", "missing", "bad"],
    [`Not in ${others}, or less often there`, "extra", "warn"]];
  return { below: () => lists.map(([title, key, look]) => ngramList(title, evidence[key], look)) };
}

function ngramList(title, ngrams, look) {
  if (!ngrams.length) return el("p", { class: "drawing muted" }, `${title}: none.`);
  const most = 300;
  const chips = ngrams.slice(0, most).map((ngram) => el("li", {}, el("span", { class: `chip ${look}` }, ngram)));
  const left = ngrams.length - chips.length;
  return unfolding(`${title} (${ngrams.length})`, () => el("ul", { class: "foci" }, chips, left > 0 && el("li", {}, `and ${counted(left, "other")}`)), { class: "drawing" });
}

/** A combination: what each member adds, as bars on both sides of nothing. */
function viewContributions(evidence) {
  const members = evidence.members.slice().sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const largest = Math.max(...members.map((member) => Math.abs(member.contribution)), 1e-12);
  const rows = members.map((member) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, member.metric)),
    el("td", { class: "number" }, precise(member.score)), el("td", { class: "number" }, precise(member.weight)),
    el("td", { class: "number" }, precise(member.contribution)),
    el("td", {}, el("span", { class: `bar ${member.contribution < 0 ? "minus" : "plus"}`, "--share": (Math.abs(member.contribution) / largest).toFixed(3) }))));
  return { below: () => [el("section", { class: "drawing" }, scrolling("Members", el("table", {},
    el("caption", {}, `What each member adds to the constant ${precise(evidence.intercept)}`),
    el("thead", {}, el("tr", {}, ["member", "score", "weight", "adds", ""].map((head) => el(head ? "th" : "td", { scope: head ? "col" : null }, head)))),
    el("tbody", {}, rows))))] };
}

/** A plugin's evidence, as it is. */
function viewPlain(evidence) {
  return { below: () => [unfolding("Evidence as data", () => el("pre", { class: "scroll", tabindex: "0" }, JSON.stringify(evidence, null, 1)), { class: "drawing" })] };
}
