// What it takes to get the same numbers again.

function drawReproducibility(head) {
  const { python, platform, folder, files, corpus, report } = head.reproducibility;
  const rows = [
    ["coheval", head.coheval], ["Python", python], ["platform", platform], ["made", head.created], ["command", head.command],
    ["in the folder", folder], ["the same again", head.repeat], ["this report", report], ["corpus, sha256", corpus.sha256], ["documents", corpus.documents.toLocaleString("en")],
    ...Object.entries(corpus.segments).map(([system, count]) => [`segments of ${system}`, count.toLocaleString("en")]),
    ...Object.entries(files).map(([path, sha256]) => [path, sha256]),
  ].filter(([, value]) => value);
  return el("section", { id: "reproducibility" }, el("h2", {}, "Reproducibility"),
    scrolling("How the run was made", el("table", { class: "facts" }, el("tbody", {}, rows.map(([name, value]) =>
      el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("code", {}, value))))))),
    el("h3", {}, "Metrics"), head.facts.map(drawFacts));
}

function drawFacts(facts) {
  const counts = Object.entries(facts.counts).map(([name, count]) => `${name}: ${count.toLocaleString("en")}`);
  return el("details", { class: "card" }, el("summary", {}, el("code", {}, facts.metric)), el("p", {}, facts.summary),
    el("p", { class: "muted" }, `${capital(directionOf(facts))}, ${rangeOf(facts)}; scored by ${facts.unit}; needs ${facts.needs.join(", ") || "nothing but the candidate"}`
      + `${facts.several_references ? `; several references: ${facts.several_references}` : ""}.`),
    el("p", {}, `Counted: ${counts.join(", ") || "nothing"}.`), el("p", { class: "signature" }, facts.signature));
}
