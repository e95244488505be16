// Sentences and the links between them: arcs beside the list of sentences, thicker where a link is stronger.

const ARCS = { row: 28, gutter: 150, width: 760, characters: 78 };

function viewLinks(evidence, texts) {
  const side = evidence.foci.some((focus) => focus.reference) ? "reference" : "candidate";
  return {
    ...linkedMarks(evidence, side),
    legend: "Foci that occur in several sentences are coloured; arcs join sentences.",
    below: () => [drawArcs(evidence, texts[side], side)],
  };
}

/** DS-Sent: both texts as graphs of sentences. */
function viewTwoGraphs(evidence, texts) {
  if (evidence.local !== undefined) return viewCurve(evidence);
  return {
    ...linkedMarks(evidence.candidate, "candidate"),
    ...linkedMarks(evidence.reference, "reference"),
    legend: "Foci that occur in several sentences are coloured; arcs join the sentences of each text.",
    below: () => ["candidate", "reference"].map((side) => drawArcs(evidence[side], texts[side], side)),
  };
}

function linkedMarks(evidence, side) {
  const several = evidence.foci.filter((focus) => new Set(focus.sentences).size > 1);
  return { [side]: focusMarks(orderedFoci(several), side) };
}

/** Links of a candidate and its reference beside the value that is compared. */
function viewComparison(evidence, texts, number) {
  const rows = [["candidate", evidence.value], ...evidence.references.map((value, n) => [`reference ${n + 1}`, value])];
  const inner = [[evidence.candidate, "candidate"], [evidence.each?.[number], "reference"]].filter(([one]) => one);
  const views = inner.map(([one, side]) => innerView(one, side, texts));
  return {
    candidate: views.flatMap((view) => view.candidate ?? []),
    reference: views.flatMap((view) => view.reference ?? []),
    legend: views[0]?.legend ?? "",
    below: () => [plainTable("The value that is compared", ["text", "value"], rows), ...views.flatMap((view) => view.below?.() ?? [])],
  };
}

/** Evidence of a text that stands for itself, whichever side it is on: its spans are always called the candidate's. */
function innerView(evidence, side, texts) {
  const foci = evidence.foci.map((focus) => {
    const { candidate, reference, ...rest } = focus;
    return { ...rest, [side]: candidate ?? reference };
  });
  return evidence.kind === "links" ? viewLinks({ ...evidence, foci }, texts) : viewFoci({ ...evidence, foci });
}

function drawArcs(evidence, text, side) {
  const { row, gutter, width } = ARCS;
  const height = Math.max(1, evidence.sentences.length) * row;
  const y = (sentence) => (sentence + 0.5) * row;
  const strongest = Math.max(...evidence.links.map((link) => link.weight), 1e-12);
  const arcs = evidence.links.map((link) => drawArc(link, y(link.from), y(link.to), link.weight / strongest));
  const alone = new Set(evidence.isolated);
  const rows = evidence.sentences.map((span, n) => drawSentence(text.slice(...span), n, y(n), alone.has(n)));
  const told = `${counted(evidence.links.length + evidence.left_out, "link")} between ${counted(evidence.sentences.length, "sentence")}`
    + (evidence.left_out ? `; the ${evidence.links.length} strongest are drawn` : "");
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${side}: ${told}; arrow keys step through them` }, arcs, rows);
  drawing.style.setProperty("--gutter", `${gutter}px`);
  return el("section", { class: `drawing ${side}` }, el("h4", {}, `Sentences of the ${side}: ${told}`),
    scrolling(`Links of the ${side}`, steppable(drawing, arcs)));
}

function drawArc(link, from, to, strength) {
  const right = ARCS.gutter - 26;
  const reach = Math.min(right - 6, 12 + Math.abs(to - from) * 0.45);
  const by = link.shared.length ? ` by ${link.shared.map((key) => `“${key}”`).join(", ")}` : "";
  return svg("path", { d: `M${right} ${from}C${right - reach} ${from} ${right - reach} ${to} ${right} ${to}`, class: "arc",
    "stroke-width": (1 + 4 * strength).toFixed(2), "data-keys": link.shared.map((key) => focusKey({ focus: key })).join(" "),
    "data-told": `sentences ${link.from + 1} and ${link.to + 1}, ${precise(link.weight)}${by}` });
}

function drawSentence(text, n, y, alone) {
  const told = `sentence ${n + 1}${alone ? ", linked to no other" : ""}`;
  return svg("g", { class: alone ? "alone" : null }, svg("title", {}, `${told}: ${clipped(text, 300)}`),
    svg("circle", { cx: ARCS.gutter - 24, cy: y, r: 3 }),
    svg("text", { x: ARCS.gutter - 12, y: y + 4, class: "sentence-number" }, String(n + 1)),
    svg("text", { x: ARCS.gutter + 16, y: y + 4 }, clipped(text, ARCS.characters)));
}
