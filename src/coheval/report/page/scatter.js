// Documents as points, a shape and a colour for each system, on a canvas: there may be tens of thousands.

const SCATTER = { width: 680, height: 380, left: 64, right: 16, top: 12, bottom: 44, reach: 14 };
const SHAPES = ["circle", "square", "triangle", "cross", "diamond"];

function drawScatter({ across, up, systems, columns, open }) {
  const points = systems.flatMap((system, s) => across.by[s].map((x, n) => ({ x, y: up.by[s][n], s, n })))
    .filter(({ x, y }) => x !== null && y !== null);
  if (!points.length) return el("p", { class: "muted" }, "No document has both.");
  const { width, height, left, right, top, bottom } = SCATTER;
  const x = scaled(extent(points.map((point) => point.x)), [left + 8, width - right - 8]);
  const y = scaled(extent(points.map((point) => point.y)), [height - bottom - 8, top + 8]);
  const canvas = el("canvas", { width: width * 2, height: height * 2, role: "img",
    "aria-label": `${counted(points.length, "point")}: ${across.name} across, ${up.name} up; the list of documents has the same numbers` });
  const line = el("p", { class: "readout muted" }, "Point at a document; click opens it.");
  const nearest = (event) => nearestPoint(points, x, y, canvas, event);
  canvas.addEventListener("pointermove", (event) => {
    const point = nearest(event);
    line.textContent = point ? `${columns.ids[point.n]}, ${systems[point.s]}: ${across.name} ${precise(point.x)}, ${up.name} ${precise(point.y)}` : "Point at a document; click opens it.";
  });
  canvas.addEventListener("click", (event) => { const point = nearest(event); if (point) open(point.n, systems[point.s]); });
  const paint = () => paintScatter(canvas, points, { x, y, across, up });
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  return el("div", {}, scatterLegend(systems), scrolling("Documents as points", canvas), line);
}

function extent(values) {
  const [low, high] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  return low === high ? [low - 1, high + 1] : [low, high];
}

function nearestPoint(points, x, y, canvas, event) {
  const box = canvas.getBoundingClientRect();
  const [px, py] = [(event.clientX - box.left) * SCATTER.width / box.width, (event.clientY - box.top) * SCATTER.height / box.height];
  let [best, least] = [null, SCATTER.reach ** 2];
  for (const point of points) {
    const away = (x(point.x) - px) ** 2 + (y(point.y) - py) ** 2;
    if (away < least) [best, least] = [point, away];
  }
  return best;
}

function paintScatter(canvas, points, { x, y, across, up }) {
  const style = getComputedStyle(document.documentElement);
  const probe = el("span", { class: "hue-probe" });
  document.body.append(probe);
  const colour = (name) => { probe.className = name; return getComputedStyle(probe).color; };
  const context = canvas.getContext("2d");
  context.setTransform(2, 0, 0, 2, 0, 0);
  context.clearRect(0, 0, SCATTER.width, SCATTER.height);
  paintAxes(context, points, { x, y, across, up }, colour("ink"), colour("line"), style);
  context.globalAlpha = points.length > 2000 ? 0.35 : 0.75;
  for (let s = 0; s < across.by.length; s++) {
    context.fillStyle = context.strokeStyle = colour(`hue hue-${s % HUES}`);
    for (const point of points) if (point.s === s) paintPoint(context, SHAPES[s % SHAPES.length], x(point.x), y(point.y));
  }
  context.globalAlpha = 1;
  probe.remove();
}

function paintAxes(context, points, { x, y, across, up }, ink, line, style) {
  const { width, height, left, right, top, bottom } = SCATTER;
  context.font = `12px ${style.getPropertyValue("--sans")}`;
  context.fillStyle = ink;
  context.strokeStyle = line;
  context.textAlign = "center";
  for (const tick of ticks(...extent(points.map((point) => point.x)), 6)) {
    paintLine(context, x(tick), top, x(tick), height - bottom);
    context.fillText(short(tick), x(tick), height - bottom + 16);
  }
  context.fillText(across.name, (left + width - right) / 2, height - 6);
  context.textAlign = "right";
  for (const tick of ticks(...extent(points.map((point) => point.y)), 5)) {
    paintLine(context, left, y(tick), width - right, y(tick));
    context.fillText(short(tick), left - 6, y(tick) + 4);
  }
  context.save();
  context.translate(14, (top + height - bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(up.name, 0, 0);
  context.restore();
}

function paintLine(context, fromX, fromY, toX, toY) {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}

function paintPoint(context, shape, x, y) {
  context.beginPath();
  if (shape === "circle") context.arc(x, y, 3, 0, 2 * Math.PI);
  else if (shape === "square") context.rect(x - 2.7, y - 2.7, 5.4, 5.4);
  else if (shape === "triangle") { context.moveTo(x, y - 3.6); context.lineTo(x + 3.4, y + 2.6); context.lineTo(x - 3.4, y + 2.6); }
  else if (shape === "diamond") { context.moveTo(x, y - 4); context.lineTo(x + 3.4, y); context.lineTo(x, y + 4); context.lineTo(x - 3.4, y); }
  else { paintLine(context, x - 3, y - 3, x + 3, y + 3); paintLine(context, x - 3, y + 3, x + 3, y - 3); return; }
  context.fill();
}

function scatterLegend(systems) {
  const signs = { circle: "●", square: "■", triangle: "▲", cross: "✕", diamond: "◆" };
  return el("ul", { class: "foci key" }, systems.map((system, s) => el("li", {},
    el("span", { class: `sign hue-${s % HUES}`, "aria-hidden": "true" }, signs[SHAPES[s % SHAPES.length]]), ` ${clipped(system, 40)}`)));
}
