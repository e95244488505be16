// Elements, made without markup: whatever comes from data becomes text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners ("onclick"), custom properties ("--level") and children. */
function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A labelled choice: options are [value, text] pairs. */
function choice(label, options, value, change) {
  const select = el("select", { onchange: () => change(select.value) });
  select.append(...options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)));
  return el("label", { class: "field" }, el("span", {}, label), select);
}

/** Buttons of which one is pressed. */
function switcher(label, options, value, change) {
  const buttons = options.map(([key, text]) =>
    el("button", { type: "button", "aria-pressed": String(key === value), onclick: () => change(key) }, text));
  return el("div", { class: "switcher", role: "group", "aria-label": label }, buttons);
}

/** Something that is shown, and made, when it is opened. */
function unfolding(summary, make, attributes = {}) {
  const details = el("details", attributes, el("summary", {}, summary));
  const fill = () => details.open && details.childElementCount === 1 && details.append(make());
  details.addEventListener("toggle", fill);
  return details;
}

/** A box that scrolls sideways, and that the keyboard can reach to do so. */
function scrolling(label, ...children) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, children);
}

function noteList(notes, attributes = {}) {
  return el("ul", attributes, notes.map((note) => el("li", {}, withCode(note))));
}

/** Text in which commands stand between backticks. */
function withCode(text) {
  return text.split("`").map((part, n) => (n % 2 ? el("code", {}, part) : part));
}

function plainTable(caption, heads, rows) {
  const cell = (value) => el("td", { class: typeof value === "number" ? "number" : null },
    typeof value === "number" ? precise(value) : value ?? "–");
  return el("table", {}, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell)))));
}
