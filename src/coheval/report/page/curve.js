// How well a text hangs together along its sentences, with the places marked where it breaks.

const CURVE = { width: 680, height: 220, left: 56, right: 16, top: 14, bottom: 34, least: 0.1 }; // the least that the axis spans
const ALIKE = 0.005; // scores that are no further apart read the same in words, which have two digits

/** `local` has a score for each sentence, or for each boundary: before each sentence, and one behind the last. */
function viewCurve(evidence) {
  const { sentences, local } = evidence;
  if (!local || sentences.length < 2) return {};
  const points = sentences.map((span, n) => ({ n, span, value: local[n] })).slice(1); // nothing stands before the first
  const breaks = breaksOf(points);
  const between = evidence.kind === "boundaries";
  return {
    candidate: sentences.map((span, n) => ({
      span, look: breaks.has(n) ? "sentence break" : "sentence", key: `sentence-${n}`,
      before: breaks.has(n) ? "✕" : null, told: curveTold(n, local[n], breaks, between),
    })),
    legend: curveLegend(points, breaks),
    below: () => [drawCurve(points, breaks, between)],
  };
}

function curveLegend(points, breaks) {
  if (breaks.size) return "✕ marks where the text hangs together least: the lowest place, and others a standard deviation below the mean.";
  return points.length === 1 ? "There is one place, which is weaker than no other." : "No place is weaker than another.";
}

/** The numbers of sentences with a break before them: none where no place is weaker than another. */
function breaksOf(points) {
  const values = points.map((point) => point.value);
  if (Math.max(...values) - Math.min(...values) < ALIKE) return new Set();
  const middle = mean(values);
  const spread = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  const lowest = Math.min(...values);
  return new Set(points.filter(({ value }) => value === lowest || value < middle - spread).map(({ n }) => n));
}

function curveTold(n, value, breaks, between) {
  if (n === 0) return "sentence 1";
  return `${between ? "before sentence" : "sentence"} ${n + 1}: ${precise(value)}${breaks.has(n) ? ", a break" : ""}`;
}

function drawCurve(points, breaks, between) {
  const { width, height, left, right, top, bottom } = CURVE;
  const values = points.map((point) => point.value);
  const ends = curveEnds(values);
  const y = scaled(ends, [height - bottom, top]);
  const x = scaled([points[0].n, points.at(-1).n], [left + 12, width - right - 12]);
  const dots = points.map((point) => curveDot(point, x(point.n), y(point.value), breaks, between));
  const line = svg("polyline", { class: "curve", points: points.map(({ n, value }) => `${x(n)},${y(value)}`).join(" ") });
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Coherence along ${counted(points.length + 1, "sentence")}; arrow keys step through them` },
  curveAxes(ends, x, y, points), line, dots);
  return el("section", { class: "drawing" }, el("h4", {}, between ? "How well each sentence follows the one before it" : "How expected each sentence is"),
    scrolling("Coherence curve", steppable(drawing, dots)));
}

/** Where scores hardly differ, an axis of their range would make a cliff of it. */
function curveEnds(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = Math.max(0, CURVE.least - (high - low)) / 2;
  return [low - more, high + more];
}

function curveDot({ n, value }, x, y, breaks, between) {
  const broken = breaks.has(n);
  const shape = broken ? svg("path", { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`, class: "cross" }) : svg("circle", { cx: x, cy: y, r: 4 });
  return svg("g", { class: broken ? "dot break" : "dot", "data-keys": `sentence-${n}`, "data-told": curveTold(n, value, breaks, between) }, shape);
}

function curveAxes(ends, x, y, points) {
  const { width, height, left, right, bottom } = CURVE;
  const steps = ticks(...ends, 4);
  const texts = tickTexts(steps);
  const across = steps.map((tick, n) => svg("g", { class: "tick" },
    svg("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
    svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, texts[n])));
  const every = Math.max(1, Math.ceil(points.length / 20));
  const along = points.filter((_, at) => at % every === 0).map(({ n }) =>
    svg("text", { class: "tick", x: x(n), y: height - bottom + 18, "text-anchor": "middle" }, String(n + 1)));
  return [across, along, svg("text", { class: "tick", x: (left + width) / 2, y: height - 2, "text-anchor": "middle" }, "sentence")];
}
