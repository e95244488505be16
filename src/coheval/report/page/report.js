// The report: its sections, what the address says is open, and what paper needs.

const PAPER = 104; // characters of a table that stand beside each other on A4

const head = await unpack("head");
const documents = new Documents(head);
const browser = new Browser(head, documents, (number) => go(number));
const single = new DocumentView(head, documents, { go, beside: (number, step) => browser.list.beside(number, step) });

function go(number, system = null) {
  const place = new URLSearchParams({ document: number });
  if (system !== null) place.set("system", head.systems.indexOf(system));
  location.hash = place.toString();
}

/** The address has numbers, not names, which may be anything. */
function openAddressed(focus) {
  const place = new URLSearchParams(location.hash.slice(1));
  if (!place.has("document")) return;
  const number = Number(place.get("document"));
  if (!Number.isInteger(number) || number < 0 || number >= head.documents.ids.length) return;
  browser.list.activate(number);
  single.show(number, head.systems[place.get("system") ?? NaN] ?? null, { focus });
}

function drawReport() {
  const sections = [drawOverview(head)];
  if (head.agreement) sections.push(drawAgreement(head, head.documents, go));
  sections.push(browser.root, single.root, drawReproducibility(head));
  const links = sections.map((section) => el("a", { href: `#${section.id}`, onclick: (event) => {
    event.preventDefault(); // the address says which document is open
    section.scrollIntoView();
    section.querySelector("h2").setAttribute("tabindex", "-1");
    section.querySelector("h2").focus({ preventScroll: true });
  } }, section.querySelector("h2").textContent));
  document.getElementById("app").replaceChildren(
    el("header", { class: "top" }, el("h1", {}, head.title), el("p", { class: "muted" }, reportTold()), el("nav", { "aria-label": "Sections" }, links, themeButton())),
    el("main", {}, sections));
}

function reportTold() {
  const made = head.created ? `, ${head.created}` : "";
  return `${counted(head.systems.length, "system")}, ${counted(head.facts.length, "metric")}, ${counted(head.documents.ids.length, "document")}; coheval ${head.coheval}${made}`;
}

drawReport();
onPaper(() => [listedForPaper(), unfoldedForPaper(), dividedForPaper()]);
openAddressed(false);
addEventListener("hashchange", () => openAddressed(true));

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
function listedForPaper() {
  if (!browser.list.order.length) return () => {};
  const table = listOnPaper(browser.list);
  browser.list.root.after(table);
  return () => table.remove();
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
