// One document of one system: its scores, its text beside a reference, and the evidence of the chosen score on both.

/** `explanation` and `facts` are as the service and the report have them; `chosen` is a metric's name. */
function drawExplanation(explanation, facts, { chosen = null, onChoose = null } = {}) {
  const state = { metric: Math.max(0, facts.findIndex((one) => one.metric === chosen)), segment: 0, reference: null }; // null: whichever counted
  const root = el("article", { class: "explanation" });
  const change = (news) => {
    Object.assign(state, news);
    const focused = focusedPlace(root);
    root.replaceChildren(...explanationParts(explanation, facts, state, change));
    restoreFocus(root, focused);
    if ("metric" in news) onChoose?.(facts[state.metric].metric);
  };
  root.replaceChildren(...explanationParts(explanation, facts, state, change));
  return root;
}

function explanationParts(explanation, facts, state, change) {
  const told = explanation.metrics[state.metric];
  const segmented = told.unit === "segment";
  const segment = segmented ? Math.min(state.segment, Math.max(0, told.segments.length - 1)) : null;
  const panes = { candidate: new Pane("candidate", "Candidate", explanation.candidate) };
  const number = state.reference ?? countedReference(told, segment) ?? 0;
  const reference = explanation.references[number];
  if (reference) panes.reference = new Pane("reference", referenceTitle(explanation, number), reference);
  if (explanation.source) panes.source = new Pane("source", "Source", explanation.source);
  const { legend, below } = mark(panes, told, segment, number);
  const why = el("div", { class: "why" });
  const readout = lightUp(why);
  why.append(
    legend ? el("p", { class: "legend muted" }, legend) : "",
    drawTexts(explanation, panes, told, { segment, reference: number }, change),
    readout,
    ...below(),
  );
  return [
    drawScores(explanation, facts, state.metric, (metric) => change({ metric })),
    drawReasons(told, facts[state.metric], explanation.labels, segment),
    why,
  ];
}

function countedReference(told, segment) {
  const part = told.parts.find((each) => each.segment === segment);
  return part ? aboutReference(part, 0).counted : null;
}

/** Puts a metric's marks on the panes; of the chosen segment, gives the legend and the drawings. */
function mark(panes, told, segment, reference) {
  let chosen = { legend: "", below: () => [] };
  for (const part of told.parts) {
    const { inner, counted } = aboutReference(part, reference);
    if (!inner) continue;
    const places = Object.fromEntries(Object.entries(panes).map(([side, pane]) => [side, pane.part(part.segment)]));
    const text = (side) => places[side]?.text ?? new Characters("");
    const view = viewOf(inner, { candidate: text("candidate"), reference: text("reference"), source: text("source") }, reference);
    const off = counted !== null && counted !== reference;
    for (const side of Object.keys(panes)) {
      if (places[side] && !(off && side === "reference")) addMarks(panes[side], places[side].start, view[side], part.segment === segment ? "" : `${part.segment}-`);
    }
    if (part.segment !== segment) continue;
    chosen = off ? { legend: `Reference ${counted + 1} counted: choose it to see the evidence.`, below: () => [] } : view;
  }
  return chosen;
}

/** Keys of segments other than the chosen one are told apart from its drawings'; a focus is the same in all. */
function addMarks(pane, start, marks, prefix) {
  const named = (key) => (key ?? "").split(" ").filter(Boolean).map((one) => (one.startsWith("focus-") ? one : prefix + one)).join(" ");
  for (const one of marks) {
    pane.marks.push({ ...one, key: named(one.key), span: [one.span[0] + start, one.span[1] + start] });
  }
}

function drawTexts(explanation, panes, told, { segment, reference: number }, change) {
  const many = told.unit === "segment" && explanation.labels.length > 1;
  const chooser = many ? { scores: told.segments, chosen: segment, choose: (n) => change({ segment: n }) } : {};
  const several = explanation.references.length > 1 && switcher("Reference",
    explanation.references.map((_, n) => [n, `Reference ${n + 1}`]), number, (reference) => change({ reference }));
  const beside = panes.source?.marks.length ? ["source", "reference"] : ["reference", "source"];
  const [second, third] = beside.map((side) => panes[side]);
  return el("div", {}, several, el("div", { class: second ? "twin" : "single" },
    drawPane(panes.candidate, explanation.labels, chooser),
    second && drawPane(second, explanation.labels)),
  third && unfolding(third.title, () => drawPane(third, explanation.labels)));
}

function referenceTitle({ references }, number) {
  return references.length > 1 ? `Reference ${number + 1}` : "Reference";
}

/** Where the keyboard is, as the number of the control: choosing draws everything anew. */
function focusedPlace(root) {
  return [...root.querySelectorAll("button, summary, [tabindex]")].indexOf(document.activeElement);
}

function restoreFocus(root, place) {
  if (place >= 0) root.querySelectorAll("button, summary, [tabindex]")[place]?.focus();
}
