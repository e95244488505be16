// Texts beside each other, by segments, with the marks that a metric's evidence puts on them.

/** A text of an explanation: its title, segments, and the marks on it. */
class Pane {
  constructor(side, title, { text, segments }) {
    this.side = side;
    this.title = title;
    this.characters = new Characters(text);
    this.segments = segments;
    this.marks = [];
  }

  /** What evidence counts from: a segment's text, or with null the whole. */
  part(segment) {
    const span = segment === null ? [0, this.characters.length] : this.segments[segment];
    return span && { start: span[0], text: new Characters(this.characters.slice(...span)) };
  }
}

/** `scores` and `choose` belong to the segments of the candidate, where a metric scores segments. */
function drawPane(pane, labels, { scores = null, chosen = null, choose = null } = {}) {
  const many = labels.length > 1;
  const rows = pane.segments.map((span, n) =>
    drawSegment(pane, span, { number: many ? labels[n] : null, at: n, score: scores?.[n], chosen, choose }));
  return el("section", { class: `pane ${pane.side}` }, el("h4", {}, pane.title), el("div", { class: "text" }, rows));
}

function drawSegment(pane, span, { number, at, score, chosen, choose }) {
  if (!span) return el("p", { class: "segment lacking" }, segmentNumber(number, at, null), "not in this text");
  const inside = pieces(span[0], span[1], pane.marks).map((piece) => drawPiece(pane, piece));
  const here = at === chosen && number !== null;
  return el("p", { class: `segment${here ? " chosen" : ""}`, dir: "auto" },
    segmentNumber(number, at, choose && { choose, here, score }),
    inside.length ? inside : el("span", { class: "empty" }, "(empty)"),
    score !== undefined && number !== null && el("span", { class: "segment-score" }, precise(score)));
}

function segmentNumber(number, at, chooser) {
  if (number === null) return null;
  if (!chooser) return el("span", { class: "segment-number" }, String(number));
  const label = `Segment ${number}, score ${precise(chooser.score)}`;
  return el("button", { type: "button", class: "segment-number", "aria-pressed": String(chooser.here),
    "aria-label": label, title: label, onclick: () => chooser.choose(at) }, String(number));
}

function drawPiece(pane, { from, to, marks }) {
  const text = pane.characters.slice(from, to);
  if (!marks.length) return text;
  const keys = marks.map((mark) => mark.key).filter(Boolean).join(" ");
  const told = marks.map((mark) => mark.told).filter(Boolean).join("; ");
  const levels = marks.map((mark) => mark.level).filter((level) => level !== undefined);
  const before = marks.filter((mark) => mark.before && mark.span[0] === from).map((mark) => mark.before);
  const after = marks.filter((mark) => mark.after && mark.span[1] === to).map((mark) => mark.after);
  return el("mark", {
    class: [...new Set(marks.map((mark) => mark.look))].join(" "),
    "data-keys": keys || null,
    "data-told": told || null,
    "data-before": before.join(" ") || null,
    "data-after": after.join(" ") || null,
    "--level": levels.length ? Math.max(...levels).toFixed(3) : null,
  }, text);
}
