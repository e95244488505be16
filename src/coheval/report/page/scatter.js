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
    tabindex: "0",
    "aria-label": `${counted(points.length, "point")}: ${across.name} across, ${up.name} up; arrow keys step from left to right, Enter opens the document` });
  const told = (point) => `${columns.ids[point.n]}, ${systems[point.s]}: ${across.name} ${precise(point.x)}, ${up.name} ${precise(point.y)}`;
  const { line, ring } = pointing(canvas, points, { x, y, told, open: (point) => open(point.n, systems[point.s]) });
  const paint = () => paintScatter(canvas, points, { x, y, across, up });
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", paint);
  return el("div", {}, scatterLegend(systems), scrolling("Documents as points", el("div", { class: "scatter" }, canvas, ring)), line);
}

/** Lets the pointer, and the keyboard from left to right, choose a point: a ring is around it and a line tells it. */
function pointing(canvas, points, { x, y, told, open }) {
  const hint = "Point at a document, or step to it with the arrow keys; click or Enter opens it.";
  const line = el("output", { class: "readout muted", "aria-live": "polite" }, hint);
  const ring = el("span", { class: "ring", hidden: true });
  const fromLeft = points.slice().sort((a, b) => a.x - b.x || a.y - b.y || a.s - b.s);
  let chosen = null;
  const choose = (point) => {
    chosen = point;
    line.textContent = point ? told(point) : hint;
    ring.hidden = !point;
    if (!point) return;
    ring.style.setProperty("left", `${100 * x(point.x) / SCATTER.width}%`);
    ring.style.setProperty("top", `${100 * y(point.y) / SCATTER.height}%`);
  };
  canvas.addEventListener("pointermove", (event) => choose(nearestPoint(points, x, y, canvas, event)));
  canvas.addEventListener("click", (event) => { // a finger points only when it taps
    choose(nearestPoint(points, x, y, canvas, event));
    if (chosen) open(chosen);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && chosen) return open(chosen);
    const at = fromLeft.indexOf(chosen);
    const [next, before] = [at + 1, at < 0 ? points.length - 1 : at - 1];
    const to = { ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(fromLeft[Math.min(points.length - 1, Math.max(0, to))]);
    ring.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return { line, ring };
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
  const [along, above] = [["x", 6], ["y", 5]].map(([side, wanted]) => ticks(...extent(points.map((point) => point[side])), wanted));
  tickTexts(along).forEach((text, n) => {
    paintLine(context, x(along[n]), top, x(along[n]), height - bottom);
    context.fillText(text, x(along[n]), height - bottom + 16);
  });
  context.fillText(across.name, (left + width - right) / 2, height - 6);
  context.textAlign = "right";
  tickTexts(above).forEach((text, n) => {
    paintLine(context, left, y(above[n]), width - right, y(above[n]));
    context.fillText(text, left - 6, y(above[n]) + 4);
  });
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
