// A long list that draws only the rows in sight. It is one stop of the keyboard: arrows, page and end keys move in it,
// Enter opens.

const ROW = 40;
const LISTED = 400_000; // rows: browsers make no element higher than 17 to 33 million pixels
const SPARE = 8; // rows drawn outside of what is seen

class ListView {
  constructor({ label, open }) {
    this.open = open;
    this.order = [];
    this.active = 0; // where the keyboard is
    this.opened = null; // the document that is shown
    this.head = el("div", { role: "row", class: "list-head", "aria-rowindex": "1" });
    this.rows = el("div", { role: "rowgroup", class: "list-rows" });
    this.root = el("div", { role: "grid", class: "list", tabindex: "0", "aria-label": label,
      onscroll: () => this.#draw(), onkeydown: (event) => this.#key(event) },
    el("div", { role: "rowgroup", class: "list-heads" }, this.head), this.rows);
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  /** `name(n)` is what stands first in a row; `columns` as in finding.js; `sort(column)` is told which head was chosen. */
  show({ order, name, columns, sorted, sort }) {
    Object.assign(this, { order: order.slice(0, LISTED), name, columns });
    const template = `minmax(9rem, 1fr) repeat(${columns.length}, minmax(6.5rem, 9rem))`;
    this.root.style.setProperty("--columns", template);
    this.root.style.setProperty("--wide", `${9 + 6.5 * columns.length}rem`);
    this.root.setAttribute("aria-rowcount", String(this.order.length + 1));
    this.root.setAttribute("aria-colcount", String(columns.length + 1));
    this.head.replaceChildren(...["document", ...columns].map((column, n) => listHead(column, n - 1, sorted, sort)));
    this.rows.style.setProperty("height", `${this.order.length * ROW}px`);
    this.active = Math.min(this.active, Math.max(0, this.order.length - 1));
    this.#draw();
  }

  toTop() {
    this.active = 0;
    this.root.scrollTop = 0;
    this.#draw();
  }

  /** Marks a document as the one that is shown, and moves to its row if the list has it. */
  activate(number) {
    this.opened = number;
    this.#draw();
    const at = this.order.indexOf(number);
    if (at >= 0) this.#moveTo(at);
  }

  beside(number, step) {
    const at = this.order.indexOf(number);
    return at < 0 ? undefined : this.order[at + step];
  }

  #draw() {
    if (!this.columns) return;
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW) - SPARE);
    const last = Math.min(this.order.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / ROW) + SPARE);
    this.rows.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, n) => this.#row(first + n)));
    if (this.order.length) this.root.setAttribute("aria-activedescendant", `row-${this.active}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  #row(at) {
    const n = this.order[at];
    const name = this.name(n);
    const cells = this.columns.map((column) => el("span", { role: "gridcell", class: "number" }, listCell(column, n)));
    return el("div", { role: "row", id: `row-${at}`, class: at === this.active ? "list-row active" : "list-row",
      "aria-rowindex": String(at + 2), "aria-selected": String(n === this.opened), "--top": `${at * ROW}px`,
      onclick: () => { this.#moveTo(at); this.open(n); } }, el("span", { role: "gridcell", class: "name", title: name }, clipped(name, 120)), cells);
  }

  #key(event) {
    if (event.target !== this.root) return; // a head's button
    if (event.key === "Enter" && this.order.length) return this.open(this.order[this.active]);
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !this.order.length) return;
    event.preventDefault();
    this.#moveTo(Math.min(this.order.length - 1, Math.max(0, this.active + step)));
  }

  #moveTo(at) {
    this.active = at;
    const head = this.head.offsetHeight;
    const top = at * ROW;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + ROW + head > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + ROW + head - this.root.clientHeight;
    this.#draw();
  }
}

function listCell({ values, whole }, n) {
  return whole ? values[n].toLocaleString("en") : precise(values[n]);
}

function listHead(column, n, sorted, sort) {
  const here = sorted.column === n;
  const arrow = here ? (sorted.direction === "ascending" ? " ▲" : " ▼") : "";
  return el("span", { role: "columnheader", class: n < 0 ? "name" : "number", "aria-sort": here ? sorted.direction : null },
    el("button", { type: "button", class: "sort", title: column.title ?? column.head ?? null, onclick: () => sort(n) },
      clipped(column.head ?? column, 28), el("span", { class: "arrow", "aria-hidden": "true" }, arrow)));
}
