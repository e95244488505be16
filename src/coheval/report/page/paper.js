// What paper needs: everything unfolded, the list as a table, and tables no wider than the sheet.

const PAPER = 104; // characters of a table that stand beside each other on A4
const PRINTED = 100; // rows: more would be a book

/** What `make` changes for paper, and how that is undone: before printing, and wherever the page is shown as paper. */
function onPaper(make) {
  let undo = null;
  const begin = () => { undo ??= make(); };
  const end = () => {
    undo?.reverse().forEach((one) => one());
    undo = null;
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  matchMedia("print").addEventListener("change", ({ matches }) => (matches ? begin() : end()));
}

/** Nothing can be unfolded on paper: all tables and signatures are open there, drawings only where the reader opened them. */
function unfoldedForPaper() {
  const folded = [...document.querySelectorAll("main details:not([open], .drawing)")];
  folded.forEach((details) => {
    details.open = true;
    details.dispatchEvent(new Event("toggle")); // the browser's own comes when the paper is out
  });
  return () => folded.forEach((details) => { details.open = false; });
}

/** The list scrolls, and has only the rows in sight. */
function listedForPaper(list) {
  if (!list.order.length) return () => {};
  const table = listOnPaper(list);
  list.root.after(table);
  return () => table.remove();
}

/** The list on paper, in its order: a table, of which the page's head says what is left out. */
function listOnPaper({ order, name, columns }) {
  const rows = order.slice(0, PRINTED);
  const caption = rows.length < order.length ? `The first ${rows.length} of ${counted(order.length, "document")} of the list, in its order` : "The list, in its order";
  return el("table", {}, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "document"), columns.map(({ head }) => el("th", { scope: "col", class: "number" }, head)))),
    el("tbody", {}, rows.map((n) => el("tr", {}, el("th", { scope: "row" }, name(n)),
      columns.map((column) => el("td", { class: "number" }, listCell(column, n)))))));
}

/** Tables that are wider than paper go on below, with the columns that say what a row is of again. */
function dividedForPaper() {
  const undone = [...document.querySelectorAll("main table:not(.scores, .facts)")].map(divided);
  return () => undone.forEach((undo) => undo());
}

function divided(table) {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const wide = rows[0].map((_, n) => Math.max(...rows.map((cells) => charactersWide(cells[n]))));
  const numbers = rows.at(-1).findIndex((cell) => cell.classList.contains("number"));
  const [first, ...others] = columnsTogether(wide, Math.max(1, numbers));
  const continued = others.map((group) => continuedTable(table, group));
  const beyond = rows.flatMap((cells) => cells.filter((_, n) => !first.includes(n)));
  table.after(...continued);
  beyond.forEach((cell) => { cell.hidden = true; });
  return () => {
    continued.forEach((one) => one.remove());
    beyond.forEach((cell) => { cell.hidden = false; });
  };
}

/** The numbers of columns that fit on paper together; the leading ones are in every group. */
function columnsTogether(wide, leading) {
  const every = wide.slice(0, leading).map((_, n) => n);
  const room = PAPER - sum(wide.slice(0, leading));
  const groups = [every];
  for (let n = leading; n < wide.length; n++) {
    const fits = sum(groups.at(-1).slice(leading).map((one) => wide[one])) + wide[n] <= room;
    if (fits || groups.at(-1).length === leading) groups.at(-1).push(n);
    else groups.push([...every, n]);
  }
  return groups;
}

/** A cell's longest word in a head, and line elsewhere, and what is between cells. Longer ones can be broken, or are
    intervals, in small print. */
function charactersWide(cell) {
  const parts = cell.closest("thead") ? cell.textContent.split(/ |(?<=[(,=])/) : cell.innerText.split("\n");
  return 2 + Math.min(16, Math.max(...parts.map((part) => part.length)));
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function continuedTable(table, group) {
  const copy = table.cloneNode(true);
  copy.caption?.replaceChildren("continued");
  for (const row of copy.rows) [...row.cells].filter((_, n) => !group.includes(n)).forEach((cell) => cell.remove());
  return copy;
}
