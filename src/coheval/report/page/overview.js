// Systems × metrics: scores with intervals, ranks and clusters; one metric in full; correlation between metrics.

function drawOverview(head) {
  const section = el("section", { id: "overview" }, el("h2", {}, "Overview"),
    el("p", { class: "muted told" }, head.overview.told, marksLeaders(head) && "\nbold: the best, or not significantly worse"),
    scoreTable(head), oneMetric(head));
  if (head.correlation) section.append(drawCorrelation(head.correlation));
  if (head.notes.length) section.append(el("div", { class: "notes" }, el("h3", {}, "Notes"), noteList(head.notes)));
  return section;
}

/** Whether bold is a difference: where a metric has nobody who is significantly worse, it would say nothing. */
function marksLeaders(head, metric = null) {
  return head.overview.rows.some((row) => (metric ? row.metrics[metric].significant : Object.values(row.metrics).some((figures) => figures.significant)));
}

function scoreTable(head) {
  const columns = head.facts.map((facts) => ({
    head: [breakable(facts.metric), "\u00a0", arrowOf(facts)], title: `${facts.summary} ${directionOf(facts)}`, number: true,
    first: facts.higher_is_better ? "descending" : "ascending",
    value: (row) => row.metrics[facts.metric].score,
    cell: (row) => scoreCell(row.metrics[facts.metric], marksLeaders(head, facts.metric)),
  }));
  const systems = { head: "system", value: (row) => row.system, cell: (row) => row.system };
  return sortableTable({ caption: "Scores of systems", columns: [systems, ...columns], rows: head.overview.rows });
}

function scoreCell(figures, marked) {
  const leads = marked && figures.score !== null && !figures.significant && !figures.reason;
  return el("div", { class: leads ? "figures leads" : "figures", title: scoreTold(figures) },
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
  const ends = extent(values);
  const x = scaled(ends, [4, 96]); // per cent of a track, which is as wide as the screen lets it
  const steps = ticks(...ends);
  return el("div", { class: "drawing intervals", role: "img",
    "aria-label": `${facts.metric}, ${directionOf(facts)}: ${rows.map((row) => `${row.system} ${precise(row.score)}`).join(", ")}` },
  rows.map((row) => intervalRow(row, x, steps)), intervalAxis(x, steps));
}

function intervalRow(row, x, steps) {
  const known = row.low !== null && row.low !== undefined;
  const line = (from, to, top, bottom) => svg("line", { class: "whisker", x1: `${x(from)}%`, x2: `${x(to)}%`, y1: top, y2: bottom });
  return el("div", { class: "interval-row", title: `${row.system}: ${precise(row.score)}${known ? ` [${precise(row.low)}, ${precise(row.high)}]` : ""}` },
    el("span", { class: "name" }, clipped(row.system, 60)),
    svg("svg", { class: "track" }, svg("g", { class: "tick" }, steps.map((step) => svg("line", { x1: `${x(step)}%`, x2: `${x(step)}%`, y1: 0, y2: 30 }))),
      known && [line(row.low, row.high, 15, 15), line(row.low, row.low, 10, 20), line(row.high, row.high, 10, 20)],
      svg("circle", { class: "point", cx: `${x(row.score)}%`, cy: 15, r: 5 })),
    el("span", { class: "rank" }, row.cluster && `cluster ${row.cluster}`));
}

function intervalAxis(x, steps) {
  const texts = tickTexts(steps);
  return el("div", { class: "interval-row" }, svg("svg", { class: "track" },
    steps.map((step, n) => svg("text", { class: "tick", x: `${x(step)}%`, y: 14, "text-anchor": "middle" }, texts[n]))));
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

function drawCorrelation({ told, metrics, values, texts, counts, fewest }) {
  const cell = (row, column) => correlationCell(`${metrics[row]} and ${metrics[column]}`, values[row][column], counts[row][column], { texts, fewest });
  return el("div", { class: "card" }, el("h3", {}, "How alike metrics are"), el("p", { class: "muted" }, told),
    scrolling("Correlation between metrics", el("table", { class: "matrix" },
      el("caption", { class: "visually-hidden" }, told),
      el("thead", {}, el("tr", {}, el("td"), metrics.map((metric) => el("th", { scope: "col" }, breakable(metric))))),
      el("tbody", {}, metrics.map((metric, row) => el("tr", {}, el("th", { scope: "row" }, breakable(metric)), metrics.map((_, column) => cell(row, column))))))));
}

/** A correlation, blue above zero and orange below it; of how many texts, where these are not all. */
function correlationCell(pair, value, count, { texts, fewest }) {
  const why = count < fewest ? "too few to tell" : "one of the two is the same for all";
  const title = value === null ? `${pair}: ${counted(count, "text")}, ${why}` : `${pair}: ${signed(value.toFixed(3))} over ${counted(count, "text")}`;
  return el("td", { class: value < 0 ? "number heat minus" : "number heat", title, "--level": Math.abs(value ?? 0).toFixed(3) },
    value === null ? NOTHING : signed(value.toFixed(3)), count < texts && el("span", { class: "over" }, `of ${count.toLocaleString("en")}`));
}
