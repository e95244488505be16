// Every score of a document, with its direction and what moved it; a score is chosen to see what it rests on.

function drawScores({ metrics, labels }, facts, chosen, choose) {
  const rows = metrics.map((one, n) => scoreRow(one, facts[n], labels, n === chosen, () => choose(n)));
  return scrolling("Scores", el("table", { class: "scores" },
    el("caption", { class: "visually-hidden" }, "Scores of this text; choose a metric to see what its score rests on"),
    el("thead", {}, el("tr", {}, ["metric", "score", "what moved it"].map((head) => el("th", { scope: "col", class: head === "score" ? "number" : null }, head)))),
    el("tbody", {}, rows)));
}

function scoreRow(one, facts, labels, pressed, choose) {
  const most = partToTell(one, facts);
  const where = most && most.segment !== null && one.segments.length > 1 ? `Segment ${labels[most.segment]}: ` : "";
  return el("tr", { class: pressed ? "chosen" : null },
    el("th", { scope: "row" }, el("button", { type: "button", "aria-pressed": String(pressed), onclick: choose },
      facts.metric, el("span", { class: "muted", title: directionOf(facts) }, `\u00a0${arrowOf(facts)}`),
      el("span", { class: "visually-hidden" }, `, ${directionOf(facts)}`))),
    el("td", { class: "number" }, precise(one.score)),
    el("td", {}, one.reason ? `No score: ${one.reason}` : most ? `${where}${most.words[0]}` : el("span", { class: "muted" }, "not explained")));
}

/** Of a text of several segments, the words are about the worst one: it moved the score most. */
function partToTell(one, facts) {
  const told = one.parts.filter((part) => part.words.length);
  const goodness = ({ segment }) => {
    const score = segment === null ? null : one.segments[segment];
    return score === null ? Infinity : facts.higher_is_better ? score : -score;
  };
  return told.reduce((worst, part) => (goodness(part) < goodness(worst) ? part : worst), told[0]);
}

/** The chosen metric in full: what it is, its direction and signature, and everything that moved the score, in words. */
function drawReasons(one, facts, labels, segment) {
  const part = one.parts.find((each) => each.segment === segment);
  const words = part?.words ?? [];
  const lack = one.unit === "segment" ? one.reasons[segment] : one.reason;
  const scored = one.unit === "segment" && one.segments.length > 1;
  return el("section", { class: "reasons" },
    el("h3", {}, facts.metric, " ", el("span", { class: "score" }, precise(one.score))),
    el("p", { class: "muted" }, `${facts.summary} ${capital(directionOf(facts))}, ${rangeOf(facts)}.`),
    scored && el("p", {}, `Segment ${labels[segment]}, one of ${one.segments.length}: `, el("strong", {}, precise(one.segments[segment])),
      ". Choose another by its number."),
    lack && el("p", { class: "lack" }, `No score: ${lack}.`),
    words.length > 0 && el("ul", { class: "words" }, words.map((sentence) => el("li", {}, sentence))),
    !words.length && !lack && el("p", { class: "muted" }, "This text's score is not explained here."),
    el("details", {}, el("summary", {}, "Signature"), el("p", { class: "signature" }, facts.signature)));
}
