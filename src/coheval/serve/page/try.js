// The service's page: texts and metrics in, the drawing of the report out. Whatever comes from the service or from
// the person who types becomes text, never markup; the API key is in the field and nowhere else.

const TRY_EXAMPLE = {
  candidate:
    "The old harbour was closed in May when a pier began to sink, which had surprised nobody. " +
    "The mayor promises that the ferries will go on. Many people who live near the water stayed.",
  references: [
    "In May the old port was shut because one of its piers was sinking, which nobody had expected. " +
      "According to the mayor, the ferries will keep running. Many residents near the water stayed.",
  ],
  source:
    "Im Mai wurde der alte Hafen geschlossen, weil ein Pier absackte, womit niemand gerechnet hatte. " +
    "Die Bürgermeisterin sagt, die Fähren würden weiter fahren. Viele Anwohner am Wasser blieben.",
};
const TRY_METRICS = ["moverscore", "dsfocus", "dr", "coherence"]; // what the example shows, of those that are offered
const TRY_NEEDS = { references: "a reference", source: "a source" };

const tryPage = { facts: [], chosen: new Set(), most: 0, running: null };

function tryPart(id) {
  return document.getElementById(id);
}

function startTry() {
  tryPart("theme").append(themeButton());
  addReference();
  tryPart("add-reference").addEventListener("click", () => addReference().focus());
  tryPart("candidate").addEventListener("input", showNeeds);
  tryPart("example").addEventListener("click", fillExample);
  tryPart("key").addEventListener("change", loadMetrics);
  tryPart("form").addEventListener("submit", (event) => {
    event.preventDefault();
    scoreTexts();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) tryPart("form").requestSubmit();
  });
  loadMetrics();
}

// ---------------------------------------------------------------------------------------------------- references

function addReference(text = "") {
  const area = el("textarea", { rows: "8", oninput: showNeeds });
  area.value = text;
  const label = el("label", {});
  const remove = el("button", { type: "button", onclick: () => removeReference(field) }, "Remove");
  const field = el("div", { class: "try-field" }, el("div", { class: "try-heading" }, label, remove), area);
  tryPart("references").append(field);
  nameReferences();
  return area;
}

function removeReference(field) {
  field.remove();
  nameReferences();
  showNeeds();
  referenceAreas().at(-1).focus();
}

function nameReferences() {
  const fields = [...tryPart("references").children];
  fields.forEach((field, n) => {
    const area = field.querySelector("textarea");
    area.id = `reference-${n + 1}`;
    const label = field.querySelector("label");
    label.setAttribute("for", area.id);
    label.textContent = fields.length > 1 ? `Reference ${n + 1}` : "Reference, if there is one";
    const remove = field.querySelector("button");
    remove.hidden = fields.length === 1;
    remove.setAttribute("aria-label", `Remove reference ${n + 1}`);
  });
}

function referenceAreas() {
  return [...tryPart("references").querySelectorAll("textarea")];
}

function referenceTexts() {
  return referenceAreas().map((area) => area.value).filter((text) => text.trim());
}

function fillExample() {
  tryPart("candidate").value = TRY_EXAMPLE.candidate;
  tryPart("source").value = TRY_EXAMPLE.source;
  tryPart("references").replaceChildren();
  TRY_EXAMPLE.references.forEach((text) => addReference(text));
  tryPart("by-line").checked = false;
  tryPage.facts.forEach((facts, place) => TRY_METRICS.includes(facts.metric) && chooseMetric(facts.metric, place));
  showNeeds();
  scoreTexts();
}

// ------------------------------------------------------------------------------------------------------- metrics

async function loadMetrics() {
  tell("Loading the metrics…");
  const told = await ask("/v1/metrics");
  if (!told) return;
  tryPage.most = told.limits.asked;
  tryPage.facts = told.metrics;
  if (!tryPage.chosen.size) tryPage.chosen = new Set(told.defaults);
  tryPart("choices").replaceChildren(...told.metrics.map(metricChoice));
  for (const button of ["score", "example"]) tryPart(button).disabled = false;
  showNeeds();
  tell("");
}

function metricChoice(facts, place) {
  const id = `metric-${place}`;
  const box = el("input", {
    type: "checkbox", id, "aria-describedby": `${id}-about ${id}-closed`, checked: tryPage.chosen.has(facts.metric),
    onchange: () => {
      if (box.checked) tryPage.chosen.add(facts.metric);
      else tryPage.chosen.delete(facts.metric);
      showNeeds();
    },
  });
  return el("div", { class: "try-metric" }, box,
    el("label", { for: id, class: "name" }, `${facts.metric} ${arrowOf(facts)}`),
    el("div", { class: "about", id: `${id}-about` }, aboutMetric(facts)),
    el("div", { class: "about closed", id: `${id}-closed` }));
}

function chooseMetric(metric, place) {
  tryPage.chosen.add(metric);
  tryPart(`metric-${place}`).checked = true;
}

/** Its summary, and the direction where that does not say it. */
function aboutMetric(facts) {
  const direction = directionOf(facts);
  if (facts.summary.toLowerCase().includes(direction)) return facts.summary;
  return `${facts.summary} ${direction[0].toUpperCase()}${direction.slice(1)}.`;
}

/** Closes the metrics that need a reference while there is none, and shows the source where one is needed. */
function showNeeds() {
  const alone = referenceTexts().length === 0;
  tryPage.facts.forEach((facts, place) => {
    const closed = alone && facts.needs.includes("references");
    tryPart(`metric-${place}`).disabled = closed;
    tryPart(`metric-${place}-closed`).textContent = closed ? `Needs ${TRY_NEEDS.references}, and there is none.` : "";
  });
  tryPart("source-field").hidden = !chosenFacts().some((facts) => facts.needs.includes("source"));
}

function chosenFacts() {
  const alone = referenceTexts().length === 0;
  return tryPage.facts.filter((facts) => tryPage.chosen.has(facts.metric) && !(alone && facts.needs.includes("references")));
}

// ------------------------------------------------------------------------------------------------------- scoring

async function scoreTexts() {
  const body = requestBody();
  if (!body) return;
  const begin = performance.now();
  tell("Scoring…");
  const told = await ask("/v1/explain", body);
  if (!told) return;
  tell(`Scored in ${((performance.now() - begin) / 1000).toFixed(2)} s.`);
  showResults(told);
}

/** What is asked of the service; null, with the reason told, where something is missing. */
function requestBody() {
  const candidate = tryPart("candidate").value;
  const metrics = chosenFacts();
  if (!candidate.trim()) return lacking("Paste a text to be scored.", "candidate");
  if (!metrics.length) {
    const hint = referenceTexts().length ? "Choose a metric." : "Choose a metric that needs no reference, or paste a reference.";
    const open = tryPage.facts.findIndex((_, place) => !tryPart(`metric-${place}`).disabled);
    return lacking(hint, open < 0 ? "candidate" : `metric-${open}`);
  }
  if (metrics.length > tryPage.most) {
    return lacking(`${metrics.length} metrics are chosen, this service takes at most ${tryPage.most} at once.`, "metric-0");
  }
  const lines = segmentsOf(candidate);
  const source = metrics.some((facts) => facts.needs.includes("source")) ? segmentsOf(tryPart("source").value) : null;
  const references = referenceTexts().map(segmentsOf);
  const uneven = [...references, ...(source ? [source] : [])].find((texts) => texts.length !== lines.length);
  if (uneven) {
    const counts = `${counted(lines.length, "line")} in the candidate, ${counted(uneven.length, "line")} in another text.`;
    return lacking(`Every line is a segment, and texts must have equally many: ${counts}`, "candidate");
  }
  return {
    candidates: lines,
    references: references.length ? lines.map((_, n) => references.map((texts) => texts[n])) : null,
    sources: source,
    documents: lines.map(() => "text"),
    metrics: metrics.map((facts) => facts.metric),
    system: "candidate",
  };
}

function segmentsOf(text) {
  return tryPart("by-line").checked ? text.replace(/[\r\n]+$/, "").split(/\r?\n/) : [text];
}

function lacking(message, place) {
  showProblem({ detail: message });
  tryPart(place).focus();
  return null;
}

function showResults({ facts, explanations, notes }) {
  const drawn = explanations.map((explanation) => drawExplanation(explanation, facts));
  const said = notes.length
    ? [el("div", { class: "try-notes" }, el("h3", {}, "Notes"), noteList(notes))]
    : [];
  tryPart("told").replaceChildren(...drawn, ...said);
  tryPart("results").hidden = false;
  tryPart("results").focus();
}

// --------------------------------------------------------------------------------------------------- the service

/** The service's answer; null where there is none, and then the reason is shown. A newer question ends an older. */
async function ask(path, body = null) {
  tryPage.running?.abort();
  const mine = (tryPage.running = new AbortController());
  const key = tryPart("key").value;
  const headers = { ...(key && { Authorization: `Bearer ${key}` }), ...(body && { "Content-Type": "application/json" }) };
  const options = { method: body ? "POST" : "GET", headers, signal: mine.signal, ...(body && { body: JSON.stringify(body) }) };
  try {
    const answer = await fetch(path, options);
    const told = await answer.json();
    if (!answer.ok) throw told;
    showProblem(null);
    return told;
  } catch (problem) {
    if (mine.signal.aborted) return null;
    if (problem?.status === 401) askForKey();
    if (problem?.status === 401 && !key) tell("This service wants a key.");
    else showProblem(problem instanceof Error ? { detail: "The service does not answer.", hint: "Is it running?" } : problem);
    return null;
  }
}

function askForKey() {
  tryPart("key-field").hidden = false;
  tryPart("key").focus();
}

/** What was answered before is not of what was asked now. */
function showProblem(problem) {
  if (problem) tryPart("results").hidden = true;
  const lines = problem ? [[problem.where, problem.detail].filter(Boolean).join(": "), problem.hint && `Hint: ${problem.hint}`] : [];
  const drawn = lines.filter(Boolean).map((line) => el("p", {}, line));
  tryPart("problem").replaceChildren(...(drawn.length ? [el("div", { class: "try-problem" }, drawn)] : []));
  if (problem) tell("");
}

function tell(words) {
  tryPart("status").textContent = words;
}

startTry();
