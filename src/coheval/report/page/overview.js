// Systems × metrics: scores with intervals, ranks and clusters; one metric in full; correlation between metrics.

function drawOverview(head) {
  const section = el("section", { id: "overview" }, el("h2", {}, "Overview"),
    el("p", { class: "muted told" }, head.overview.told), scoreTable(head), oneMetric(head));
  if (head.correlation) section.append(drawCorrelation(head.correlation));
  if (head.notes.length) section.append(el("div", { class: "notes" }, el("h3", {}, "Notes"), el("ul", {}, head.notes.map((note) => el("li", {}, note)))));
  return section;
}

function scoreTable(head) {
  const columns = head.facts.map((facts) => ({
    head: [facts.metric, " ", arrowOf(facts)], title: `${facts.summary} ${directionOf(facts)}`, number: true,
    first: facts.higher_is_better ? "descending" : "ascending",
    value: (row) => row.metrics[facts.metric].score,
    cell: (row) => scoreCell(row.metrics[facts.metric]),
  }));
  const systems = { head: "system", value: (row) => row.system, cell: (row) => row.system };
  return sortableTable({ caption: "Scores of systems; choose a head to sort", columns: [systems, ...columns], rows: head.overview.rows });
}

function scoreCell(figures) {
  return el("div", { class: figures.cluster === 1 ? "figures best" : "figures", title: scoreTold(figures) },
    el("span", { class: "value" }, precise(figures.score), figures.significant && el("span", { title: "significantly worse than the best" }, "*")),
    figures.low !== null && figures.low !== undefined && el("span", { class: "interval" }, `[${precise(figures.low)}, ${precise(figures.high)}]`),
    figures.cluster && el("span", { class: "rank" }, `cluster ${figures.cluster}, ${rankTold(figures)}`),
    figures.undefined > 0 && el("span", { class: "rank" }, `${figures.undefined} of ${figures.units} undefined`));
}

function rankTold({ best_rank: best, worst_rank: worst }) {
  return best === worst ? `rank ${best}` : `rank ${best}–${worst}`;
}

function scoreTold(figures) {
  if (figures.reason) return figures.reason;
  if (figures.difference === null || figures.difference === undefined) return null;
  return `difference from the best ${precise(figures.difference)}, p = ${precise(figures.p)}`;
}

function oneMetric(head) {
  const box = el("div");
  const show = (metric) => {
    const facts = head.facts.find((one) => one.metric === metric);
    box.replaceChildren(drawIntervals(head, facts), head.systems.length > 1 && head.pairs[metric] ? drawPairsOfSystems(head, facts) : "");
  };
  show(head.facts[0].metric);
  const picker = choice("Metric", head.facts.map((facts) => [facts.metric, facts.metric]), head.facts[0].metric, show);
  return el("div", { class: "card" }, el("h3", {}, "One metric"), picker, box);
}

/** Each system's score and interval on one scale. */
function drawIntervals(head, facts) {
  const rows = inOrder(head.overview.rows, (row) => row.metrics[facts.metric].score, facts.higher_is_better ? "descending" : "ascending")
    .map((row) => ({ system: row.system, ...row.metrics[facts.metric] })).filter((row) => row.score !== null);
  const values = rows.flatMap((row) => [row.score, row.low, row.high]).filter((value) => value !== null && value !== undefined);
  if (!values.length) return el("p", { class: "muted" }, "No system has a score.");
  const [width, rowHeight, left, bottom] = [680, 30, 190, 34];
  const height = rows.length * rowHeight + bottom;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scaled(low === high ? [low - 1, high + 1] : [low, high], [left + 10, width - 70]);
  const marks = rows.map((row, n) => intervalRow(row, (n + 0.5) * rowHeight, x, left, width));
  const axis = ticks(low, high).map((tick) => svg("g", { class: "tick" }, svg("line", { x1: x(tick), x2: x(tick), y1: 0, y2: height - bottom + 4 }),
    svg("text", { x: x(tick), y: height - bottom + 20, "text-anchor": "middle" }, short(tick))));
  return el("div", { class: "drawing" }, scrolling(`Intervals of ${facts.metric}`, svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${facts.metric}, ${directionOf(facts)}: ${rows.map((row) => `${row.system} ${precise(row.score)}`).join(", ")}` }, axis, marks)));
}

function intervalRow(row, y, x, left, width) {
  const known = row.low !== null && row.low !== undefined;
  return svg("g", {}, svg("title", {}, `${row.system}: ${precise(row.score)}${known ? ` [${precise(row.low)}, ${precise(row.high)}]` : ""}`),
    svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, clipped(row.system, 26)),
    known && svg("path", { class: "whisker", d: `M${x(row.low)} ${y - 5}v10M${x(row.low)} ${y}H${x(row.high)}M${x(row.high)} ${y - 5}v10` }),
    svg("circle", { class: "point", cx: x(row.score), cy: y, r: 5 }),
    row.cluster && svg("text", { class: "tick", x: width - 4, y: y + 4, "text-anchor": "end" }, `cluster ${row.cluster}`));
}

function drawPairsOfSystems(head, facts) {
  const rows = head.pairs[facts.metric];
  const column = (title, value, cell = (row) => precise(value(row)), rest = {}) => ({ head: title, value, cell, number: true, ...rest });
  const columns = [
    { head: "first", value: (row) => row.first, cell: (row) => row.first },
    { head: "second", value: (row) => row.second, cell: (row) => row.second },
    column("difference", (row) => row.difference),
    { head: "interval", value: (row) => row.low, cell: (row) => (row.low === null ? NOTHING : `[${precise(row.low)}, ${precise(row.high)}]`), number: true },
    column("p, randomisation", (row) => row.randomisation_p),
    column("p, bootstrap", (row) => row.bootstrap_p),
    { head: "significant", value: (row) => String(row.significant), cell: (row) => row.reason ?? (row.significant ? "yes" : "no") },
    column("won / tied / lost", (row) => row.won, (row) => [row.won, row.tied, row.lost].map((share) => percent(share)).join(" / ")),
  ];
  return unfolding(`Pairs of systems (${rows.length.toLocaleString("en")})`, () => sortableTable({
    caption: `Differences of ${facts.metric} between systems; p values are corrected for the number of pairs`, columns, rows }));
}

function drawCorrelation({ told, metrics, values }) {
  const cell = (value) => el("td", { class: "number heat", "--level": value === null ? 0 : Math.abs(value).toFixed(3) }, value === null ? NOTHING : signed(value.toFixed(3)));
  return el("div", { class: "card" }, el("h3", {}, "How alike metrics are"), el("p", { class: "muted" }, told),
    scrolling("Correlation between metrics", el("table", { class: "matrix" },
      el("caption", { class: "visually-hidden" }, told),
      el("thead", {}, el("tr", {}, el("td"), metrics.map((metric) => el("th", { scope: "col" }, metric)))),
      el("tbody", {}, metrics.map((metric, row) => el("tr", {}, el("th", { scope: "row" }, metric), values[row].map(cell)))))));
}
