// Foci: what texts speak of. One colour a focus, with its counts on both sides; a focus of one side only is dashed.

const HUES = 8; // colours in views.css

/** Foci in the order in which they get colours: shared ones first, then by how often they are mentioned. */
function orderedFoci(foci) {
  const sides = (focus) => Boolean(focus.candidate?.length) + Boolean(focus.reference?.length);
  const mentions = (focus) => (focus.candidate?.length ?? 0) + (focus.reference?.length ?? 0);
  return foci.slice().sort((a, b) => sides(b) - sides(a) || mentions(b) - mentions(a));
}

function viewFoci(evidence) {
  const foci = orderedFoci(evidence.foci);
  return {
    candidate: focusMarks(foci, "candidate"),
    reference: focusMarks(foci, "reference"),
    legend: foci.length ? "Each focus has a colour; point at one to see its mentions. Dashed: in one text only." : "",
    below: () => (foci.length ? [focusList(foci)] : []),
  };
}

function focusMarks(foci, side) {
  return foci.flatMap((focus, n) => (focus[side] ?? []).map((span) => ({
    span, key: focusKey(focus), told: focusTold(focus), look: focusLook(focus, n),
  })));
}

/** By name, so that the same focus lights up in both texts and in drawings. */
function focusKey(focus) {
  return `focus-${encodeURIComponent(focus.focus)}`;
}

function focusLook(focus, n) {
  const compared = focus.candidate && focus.reference;
  const lonely = compared ? !focus.candidate.length || !focus.reference.length : false;
  return `focus hue-${n % HUES}${lonely ? " lonely" : ""}`;
}

function focusTold(focus) {
  const parts = [`“${focus.focus}”`, focusCounts(focus)];
  if (focus.distance !== undefined && focus.distance !== null) parts.push(`distance ${precise(focus.distance)}`);
  if (focus.share !== undefined && focus.share !== null) parts.push(`${percent(focus.share)} of the whole`);
  for (const tie of focus.ties ?? []) parts.push(tie.relation);
  return parts.join(", ");
}

function focusCounts({ candidate, reference }) {
  const told = [];
  if (candidate) told.push(`${candidate.length} in the candidate`);
  if (reference) told.push(`${reference.length} in the reference`);
  return told.join(", ");
}

function focusList(foci) {
  const chips = foci.map((focus, n) => el("li", { "data-keys": focusKey(focus), "data-told": focusTold(focus) },
    el("span", { class: `chip ${focusLook(focus, n)}` }, clipped(focus.focus, 40)),
    el("span", { class: "counts" }, [focus.candidate, focus.reference].filter(Boolean).map((spans) => spans.length).join(" | "))));
  const compared = foci.some((focus) => focus.candidate && focus.reference);
  return el("section", { class: "drawing" },
    el("h4", {}, compared ? "Foci, with their mentions in candidate | reference" : "Foci, with their mentions"),
    steppable(el("ul", { class: "foci", "aria-label": "Foci; arrow keys step through them" }, chips), chips));
}
