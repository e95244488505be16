// Numbers as people read them: a true minus sign, as many digits as tell something.

const NOTHING = "–";

/** A score: four digits behind the point, of a whole number too, so that a column has its points below each other. */
function precise(value, digits = 4) {
  if (value === null || value === undefined) return NOTHING;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "not a number";
  const size = Math.abs(value);
  if (size !== 0 && size < 0.5 * 10 ** -digits) return signed(value.toExponential(1));
  if (size >= 1e7) return signed(value.toExponential(3));
  return signed(value.toFixed(digits));
}

function short(value) {
  return precise(value, 2);
}

function percent(share) {
  return share === null || share === undefined ? NOTHING : `${(100 * share).toFixed(1)} %`;
}

function signed(text) {
  return text.replace("-", "−");
}

function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function mean(values) {
  return values.length ? values.reduce((total, value) => total + value, 0) / values.length : null;
}

function arrowOf(facts) {
  return facts.higher_is_better ? "↑" : "↓";
}

function directionOf(facts) {
  return facts.higher_is_better ? "higher is better" : "lower is better";
}

function rangeOf(facts) {
  const [low, high] = facts.range ?? [null, null];
  const end = (value, infinite) => (value === null ? infinite : precise(value).replace(/\.0+$/, ""));
  return `from ${end(low, "−∞")} to ${end(high, "∞")}`;
}

const ALIKE_FROM = 1e-9; // of their size: numbers that are closer differ by rounding alone

/** The ends of an axis over values; where these are all alike, one on each side of them. */
function extent(values) {
  const [low, high] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = high - low <= ALIKE_FROM * size ? Math.max(1, size / 2) : 0;
  return [low - margin, high + margin];
}

/** Steps for an axis: about `wanted` round numbers between two ends. */
function ticks(low, high, wanted = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** What stands at an axis' steps: as many digits as tell them apart, the same at all. */
function tickTexts(steps) {
  const apart = steps.length > 1 ? steps[1] - steps[0] : 0.01;
  const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(apart) + 1e-9)));
  return steps.map((step) => precise(step, digits));
}

/** A function from data to pixels. */
function scaled([low, high], [from, to]) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}
