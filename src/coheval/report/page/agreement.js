// How far metrics agree with people: figures with intervals and clusters, and documents as points.

function drawAgreement(head, columns, open) {
  const { agreement } = head;
  const section = el("section", { id: "agreement" }, el("h2", {}, "Agreement with people"),
    el("p", { class: "muted told" }, agreement.told));
  for (const aspect of agreement.aspects) section.append(agreementTable(agreement.rows.filter((row) => row.aspect === aspect), aspect));
  if (agreement.notes.length) section.append(noteList(agreement.notes, { class: "notes" }));
  section.append(scatterCard(head, columns, open));
  return section;
}

function agreementTable(rows, aspect) {
  const columns = [
    { head: "metric", value: (row) => row.metric, cell: (row) => el("code", {}, row.metric) },
    { head: "agreement", number: true, first: "descending", value: (row) => row.value,
      cell: (row) => (row.value === null ? row.reason ?? NOTHING : el("div", { class: "figures" }, el("span", { class: "value" }, signed(row.value.toFixed(3))),
        row.low !== null && el("span", { class: "interval" }, `[${signed(row.low.toFixed(3))}, ${signed(row.high.toFixed(3))}]`),
        el("span", { class: `bar ${row.value < 0 ? "minus" : "plus"}`, "--share": Math.abs(row.value).toFixed(3) }))) },
    { head: "p", title: "Of the difference from the metric that agrees most", number: true, value: (row) => row.p,
      cell: (row) => (row.p === null ? NOTHING : `${precise(row.p, 3)}${row.significant ? "*" : ""}`) },
    { head: "rank", number: true, value: (row) => row.rank?.[0], cell: (row) => (row.rank ? [...new Set(row.rank)].join("–") : NOTHING) },
    { head: "cluster", number: true, value: (row) => row.cluster, cell: (row) => String(row.cluster ?? NOTHING) },
    { head: "of", number: true, value: (row) => row.count, cell: (row) => String(row.count) },
  ];
  return sortableTable({ caption: `Aspect: ${aspect}`, columns, rows, sorted: { column: 1, direction: "descending" } });
}

function scatterCard(head, columns, open) {
  const { scores, people } = head.documents;
  const aspects = head.agreement.aspects.filter((aspect) => Object.hasOwn(people, aspect)); // nobody rated their mean
  const state = { metric: head.facts[0].metric, aspect: aspects[0] };
  const box = el("div");
  const draw = () => box.replaceChildren(drawScatter({
    across: { name: `${state.metric} ${arrowOf(head.facts.find((one) => one.metric === state.metric))}`, by: scores[state.metric] },
    up: { name: `${state.aspect} ${arrowOf(people[state.aspect])}`, by: people[state.aspect].ratings }, systems: head.systems, columns, open }));
  const pick = (key) => (value) => { state[key] = value; draw(); };
  draw();
  return el("div", { class: "card" }, el("h3", {}, "Documents as points"), el("div", { class: "controls" },
    choice("Metric", head.facts.map(({ metric }) => [metric, metric]), state.metric, pick("metric")),
    choice("Aspect", aspects.map((aspect) => [aspect, aspect]), state.aspect, pick("aspect"))), box);
}
